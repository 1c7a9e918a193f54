use lahar_places::{Comparison, Gazetteer, PlaceId};

pub fn places() -> &'static Gazetteer {
    Gazetteer::embedded()
}

/// A place by code, for tests that must not depend on resolution.
pub fn by(code: &str) -> PlaceId {
    places()
        .by_id(code)
        .unwrap_or_else(|| panic!("no place {code}"))
}

pub fn compare(query: &str, passage: &str) -> Comparison {
    places().compare(by(query), by(passage))
}

pub fn name(place: Option<PlaceId>) -> &'static str {
    place.map_or("-", |place| places().name(place))
}
