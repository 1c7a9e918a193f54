//! Sentences that state conditions, found again in the user's library by their fingerprints.
//!
//! A card ships no sentence. It holds a hash of the sentence's letters and digits, how many there
//! are, and how many words; a window of a document's words with the same count and hash is the
//! sentence, whatever its punctuation, spacing and line breaks.

use std::collections::{BTreeMap, HashMap};

use lahar_core::evidence::PageRange;
use lahar_core::{CharRange, ContentHash, DocumentId, EvidenceSpan, TextIndex};

use crate::card::{Card, Condition, Fingerprint};
use crate::verdict::{Evidence, Quote};

/// By how many words a window may differ: hyphens at line ends and marks inside words part or
/// join words.
const WORDS_APART: usize = 4;

impl Fingerprint {
    /// The fingerprint of a sentence; none where it holds no letter or digit.
    ///
    /// ```
    /// use lahar_routes::Fingerprint;
    /// let one = Fingerprint::of("Keep 30 feet clear.").unwrap();
    /// assert_eq!((one.words, one.letters), (4, 15));
    /// assert_eq!(one.sha256, Fingerprint::of("keep 30  FEET, clear").unwrap().sha256);
    /// ```
    pub fn of(sentence: &str) -> Option<Fingerprint> {
        let words = Words::of(sentence);
        let letters = words.letters.len();
        (letters > 0).then(|| Fingerprint {
            sha256: words.hash(0, letters),
            letters,
            words: words.words.len(),
        })
    }
}

/// A text's letters and digits, and where its words are.
struct Words {
    /// Letters and digits in lower case.
    letters: Vec<char>,
    /// First letter of each word, in `letters`, and its first and last scalar value in the text.
    words: Vec<Word>,
}

#[derive(Clone, Copy)]
struct Word {
    letter: usize,
    start: usize,
    end: usize,
}

impl Words {
    fn of(text: &str) -> Words {
        let (mut letters, mut words) = (Vec::new(), Vec::<Word>::new());
        let mut inside = false;
        for (at, c) in text.chars().enumerate() {
            if !c.is_alphanumeric() {
                inside = false;
                continue;
            }
            if !inside {
                words.push(Word {
                    letter: letters.len(),
                    start: at,
                    end: at,
                });
                inside = true;
            }
            letters.extend(c.to_lowercase());
            if let Some(word) = words.last_mut() {
                word.end = at + 1;
            }
        }
        Words { letters, words }
    }

    fn hash(&self, from: usize, to: usize) -> ContentHash {
        let text: String = self.letters[from..to].iter().collect();
        ContentHash::of(text.as_bytes())
    }

    fn letters_before(&self, word: usize) -> usize {
        self.words
            .get(word)
            .map_or(self.letters.len(), |word| word.letter)
    }
}

/// The sentences of cards that stand in the user's documents.
#[derive(Debug, Clone, Default)]
pub struct QuoteBook {
    wanted: BTreeMap<(usize, usize), Vec<ContentHash>>,
    found: HashMap<ContentHash, Quote>,
}

impl QuoteBook {
    /// A book that looks for the fingerprints of cards.
    pub fn of_cards<'c>(cards: impl IntoIterator<Item = &'c Card>) -> QuoteBook {
        let conditions = cards.into_iter().flat_map(|card| &card.conditions);
        QuoteBook::of_fingerprints(conditions.filter_map(|condition| condition.fingerprint))
    }

    /// A book that looks for fingerprints.
    pub fn of_fingerprints(fingerprints: impl IntoIterator<Item = Fingerprint>) -> QuoteBook {
        let mut book = QuoteBook::default();
        for wanted in fingerprints {
            let hashes = book
                .wanted
                .entry((wanted.letters, wanted.words))
                .or_default();
            if !hashes.contains(&wanted.sha256) {
                hashes.push(wanted.sha256);
            }
        }
        book
    }

    /// Looks through a document. A sentence that was found in an earlier document keeps that one.
    /// Only windows with the right number of letters are hashed.
    pub fn read(
        &mut self,
        document: DocumentId,
        title: &str,
        text: &str,
        pages: impl Fn(CharRange) -> Option<PageRange>,
    ) {
        let words = Words::of(text);
        let index = TextIndex::new(text);
        for ((letters, count), hashes) in &self.wanted {
            if hashes.iter().all(|hash| self.found.contains_key(hash)) {
                continue;
            }
            let mut last = 0;
            for (first, word) in words.words.iter().enumerate() {
                let to = word.letter + letters;
                if to > words.letters.len() {
                    break;
                }
                last = last.max(first);
                while last < words.words.len() && words.letters_before(last + 1) < to {
                    last += 1;
                }
                if words.letters_before(last + 1) != to
                    || (last + 1 - first).abs_diff(*count) > WORDS_APART
                {
                    continue;
                }
                let hash = words.hash(word.letter, to);
                if !hashes.contains(&hash) || self.found.contains_key(&hash) {
                    continue;
                }
                let range = CharRange::new(word.start, words.words[last].end);
                if let Ok(span) = EvidenceSpan::cut(document, &index, range, pages(range)) {
                    let title = title.to_owned();
                    self.found.insert(hash, Quote { title, span });
                }
            }
        }
    }

    /// The sentence of a fingerprint, where a document holds it.
    pub fn quote(&self, fingerprint: &Fingerprint) -> Option<&Quote> {
        self.found.get(&fingerprint.sha256)
    }

    /// How well a condition is founded.
    pub fn evidence(&self, condition: &Condition) -> Evidence {
        if condition.citation.is_none() {
            return Evidence::Undetermined;
        }
        match condition.fingerprint.as_ref().and_then(|f| self.quote(f)) {
            Some(quote) => Evidence::Quoted {
                quote: Box::new(quote.clone()),
            },
            None => Evidence::Cited,
        }
    }

    /// How many sentences were found, and how many are looked for.
    pub fn counts(&self) -> (usize, usize) {
        (self.found.len(), self.wanted.values().map(Vec::len).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_found_whatever_its_marks_and_breaks() {
        let sentence = "The models were tested on basins of 0.02-8 km2 in the western states.";
        let wanted = Fingerprint::of(sentence).unwrap();
        let text = "Title. Something before: the models\nwere  tested on ba-\nsins of 0.02–8 km2 in \
                    the western states!  And after.";
        let mut book = QuoteBook::of_fingerprints([wanted]);
        book.read(DocumentId::of(b"x"), "T", text, |_| None);
        let quote = book.quote(&wanted).unwrap();
        assert!(quote.span.quote().starts_with("the models\nwere"));
        assert!(quote.span.quote().ends_with("western states"));
        assert_eq!(book.counts(), (1, 1));
    }

    #[test]
    fn another_number_is_another_sentence() {
        let wanted = Fingerprint::of("Basins of at most 8 km2 were studied.").unwrap();
        let mut book = QuoteBook::of_fingerprints([wanted]);
        let text = "Basins of at most 9 km2 were studied. Basins of at most 8 km2 were not.";
        book.read(DocumentId::of(b"x"), "T", text, |_| None);
        assert!(book.quote(&wanted).is_none());
    }
}
