//! A hazard task out of a sentence: place, named event and hazards are read, what is missing is
//! listed as questions. No number is ever made up.
//!
//! ```
//! use lahar_core::{Hazard, HazardWeights};
//! use lahar_routes::sentence::{self, Said};
//! let said = Said {
//!     text: "The Thomas Fire burned the hills above Montecito. If a big storm hits, how bad could \
//!            the mudslides get?",
//!     hazards: &HazardWeights::declared([Hazard::WILDFIRE, Hazard::LANDSLIDE]),
//!     decision_time: None,
//!     now: "2026-12-01T00:00:00Z".parse().unwrap(),
//!     observations: &[],
//! };
//! let draft = sentence::read(&said, lahar_places::Gazetteer::embedded());
//! assert_eq!(draft.event.as_deref(), Some("Thomas Fire"));
//! let place = "Montecito, Santa Barbara County, California, United States";
//! assert_eq!(draft.place.as_deref(), Some(place));
//! assert_eq!(draft.track, Some("postfire-debris-flow"));
//! ```

use lahar_core::{Hazard, HazardWeights, Timestamp};
use lahar_places::{Gazetteer, PlaceId, QuestionPlaces, Role, Status};
use serde::Serialize;

use crate::task::TaskKind;

/// What somebody said, and what is known beside it.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// The sentence.
    pub text: &'a str,
    /// Hazards, as `ask` reads them.
    pub hazards: &'a HazardWeights,
    /// The decision time, where it is given.
    pub decision_time: Option<Timestamp>,
    /// The present.
    pub now: Timestamp,
    /// Observations that are given: variable and value with its unit.
    pub observations: &'a [(String, String)],
}

/// A task as far as a sentence gives it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Draft {
    /// The place asked about.
    pub place: Option<String>,
    /// The named event.
    pub event: Option<String>,
    /// When it was: its start, and its end where that is known.
    pub event_dates: Option<(String, String)>,
    /// Hazards that were read, the strongest first.
    pub hazards: Vec<String>,
    /// Track.
    pub track: Option<&'static str>,
    /// What was taken for granted, in sentences.
    pub assumptions: Vec<String>,
    /// What has to be known before a task can be made of it.
    pub questions: Vec<String>,
    /// The task in TOML, where enough is known.
    pub task: Option<String>,
}

/// What is asked for on each track, where a sentence does not say it.
struct Contract {
    track: &'static str,
    variable: &'static str,
    representation: &'static str,
    stages: &'static [&'static str],
}

const CONTRACTS: &[Contract] = &[
    Contract {
        track: "postfire-debris-flow",
        variable: "debris_flow_hazard_class",
        representation: "word",
        stages: &["likelihood", "volume", "class"],
    },
    Contract {
        track: "ground-failure",
        variable: "landslide_probability",
        representation: "number",
        stages: &[],
    },
    Contract {
        track: "landslide",
        variable: "factor_of_safety",
        representation: "number",
        stages: &[],
    },
    Contract {
        track: "flood",
        variable: "flood_depth",
        representation: "grid",
        stages: &[],
    },
    Contract {
        track: "wildfire",
        variable: "fire_spread_rate",
        representation: "number",
        stages: &[],
    },
];

/// Reads a sentence.
pub fn read(said: &Said<'_>, gazetteer: &Gazetteer) -> Draft {
    let reading = gazetteer.read_question(said.text, &[]);
    let event = reading
        .mentions
        .iter()
        .filter(|mention| mention.role == Role::Event && mention.status == Status::Resolved)
        .find_map(|mention| mention.place);
    let mut draft = Draft::default();
    if let Some(event) = event {
        draft.event = Some(gazetteer.name(event).to_owned());
        let facts = gazetteer.event(event);
        draft.event_dates = facts.as_ref().and_then(|facts| {
            let start = facts.start.clone()?;
            Some((start.clone(), facts.end.clone().unwrap_or(start)))
        });
    }
    place(&mut draft, &reading.places, gazetteer);
    let hazards = hazards(said, event.and_then(|event| gazetteer.event(event)));
    draft.hazards = hazards
        .iter()
        .map(|hazard| hazard.label().to_owned())
        .collect();
    draft.track = track(&hazards, said.text);
    if draft.track.is_none() {
        draft.questions.push(
            "Which hazard is it about? Name it: wildfire, flood, landslide, earthquake, hurricane, \
             drought, heatwave, or what one does to another."
                .to_owned(),
        );
    }
    let time = decision_time(said, &mut draft);
    draft.task = write(said, &draft, time);
    draft
}

