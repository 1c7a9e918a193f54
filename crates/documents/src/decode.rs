//! From bytes to characters, and what may not stay among them.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Characters of a text file, and what had to be mended to get them.
pub(crate) struct Decoded {
    pub text: String,
    pub warnings: Vec<String>,
}

/// Reads bytes as UTF-8 or UTF-16 by their byte order mark, else as UTF-8, else in the `declared`
/// encoding of an HTML page, else as windows-1252. Control characters are removed.
pub(crate) fn decode(bytes: &[u8], declared: Option<&'static Encoding>) -> Decoded {
    let mut warnings = Vec::new();
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => {
            let (text, had_errors) = encoding.decode_without_bom_handling(&bytes[mark..]);
            if had_errors {
                warnings.push(format!(
                    "some bytes are not {}; each stands as \u{fffd}",
                    encoding.name()
                ));
            }
            text.into_owned()
        }
        None => match declared
            .filter(|&encoding| encoding != UTF_8 && encoding != UTF_16LE && encoding != UTF_16BE)
        {
            Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            None => utf8_or_windows(bytes, &mut warnings),
        },
    };
    let (text, removed) = clean(&text);
    if removed > 0 {
        warnings.push(format!(
            "{removed} control characters or terminal escapes were removed"
        ));
    }
    Decoded { text, warnings }
}

/// UTF-8 where it is whole, or where broken bytes are rare among well-formed longer ones; else
/// windows-1252, which every byte string is.
fn utf8_or_windows(bytes: &[u8], warnings: &mut Vec<String>) -> String {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return text.to_owned(),
        Err(error) => error,
    };
    let mut longer = 0usize;
    let mut broken = 0usize;
    for chunk in bytes.utf8_chunks() {
        longer += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if longer > broken {
        warnings.push(format!(
            "{broken} places are not valid UTF-8, the first at byte {}; each stands as \u{fffd}",
            error.valid_up_to()
        ));
        return String::from_utf8_lossy(bytes).into_owned();
    }
    warnings.push(format!(
        "not valid UTF-8 (byte {}); read as windows-1252",
        error.valid_up_to()
    ));
    WINDOWS_1252
        .decode_without_bom_handling(bytes)
        .0
        .into_owned()
}

/// Removes terminal escapes and control characters, makes line ends `\n`, and turns the
/// characters that only steer layout into what they stand for. Counts what was removed.
pub(crate) fn clean(text: &str) -> (String, usize) {
    let mut cleaned = String::with_capacity(text.len());
    let mut removed = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' => {
                rest.next_if_eq(&'\n');
                cleaned.push('\n');
            }
            '\n' | '\t' | '\u{c}' => cleaned.push(c),
            '\u{b}' | '\u{85}' | '\u{2028}' | '\u{2029}' => cleaned.push('\n'),
            '\u{1b}' | '\u{9b}' => {
                removed += 1;
                skip_escape(c, &mut rest);
            }
            '\u{feff}' => {}
            _ if c.is_control() || is_direction_mark(c) => removed += 1,
            _ => cleaned.push(c),
        }
    }
    (cleaned, removed)
}

/// Marks that turn the direction of the text around them: they can make a line read as what it
/// does not say.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Skips what belongs to a terminal escape: a control sequence to its final byte, an operating
/// system command to its terminator, or one character.
fn skip_escape(first: char, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let kind = if first == '\u{9b}' {
        Some('[')
    } else {
        rest.next_if(|c| c.is_ascii_graphic())
    };
    match kind {
        Some('[') => {
            while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
            rest.next_if(|c| matches!(c, '@'..='~'));
        }
        Some(']' | 'P' | '_' | '^') => {
            // An unterminated command must not swallow the document: it ends with the line.
            while let Some(c) = rest.next_if(|&c| c != '\n') {
                if c == '\u{7}' || c == '\u{9c}' {
                    break;
                }
                if c == '\u{1b}' {
                    rest.next_if_eq(&'\\');
                    break;
                }
            }
        }
        _ => {}
    }
}

/// A title: one line, no control characters, white space runs made one space, at most 300
/// characters; `None` when nothing is left.
pub(crate) fn title_of(text: &str) -> Option<String> {
    let (cleaned, _) = clean(text);
    let line = one_line(&cleaned);
    let title: String = line.chars().take(300).collect();
    let title = title.trim_end().to_owned();
    title.chars().any(char::is_alphanumeric).then_some(title)
}

/// White space runs made one space, none at the ends.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_leave_with_what_belongs_to_them() {
        let (text, removed) = clean("a\u{1b}[31;1mred\u{1b}[0m\u{1b}]0;owned\u{7}b\u{0}c\r\nd\re");
        assert_eq!(text, "aredbc\nd\ne");
        assert_eq!(removed, 4);
        assert_eq!(clean("x\u{1b}]0;never closed\nnext").0, "x\nnext");
        assert_eq!(title_of("  A\u{1b}[2J\n title\u{7} ").unwrap(), "A title");
        assert_eq!(title_of(" \u{1b}[2J "), None);
    }

    #[test]
    fn encodings_are_told_apart() {
        assert_eq!(decode(b"\xef\xbb\xbfcaf\xc3\xa9", None).text, "café");
        assert_eq!(decode(b"\xff\xfeh\0i\0", None).text, "hi");
        assert_eq!(decode(b"\xfe\xff\0h\0i", None).text, "hi");
        let old = decode(b"caf\xe9 \x93x\x94", None);
        assert_eq!(old.text, "café “x”");
        assert_eq!(old.warnings.len(), 1);
        let broken = decode("naïve café, Überflutung \u{e9}".as_bytes(), None);
        assert!(broken.warnings.is_empty());
        let mut bytes = "naïve café Überflutung".as_bytes().to_vec();
        bytes.push(0xff);
        assert!(decode(&bytes, None).text.starts_with("naïve café"));
    }
}
