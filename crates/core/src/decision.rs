//! What Lahar decided about a question, and why, as values.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What was decided about a question. A refusal is a result, not an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The evidence holds for the question as asked.
    Answer,
    /// There is evidence, and it differs from the question in a way that is named.
    Warn,
    /// No evidence holds; what was looked for and not found is named.
    Abstain,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Decision::Answer => "answer",
            Decision::Warn => "warn",
            Decision::Abstain => "abstain",
        })
    }
}

/// Why a decision fell as it did, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasonCode {
    /// Quoted passages bear on the question.
    EvidenceFound,
    /// The library holds no document.
    EmptyLibrary,
    /// Nothing that was retrieved bears on the question.
    NoEvidence,
    /// Passages bear on the subject, and a name, number, date or place of the question is in none.
    MissingTerm,
    /// No embedding model is installed, so that only words were compared.
    LexicalOnly,
    /// Evidence supports the claim, or the option that was chosen.
    ClaimSupported,
    /// Evidence speaks against the claim.
    ClaimContradicted,
    /// Two sources say different things; both are shown.
    SourcesDisagree,
    /// Evidence for the very place asked about.
    ExactPlace,
    /// Evidence for a place around it.
    BroaderPlace,
    /// Evidence for a part of it.
    FinerPlace,
    /// Evidence for a place that shares ground with it.
    OverlappingPlace,
    /// Evidence for other places only.
    OtherPlacesOnly,
    /// Evidence that names no place.
    NoPlaceInEvidence,
    /// The body that issued the text has authority there.
    IssuerHasAuthority,
    /// The body that issued the text has no authority there.
    IssuerElsewhere,
    /// The same ground under two authorities.
    TwoAuthorities,
    /// The place's name fits several places.
    AmbiguousPlace,
    /// Every place that the name fits leads to the same decision.
    AmbiguityHarmless,
    /// The place is not in the gazetteer.
    UnknownPlace,
    /// No place is named, and the answer depends on it.
    PlaceNeeded,
    /// The question asks about a neighbourhood or part.
    Neighbourhood,
    /// The answer does not depend on the place.
    PlaceIrrelevant,
    /// A former name of the place was used.
    FormerName,
    /// What a chat model wrote was left out, because its quotations do not say it.
    SentenceRemoved,
    /// A quotation was kept from the chat model, because it speaks to the model.
    QuotationWithheld,
    /// The chat model could not be asked or understood, so the answer is quoted.
    ChatModelFailed,
}

/// One reason: a code for programs and a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// For programs.
    pub code: ReasonCode,
    /// For people.
    pub message: String,
}

impl Reason {
    /// A reason.
    pub fn new(code: ReasonCode, message: impl Into<String>) -> Reason {
        Reason {
            code,
            message: message.into(),
        }
    }
}
