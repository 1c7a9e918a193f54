//! From judged passages to one decision about a question.

use lahar_core::{Decision, Reason, ReasonCode};
use serde::Serialize;

use super::rules::{preference, question_limit, worse};
use super::{Asked, FocusPlace, Judgement, Passage, QuestionPlaces, Topic, judge};
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::kind::Kind;
use crate::relation::Relation;

/// Whether a person is there to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Nobody is: abstain, with the candidates.
    #[default]
    Batch,
    /// A person can answer a question back.
    Interactive,
}

/// The level of place used, beside the one asked about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelUsed {
    /// The place asked about.
    pub asked: String,
    /// The place of the evidence.
    pub used: String,
    /// How the second lies to the first.
    pub relation: Relation,
    /// Distance in the graph.
    pub distance: Option<u32>,
    /// Where the two meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_ancestor: Option<String>,
}

/// What is decided about a question, as far as places go.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionDecision {
    /// What is decided.
    pub decision: Decision,
    /// Passages that may be quoted (positions in the list given), best first.
    pub quote: Vec<usize>,
    /// Passages that may be cited as background, labelled with their level.
    pub background: Vec<usize>,
    /// The level used, where it differs from the one asked for or is the same.
    pub level: Option<LevelUsed>,
    /// Why, in words a person can check.
    pub reasons: Vec<Reason>,
    /// What would be needed.
    pub missing: Vec<String>,
    /// Names to choose from, where the person should be asked.
    pub ask: Vec<String>,
    /// For several places: the decision for each.
    pub by_place: Vec<(String, Decision)>,
    /// Judgements of the passages for the place that decided, in the order given.
    pub judgements: Vec<Judgement>,
}

impl QuestionDecision {
    fn empty(decision: Decision) -> QuestionDecision {
        QuestionDecision {
            decision,
            quote: Vec::new(),
            background: Vec::new(),
            level: None,
            reasons: Vec::new(),
            missing: Vec::new(),
            ask: Vec::new(),
            by_place: Vec::new(),
            judgements: Vec::new(),
        }
    }

    fn because(mut self, code: ReasonCode, message: impl Into<String>) -> QuestionDecision {
        self.reasons.push(Reason::new(code, message));
        self
    }
}

/// Decides about a question from the passages that bear on it (in the order of their relevance).
pub fn decide(
    gazetteer: &Gazetteer,
    question: &QuestionPlaces,
    passages: &[Passage],
    location_dependent: bool,
    topic: Topic,
    mode: Mode,
) -> QuestionDecision {
    match question {
        QuestionPlaces::None if !location_dependent => {
            let mut all = QuestionDecision::empty(if passages.is_empty() {
                Decision::Abstain
            } else {
                Decision::Answer
            });
            all.quote = (0..passages.len()).collect();
            all.because(
                ReasonCode::PlaceIrrelevant,
                "the question does not depend on a place",
            )
        }
        QuestionPlaces::None => no_place(gazetteer, passages, mode),
        QuestionPlaces::One(asked) => {
            one(gazetteer, asked, passages, location_dependent, topic, false)
        }
        QuestionPlaces::All(all) => several(gazetteer, all, passages, location_dependent, topic),
        QuestionPlaces::AnyOf(any) => {
            let mut asked_back = QuestionDecision::empty(Decision::Abstain);
            asked_back.ask = any.iter().map(|asked| asked.name.clone()).collect();
            asked_back.because(
                ReasonCode::AmbiguousPlace,
                format!("the question leaves open which: {}", names(any, " or ")),
            )
        }
        QuestionPlaces::Ambiguous {
            mention,
            candidates,
        } => ambiguous(gazetteer, mention, candidates, passages, location_dependent, topic),
        QuestionPlaces::Unknown { mention, parent } => match parent {
            // Passages that write the same name, and are not about somewhere else, come first.
            Some(parent) if topic == Topic::General && passages.iter().any(|p| names_within(gazetteer, p, parent)) => {
                let mut named = QuestionDecision::empty(Decision::Warn);
                named.quote = (0..passages.len())
                    .filter(|at| names_within(gazetteer, &passages[*at], parent))
                    .collect();
                named.because(
                    ReasonCode::UnknownPlace,
                    format!("`{mention}` is not in the gazetteer; the evidence writes the same name, in {}", parent.name),
                )
            }
            Some(parent) => one(gazetteer, parent, passages, location_dependent, topic, true).because(
                ReasonCode::UnknownPlace,
                format!(
                    "`{mention}` is not in the gazetteer; this is for {}, where the question puts it",
                    parent.name
                ),
            ),
            None if passages.iter().any(|passage| passage.names_asked) => {
                let mut named = QuestionDecision::empty(Decision::Warn);
                named.quote = (0..passages.len()).filter(|at| passages[*at].names_asked).collect();
                named.missing.push(format!("the state or country of `{mention}`"));
                named.because(
                    ReasonCode::UnknownPlace,
                    format!("`{mention}` is not in the gazetteer; the evidence names it, and nothing tells whether the same place is meant"),
                )
            }
            None => {
                let mut unknown = QuestionDecision::empty(Decision::Abstain);
                unknown.missing.push(format!("the state or country of `{mention}`"));
                unknown.because(
                    ReasonCode::UnknownPlace,
                    format!("`{mention}` is not in the gazetteer, and the question does not say where it lies"),
                )
            }
        },
    }
}

