//! The weights of a BERT encoder, laid out for the kernels.

use std::path::Path;

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

/// Reads the encoder's weights, and gives the file's SHA-256 with them.
///
/// Names may have a prefix before `embeddings` and `encoder` (`bert.` in files of models with a
/// head), and layer norms may be called `gamma` and `beta` as in the first releases.
pub(crate) fn read(path: &Path, sizes: &Architecture) -> Result<(Weights, String), ModelError> {
    let in_encoder = |name: &str| {
        (name.contains("embeddings.") || name.contains("encoder.layer."))
            && !name.ends_with("position_ids")
            && !name.starts_with("cls.")
    };
    let mut tensors = Tensors::read(path, in_encoder)?;
    let prefixes: Vec<String> = tensors
        .names()
        .iter()
        .filter_map(|n| n.strip_suffix(WORDS))
        .map(str::to_owned)
        .collect();
    let [prefix] = prefixes.as_slice() else {
        let reason = match prefixes.len() {
            0 => format!("no tensor is named {WORDS}: these are not the weights of a BERT encoder"),
            n => format!("{n} tensors are named ...{WORDS}: it holds more than one encoder"),
        };
        return Err(ModelError::broken(path, reason));
    };
    let sha256 = tensors.sha256().to_owned();
    let mut reader = Reader {
        tensors: &mut tensors,
        prefix: prefix.clone(),
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
    let weights = Weights {
        words,
        positions,
        types,
        norm,
        layers,
    };
    Ok((weights, sha256))
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
