//! Headings: blocks of few words in a larger size, with a number, or in capitals.

use super::{Draft, Kind, Usual, ends_sentence, half_points};
use crate::plain::numbered_level;

/// A heading is at least this much larger than the text.
const LARGER: f64 = 1.1;

/// More words than this are no heading, whatever their size.
const MOST_WORDS: usize = 24;

/// Marks the headings among paragraphs and list items, with levels by size.
pub(super) fn mark(pages: &mut [Vec<Draft<'_>>], usual: &Usual) {
    let mut sizes: Vec<i64> = pages
        .iter()
        .flatten()
        .filter(|draft| is_larger(draft, usual) && reads_like_heading(draft))
        .map(size_of)
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.reverse();
    let deepest = sizes.len().min(4) as u8;
    for page in pages {
        for place in 0..page.len() {
            let draft = &page[place];
            if !matches!(draft.kind, Kind::Paragraph | Kind::ListItem) || !reads_like_heading(draft)
            {
                continue;
            }
            let text = text_of(draft);
            let level = if is_larger(draft, usual) {
                let rank = sizes
                    .iter()
                    .position(|&size| size == size_of(draft))
                    .unwrap_or(0);
                Some((rank as u8 + 1).min(4))
            } else if draft.lines.len() <= 2 && draft.lines[0].1.size > 0.9 * usual.size {
                let title =
                    text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
                let is_single = draft.lines.len() == 1;
                // "3.2" numbers sections only; "3." numbers list items as well.
                let numbered = numbered_level(&text).filter(|&level| {
                    title.len() < text.len()
                        && title.starts_with(char::is_uppercase)
                        && (level > 1 || is_single && !in_list(page, place))
                });
                let capitals = is_single && is_capitals(&text);
                let followed = page.get(place + 1).is_some_and(|next| {
                    matches!(next.kind, Kind::Paragraph | Kind::ListItem)
                        && !is_capitals(&text_of(next))
                });
                match numbered {
                    Some(level) => Some((deepest + level).min(6)),
                    None if capitals && followed => Some((deepest + 1).min(6)),
                    None if is_single && names_part(&text) => Some((deepest + 1).min(6)),
                    None => None,
                }
            } else {
                None
            };
            if let Some(level) = level {
                page[place].kind = Kind::Heading(level);
            }
        }
    }
}

/// Whether a numbered line stands among other items of a list.
fn in_list(page: &[Draft<'_>], place: usize) -> bool {
    let is_item = |place: Option<usize>| {
        place
            .and_then(|place| page.get(place))
            .is_some_and(|draft| draft.kind == Kind::ListItem)
    };
    is_item(place.checked_sub(1)) || is_item(Some(place + 1))
}

/// Whether a line is a list of authors: initials, twice or more.
fn names_people(text: &str) -> bool {
    let initials = text.split_whitespace().filter(|word| {
        word.ends_with('.')
            && word
                .trim_end_matches('.')
                .split(['.', '-'])
                .all(|part| part.chars().count() == 1 && part.chars().all(char::is_uppercase))
    });
    initials.count() > 1
}

fn size_of(draft: &Draft<'_>) -> i64 {
    draft
        .lines
        .first()
        .map_or(0, |(_, line)| half_points(line.size))
}

fn text_of(draft: &Draft<'_>) -> String {
    let lines: Vec<String> = draft.lines.iter().map(|(_, line)| line.text()).collect();
    lines.join(" ")
}

fn is_larger(draft: &Draft<'_>, usual: &Usual) -> bool {
    matches!(draft.kind, Kind::Paragraph | Kind::ListItem)
        && draft
            .lines
            .first()
            .is_some_and(|(_, line)| line.size >= LARGER * usual.size)
}

fn reads_like_heading(draft: &Draft<'_>) -> bool {
    if draft.lines.len() > 4 || draft.lines.iter().any(|(_, line)| line.turn != 0) {
        return false;
    }
    let text = text_of(draft);
    let words = text.split_whitespace().count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let visible = text.chars().filter(|c| !c.is_whitespace()).count();
    let last = text.trim_end();
    words <= MOST_WORDS
        && letters >= 3
        && letters * 2 > visible
        && (!ends_sentence(last) || last.ends_with('?'))
        && !names_people(&text)
        && !last.ends_with([',', '-'])
}

/// Whether a line is in capitals and says something.
fn is_capitals(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let lower = text.chars().filter(|c| c.is_lowercase()).count();
    letters >= 4 && lower == 0
}

/// Headings that documents set in the size of their text.
fn names_part(text: &str) -> bool {
    let folded = text.trim().trim_end_matches(':').to_lowercase();
    matches!(
        folded.as_str(),
        "abstract"
            | "summary"
            | "introduction"
            | "background"
            | "methods"
            | "results"
            | "discussion"
            | "conclusion"
            | "conclusions"
            | "references"
            | "references cited"
            | "acknowledgments"
            | "acknowledgements"
            | "contents"
            | "table of contents"
            | "list of figures"
            | "list of tables"
            | "appendix"
            | "literature cited"
            | "bibliography"
            | "executive summary"
    )
}
