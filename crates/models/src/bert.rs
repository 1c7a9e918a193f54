//! Embedders of the BERT family, from a folder with weights, tokenizer and configuration.
//!
//! | module | holds |
//! |---|---|
//! | `config` | settings, and the folder's JSON files |
//! | `tokens` | `tokenizer.json` |
//! | `weights` | `model.safetensors`, laid out for the kernels |
//! | `encoder` | the forward pass: token ids in, hidden states out |
//! | `parallel` | work shared between threads |

use std::fmt;
use std::path::Path;
use std::sync::Mutex;

use sha2::{Digest, Sha256};

use self::config::Settings;
use self::encoder::{Encoder, HiddenStates, Scratch, Sequence};
use self::tokens::ModelTokenizer;
use crate::ModelError;
use crate::embed::{Embedder, EmbedderIdentity, TextRole, Tokenizer};
use crate::kernels::rows::to_unit_length;
use crate::safetensors::hex;

pub(crate) mod config;
pub(crate) mod encoder;
pub(crate) mod parallel;
pub(crate) mod tokens;
pub(crate) mod weights;

pub use self::config::{EmbedderConfig, Pooling};

/// Tokens that one thread takes through the layers together. Enough to keep the kernels busy;
/// the memory of a thread grows with it (8 kB a token for a hidden size of 384).
const BATCH_TOKENS: usize = 1536;

/// An embedding model of the BERT family, computed on this machine.
///
/// ```no_run
/// use lahar_models::{BertEmbedder, Embedder, EmbedderConfig, TextRole};
/// # fn main() -> Result<(), lahar_models::ModelError> {
/// let folder = std::path::Path::new("all-MiniLM-L6-v2");
/// let embedder = BertEmbedder::open(folder, "all-MiniLM-L6-v2", &EmbedderConfig::default())?;
/// let vectors = embedder.embed(&["debris flow warning"], TextRole::Query)?;
/// assert_eq!(vectors[0].len(), embedder.identity().dimension);
/// # Ok(())
/// # }
/// ```
pub struct BertEmbedder {
    identity: EmbedderIdentity,
    settings: Settings,
    tokenizer: ModelTokenizer,
    encoder: Encoder,
    threads: usize,
    /// Memory of threads that are not computing at the moment.
    scratches: Mutex<Vec<Scratch>>,
}

impl BertEmbedder {
    /// Opens the model in a folder: `config.json`, `tokenizer.json` and `model.safetensors`, and
    /// where they are present `modules.json`, `1_Pooling/config.json`,
    /// `sentence_bert_config.json` and `config_sentence_transformers.json`.
    pub fn open(
        folder: &Path,
        name: &str,
        config: &EmbedderConfig,
    ) -> Result<BertEmbedder, ModelError> {
        let settings = config::settings(folder, config)?;
        let sizes = &settings.architecture;
        let (tokenizer, tokenizer_hash) = ModelTokenizer::open(
            folder,
            name,
            sizes.vocabulary,
            sizes.types,
            settings.max_length,
        )?;
        let path = folder.join("model.safetensors");
        if !path.exists() {
            let pickled = folder.join("pytorch_model.bin").exists();
            let reason = match pickled {
                true => {
                    "it is missing; there is a pytorch_model.bin, but pickled weights can run code and are never read: save the model as safetensors"
                }
                false => "it is missing; a model folder has one",
            };
            return Err(ModelError::broken(&path, reason));
        }
        let (weights, weights_hash) = weights::read(&path, sizes)?;
        let identity = EmbedderIdentity {
            name: name.to_owned(),
            digest: digest(&settings, &weights_hash, &tokenizer_hash),
            dimension: sizes.hidden,
        };
        let threads = match config.threads {
            Some(threads) => threads.max(1),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        Ok(BertEmbedder {
            identity,
            encoder: Encoder::new(settings.architecture.clone(), weights),
            settings,
            tokenizer,
            threads,
            scratches: Mutex::default(),
        })
    }

    /// Tokens that are read of a text, special tokens and prefix included.
    pub fn max_length(&self) -> usize {
        self.settings.max_length
    }

    /// How token states become one vector.
    pub fn pooling(&self) -> Pooling {
        self.settings.pooling
    }

    /// The text put before every text of this role.
    pub fn prefix(&self, role: TextRole) -> &str {
        match role {
            TextRole::Query => &self.settings.query_prefix,
            TextRole::Passage => &self.settings.passage_prefix,
        }
    }

    /// Whether vectors are scaled to unit length.
    pub fn normalizes(&self) -> bool {
        self.settings.normalize
    }

    fn sequence(&self, text: &str, role: TextRole) -> Result<Sequence, ModelError> {
        let prefix = self.prefix(role);
        match (prefix.is_empty(), self.settings.lower_case) {
            (true, false) => self.tokenizer.sequence(text),
            (_, false) => self.tokenizer.sequence(&format!("{prefix}{text}")),
            (_, true) => self
                .tokenizer
                .sequence(&format!("{prefix}{text}").to_lowercase()),
        }
    }

    fn pool(&self, states: &HiddenStates<'_>, sequence: usize) -> Vec<f32> {
        let mut tokens = states.tokens(sequence);
        let mut vector = tokens.next().unwrap_or_default().to_vec();
        if self.settings.pooling == Pooling::Mean {
            let mut count = 1.0;
            for token in tokens {
                count += 1.0;
                vector.iter_mut().zip(token).for_each(|(sum, x)| *sum += x);
            }
            vector.iter_mut().for_each(|x| *x /= count);
        }
        if self.settings.normalize {
            to_unit_length(&mut vector);
        }
        vector
    }
}

impl Embedder for BertEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, ModelError> {
        let sequences = parallel::map(self.threads, texts, |text| self.sequence(text, role));
        let sequences = sequences
            .into_iter()
            .collect::<Result<Vec<Sequence>, _>>()?;
        let batches = batches(&sequences, self.threads);
        let vectors = parallel::map(self.threads, &batches, |batch| {
            let mut scratch = self.take_scratch();
            let members: Vec<&Sequence> = batch.iter().map(|&i| &sequences[i]).collect();
            let states = self.encoder.encode(&members, &mut scratch);
            let vectors: Vec<_> = (0..members.len()).map(|i| self.pool(&states, i)).collect();
            self.return_scratch(scratch);
            vectors
        });
        let mut in_order = vec![Vec::new(); texts.len()];
        for (batch, vectors) in batches.iter().zip(vectors) {
            for (&i, vector) in batch.iter().zip(vectors) {
                in_order[i] = vector;
            }
        }
        Ok(in_order)
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        &self.tokenizer
    }
}

