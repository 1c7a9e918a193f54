//! How a library was built: its chunker and the model that made its vectors.

use lahar_models::{Embedder, EmbedderIdentity, TextRole};

use crate::LibraryError;
use crate::chunk::ChunkKind;

/// How a library is built. Every chunk in it was cut and embedded this way.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How documents are cut.
    pub chunker: ChunkKind,
    /// The model that makes the vectors; `None` for a library that is searched by words alone.
    pub model: Option<ModelRecord>,
}

impl Settings {
    /// Settings for a new library. The embedder is asked for its probe vector.
    pub fn new(
        chunker: ChunkKind,
        embedder: Option<&dyn Embedder>,
    ) -> Result<Settings, LibraryError> {
        let model = embedder.map(ModelRecord::of).transpose()?;
        Ok(Settings { chunker, model })
    }
}

/// What a library keeps of its model: its identity, and the vector of one known text. A model of
/// the same name that gives another vector is another model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRecord {
    /// Which model it is.
    pub identity: EmbedderIdentity,
    /// The vector of the probe text.
    pub probe: Vec<f32>,
}

/// Embedded as a passage when a library is made, and again whenever a model is to be used with it.
const PROBE_TEXT: &str =
    "A lahar is a flow of volcanic debris and water that runs down the valleys of a volcano.";

/// Cosine above which two probe vectors come from the same model. Different builds and instruction
/// sets round differently in the sixth digit; another model, pooling or prefix is far off.
const SAME_PROBE: f32 = 0.999;

impl ModelRecord {
    /// The record of a model.
    pub fn of(embedder: &dyn Embedder) -> Result<ModelRecord, LibraryError> {
        let identity = embedder.identity().clone();
        let probe = embedder.embed(&[PROBE_TEXT], TextRole::Passage)?;
        let probe = probe.into_iter().next().unwrap_or_default();
        if probe.len() != identity.dimension {
            return Err(LibraryError::VectorLength {
                expected: identity.dimension,
                found: probe.len(),
            });
        }
        Ok(ModelRecord { identity, probe })
    }

    /// How another model differs from this one; `None` when its vectors can be compared.
    pub fn difference(&self, other: &ModelRecord) -> Option<String> {
        let (ours, theirs) = (&self.identity, &other.identity);
        if ours.dimension != theirs.dimension {
            return Some(format!(
                "its vectors have {} numbers in place of {}",
                theirs.dimension, ours.dimension
            ));
        }
        if ours.name != theirs.name {
            return Some("it is another model".into());
        }
        if ours.digest != theirs.digest {
            return Some("its files or its configuration have changed".into());
        }
        let cosine = crate::search::vectors::cosine(&self.probe, &other.probe);
        (cosine < SAME_PROBE).then(|| {
            format!("the same text gives another vector, cosine {cosine:.3} to the stored one")
        })
    }
}
