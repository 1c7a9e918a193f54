//! The router: a probability for each hazard, and the candidates that each may bring (MoRA-RAG,
//! section 4.2.2, equation 8).

use lahar_core::Hazard;
use lahar_library::label::text_hazards;
use lahar_places::Gazetteer;
use serde::Serialize;

/// τ: a hazard with less than this gets nothing (section 4.2.2).
pub const THRESHOLD: f64 = 0.2;
/// Where no hazard reaches the threshold, those within this of the likeliest count as likely.
const NEAR_THE_TOP: f64 = 0.02;
/// Below this the likeliest hazard is no guess either, and every one gets its share.
const FLAT: f64 = 0.16;

/// The hazards that documents are sorted by (the paper's data has these seven).
pub const HAZARDS: [Hazard; 7] = [
    Hazard::EARTHQUAKE,
    Hazard::FLOOD,
    Hazard::TSUNAMI,
    Hazard::WILDFIRE,
    Hazard::STORM,
    Hazard::LANDSLIDE,
    Hazard::HURRICANE,
];

/// A hazard's probability and its candidates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Budget {
    /// Hazard.
    pub hazard: Hazard,
    /// Probability.
    pub probability: f64,
    /// Candidates it may bring.
    pub candidates: usize,
}

/// Which rule chose the hazards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fired {
    /// Those at or above the threshold.
    Threshold,
    /// None was; the likeliest, and those beside it.
    Likeliest,
    /// None was and none is likelier than others: all, in proportion.
    Everything,
}

/// Where a probability came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Words of the question, and the events it names.
    Words,
    /// What the chunks nearest to the question are about.
    Library,
    /// A model's reply.
    Model,
    /// A model's reply could not be read; this is what stood in for it.
    InsteadOfModel {
        /// Why it could not be read.
        why: String,
    },
    /// Nothing speaks for any hazard.
    Nothing,
}

/// How candidates are divided.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Routing {
    /// Hazards with candidates, the likeliest first.
    pub budgets: Vec<Budget>,
    /// Which rule chose them.
    pub fired: Fired,
    /// Where the probabilities came from.
    pub source: Source,
}

/// Divides candidates over hazards.
///
/// `l_h = p_h / (sum of p over S) L`, `S = {h : p_h >= 0.2}` (equation 8); rounded by the largest
/// remainder, so that the sum is `L`, each hazard of `S` getting one at least.
///
/// ```
/// use lahar_answers::mora::router::{Fired, Source, divide};
/// use lahar_core::Hazard;
/// let shares = [(Hazard::FLOOD, 0.5), (Hazard::STORM, 0.25), (Hazard::TSUNAMI, 0.15), (Hazard::WILDFIRE, 0.1)];
/// let routing = divide(&shares, 50, Source::Words);
/// let budgets: Vec<usize> = routing.budgets.iter().map(|b| b.candidates).collect();
/// assert_eq!((budgets, routing.fired), (vec![33, 17], Fired::Threshold));
/// ```
pub fn divide(shares: &[(Hazard, f64)], candidates: usize, source: Source) -> Routing {
    let mut shares: Vec<(Hazard, f64)> = normalised(shares);
    // Stable: of two alike, the one that is named first.
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let top = shares.first().map_or(0.0, |(_, p)| *p);
    let chosen: Vec<(Hazard, f64)> = shares
        .iter()
        .filter(|(_, p)| *p >= THRESHOLD)
        .cloned()
        .collect();
    let (chosen, fired) = match chosen.is_empty() {
        false => (chosen, Fired::Threshold),
        true if top >= FLAT => {
            let near = shares.iter().filter(|(_, p)| *p >= top - NEAR_THE_TOP);
            (near.cloned().collect(), Fired::Likeliest)
        }
        true => {
            let some = shares.iter().filter(|(_, p)| *p > 0.0);
            (some.cloned().collect(), Fired::Everything)
        }
    };
    let sum: f64 = chosen.iter().map(|(_, p)| p).sum();
    let exact: Vec<f64> = chosen
        .iter()
        .map(|(_, p)| p / sum * candidates as f64)
        .collect();
    let mut whole: Vec<usize> = exact.iter().map(|l| (l.floor() as usize).max(1)).collect();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|a, b| {
        let rest = |at: usize| exact[at] - exact[at].floor();
        rest(*b).total_cmp(&rest(*a)).then(a.cmp(b))
    });
    let mut given: usize = whole.iter().sum();
    for at in order.iter().cycle().take(candidates) {
        if given >= candidates {
            break;
        }
        whole[*at] += 1;
        given += 1;
    }
    // Where one at least for each was more than there are, the largest give back.
    while given > candidates {
        let Some(largest) = (0..whole.len())
            .filter(|at| whole[*at] > 1)
            .max_by_key(|at| whole[*at])
        else {
            break;
        };
        whole[largest] -= 1;
        given -= 1;
    }
    let budgets = chosen
        .into_iter()
        .zip(whole)
        .map(|((hazard, probability), candidates)| Budget {
            hazard,
            probability,
            candidates,
        })
        .collect();
    Routing {
        budgets,
        fired,
        source,
    }
}

