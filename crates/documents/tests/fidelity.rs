//! How faithful the stored text of PDF files is, with `pdftotext` as the yardstick.
//!
//! `cargo test -p lahar-documents --release --test fidelity -- --nocapture` prints the table.
//! Two figures a file, by the definitions of the specification's PDF comparison: the share of the
//! yardstick's words that are found (as a multiset), and the share of its whole sentences, of
//! eight words or more, that stand unbroken (letters and digits only). The plain output of
//! `pdf-extract` is measured in the same run.
#![allow(clippy::print_stderr)] // skipped checks say so, and the table is for people

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use lahar_core::TextIndex;
use lahar_documents::{Document, ReadOptions, WorkerCommand, read};

/// The comparison's figures for `pdf-extract`: sentences kept, in per cent, on the eight files of
/// its per-file table.
const REFERENCE: [(&str, f64); 8] = [
    ("usgs-collins-monitoring-shallow-landslides-sf-bay", 99.4),
    ("wagenbrenner-2017-post-fire-wind-erosion", 99.2),
    ("mlit-earthquake-disaster-management-japan", 97.3),
    (
        "usgs-ofr-2022-1075-national-strategy-landslide-loss-reduction",
        99.5,
    ),
    ("nhess-2014-forest-fire-models-evaluation", 75.1),
    ("fema-tornado-hazard-guide", 93.8),
    ("usfs-bald-mountain-fire-long-term-assessment-2012", 97.4),
    ("kokrajhar-flood-response-plan-2023", 91.2),
];

fn shared() -> PathBuf {
    std::env::var_os("LAHAR_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    )
}

fn options() -> ReadOptions {
    ReadOptions {
        worker: Some(WorkerCommand {
            program: env!("CARGO_BIN_EXE_lahar-pdf-worker").into(),
            args: Vec::new(),
        }),
        ..ReadOptions::default()
    }
}

/// Ligatures as letters; lower case.
fn folded(text: &str) -> String {
    text.replace('\u{fb00}', "ff")
        .replace('\u{fb01}', "fi")
        .replace('\u{fb02}', "fl")
        .replace('\u{fb03}', "ffi")
        .replace('\u{fb04}', "ffl")
        .to_lowercase()
}

fn letters_and_digits(text: &str) -> String {
    folded(text)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect()
}

fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in folded(text).split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() {
            *counts.entry(word.to_owned()).or_insert(0) += 1;
        }
    }
    counts
}

/// Whole sentences of a text: inside paragraphs, parted where a full stop, question or
/// exclamation mark is followed by a capital, eight words or more, ending in such a mark.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for page in text.split('\u{c}') {
        let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
        for line in page.lines() {
            if line.trim().is_empty() {
                paragraphs.push(Vec::new());
            } else if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.extend(line.split_whitespace());
            }
        }
        for words in paragraphs {
            let mut sentence: Vec<&str> = Vec::new();
            for (place, word) in words.iter().enumerate() {
                sentence.push(word);
                let ends = word.ends_with(['.', '!', '?']);
                let next = words.get(place + 1);
                if ends
                    && next.is_none_or(|next| next.starts_with(|c: char| c.is_ascii_uppercase()))
                {
                    if sentence.len() >= 8 {
                        found.push(sentence.join(" "));
                    }
                    sentence.clear();
                }
            }
        }
    }
    found
}

/// Words found and all words; sentences found and all sentences.
#[derive(Default, Clone, Copy)]
struct Score {
    words: (usize, usize),
    sentences: (usize, usize),
}

impl Score {
    fn of(yardstick: &str, text: &str) -> Score {
        let (wanted, had) = (words(yardstick), words(text));
        let run = letters_and_digits(text);
        let sentences = sentences(yardstick);
        Score {
            words: (
                wanted
                    .iter()
                    .map(|(word, &count)| count.min(had.get(word).copied().unwrap_or(0)))
                    .sum(),
                wanted.values().sum(),
            ),
            sentences: (
                sentences
                    .iter()
                    .filter(|sentence| run.contains(&letters_and_digits(sentence)))
                    .count(),
                sentences.len(),
            ),
        }
    }

    fn add(&mut self, other: Score) {
        self.words.0 += other.words.0;
        self.words.1 += other.words.1;
        self.sentences.0 += other.sentences.0;
        self.sentences.1 += other.sentences.1;
    }
}

fn percent((found, all): (usize, usize)) -> f64 {
    100.0 * found as f64 / all.max(1) as f64
}