/// Whether a passage writes the unknown name of the question and is not about somewhere outside
/// the place that the question puts it in.
fn names_within(gazetteer: &Gazetteer, passage: &Passage, parent: &Asked) -> bool {
    let inside = |place: &FocusPlace| {
        let found = gazetteer.compare_subjects(&parent.subject, &place.subject);
        found.relation != Relation::Different
    };
    passage.names_asked && (passage.focus.is_empty() || passage.focus.iter().any(inside))
}

fn names(asked: &[Asked], between: &str) -> String {
    asked
        .iter()
        .map(|asked| asked.name.as_str())
        .collect::<Vec<_>>()
        .join(between)
}

fn one(
    gazetteer: &Gazetteer,
    asked: &Asked,
    passages: &[Passage],
    location_dependent: bool,
    topic: Topic,
    unknown: bool,
) -> QuestionDecision {
    let judgements: Vec<Judgement> = passages
        .iter()
        .map(|passage| judge(gazetteer, asked, passage, topic))
        .collect();
    let key = |at: &usize| {
        let judgement = &judgements[*at];
        (
            preference(judgement.relation, judgement.decision),
            judgement.distance.unwrap_or(u32::MAX),
            *at,
        )
    };
    let mut usable: Vec<usize> = (0..judgements.len())
        .filter(|at| preference(judgements[*at].relation, judgements[*at].decision).is_some())
        .collect();
    usable.sort_by_key(key);
    // A question that does not depend on the place may be answered from text that names none.
    let unplaced: Vec<usize> = (0..judgements.len())
        .filter(|at| judgements[*at].relation == Relation::None)
        .collect();
    let Some(&first) = usable.first() else {
        let mut result = if !location_dependent && !unplaced.is_empty() {
            let mut result = QuestionDecision::empty(Decision::Answer);
            result.quote = unplaced;
            result.because(
                ReasonCode::PlaceIrrelevant,
                "the answer does not depend on the place, and the evidence names none",
            )
        } else {
            nothing_holds(gazetteer, asked, &judgements, topic)
        };
        result.judgements = judgements;
        return result;
    };
    let best = key(&first);
    let decided = worse(
        judgements[first].decision,
        question_limit(asked.near, asked.part, unknown),
    );
    let mut result = QuestionDecision::empty(decided);
    // Only passages as good as the best are quoted; broader ones stay in the background.
    result.quote = usable
        .iter()
        .copied()
        .filter(|at| {
            let this = key(at);
            this.0 == best.0 && (judgements[first].relation == Relation::Exact || this.1 == best.1)
        })
        .collect();
    result.background = usable
        .iter()
        .copied()
        .filter(|at| !result.quote.contains(at) && judgements[*at].relation == Relation::Broader)
        .collect();
    let judgement = &judgements[first];
    if let Some(place) = &judgement.place {
        result.level = Some(LevelUsed {
            asked: asked.name.clone(),
            used: place.name.clone(),
            relation: judgement.relation,
            distance: judgement.distance,
            shared_ancestor: judgement
                .shared_ancestor
                .map(|place| gazetteer.name(place).to_owned()),
        });
    }
    result
        .reasons
        .push(level_reason(gazetteer, asked, judgement));
    result
        .reasons
        .extend(judgement.reasons.iter().skip(1).cloned());
    if asked.near || asked.part {
        result.reasons.push(Reason::new(
            ReasonCode::Neighbourhood,
            format!(
                "the question asks about {} {}, which has no boundary of its own",
                if asked.near {
                    "the surroundings of"
                } else {
                    "a part of"
                },
                asked.name
            ),
        ));
    }
    if judgement.relation != Relation::Exact {
        result.missing.push(format!("a source for {}", asked.name));
    }
    result.judgements = judgements;
    result
}

