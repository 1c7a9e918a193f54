//! Phrases found in a sentence: words in order, an asterisk for any ending, two dots for a few
//! words between.

/// Words that `..` may stand for.
const GAP: usize = 4;

/// A word of a sentence, in lower case, with where it stands in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

/// The words of a sentence: runs of letters and digits, apostrophes inside kept.
///
/// ```
/// use lahar_routes::compile::phrases::words;
/// let found: Vec<String> = words("A non-linear Model isn't").into_iter().map(|w| w.text).collect();
/// assert_eq!(found, ["a", "non", "linear", "model", "isn't"]);
/// ```
pub fn words(sentence: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut open = false;
    let mut chars = sentence.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next_is_letter = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        let inside = c.is_alphanumeric() || open && matches!(c, '\'' | '’') && next_is_letter;
        if !inside {
            open = false;
            continue;
        }
        if !open {
            found.push(Word {
                text: String::new(),
                start: at,
                end: at,
            });
            open = true;
        }
        if let Some(word) = found.last_mut() {
            match c {
                '’' => word.text.push('\''),
                _ => word.text.extend(c.to_lowercase()),
            }
            word.end = at + c.len_utf8();
        }
    }
    found
}

/// A phrase to look for.
#[derive(Debug, Clone)]
pub struct Phrase {
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
enum Part {
    Word(String),
    Stem(String),
    Gap,
}

impl Phrase {
    /// A phrase as the lists write it: `calibrat* .. data`.
    pub fn parse(written: &str) -> Phrase {
        let part = |word: &str| match word.strip_suffix('*') {
            _ if word == ".." => Part::Gap,
            Some(stem) => Part::Stem(stem.to_owned()),
            None => Part::Word(word.to_owned()),
        };
        Phrase {
            parts: written.split_whitespace().map(part).collect(),
        }
    }

    /// Where it first stands from a word on: index of its first word and of the one after it.
    ///
    /// ```
    /// use lahar_routes::compile::phrases::{Phrase, words};
    /// let sentence = words("It was calibrated with regional landslide data.");
    /// assert_eq!(Phrase::parse("calibrat* .. data").find(&sentence, 0), Some((2, 7)));
    /// assert_eq!(Phrase::parse("calibrat* data").find(&sentence, 0), None);
    /// ```
    pub fn find(&self, sentence: &[Word], from: usize) -> Option<(usize, usize)> {
        (from..sentence.len())
            .find_map(|start| Some((start, matches(&self.parts, sentence, start)?)))
    }

    /// How many words it names.
    pub fn len(&self) -> usize {
        self.parts
            .iter()
            .filter(|part| !matches!(part, Part::Gap))
            .count()
    }

    /// Whether it names no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The word after a match that begins at a word.
fn matches(parts: &[Part], sentence: &[Word], at: usize) -> Option<usize> {
    let Some((first, rest)) = parts.split_first() else {
        return Some(at);
    };
    match first {
        Part::Gap => {
            (at..=(at + GAP).min(sentence.len())).find_map(|next| matches(rest, sentence, next))
        }
        Part::Word(word) => {
            (sentence.get(at)?.text == *word).then(|| matches(rest, sentence, at + 1))?
        }
        Part::Stem(stem) => sentence
            .get(at)?
            .text
            .starts_with(stem.as_str())
            .then(|| matches(rest, sentence, at + 1))?,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_short() {
        let near = words("not a b c d valid");
        let far = words("not a b c d e valid");
        let phrase = Phrase::parse("not .. valid");
        assert_eq!(phrase.find(&near, 0), Some((0, 6)));
        assert_eq!(phrase.find(&far, 0), None);
    }

    #[test]
    fn bytes_are_those_of_the_sentence() {
        let sentence = "Hänge über 5° Neigung";
        for word in words(sentence) {
            assert_eq!(
                sentence[word.start..word.end].to_lowercase(),
                word.text,
                "{word:?}"
            );
        }
    }
}
