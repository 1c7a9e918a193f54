//! Which evidence holds for the place asked about.
//!
//! The rules stand in [`lahar_places::decision`]; here they meet retrieved chunks. What a chunk is
//! about follows from its own words, the headings above it, its document's title and what people
//! declared for the document; who issued it, from its publisher.

use lahar_core::{CharRange, Reason};
use lahar_library::StoredDocument;
use lahar_places::decision::QuestionDecision;
use lahar_places::decision::rules::preference;
use lahar_places::kind::Kind;
use lahar_places::{
    Asked, Gazetteer, Mention, Mode, Passage, PlaceId, PlacesError, QuestionPlaces,
    QuestionReading, Reading, Relation, Role, Status, Surroundings, Topic, focus, nearest,
};

use crate::answer::sentence;
use crate::bearing::Words;

/// Places around the one asked about whose evidence is looked for by name.
const AROUND: usize = 10;

/// The places of a question, and what it needs of them.
#[derive(Debug, Clone)]
pub struct PlaceReading {
    /// Mentions, and what they come to.
    pub question: QuestionReading,
    /// Whether the answer depends on the place.
    pub location_dependent: bool,
    /// Whether it asks for the rules of one authority.
    pub topic: Topic,
    gazetteer: &'static Gazetteer,
}

impl PlaceReading {
    /// Reads the places of a question; a `place` that a person gave beside it goes before those
    /// in its text.
    pub fn of(question: &str, place: Option<&str>) -> Result<PlaceReading, PlacesError> {
        let gazetteer = Gazetteer::in_use();
        let mut reading = gazetteer.read_question(question, &[]);
        if let Some(text) = place {
            reading.places = gazetteer.asked_named(text)?;
        }
        let topic = topic(question);
        let named = reading.places != QuestionPlaces::None;
        let location_dependent = named || topic == Topic::Hard || points_here(question);
        Ok(PlaceReading {
            question: reading,
            location_dependent,
            topic,
            gazetteer,
        })
    }

    /// Ranges of the question's text that name places: the graph answers for these words, and the
    /// evidence need not repeat them. Unknown places, events, rivers and waters are not among
    /// them: evidence about those must name them.
    pub fn ranges(&self) -> Vec<CharRange> {
        let known = self.question.mentions.iter().filter(|mention| {
            mention.status != Status::Unknown
                && mention.role != Role::Event
                && !self.gazetteer.is_feature(mention)
        });
        known.map(|mention| mention.range).collect()
    }

    /// The names of the places asked about, as the question writes them and without the places that
    /// only say where they lie; as people wrote them beside it where it names none.
    pub fn literal_names(&self) -> Vec<&str> {
        let mentions = self.question.mentions.iter().filter(|mention| {
            !mention.qualifies
                && mention.role != Role::Aside
                && mention.role != Role::Event
                && mention.status != Status::Unknown
        });
        let named: Vec<&str> = mentions.map(|mention| mention.text.as_str()).collect();
        if !named.is_empty() {
            return named;
        }
        let first = |asked: &'_ Asked| asked.name.split(',').next().map(str::len);
        let names = self.asked().iter();
        names
            .filter_map(|asked| Some(&asked.name[..first(asked)?]))
            .collect()
    }

    /// The places asked about, where it is clear which.
    pub fn asked(&self) -> &[Asked] {
        match &self.question.places {
            QuestionPlaces::One(asked) => std::slice::from_ref(asked),
            QuestionPlaces::All(asked) => asked,
            _ => &[],
        }
    }

    /// Whether a passage is about a place of the same level as one asked about, wherever it lies.
    /// True where the question names no place.
    pub fn same_level(&self, passage: &Passage) -> bool {
        let level = |place: PlaceId| self.gazetteer.kind(place).level();
        let asked: Vec<u8> = self
            .asked()
            .iter()
            .filter_map(|asked| asked.subject.place.map(level))
            .collect();
        let mut found = passage.focus.iter().filter_map(|focus| focus.subject.place);
        asked.is_empty() || found.any(|place| asked.contains(&level(place)))
    }

    /// How good a passage is for the places asked about, smaller is better; `None` where it may not
    /// be used for any of them.
    pub fn preference(&self, passage: &Passage) -> Option<(u8, u32)> {
        let judged = self.asked().iter().filter_map(|asked| {
            let judgement = lahar_places::judge(self.gazetteer, asked, passage, self.topic);
            let rank = preference(judgement.relation, judgement.decision)?;
            Some((rank, judgement.distance.unwrap_or(u32::MAX)))
        });
        judged.min()
    }

