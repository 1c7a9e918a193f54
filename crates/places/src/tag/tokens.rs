//! Words of a text with what stands between them.

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// No capital.
    Lower,
    /// A capital first, small letters behind.
    Title,
    /// Capitals only (two letters or more, or letters with periods).
    Upper,
    /// Digits, or letters of a script without case.
    Other,
}

/// What stands before a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Nothing: the text begins.
    Start,
    /// White space, at most one line end.
    Space,
    /// A hyphen.
    Hyphen,
    /// Period and space.
    Period,
    /// Comma and space.
    Comma,
    /// An opening bracket.
    Bracket,
    /// A slash.
    Slash,
    /// End of a sentence for sure, blank line, or another sign.
    Other,
    /// A blank line.
    Paragraph,
}

/// A word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    /// First byte.
    pub start: usize,
    /// Byte behind the last, without a possessive ending.
    pub end: usize,
    /// How it is written.
    pub case: Case,
    /// What stands before it.
    pub gap: Gap,
    /// Letters with periods: `U.S.`, `D.C.`
    pub dotted: bool,
    /// Whether a possessive ending follows.
    pub possessive: bool,
}

/// Splits a text into words.
pub(crate) fn tokenize(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 6);
    let mut at = 0;
    let mut previous_end = 0;
    while at < bytes.len() {
        let c = char_at(text, at);
        if !c.is_alphanumeric() {
            at += c.len_utf8();
            continue;
        }
        let start = at;
        let mut end = at;
        let (mut letters, mut capitals, mut digits, mut periods) = (0, 0, 0, 0);
        let first_capital = c.is_uppercase();
        while at < bytes.len() {
            let c = char_at(text, at);
            if c.is_alphanumeric() {
                letters += 1;
                capitals += u32::from(c.is_uppercase());
                digits += u32::from(c.is_numeric());
                at += c.len_utf8();
                end = at;
                continue;
            }
            let next = at + c.len_utf8();
            let follows = text.get(next..).and_then(|rest| rest.chars().next());
            match c {
                // O'Leary, d'Ivoire, Hawai'i; a possessive ending is cut off below.
                '\'' | '\u{2019}' | '\u{2018}' | '\u{2bb}'
                    if follows.is_some_and(char::is_alphabetic) =>
                {
                    at = next;
                }
                '\u{300}'..='\u{36f}' => {
                    at = next;
                    end = at;
                }
                // U.S., D.C., N.S.W.: one letter between periods.
                '.' if letters == periods + 1 && digits == 0 && capitals == letters => {
                    periods += 1;
                    at = next;
                    end = at;
                    if !follows.is_some_and(char::is_uppercase) {
                        break;
                    }
                }
                _ => break,
            }
        }
        if periods == 1 && letters == 1 {
            // An initial ("J. Smith"): the period is no part of it.
            end -= 1;
            at = end;
            periods = 0;
        }
        let mut possessive = false;
        let mut cut = end;
        for ending in ["'s", "\u{2019}s", "'S", "\u{2019}S"] {
            if text[start..end].ends_with(ending) {
                cut = end - ending.len();
                possessive = true;
            }
        }
        let case = if letters == digits {
            Case::Other
        } else if capitals == 0 {
            Case::Lower
        } else if capitals + digits == letters && (letters > 1 || periods > 0)
            || possessive && letters > 2 && capitals + 1 == letters
        {
            Case::Upper
        } else if first_capital {
            Case::Title
        } else {
            Case::Other
        };
        let gap = if tokens.is_empty() && text[..start].trim().is_empty() {
            Gap::Start
        } else {
            gap_of(&text[previous_end..start])
        };
        tokens.push(Token {
            start,
            end: cut,
            case,
            gap,
            dotted: periods > 0,
            possessive,
        });
        previous_end = end;
    }
    tokens
}

fn char_at(text: &str, at: usize) -> char {
    let byte = text.as_bytes()[at];
    if byte < 128 {
        char::from(byte)
    } else {
        text.get(at..)
            .and_then(|rest| rest.chars().next())
            .unwrap_or(' ')
    }
}

fn gap_of(between: &str) -> Gap {
    match between {
        " " | "\n" => return Gap::Space,
        "-" | "\u{2010}" | "\u{2011}" => return Gap::Hyphen,
        ", " | ",\n" => return Gap::Comma,
        ". " | ".\n" | ".  " => return Gap::Period,
        _ => {}
    }
    let trimmed = between.trim();
    if between.bytes().filter(|byte| *byte == b'\n').count() > 1 {
        return Gap::Paragraph;
    }
    match trimmed {
        "" => Gap::Space,
        "," | ".," => Gap::Comma,
        "." => Gap::Period,
        "(" | "[" => Gap::Bracket,
        "/" => Gap::Slash,
        _ => Gap::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_place_and_lose_their_possessive() {
        let text = "O'Leary's U.S. troops, St. Louis (Mo.) Hawai‘i J. Smith";
        let words: Vec<&str> = tokenize(text)
            .iter()
            .map(|token| &text[token.start..token.end])
            .collect();
        assert_eq!(
            words,
            [
                "O'Leary",
                "U.S.",
                "troops",
                "St",
                "Louis",
                "Mo",
                "Hawai‘i",
                "J",
                "Smith"
            ]
        );
        let gaps: Vec<Gap> = tokenize("A b. C, d")
            .iter()
            .map(|token| token.gap)
            .collect();
        assert_eq!(gaps, [Gap::Start, Gap::Space, Gap::Period, Gap::Comma]);
    }
}