/// "no Osage County source; this is Oklahoma (state) guidance"
fn level_reason(gazetteer: &Gazetteer, asked: &Asked, judgement: &Judgement) -> Reason {
    let used = judgement
        .place
        .as_ref()
        .map_or("", |place| place.name.as_str());
    let level = judgement
        .place
        .as_ref()
        .and_then(|place| place.subject.place)
        .map_or("area", |place| gazetteer.kind(place).word());
    match judgement.relation {
        Relation::Exact => Reason::new(
            ReasonCode::ExactPlace,
            format!("the evidence is about {used}, the place asked about"),
        ),
        Relation::Broader => Reason::new(
            ReasonCode::BroaderPlace,
            format!(
                "no {} source; this is {used} ({level}) guidance",
                asked.name
            ),
        ),
        Relation::Finer => Reason::new(
            ReasonCode::FinerPlace,
            format!(
                "no source for all of {}; this holds for {used} ({level}), a part of it",
                asked.name
            ),
        ),
        Relation::Overlap => Reason::new(
            ReasonCode::OverlappingPlace,
            format!(
                "no {} source; this is for {used} ({level}), which covers only some of the same ground",
                asked.name
            ),
        ),
        _ => Reason::new(
            ReasonCode::IssuerHasAuthority,
            format!(
                "the evidence names no place; its issuer's authority includes {}",
                asked.name
            ),
        ),
    }
}

/// Abstains, and says what was found and which level is missing.
fn nothing_holds(
    gazetteer: &Gazetteer,
    asked: &Asked,
    judgements: &[Judgement],
    topic: Topic,
) -> QuestionDecision {
    let mut result = QuestionDecision::empty(Decision::Abstain);
    result.missing.push(format!("a source for {}", asked.name));
    let mut found: Vec<&str> = Vec::new();
    for judgement in judgements {
        if let Some(place) = &judgement.place
            && !found.contains(&place.name.as_str())
        {
            found.push(&place.name);
        }
    }
    let withheld = judgements
        .iter()
        .find(|judgement| !matches!(judgement.relation, Relation::Different | Relation::None));
    if let Some(judgement) = withheld.filter(|_| topic == Topic::Hard) {
        let name = judgement.place.as_ref().map_or("", |place| &place.name);
        result.reasons.push(Reason::new(
            ReasonCode::IssuerElsewhere,
            format!(
                "rules of {name} ({}) do not bind {}",
                judgement.relation, asked.name
            ),
        ));
        result
            .reasons
            .extend(judgement.reasons.iter().skip(1).cloned());
    } else if found.is_empty() {
        let nothing = judgements.is_empty();
        result.reasons.push(Reason::new(
            ReasonCode::NoPlaceInEvidence,
            if nothing {
                format!("no evidence for {}", asked.name)
            } else {
                format!(
                    "the evidence names no place, and nothing says that it holds for {}",
                    asked.name
                )
            },
        ));
    } else {
        found.truncate(4);
        result.reasons.push(Reason::new(
            ReasonCode::OtherPlacesOnly,
            format!(
                "only {} sources, none for {}",
                found.join(" and "),
                asked.name
            ),
        ));
        let nearest = asked
            .subject
            .place
            .and_then(|place| gazetteer.parents(place).next())
            .map(|edge| gazetteer.qualified(edge.parent));
        if let Some(above) = nearest {
            result.missing.push(format!("or one for {above}"));
        }
    }
    result
}

