//! The configuration file (`--config FILE`, TOML) and its defaults.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::chat_model::ChatSettings;
use crate::failure::{Failure, Kind};

/// Everything that can be set. Every field has a default; an unknown key is an error.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Which model makes vectors.
    pub embedder: EmbedderSettings,
    /// Limits on what is read and asked.
    pub limits: Limits,
    /// How candidates are put into their final order.
    pub reranker: RerankerSettings,
    /// Not built yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tagger: Option<toml::Table>,
    /// The chat model; none where there is no such table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<ChatSettings>,
    /// Not built yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<toml::Table>,
    /// Not built yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hazards: Option<toml::Table>,
}

/// `[embedder]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EmbedderSettings {
    /// Name of an installed model; `none` searches by words alone.
    pub model: String,
    /// Folder of installed models; by default `$LAHAR_MODELS` or the user's data folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// How token states become one vector, where the model does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pooling: Option<lahar_models::Pooling>,
    /// Put before every question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_prefix: Option<String>,
    /// Put before every passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_prefix: Option<String>,
    /// Whether vectors are scaled to unit length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalize: Option<bool>,
    /// Tokens that are read of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// Threads; by default as many as the machine has cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

impl EmbedderSettings {
    /// What is set here goes before what the model says of itself.
    pub fn of_model(&self) -> lahar_models::EmbedderConfig {
        lahar_models::EmbedderConfig {
            pooling: self.pooling,
            query_prefix: self.query_prefix.clone(),
            passage_prefix: self.passage_prefix.clone(),
            normalize: self.normalize,
            max_length: self.max_length,
            threads: self.threads,
        }
    }
}

impl Default for EmbedderSettings {
    fn default() -> EmbedderSettings {
        EmbedderSettings {
            model: lahar_models::store::DEFAULT_MODEL.into(),
            folder: None,
            pooling: None,
            query_prefix: None,
            passage_prefix: None,
            normalize: None,
            max_length: None,
            threads: None,
        }
    }
}

/// `[reranker]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RerankerSettings {
    /// Name of an installed cross-encoder; `late` compares the tokens of question and passage by
    /// the embedding model, `none` leaves the first ranking as it is.
    pub model: String,
    /// A passage to which the cross-encoder gives a lower score, 0 to 1, is no evidence.
    pub floor: f32,
    /// Tokens that a cross-encoder reads of a question and a passage together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// Threads; by default as many as the machine has cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

impl RerankerSettings {
    /// What is set here goes before what the model says of itself.
    pub fn of_model(&self) -> lahar_models::RerankerConfig {
        lahar_models::RerankerConfig {
            max_length: self.max_length,
            threads: self.threads,
        }
    }
}

impl Default for RerankerSettings {
    fn default() -> RerankerSettings {
        RerankerSettings {
            model: "late".into(),
            floor: 0.0,
            max_length: None,
            threads: None,
        }
    }
}

/// `[limits]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Largest file that is read, in megabytes.
    pub file_megabytes: u64,
    /// Largest file of text, Markdown or HTML that is read, in megabytes.
    pub text_megabytes: u64,
    /// Longest time that a PDF may take, in seconds.
    pub pdf_seconds: u64,
    /// Most memory that reading a PDF may take, in megabytes.
    pub pdf_megabytes: u64,
    /// Longest time that a change of the library waits for another process, in seconds.
    pub writer_seconds: u64,
    /// Longest question, in characters.
    pub question_characters: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_megabytes: 512,
            text_megabytes: 64,
            pdf_seconds: 120,
            pdf_megabytes: 1024,
            writer_seconds: lahar_library::store::WRITER_WAIT.as_secs(),
            question_characters: 10_000,
        }
    }
}

impl Config {
    /// Reads a configuration file, or gives the defaults where none is named.
    pub fn read(path: Option<&Path>) -> Result<Config, Failure> {
        let Some(path) = path else {
            return Ok(Config::default());
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::new(
                Kind::Config,
                format!("the configuration cannot be read: {error}"),
            )
            .at(path.display())
        })?;
        Config::parse(&text).map_err(|failure| failure.at(path.display()))
    }

    /// Reads the text of a configuration file.
    pub fn parse(text: &str) -> Result<Config, Failure> {
        let config: Config = toml::from_str(text).map_err(|error| {
            Failure::new(
                Kind::Config,
                format!("the configuration is not valid: {error}"),
            )
        })?;
        let unbuilt = [
            ("tagger", &config.tagger),
            ("search", &config.search),
            ("hazards", &config.hazards),
        ];
        match unbuilt.iter().find(|(_, table)| table.is_some()) {
            Some((name, _)) => Err(Failure::new(
                Kind::NotImplemented,
                format!("the table [{name}] is not implemented yet"),
            )
            .hint("take the table out of the configuration")),
            None => Ok(config),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_survive_writing_and_reading() {
        let text = toml::to_string(&Config::default()).unwrap();
        assert_eq!(Config::parse(&text).unwrap(), Config::default());
        assert_eq!(Config::parse("").unwrap(), Config::default());
    }

    #[test]
    fn a_reranker_can_be_named_with_its_floor() {
        let config = Config::parse("[reranker]\nmodel = 'mine'\nfloor = 0.3").unwrap();
        assert_eq!(config.reranker.model, "mine");
        assert_eq!(Config::default().reranker.model, "late");
    }

    #[test]
    fn a_misspelt_key_and_an_unbuilt_table_are_errors() {
        assert_eq!(
            Config::parse("[embeder]\nmodel='x'").unwrap_err().kind,
            Kind::Config
        );
        assert_eq!(
            Config::parse("[limits]\npdf_second=3").unwrap_err().kind,
            Kind::Config
        );
        assert_eq!(
            Config::parse("[search]\nmodel='x'").unwrap_err().kind,
            Kind::NotImplemented
        );
    }
}
