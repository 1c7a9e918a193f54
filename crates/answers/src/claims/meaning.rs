//! Vectors of the words of a claim and of its evidence.

use std::ops::Range;

use lahar_models::{Embedder, ModelError, TextRole};

use super::passage::Passage;

/// A text's vector and one of unit length for each of its words. Without a model that tells
/// words apart there are none of the latter.
pub(crate) struct Meaning {
    /// Of the whole text.
    pub text: Vec<f32>,
    /// Of its words, in order.
    pub words: Vec<Vec<f32>>,
}

/// The vectors of some passages, in order.
pub(crate) fn meanings(
    model: &dyn Embedder,
    passages: &[&Passage],
    role: TextRole,
) -> Result<Vec<Meaning>, ModelError> {
    let texts: Vec<&str> = passages.iter().map(|p| p.text.as_str()).collect();
    let Some(model) = model.token_embedder() else {
        let vectors = model.embed(&texts, role)?.into_iter();
        return Ok(vectors
            .map(|text| Meaning {
                text,
                words: Vec::new(),
            })
            .collect());
    };
    let found = model.embed_tokens(&texts, role)?;
    let read = passages.iter().zip(found).map(|(passage, vectors)| {
        let parts: Vec<(&Range<usize>, &[f32])> = vectors.iter().collect();
        let words = passage.tokens.iter().map(|token| {
            let of_word = parts.iter().filter(|(range, _)| {
                range.start < token.bytes.end && token.bytes.start < range.end
            });
            mean(of_word.map(|(_, vector)| *vector), vectors.text.len())
        });
        Meaning {
            words: words.collect(),
            text: vectors.text.clone(),
        }
    });
    Ok(read.collect())
}

/// The mean of some vectors, scaled to unit length; zeros where there are none, as for a word
/// beyond the model's window.
fn mean<'v>(vectors: impl Iterator<Item = &'v [f32]>, length: usize) -> Vec<f32> {
    let mut sum = vec![0.0; length];
    for vector in vectors {
        for (total, value) in sum.iter_mut().zip(vector) {
            *total += value;
        }
    }
    let norm = sum.iter().map(|v| v * v).sum::<f32>().sqrt();
    if norm > 0.0 {
        for value in &mut sum {
            *value /= norm;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_unit_length() {
        let vectors: [&[f32]; 2] = [&[2.0, 0.0], &[0.0, 2.0]];
        let found = mean(vectors.into_iter(), 2);
        assert!((found[0] - 0.5f32.sqrt()).abs() < 1e-6 && (found[0] - found[1]).abs() < 1e-6);
        assert_eq!(mean(std::iter::empty(), 2), [0.0, 0.0]);
    }
}
