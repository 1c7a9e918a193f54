//! Bylines, addresses and telephone blocks name places that a text is not about.

use lahar_core::TextIndex;

use crate::mention::{Mention, Role};

/// Marks the mentions of such lines.
pub(super) fn mark(index: &TextIndex<'_>, mentions: &mut [Mention]) {
    for mention in mentions
        .iter_mut()
        .filter(|mention| mention.role != Role::Event)
    {
        let (start, end) = (
            index.byte(mention.range.start),
            index.byte(mention.range.end),
        );
        let text = index.text();
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        let before = &text[line_start..start];
        let behind = &text[end..line_end];
        if post_code(behind)
            || street_number(before)
            || byline(before, text, line_start, line_end)
            || contact(before, behind)
        {
            mention.role = Role::Aside;
        }
    }
}

/// `, OR 97204` or ` 97204-1234` right behind the name.
fn post_code(behind: &str) -> bool {
    let rest = behind.trim_start_matches([',', ' ', '.']);
    let rest = match rest.split_once(' ') {
        Some((state, after))
            if state.trim_end_matches(['.', ',']).len() <= 5
                && state.chars().next().is_some_and(char::is_uppercase) =>
        {
            after.trim_start()
        }
        _ => rest,
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits == 5 && !rest[5..].starts_with([',', '.'])
        || digits == 5
            && !rest[5..]
                .trim_start_matches([',', '.'])
                .starts_with(|c: char| c.is_ascii_digit())
            && rest.len() <= 7
}

/// `1200 E. Broad St., ` before the name on the same line.
fn street_number(before: &str) -> bool {
    let part = before.rsplit(['\n', ';', ':']).next().unwrap_or(before);
    let Some(comma) = part.trim_end().strip_suffix(',') else {
        return false;
    };
    let words: Vec<&str> = comma.split_whitespace().collect();
    let street = words
        .last()
        .map(|word| word.trim_end_matches('.').to_lowercase());
    let is_street =
        street.is_some_and(|word| {
            matches!(
                word.as_str(),
                "st" | "street"
                    | "ave"
                    | "avenue"
                    | "rd"
                    | "road"
                    | "blvd"
                    | "boulevard"
                    | "dr"
                    | "drive"
                    | "ln"
                    | "lane"
                    | "hwy"
                    | "highway"
                    | "suite"
                    | "way"
                    | "parkway"
            )
        }) || words.iter().rev().nth(1).is_some_and(|word| {
            word.eq_ignore_ascii_case("suite") || word.eq_ignore_ascii_case("box")
        });
    is_street
        && words.iter().rev().take(7).any(|word| {
            word.chars().all(|c| c.is_ascii_digit() || c == '-') || word.eq_ignore_ascii_case("box")
        })
}

/// A short line that begins with `By`.
fn byline(before: &str, text: &str, line_start: usize, line_end: usize) -> bool {
    let line = text[line_start..line_end].trim();
    line.len() < 90
        && (before.trim_start().starts_with("By ") || before.trim_start().starts_with("BY "))
        && !line.ends_with('.')
}

/// Telephone, fax or electronic mail on the same line.
fn contact(before: &str, behind: &str) -> bool {
    if before.len() + behind.len() > 160 {
        return false;
    }
    let line = format!("{before} {behind}");
    let lower = line.to_lowercase();
    lower.contains("tel:")
        || lower.contains("phone:")
        || lower.contains("fax:")
        || lower.contains("p.o. box")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_sentences() {
        assert!(post_code(", OR 97204"));
        assert!(post_code(" 97204-1234"));
        assert!(!post_code(" burned 15,000 acres"));
        assert!(!post_code(", where 12000 people live"));
        assert!(street_number("Contact us at 1200 E. Broad St., "));
        assert!(!street_number(
            "In 2018 the fire burned west of Main Street, "
        ));
    }
}