fn pdftotext(path: &Path) -> Option<String> {
    let output = Command::new("pdftotext").arg(path).arg("-").output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What `pdf-extract` alone gives, page by page.
fn pdf_extract_alone(path: &Path) -> String {
    let document = pdf_extract::Document::load(path).expect("the corpus file opens");
    let mut text = String::new();
    for &number in document.get_pages().keys() {
        let mut page = String::new();
        let mut output = pdf_extract::PlainTextOutput::new(&mut page);
        pdf_extract::output_doc_page(&document, &mut output, number).expect("the page is read");
        text.push_str(&page);
        text.push('\u{c}');
    }
    text
}

#[test]
fn pdf_text_is_as_faithful_as_the_yardstick_asks() {
    let corpus = shared().join("corpus");
    if !corpus.is_dir() {
        eprintln!(
            "SKIPPED pdf_text_is_as_faithful_as_the_yardstick_asks: {} is not here",
            corpus.display()
        );
        return;
    }
    if Command::new("pdftotext").arg("-v").output().is_err() {
        eprintln!(
            "SKIPPED pdf_text_is_as_faithful_as_the_yardstick_asks: pdftotext is not here (Debian package poppler-utils)"
        );
        return;
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(&corpus)
        .expect("the corpus is readable")
        .map(|entry| entry.expect("the corpus is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pdf"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 21);

    let mut failures = Vec::new();
    let (mut eight, mut eight_alone) = (Score::default(), Score::default());
    let (mut all, mut all_alone) = (Score::default(), Score::default());
    let mut seconds = 0.0;
    eprintln!(
        "{:<62} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "file", "sentences", "kept %", "alone %", "words %", "alone %", "time s"
    );
    for path in &files {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let yardstick = pdftotext(path).expect("pdftotext reads the corpus");
        let begun = std::time::Instant::now();
        let document = read(path, &options()).expect("the corpus is readable");
        let time = begun.elapsed().as_secs_f64();
        seconds += time;
        let score = Score::of(&yardstick, &document.text);
        let alone = Score::of(&yardstick, &pdf_extract_alone(path));
        all.add(score);
        all_alone.add(alone);
        eprintln!(
            "{name:<62} {:>9} {:>9.1} {:>9.1} {:>9.2} {:>9.2} {time:>7.2}",
            score.sentences.1,
            percent(score.sentences),
            percent(alone.sentences),
            percent(score.words),
            percent(alone.words),
        );
        if let Some((_, reference)) = REFERENCE.iter().find(|(file, _)| *file == name) {
            eight.add(score);
            eight_alone.add(alone);
            if percent(score.sentences) < reference - 1.0 {
                failures.push(format!(
                    "{name}: {:.1} % of sentences kept, less than {reference} - 1",
                    percent(score.sentences)
                ));
            }
        }
    }
    for (name, score, alone) in [
        ("the eight", eight, eight_alone),
        ("all 21", all, all_alone),
    ] {
        eprintln!(
            "{name:<62} {:>9} {:>9.1} {:>9.1} {:>9.2} {:>9.2}",
            score.sentences.1,
            percent(score.sentences),
            percent(alone.sentences),
            percent(score.words),
            percent(alone.words),
        );
    }
    eprintln!("reading all 21 took {seconds:.2} s");
    if percent(eight.words) < 98.5 {
        failures.push(format!(
            "{:.2} % of words over the eight, less than 98.5",
            percent(eight.words)
        ));
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// White space, quote marks and case made alike; one public quote differs from its document in
/// case (geo-023).
fn alike(text: &str) -> String {
    let mut even = String::new();
    for word in text.split_whitespace() {
        if !even.is_empty() {
            even.push(' ');
        }
        even.extend(word.chars().map(|c| match c {
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '`' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201f}' => '"',
            _ => c,
        }));
    }
    even.to_lowercase()
}

#[test]
fn every_public_quote_stands_on_its_page() {
    let (corpus, questions) = (shared().join("corpus"), shared().join("qa"));
    if !corpus.is_dir() || !questions.is_dir() {
        eprintln!(
            "SKIPPED every_public_quote_stands_on_its_page: {} is not here",
            corpus.display()
        );
        return;
    }
    let mut documents: HashMap<String, Document> = HashMap::new();
    let mut missing = Vec::new();
    let (mut in_pdf, mut elsewhere) = (0, 0);
    for set in ["public_tf", "public_mc", "public_open"] {
        let lines = std::fs::read_to_string(questions.join(format!("{set}.jsonl")))
            .expect("the set is readable");
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let item: serde_json::Value =
                serde_json::from_str(line).expect("one JSON object a line");
            let (Some(name), Some(quote)) = (item["document"].as_str(), item["evidence"].as_str())
            else {
                continue;
            };
            let document = documents.entry(name.to_owned()).or_insert_with(|| {
                read(&corpus.join(name), &options()).expect("the corpus is readable")
            });
            let index = TextIndex::new(&document.text);
            let text = match item["page"].as_u64() {
                Some(number) => {
                    in_pdf += 1;
                    let page = document
                        .pages
                        .iter()
                        .find(|page| u64::from(page.number) == number);
                    page.and_then(|page| index.slice(page.range)).unwrap_or("")
                }
                None => {
                    elsewhere += 1;
                    &document.text
                }
            };
            if !alike(text).contains(&alike(quote)) {
                missing.push(format!(
                    "{} ({name}, page {}): {quote}",
                    item["id"], item["page"]
                ));
            }
        }
    }
    eprintln!("{in_pdf} quotes in PDF files on their page, {elsewhere} in other files");
    assert!(in_pdf > 0 && elsewhere > 0);
    assert!(
        missing.is_empty(),
        "{} of {} quotes are missing: {missing:#?}",
        missing.len(),
        in_pdf + elsewhere
    );
}