impl BertEmbedder {
    fn take_scratch(&self) -> Scratch {
        let mut scratches = self.scratches.lock().unwrap_or_else(|e| e.into_inner());
        scratches.pop().unwrap_or_default()
    }

    fn return_scratch(&self, scratch: Scratch) {
        let mut scratches = self.scratches.lock().unwrap_or_else(|e| e.into_inner());
        if scratches.len() < self.threads {
            scratches.push(scratch);
        }
    }
}

impl fmt::Debug for BertEmbedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BertEmbedder")
            .field("identity", &self.identity)
            .field("settings", &self.settings)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// Cuts texts into batches of at most [`BATCH_TOKENS`] tokens (one longer text is a batch by
/// itself), the longest texts first so that no thread is left with a long one at the end.
fn batches(sequences: &[Sequence], threads: usize) -> Vec<Vec<usize>> {
    let length = |i: usize| sequences[i].ids.len();
    let total: usize = (0..sequences.len()).map(length).sum();
    let budget = total.div_ceil(threads).clamp(1, BATCH_TOKENS);
    let mut order: Vec<usize> = (0..sequences.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(length(i)));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for i in order {
        match batches.last_mut() {
            Some(batch) if length(i) <= room => batch.push(i),
            _ => {
                batches.push(vec![i]);
                room = budget;
            }
        }
        room = room.saturating_sub(length(i));
    }
    batches
}

/// One hash over everything that a vector depends on.
fn digest(settings: &Settings, weights: &str, tokenizer: &str) -> String {
    let sizes = &settings.architecture;
    let text = format!(
        "lahar embedder 1\nweights {weights}\ntokenizer {tokenizer}\nheads {}\nactivation {:?}\n\
         epsilon {:e}\npooling {}\nquery prefix {:?}\npassage prefix {:?}\nnormalize {}\n\
         max length {}\nlower case {}\n",
        sizes.heads,
        sizes.activation,
        sizes.epsilon,
        settings.pooling.name(),
        settings.query_prefix,
        settings.passage_prefix,
        settings.normalize,
        settings.max_length,
        settings.lower_case,
    );
    hex(&Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_every_text_once_within_the_budget() {
        let lengths = [3, 900, 900, 5, 256, 256, 256, 2000, 1, 700];
        let sequences: Vec<Sequence> = lengths
            .iter()
            .map(|&n| Sequence {
                ids: vec![0; n],
                types: vec![0; n],
            })
            .collect();
        for threads in [1, 2, 7] {
            let batches = batches(&sequences, threads);
            let mut seen: Vec<usize> = batches.concat();
            seen.sort();
            assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                let tokens: usize = batch.iter().map(|&i| lengths[i]).sum();
                assert!(tokens <= BATCH_TOKENS || batch.len() == 1, "{tokens}");
            }
        }
        assert!(batches(&[], 2).is_empty());
    }
}
