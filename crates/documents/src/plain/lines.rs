//! Lines of a text, and when two of them are one sentence.

/// One line without its trailing white space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub whole: &'a str,
    pub indent: usize,
}

/// What a line is by its first characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape<'a> {
    Text,
    /// Begins with this marker.
    Bullet(&'a str),
    /// A separator: `&&`, `$$`, a row of hyphens.
    Rule,
}

impl<'a> Line<'a> {
    pub fn new(line: &'a str) -> Line<'a> {
        let whole = line.trim_end();
        let indent = whole.chars().take_while(|c| c.is_whitespace()).count();
        Line { whole, indent }
    }

    pub fn text(&self) -> &'a str {
        self.whole.trim_start()
    }

    pub fn is_blank(&self) -> bool {
        self.text().is_empty()
    }

    pub fn width(&self) -> usize {
        self.whole.chars().count()
    }

    pub fn shape(&self) -> Shape<'a> {
        let text = self.text();
        if matches!(text, "&&" | "$$") || is_row_of(text, "-=_*~#", 3) {
            return Shape::Rule;
        }
        bullet(text).map_or(Shape::Text, Shape::Bullet)
    }

    /// Whether the line underlines the one before it.
    pub fn is_underline(&self) -> bool {
        is_row_of(self.text(), "-=", 3)
    }
}

fn is_row_of(text: &str, marks: &str, least: usize) -> bool {
    text.len() >= least
        && text.chars().next().is_some_and(|first| {
            marks.contains(first) && text.chars().all(|c| c == first || c == ' ')
        })
}

/// The marker that a list item begins with, with the space behind it.
pub(crate) fn bullet(text: &str) -> Option<&str> {
    let mut chars = text.char_indices();
    let (_, first) = chars.next()?;
    let end = match first {
        '*' | '-' | '+' | '\u{2013}' | '\u{2022}' | '\u{25aa}' | '\u{25cf}' | '\u{25cb}'
        | '\u{25e6}' | '\u{2023}' | '\u{2043}' | '\u{25a0}' | '\u{2794}' | '\u{27a2}'
        | '\u{2713}' | '\u{2714}' | '\u{b7}' | '\u{f0b7}' | '\u{f0a7}' | '\u{f0d8}' => {
            first.len_utf8()
        }
        'o' => 1,
        '(' => {
            let close = text.find(')')?;
            let inside = &text[1..close];
            let is_short = inside.len() <= 3 && !inside.is_empty();
            if !is_short || !inside.chars().all(|c| c.is_ascii_alphanumeric()) {
                return None;
            }
            close + 1
        }
        _ if first.is_ascii_alphanumeric() => {
            let close = text.find(['.', ')'])?;
            let inside = &text[..close];
            let is_number = inside.len() <= 2 && inside.bytes().all(|b| b.is_ascii_digit());
            let is_letter = inside.len() == 1 && text.as_bytes()[close] == b')';
            if !is_number && !is_letter {
                return None;
            }
            close + 1
        }
        _ => return None,
    };
    let after = &text[end..];
    let spaces = after.len() - after.trim_start().len();
    let strong = matches!(
        first,
        '\u{2022}' | '\u{25aa}' | '\u{25cf}' | '\u{f0b7}' | '\u{f0a7}'
    );
    (!after.trim_start().is_empty() && (spaces > 0 || strong)).then(|| &text[..end + spaces])
}

/// How a text is wrapped.
#[derive(Debug)]
pub(super) struct Wrap {
    /// Width to which lines are filled; `None` when each line is a paragraph of its own.
    width: Option<usize>,
    /// Whether lower-case letters are in use at all.
    has_lower_case: bool,
}

/// Lines are filled at best to this; a longer line is a paragraph that was never wrapped.
const WIDEST: usize = 130;

/// Words that end a line early by less than this still leave it full: bulletins are wrapped by
/// hand and by program in turn.
const TOLERANCE: usize = 6;

