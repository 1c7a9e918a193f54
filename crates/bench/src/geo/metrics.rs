//! From scored questions to figures with their intervals.

use std::collections::BTreeMap;

use lahar_core::Decision::{Abstain, Answer, Warn};

use super::{Parts, Scored};
use crate::interval::{Estimate, bootstrap, mean};

impl Scored<'_> {
    fn allows(&self, decision: lahar_core::Decision) -> bool {
        self.key.acceptable.contains(&decision)
    }

    fn depends(&self) -> bool {
        self.key.location_dependent != Some(false)
    }

    fn is(&self, decision: lahar_core::Decision) -> bool {
        self.item.decision == decision
    }
}

pub(super) fn metrics(scored: &[Scored<'_>]) -> BTreeMap<&'static str, Estimate> {
    let mut metrics = BTreeMap::new();
    // A value where the question counts, `None` where it does not. Questions are drawn from the
    // whole set, so that a figure over few of them has the interval that this costs.
    let mut add = |name, value: &dyn Fn(&Scored<'_>) -> Option<f64>| {
        let values: Vec<Option<f64>> = scored.iter().map(value).collect();
        let estimate = bootstrap(values.len(), |drawn| {
            let (mut sum, mut count) = (0.0, 0_u32);
            for value in drawn.iter().filter_map(|&at| values[at]) {
                sum += value;
                count += 1;
            }
            (count > 0).then(|| sum / f64::from(count))
        });
        if let Some(mut estimate) = estimate {
            estimate.n = values.iter().flatten().count();
            metrics.insert(name, estimate);
        }
    };
    let hit = |holds: bool| f64::from(u8::from(holds));
    add("good_decision_rate", &|s| Some(hit(s.item.good)));
    add("good_decision_quality", &|s| Some(s.item.quality));
    add("faithfulness", &|s| s.item.faithfulness);
    add("appropriate_warning_rate", &|s| {
        s.depends().then(|| hit(s.is(Warn) && s.allows(Warn)))
    });
    add("warning_precision", &|s| {
        s.is(Warn).then(|| hit(s.allows(Warn)))
    });
    add("warning_recall", &|s| {
        s.allows(Warn).then(|| hit(s.is(Warn)))
    });
    add("over_abstention", &|s| {
        s.depends()
            .then(|| hit(s.is(Abstain) && !s.allows(Abstain)))
    });
    add("over_abstention_of_answerable", &|s| {
        (s.depends() && !s.allows(Abstain)).then(|| hit(s.is(Abstain)))
    });
    add("false_confidence", &|s| {
        s.depends().then(|| hit(s.is(Answer) && !s.allows(Answer)))
    });
    add("factual_correctness", &|s| s.item.correctness);
    add("factual_correctness_answered", &|s| {
        s.item.correctness.filter(|_| !s.is(Abstain))
    });
    let groups: Vec<f64> = groups(scored)
        .values()
        .filter(|(_, all)| *all > 1)
        .map(|(good, all)| *good as f64 / *all as f64)
        .collect();
    let worst = groups.iter().copied().min_by(f64::total_cmp);
    metrics.extend(mean(&groups).map(|figure| ("group_decision_mean", figure)));
    metrics.extend(
        bootstrap(groups.len(), |drawn| {
            drawn.iter().map(|&at| groups[at]).min_by(f64::total_cmp)
        })
        .filter(|_| worst.is_some())
        .map(|figure| ("group_decision_worst", figure)),
    );
    let all_good: Vec<f64> = groups.iter().map(|&share| hit(share == 1.0)).collect();
    metrics.extend(mean(&all_good).map(|figure| ("groups_all_good", figure)));
    metrics
}

fn groups(scored: &[Scored<'_>]) -> BTreeMap<String, (usize, usize)> {
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for one in scored {
        if let Some(group) = &one.key.group {
            let (good, all) = groups.entry(group.clone()).or_default();
            *good += usize::from(one.item.good);
            *all += 1;
        }
    }
    groups
}

pub(super) fn parts(scored: &[Scored<'_>]) -> Parts {
    let mut parts = Parts {
        group: groups(scored),
        ..Parts::default()
    };
    let mut by_category: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut by_hazard: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut by_retrieved: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for one in scored {
        let item = &one.item;
        let kind = item.geo_error_type.as_deref().unwrap_or("not said");
        let (good, all) = parts.geo_error_type.entry(kind.to_owned()).or_default();
        *good += usize::from(item.good);
        *all += 1;
        let hit = f64::from(u8::from(item.good));
        if let Some(category) = &one.whole.key.category {
            by_category.entry(category.clone()).or_default().push(hit);
        }
        for hazard in &one.whole.key.hazards {
            let label = hazard.label().to_owned();
            by_hazard.entry(label).or_default().push(hit);
        }
        if let (Some(relation), Some(correctness), true) =
            (&item.retrieved_relation, item.correctness, one.depends())
        {
            by_retrieved
                .entry(relation.clone())
                .or_default()
                .push(correctness);
        }
    }
    let rates = |values: BTreeMap<String, Vec<f64>>| {
        values
            .into_iter()
            .filter_map(|(name, values)| {
                let figures = BTreeMap::from([("good_decision_rate", mean(&values)?)]);
                Some((name, figures))
            })
            .collect()
    };
    parts.category = rates(by_category);
    parts.hazard = rates(by_hazard);
    parts.correctness_by_retrieved = by_retrieved
        .into_iter()
        .filter_map(|(name, values)| Some((name, mean(&values)?)))
        .collect();
    parts
}