    /// Names of the places asked about and of those around them, from the nearest to their
    /// countries, at most `AROUND`.
    pub fn names_around(&self) -> Vec<String> {
        let mut found: Vec<PlaceId> = self
            .asked()
            .iter()
            .filter_map(|asked| asked.subject.place)
            .collect();
        for asked in self.asked() {
            found.extend(asked.subject.parents.iter().copied());
        }
        let mut next = 0;
        while next < found.len() && found.len() < AROUND {
            for edge in self.gazetteer.parents(found[next]) {
                let kind = self.gazetteer.kind(edge.parent);
                let named = kind.level() > 0 && kind != Kind::Division && kind != Kind::Office;
                if named && !found.contains(&edge.parent) {
                    found.push(edge.parent);
                }
            }
            next += 1;
        }
        found.truncate(AROUND);
        let names = found
            .into_iter()
            .map(|place| self.gazetteer.qualified(place));
        names.collect()
    }

    /// What the passages allow together.
    pub fn decide(&self, passages: &[Passage]) -> QuestionDecision {
        lahar_places::decide(
            self.gazetteer,
            &self.question.places,
            passages,
            self.location_dependent,
            self.topic,
            Mode::Batch,
        )
    }

    /// Whether a sentence may be quoted from a passage whose places disagree: the place named
    /// last must not be another than the one asked about.
    pub fn fits(&self, mentions: &[Mention], sentence: CharRange) -> bool {
        let asked = self.asked();
        if asked.is_empty() {
            return true;
        }
        let Some(place) = nearest(self.gazetteer, mentions, sentence).and_then(Mention::best)
        else {
            return true;
        };
        asked.iter().any(|asked| {
            let comparison = self
                .gazetteer
                .compare_subjects(&asked.subject, &place.into());
            comparison.relation != Relation::Different
        })
    }

    /// Whether a passage holds the words of the place that the question names and the gazetteer
    /// does not know.
    fn names_asked(&self, text: &str) -> bool {
        match &self.question.places {
            QuestionPlaces::Unknown { mention, .. } => Words::of(text).name(mention),
            _ => false,
        }
    }

    /// What one part of a document's declaration names.
    fn declared(&self, part: &str) -> Declared {
        let part = part.trim();
        let mentions = self.gazetteer.tag(part, &Reading::default());
        let resolved = || {
            mentions
                .iter()
                .filter(|mention| mention.status == Status::Resolved)
        };
        // "Bent Creek, Buncombe County, North Carolina": where the smallest is not known, the next
        // one around it says where it lies, and no more.
        if let Some((head, rest)) = part.split_once(',')
            && self.gazetteer.place_named(part).is_err()
            && resolved().all(|mention| mention.range.start >= head.chars().count())
            && let Ok(around) = self.gazetteer.place_named(rest.trim())
        {
            return Declared::Within(around);
        }
        let places: Vec<PlaceId> = resolved()
            .filter(|mention| !mention.qualifies)
            .filter_map(|mention| mention.place)
            .collect();
        match resolved().find_map(|mention| mention.place) {
            Some(around) if places.is_empty() => Declared::Within(around),
            _ => Declared::Places(places),
        }
    }

    /// What is known of a document's places.
    pub fn document(&self, stored: &StoredDocument) -> DocumentPlaces {
        let (mut declared, mut around_unknown) = (Vec::new(), None);
        for part in stored.place.as_deref().unwrap_or_default().split(';') {
            match self.declared(part) {
                Declared::Places(places) => declared.extend(places),
                Declared::Within(place) => around_unknown = around_unknown.or(Some(place)),
            }
        }
        declared.dedup();
        let issuer = stored
            .publisher
            .as_deref()
            .and_then(|p| self.gazetteer.jurisdiction(p));
        let within = Reading {
            within: declared.iter().copied().chain(around_unknown).collect(),
            ..Reading::default()
        };
        DocumentPlaces {
            title: self.gazetteer.tag(&stored.title, &within),
            declared,
            around_unknown,
            issuer,
        }
    }