impl Wrap {
    pub fn of(lines: &[Line<'_>]) -> Wrap {
        let mut widths: Vec<usize> = lines
            .iter()
            .map(Line::width)
            .filter(|&width| width > 0)
            .collect();
        widths.sort_unstable();
        let long = widths.iter().filter(|&&width| width > WIDEST).count();
        let width = if long * 5 > widths.len() {
            None
        } else {
            let wrapped = &widths[..widths.len() - long];
            wrapped
                .get(wrapped.len().saturating_sub(1) * 95 / 100)
                .copied()
        };
        let (lower, upper) = lines.iter().flat_map(|line| line.whole.chars()).fold(
            (0usize, 0usize),
            |(lower, upper), c| {
                (
                    lower + usize::from(c.is_lowercase()),
                    upper + usize::from(c.is_uppercase()),
                )
            },
        );
        Wrap {
            width,
            has_lower_case: lower * 4 > upper,
        }
    }

    /// Whether the second line goes on with the sentence of the first.
    fn continues(&self, first: &Line<'_>, second: &Line<'_>) -> bool {
        let Some(width) = self.width else {
            return false;
        };
        let word = second.text().split_whitespace().next().unwrap_or("");
        if first.width() + 1 + word.chars().count() + TOLERANCE > width {
            return true;
        }
        let ends = first.text().ends_with(['.', ':', ';', '!', '?']);
        self.has_lower_case && !ends && word.starts_with(char::is_lowercase)
    }

    /// Whether the second line begins another paragraph though no blank line parts them: a
    /// first-line indent, or any line of a text that was never wrapped.
    pub fn begins_anew(&self, first: &Line<'_>, second: &Line<'_>) -> bool {
        match self.width {
            None => true,
            Some(_) => second.indent > first.indent + 2 && second.text().starts_with("..."),
        }
    }

    /// The lines of one paragraph as one run of text. Lines that do not continue each other stay
    /// on lines of their own.
    pub fn join(&self, lines: &[Line<'_>], marker: &str) -> String {
        let mut text = String::new();
        let mut previous: Option<&Line<'_>> = None;
        for line in lines {
            let mut own = line.text();
            match previous {
                None => own = own.strip_prefix(marker).unwrap_or(own),
                Some(previous) => {
                    text.push(if self.continues(previous, line) {
                        ' '
                    } else {
                        '\n'
                    });
                }
            }
            // Spaces in a row are an old wrap or a typist's habit, and no words.
            text.push_str(&crate::decode::one_line(own));
            previous = Some(line);
        }
        text.replace('\u{ad}', "")
    }
}

/// The level of the heading that a line is; `None` for all others.
pub(super) fn heading(
    group: &[Line<'_>],
    first_of_group: bool,
    after: &[Line<'_>],
    wrap: &Wrap,
) -> Option<u8> {
    let line = group[0];
    let text = line.text();
    let alone = group.len() == 1;
    let unwrapped = wrap.width.is_none();
    // In a text that was never wrapped, a short line right above a long one heads it.
    let heads_paragraph = unwrapped
        && group
            .get(1)
            .is_some_and(|next| next.width() > 2 * line.width().max(40));
    if !first_of_group || !(alone || heads_paragraph) {
        return None;
    }
    let followed = !alone
        || after
            .iter()
            .any(|line| !line.is_blank() && line.shape() != Shape::Rule);
    let words = text.split_whitespace().count();
    let has_words = text
        .split_whitespace()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2)
        .count()
        > 0;
    if !followed || !has_words || line.indent > 4 || line.width() > 100 || words > 14 {
        return None;
    }
    if text.starts_with("...") || text.contains("://") {
        return None;
    }
    let last = text.split_whitespace().last().unwrap_or("").to_lowercase();
    if matches!(
        last.as_str(),
        "a" | "an" | "the" | "for" | "of" | "in" | "and" | "the..." | "for..."
    ) {
        return None;
    }
    let named = text.ends_with("...") || text.starts_with('.') && text.contains("...");
    if named {
        return Some(2);
    }
    let first = text.chars().next()?;
    if text.ends_with(['.', ',', ';', ':', '-', '/'])
        || !(first.is_uppercase() || first.is_ascii_digit())
    {
        return None;
    }
    // Dates, codes and addresses stand alone too; a heading is mostly letters.
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters * 10 < text.chars().filter(|c| !c.is_whitespace()).count() * 7 {
        return None;
    }
    Some(numbered_level(text).unwrap_or(2))
}

/// The level that a heading's number gives: "3" is 1, "3.2" is 2.
pub(crate) fn numbered_level(text: &str) -> Option<u8> {
    let number = text.split_whitespace().next()?.trim_end_matches('.');
    let parts: Vec<&str> = number.split('.').collect();
    let valid = parts.len() <= 5
        && parts.iter().all(|part| {
            !part.is_empty() && part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit())
        });
    valid.then_some(parts.len() as u8)
}
