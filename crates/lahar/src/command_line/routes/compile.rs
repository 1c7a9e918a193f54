//! `lahar routes compile` and `lahar routes review`: conditions out of the user's library, and a
//! person's word on them.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lahar_answers::units::units;
use lahar_core::capability::Strictness;
use lahar_core::{CharRange, EvidenceSpan, PageRange, TextIndex};
use lahar_library::{Library, SearchRequest, one_line};
use lahar_places::Gazetteer;
use lahar_routes::Card;
use lahar_routes::card::shipped;
use lahar_routes::compile::supplement::{Review, Supplement};
use lahar_routes::compile::{self, Against, Compilation, Sentence, Stage};
use lahar_routes::verdict::Quote;

use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Workplace;

/// Chunks that are read for each question about a family.
const CHUNKS: usize = 20;

#[derive(Debug, Args)]
pub(super) struct Compile {
    /// The route's id.
    route: String,
    /// Read every sentence of the library, and not only those that retrieval brings up.
    #[arg(long)]
    everything: bool,
    /// Write what was found to a file, for review.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file, reviews included.
    #[arg(long)]
    force: bool,
    /// Show mere candidates too.
    #[arg(long)]
    candidates: bool,
    /// Let the configured chat model name candidates as well; its quotes must stand in the library.
    #[arg(long)]
    chat: bool,
}

impl Compile {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let card = shipped::find(&self.route)?;
        if let Some(out) = self.out.as_ref().filter(|out| out.exists() && !self.force) {
            return Err(Failure::new(Kind::Usage, "the file exists already")
                .at(out.display())
                .hint("choose another name, or replace it and the reviews in it with --force"));
        }
        // A model that is not there is missed before the library is searched.
        let chat = match self.chat {
            true => Some(workplace.chat()?),
            false => None,
        };
        let sentences = sentences(workplace, output, card, self.everything)?;
        let mut compilation = compile::compile(card, &sentences, Gazetteer::embedded());
        if let Some(model) = &chat {
            let asked = compile::proposed::add(&mut compilation, card, &sentences, model);
            if let Err(error) = asked {
                output.note(&format!(
                    "note: the chat model named nothing ({error}); what the rules found stands"
                ));
            }
        }
        let supplement = Supplement::of(&compilation, card);
        if let Some(out) = &self.out {
            write(out, &supplement.written())?;
        }
        let ids: Vec<&str> = supplement
            .entries
            .iter()
            .map(|entry| entry.condition.id.as_str())
            .collect();
        let value = serde_json::json!({
            "compilation": compilation, "ids": ids, "out": self.out,
        });
        output.result(&value, || {
            let mut text = for_people(&compilation, &ids, self.candidates);
            if let Some(out) = &self.out {
                text.push_str(&format!(
                    "written to {}; accept one with: lahar routes review {} ID --as strict --by NAME\n",
                    out.display(),
                    out.display()
                ));
            }
            text
        });
        Ok(Done::Well)
    }
}

/// What a person says of a compiled condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Verdict {
    /// Accepted: where it is violated or undetermined, the route is out.
    Strict,
    /// Accepted: where it is violated, the route is out unless somebody sets it aside.
    Advisory,
    /// Refused.
    Rejected,
}

#[derive(Debug, Args)]
pub(super) struct ReviewOne {
    /// A file that `lahar routes compile --out` wrote.
    file: PathBuf,
    /// The condition's id.
    condition: String,
    /// What is decided.
    #[arg(long = "as", value_enum, value_name = "VERDICT")]
    verdict: Verdict,
    /// Who reviews.
    #[arg(long, value_name = "NAME")]
    by: String,
    /// Why.
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

impl ReviewOne {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        if self.by.trim().is_empty() {
            return Err(Failure::new(Kind::Usage, "nobody is named as the reviewer")
                .hint("give a name: --by \"A. Geologist\""));
        }
        let mut supplement = Supplement::load(&self.file)?;
        let review = match self.verdict {
            Verdict::Strict => Review::Accept(Strictness::Strict),
            Verdict::Advisory => Review::Accept(Strictness::Advisory),
            Verdict::Rejected => Review::Reject,
        };
        supplement.review(&self.condition, review, &self.by, self.because.as_deref())?;
        write(&self.file, &supplement.written())?;
        let accepted = supplement.accepted().count();
        let value = serde_json::json!({
            "route": supplement.route, "condition": self.condition, "accepted": accepted,
        });
        output.result(&value, || {
            format!(
                "{}: {accepted} of {} compiled conditions are accepted; use them with \
                 `lahar routes check TASK.toml --with {}` and `lahar analyse`",
                supplement.route,
                supplement.entries.len(),
                self.file.display()
            )
        });
        Ok(Done::Well)
    }
}

/// Files of compiled conditions.
pub(crate) fn supplements(files: &[PathBuf]) -> Result<Vec<Supplement>, Failure> {
    let loaded = files.iter().map(|file| Supplement::load(file));
    Ok(loaded.collect::<Result<_, _>>()?)
}