/// A place with what it lies in, so that its name is understood again.
fn in_full(gazetteer: &Gazetteer, place: PlaceId) -> String {
    let mut path = gazetteer.card(place).path;
    // Regions of the Census stand between states and the country, and nobody writes them.
    path.retain(|name| !["West", "South", "Midwest", "Northeast"].contains(&name.as_str()));
    path.join(", ")
}

fn place(draft: &mut Draft, places: &QuestionPlaces, gazetteer: &Gazetteer) {
    let named = |place: Option<PlaceId>, name: &str| match place {
        Some(place) => in_full(gazetteer, place),
        None => name.to_owned(),
    };
    match places {
        QuestionPlaces::One(asked) => {
            draft.place = Some(named(asked.subject.place, &asked.name));
        }
        QuestionPlaces::All(all) | QuestionPlaces::AnyOf(all) => {
            if let [first, rest @ ..] = all.as_slice() {
                draft.place = Some(named(first.subject.place, &first.name));
                let others = rest.iter().map(|other| other.name.clone());
                let others: Vec<String> = others.collect();
                if !others.is_empty() {
                    draft.assumptions.push(format!(
                        "One task is about one place, so this one is about {}; ask again for {}.",
                        first.name,
                        others.join(" and ")
                    ));
                }
            }
        }
        QuestionPlaces::Ambiguous {
            mention,
            candidates,
        } => {
            let candidates = candidates.iter().map(|asked| asked.name.clone());
            draft.questions.push(format!(
                "Which `{mention}` is meant: {}?",
                candidates.collect::<Vec<_>>().join("; ")
            ));
        }
        QuestionPlaces::Unknown { mention, .. } => draft.questions.push(format!(
            "Where is `{mention}`? The gazetteer does not know it; name its county and state, or \
             give coordinates."
        )),
        _ => draft.questions.push("Which place is it about?".to_owned()),
    }
}

/// Hazards of the words and of the named event, the strongest first.
fn hazards(said: &Said<'_>, event: Option<lahar_places::EventFacts>) -> Vec<Hazard> {
    let mut weighed: Vec<(Hazard, f32)> = said
        .hazards
        .iter()
        .map(|(hazard, weight)| (hazard.clone(), weight))
        .collect();
    weighed.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut hazards: Vec<Hazard> = weighed.into_iter().map(|(hazard, _)| hazard).collect();
    let of_event = event.and_then(|event| {
        // The table of incidents has words of its own for a few.
        let word = match event.hazard.as_str() {
            "tropical_cyclone" | "hurricane" | "typhoon" => "hurricane",
            "debris_flow" => "landslide",
            other => other,
        };
        Hazard::parse(word)
    });
    if let Some(hazard) = of_event
        && !hazards.contains(&hazard)
    {
        hazards.push(hazard);
    }
    hazards
}

/// Words for what shaking does to the ground.
const GROUND_FAILURE: &[&str] = &["landslide", "liquef", "slide", "rockfall"];

fn track(hazards: &[Hazard], text: &str) -> Option<&'static str> {
    let has = |hazard: &Hazard| hazards.contains(hazard);
    let lower = text.to_lowercase();
    let speaks = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&Hazard::WILDFIRE)
        && (has(&Hazard::LANDSLIDE) || speaks(&["debris flow", "mudslide", "mudflow"]))
    {
        return Some("postfire-debris-flow");
    }
    if has(&Hazard::EARTHQUAKE) && (has(&Hazard::LANDSLIDE) || speaks(GROUND_FAILURE)) {
        return Some("ground-failure");
    }
    if has(&Hazard::HURRICANE) && (has(&Hazard::FLOOD) || speaks(&["surge", "coastal flood"])) {
        return Some("coastal");
    }
    let single = [
        (Hazard::WILDFIRE, "wildfire"),
        (Hazard::FLOOD, "flood"),
        (Hazard::LANDSLIDE, "landslide"),
        (Hazard::EARTHQUAKE, "earthquake"),
        (Hazard::HURRICANE, "tropical-cyclone"),
        (Hazard::DROUGHT, "drought"),
        (Hazard::HEATWAVE, "heatwave"),
    ];
    hazards.iter().find_map(|hazard| {
        single
            .iter()
            .find(|(known, _)| known == hazard)
            .map(|(_, track)| *track)
    })
}

