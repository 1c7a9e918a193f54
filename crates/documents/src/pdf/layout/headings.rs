//! Headings: blocks of few words in a larger size, with a number, or in capitals.

use super::{Draft, Kind, Usual, ends_sentence, half_points};
use crate::plain::numbered_level;

/// A heading is at least this much larger than the text.
pub(super) const LARGER: f64 = 1.1;

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
    for page in pages {
        for place in 0..page.len() {
            if let Some(level) = level(page, place, &sizes, usual) {
                page[place].kind = Kind::Heading(level);
            }
        }
    }
}

/// The level of the heading that a block is; `None` for all others.
fn level(page: &[Draft<'_>], place: usize, sizes: &[i64], usual: &Usual) -> Option<u8> {
    let draft = &page[place];
    let next = page.get(place + 1);
    let goes_on = next.is_some_and(|next| {
        next.kind == Kind::Paragraph && text_of(next).starts_with(char::is_lowercase)
    });
    if !matches!(draft.kind, Kind::Paragraph | Kind::ListItem)
        || !reads_like_heading(draft)
        || goes_on
    {
        return None;
    }
    if is_larger(draft, usual) {
        let rank = sizes.iter().position(|&size| size == size_of(draft))?;
        return Some((rank as u8 + 1).min(4));
    }
    // Headings in the size of the text stand below those in a larger one.
    let deepest = sizes.len().min(4) as u8;
    let text = text_of(draft);
    let size = draft.lines.first().map_or(0.0, |(_, line)| line.size);
    let is_single = draft.lines.len() == 1;
    if is_single && names_part(&text) && size > 0.75 * usual.size {
        return Some((deepest + 1).min(6));
    }
    if draft.lines.len() > 2 || size < 0.9 * usual.size {
        return None;
    }
    let title = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    if let Some(level) = numbered_level(&text)
        && title.len() < text.len()
        && title.starts_with(char::is_uppercase)
        // "3.2" numbers sections only; "3" and "3." number list items and table rows as well.
        && (level > 1 || is_single && !in_list(page, place) && (is_title(title) || is_capitals(title)))
    {
        return Some((deepest + level).min(6));
    }
    let heads = |next: &Draft<'_>| {
        matches!(next.kind, Kind::Paragraph | Kind::ListItem) && !is_capitals(&text_of(next))
    };
    let is_heading = is_single
        && next.is_some_and(heads)
        && (is_capitals(&text) || is_title(&text) && next.is_some_and(is_running_text));
    is_heading.then_some((deepest + 1).min(6))
}

/// Whether a block is text that a heading may stand above: more than a line, a sentence.
fn is_running_text(draft: &Draft<'_>) -> bool {
    let text = text_of(draft);
    draft.kind == Kind::Paragraph
        && text.len() >= 80
        && text.starts_with(char::is_uppercase)
        && text.contains(['.', ':'])
}

/// Whether a short line is written as titles are: its longer words with capitals.
fn is_title(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().copied().unwrap_or("").trim_end_matches('.');
    let is_caption = [
        "Fig", "Figure", "Table", "Photo", "Chart", "Map", "Plate", "Box", "Source",
    ]
    .contains(&first);
    let long: Vec<&&str> = words.iter().filter(|word| word.len() > 3).collect();
    let capitals = long
        .iter()
        .filter(|word| word.starts_with(char::is_uppercase))
        .count();
    (1..=10).contains(&words.len())
        && !is_caption
        && !long.is_empty()
        && capitals * 10 >= long.len() * 7
        && first.starts_with(char::is_uppercase)
        && !text.contains(['|', '@', ';', '='])
        && text.chars().filter(char::is_ascii_digit).count() < 5
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
pub(in crate::pdf) fn names_part(text: &str) -> bool {
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