    /// What a passage is about. `start` is where its text begins in the document.
    pub fn passage(
        &self,
        document: &DocumentPlaces,
        section: &[String],
        text: &str,
        start: usize,
    ) -> PlacedPassage {
        // A bare name in the text is the one of the title: "London" of a handbook for London,
        // Ontario.
        let titled = document
            .title
            .iter()
            .filter(|mention| mention.status == Status::Resolved && mention.role == Role::Place);
        let within: Vec<PlaceId> = document
            .declared
            .iter()
            .copied()
            .chain(document.around_unknown)
            .chain(document.issuer)
            .chain(titled.filter_map(|mention| mention.place))
            .collect();
        let reading = Reading {
            within,
            ..Reading::default()
        };
        let mut mentions = self.gazetteer.tag(text, &reading);
        let headings = self.gazetteer.tag(&section.join("\n"), &reading);
        let surroundings = Surroundings {
            title: &document.title,
            headings: &headings,
            declared: &document.declared,
            around_unknown: document.around_unknown,
        };
        let passage = Passage {
            focus: focus(self.gazetteer, text, &mentions, &surroundings),
            issuer: document.issuer,
            names_asked: self.names_asked(text),
        };
        for mention in &mut mentions {
            let CharRange { start: first, end } = mention.range;
            mention.range = CharRange::new(first + start, end + start);
        }
        PlacedPassage { passage, mentions }
    }
}

/// What a part of a declaration names.
enum Declared {
    /// Places that are known.
    Places(Vec<PlaceId>),
    /// A place that no table knows, within one that is known.
    Within(PlaceId),
}

/// What is known of a document's places.
#[derive(Debug, Clone)]
pub struct DocumentPlaces {
    title: Vec<Mention>,
    declared: Vec<PlaceId>,
    /// The known place around a declared one that no table knows.
    around_unknown: Option<PlaceId>,
    issuer: Option<PlaceId>,
}

/// A passage with its places.
#[derive(Debug, Clone)]
pub struct PlacedPassage {
    /// What it is about.
    pub passage: Passage,
    /// Its mentions, where they stand in the document.
    pub mentions: Vec<Mention>,
}

/// A reason of the place rules as a sentence.
pub(crate) fn as_sentence(reason: &Reason) -> Reason {
    Reason::new(reason.code, sentence(&reason.message))
}

/// Words by which a question asks for the rules of one authority (geography.md, section 5: codes,
/// permits, evacuation, burn bans; and what is required or allowed).
const HARD_WORDS: &[&str] = &[
    "allowed",
    "ban",
    "bans",
    "code",
    "codes",
    "evacuate",
    "evacuation",
    "illegal",
    "law",
    "laws",
    "legal",
    "mandatory",
    "ordinance",
    "ordinances",
    "permit",
    "permits",
    "permitted",
    "prohibited",
    "regulation",
    "regulations",
    "require",
    "required",
    "requirement",
    "requirements",
    "zoning",
];

/// Words by which a question means where the person is.
const HERE_WORDS: &[&str] = &["here", "local", "locally", "my", "nearby", "our"];

fn topic(question: &str) -> Topic {
    if holds_word(question, HARD_WORDS) {
        Topic::Hard
    } else {
        Topic::General
    }
}

fn points_here(question: &str) -> bool {
    holds_word(question, HERE_WORDS)
}

fn holds_word(question: &str, words: &[&str]) -> bool {
    crate::terms::words(question)
        .any(|range| words.contains(&question[range].to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> PlaceReading {
        PlaceReading::of(question, None).unwrap()
    }

    #[test]
    fn a_question_depends_on_a_place_when_it_names_one_points_here_or_asks_for_a_rule() {
        assert!(read("How deep was the flood in Cedar Rapids, Iowa?").location_dependent);
        assert!(read("Where is my shelter?").location_dependent);
        assert!(read("Is a burn permit required?").location_dependent);
        assert!(!read("Why do debris flows follow fires?").location_dependent);
    }

    #[test]
    fn a_place_given_beside_the_question_goes_before_its_text() {
        let reading =
            PlaceReading::of("What is the rule?", Some("Osage County, Oklahoma")).unwrap();
        let QuestionPlaces::One(asked) = &reading.question.places else {
            panic!("{reading:?}")
        };
        assert_eq!(asked.name, "Osage County, Oklahoma");
        assert!(PlaceReading::of("What is the rule?", Some("Xyzzyville")).is_err());
        let reading = PlaceReading::of("What is the rule?", Some("Osage County")).unwrap();
        assert!(matches!(
            reading.question.places,
            QuestionPlaces::Ambiguous { .. }
        ));
    }
}