/// The decision time: given, or the end of the named event, or now.
fn decision_time(said: &Said<'_>, draft: &mut Draft) -> Timestamp {
    if let Some(time) = said.decision_time {
        return time;
    }
    let end = draft.event_dates.as_ref().and_then(|(_, end)| {
        // A month or a year alone says no day.
        format!("{end}T00:00:00Z").parse::<Timestamp>().ok()
    });
    match (end, &draft.event) {
        (Some(end), Some(event)) => {
            draft.assumptions.push(format!(
                "The decision is taken at {end}, when the {event} was over; give --decision-time for \
                 another time."
            ));
            end
        }
        _ => {
            draft.assumptions.push(
                "The decision is taken now; give --decision-time for another time.".to_owned(),
            );
            said.now
        }
    }
}

fn kind(text: &str) -> TaskKind {
    let lower = text.to_lowercase();
    let speaks = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match () {
        () if speaks(&[
            "climate change",
            "because of",
            "attribut",
            "caused by",
            "due to",
        ]) =>
        {
            TaskKind::Attribute
        }
        () if speaks(&["simulat", "step by step"]) => TaskKind::Simulate,
        () if speaks(&[
            "forecast",
            "tomorrow",
            "next week",
            "will it",
            "in the next",
        ]) =>
        {
            TaskKind::Forecast
        }
        () => TaskKind::Assess,
    }
}

/// The task in TOML, where place and track are known.
fn write(said: &Said<'_>, draft: &Draft, time: Timestamp) -> Option<String> {
    let (place, track) = (draft.place.as_ref()?, draft.track?);
    let contract = CONTRACTS.iter().find(|contract| contract.track == track);
    let mut task = toml::Table::new();
    let text = |text: &str| toml::Value::String(text.to_owned());
    let words: Vec<&str> = said.text.split_whitespace().collect();
    task.insert(
        "id".to_owned(),
        text(&crate::run::record::slug(&format!("{track} {place}"))),
    );
    task.insert("title".to_owned(), text(&words.join(" ")));
    task.insert("track".to_owned(), text(track));
    let hazards = draft.hazards.iter().map(|hazard| text(hazard)).collect();
    task.insert("hazards".to_owned(), toml::Value::Array(hazards));
    task.insert("kind".to_owned(), text(kind(said.text).word()));
    task.insert("decision_time".to_owned(), text(&time.to_string()));
    let mut area = toml::Table::new();
    area.insert("place".to_owned(), text(place));
    task.insert("area".to_owned(), toml::Value::Table(area));
    if let Some(event) = &draft.event {
        let mut table = toml::Table::new();
        table.insert("name".to_owned(), text(event));
        let dates = draft
            .event_dates
            .iter()
            .flat_map(|(start, end)| [end, start]);
        // The end of the event, or its start where the decision falls before that.
        let moment = dates
            .filter_map(|date| format!("{date}T00:00:00Z").parse::<Timestamp>().ok())
            .find(|moment| *moment <= time);
        if let Some(moment) = moment {
            table.insert("time".to_owned(), text(&moment.to_string()));
        }
        task.insert("event".to_owned(), toml::Value::Table(table));
    }
    let contract = contract?;
    let mut output = toml::Table::new();
    output.insert("variable".to_owned(), text(contract.variable));
    output.insert("representation".to_owned(), text(contract.representation));
    let stages = contract.stages.iter().map(|stage| text(stage)).collect();
    output.insert("stages".to_owned(), toml::Value::Array(stages));
    task.insert("output".to_owned(), toml::Value::Table(output));
    let observation = |(variable, value): &(String, String)| {
        let mut table = toml::Table::new();
        table.insert("id".to_owned(), text(variable));
        table.insert("variable".to_owned(), text(variable));
        table.insert("value".to_owned(), text(value));
        table.insert("publication_time".to_owned(), text(&time.to_string()));
        table.insert("quality".to_owned(), text("assumed"));
        table.insert("source".to_owned(), text("given with the sentence"));
        toml::Value::Table(table)
    };
    if !said.observations.is_empty() {
        let observations = said.observations.iter().map(observation).collect();
        task.insert("observation".to_owned(), toml::Value::Array(observations));
    }
    toml::to_string(&task).ok()
}
