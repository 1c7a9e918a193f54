//! Cross-encoders: BERT with a head of one logit over a pair of texts (Nogueira and Cho 2019,
//! "Passage Re-ranking with BERT"; the classes `BertForSequenceClassification`).

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::batch::BatchEncoder;
use super::config::{self, EmbedderConfig};
use super::encoder::{Encoder, Sequence};
use super::parallel;
use super::tokens::ModelTokenizer;
use super::weights::{self, Head};
use crate::ModelError;
use crate::rerank::Reranker;
use crate::safetensors::hex;

/// Settings of a cross-encoder. What is `None` is taken from the model's own files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RerankerConfig {
    /// Tokens that are read of a question and a passage together, special tokens included (as
    /// many as the model has positions).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// Threads that compute (as many as the machine has cores). Scores do not depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

/// A reranking model of the BERT family, computed on this machine.
///
/// Question and passage are read together as `[CLS] question [SEP] passage [SEP]`, with type 1
/// from the passage on; the state of `[CLS]` goes through the pooler (dense, hyperbolic tangent)
/// and a dense layer with one output, whose logistic function is the score.
///
/// ```no_run
/// use lahar_models::{CrossEncoder, Reranker, RerankerConfig};
/// # fn main() -> Result<(), lahar_models::ModelError> {
/// let folder = std::path::Path::new("ms-marco-MiniLM-L-6-v2");
/// let model = CrossEncoder::open(folder, "ms-marco-MiniLM-L-6-v2", &RerankerConfig::default())?;
/// let scores = model.score("What triggers lahars?", &["Rain on ash.", "A school timetable."])?;
/// assert!(scores[0] > scores[1]);
/// # Ok(())
/// # }
/// ```
pub struct CrossEncoder {
    name: String,
    digest: String,
    tokenizer: ModelTokenizer,
    encoder: BatchEncoder,
    head: Head,
    max_length: usize,
}

impl CrossEncoder {
    /// Opens the model in a folder: `config.json`, `tokenizer.json` and `model.safetensors`.
    /// Refused where it gives more than one label.
    pub fn open(
        folder: &Path,
        name: &str,
        config: &RerankerConfig,
    ) -> Result<CrossEncoder, ModelError> {
        let labels = config::labels(folder)?;
        if labels != 1 {
            let reason = format!(
                "it sorts texts into {labels} classes; a reranker gives one number a pair \
                 (num_labels 1, or one entry in id2label of config.json)"
            );
            return Err(ModelError::unsupported(folder, reason));
        }
        let asked = EmbedderConfig {
            max_length: config.max_length,
            ..EmbedderConfig::default()
        };
        let settings = config::settings(folder, &asked)?;
        let sizes = &settings.architecture;
        let max_length = settings.max_length;
        if sizes.types < 2 {
            let reason = "it has one type of token and cannot tell a question from a passage";
            return Err(ModelError::unsupported(folder, reason));
        }
        let (tokenizer, tokenizer_hash) =
            ModelTokenizer::open(folder, name, sizes.vocabulary, sizes.types, max_length)?;
        // Whether the tokenizer can make pairs at all shows at once.
        tokenizer.pair("a", "a").map_err(|error| {
            ModelError::broken(&folder.join("tokenizer.json"), error.to_string())
        })?;
        let (weights, head, weights_hash) =
            weights::read_with_head(&weights::path(folder)?, sizes)?;
        let digest = hex(&Sha256::digest(format!(
            "lahar cross-encoder 1\nweights {weights_hash}\ntokenizer {tokenizer_hash}\n\
             heads {}\nactivation {:?}\nepsilon {:e}\nmax length {max_length}\n",
            sizes.heads, sizes.activation, sizes.epsilon,
        )));
        Ok(CrossEncoder {
            name: name.to_owned(),
            digest,
            tokenizer,
            encoder: BatchEncoder::new(
                Encoder::new(settings.architecture.clone(), weights),
                config.threads,
            ),
            head,
            max_length,
        })
    }

    /// Hash over everything that a score depends on.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Tokens that are read of a question and a passage together.
    pub fn max_length(&self) -> usize {
        self.max_length
    }

    /// The model's number for each passage before the logistic function, in order.
    pub fn logits(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        let pairs = parallel::map(self.encoder.threads(), passages, |passage| {
            self.tokenizer.pair(question, passage)
        });
        let pairs = pairs.into_iter().collect::<Result<Vec<Sequence>, _>>()?;
        let logits = self.encoder.run(&pairs, |states, member, _| {
            let first = states.tokens(member).next().unwrap_or_default();
            self.head.logit(first)
        });
        Ok(logits)
    }
}

impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn score(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        let logits = self.logits(question, passages)?;
        Ok(logits.into_iter().map(logistic).collect())
    }
}

impl Head {
    /// One number from the state of the first token.
    fn logit(&self, state: &[f32]) -> f32 {
        let rows = self.pooler.chunks_exact(state.len().max(1));
        let outputs = rows.zip(&self.pooler_bias).zip(&self.classifier);
        outputs.fold(self.classifier_bias, |sum, ((row, bias), weight)| {
            let dense: f32 = row.iter().zip(state).map(|(w, x)| w * x).sum();
            weight.mul_add((dense + bias).tanh(), sum)
        })
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl fmt::Debug for CrossEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrossEncoder")
            .field("name", &self.name)
            .field("digest", &self.digest)
            .field("max_length", &self.max_length)
            .finish_non_exhaustive()
    }
}