fn several(
    gazetteer: &Gazetteer,
    all: &[Asked],
    passages: &[Passage],
    location_dependent: bool,
    topic: Topic,
) -> QuestionDecision {
    let each: Vec<QuestionDecision> = all
        .iter()
        .map(|asked| one(gazetteer, asked, passages, location_dependent, topic, false))
        .collect();
    let decision = each
        .iter()
        .map(|one| one.decision)
        .fold(Decision::Answer, worse);
    let mut result = QuestionDecision::empty(decision);
    result.by_place = all
        .iter()
        .zip(&each)
        .map(|(asked, one)| (asked.name.clone(), one.decision))
        .collect();
    for one in each {
        if decision != Decision::Abstain {
            for passage in one.quote {
                if !result.quote.contains(&passage) {
                    result.quote.push(passage);
                }
            }
        }
        result.reasons.extend(one.reasons);
        result.missing.extend(one.missing);
        if one.decision == decision && result.level.is_none() {
            result.level = one.level;
            result.judgements = one.judgements;
        }
    }
    result
}

fn ambiguous(
    gazetteer: &Gazetteer,
    mention: &str,
    candidates: &[Asked],
    passages: &[Passage],
    location_dependent: bool,
    topic: Topic,
) -> QuestionDecision {
    let each: Vec<QuestionDecision> = candidates
        .iter()
        .map(|asked| one(gazetteer, asked, passages, location_dependent, topic, false))
        .collect();
    let same = each.split_first().is_some_and(|(first, rest)| {
        first.decision != Decision::Abstain
            && rest
                .iter()
                .all(|other| other.decision == first.decision && other.quote == first.quote)
    });
    if same && let Some(first) = each.first().cloned() {
        return first.because(
            ReasonCode::AmbiguityHarmless,
            format!(
                "`{mention}` may be {}; the answer is the same for each",
                names(candidates, ", or ")
            ),
        );
    }
    // A city and the county around it: what both allow is said, with the more careful decision.
    if nested_pair(gazetteer, candidates)
        && let [one, other] = &each[..]
        && one.decision != Decision::Abstain
        && other.decision != Decision::Abstain
    {
        let both: Vec<usize> = one
            .quote
            .iter()
            .copied()
            .filter(|p| other.quote.contains(p))
            .collect();
        if !both.is_empty() {
            let mut careful = if one.decision >= other.decision {
                one
            } else {
                other
            }
            .clone();
            careful.quote = both;
            return careful.because(
                ReasonCode::AmbiguityHarmless,
                format!(
                    "`{mention}` may be {}, one inside the other",
                    names(candidates, " or ")
                ),
            );
        }
    }
    let mut result = QuestionDecision::empty(Decision::Abstain);
    result.ask = candidates.iter().map(|asked| asked.name.clone()).collect();
    result.missing.push(format!("which `{mention}` is meant"));
    result.because(
        ReasonCode::AmbiguousPlace,
        format!("`{mention}` may be {}", names(candidates, ", or ")),
    )
}

/// Two candidates of which one lies in the other.
fn nested_pair(gazetteer: &Gazetteer, candidates: &[Asked]) -> bool {
    match candidates {
        [one, other] => match (one.subject.place, other.subject.place) {
            (Some(one), Some(other)) => {
                gazetteer.lies_under(one, other) || gazetteer.lies_under(other, one)
            }
            _ => false,
        },
        _ => false,
    }
}

fn no_place(gazetteer: &Gazetteer, passages: &[Passage], mode: Mode) -> QuestionDecision {
    // In batch, text for whole countries may be shown with a warning; nothing narrower.
    let national: Vec<usize> = (0..passages.len())
        .filter(|at| {
            let focus = &passages[*at].focus;
            let country = |place: PlaceId| gazetteer.kind(place) == Kind::Country;
            !focus.is_empty() && focus.iter().all(|f| f.subject.place.is_some_and(country))
        })
        .collect();
    let warn = mode == Mode::Batch && !national.is_empty();
    let mut result = QuestionDecision::empty(if warn {
        Decision::Warn
    } else {
        Decision::Abstain
    });
    if warn {
        result.quote = national;
    }
    result.missing.push("the place asked about".into());
    result.because(
        ReasonCode::PlaceNeeded,
        "the answer depends on the place, and the question names none",
    )
}