/// One share a hazard, not negative, summing to one; flat where nothing speaks for any.
fn normalised(shares: &[(Hazard, f64)]) -> Vec<(Hazard, f64)> {
    let mut known: Vec<(Hazard, f64)> = Vec::new();
    for (hazard, share) in shares {
        let share = if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        };
        match known.iter_mut().find(|(other, _)| other == hazard) {
            Some((_, sum)) => *sum += share,
            None => known.push((hazard.clone(), share)),
        }
    }
    let sum: f64 = known.iter().map(|(_, share)| share).sum();
    if sum <= 0.0 {
        let all = HAZARDS.iter().cloned();
        return all
            .map(|hazard| (hazard, 1.0 / HAZARDS.len() as f64))
            .collect();
    }
    for (_, share) in &mut known {
        *share /= sum;
    }
    known
}

/// What the words of a question and the events it names say; empty where they say nothing.
pub fn by_words(question: &str) -> Vec<(Hazard, f64)> {
    let mut shares: Vec<(Hazard, f64)> = text_hazards(question)
        .iter()
        .map(|(hazard, weight)| (hazard.clone(), f64::from(weight)))
        .collect();
    let gazetteer = Gazetteer::in_use();
    let mentions = gazetteer.tag(question, &lahar_places::Reading::question());
    for place in mentions.iter().filter_map(lahar_places::Mention::best) {
        let event = gazetteer.event(place);
        if let Some(hazard) = event.and_then(|event| Hazard::parse(&event.hazard)) {
            shares.push((hazard, 1.0));
        }
    }
    shares
}

