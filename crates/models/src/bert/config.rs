//! What a model's folder says of itself: sizes, pooling, normalisation, prefixes, length.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::encoder::Architecture;
use crate::ModelError;
use crate::kernels::activation::Activation;

/// Longest JSON file of a model that is read; the tokenizer of a large vocabulary has some 17 MB.
const MAX_JSON: u64 = 64 << 20;

/// Largest number that is taken for a size in `config.json`. Real models stay far below it; it
/// keeps products of sizes in range.
const MAX_SIZE: usize = 1 << 24;

/// How token states become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean over all tokens, special tokens included.
    Mean,
    /// The state of the first token, `[CLS]`.
    Cls,
}

impl Pooling {
    /// `mean` or `cls`.
    pub fn name(self) -> &'static str {
        match self {
            Pooling::Mean => "mean",
            Pooling::Cls => "cls",
        }
    }
}

/// Settings of an embedder. What is `None` is taken from the model's manifest, and where that is
/// silent from the model's own files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbedderConfig {
    /// How token states become one vector (`1_Pooling/config.json`; without it, the mean).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pooling: Option<Pooling>,
    /// Put before every question (`prompts` of `config_sentence_transformers.json`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_prefix: Option<String>,
    /// Put before every passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_prefix: Option<String>,
    /// Whether vectors are scaled to unit length (`modules.json`; without it, they are).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalize: Option<bool>,
    /// Tokens that are read of a text, special tokens included (`sentence_bert_config.json`;
    /// without it, as many as the model has positions).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// Threads that compute (as many as the machine has cores). Vectors do not depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

impl EmbedderConfig {
    /// These settings, with those of `other` where they are silent.
    pub(crate) fn or(&self, other: &EmbedderConfig) -> EmbedderConfig {
        EmbedderConfig {
            pooling: self.pooling.or(other.pooling),
            query_prefix: self
                .query_prefix
                .clone()
                .or_else(|| other.query_prefix.clone()),
            passage_prefix: self
                .passage_prefix
                .clone()
                .or_else(|| other.passage_prefix.clone()),
            normalize: self.normalize.or(other.normalize),
            max_length: self.max_length.or(other.max_length),
            threads: self.threads.or(other.threads),
        }
    }
}

/// Every setting decided.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) architecture: Architecture,
    pub(crate) pooling: Pooling,
    pub(crate) query_prefix: String,
    pub(crate) passage_prefix: String,
    pub(crate) normalize: bool,
    pub(crate) max_length: usize,
    /// Texts are lower-cased before the tokenizer sees them.
    pub(crate) lower_case: bool,
}

#[derive(Deserialize)]
struct ConfigFile {
    model_type: Option<String>,
    hidden_size: usize,
    intermediate_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    vocab_size: usize,
    max_position_embeddings: usize,
    #[serde(default = "two")]
    type_vocab_size: usize,
    hidden_act: String,
    #[serde(default = "bert_epsilon")]
    layer_norm_eps: f32,
    position_embedding_type: Option<String>,
}

fn two() -> usize {
    2
}

