//! How two places lie to each other: relation from extents, distance from edges.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::blob::WHOLE;
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::kind::{EdgeKind, Kind};

/// How a passage's place lies to the place asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// The same place, or the same boundary.
    Exact,
    /// The passage's place contains the one asked about.
    Broader,
    /// They share ground, and neither contains the other.
    Overlap,
    /// The place asked about contains the passage's.
    Finer,
    /// They share no ground.
    Different,
    /// The passage names no place.
    None,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Relation::Exact => "exact",
            Relation::Broader => "broader",
            Relation::Overlap => "overlap",
            Relation::Finer => "finer",
            Relation::Different => "different",
            Relation::None => "none",
        })
    }
}

/// Relation, distance and what lies between two places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// How the passage's place lies to the one asked about.
    pub relation: Relation,
    /// Steps up from the one and down to the other; `None` where nothing below the world is shared.
    pub distance: Option<u32>,
    /// The place where the two paths meet.
    pub shared_ancestor: Option<PlaceId>,
    /// Other places where paths of the same length and depth meet.
    pub ties: Vec<PlaceId>,
    /// From the place asked about up to the shared ancestor and down to the passage's place.
    pub path: Vec<PlaceId>,
    /// Level of the passage's place less that of the place asked about.
    pub level_gap: i8,
}

/// A place to compare: a node of the graph, or a point or box that hangs below nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The node, where it is one.
    pub place: Option<PlaceId>,
    /// Units touched by a point or box, with how much of the unit is covered, in half percents.
    pub units: Vec<(PlaceId, u8)>,
    /// The smallest units that contain a point or box.
    pub parents: Vec<PlaceId>,
}

impl From<PlaceId> for Subject {
    fn from(place: PlaceId) -> Subject {
        Subject {
            place: Some(place),
            units: Vec::new(),
            parents: Vec::new(),
        }
    }
}

/// One place on the way up.
#[derive(Debug, Clone, Copy)]
struct Step {
    place: PlaceId,
    hops: u32,
    from: usize,
    endpoint_only: bool,
}

impl Gazetteer {
    /// Compares the place asked about with a passage's place.
    pub fn compare(&self, query: PlaceId, passage: PlaceId) -> Comparison {
        self.compare_subjects(&query.into(), &passage.into())
    }

    /// The same with points and boxes.
    pub fn compare_subjects(&self, query: &Subject, passage: &Subject) -> Comparison {
        let query = self.represented(query);
        let passage = self.represented(passage);
        let relation = self.relation(&query, &passage);
        let (up, down) = (self.ascend(&query), self.ascend(&passage));
        let mut best: Option<(u32, usize, usize)> = None;
        let mut ties = Vec::new();
        for (i, q) in up.iter().enumerate() {
            for (j, p) in down.iter().enumerate() {
                let an_end = i == 0 && query.place.is_some() || j == 0 && passage.place.is_some();
                if q.place != p.place || (q.endpoint_only || p.endpoint_only) && !an_end {
                    continue;
                }
                let distance = q.hops + p.hops;
                match best {
                    None => best = Some((distance, i, j)),
                    Some((known, _, _)) if distance > known => {}
                    Some((known, b, _)) => {
                        let shorter = distance < known;
                        if shorter {
                            ties.clear();
                        }
                        if shorter || self.meets_before(q.place, up[b].place) {
                            if !shorter {
                                ties.push(up[b].place);
                            }
                            best = Some((distance, i, j));
                        } else if up[b].place != q.place {
                            ties.push(q.place);
                        }
                    }
                }
            }
        }
        let level = |subject: &Subject| subject.place.map_or(7, |place| self.kind(place).level());
        let level_gap = level(&passage) as i8 - level(&query) as i8;
        let Some((distance, i, j)) = best else {
            return Comparison {
                relation,
                distance: None,
                shared_ancestor: None,
                ties: Vec::new(),
                path: Vec::new(),
                level_gap,
            };
        };
        let meeting = up[i].place;
        let depth = self.kind(meeting).level();
        ties.retain(|tie| self.kind(*tie).level() == depth && *tie != meeting);
        ties.dedup();
        let mut path = trace(&up, i);
        path.reverse();
        path.extend(trace(&down, j).into_iter().skip(1));
        Comparison {
            relation,
            distance: Some(distance),
            shared_ancestor: Some(meeting),
            ties,
            path,
            level_gap,
        }
    }

    fn represented(&self, subject: &Subject) -> Subject {
        Subject {
            place: subject.place.map(|place| self.representative(place)),
            ..subject.clone()
        }
    }

    /// Which of two meeting places is named: the deeper, then law before census before custom
    /// before nature, then the smaller, then the lower id.
    fn meets_before(&self, one: PlaceId, other: PlaceId) -> bool {
        let rank = |place: PlaceId| {
            let kind = self.kind(place);
            let custom = match kind {
                Kind::Country | Kind::State | Kind::County | Kind::City | Kind::Township => 0,
                Kind::CensusRegion => 1,
                Kind::Region | Kind::Subregion => 2,
                _ => 3,
            };
            let units = self.extent(place).count();
            (std::cmp::Reverse(kind.level()), custom, units, place.0)
        };
        rank(one) < rank(other)
    }

