//! The weights of a BERT encoder, laid out for the kernels.

use std::path::{Path, PathBuf};

use super::encoder::Architecture;
use crate::ModelError;
use crate::kernels::matrix::{Panels, padded_columns};
use crate::safetensors::Tensors;

/// All weights of an encoder.
#[derive(Debug)]
pub(crate) struct Weights {
    pub(crate) words: Vec<f32>,
    pub(crate) positions: Vec<f32>,
    pub(crate) types: Vec<f32>,
    pub(crate) norm: LayerNorm,
    pub(crate) layers: Vec<Layer>,
}

/// One transformer layer.
#[derive(Debug)]
pub(crate) struct Layer {
    /// Queries, keys and values side by side, each padded to whole panels.
    pub(crate) queries_keys_values: Dense,
    pub(crate) attention_output: Dense,
    pub(crate) attention_norm: LayerNorm,
    pub(crate) intermediate: Dense,
    pub(crate) output: Dense,
    pub(crate) output_norm: LayerNorm,
}

/// `x W + b`; the bias is padded as the weights are.
#[derive(Debug)]
pub(crate) struct Dense {
    pub(crate) inputs: usize,
    pub(crate) weights: Panels,
    pub(crate) bias: Vec<f32>,
}

/// Scale and shift after normalisation.
#[derive(Debug)]
pub(crate) struct LayerNorm {
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

const WORDS: &str = "embeddings.word_embeddings.weight";

/// The layers behind the encoder of a cross-encoder.
#[derive(Debug)]
pub(crate) struct Head {
    /// The pooler's weights, one row an output, and its bias.
    pub(crate) pooler: Vec<f32>,
    pub(crate) pooler_bias: Vec<f32>,
    /// From the pooled state to one number.
    pub(crate) classifier: Vec<f32>,
    pub(crate) classifier_bias: f32,
}

/// The layer behind the encoder of a token classifier.
#[derive(Debug)]
pub(crate) struct TokenHead {
    /// One row a label.
    pub(crate) weights: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

const CLASSIFIER: &str = "classifier.weight";

/// The weight file of a model's folder.
pub(crate) fn path(folder: &Path) -> Result<PathBuf, ModelError> {
    let path = folder.join("model.safetensors");
    if path.exists() {
        return Ok(path);
    }
    let reason = match folder.join("pytorch_model.bin").exists() {
        true => {
            "it is missing; there is a pytorch_model.bin, but pickled weights can run code and are never read: save the model as safetensors"
        }
        false => "it is missing; a model folder has one",
    };
    Err(ModelError::broken(&path, reason))
}

/// Reads the encoder's weights, and gives the file's SHA-256 with them.
///
/// Names may have a prefix before `embeddings` and `encoder` (`bert.` in files of models with a
/// head), and layer norms may be called `gamma` and `beta` as in the first releases.
pub(crate) fn read(path: &Path, sizes: &Architecture) -> Result<(Weights, String), ModelError> {
    let mut tensors = Tensors::read(path, in_encoder)?;
    let sha256 = tensors.sha256().to_owned();
    let weights = encoder(path, &mut tensors, sizes)?;
    Ok((weights, sha256))
}

/// Reads the weights of a cross-encoder: the encoder, its pooler and one row of a classifier.
pub(crate) fn read_with_head(
    path: &Path,
    sizes: &Architecture,
) -> Result<(Weights, Head, String), ModelError> {
    let in_head = |name: &str| {
        name.starts_with("classifier.") || name.split('.').any(|part| part == "pooler")
    };
    let mut tensors = Tensors::read(path, |name| in_encoder(name) || in_head(name))?;
    let sha256 = tensors.sha256().to_owned();
    if !tensors.names().iter().any(|name| name == CLASSIFIER) {
        let reason = format!("tensor {CLASSIFIER} is missing: it is no cross-encoder");
        return Err(ModelError::broken(path, reason));
    }
    let prefix = prefix(path, &tensors)?;
    let weights = encoder(path, &mut tensors, sizes)?;
    let hidden = sizes.hidden;
    let pooler = format!("{prefix}pooler.dense");
    let head = Head {
        pooler: tensors.take(&format!("{pooler}.weight"), &[hidden, hidden])?,
        pooler_bias: tensors.take(&format!("{pooler}.bias"), &[hidden])?,
        classifier: tensors.take(CLASSIFIER, &[1, hidden])?,
        classifier_bias: tensors.take("classifier.bias", &[1])?[0],
    };
    Ok((weights, head, sha256))
}

/// Reads the weights of a token classifier: the encoder and one row a label.
pub(crate) fn read_with_token_head(
    path: &Path,
    sizes: &Architecture,
    labels: usize,
) -> Result<(Weights, TokenHead), ModelError> {
    let mut tensors = Tensors::read(path, |name| {
        in_encoder(name) || name.starts_with("classifier.")
    })?;
    if !tensors.names().iter().any(|name| name == CLASSIFIER) {
        let reason = format!("tensor {CLASSIFIER} is missing: it is no token classifier");
        return Err(ModelError::broken(path, reason));
    }
    let weights = encoder(path, &mut tensors, sizes)?;
    let head = TokenHead {
        weights: tensors.take(CLASSIFIER, &[labels, sizes.hidden])?,
        bias: tensors.take("classifier.bias", &[labels])?,
    };
    Ok((weights, head))
}

fn in_encoder(name: &str) -> bool {
    (name.contains("embeddings.") || name.contains("encoder.layer."))
        && !name.ends_with("position_ids")
        && !name.starts_with("cls.")
}

/// What stands before the names of the encoder's tensors.
fn prefix(path: &Path, tensors: &Tensors) -> Result<String, ModelError> {
    let prefixes: Vec<String> = tensors
        .names()
        .iter()
        .filter_map(|n| n.strip_suffix(WORDS))
        .map(str::to_owned)
        .collect();
    let reason = match prefixes.as_slice() {
        [prefix] => return Ok(prefix.clone()),
        [] => format!("no tensor is named {WORDS}: these are not the weights of a BERT encoder"),
        several => format!(
            "{} tensors are named ...{WORDS}: it holds more than one encoder",
            several.len()
        ),
    };
    Err(ModelError::broken(path, reason))
}

fn encoder(
    path: &Path,
    tensors: &mut Tensors,
    sizes: &Architecture,
) -> Result<Weights, ModelError> {
    let mut reader = Reader {
        prefix: prefix(path, tensors)?,
        tensors,
    };
    let hidden = sizes.hidden;
    let words = reader.take(
        "embeddings.word_embeddings.weight",
        &[sizes.vocabulary, hidden],
    )?;
    let positions = reader.take(
        "embeddings.position_embeddings.weight",
        &[sizes.positions, hidden],
    )?;
    let types = reader.take(
        "embeddings.token_type_embeddings.weight",
        &[sizes.types, hidden],
    )?;
    let norm = reader.norm("embeddings.LayerNorm", hidden)?;
    let layers = (0..sizes.layers)
        .map(|n| reader.layer(n, sizes))
        .collect::<Result<_, _>>()?;
    Ok(Weights {
        words,
        positions,
        types,
        norm,
        layers,
    })
}

struct Reader<'a> {
    tensors: &'a mut Tensors,
    prefix: String,
}

impl Reader<'_> {
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        self.tensors.take(&format!("{}{name}", self.prefix), shape)
    }

    fn layer(&mut self, number: usize, sizes: &Architecture) -> Result<Layer, ModelError> {
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let (hidden, wide) = (sizes.hidden, sizes.intermediate);
        Ok(Layer {
            queries_keys_values: self.queries_keys_values(&name("attention.self"), hidden)?,
            attention_output: self.dense(&name("attention.output.dense"), hidden, hidden)?,
            attention_norm: self.norm(&name("attention.output.LayerNorm"), hidden)?,
            intermediate: self.dense(&name("intermediate.dense"), wide, hidden)?,
            output: self.dense(&name("output.dense"), hidden, wide)?,
            output_norm: self.norm(&name("output.LayerNorm"), hidden)?,
        })
    }

    fn queries_keys_values(&mut self, name: &str, hidden: usize) -> Result<Dense, ModelError> {
        let padded = padded_columns(hidden);
        let mut rows = vec![0.0; 3 * padded * hidden];
        let mut bias = vec![0.0; 3 * padded];
        for (i, part) in ["query", "key", "value"].into_iter().enumerate() {
            let weights = self.take(&format!("{name}.{part}.weight"), &[hidden, hidden])?;
            rows[i * padded * hidden..][..weights.len()].copy_from_slice(&weights);
            let part_bias = self.take(&format!("{name}.{part}.bias"), &[hidden])?;
            bias[i * padded..][..hidden].copy_from_slice(&part_bias);
        }
        Ok(Dense {
            inputs: hidden,
            weights: Panels::from_transposed(&rows, 3 * padded, hidden),
            bias,
        })
    }

    fn dense(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Dense, ModelError> {
        let rows = self.take(&format!("{name}.weight"), &[outputs, inputs])?;
        let mut bias = self.take(&format!("{name}.bias"), &[outputs])?;
        bias.resize(padded_columns(outputs), 0.0);
        Ok(Dense {
            inputs,
            weights: Panels::from_transposed(&rows, outputs, inputs),
            bias,
        })
    }

    fn norm(&mut self, name: &str, hidden: usize) -> Result<LayerNorm, ModelError> {
        let old = format!("{}{name}.gamma", self.prefix);
        let (weight, bias) = match self.tensors.names().contains(&old) {
            true => ("gamma", "beta"),
            false => ("weight", "bias"),
        };
        Ok(LayerNorm {
            weight: self.take(&format!("{name}.{weight}"), &[hidden])?,
            bias: self.take(&format!("{name}.{bias}"), &[hidden])?,
        })
    }
}
