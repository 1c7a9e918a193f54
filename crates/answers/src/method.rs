//! Ways to answer, by the names of the interface.

use std::fmt;
use std::str::FromStr;

use lahar_library::{Ranking, Reranking};

/// A way to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Ours: vectors and words fused, fifty candidates reranked.
    #[default]
    Lahar,
    /// GeoRisk-RAG's "Standard RAG": cosine, five chunks.
    Cosine,
    /// MoRA-RAG's "Vanilla RAG": cosine, fifty candidates reranked, five chunks.
    Vanilla,
    /// GeoRisk-RAG's second baseline: cosine, ten candidates reranked, five chunks.
    CosineRerank,
}

/// Names of the interface whose method is not built yet.
const NOT_BUILT: &[&str] = &[
    "paper-mora",
    "paper-georisk",
    "zero-shot",
    "keyword",
    "granularity",
    "crag",
    "main-rag",
];

impl Method {
    /// Every method that works.
    pub const ALL: [Method; 4] = [
        Method::Lahar,
        Method::Cosine,
        Method::Vanilla,
        Method::CosineRerank,
    ];

    /// The name, as people type it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Lahar => "lahar",
            Method::Cosine => "cosine",
            Method::Vanilla => "vanilla",
            Method::CosineRerank => "cosine-rerank",
        }
    }

    /// How the method ranks chunks.
    pub fn ranking(self) -> Ranking {
        match self {
            Method::Lahar => Ranking::Fused,
            Method::Cosine | Method::Vanilla | Method::CosineRerank => Ranking::Dense,
        }
    }

    /// Whether evidence is judged by its place. The baselines know only whether it bears on the
    /// question.
    pub fn minds_places(self) -> bool {
        self == Method::Lahar
    }

    /// Chunks kept of the first ranking.
    pub fn candidates(self) -> usize {
        match self {
            Method::Lahar | Method::Vanilla => 50,
            Method::CosineRerank => 10,
            Method::Cosine => 5,
        }
    }

    /// Whether the candidates are put into a new order before the first five of them are used.
    ///
    /// Ours waits for a cross-encoder. Late interaction over stored token vectors puts more first
    /// places right on paraphrased questions, and fewer of the public ones into the first five,
    /// from which evidence is chosen; `lahar bench qa` shows both side by side.
    pub fn reranks(self, reranking: &Reranking<'_>) -> bool {
        match self {
            Method::Lahar => matches!(reranking, Reranking::Model { .. }),
            Method::Vanilla | Method::CosineRerank => true,
            Method::Cosine => false,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a name is no method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// A method of the interface that is not built yet.
    #[error(
        "method `{0}` is not implemented yet; these work: lahar, cosine, vanilla, cosine-rerank"
    )]
    NotImplemented(String),
    /// No method of the interface.
    #[error("there is no method `{0}`; these work: lahar, cosine, vanilla, cosine-rerank")]
    Unknown(String),
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Method, MethodError> {
        match Method::ALL.into_iter().find(|method| method.name() == name) {
            Some(method) => Ok(method),
            None if NOT_BUILT.contains(&name) => Err(MethodError::NotImplemented(name.to_owned())),
            None => Err(MethodError::Unknown(name.to_owned())),
        }
    }
}