/// Reads a model's reply: a JSON object of hazards and numbers, with prose around it or without.
/// Names that are other words for a hazard count for it; what is no hazard is left out.
pub fn read_reply(reply: &str) -> Result<Vec<(Hazard, f64)>, String> {
    let start = reply.find('{').ok_or("it holds no JSON object")?;
    let end = reply.rfind('}').filter(|end| *end > start);
    let end = end.ok_or("its JSON object does not end")?;
    let table: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&reply[start..=end]).map_err(|error| error.to_string())?;
    let shares: Vec<(Hazard, f64)> = table
        .iter()
        .filter_map(|(name, share)| Some((Hazard::parse(name)?, share.as_f64()?)))
        .filter(|(hazard, _)| hazard.is_built_in())
        .collect();
    match shares.iter().any(|(_, share)| *share > 0.0) {
        true => Ok(shares),
        false => Err("it gives no hazard any probability".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(routing: &Routing, hazard: &Hazard) -> usize {
        let own = routing.budgets.iter().find(|b| b.hazard == *hazard);
        own.map_or(0, |budget| budget.candidates)
    }

    proptest! {
        #[test]
        fn budgets_sum_to_all_and_grow_with_probability(
            shares in prop::collection::vec(0.0f64..1.0, 7), all in 7usize..200,
        ) {
            let shares: Vec<(Hazard, f64)> = HAZARDS.into_iter().zip(shares).collect();
            let routing = divide(&shares, all, Source::Words);
            let sum: usize = routing.budgets.iter().map(|b| b.candidates).sum();
            prop_assert_eq!(sum, all);
            for pair in routing.budgets.windows(2) {
                prop_assert!(pair[0].probability >= pair[1].probability);
                prop_assert!(pair[0].candidates >= pair[1].candidates);
            }
            prop_assert!(routing.budgets.iter().all(|b| b.candidates >= 1));
            if routing.fired == Fired::Threshold {
                prop_assert!(routing.budgets.iter().all(|b| b.probability >= THRESHOLD));
                prop_assert!(routing.budgets.len() <= 5);
            }
        }
    }

    #[test]
    fn without_a_likely_hazard_the_likeliest_or_all_are_asked() {
        let nearly = |tsunami: f64| -> Vec<(Hazard, f64)> {
            let rest = (1.0 - tsunami) / 6.0;
            let share = |h: Hazard| if h == Hazard::TSUNAMI { tsunami } else { rest };
            HAZARDS.map(|h| (h.clone(), share(h))).to_vec()
        };
        let one = divide(&nearly(0.19), 50, Source::Words);
        assert_eq!(one.fired, Fired::Likeliest);
        assert_eq!(of(&one, &Hazard::TSUNAMI), 50);
        let all = divide(&nearly(1.0 / 7.0), 50, Source::Words);
        assert_eq!((all.fired, all.budgets.len()), (Fired::Everything, 7));
        assert_eq!(divide(&[], 50, Source::Nothing).budgets.len(), 7);
    }

    #[test]
    fn replies_are_read_whatever_stands_around_them() {
        let read = |reply: &str| read_reply(reply).map(|shares| divide(&shares, 50, Source::Model));
        let proper = read(r#"{"flood": 0.6, "storm": 0.4}"#).unwrap();
        assert_eq!(
            (of(&proper, &Hazard::FLOOD), of(&proper, &Hazard::STORM)),
            (30, 20)
        );
        let unnormalised = read(r#"{"flood": 6, "storm": 4}"#).unwrap();
        assert_eq!(of(&unnormalised, &Hazard::FLOOD), 25, "clamped to one each");
        let prose = read("Sure! Here it is:\n```json\n{\"flood\": 1}\n```").unwrap();
        assert_eq!(of(&prose, &Hazard::FLOOD), 50);
        let other_names =
            read(r#"{"typhoon": 0.5, "mudslide": 0.5, "alien invasion": 0.9}"#).unwrap();
        assert_eq!(of(&other_names, &Hazard::HURRICANE), 25);
        assert_eq!(of(&other_names, &Hazard::LANDSLIDE), 25);
        let negative = read(r#"{"flood": -3, "storm": 0.5}"#).unwrap();
        assert_eq!(
            (of(&negative, &Hazard::FLOOD), of(&negative, &Hazard::STORM)),
            (0, 50)
        );
        for bad in [
            "",
            "{}",
            "flood",
            r#"{"flood": NaN}"#,
            r#"{"flood": 0}"#,
            "{\"flood\": 1",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn words_and_events_name_hazards() {
        let top = |question: &str| {
            let routing = divide(&by_words(question), 50, Source::Words);
            routing.budgets[0].hazard.clone()
        };
        assert_eq!(top("How fast did the wildfire spread?"), Hazard::WILDFIRE);
        assert_eq!(top("What happened in the Thomas Fire?"), Hazard::WILDFIRE);
        let both = divide(
            &by_words("Did the earthquake trigger landslides?"),
            50,
            Source::Words,
        );
        assert!(of(&both, &Hazard::EARTHQUAKE) > 0 && of(&both, &Hazard::LANDSLIDE) > 0);
    }
}
