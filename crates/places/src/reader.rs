//! Reading a text: recognition, then resolution.

use lahar_core::TextIndex;

use crate::gazetteer::Gazetteer;
use crate::mention::Mention;
use crate::resolve::{self, Reading};
use crate::tag::{self, SpanTagger};

impl Gazetteer {
    /// Finds and resolves the places of a text.
    pub fn tag(&self, text: &str, reading: &Reading) -> Vec<Mention> {
        let drafts = tag::recognise(self, text);
        resolve::resolve(self, text, &drafts, reading)
    }

    /// The same with a tagger of the caller's own, such as a model: its spans, our resolution.
    pub fn tag_with(&self, tagger: &dyn SpanTagger, text: &str, reading: &Reading) -> Vec<Mention> {
        let drafts = tag::at_spans(self, text, &tagger.spans(text));
        resolve::resolve(self, text, &drafts, reading)
    }

    /// Resolves spans that are known to be places; they count Unicode scalar values.
    pub fn resolve_spans(
        &self,
        text: &str,
        spans: &[(usize, usize)],
        reading: &Reading,
    ) -> Vec<Mention> {
        let index = TextIndex::new(text);
        let bytes: Vec<std::ops::Range<usize>> = spans
            .iter()
            .map(|(start, end)| index.byte(*start)..index.byte(*end))
            .collect();
        let drafts = tag::at_spans(self, text, &bytes);
        resolve::resolve(self, text, &drafts, reading)
    }
}
