//! The key: which decisions on a question are good, by section 5 of the specification of
//! geography, from the level table and the table of places alone.

use lahar_core::Decision;

use super::levels::Evidence;
use super::places::{Level, Lie, Places};

/// The key to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Good {
    /// The good decision.
    pub(crate) decision: Decision,
    /// How the best evidence lies to the place asked about: `exact`, `coarse`, `overlap`, `fine`,
    /// `none` or `mismatch`.
    pub(crate) kind: &'static str,
    /// Places from whose evidence the answer may be taken; a warning names one of them.
    pub(crate) from: Vec<usize>,
}

/// The key, or `None` where a pair of places has no undisputed relation.
pub(crate) fn key(places: &Places, asked: usize, hard: bool, evidence: &Evidence) -> Option<Good> {
    let lies: Vec<(usize, Lie)> = evidence
        .places
        .iter()
        .map(|&place| (place, places.lie(asked, place)))
        .collect();
    if lies.iter().any(|(_, lie)| *lie == Lie::Unclear) {
        return None;
    }
    let of = |wanted: Lie| -> Vec<usize> {
        lies.iter()
            .filter(|(_, lie)| *lie == wanted)
            .map(|(place, _)| *place)
            .collect()
    };
    let good = |decision, kind, from| {
        Some(Good {
            decision,
            kind,
            from,
        })
    };
    let exact = of(Lie::Exact);
    if !exact.is_empty() {
        return good(Decision::Answer, "exact", exact);
    }
    let broader = of(Lie::Broader);
    if !broader.is_empty() {
        return good(Decision::Warn, "coarse", nearest(places, &broader));
    }
    // On hard topics, rules of a smaller or overlapping place bind nobody else.
    let (overlap, finer) = (of(Lie::Overlap), of(Lie::Finer));
    if !overlap.is_empty() && !hard {
        return good(Decision::Warn, "overlap", overlap);
    }
    if !finer.is_empty() && !hard {
        return good(Decision::Warn, "fine", finer);
    }
    let in_us = places.get(places.country(asked)).id == "us";
    if evidence.agency_leaflet && in_us {
        return good(Decision::Warn, "none", Vec::new());
    }
    let kind = match () {
        _ if !overlap.is_empty() => "overlap",
        _ if !finer.is_empty() => "fine",
        _ if evidence.leaflet || evidence.agency_leaflet => "none",
        _ => "mismatch",
    };
    good(Decision::Abstain, kind, Vec::new())
}

/// The nearest of the places around one: those around no other of them. A valley or range within a
/// state stands beside the county, town and state ladder, at the same distance as the state.
fn nearest(places: &Places, around: &[usize]) -> Vec<usize> {
    let beside = |inner: usize, outer: usize| {
        places.get(inner).level == Level::Region && places.get(outer).level == Level::State
    };
    around
        .iter()
        .copied()
        .filter(|&outer| {
            !around.iter().any(|&inner| {
                places.contains(outer, inner)
                    && !places.contains(inner, outer)
                    && !beside(inner, outer)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(
        asked: &str,
        hard: bool,
        held: &[&str],
    ) -> (Decision, &'static str, Vec<&'static str>) {
        let places = Places::committed();
        let at = |id: &str| {
            (0..places.len())
                .find(|&at| places.get(at).id == id)
                .unwrap_or_else(|| panic!("no place `{id}`"))
        };
        let evidence = Evidence {
            places: held.iter().map(|id| at(id)).collect(),
            leaflet: false,
            agency_leaflet: false,
        };
        let good = key(&places, at(asked), hard, &evidence).unwrap();
        let from = good.from.iter().map(|&at| places.get(at).id).collect();
        (good.decision, good.kind, from)
    }

    #[test]
    fn the_key_follows_the_rules_of_the_specification() {
        use Decision::{Abstain, Answer, Warn};

        assert_eq!(
            decided("corvallis", false, &["corvallis", "oregon"]),
            (Answer, "exact", vec!["corvallis"])
        );
        assert_eq!(
            decided("corvallis", true, &["oregon", "us"]),
            (Warn, "coarse", vec!["oregon"])
        );
        assert_eq!(
            decided(
                "corvallis",
                false,
                &["willamette-valley", "oregon", "pacific-northwest"]
            ),
            (Warn, "coarse", vec!["willamette-valley", "oregon"])
        );
        assert_eq!(
            decided("oregon", false, &["bend"]),
            (Warn, "fine", vec!["bend"])
        );
        assert_eq!(
            decided("oregon", true, &["bend"]),
            (Abstain, "fine", vec![])
        );
        assert_eq!(
            decided("portland-or", false, &["multnomah", "portland-me"]),
            (Warn, "overlap", vec!["multnomah"])
        );
        assert_eq!(
            decided("osage-ok", false, &["osage-ks", "osage-mo"]),
            (Abstain, "mismatch", vec![])
        );
        assert_eq!(
            decided("pawhuska", false, &["osage-reservation"]),
            (Warn, "coarse", vec!["osage-reservation"])
        );
    }
}
