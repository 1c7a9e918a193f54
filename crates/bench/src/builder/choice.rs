//! Gaps with four fillings of one kind. The wrong ones come from the same library.

use std::collections::BTreeMap;

use super::change::Change;
use super::folded;
use super::spot::{Kind, Spot, spots};
use crate::draw::SplitMix64;

/// How many of the nearest figures wrong ones are drawn from.
const NEAREST: usize = 12;

/// What the library can fill gaps with.
pub(super) struct Stock(BTreeMap<Kind, Vec<(String, f64)>>);

impl Stock {
    pub(super) fn of<'s>(sentences: impl Iterator<Item = &'s str>) -> Stock {
        let mut stock: BTreeMap<Kind, Vec<(String, f64)>> = BTreeMap::new();
        for text in sentences {
            for spot in spots(text) {
                let filling = text[spot.range].to_owned();
                let of_kind = stock.entry(spot.kind).or_default();
                if of_kind
                    .iter()
                    .all(|(known, _)| folded(known) != folded(&filling))
                {
                    of_kind.push((filling, spot.value));
                }
            }
        }
        Stock(stock)
    }
}

/// A sentence with a gap.
pub(super) struct Gap {
    pub kind: Change,
    pub question: String,
    pub options: BTreeMap<char, String>,
    pub answer: char,
}

pub(super) fn gap(sentence: &str, stock: &Stock, draw: &mut SplitMix64) -> Option<Gap> {
    let mut spots = spots(sentence);
    draw.shuffle(&mut spots);
    spots
        .iter()
        .find_map(|spot| gap_at(sentence, spot, stock, draw))
}

fn gap_at(sentence: &str, spot: &Spot, stock: &Stock, draw: &mut SplitMix64) -> Option<Gap> {
    let right = &sentence[spot.range.clone()];
    let (kind, asked) = match &spot.kind {
        Kind::Quantity(_) => (Change::GapQuantity, "quantity"),
        Kind::Year => (Change::GapYear, "year"),
        Kind::Place => (Change::GapPlace, "place"),
        Kind::Acronym => (Change::GapAcronym, "abbreviation"),
    };
    let gapped = format!(
        "{}____{}",
        &sentence[..spot.range.start],
        &sentence[spot.range.end..]
    );
    if gapped.contains(right) {
        return None;
    }
    let apart = |value: f64| (value - spot.value).abs() > 0.05 * spot.value.abs();
    let mut others: Vec<&(String, f64)> = stock
        .0
        .get(&spot.kind)?
        .iter()
        .filter(|(other, value)| {
            let figure = matches!(spot.kind, Kind::Quantity(_));
            !sentence.contains(other)
                && !other.contains(right)
                && !right.contains(other.as_str())
                && (!figure || apart(*value))
        })
        .collect();
    match &spot.kind {
        Kind::Place | Kind::Acronym => draw.shuffle(&mut others),
        Kind::Quantity(_) | Kind::Year => {
            let far = |value: f64| (value.max(1e-3).ln() - spot.value.max(1e-3).ln()).abs();
            others.sort_by(|a, b| far(a.1).total_cmp(&far(b.1)).then_with(|| a.0.cmp(&b.0)));
            others.truncate(NEAREST);
            draw.shuffle(&mut others);
        }
    }
    let wrong: Vec<&str> = others
        .iter()
        .take(3)
        .map(|(other, _)| other.as_str())
        .collect();
    if wrong.len() < 3 {
        return None;
    }
    let mut fillings = vec![right, wrong[0], wrong[1], wrong[2]];
    draw.shuffle(&mut fillings);
    let options: BTreeMap<char, String> = ('A'..='D')
        .zip(fillings.iter().map(|filling| (*filling).to_owned()))
        .collect();
    let answer = options
        .iter()
        .find(|(_, filling)| *filling == right)
        .map(|(letter, _)| *letter)?;
    Some(Gap {
        kind,
        question: format!("Which {asked} fills the gap? {gapped}"),
        options,
        answer,
    })
}
