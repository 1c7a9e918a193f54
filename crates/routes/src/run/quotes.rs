//! Sentences of the library that an analysis used, kept with it, so that it can be run again where
//! that library is not.

use lahar_core::evidence::PageRange;
use lahar_core::{CharRange, DocumentId};
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::evidence::QuoteBook;
use crate::verdict::Quote;

/// One sentence with where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Document.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageRange>,
    /// Where it begins in the document's stored text.
    pub start: usize,
    /// The words.
    pub words: String,
}

impl Kept {
    fn of(quote: &Quote) -> Kept {
        Kept {
            document: quote.document(),
            title: quote.title.clone(),
            pages: quote.span.pages(),
            start: quote.span.range().start,
            words: quote.span.quote().to_owned(),
        }
    }
}

/// The sentences of a book that state conditions of these cards.
pub fn keep(book: &QuoteBook, cards: &[Card]) -> Vec<Kept> {
    let conditions = cards.iter().flat_map(|card| &card.conditions);
    let fingerprints = conditions.filter_map(|condition| condition.fingerprint);
    let mut kept: Vec<Kept> = Vec::new();
    for quote in fingerprints.filter_map(|fingerprint| book.quote(&fingerprint)) {
        let sentence = Kept::of(quote);
        if !kept.contains(&sentence) {
            kept.push(sentence);
        }
    }
    kept
}

/// A book of kept sentences, each at its own place: the words before it are blank.
pub fn book(kept: &[Kept], cards: &[Card]) -> QuoteBook {
    let mut book = QuoteBook::of_cards(cards);
    for sentence in kept {
        let text = " ".repeat(sentence.start.min(LONGEST)) + &sentence.words;
        let pages = |_: CharRange| sentence.pages;
        book.read(sentence.document, &sentence.title, &text, pages);
    }
    book
}

/// Longest document, in characters, in which a sentence is put back at its place.
const LONGEST: usize = 64 << 20;
