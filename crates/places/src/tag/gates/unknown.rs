//! Capitalised words that no table knows, and that the words around make a place.

use super::super::words::{
    body_of, direction, feature_before, feature_word, function_word, lists, place_noun,
    preposition, street_word, title_before, unit_word,
};
use super::{BELIEVED, Case, Context, Doubt, Draft, Gap, Verdict};
use crate::mention::Role;

impl Context<'_> {
    /// Whether the mention before is a place below states, or unknown.
    pub(super) fn last_is_small(&self) -> bool {
        self.last_meanings
            .first()
            .is_none_or(|meaning| self.gazetteer.kind(meaning.place).level() > 3)
    }

    /// A capitalised run that no table knows, and that the words around make a place.
    pub(super) fn unknown(&mut self, at: usize) -> Verdict {
        if self.style.upper_case || self.style.lower_case || !self.capital(at) {
            return Verdict::Skip(at + 1);
        }
        if self
            .before(at)
            .is_some_and(|before| !function_word(&self.lower(before)))
        {
            return Verdict::Skip(at + 1);
        }
        let mut end = at + 1;
        while end < self.tokens.len()
            && end - at < 4
            && matches!(self.tokens[end].gap, Gap::Space | Gap::Hyphen)
            && !self.tokens[end - 1].possessive
        {
            let connects = matches!(
                self.word(end),
                "de" | "del"
                    | "da"
                    | "do"
                    | "dos"
                    | "la"
                    | "kwa"
                    | "al"
                    | "el"
                    | "di"
                    | "du"
                    | "des"
                    | "sur"
                    | "am"
                    | "an"
            ) && self.capital(end + 1)
                && self.tokens[end + 1].gap == Gap::Space;
            if connects {
                end += 2;
            } else if self.capital(end) {
                end += 1;
            } else {
                break;
            }
        }
        let lower = self.lower(at);
        let names = lists();
        let odd = self.tokens[at].case == Case::Upper
            || function_word(&lower)
            || end - at == 1 && (unit_word(&lower) || feature_word(&lower))
            || title_before(&lower)
            || direction(&lower)
            || self.people.contains(&self.lower(end - 1))
            || self.capital(end)
                && self.tokens[end].gap != Gap::Comma
                && self.tokens[end].gap == Gap::Space
            || (at..end).any(|word| {
                let word = self.lower(word);
                names.everyday.contains(word.as_str()) && !feature_word(&word) && !unit_word(&word)
                    || body_of(&word)
                    || street_word(&word)
            });
        if odd || at == 0 {
            return Verdict::Skip(at + 1);
        }
        let given = names.first_names.contains(lower.as_str());
        let last_word = self.lower(end - 1);
        let mut score: f32 = 0.0;
        if end - at >= 2 && (feature_word(&last_word) || unit_word(&last_word)) {
            score += 1.2;
        }
        if end - at >= 2 && feature_before(&lower) {
            score += 0.8;
        }
        let before = self.lower(at - 1);
        if self.tokens[at].gap == Gap::Space {
            if matches!(before.as_str(), "in" | "near" | "outside") {
                score += 0.8;
            } else if preposition(&before) {
                score += 0.3;
            } else if before == "of"
                && at >= 2
                && self.tokens[at - 2].case == Case::Lower
                && place_noun(&self.lower(at - 2))
            {
                score += 1.2;
            } else if place_noun(&before) && self.tokens[at - 1].case == Case::Lower {
                score += 0.6;
            } else if matches!(before.as_str(), "and" | "or") && self.last_end == at - 1 {
                score += 0.7;
            }
        } else if self.follows_place(at) && self.tokens[at].gap == Gap::Comma {
            score += 0.4;
        }
        if let Some(next) = self.tokens.get(end) {
            let word = self.lower(end);
            let listed = self.last_end == at && self.tokens[at].gap == Gap::Comma
                || at.checked_sub(1) == Some(self.last_end)
                    && matches!(self.lower(at - 1).as_str(), "and" | "or");
            if matches!(next.gap, Gap::Comma | Gap::Bracket) && self.begins_known_unit(end) {
                score += 1.0;
            } else if listed
                && end - at == 1
                && self.last_is_small()
                && (next.gap == Gap::Comma
                    || matches!(word.as_str(), "and" | "or")
                    || next.gap != Gap::Space)
            {
                score += 0.7;
            } else {
                let inside = matches!(word.as_str(), "in" | "near")
                    && self.tokens[at].gap == Gap::Space
                    && preposition(&before)
                    && self.begins_known_unit(end + 1);
                let noun = place_noun(&word) && next.case == Case::Lower;
                if next.gap == Gap::Space && (inside || noun) {
                    score += 0.8;
                }
            }
        }
        if given {
            score -= 0.8;
        }
        if self.style.question {
            score += 0.3;
        }
        let draft = Draft {
            start: self.tokens[at].start,
            end: self.tokens[end - 1].end,
            first: at,
            last: end,
            meanings: Vec::new(),
            role: Role::Place,
            strength: if score >= BELIEVED { 2.5 } else { score },
            silent: false,
            typed: false,
        };
        if score >= BELIEVED {
            Verdict::Place(draft)
        } else {
            Verdict::Doubtful(Doubt { draft, alone: true })
        }
    }
}
