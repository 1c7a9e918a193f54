//! Text that people see: one line, without anything a terminal would obey.

/// Longest title or name kept, in scalar values.
const LONGEST_LINE: usize = 400;

/// A text as one line: terminal sequences, control characters and marks that turn the direction of
/// writing are taken out, runs of white space become one space, and a very long line is cut.
///
/// ```
/// assert_eq!(lahar_library::one_line("\u{1b}[31mRed\u{1b}[0m\n  flag\u{7}"), "Red flag");
/// ```
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut gap = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' || c == '\u{9b}' {
            skip_sequence(c, &mut chars);
        } else if c.is_whitespace() {
            gap = true;
        } else if !c.is_control() && !is_format_mark(c) {
            if length >= LONGEST_LINE {
                line.push('…');
                break;
            }
            if gap && !line.is_empty() {
                line.push(' ');
                length += 1;
            }
            gap = false;
            line.push(c);
            length += 1;
        }
    }
    line
}

/// Skips what belongs to an escape: a control sequence up to its final letter, an operating system
/// command up to its end, else one character.
fn skip_sequence(first: char, chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let opener = if first == '\u{9b}' {
        Some('[')
    } else {
        chars.next()
    };
    match opener {
        Some('[') => {
            while let Some(&c) = chars.peek() {
                if !(' '..='~').contains(&c) {
                    break;
                }
                chars.next();
                if ('@'..='~').contains(&c) {
                    break;
                }
            }
        }
        Some(']' | 'P' | '^' | '_') => {
            while let Some(&c) = chars.peek() {
                if c == '\u{1b}' || c == '\n' {
                    break;
                }
                chars.next();
                if c == '\u{7}' || c == '\u{9c}' {
                    break;
                }
            }
        }
        _ => {}
    }
}

/// Invisible marks: direction, joining, byte order, soft hyphen, tags.
fn is_format_mark(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        for (raw, clean) in [
            ("plain title", "plain title"),
            ("a\u{1b}]0;owned\u{7}b", "ab"),
            ("a\u{1b}]8;;http://x\u{1b}\\link", "alink"),
            ("\u{9b}2Jgone", "gone"),
            ("tab\tand\r\nline", "tab and line"),
            ("\u{202e}reversed", "reversed"),
            ("\u{1b}", ""),
            ("Ōtaki 漢字", "Ōtaki 漢字"),
        ] {
            assert_eq!(one_line(raw), clean, "{raw:?}");
        }
        assert!(one_line(&"x".repeat(10_000)).chars().count() <= LONGEST_LINE + 1);
    }

    proptest! {
        #[test]
        fn a_line_has_no_control_characters_and_stays_as_it_is(text in any::<String>()) {
            let line = one_line(&text);
            prop_assert!(!line.chars().any(char::is_control));
            prop_assert_eq!(one_line(&line), line);
        }
    }
}
