//! Models of the BERT family, from a folder with weights, tokenizer and configuration: embedders
//! here, cross-encoders in `cross_encoder`.
//!
//! | module | holds |
//! |---|---|
//! | `config` | settings, and the folder's JSON files |
//! | `tokens` | `tokenizer.json` |
//! | `weights` | `model.safetensors`, laid out for the kernels |
//! | `encoder` | the forward pass: token ids in, hidden states out |
//! | `batch` | many texts through the encoder |
//! | `cross_encoder` | a question and a passage read together: one score a pair |
//! | `token_classifier` | a label for every word: names of places and people |
//! | `parallel` | work shared between threads |

use std::fmt;
use std::path::Path;

use sha2::{Digest, Sha256};

use self::batch::BatchEncoder;
use self::config::Settings;
use self::encoder::{Encoder, HiddenStates, Sequence};
use self::tokens::ModelTokenizer;
use crate::ModelError;
use crate::embed::{Embedder, EmbedderIdentity, TextRole, TokenEmbedder, TokenVectors, Tokenizer};
use crate::kernels::rows::to_unit_length;
use crate::safetensors::hex;

pub(crate) mod batch;
pub(crate) mod config;
pub(crate) mod cross_encoder;
pub(crate) mod encoder;
pub(crate) mod parallel;
pub(crate) mod token_classifier;
pub(crate) mod tokens;
pub(crate) mod weights;

pub use self::config::{EmbedderConfig, Pooling};
pub use self::cross_encoder::{CrossEncoder, RerankerConfig};
pub use self::token_classifier::BertTagger;

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
    encoder: BatchEncoder,
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
        let path = weights::path(folder)?;
        let (weights, weights_hash) = weights::read(&path, sizes)?;
        let identity = EmbedderIdentity {
            name: name.to_owned(),
            digest: digest(&settings, &weights_hash, &tokenizer_hash),
            dimension: sizes.hidden,
        };
        Ok(BertEmbedder {
            identity,
            encoder: BatchEncoder::new(
                Encoder::new(settings.architecture.clone(), weights),
                config.threads,
            ),
            settings,
            tokenizer,
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
        let threads = self.encoder.threads();
        let sequences = parallel::map(threads, texts, |text| self.sequence(text, role));
        let sequences = sequences
            .into_iter()
            .collect::<Result<Vec<Sequence>, _>>()?;
        let vectors = self
            .encoder
            .run(&sequences, |states, member, _| self.pool(states, member));
        Ok(vectors)
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        &self.tokenizer
    }

    fn token_embedder(&self) -> Option<&dyn TokenEmbedder> {
        Some(self)
    }
}

impl TokenEmbedder for BertEmbedder {
    fn embed_tokens(
        &self,
        texts: &[&str],
        role: TextRole,
    ) -> Result<Vec<TokenVectors>, ModelError> {
        let prefix = self.prefix(role);
        let lower_case = self.settings.lower_case;
        let read = parallel::map(self.encoder.threads(), texts, |text| {
            self.tokenizer.located(prefix, text, lower_case)
        });
        let read = read.into_iter().collect::<Result<Vec<_>, _>>()?;
        let (sequences, mut located): (Vec<Sequence>, Vec<_>) = read.into_iter().unzip();
        let found = self.encoder.run(&sequences, |states, member, number| {
            let rows: Vec<&[f32]> = states.tokens(member).collect();
            let places = &located[number];
            let mut values = Vec::with_capacity(places.len() * self.identity.dimension);
            for (row, _) in places {
                values.extend_from_slice(rows[*row]);
            }
            (self.pool(states, member), values)
        });
        let vectors = found.into_iter().zip(&mut located);
        Ok(vectors
            .map(|((text, states), places)| TokenVectors {
                text,
                ranges: places.drain(..).map(|(_, range)| range).collect(),
                states,
            })
            .collect())
    }
}

impl fmt::Debug for BertEmbedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BertEmbedder")
            .field("identity", &self.identity)
            .field("settings", &self.settings)
            .field("threads", &self.encoder.threads())
            .finish_non_exhaustive()
    }
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