/// The sentences of the library that may state conditions of a family.
fn sentences(
    workplace: &Workplace,
    output: Output,
    card: &Card,
    everything: bool,
) -> Result<Vec<Sentence>, Failure> {
    if everything {
        let library = workplace.open_for_reading()?;
        let mut found = Vec::new();
        for document in library.documents()? {
            let all = CharRange::new(0, usize::MAX);
            read(
                &library,
                document.id,
                &[all],
                &mut BTreeSet::new(),
                &mut found,
            )?;
        }
        return Ok(found);
    }
    let questioned = workplace.open_for_questions(output)?;
    let library = &questioned.library;
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for question in compile::questions(card) {
        let request = SearchRequest {
            limit: CHUNKS,
            ..SearchRequest::new(question)
        };
        let hits = library.retrieve(
            &request,
            questioned.embedder.as_deref(),
            questioned.reranker.reranking(),
        )?;
        for hit in hits {
            read(
                library,
                hit.document,
                &hit.chunk.spans,
                &mut seen,
                &mut found,
            )?;
        }
    }
    Ok(found)
}

/// The sentences of a document that some spans touch, each once.
fn read(
    library: &Library,
    id: lahar_core::DocumentId,
    spans: &[CharRange],
    seen: &mut BTreeSet<(lahar_core::DocumentId, usize)>,
    found: &mut Vec<Sentence>,
) -> Result<(), Failure> {
    let document = library.read(id)?;
    let stored = library.get(id)?;
    let title = stored.as_ref().map(|stored| stored.title.clone());
    let year = stored
        .and_then(|stored| stored.date)
        .map_or(0, |date| date.year());
    let index = TextIndex::new(&document.text);
    for unit in units(&index, &document.blocks, spans) {
        if !seen.insert((id, unit.range.start)) {
            continue;
        }
        let on = |page: &&lahar_documents::Page| page.range.overlaps(unit.range);
        let pages = document.pages.iter().find(on).map(|first| PageRange {
            first: first.number,
            last: document
                .pages
                .iter()
                .rev()
                .find(on)
                .map_or(first.number, |last| last.number),
        });
        let Ok(span) = EvidenceSpan::cut(id, &index, unit.range, pages) else {
            continue;
        };
        found.push(Sentence {
            quote: Quote {
                title: title.clone().unwrap_or_default(),
                span,
            },
            section: unit.section,
            year,
        });
    }
    Ok(())
}

fn for_people(compilation: &Compilation, ids: &[&str], candidates: bool) -> String {
    let count = |stage: Stage| {
        compilation
            .findings
            .iter()
            .filter(|f| f.stage == stage)
            .count()
    };
    let mut text = format!(
        "{}: {} sentences read; {} canonical, {} grounded, {} candidates\n",
        compilation.route,
        compilation.sentences,
        count(Stage::Canonical),
        count(Stage::Grounded),
        count(Stage::Candidate),
    );
    for refused in &compilation.refused {
        text.push_str(&format!(
            "refused, for it does not stand in the library: \"{}\"\n",
            one_line(refused)
        ));
    }
    for (finding, id) in compilation.findings.iter().zip(ids) {
        if finding.stage == Stage::Candidate && !candidates {
            continue;
        }
        let against = match &finding.against {
            Against::New => "not in the card".to_owned(),
            Against::Same { condition } => format!("as `{condition}` of the card"),
            Against::Differs { condition } => format!("DIFFERS from `{condition}` of the card"),
        };
        text.push_str(&format!(
            "\n{id}  [{}, {}]  {against}\n",
            finding.stage,
            serde_json::to_value(finding.role)
                .ok()
                .and_then(|role| role.as_str().map(|role| role.replace('_', " ")))
                .unwrap_or_default(),
        ));
        if let Some(statement) = &finding.statement {
            text.push_str(&format!("  {statement}\n"));
        }
        if let Some(group) = &finding.group {
            text.push_str(&format!(
                "  {group}: several limits; between them nothing is determined\n"
            ));
        }
        for quote in &finding.evidence {
            let page = quote
                .span
                .pages()
                .map_or(String::new(), |pages| format!(", page {}", pages.first));
            text.push_str(&format!(
                "  \"{}\" ({}{page})\n",
                one_line(quote.span.quote()),
                quote.title
            ));
        }
    }
    text
}

/// Writes a file beside its place and renames it, so that it is whole or not there.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = folder.join(format!(".{name}.part-{}", std::process::id()));
    let written = (|| {
        let mut file = std::fs::File::create(&part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    })();
    written.map_err(|error: std::io::Error| {
        let _ = std::fs::remove_file(&part);
        Failure::new(Kind::File, format!("the file cannot be written: {error}"))
            .at(path.display())
            .hint("free some space, or choose another folder")
    })
}
