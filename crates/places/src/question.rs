//! Reading the places of a question.

use crate::decision::{Asked, QuestionPlaces};
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::mention::{Mention, Role, Status};
use crate::resolve::Reading;

/// Type words of rivers and waters.
const WATERS: &[&str] = &[
    "bay",
    "bayou",
    "brook",
    "canal",
    "creek",
    "fjord",
    "fiord",
    "gulf",
    "harbor",
    "harbour",
    "inlet",
    "lagoon",
    "lake",
    "reservoir",
    "river",
    "slough",
    "sound",
    "strait",
];

/// Words after which waters are called everywhere, and that the list of everyday words lacks
/// because no town bears them.
const WIDESPREAD: &[&str] = &[
    "alder",
    "antelope",
    "ash",
    "badger",
    "bald",
    "bass",
    "beaver",
    "big",
    "birch",
    "bitter",
    "black",
    "blue",
    "bluff",
    "boulder",
    "broad",
    "brown",
    "buck",
    "buffalo",
    "bull",
    "cane",
    "caribou",
    "cave",
    "cedar",
    "chalk",
    "clay",
    "clear",
    "cold",
    "cottonwood",
    "coyote",
    "crane",
    "crooked",
    "crow",
    "crystal",
    "cypress",
    "deep",
    "deer",
    "dry",
    "duck",
    "eagle",
    "east",
    "elk",
    "elm",
    "fall",
    "fish",
    "flat",
    "fork",
    "fox",
    "goose",
    "grand",
    "grass",
    "gravel",
    "gray",
    "great",
    "green",
    "grizzly",
    "hawk",
    "hickory",
    "high",
    "hollow",
    "horn",
    "horse",
    "hot",
    "ice",
    "indian",
    "iron",
    "island",
    "laurel",
    "lime",
    "little",
    "loon",
    "lost",
    "lower",
    "maple",
    "marsh",
    "middle",
    "mill",
    "mineral",
    "mink",
    "moose",
    "mosquito",
    "mud",
    "muddy",
    "mule",
    "new",
    "north",
    "oak",
    "old",
    "otter",
    "owl",
    "pass",
    "pelican",
    "perch",
    "pigeon",
    "pike",
    "pine",
    "plum",
    "pond",
    "poplar",
    "quartz",
    "rabbit",
    "raccoon",
    "rattlesnake",
    "raven",
    "red",
    "rock",
    "rocky",
    "round",
    "rush",
    "saddle",
    "salmon",
    "salt",
    "sand",
    "sandy",
    "shallow",
    "sheep",
    "silver",
    "snake",
    "south",
    "split",
    "spring",
    "spruce",
    "squaw",
    "stone",
    "stony",
    "straight",
    "sugar",
    "sulphur",
    "swan",
    "sweet",
    "sycamore",
    "trout",
    "turkey",
    "turtle",
    "twin",
    "upper",
    "walnut",
    "warm",
    "west",
    "white",
    "wild",
    "willow",
    "wolf",
    "yellow",
];

/// What a question says about places.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionReading {
    /// Every mention, in order.
    pub mentions: Vec<Mention>,
    /// What they come to together.
    pub places: QuestionPlaces,
}

impl Gazetteer {
    /// Reads the places of a question. `profile` is the user's own place, believed only where it
    /// tells candidates apart.
    pub fn read_question(&self, question: &str, profile: &[PlaceId]) -> QuestionReading {
        let reading = Reading {
            within: profile.to_vec(),
            ..Reading::question()
        };
        let mentions = self.tag(question, &reading);
        let places = self.gather(question, &mentions);
        QuestionReading { mentions, places }
    }

    /// Whether a mention names a river or water: one that the tables know, or one that bears its
    /// type word and a name that nothing else has. Evidence about it must name it.
    pub fn is_feature(&self, mention: &Mention) -> bool {
        match mention.place {
            Some(place) => self.kind(place).is_feature(),
            None => mention.status == Status::Unknown && self.is_rare_water(&mention.text),
        }
    }

    /// Waters of everyday names (Bear Creek, Long Lake) lie in many places; those are asked back.
    fn is_rare_water(&self, name: &str) -> bool {
        let Some((bare, word)) = name.trim().rsplit_once(' ') else {
            return false;
        };
        let lists = crate::tag::lists();
        let everyday = |word: &str| {
            let word = crate::fold(word);
            lists.everyday.contains(word.as_str())
                || lists.first_names.contains(word.as_str())
                || lists.surnames.contains(word.as_str())
                || WIDESPREAD.contains(&word.as_str())
        };
        let states: std::collections::HashSet<Option<PlaceId>> = self
            .meanings(bare)
            .into_iter()
            .map(|meaning| self.state(meaning.place))
            .collect();
        WATERS.contains(&word.to_lowercase().as_str())
            && bare.chars().filter(|c| c.is_alphabetic()).count() >= 4
            && !bare.split([' ', '-']).all(everyday)
            && states.len() <= 1
    }

