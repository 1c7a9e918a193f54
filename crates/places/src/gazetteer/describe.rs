//! Chains, states and names with what tells them from others.

use super::{Gazetteer, PlaceId};
use crate::kind::{EdgeKind, Kind};

impl Gazetteer {
    /// The printed chain: the place, then one parent each time, up to the country.
    pub fn chain(&self, place: PlaceId) -> Vec<PlaceId> {
        let mut chain = vec![place];
        let mut at = place;
        while let Some(edge) = self.parents(at).find(|edge| edge.kind != EdgeKind::Label) {
            if chain.contains(&edge.parent) {
                break;
            }
            at = edge.parent;
            chain.push(at);
        }
        chain
    }

    /// The first-level division a place lies in, where it is one; a state is its own.
    pub fn state(&self, place: PlaceId) -> Option<PlaceId> {
        if self.kind(place) == Kind::State {
            return Some(place);
        }
        let mut at = place;
        for _ in 0..6 {
            at = self
                .parents(at)
                .find(|edge| matches!(edge.kind, EdgeKind::Admin | EdgeKind::Spans))?
                .parent;
            if self.kind(at) == Kind::State {
                return Some(at);
            }
        }
        None
    }

    /// Whether a place lies in the United States.
    pub fn in_united_states(&self, place: PlaceId) -> bool {
        self.country(place)
            .is_some_and(|country| self.stored_code(country) == Some("iso:US"))
    }

    /// Name with what tells it from others: `Portland, Oregon`, `Paris, Île-de-France, France`.
    pub fn qualified(&self, place: PlaceId) -> String {
        let mut text = self.display_name(place);
        let country = self.country(place);
        if let Some(state) = self.state(place).filter(|state| *state != place) {
            text.push_str(", ");
            text.push_str(self.name(state));
        }
        if let Some(country) = country.filter(|country| *country != place)
            && (self.code(country) != Some("iso:US") || self.state(place) == Some(place))
        {
            text.push_str(", ");
            text.push_str(self.name(country));
        }
        text
    }
}
