//! The places of the swap benchmark and how they lie to each other, listed by hand in
//! `places.tsv`. Nothing here asks the gazetteer: the key to the benchmark must not share its
//! mistakes.

use std::collections::HashMap;
use std::fmt;

const TABLE: &str = include_str!("places.tsv");

/// How large a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Level {
    Place,
    County,
    Tribal,
    Region,
    Province,
    State,
    Country,
}

impl Level {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Level::Place => "place",
            Level::County => "county",
            Level::Tribal => "tribal",
            Level::Region => "region",
            Level::Province => "province",
            Level::State => "state",
            Level::Country => "country",
        }
    }

    fn parse(word: &str) -> Option<Level> {
        [
            Level::Place,
            Level::County,
            Level::Tribal,
            Level::Region,
            Level::Province,
            Level::State,
            Level::Country,
        ]
        .into_iter()
        .find(|level| level.word() == word)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// How a place with evidence lies to the place asked about, by the hand-made table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lie {
    /// The same ground.
    Exact,
    /// The evidence's place contains the one asked about.
    Broader,
    /// They share ground, and neither contains the other.
    Overlap,
    /// The evidence's place is a part of the one asked about.
    Finer,
    /// They share no ground.
    Different,
    /// People draw the boundary differently, so that no key can be given: such a pair is never
    /// asked about.
    Unclear,
}

/// A place of the table.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) id: &'static str,
    pub(crate) level: Level,
    pub(crate) name: &'static str,
    /// Places it lies wholly in, as listed.
    inside: Vec<usize>,
    overlaps: Vec<usize>,
    unclear: Vec<usize>,
    same_extent: Option<usize>,
    /// Ways to abbreviate it behind a comma, for states.
    abbreviations: Vec<&'static str>,
    /// Whether its bare name could mean something else ("Georgia"), so that it is never asked so.
    pub(crate) bare_is_unclear: bool,
    /// Street address of its town hall, as a contact line gives it.
    pub(crate) address: Option<&'static str>,
}

/// The table of places.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    list: Vec<Place>,
    /// For each place: itself, what has the same extent, and all that these lie in.
    within: Vec<Vec<usize>>,
}

impl Places {
    /// The table as it is committed.
    pub(crate) fn committed() -> Places {
        let rows: Vec<Vec<&'static str>> = TABLE
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect())
            .collect();
        let by_id: HashMap<&str, usize> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| (row[0], at))
            .collect();
        let ids = |text: &str| -> Vec<usize> {
            text.split_whitespace()
                .filter_map(|id| by_id.get(id).copied())
                .collect()
        };
        let list = rows
            .iter()
            .map(|row| Place {
                id: row[0],
                level: Level::parse(row[1]).unwrap_or(Level::Place),
                name: row[2],
                inside: ids(row[3]),
                overlaps: ids(row[4]),
                unclear: ids(row[5]),
                abbreviations: row[6].split(';').filter(|form| !form.is_empty()).collect(),
                bare_is_unclear: row[7] == "no",
                same_extent: ids(row[8]).first().copied(),
                address: Some(row[9]).filter(|address| !address.is_empty()),
            })
            .collect();
        let mut places = Places {
            within: Vec::new(),
            list,
        };
        places.within = (0..places.len()).map(|at| places.find_within(at)).collect();
        places
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, at: usize) -> &Place {
        &self.list[at]
    }

    fn find_within(&self, at: usize) -> Vec<usize> {
        let mut found = vec![at];
        let mut next = 0;
        while next < found.len() {
            let from = found[next];
            let place = &self.list[from];
            let twins = (0..self.len()).filter(|&other| self.twins(from, other));
            for above in place.inside.iter().copied().chain(twins) {
                if !found.contains(&above) {
                    found.push(above);
                }
            }
            next += 1;
        }
        found
    }

    fn twins(&self, one: usize, other: usize) -> bool {
        one != other
            && (self.list[one].same_extent == Some(other)
                || self.list[other].same_extent == Some(one))
    }

    /// Whether one place contains another; a place contains itself.
    pub(crate) fn contains(&self, outer: usize, inner: usize) -> bool {
        self.within[inner].contains(&outer)
    }

    /// How the place of some evidence lies to the place asked about.
    pub(crate) fn lie(&self, asked: usize, evidence: usize) -> Lie {
        if asked == evidence || self.twins(asked, evidence) {
            return Lie::Exact;
        }
        if self.contains(evidence, asked) {
            return Lie::Broader;
        }
        if self.contains(asked, evidence) {
            return Lie::Finer;
        }
        // What overlaps a county need not overlap its towns, but a region whose boundary with a
        // state is unclear has an unclear one with all that lies in the state.
        let overlaps = |one: usize, other: usize| self.list[one].overlaps.contains(&other);
        let unclear = |one: usize, other: usize| {
            let listed = &self.list[one].unclear;
            self.within[other]
                .iter()
                .any(|place| listed.contains(place))
        };
        if overlaps(asked, evidence) || overlaps(evidence, asked) {
            Lie::Overlap
        } else if unclear(asked, evidence) || unclear(evidence, asked) {
            Lie::Unclear
        } else {
            Lie::Different
        }
    }

    /// The state, province or country that a place is counted under; tribal lands and regions of
    /// several states under the country.
    pub(crate) fn state(&self, at: usize) -> usize {
        let of_level = |level: Level| {
            let mut within = self.within[at].iter().copied();
            within.find(|&place| self.list[place].level == level)
        };
        of_level(Level::State)
            .or_else(|| of_level(Level::Province))
            .or_else(|| of_level(Level::Country))
            .unwrap_or(at)
    }

    pub(crate) fn country(&self, at: usize) -> usize {
        let mut within = self.within[at].iter().copied();
        within
            .find(|&place| self.list[place].level == Level::Country)
            .unwrap_or(at)
    }

    /// The ways in which people write a place; the first is the one that documents use.
    pub(crate) fn forms(&self, at: usize) -> Vec<String> {
        let place = self.get(at);
        let name = place.name;
        let above = self.get(self.state(at));
        let country = self.get(self.country(at)).name;
        match place.level {
            Level::Place | Level::County if above.level == Level::State => {
                let mut forms = vec![format!("{name}, {}", above.name)];
                forms.extend(
                    above
                        .abbreviations
                        .iter()
                        .map(|short| format!("{name}, {short}")),
                );
                forms
            }
            Level::Place if above.level == Level::Province => vec![
                format!("{name}, {}, {country}", above.name),
                format!("{name}, {country}"),
            ],
            Level::Place | Level::Province => vec![format!("{name}, {country}")],
            Level::State if place.bare_is_unclear => vec![format!("the state of {name}")],
            Level::State => vec![name.to_owned(), format!("the state of {name}")],
            Level::Region if !takes_article(name) => vec![name.to_owned()],
            Level::Region | Level::Tribal => vec![format!("the {name}")],
            Level::Country if takes_article(name) => vec![format!("the {name}")],
            Level::Country | Level::County => vec![name.to_owned()],
        }
    }
}

