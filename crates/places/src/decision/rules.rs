//! The rules, as one table to read.
//!
//! A passage about the place asked for is quoted. One about a place around it, inside it or partly
//! the same is quoted with a warning that names the level. One about another place is never
//! quoted. On hard topics (codes, permits, evacuation orders, burn bans) a rule holds where its
//! issuer has authority, so that a smaller or overlapping place is no help unless the authority
//! is the same.

use lahar_core::Decision;
use serde::{Deserialize, Serialize};

use crate::relation::Relation;

/// What a question is about, as far as geography cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Topic {
    /// Behaviour, risk, history, advice.
    #[default]
    General,
    /// Codes, permits, evacuation orders, burn bans: law of one authority.
    Hard,
}

/// Whose text a passage is, seen from the place asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Authority {
    /// Nobody said who issued it.
    Unstated,
    /// The issuer's jurisdiction contains the place asked about.
    Holds,
    /// The issuer has no authority there.
    Elsewhere,
}

/// One row: what is decided about a passage.
pub struct PassageRule {
    /// How the passage's place lies to the place asked about.
    pub relation: Relation,
    /// `None`: any topic.
    pub topic: Option<Topic>,
    /// `None`: whoever issued it.
    pub authority: Option<Authority>,
    /// What is decided.
    pub decision: Decision,
}

const fn row(
    relation: Relation,
    topic: Option<Topic>,
    authority: Option<Authority>,
    decision: Decision,
) -> PassageRule {
    PassageRule {
        relation,
        topic,
        authority,
        decision,
    }
}

const HARD: Option<Topic> = Some(Topic::Hard);
const HOLDS: Option<Authority> = Some(Authority::Holds);
const ELSEWHERE: Option<Authority> = Some(Authority::Elsewhere);

/// Passage level. The first row that fits decides.
pub const PASSAGE_RULES: &[PassageRule] = &[
    //  relation            topic  issuer     decision
    row(Relation::Exact, HARD, ELSEWHERE, Decision::Abstain),
    row(Relation::Exact, None, None, Decision::Answer),
    row(Relation::Broader, HARD, ELSEWHERE, Decision::Abstain),
    row(Relation::Broader, None, None, Decision::Warn),
    row(Relation::Finer, HARD, HOLDS, Decision::Warn),
    row(Relation::Finer, HARD, None, Decision::Abstain),
    row(Relation::Finer, None, None, Decision::Warn),
    row(Relation::Overlap, HARD, HOLDS, Decision::Warn),
    row(Relation::Overlap, HARD, None, Decision::Abstain),
    row(Relation::Overlap, None, None, Decision::Warn),
    row(Relation::Different, None, None, Decision::Abstain),
    row(Relation::None, None, HOLDS, Decision::Warn),
    row(Relation::None, None, None, Decision::Abstain),
];

/// What is decided about a passage.
pub fn passage_decision(relation: Relation, topic: Topic, authority: Authority) -> Decision {
    PASSAGE_RULES
        .iter()
        .find(|rule| {
            rule.relation == relation
                && rule.topic.is_none_or(|wanted| wanted == topic)
                && rule.authority.is_none_or(|wanted| wanted == authority)
        })
        .map_or(Decision::Abstain, |rule| rule.decision)
}

/// Which passages a question is answered from, best first: any exact, else broader with the
/// nearest first, else overlapping, else finer, else those without a place whose issuer has
/// authority. Smaller numbers are better; `None` is never used.
pub fn preference(relation: Relation, decision: Decision) -> Option<u8> {
    match (decision, relation) {
        (Decision::Abstain, _) | (_, Relation::Different) => None,
        (Decision::Answer, _) => Some(0),
        (Decision::Warn, Relation::Exact) => Some(1),
        (Decision::Warn, Relation::Broader) => Some(2),
        (Decision::Warn, Relation::Overlap) => Some(3),
        (Decision::Warn, Relation::Finer) => Some(4),
        (Decision::Warn, Relation::None) => Some(5),
    }
}

/// How the question's own place limits what may be decided, whatever the passages say.
pub fn question_limit(near: bool, part: bool, unknown: bool) -> Decision {
    if near || part || unknown {
        Decision::Warn
    } else {
        Decision::Answer
    }
}

/// The more careful of two decisions.
pub fn worse(one: Decision, other: Decision) -> Decision {
    // Decisions are ordered from answer to abstain.
    one.max(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relation_is_decided_for_every_topic_and_issuer() {
        for relation in [
            Relation::Exact,
            Relation::Broader,
            Relation::Finer,
            Relation::Overlap,
            Relation::Different,
            Relation::None,
        ] {
            for topic in [Topic::General, Topic::Hard] {
                for authority in [Authority::Unstated, Authority::Holds, Authority::Elsewhere] {
                    assert!(PASSAGE_RULES.iter().any(|rule| rule.relation == relation
                        && rule.topic.is_none_or(|t| t == topic)
                        && rule.authority.is_none_or(|a| a == authority)));
                    let decision = passage_decision(relation, topic, authority);
                    // Only an exact passage may ever be quoted in a plain answer.
                    assert!(decision != Decision::Answer || relation == Relation::Exact);
                }
            }
        }
    }
}
