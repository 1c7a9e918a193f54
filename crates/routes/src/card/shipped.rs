//! The cards that come with Lahar.

use std::sync::LazyLock;

use super::Card;
use crate::error::RoutesError;

include!(concat!(env!("OUT_DIR"), "/cards.rs"));

static ALL: LazyLock<Result<Vec<Card>, RoutesError>> = LazyLock::new(|| {
    let mut cards = FILES
        .iter()
        .map(|(file, text)| Card::parse(file, text))
        .collect::<Result<Vec<Card>, RoutesError>>()?;
    cards.sort_by(|a, b| (&a.track, &a.id).cmp(&(&b.track, &b.id)));
    Ok(cards)
});

/// Every card, in the order of tracks and ids.
pub fn all() -> Result<&'static [Card], RoutesError> {
    ALL.as_ref().map(Vec::as_slice).map_err(Clone::clone)
}

/// Files of the cards, with their texts.
pub fn files() -> &'static [(&'static str, &'static str)] {
    FILES
}

/// The card of an id.
pub fn find(id: &str) -> Result<&'static Card, RoutesError> {
    let cards = all()?;
    cards.iter().find(|card| card.id == id).ok_or_else(|| {
        let close = cards
            .iter()
            .map(|card| card.id.as_str())
            .filter(|known| {
                let mut words = id.split('-').filter(|word| word.len() > 2);
                words.any(|word| known.contains(word))
            })
            .collect::<Vec<_>>();
        RoutesError::Unknown {
            what: "route",
            name: id.to_owned(),
            hint: match close.is_empty() {
                true => "; list them with `lahar routes list`".to_owned(),
                false => format!("; did you mean one of: {}", close.join(", ")),
            },
        }
    })
}
