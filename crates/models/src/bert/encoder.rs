//! The encoder of BERT (Devlin et al. 2019): token ids in, one hidden state a token out.
//!
//! The sequences of a batch stand one behind the other without padding tokens. Dense layers run
//! over all tokens of the batch at once, attention within each sequence, so a sequence's states
//! are the same bits whatever else is in its batch.

use pulp::Arch;

use super::weights::{Dense, Layer, LayerNorm, Weights};
use crate::kernels::activation::Activation;
use crate::kernels::matrix::{Panels, Product, ROW_TILE, padded_columns, padded_rows};
use crate::kernels::rows::{self, AddLayerNorm, Softmax};

/// Rows that go through the second half of a layer together, so that the wide intermediate
/// values stay in cache. A multiple of [`ROW_TILE`].
const ROW_BLOCK: usize = 96;

/// Sizes and constants of an encoder, from `config.json`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Architecture {
    pub(crate) hidden: usize,
    pub(crate) intermediate: usize,
    pub(crate) heads: usize,
    pub(crate) layers: usize,
    pub(crate) vocabulary: usize,
    pub(crate) positions: usize,
    pub(crate) types: usize,
    pub(crate) activation: Activation,
    pub(crate) epsilon: f32,
}

/// One text, or a pair of texts, as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// Token ids, special tokens included; each below the vocabulary's size, and no more of them
    /// than the model has positions.
    pub(crate) ids: Vec<u32>,
    /// For each token 0, or 1 in the second text of a pair.
    pub(crate) types: Vec<u32>,
}

/// An encoder with its weights.
#[derive(Debug)]
pub(crate) struct Encoder {
    arch: Arch,
    architecture: Architecture,
    weights: Weights,
    /// Distance between rows of hidden states.
    stride: usize,
}

/// The hidden states of a batch.
#[derive(Debug)]
pub(crate) struct HiddenStates<'a> {
    values: &'a [f32],
    stride: usize,
    hidden: usize,
    starts: &'a [usize],
}

impl<'a> HiddenStates<'a> {
    /// The states of one sequence's tokens, in order.
    pub(crate) fn tokens(&self, sequence: usize) -> impl Iterator<Item = &'a [f32]> + use<'a> {
        let (start, end) = (self.starts[sequence], self.starts[sequence + 1]);
        let (stride, hidden) = (self.stride, self.hidden);
        self.values[start * stride..end * stride]
            .chunks(stride)
            .map(move |row| &row[..hidden])
    }
}

/// Memory that one thread uses again for each batch.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    starts: Vec<usize>,
    states: Vec<f32>,
    queries_keys_values: Vec<f32>,
    context: Vec<f32>,
    attended: Vec<f32>,
    intermediate: Vec<f32>,
    keys: Panels,
    values: Panels,
    scores: Vec<f32>,
    head: Vec<f32>,
}

impl Encoder {
    pub(crate) fn new(architecture: Architecture, weights: Weights) -> Encoder {
        Encoder {
            arch: Arch::new(),
            stride: padded_columns(architecture.hidden),
            architecture,
            weights,
        }
    }

