//! Which part a sentence plays for a method: signs of each role, weighed and added up.

use std::sync::LazyLock;

use super::phrases::{Phrase, Word};
use crate::card::Role;

/// What a sign speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Role(Role),
    Method,
    Report,
}

/// A sign that is no phrase, found by other files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Found {
    /// A number with a comparison that limits something.
    pub limit: bool,
    /// A place that is resolved, or part of one.
    pub place: bool,
    /// A quantity is defined with its unit, as what a symbol stands for.
    pub definition: bool,
}

struct Cue {
    speaks: For,
    weight: f64,
    sign: Sign,
}

enum Sign {
    Phrase(Phrase),
    Limit,
    Place,
    Definition,
}

static CUES: LazyLock<Vec<Cue>> = LazyLock::new(|| {
    let lines = include_str!("cues.txt").lines();
    let kept = lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    kept.filter_map(cue).collect()
});

fn cue(line: &str) -> Option<Cue> {
    let (role, rest) = line.split_once(' ')?;
    let (weight, phrase) = rest.split_once(' ')?;
    let speaks = match role {
        "method" => For::Method,
        "report" => For::Report,
        role => For::Role(serde_json::from_value(serde_json::Value::from(role)).ok()?),
    };
    let sign = match phrase {
        "LIMIT" => Sign::Limit,
        "PLACE" => Sign::Place,
        "DEFINITION" => Sign::Definition,
        phrase => Sign::Phrase(Phrase::parse(phrase)),
    };
    Some(Cue {
        speaks,
        weight: weight.parse().ok()?,
        sign,
    })
}

/// What speaks for each role in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// Roles, the heaviest first.
    pub roles: Vec<(Role, f64)>,
    /// How many words name a method.
    pub methods: usize,
    /// The heaviest single phrase of the first role.
    pub heaviest: f64,
    /// How much speaks for a report of an event or advice to people.
    pub report: f64,
}

impl Weighed {
    /// The role that most speaks for.
    pub fn first(&self) -> (Role, f64) {
        self.roles[0]
    }

    /// By how much the first role leads.
    pub fn lead(&self) -> f64 {
        self.roles[0].1 - self.roles[1].1
    }
}

/// Weighs the signs of a sentence. Where signs of one kind overlap, the heaviest counts.
pub fn weigh(sentence: &[Word], found: Found) -> Weighed {
    let mut roles: Vec<(Role, f64)> = Role::ALL.iter().map(|role| (*role, 0.0)).collect();
    for (role, sum) in &mut roles {
        *sum = total(sentence, found, For::Role(*role));
    }
    roles.sort_by(|a, b| b.1.total_cmp(&a.1));
    let first = For::Role(roles[0].0);
    let own = CUES.iter().filter(|cue| cue.speaks == first);
    let heaviest = own.filter_map(|cue| match &cue.sign {
        Sign::Phrase(phrase) => phrase.find(sentence, 0).map(|_| cue.weight),
        _ => None,
    });
    Weighed {
        heaviest: heaviest.fold(0.0, f64::max),
        roles,
        methods: total(sentence, found, For::Method).round() as usize,
        report: total(sentence, found, For::Report),
    }
}

fn total(sentence: &[Word], found: Found, speaks: For) -> f64 {
    let mut spots: Vec<(f64, usize, usize)> = Vec::new();
    let (mut sum, mut beside) = (0.0, 0.0);
    for cue in CUES.iter().filter(|cue| cue.speaks == speaks) {
        match &cue.sign {
            // A number or a place alone says nothing; beside a phrase it does.
            Sign::Limit if found.limit => beside += cue.weight,
            Sign::Place if found.place => beside += cue.weight,
            Sign::Definition if found.definition => sum += cue.weight,
            Sign::Limit | Sign::Place | Sign::Definition => {}
            Sign::Phrase(phrase) => {
                if let Some((from, to)) = phrase.find(sentence, 0) {
                    spots.push((cue.weight, from, to));
                }
            }
        }
    }
    spots.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (weight, from, to) in spots {
        if taken.iter().all(|(a, b)| to <= *a || *b <= from) {
            taken.push((from, to));
            sum += weight;
        }
    }
    if sum > 0.0 { sum + beside } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::phrases::words;

    #[test]
    fn every_line_of_the_list_is_read() {
        let lines = include_str!("cues.txt").lines();
        let wanted = lines
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
            .count();
        assert_eq!(CUES.len(), wanted);
    }

    #[test]
    fn overlapping_signs_count_once() {
        // `not be used` lies inside `should not be used`.
        let sentence = words("It should not be used on snow.");
        let weighed = weigh(&sentence, Found::default());
        assert_eq!(weighed.first(), (Role::Failure, 3.5));
    }
}