    /// Every place on the way up with the fewest steps to it; inner places are backbone.
    fn ascend(&self, subject: &Subject) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::with_capacity(24);
        match subject.place {
            Some(place) => steps.push(Step {
                place,
                hops: 0,
                from: 0,
                endpoint_only: false,
            }),
            None => steps.extend(subject.parents.iter().enumerate().map(|(at, place)| Step {
                place: *place,
                hops: 1,
                from: at,
                endpoint_only: false,
            })),
        }
        let mut next = 0;
        while next < steps.len() {
            let step = steps[next];
            let begins = step.hops == 0;
            if !step.endpoint_only && (begins || self.kind(step.place).is_backbone()) {
                for edge in self.parents(step.place) {
                    let label = edge.kind == EdgeKind::Label;
                    if let Some(known) = steps.iter_mut().find(|s| s.place == edge.parent) {
                        if known.endpoint_only && !label {
                            *known = Step {
                                place: edge.parent,
                                hops: step.hops + 1,
                                from: next,
                                endpoint_only: false,
                            };
                        }
                        continue;
                    }
                    steps.push(Step {
                        place: edge.parent,
                        hops: step.hops + 1,
                        from: next,
                        endpoint_only: label || self.is_reference(edge.parent),
                    });
                }
            }
            next += 1;
        }
        steps.retain(|step| self.kind(step.place) != Kind::World || step.hops == 0);
        steps
    }

    fn relation(&self, query: &Subject, passage: &Subject) -> Relation {
        if query.place.is_some() && query.place == passage.place {
            return Relation::Exact;
        }
        if let (Some(one), Some(other)) = (query.place, passage.place) {
            // What a user hangs below a place lies in it, whatever the two cover.
            match (self.own_within(one, other), self.own_within(other, one)) {
                (true, _) => return Relation::Broader,
                (_, true) => return Relation::Finer,
                _ => {}
            }
        }
        let (q, p) = (self.atoms(query), self.atoms(passage));
        // A point at sea covers no ground, so nothing contains it and it contains nothing.
        if q.is_empty() || p.is_empty() {
            return Relation::Different;
        }
        let covers_query = q.iter().all(|(unit, _)| self.covered(*unit, &p));
        let covers_passage = p.iter().all(|(unit, _)| self.covered(*unit, &q));
        match (covers_query, covers_passage) {
            // Two fuzzy regions of the same members are not thereby one.
            (true, true) => Relation::Overlap,
            (true, false) => Relation::Broader,
            (false, true) => Relation::Finer,
            (false, false) if self.meet(&q, &p) => Relation::Overlap,
            (false, false) => Relation::Different,
        }
    }

    /// Whether a place of the user's own hangs wholly below another, over places that do.
    fn own_within(&self, inner: PlaceId, outer: PlaceId) -> bool {
        self.is_own(inner)
            && self.parents(inner).any(|edge| {
                edge.coverage >= WHOLE
                    && (edge.parent == outer || self.own_within(edge.parent, outer))
            })
    }

    /// What a subject covers: its extent, or itself.
    fn atoms(&self, subject: &Subject) -> Vec<(PlaceId, u8)> {
        let Some(place) = subject.place else {
            return subject.units.clone();
        };
        let extent: Vec<(PlaceId, u8)> = self.extent(place).collect();
        if extent.is_empty() {
            vec![(place, crate::blob::FULL)]
        } else {
            extent
        }
    }

    /// Whether a unit lies wholly in what the atoms cover.
    fn covered(&self, unit: PlaceId, atoms: &[(PlaceId, u8)]) -> bool {
        if atoms
            .iter()
            .any(|(atom, share)| *atom == unit && *share >= WHOLE)
        {
            return true;
        }
        let mut parts = 0;
        let mut parts_covered = 0;
        for edge in self.parents(unit) {
            let contains = matches!(edge.kind, EdgeKind::Admin | EdgeKind::CensusRegion)
                || edge.kind == EdgeKind::Spans && edge.coverage >= WHOLE;
            if !contains {
                continue;
            }
            let covered = self.covered(edge.parent, atoms);
            if edge.coverage >= WHOLE {
                if covered {
                    return true;
                }
            } else {
                parts += 1;
                parts_covered += u32::from(covered);
            }
        }
        parts > 0 && parts == parts_covered
    }

    /// Whether two extents share ground, as far as the tables know.
    fn meet(&self, q: &[(PlaceId, u8)], p: &[(PlaceId, u8)]) -> bool {
        q.iter().any(|(one, share)| {
            p.iter().any(|(other, other_share)| {
                if one == other {
                    // Two parts of one county may meet; two parts of one state say nothing.
                    return *share >= WHOLE
                        || *other_share >= WHOLE
                        || self.kind(*one).level() >= Kind::County.level();
                }
                self.lies_under(*one, *other) || self.lies_under(*other, *one)
            })
        })
    }

    /// Whether a place has another among its ancestors of law, even with a part only.
    pub(crate) fn lies_under(&self, place: PlaceId, above: PlaceId) -> bool {
        if self.kind(place).level() < self.kind(above).level() {
            return false;
        }
        self.parents(place).any(|edge| {
            matches!(
                edge.kind,
                EdgeKind::Admin | EdgeKind::CensusRegion | EdgeKind::Spans
            ) && (edge.parent == above || self.lies_under(edge.parent, above))
        })
    }

    /// Whether one place contains another, or is it.
    pub fn contains(&self, outer: PlaceId, inner: PlaceId) -> bool {
        let (outer, inner) = (self.representative(outer), self.representative(inner));
        outer == inner
            || matches!(
                self.relation(&inner.into(), &outer.into()),
                Relation::Exact | Relation::Broader
            )
    }
}

fn trace(steps: &[Step], at: usize) -> Vec<PlaceId> {
    let mut path = vec![steps[at].place];
    let mut at = at;
    while steps[at].from != at && steps[at].hops > 0 {
        at = steps[at].from;
        path.push(steps[at].place);
    }
    path
}