/// "the United States", "the Willamette Valley"; not "New England".
pub(crate) fn takes_article(name: &str) -> bool {
    name.starts_with("United ") || ARTICLE_ENDS.iter().any(|end| name.ends_with(end))
}

/// Last words of names that are written with an article.
const ARTICLE_ENDS: [&str; 7] = [
    "Northwest",
    "Southwest",
    "Valley",
    "Range",
    "Area",
    "Reservation",
    "Nation",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn lie(asked: &str, evidence: &str) -> Lie {
        let places = Places::committed();
        let at = |id: &str| {
            (0..places.len())
                .find(|&at| places.get(at).id == id)
                .unwrap_or_else(|| panic!("no place `{id}`"))
        };
        places.lie(at(asked), at(evidence))
    }

    #[test]
    fn the_table_says_how_places_lie_to_each_other() {
        assert_eq!(lie("corvallis", "corvallis"), Lie::Exact);
        assert_eq!(lie("corvallis", "pacific-northwest"), Lie::Broader);
        assert_eq!(lie("oregon", "bend"), Lie::Finer);
        assert_eq!(lie("portland-or", "multnomah"), Lie::Overlap);
        assert_eq!(lie("multnomah", "portland-or"), Lie::Overlap);
        assert_eq!(lie("osage-ok", "osage-reservation"), Lie::Exact);
        assert_eq!(lie("pawhuska", "osage-reservation"), Lie::Broader);
        assert_eq!(lie("osage-reservation", "pawhuska"), Lie::Finer);
        assert_eq!(lie("osage-ok", "osage-ks"), Lie::Different);
        assert_eq!(lie("navajo-nation", "arizona"), Lie::Overlap);
        assert_eq!(lie("reno", "southwest"), Lie::Unclear);
        assert_eq!(lie("boulder", "front-range"), Lie::Broader);
        assert_eq!(lie("boulder", "colorado"), Lie::Broader);
    }

    /// A name in the table that no row has would silently change the key.
    #[test]
    fn every_place_that_a_row_names_is_a_row() {
        let ids: Vec<&str> = TABLE
            .lines()
            .skip(1)
            .filter_map(|line| line.split('\t').next())
            .collect();
        for line in TABLE.lines().skip(1) {
            let row: Vec<&str> = line.split('\t').collect();
            assert_eq!(row.len(), 10, "{line}");
            assert!(Level::parse(row[1]).is_some(), "{line}");
            for named in [row[3], row[4], row[5], row[8]]
                .into_iter()
                .flat_map(str::split_whitespace)
            {
                assert!(ids.contains(&named), "`{named}` in {line}");
            }
        }
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len());
    }

    #[test]
    fn a_place_is_written_as_people_write_it() {
        let places = Places::committed();
        let forms = |id: &str| {
            let at = (0..places.len()).find(|&at| places.get(at).id == id);
            places.forms(at.unwrap_or_default())
        };
        assert_eq!(
            forms("corvallis"),
            ["Corvallis, Oregon", "Corvallis, OR", "Corvallis, Ore."]
        );
        assert_eq!(forms("georgia-us"), ["the state of Georgia"]);
        assert_eq!(
            forms("paris-fr"),
            ["Paris, Île-de-France, France", "Paris, France"]
        );
        assert_eq!(forms("us"), ["the United States"]);
    }
}