    fn gather(&self, question: &str, mentions: &[Mention]) -> QuestionPlaces {
        // "Pago Bay, Guam": the water is named by the evidence, and the place it lies in is asked
        // about.
        let holds_water = |at: usize| {
            at.checked_sub(1).is_some_and(|before| {
                let water = &mentions[before];
                self.is_feature(water) && mentions[at].range.start <= water.range.end + 3
            })
        };
        let mut asked: Vec<&Mention> = mentions
            .iter()
            .enumerate()
            .filter(|(at, mention)| !mention.qualifies || holds_water(*at))
            .map(|(_, mention)| mention)
            .filter(|mention| mention.role != Role::Aside)
            .filter(|mention| !self.is_feature(mention))
            .collect();
        // Coordinates say where; a name beside them only says it again.
        if asked
            .iter()
            .any(|mention| matches!(mention.role, Role::Point | Role::Box))
        {
            asked.retain(|mention| matches!(mention.role, Role::Point | Role::Box));
        }
        // A place that contains another one of the question only says where that lies.
        let containers: Vec<PlaceId> = asked
            .iter()
            .filter_map(|mention| mention.place)
            .filter(|outer| {
                asked.iter().filter_map(|other| other.place).any(|inner| {
                    inner != *outer && self.contains(*outer, inner) && !self.contains(inner, *outer)
                })
            })
            .collect();
        let lower = question.to_lowercase();
        let compares = lower.contains("compare")
            || lower.contains(" vs")
            || lower.contains("versus")
            || lower.contains("difference between");
        if !compares {
            asked.retain(|mention| {
                mention
                    .place
                    .is_none_or(|place| !containers.contains(&place))
            });
        }
        // "the Thomas Fire in Ojai": the town is asked about.
        let event = |mention: &Mention| mention.role == Role::Event;
        if asked
            .iter()
            .any(|mention| !event(mention) && mention.status != Status::Unknown)
        {
            asked.retain(|mention| !event(mention));
        }
        asked.dedup_by(|a, b| a.best().is_some() && a.best() == b.best());
        let Some(first) = asked.first() else {
            return QuestionPlaces::None;
        };
        if let [only] = asked[..] {
            return self.one_of_question(question, only);
        }
        if asked
            .iter()
            .any(|mention| mention.status != Status::Resolved && mention.subject.is_none())
        {
            let unclear = asked
                .iter()
                .find(|mention| mention.status != Status::Resolved)
                .copied()
                .unwrap_or(first);
            return self.one_of_question(question, unclear);
        }
        let all: Vec<Asked> = asked
            .iter()
            .map(|mention| self.asked(question, mention))
            .collect();
        let between = lower
            .find("between ")
            .is_some_and(|at| lower[..at].chars().count() < first.range.start && !compares);
        if between {
            let mut near = all
                .into_iter()
                .next()
                .unwrap_or_else(|| self.asked(question, first));
            near.near = true;
            return QuestionPlaces::One(near);
        }
        let characters: Vec<char> = question.chars().collect();
        let either = asked.windows(2).any(|pair| {
            characters
                .get(pair[0].range.end..pair[1].range.start)
                .is_some_and(|part| part.iter().collect::<String>().contains(" or "))
        });
        if either {
            QuestionPlaces::AnyOf(all)
        } else {
            QuestionPlaces::All(all)
        }
    }

    fn one_of_question(&self, question: &str, mention: &Mention) -> QuestionPlaces {
        match mention.status {
            Status::Resolved => QuestionPlaces::One(self.asked(question, mention)),
            Status::Ambiguous => QuestionPlaces::Ambiguous {
                mention: mention.text.clone(),
                candidates: mention
                    .candidates
                    .iter()
                    .take(8)
                    .map(|candidate| Asked::place(self, candidate.place))
                    .collect(),
            },
            Status::Unknown => QuestionPlaces::Unknown {
                mention: mention.text.clone(),
                parent: mention
                    .parent_in_text
                    .map(|parent| Asked::place(self, parent)),
            },
        }
    }

    fn asked(&self, question: &str, mention: &Mention) -> Asked {
        let before: String = question.chars().take(mention.range.start).collect();
        let before = before.to_lowercase();
        let near = mention.role == Role::Hint
            || ["near", "around", "close to", "outside", "outside of"]
                .iter()
                .any(|word| before.trim_end().ends_with(word));
        match (&mention.subject, mention.best()) {
            (Some(subject), _) => Asked {
                subject: subject.clone(),
                name: mention.text.clone(),
                near: false,
                part: false,
            },
            (None, Some(place)) => Asked {
                near,
                part: mention.role == Role::Part,
                ..Asked::place(self, place)
            },
            (None, None) => Asked {
                subject: crate::relation::Subject {
                    place: None,
                    units: Vec::new(),
                    parents: Vec::new(),
                },
                name: mention.text.clone(),
                near,
                part: false,
            },
        }
    }
}
