//! Ways to answer, by the names of the interface.

use std::fmt;
use std::str::FromStr;

use lahar_library::{Ranking, Reranking};

use crate::mora::Behaviour;

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
    /// GeoRisk-RAG's "Exact Keyword Match": cosine, and of fifty candidates the first five that hold
    /// the place's name as the question writes it.
    Keyword,
    /// GeoRisk-RAG's "Granularity Match": cosine, and of fifty candidates the first five about a
    /// place of the same level (town, county, state, region, country) as the one asked about.
    Granularity,
    /// Ours with the agents of MoRA-RAG: candidates divided over hazards, evidence judged, the
    /// question asked again in other words where it does not suffice.
    Mora,
    /// MoRA-RAG as printed, without a language model: cosine, candidates divided over hazards,
    /// reranked, five chunks, and the loop of Algorithm 1.
    PaperMora,
}

/// What a baseline keeps of its candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    /// Chunks that hold the place's name, or whose document says it of itself.
    LiteralName,
    /// Chunks about a place of the level asked about.
    SameLevel,
}

/// Names of the interface whose method is not built yet.
const NOT_BUILT: &[&str] = &["paper-georisk", "zero-shot", "crag", "main-rag"];

impl Method {
    /// Every method that works.
    pub const ALL: [Method; 8] = [
        Method::Lahar,
        Method::Cosine,
        Method::Vanilla,
        Method::CosineRerank,
        Method::Keyword,
        Method::Granularity,
        Method::Mora,
        Method::PaperMora,
    ];

    /// The five of GeoRisk-RAG's comparison, ours first.
    pub const OF_GEOGRAPHY: [Method; 5] = [
        Method::Lahar,
        Method::Cosine,
        Method::CosineRerank,
        Method::Keyword,
        Method::Granularity,
    ];

    /// The name, as people type it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Lahar => "lahar",
            Method::Cosine => "cosine",
            Method::Vanilla => "vanilla",
            Method::CosineRerank => "cosine-rerank",
            Method::Keyword => "keyword",
            Method::Granularity => "granularity",
            Method::Mora => "mora",
            Method::PaperMora => "paper-mora",
        }
    }

    /// How the method ranks chunks.
    pub fn ranking(self) -> Ranking {
        match self {
            Method::Lahar | Method::Mora => Ranking::Fused,
            Method::PaperMora
            | Method::Cosine
            | Method::Vanilla
            | Method::CosineRerank
            | Method::Keyword
            | Method::Granularity => Ranking::Dense,
        }
    }

    /// Whether evidence is judged by its place. The baselines know only whether it bears on the
    /// question.
    pub fn minds_places(self) -> bool {
        matches!(self, Method::Lahar | Method::Mora)
    }

    /// How the method loops; none where it searches once.
    pub fn behaviour(self) -> Option<Behaviour> {
        match self {
            Method::Mora => Some(Behaviour::Ours),
            Method::PaperMora => Some(Behaviour::Printed),
            _ => None,
        }
    }

    /// What a baseline keeps of its candidates.
    pub(crate) fn filter(self) -> Option<Filter> {
        match self {
            Method::Keyword => Some(Filter::LiteralName),
            Method::Granularity => Some(Filter::SameLevel),
            Method::Lahar
            | Method::Cosine
            | Method::Vanilla
            | Method::CosineRerank
            | Method::Mora
            | Method::PaperMora => None,
        }
    }

    /// Chunks kept of the first ranking.
    pub fn candidates(self) -> usize {
        match self {
            Method::Lahar
            | Method::Vanilla
            | Method::Keyword
            | Method::Granularity
            | Method::Mora
            | Method::PaperMora => 50,
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
            Method::Lahar | Method::Mora => matches!(reranking, Reranking::Model { .. }),
            Method::Vanilla | Method::CosineRerank | Method::PaperMora => true,
            Method::Cosine | Method::Keyword | Method::Granularity => false,
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
        "method `{0}` is not implemented yet; these work: lahar, cosine, vanilla, cosine-rerank, keyword, granularity, mora, paper-mora"
    )]
    NotImplemented(String),
    /// No method of the interface.
    #[error(
        "there is no method `{0}`; these work: lahar, cosine, vanilla, cosine-rerank, keyword, granularity, mora, paper-mora"
    )]
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