fn bert_epsilon() -> f32 {
    1e-12
}

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct PoolingFile {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct LengthFile {
    max_seq_length: Option<usize>,
    do_lower_case: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PromptFile {
    prompts: std::collections::BTreeMap<String, String>,
}

/// Reads the folder's files and decides every setting.
pub(crate) fn settings(folder: &Path, config: &EmbedderConfig) -> Result<Settings, ModelError> {
    let path = folder.join("config.json");
    let file: ConfigFile = read_json(&path)?
        .ok_or_else(|| ModelError::broken(&path, "it is missing; a model folder has one"))?;
    let architecture = architecture(folder, &file)?;

    let modules: Option<Vec<Module>> = read_json(&folder.join("modules.json"))?;
    let mut listed_normalize = modules.is_none();
    for module in modules.iter().flatten() {
        match module.kind.rsplit('.').next().unwrap_or_default() {
            "Transformer" | "Pooling" => {}
            "Normalize" => listed_normalize = true,
            other => {
                let reason = format!(
                    "modules.json asks for a {other} module; Transformer, Pooling and Normalize are computed"
                );
                return Err(ModelError::unsupported(folder, reason));
            }
        }
    }
    let pooling = match config.pooling {
        Some(pooling) => pooling,
        None => pooling_of(folder)?,
    };

    let lengths: LengthFile =
        read_json(&folder.join("sentence_bert_config.json"))?.unwrap_or_default();
    let positions = architecture.positions;
    let max_length = config
        .max_length
        .or(lengths.max_seq_length)
        .unwrap_or(positions)
        .min(positions);
    if max_length < 3 {
        let reason = format!(
            "a window of {max_length} tokens has no room for a text between its special tokens; 3 or more are needed"
        );
        return Err(ModelError::unsupported(folder, reason));
    }

    let prompts: PromptFile =
        read_json(&folder.join("config_sentence_transformers.json"))?.unwrap_or_default();
    let prompt = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| prompts.prompts.get(*name))
            .cloned()
            .unwrap_or_default()
    };
    let prefix = |set: &Option<String>, names| set.clone().unwrap_or_else(|| prompt(names));
    Ok(Settings {
        architecture,
        pooling,
        query_prefix: prefix(&config.query_prefix, &["query"]),
        passage_prefix: prefix(&config.passage_prefix, &["passage", "document"]),
        normalize: config.normalize.unwrap_or(listed_normalize),
        max_length,
        lower_case: lengths.do_lower_case,
    })
}

fn architecture(folder: &Path, file: &ConfigFile) -> Result<Architecture, ModelError> {
    let unsupported = |reason: String| Err(ModelError::unsupported(folder, reason));
    if let Some(kind) = file.model_type.as_deref().filter(|kind| *kind != "bert") {
        return unsupported(format!(
            "config.json says model_type `{kind}`; `bert` is computed"
        ));
    }
    if let Some(kind) = file
        .position_embedding_type
        .as_deref()
        .filter(|kind| *kind != "absolute")
    {
        return unsupported(format!(
            "config.json says position_embedding_type `{kind}`; `absolute` is computed"
        ));
    }
    let activation = match file.hidden_act.as_str() {
        "gelu" => Activation::Gelu,
        "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Activation::GeluTanh,
        "relu" => Activation::Relu,
        other => {
            return unsupported(format!(
                "config.json says hidden_act `{other}`; gelu, gelu_new, gelu_pytorch_tanh, gelu_fast and relu are computed"
            ));
        }
    };
    let path = folder.join("config.json");
    for (name, size) in [
        ("hidden_size", file.hidden_size),
        ("intermediate_size", file.intermediate_size),
        ("num_attention_heads", file.num_attention_heads),
        ("num_hidden_layers", file.num_hidden_layers),
        ("vocab_size", file.vocab_size),
        ("max_position_embeddings", file.max_position_embeddings),
        ("type_vocab_size", file.type_vocab_size),
    ] {
        if size == 0 || size > MAX_SIZE {
            return Err(ModelError::broken(&path, format!("{name} is {size}")));
        }
    }
    if !file.hidden_size.is_multiple_of(file.num_attention_heads) {
        let reason = format!(
            "hidden_size {} is not a multiple of num_attention_heads {}",
            file.hidden_size, file.num_attention_heads
        );
        return Err(ModelError::broken(&path, reason));
    }
    if !(file.layer_norm_eps > 0.0 && file.layer_norm_eps < 1.0) {
        let reason = format!("layer_norm_eps is {}", file.layer_norm_eps);
        return Err(ModelError::broken(&path, reason));
    }
    Ok(Architecture {
        hidden: file.hidden_size,
        intermediate: file.intermediate_size,
        heads: file.num_attention_heads,
        layers: file.num_hidden_layers,
        vocabulary: file.vocab_size,
        positions: file.max_position_embeddings,
        types: file.type_vocab_size,
        activation,
        epsilon: file.layer_norm_eps,
    })
}

