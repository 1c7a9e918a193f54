//! The weight of a name: how well known it is, how it is written, what stands around it.

use super::super::words::{
    body_of, direction, function_word, lists, place_noun, preposition, title_after, title_before,
};
use super::{Case, Context, Found, Gap, Meaning};
use crate::kind::{Kind, NameKind};
use crate::tag::scan::{folded_word, joins};

impl Context<'_> {
    /// The weight of a name where it stands, and whether it stands alone.
    pub(super) fn score(
        &mut self,
        found: &Found,
        meanings: &[Meaning],
        typed: bool,
    ) -> (f32, bool) {
        let (first, end) = (found.first, found.end);
        let single = end - first == 1;
        let name = self.lower(first);
        let mut score = self.prominence(meanings) + if typed { 2.5 } else { 0.0 };
        let mut alone = true;
        if !single {
            score += 1.5;
        }
        let before = self.words_before(first);
        score += before;
        if before <= -5.0 {
            alone = false;
        }
        score += self.words_behind(end, meanings);
        let names = lists();
        let mut folded = std::mem::take(&mut self.folded);
        folded_word(self.text, &self.tokens[first], &mut folded);
        let acronym = self.tokens[first].case == Case::Upper && single;
        if single {
            if names.everyday.contains(folded.as_str()) && (!acronym || self.style.upper_case) {
                score -= if self.style.question { 1.5 } else { 3.0 };
                if self.begins_sentence(first) {
                    score -= 1.0;
                }
            }
            if month_or_day(&folded) && !self.unit_around(end, meanings) {
                score -= 6.0;
            }
            if names.first_names.contains(folded.as_str()) && !self.style.question {
                score -= 1.0;
            }
            if names.surnames.contains(folded.as_str()) && !self.style.question {
                score -= 1.0;
            }
            if self.style.question && !self.begins_sentence(first) {
                score += 1.0;
            }
            if self.people.contains(&name) && !self.follows_place(first) {
                score -= 3.0;
            }
        }
        self.folded = folded;
        if !self.style.upper_case && !self.style.lower_case {
            if let Some(before) = self.before(first) {
                let word = self.lower(before);
                let harmless = function_word(&word)
                    && (self.begins_sentence(before) || word.len() > 3)
                    || direction(&word)
                    || self.last_end == first
                    || place_noun(&word) && self.begins_sentence(before);
                if !harmless {
                    alone = false;
                    score -= if names.first_names.contains(word.as_str()) && single {
                        5.0
                    } else if title_before(&word) {
                        if word == "president" || single {
                            3.5
                        } else {
                            1.0
                        }
                    } else {
                        3.0
                    };
                }
            }
            let behind = self.tokens.get(end).filter(|token| {
                matches!(token.gap, Gap::Space) && !self.tokens[end - 1].possessive
                    || token.gap == Gap::Hyphen && token.case == Case::Title
            });
            if let Some(token) = behind
                && matches!(token.case, Case::Title | Case::Upper)
            {
                let word = self.lower(end);
                let parent_follows = self.parent_at(end, meanings);
                // "US Army", "UK Treasury": the abbreviation stands for the adjective.
                let adjective = acronym && self.tokens[first].end - self.tokens[first].start <= 4
                    || self.tokens[first].dotted;
                if !adjective && !title_after(&word) && !function_word(&word) && !parent_follows {
                    alone = false;
                    score -= if typed { 5.0 } else { 4.0 };
                }
            }
            let spoke = self
                .tokens
                .get(end)
                .is_some_and(|token| token.gap == Gap::Space)
                && matches!(
                    self.lower(end).as_str(),
                    "said" | "says" | "told" | "added" | "who"
                );
            if spoke
                && single
                && self.words_before(first) <= 0.7
                && !meanings
                    .iter()
                    .any(|m| self.gazetteer.kind(m.place).level() <= 3)
            {
                score -= 1.5;
            }
        }
        (score, alone)
    }

    /// How well known the best meaning is.
    pub(super) fn prominence(&self, meanings: &[Meaning]) -> f32 {
        meanings
            .iter()
            .map(|meaning| {
                let kind = self.gazetteer.kind(meaning.place);
                let population = self.gazetteer.population(meaning.place);
                let weight: f32 = match kind {
                    Kind::Country | Kind::HistoricCountry | Kind::Continent => 3.0,
                    Kind::Macroregion | Kind::Water => 2.5,
                    Kind::State if population > 1_000_000 => 2.5,
                    Kind::State | Kind::CensusRegion | Kind::Region => 2.0,
                    Kind::Subregion | Kind::Tribal | Kind::Forest | Kind::Park => 2.0,
                    Kind::Physical | Kind::Island | Kind::River | Kind::Watershed => 1.0,
                    _ if population > 500_000 => 2.2,
                    _ if population > 100_000 => 1.8,
                    _ if population > 15_000 => 1.0,
                    _ if population > 2_000 => 0.5,
                    _ => 0.2,
                };
                match meaning.name {
                    NameKind::Official => weight,
                    NameKind::Code | NameKind::Abbreviation => weight.max(1.5),
                    NameKind::Short => weight.min(0.6),
                    NameKind::Alternate if kind.level() <= 3 => weight,
                    _ => weight - 0.8,
                }
            })
            .fold(0.0, f32::max)
    }

    pub(super) fn words_before(&self, first: usize) -> f32 {
        if first == 0 {
            return 0.0;
        }
        let gap = self.tokens[first].gap;
        let mut score = 0.0;
        if self.follows_place(first) && gap != Gap::Space {
            score += 1.5;
        }
        if gap != Gap::Space {
            return score;
        }
        let mut before = first - 1;
        let mut word = self.lower(before);
        if (direction(&word) || word == "the") && before > 0 {
            before -= 1;
            word = self.lower(before);
        }
        if preposition(&word) {
            score += if matches!(word.as_str(), "to" | "on" | "including" | "over" | "above") {
                1.0
            } else {
                2.0
            };
        } else if word == "of" && before > 0 {
            let head = self.lower(before - 1);
            if place_noun(&head)
                && (self.tokens[before - 1].case == Case::Lower || head != "department")
            {
                score += 2.5;
            } else if body_of(&head) {
                score -= 6.0;
            } else {
                score += 0.7;
            }
        } else if place_noun(&word) && self.tokens[before].case == Case::Lower {
            score += 0.7;
        } else if matches!(word.as_str(), "and" | "or") && self.last_end == before {
            score += 1.5;
        }
        score
    }

    pub(super) fn words_behind(&self, end: usize, meanings: &[Meaning]) -> f32 {
        let Some(next) = self.tokens.get(end) else {
            return 0.0;
        };
        let word = self.lower(end);
        if self.row_of_counties(end) {
            return 3.0;
        }
        match next.gap {
            Gap::Space if next.case == Case::Lower && place_noun(&word) => 1.0,
            Gap::Comma | Gap::Bracket if self.unit_around(end, meanings) => 5.0,
            Gap::Comma | Gap::Bracket if self.begins_known_unit(end) => 1.5,
            Gap::Space if word == "in" && self.unit_around(end + 1, meanings) => 3.5,
            Gap::Hyphen if word == "based" || word == "area" => 1.5,
            _ => 0.0,
        }
    }

    /// Whether "counties" ends the row that goes on here: `Panola and Harrison Counties`.
    fn row_of_counties(&self, end: usize) -> bool {
        for at in end..(end + 14).min(self.tokens.len()) {
            let word = self.lower(at);
            if matches!(word.as_str(), "counties" | "parishes") {
                return at > end;
            }
            let goes_on = self.capital(at) || word == "and";
            if !goes_on || !matches!(self.tokens[at].gap, Gap::Space | Gap::Comma) {
                return false;
            }
        }
        false
    }

    /// Whether the state, country or county that stands at a word contains one of these places.
    pub(super) fn unit_around(&self, at: usize, meanings: &[Meaning]) -> bool {
        if !self.capital(at) {
            return false;
        }
        (1..=3).rev().any(|words| {
            let Some(last) = self.tokens.get(at + words - 1) else {
                return false;
            };
            let name = &self.text[self.tokens[at].start..last.end];
            self.gazetteer.meanings(name).into_iter().any(|unit| {
                matches!(
                    self.gazetteer.kind(unit.place),
                    Kind::Country | Kind::State | Kind::County
                ) && matches!(
                    unit.name,
                    NameKind::Official
                        | NameKind::Abbreviation
                        | NameKind::Alternate
                        | NameKind::Code
                ) && meanings.iter().any(|meaning| {
                    meaning.place != unit.place
                        && self.gazetteer.lies_under(meaning.place, unit.place)
                })
            })
        })
    }

    /// Whether a state, country or county stands at a word (behind a comma or bracket).
    pub(super) fn begins_known_unit(&self, at: usize) -> bool {
        if !self.capital(at) {
            return false;
        }
        for words in (1..=3).rev() {
            let Some(last) = self.tokens.get(at + words - 1) else {
                continue;
            };
            if (at + 1..at + words)
                .any(|word| !joins(self.text, &self.tokens[word - 1], &self.tokens[word]))
            {
                continue;
            }
            let name = &self.text[self.tokens[at].start..last.end];
            let unit = self.gazetteer.meanings(name).into_iter().any(|meaning| {
                let level = self.gazetteer.kind(meaning.place).level();
                matches!(
                    meaning.name,
                    NameKind::Official | NameKind::Abbreviation | NameKind::Alternate
                ) && (level == 1 || level == 3 || level == 5)
                    || meaning.name == NameKind::Code
                        && self.tokens[at].case == Case::Upper
                        && words == 1
            });
            if unit {
                return true;
            }
        }
        false
    }

    /// Whether the name that begins at a word contains one of these places: `Dallas Texas`.
    pub(super) fn parent_at(&self, at: usize, meanings: &[Meaning]) -> bool {
        self.gazetteer.meanings(self.word(at)).iter().any(|parent| {
            matches!(
                parent.name,
                NameKind::Official | NameKind::Abbreviation | NameKind::Code
            ) && self.gazetteer.kind(parent.place).level() <= 3
                && meanings
                    .iter()
                    .any(|meaning| self.gazetteer.lies_under(meaning.place, parent.place))
        })
    }
}

/// Names of months and days, which are names of towns too.
fn month_or_day(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "sunday"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
    )
}