    /// Runs the encoder over a batch.
    pub(crate) fn encode<'a>(
        &self,
        sequences: &[&Sequence],
        scratch: &'a mut Scratch,
    ) -> HiddenStates<'a> {
        scratch.starts.clear();
        scratch.starts.push(0);
        let mut total = 0;
        for sequence in sequences {
            total += sequence.ids.len();
            scratch.starts.push(total);
        }
        let rows = padded_rows(total);
        let stride = self.stride;
        // Attention reads whole tiles of queries, so the last sequence needs rows behind it.
        grow(
            &mut scratch.queries_keys_values,
            (rows + ROW_TILE) * 3 * stride,
        );
        clear(&mut scratch.states, rows * stride);
        clear(&mut scratch.context, rows * stride);
        grow(&mut scratch.attended, ROW_BLOCK * stride);
        let wide = padded_columns(self.architecture.intermediate);
        grow(&mut scratch.intermediate, ROW_BLOCK * wide);
        self.embed(sequences, scratch);
        for layer in &self.weights.layers {
            self.product(
                &scratch.states,
                rows,
                &layer.queries_keys_values,
                None,
                &mut scratch.queries_keys_values,
            );
            for sequence in 0..sequences.len() {
                self.attend(sequence, scratch);
            }
            self.feed_forward(layer, scratch);
        }
        HiddenStates {
            values: &scratch.states,
            stride,
            hidden: self.architecture.hidden,
            starts: &scratch.starts,
        }
    }

    /// The sum of word, position and type embeddings, normalised.
    fn embed(&self, sequences: &[&Sequence], scratch: &mut Scratch) {
        let hidden = self.architecture.hidden;
        let weights = &self.weights;
        let tokens = sequences.iter().flat_map(|sequence| {
            let ids = sequence.ids.iter().zip(&sequence.types);
            ids.enumerate()
                .map(|(position, (id, kind))| (position, *id as usize, *kind as usize))
        });
        let states = scratch.states.chunks_mut(self.stride);
        let types = scratch.context.chunks_mut(self.stride);
        for ((position, id, kind), (state, type_row)) in tokens.zip(states.zip(types)) {
            let word = &weights.words[id * hidden..][..hidden];
            let place = &weights.positions[position * hidden..][..hidden];
            for ((x, w), p) in state.iter_mut().zip(word).zip(place) {
                *x = w + p;
            }
            type_row[..hidden].copy_from_slice(&weights.types[kind * hidden..][..hidden]);
        }
        self.add_and_normalise(&weights.norm, &scratch.context, &mut scratch.states);
    }

    /// Scaled dot-product attention of one sequence, head by head, into `scratch.context`.
    fn attend(&self, sequence: usize, scratch: &mut Scratch) {
        let start = scratch.starts[sequence];
        let length = scratch.starts[sequence + 1] - start;
        let rows = padded_rows(length);
        let stride = self.stride;
        let width = self.architecture.hidden / self.architecture.heads;
        let (score_stride, head_stride) = (padded_columns(length), padded_columns(width));
        grow(&mut scratch.scores, rows * score_stride);
        grow(&mut scratch.head, rows * head_stride);
        let triple = 3 * stride;
        let from_start = &scratch.queries_keys_values[start * triple..];
        for head in 0..self.architecture.heads {
            let queries = &from_start[head * width..];
            let keys = &from_start[stride + head * width..];
            let values = &from_start[2 * stride + head * width..];
            scratch.keys.fill_transposed(keys, triple, length, width);
            Product {
                left: queries,
                left_stride: triple,
                rows,
                right: &scratch.keys,
                bias: None,
                activation: None,
                out: &mut scratch.scores,
                out_stride: score_stride,
            }
            .run(self.arch);
            let softmax = Softmax {
                scores: &mut scratch.scores[..length * score_stride],
                stride: score_stride,
                columns: length,
                scale: 1.0 / (width as f32).sqrt(),
            };
            rows::run(self.arch, softmax);
            scratch.values.fill(values, triple, width, length);
            Product {
                left: &scratch.scores,
                left_stride: score_stride,
                rows,
                right: &scratch.values,
                bias: None,
                activation: None,
                out: &mut scratch.head,
                out_stride: head_stride,
            }
            .run(self.arch);
            let heads = scratch.head.chunks(head_stride).take(length);
            for (row, context) in heads.zip(scratch.context[start * stride..].chunks_mut(stride)) {
                context[head * width..][..width].copy_from_slice(&row[..width]);
            }
        }
    }

    /// The rest of a layer: attention's dense layer and the feed-forward network, each with its
    /// shortcut and normalisation.
    fn feed_forward(&self, layer: &Layer, scratch: &mut Scratch) {
        let block = ROW_BLOCK * self.stride;
        let contexts = scratch.context.chunks(block);
        for (states, context) in scratch.states.chunks_mut(block).zip(contexts) {
            let rows = states.len() / self.stride;
            let attended = &mut scratch.attended[..states.len()];
            self.product(context, rows, &layer.attention_output, None, attended);
            self.add_and_normalise(&layer.attention_norm, states, attended);
            let activation = Some(self.architecture.activation);
            let wide = &mut scratch.intermediate;
            self.product(attended, rows, &layer.intermediate, activation, wide);
            self.product(wide, rows, &layer.output, None, states);
            self.add_and_normalise(&layer.output_norm, attended, states);
        }
    }

    fn product(
        &self,
        left: &[f32],
        rows: usize,
        dense: &Dense,
        activation: Option<Activation>,
        out: &mut [f32],
    ) {
        Product {
            left,
            left_stride: padded_columns(dense.inputs),
            rows,
            right: &dense.weights,
            bias: Some(&dense.bias),
            activation,
            out,
            out_stride: dense.weights.padded_columns(),
        }
        .run(self.arch);
    }

    fn add_and_normalise(&self, norm: &LayerNorm, residual: &[f32], out: &mut [f32]) {
        let kernel = AddLayerNorm {
            out,
            residual,
            stride: self.stride,
            weight: &norm.weight,
            bias: &norm.bias,
            epsilon: self.architecture.epsilon,
        };
        rows::run(self.arch, kernel);
    }
}

/// Zeros of a length, in memory that is used again.
fn clear(buffer: &mut Vec<f32>, length: usize) {
    buffer.clear();
    buffer.resize(length, 0.0);
}

/// At least a length of finite numbers, for what is written before it is read, or read only to
/// fill up a tile.
fn grow(buffer: &mut Vec<f32>, length: usize) {
    if buffer.len() < length {
        buffer.resize(length, 0.0);
    }
}