/// What `config.json` says of a model's head.
#[derive(Deserialize, Default)]
#[serde(default)]
struct HeadFile {
    architectures: Vec<String>,
    id2label: Option<std::collections::BTreeMap<String, serde_json::Value>>,
    num_labels: Option<usize>,
}

fn head(folder: &Path) -> Result<HeadFile, ModelError> {
    Ok(read_json(&folder.join("config.json"))?.unwrap_or_default())
}

/// Whether a model's folder says that it sorts texts: a cross-encoder is such a model.
pub(crate) fn is_classifier(folder: &Path) -> Result<bool, ModelError> {
    let names = head(folder)?.architectures;
    Ok(names
        .iter()
        .any(|name| name.ends_with("ForSequenceClassification")))
}

/// How many labels a model's head gives; two where `config.json` is silent, as in the
/// `transformers` library.
pub(crate) fn labels(folder: &Path) -> Result<usize, ModelError> {
    let head = head(folder)?;
    let listed = head.id2label.map(|labels| labels.len());
    Ok(listed.or(head.num_labels).unwrap_or(2))
}

/// The labels of a token classifier in the order of its outputs. An error where `config.json`
/// does not name it as one, or does not number its labels from 0 on.
pub(crate) fn token_labels(folder: &Path) -> Result<Vec<String>, ModelError> {
    let head = head(folder)?;
    let named = |ending: &str| head.architectures.iter().any(|name| name.ends_with(ending));
    if !head.architectures.is_empty() && !named("ForTokenClassification") {
        let reason = format!(
            "config.json says it is a {}; a tagger is a BertForTokenClassification",
            head.architectures.join(", ")
        );
        return Err(ModelError::unsupported(folder, reason));
    }
    let listed = head.id2label.unwrap_or_default();
    let labels: Option<Vec<String>> = (0..listed.len())
        .map(|number| Some(listed.get(&number.to_string())?.as_str()?.to_owned()))
        .collect();
    match labels {
        Some(labels) if !labels.is_empty() => Ok(labels),
        _ => {
            let reason = "config.json does not name its labels: `id2label` with the numbers from 0 on is needed";
            Err(ModelError::unsupported(folder, reason))
        }
    }
}

fn pooling_of(folder: &Path) -> Result<Pooling, ModelError> {
    let Some(file) = read_json::<PoolingFile>(&folder.join("1_Pooling/config.json"))? else {
        return Ok(Pooling::Mean);
    };
    let other = file.pooling_mode_max_tokens
        || file.pooling_mode_mean_sqrt_len_tokens
        || file.pooling_mode_weightedmean_tokens
        || file.pooling_mode_lasttoken;
    match (
        file.pooling_mode_cls_token,
        file.pooling_mode_mean_tokens,
        other,
    ) {
        (true, false, false) => Ok(Pooling::Cls),
        (false, true, false) => Ok(Pooling::Mean),
        _ => {
            let reason =
                "1_Pooling/config.json asks for another pooling than `mean` or `cls` alone";
            Err(ModelError::unsupported(folder, reason))
        }
    }
}

/// Reads a JSON file of a model; `None` where there is none.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ModelError> {
    let Some(bytes) = read_bytes(path)? else {
        return Ok(None);
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| ModelError::broken(path, format!("it cannot be read: {error}")))
}

/// Reads a small file of a model; `None` where there is none.
pub(crate) fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, ModelError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ModelError::io("read", path)(error)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_JSON + 1)
        .read_to_end(&mut bytes)
        .map_err(ModelError::io("read", path))?;
    if bytes.len() as u64 > MAX_JSON {
        let reason = format!("it is longer than the {MAX_JSON} bytes that are read");
        return Err(ModelError::broken(path, reason));
    }
    Ok(Some(bytes))
}
