//! A token classifier as a tagger of places.

use std::ops::Range;
use std::path::Path;

use lahar_models::{BertTagger, TokenTagger};
use lahar_places::{PlacesError, SpanTagger};

use crate::failure::{Failure, Kind};

/// Labels under which models file places, in the sets of CoNLL 2003, OntoNotes 5 and of models
/// that read addresses.
const PLACE_LABELS: &[&str] = &[
    "LOC", "GPE", "LOCATION", "PLACE", "CITY", "STATE", "COUNTY", "COUNTRY", "REGION", "PROVINCE",
];

/// A model's spans that are places.
#[derive(Debug)]
pub struct PlaceTagger {
    model: BertTagger,
}

impl PlaceTagger {
    /// Opens a folder with a token classifier that knows places.
    pub fn open(folder: &Path) -> Result<PlaceTagger, Failure> {
        let model = BertTagger::open(folder, None)?;
        if !model.labels().iter().any(|label| is_place(label)) {
            let message = format!(
                "it labels {}, and none of these is a place",
                model.labels().join(", ")
            );
            return Err(Failure::new(Kind::Model, message)
                .at(folder.display())
                .hint(format!("labels of places are {}", PLACE_LABELS.join(", "))));
        }
        Ok(PlaceTagger { model })
    }

    /// Name for people.
    pub fn name(&self) -> &str {
        self.model.name()
    }
}

fn is_place(label: &str) -> bool {
    PLACE_LABELS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(label))
}

impl SpanTagger for PlaceTagger {
    fn spans(&self, text: &str) -> Result<Vec<Range<usize>>, PlacesError> {
        let spans = self.model.tag(text).map_err(|error| PlacesError::Tagger {
            reason: error.to_string(),
        })?;
        Ok(spans
            .into_iter()
            .filter(|span| is_place(&span.label))
            .map(|span| span.range)
            .collect())
    }
}
