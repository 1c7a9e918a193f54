//! Parts that name subjects without saying anything about them: contents, references,
//! acknowledgements. They are found by their headings and, where headings are only guessed from
//! the look of a line, by their content too.

use lahar_core::TextIndex;

use crate::builder::Builder;
use crate::document::BlockKind;

/// How far the headings of a document can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Headings are marked up: what stands below one belongs to it.
    Headings,
    /// Headings are guesses: a block belongs to one only while it looks the part.
    Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Contents,
    References,
    Acknowledgements,
}

impl Role {
    fn kind(self) -> BlockKind {
        match self {
            Role::Contents => BlockKind::Contents,
            Role::References => BlockKind::References,
            Role::Acknowledgements => BlockKind::Acknowledgements,
        }
    }

    /// The role that a heading gives to what stands below it.
    fn of_heading(text: &str) -> Option<Role> {
        let folded: String = text
            .chars()
            .filter(|c| c.is_alphabetic() || c.is_whitespace())
            .collect::<String>()
            .to_lowercase();
        let words: Vec<&str> = folded.split_whitespace().collect();
        match words.as_slice() {
            ["contents"]
            | ["table", "of", "contents"]
            | [
                "list",
                "of",
                "figures" | "tables" | "acronyms" | "maps" | "appendices",
            ]
            | ["figures"]
            | ["tables"] => Some(Role::Contents),
            ["references"]
            | ["references", "cited"]
            | ["selected", "references"]
            | ["bibliography"]
            | ["literature", "cited"]
            | ["works", "cited"]
            | ["literature"]
            | ["sources"]
            | ["sources", "cited"]
            | ["references", "for" | "to", ..] => Some(Role::References),
            ["acknowledgments" | "acknowledgements" | "acknowledgment" | "acknowledgement"] => {
                Some(Role::Acknowledgements)
            }
            _ => None,
        }
    }
}

/// Marks the blocks of these parts, their headings included.
pub(crate) fn mark(builder: &mut Builder, trust: Trust) {
    let index = TextIndex::new(&builder.text);
    let mut current: Option<(Role, u8)> = None;
    let mut strangers = 0;
    let mut given = 0;
    for block in &mut builder.blocks {
        let text = index.slice(block.range).unwrap_or_default();
        if let BlockKind::Heading { level } = block.kind {
            if let Some(role) = Role::of_heading(text) {
                current = Some((role, level));
                strangers = 0;
                given = 0;
                block.kind = role.kind();
                continue;
            }
            match current {
                // A guessed heading inside a list of contents is one of its entries.
                Some((Role::Contents, _)) if trust == Trust::Content && is_entry(text) => {}
                Some((_, above)) if level > above && trust == Trust::Headings => {}
                _ => current = None,
            }
        }
        if block.kind == BlockKind::RunningHead {
            continue;
        }
        let role = match current {
            Some((role, _)) if trust == Trust::Headings => Some(role),
            Some((role, _)) if looks_like(role, text, given) => {
                strangers = 0;
                given += 1;
                Some(role)
            }
            Some((Role::Acknowledgements, _)) | None => {
                current = None;
                None
            }
            Some((role, _)) => {
                strangers += 1;
                if strangers > 2 {
                    current = None;
                }
                (strangers <= 2 && role == Role::References && text.len() < 200).then_some(role)
            }
        };
        let role = role.or_else(|| {
            (trust == Trust::Content)
                .then(|| unheaded_role(text))
                .flatten()
        });
        if let Some(role) = role
            && (trust == Trust::Headings
                || !matches!(block.kind, BlockKind::Table(_))
                || role == Role::Contents)
        {
            block.kind = role.kind();
        }
    }
}

/// Roles that a block shows without a heading.
fn unheaded_role(text: &str) -> Option<Role> {
    let lines = text.lines().count();
    let entries = text.lines().filter(|line| is_leader(line)).count();
    if entries > 0 && entries * 2 >= lines {
        return Some(Role::Contents);
    }
    let first = text.split([' ', '.', ':', '\u{2013}', '\u{2014}']).next()?;
    let after = text[first.len()..].trim_start();
    (Role::of_heading(first) == Some(Role::Acknowledgements)
        && (after.starts_with(['.', ':', '\u{2013}', '\u{2014}'])))
    .then_some(Role::Acknowledgements)
}

fn looks_like(role: Role, text: &str, given: usize) -> bool {
    match role {
        Role::Contents => is_entry(text) || text.lines().any(is_leader),
        Role::References => is_reference(text),
        Role::Acknowledgements => given < 3,
    }
}

/// Whether a line leads by dots to a page number.
fn is_leader(line: &str) -> bool {
    let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let number = squeezed.trim_end_matches(|c: char| c.is_ascii_digit() || "ivxlc-".contains(c));
    number.len() < squeezed.len() && number.ends_with("....")
}

/// Whether a line is short and ends in a page number.
fn is_entry(text: &str) -> bool {
    text.lines().all(|line| {
        is_leader(line)
            || line.len() < 120
                && line
                    .split_whitespace()
                    .last()
                    .is_some_and(|word| word.len() < 5 && word.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// Whether a paragraph reads like an entry of a reference list: a year, and initials, a volume
/// with pages, or an address.
fn is_reference(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has_year = words.iter().any(|word| {
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        digits.len() == 4
            && (digits.starts_with("19") || digits.starts_with("20") || digits.starts_with("18"))
    });
    let initials = words
        .iter()
        .filter(|word| {
            let word = word.trim_end_matches([',', ';', ':']);
            word.ends_with('.')
                && word.len() <= 8
                && word.split(['.', '-']).all(|part| {
                    part.is_empty()
                        || part.chars().count() == 1 && part.chars().all(char::is_uppercase)
                })
        })
        .count();
    let numbered = text.starts_with('[') || text.starts_with(|c: char| c.is_ascii_digit());
    let mark = [
        "doi", "http", "pp.", "Vol.", " p.", "Journal", "Univ", "eds.",
    ]
    .iter()
    .any(|mark| text.contains(mark));
    (has_year || numbered) && (initials > 0 || mark)
}
