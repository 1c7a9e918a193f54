//! Sentences of a paragraph, and why one makes no question.

use serde::Serialize;

/// Why a sentence makes no question: the Invalid filter of MoRA-RAG's appendix A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unusable {
    /// Too short or too long to be one statement.
    Length,
    /// No whole statement: no capital, no full stop, no verb, an open bracket.
    NoStatement,
    /// It leans on the sentence before it, or speaks to its reader.
    Contextless,
    /// It speaks of a figure, a table, a link or a reference.
    FigureOrReference,
    /// Nothing in it falls into a category.
    Vague,
    /// It stands elsewhere in the library already.
    Repeated,
}

const WORDS: std::ops::RangeInclusive<usize> = 8..=38;

const ABBREVIATED: &[&str] = &[
    "dr", "mr", "mrs", "ms", "st", "no", "fig", "figs", "vs", "e.g", "i.e", "etc", "approx", "al",
    "inc", "u.s", "a.m", "p.m", "mt", "ft", "sec", "dept", "jr", "gov", "col", "gen", "vol", "ed",
];

/// Words at the front that point to what was said before.
const LEANING: &[&str] = &[
    "it",
    "this",
    "that",
    "these",
    "those",
    "they",
    "he",
    "she",
    "such",
    "however",
    "but",
    "and",
    "also",
    "so",
    "therefore",
    "thus",
    "then",
    "both",
    "here",
    "instead",
    "moreover",
    "or",
    "its",
    "furthermore",
    "additionally",
    "similarly",
    "likewise",
    "consequently",
    "there",
    "their",
    "nevertheless",
    "otherwise",
    "another",
    "his",
    "her",
    "yet",
    "in this",
    "at this",
    "for example",
];

const TO_THE_READER: &[&str] = &[
    "i", "we", "you", "our", "your", "my", "us", "me", "click", "visit", "please",
];

const POINTING: &[&str] = &[
    "figure",
    "fig",
    "figs",
    "table",
    "figures",
    "tables",
    "appendix",
    "http",
    "www",
    "doi",
    "et al",
    "photo",
    "photograph",
    "section",
    "chapter",
    "page",
    "see",
    "above",
    "below",
    "equation",
    "download",
    "slide",
    "unit",
    "lesson",
    "shown",
    "attached",
    "copyright",
];

/// Words that show a finite verb.
pub(super) const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "can", "could", "may", "might", "will",
    "would", "should", "must",
];

/// Sentences with single blanks between their words.
pub(super) fn sentences(paragraph: &str) -> Vec<String> {
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let mut sentences = Vec::new();
    let mut begun = 0;
    for (at, word) in words.iter().enumerate() {
        let next = words
            .get(at + 1)
            .and_then(|next| next.chars().find(|c| c.is_alphanumeric()));
        let bare = word.trim_end_matches(['"', '\u{201d}', ')', '\'', '\u{2019}']);
        let stem = bare.trim_end_matches(['.', '!', '?']);
        let short = stem.trim_start_matches(['(', '"']).to_lowercase();
        let abbreviated = ABBREVIATED.contains(&short.as_str())
            || (stem.chars().count() == 1 && stem.chars().all(char::is_uppercase));
        let ends = stem.len() < bare.len()
            && !abbreviated
            && next.is_none_or(|c| c.is_uppercase() || c.is_ascii_digit());
        if ends || at + 1 == words.len() {
            sentences.push(words[begun..=at].join(" "));
            begun = at + 1;
        }
    }
    sentences
}

/// Whether a sentence can make a question.
pub(super) fn check(sentence: &str) -> Result<(), Unusable> {
    let words: Vec<String> = sentence.split_whitespace().map(bare).collect();
    if !WORDS.contains(&words.len()) {
        return Err(Unusable::Length);
    }
    let letters = sentence.chars().filter(|c| c.is_alphabetic()).count();
    let small = sentence.chars().filter(|c| c.is_lowercase()).count();
    let all = sentence.chars().filter(|c| !c.is_whitespace()).count();
    let whole = sentence.starts_with(|c: char| c.is_uppercase())
        && sentence.ends_with('.')
        && !sentence.ends_with("..")
        && 10 * letters > 7 * all
        && 10 * small > 7 * letters
        && sentence.matches('(').count() == sentence.matches(')').count()
        && !sentence.contains([
            '\u{fffd}', '\u{2022}', '"', '\u{201c}', ':', '|', '*', '[', '_',
        ])
        && words.iter().any(|word| {
            AUXILIARIES.contains(&word.as_str()) || (word.len() > 4 && word.ends_with("ed"))
        });
    if !whole {
        return Err(Unusable::NoStatement);
    }
    let pair = format!("{} {}", words[0], words[1]);
    let leans = LEANING.contains(&words[0].as_str()) || LEANING.contains(&pair.as_str());
    if leans
        || words
            .iter()
            .any(|word| TO_THE_READER.contains(&word.as_str()))
    {
        return Err(Unusable::Contextless);
    }
    let cites = sentence.split(['(', ')']).skip(1).step_by(2).any(|inside| {
        let year = inside
            .rsplit([' ', ','])
            .next()
            .unwrap_or_default()
            .trim_end_matches(['a', 'b']);
        year.len() == 4 && year.chars().all(|c| c.is_ascii_digit())
    });
    if cites {
        return Err(Unusable::FigureOrReference);
    }
    let flat = format!(" {} ", words.join(" "));
    if POINTING
        .iter()
        .any(|point| flat.contains(&format!(" {point} ")))
        || flat.contains("www")
    {
        return Err(Unusable::FigureOrReference);
    }
    Ok(())
}

/// A word without the marks around it, small.
pub(super) fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}
