//! The four categories of MoRA-RAG's section 3, by cue words.

use std::fmt;

use serde::Serialize;

use super::sentence::bare;

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Category {
    /// The event itself: what, when, where, how strong.
    #[serde(rename = "Hazard Characteristics")]
    Characteristics,
    /// What was done afterwards, and against the next time.
    #[serde(rename = "Response and Recovery")]
    Response,
    /// How it was looked at.
    #[serde(rename = "Analysis Approach")]
    Analysis,
    /// What it did.
    #[serde(rename = "Impacts and Damage")]
    Impacts,
}

/// Beginnings of words.
const CUES: [(Category, &[&str]); 4] = [
    (
        Category::Characteristics,
        &[
            "magnitude",
            "wind",
            "rain",
            "depth",
            "occur",
            "struck",
            "epicent",
            "landfall",
            "crest",
            "speed",
            "velocit",
            "height",
            "flow",
            "slope",
            "soil",
            "fault",
            "wave",
            "surge",
            "eruption",
            "storm",
            "earthquake",
            "tsunami",
            "tornado",
            "hurricane",
            "flood",
            "landslide",
            "wildfire",
            "fire",
            "fuel",
            "moisture",
            "temperature",
            "humid",
            "pressure",
            "ridge",
            "basin",
            "river",
            "precipitation",
            "terrain",
            "tropical",
            "seismic",
            "shaking",
            "debris",
            "steep",
            "ignit",
        ],
    ),
    (
        Category::Response,
        &[
            "evacuat",
            "rescue",
            "shelter",
            "relief",
            "repair",
            "rebuil",
            "recover",
            "assist",
            "respon",
            "permit",
            "mitigat",
            "warn",
            "advis",
            "emergency",
            "plan",
            "insur",
            "volunteer",
            "aid",
            "prepar",
            "retrofit",
            "restor",
            "fund",
            "train",
            "protect",
            "agenc",
            "official",
        ],
    ),
    (
        Category::Analysis,
        &[
            "data",
            "model",
            "survey",
            "measur",
            "instrument",
            "sensor",
            "gauge",
            "monitor",
            "analy",
            "stud",
            "map",
            "sampl",
            "method",
            "estimat",
            "simulat",
            "research",
            "scientist",
            "predict",
            "calculat",
            "observ",
            "forecast",
            "equation",
            "assess",
            "evaluat",
            "comput",
            "satellite",
        ],
    ),
    (
        Category::Impacts,
        &[
            "damag", "destroy", "death", "dead", "kill", "injur", "loss", "lost", "collaps",
            "cost", "home", "house", "building", "casualt", "fatalit", "bridge", "road", "victim",
            "power", "million", "billion", "people", "threat", "homeless", "dollar", "disrupt",
            "fail",
        ],
    ),
];

impl Category {
    /// All, in the order of the paper's Table 1.
    pub const ALL: [Category; 4] = [
        Category::Characteristics,
        Category::Response,
        Category::Analysis,
        Category::Impacts,
    ];

    /// The category with the most cues, the rarer one where two have as many; `None` without cue.
    pub(super) fn of(sentence: &str) -> Option<Category> {
        let words: Vec<String> = sentence.split_whitespace().map(bare).collect();
        let cues = CUES.iter().map(|(category, cues)| {
            let cued = |word: &&String| cues.iter().any(|cue| word.starts_with(cue));
            (words.iter().filter(cued).count(), *category)
        });
        // Later ones win a tie: nearly every sentence names a hazard.
        let best = cues.max_by_key(|(count, _)| *count)?;
        (best.0 > 0).then_some(best.1)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Category::Characteristics => "Hazard Characteristics",
            Category::Response => "Response and Recovery",
            Category::Analysis => "Analysis Approach",
            Category::Impacts => "Impacts and Damage",
        })
    }
}
