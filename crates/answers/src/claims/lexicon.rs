//! Words of the field that mean the same, and words that mean the contrary.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::passage::stem;

/// Words that say little in a claim, beside the stop words.
const FILLERS: &[&str] = &[
    "according",
    "actually",
    "afterwards",
    "already",
    "always",
    "around",
    "back",
    "became",
    "become",
    "came",
    "come",
    "else",
    "even",
    "every",
    "first",
    "following",
    "gave",
    "go",
    "gone",
    "like",
    "made",
    "make",
    "named",
    "none",
    "nobody",
    "not",
    "page",
    "report",
    "reported",
    "said",
    "source",
    "still",
    "take",
    "taken",
    "thing",
    "took",
    "used",
    "well",
    "went",
    "yet",
    "text",
    "document",
    "stated",
    "described",
    "called",
    "roughly",
    "approximately",
    "nearly",
    "almost",
    "least",
    "close",
    "including",
    "include",
    "included",
];

/// Whether a word says little in a claim.
pub(crate) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Words that turn what follows into its contrary.
pub(crate) fn negates(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "no"
            | "never"
            | "none"
            | "nobody"
            | "nothing"
            | "neither"
            | "nor"
            | "without"
            | "cannot"
            | "cant"
            | "dont"
            | "doesnt"
            | "didnt"
            | "isnt"
            | "wasnt"
            | "arent"
            | "werent"
            | "wont"
            | "hasnt"
            | "havent"
            | "hadnt"
            | "couldnt"
            | "wouldnt"
            | "shouldnt"
            | "lack"
            | "lacks"
            | "lacked"
            | "lacking"
            | "failed"
            | "avoid"
    )
}

/// Whether "not" before this word denies that its subject is there at all.
pub(crate) fn denies_subject(word: &str) -> bool {
    matches!(
        word,
        "detected"
            | "found"
            | "reported"
            | "observed"
            | "recorded"
            | "expected"
            | "seen"
            | "known"
            | "measured"
            | "occur"
            | "occurred"
            | "exist"
            | "available"
            | "required"
            | "needed"
            | "recommended"
            | "possible"
            | "likely"
            | "happen"
            | "identified"
    )
}

/// The months, in order.
pub(crate) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Whether a word names a month.
pub(crate) fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

/// Groups of words that are taken as the same in a claim and its evidence.
const SAME: &[&[&str]] = &[
    &[
        "die", "died", "dead", "death", "deaths", "kill", "killed", "killing", "fatality", "fatal",
        "casualty", "lives", "life", "perish", "deadly", "claimed",
    ],
    &["injure", "injury", "hurt", "wound", "wounded"],
    &[
        "people",
        "person",
        "resident",
        "inhabitant",
        "victim",
        "persons",
        "fatality",
        "casualty",
        "death",
    ],
    &[
        "earthquake",
        "quake",
        "shock",
        "temblor",
        "tremor",
        "mainshock",
    ],
    &["tornado", "twister"],
    &["hurricane", "cyclone", "typhoon", "storm"],
    &[
        "rain",
        "rainfall",
        "precipitation",
        "rainy",
        "rainstorm",
        "downpour",
    ],
    &[
        "wildfire", "fire", "blaze", "burn", "burned", "burning", "forest",
    ],
    &[
        "landslide",
        "slide",
        "slope",
        "landsliding",
        "mudslide",
        "slump",
    ],
    &["debris", "mudflow"],
    &["flood", "flooding", "inundation", "inundate", "flooded"],
    &["tsunami", "wave"],
    &[
        "trigger", "cause", "induce", "generate", "provoke", "produce", "initiate", "result",
        "led", "lead", "spark", "set", "start", "due", "create",
    ],
    &["start", "begin", "began", "onset", "begun", "commence"],
    &["end", "stop", "cease", "finish", "conclude", "discontinue"],
    &["last", "duration", "continue", "persist"],
    &["final", "last", "ultimate"],
    &[
        "damage",
        "destroy",
        "wreck",
        "ruin",
        "loss",
        "lost",
        "destruction",
        "devastate",
        "demolish",
        "harm",
    ],
    &["cost", "costliest", "expensive", "money", "dollar"],
    &[
        "big", "large", "great", "huge", "massive", "major", "largest", "biggest", "greatest",
        "larger", "bigger", "greater",
    ],
    &["small", "minor", "little", "smaller", "smallest"],
    &[
        "strong",
        "powerful",
        "intense",
        "violent",
        "severe",
        "strongest",
        "stronger",
        "strength",
        "intensity",
    ],
    &["weak", "weaker", "weakest", "weaken"],
    &["rapid", "fast", "quick", "quickly", "swift", "fastest"],
    &["slow", "slowly", "gradual"],
    &[
        "move", "travel", "moving", "motion", "movement", "heading", "head", "advance", "movement",
    ],
    &["climb", "rise", "ran", "runup", "reach", "rose"],
    &["increase", "rise", "grow", "growth", "rose", "gain"],
    &[
        "decrease",
        "decline",
        "reduce",
        "drop",
        "fall",
        "fell",
        "lower",
        "diminish",
        "lessen",
        "reduction",
    ],
    &["strengthen", "intensify", "intensification", "deepen"],
    &[
        "predict",
        "forecast",
        "expect",
        "projection",
        "anticipate",
        "expectation",
    ],
    &["landfall", "ashore", "strike", "struck", "hit", "coast"],
    &[
        "observe",
        "measure",
        "record",
        "detect",
        "monitor",
        "see",
        "saw",
        "found",
        "find",
        "notice",
        "observation",
        "measurement",
    ],
    &["model", "simulation", "simulate", "modelled", "modeled"],
    &["house", "home", "dwelling", "residence", "residential"],
    &["building", "structure"],
    &["location", "site", "place", "locate", "located", "situated"],
    &["near", "close", "nearby", "vicinity", "adjacent"],
    &["leave", "evacuate", "evacuation"],
    &["authority", "official", "government"],
    &[
        "advise",
        "recommend",
        "recommendation",
        "advice",
        "urge",
        "suggest",
        "should",
    ],
    &["warn", "warning", "alert"],
    &["use", "employ", "apply", "rely"],
    &["instrument", "sensor", "gauge", "equipment", "device"],
    &["height", "high", "tall", "highest", "higher", "elevation"],
    &["depth", "deep", "deepest", "deeper"],
    &["length", "long", "longest", "longer"],
    &["width", "wide", "across", "wider"],
    &["distance", "far", "away", "farther", "further", "farthest"],
    &["size", "area", "extent", "region", "cover"],
    &["yearly", "annual", "year", "annually"],
    &["center", "centre", "centered", "middle"],
    &[
        "typical",
        "typically",
        "usual",
        "usually",
        "generally",
        "commonly",
        "common",
        "often",
        "normally",
        "normal",
    ],
    &["melt", "thaw", "melting", "thawing", "snowmelt", "degrade"],
    &["block", "dam", "obstruct"],
    &["picture", "image", "photo", "photograph", "imagery"],
    &[
        "study",
        "research",
        "investigation",
        "investigate",
        "survey",
        "analysis",
        "analyze",
        "examine",
        "assessment",
        "assess",
    ],
    &["scientist", "researcher", "geologist", "author"],
    &["road", "highway", "street", "route"],
    &["shore", "shoreline", "coast", "coastline", "beach"],
    &["town", "city", "village", "community", "settlement"],
    &[
        "happen",
        "occur",
        "occurrence",
        "took",
        "strike",
        "struck",
        "event",
    ],
    &["aim", "goal", "purpose", "objective"],
    &["sink", "sank", "sunk", "subside", "subsidence", "sunken"],
    &["vegetation", "plant", "vegetated"],
    &["form", "create", "formation", "develop"],
    &["collapse", "fail", "failure"],
    &["cover", "span", "stretch", "extend"],
    &["exceed", "surpass", "above", "over"],
    &[
        "threat",
        "danger",
        "risk",
        "hazard",
        "dangerous",
        "hazardous",
    ],
    &["pass", "over", "gone", "passed"],
    &["issue", "release", "publish"],
    &["help", "aid", "assist", "support"],
    &["shake", "shaking", "ground-motion"],
    &["saturate", "wet", "soak", "moist", "moisture", "saturated"],
    &["soil", "ground", "earth"],
    &["speed", "velocity", "rate"],
    &["gust", "wind", "winds"],
    &["carry", "transport", "haul", "bring"],
    &["thick", "thickness", "depth"],
    &["total", "altogether", "overall", "sum"],
    &["estimate", "estimated", "calculate", "compute"],
    &["show", "indicate", "reveal", "suggest", "demonstrate"],
    &["dry", "arid", "drought"],
    &["hot", "warm", "heat", "warmer"],
    &["protect", "safe", "safety", "protection", "shelter"],
    &["near", "adjacent", "beside"],
    &["plus", "additional", "extra", "further"],
    &["nz", "zealand"],
    &["us", "usa", "american", "america"],
];

/// Words of which the one denies the other.
const CONTRARY: &[(&[&str], &[&str])] = &[
    (
        &[
            "increase",
            "rise",
            "rose",
            "grow",
            "growth",
            "gain",
            "strengthen",
            "intensify",
        ],
        &[
            "decrease",
            "decline",
            "reduce",
            "reduction",
            "drop",
            "fall",
            "fell",
            "weaken",
            "diminish",
            "lessen",
        ],
    ),
    (
        &["upgrade", "upgraded"],
        &["downgrade", "downgraded", "cancel"],
    ),
    (
        &["before", "prior", "preceding", "precede", "earlier"],
        &["after", "following", "later", "afterward", "subsequent"],
    ),
    (
        &["north", "northern", "northward"],
        &["south", "southern", "southward"],
    ),
    (
        &["east", "eastern", "eastward"],
        &["west", "western", "westward"],
    ),
    (
        &["northeast", "northeastern"],
        &[
            "southwest",
            "southwestern",
            "northwest",
            "northwestern",
            "southeast",
            "southeastern",
        ],
    ),
    (
        &["southeast", "southeastern"],
        &[
            "southwest",
            "southwestern",
            "northwest",
            "northwestern",
            "northeast",
            "northeastern",
        ],
    ),
    (
        &["northwest", "northwestern"],
        &["southwest", "southwestern", "southeast", "southeastern"],
    ),
    (&["upstream"], &["downstream"]),
    (&["above", "over", "exceed"], &["below", "under", "beneath"]),
    (
        &["strong", "stronger", "strongest", "powerful", "violent"],
        &["weak", "weaker", "weakest"],
    ),
    (
        &[
            "large", "larger", "largest", "big", "bigger", "biggest", "huge", "great", "major",
        ],
        &["small", "smaller", "smallest", "minor", "little"],
    ),
    (&["high", "higher", "highest"], &["low", "lower", "lowest"]),
    (
        &["deep", "deeper", "deepest"],
        &["shallow", "shallower", "shallowest"],
    ),
    (
        &["fast", "faster", "rapid", "quick", "rapidly", "quickly"],
        &["slow", "slower", "slowly", "gradual", "gradually"],
    ),
    (&["more", "most"], &["less", "fewer", "least"]),
    (&["early", "earlier"], &["late", "later"]),
    (&["maximum"], &["minimum"]),
    (
        &["wet", "moist", "rainy", "humid"],
        &["dry", "arid", "drought"],
    ),
    (
        &["hot", "warm", "warmer"],
        &["cold", "cool", "cooler", "colder"],
    ),
    (&["safe", "safely"], &["dangerous", "hazardous", "unsafe"]),
    (&["stable"], &["unstable"]),
    (
        &["common", "frequent", "often", "usual", "frequently"],
        &[
            "rare",
            "rarely",
            "seldom",
            "infrequent",
            "unusual",
            "uncommon",
        ],
    ),
    (&["likely"], &["unlikely"]),
    (&["possible"], &["impossible"]),
    (
        &["success", "successful", "succeed"],
        &["fail", "failure", "unsuccessful"],
    ),
    (
        &["private", "privately"],
        &["public", "publicly", "government"],
    ),
    (&["voluntary"], &["mandatory", "compulsory", "required"]),
    (&["open", "opened"], &["close", "closed"]),
    (
        &["begin", "began", "start", "started"],
        &["end", "ended", "stop", "stopped", "cease"],
    ),
    (
        &["include", "included", "including"],
        &["exclude", "excluded", "excluding", "except", "omit"],
    ),
    (
        &["inside", "indoors", "inland", "onshore"],
        &["outside", "outdoors", "offshore"],
    ),
    (&["survive", "survived"], &["die", "died", "perish"]),
    (
        &["allow", "permit", "allowed"],
        &["prohibit", "ban", "forbid", "forbidden", "prohibited"],
    ),
    (&["accept"], &["reject", "refuse"]),
    (
        &["agree", "consistent", "agreement"],
        &["disagree", "inconsistent", "contradict"],
    ),
    (
        &["overestimate", "overpredict"],
        &["underestimate", "underpredict"],
    ),
    (&["overpredicted"], &["underpredicted"]),
    (&["watch"], &["warning"]),
    (&["single", "one"], &["several", "multiple", "many"]),
    (
        &["day", "daytime", "noon"],
        &["night", "nighttime", "midnight"],
    ),
    (
        &["morning", "dawn", "sunrise"],
        &["evening", "dusk", "sunset", "night"],
    ),
    (&["horizontal"], &["vertical"]),
    (
        &["natural", "naturally"],
        &["human", "artificial", "manmade"],
    ),
    (&["volcanic"], &["tectonic", "nonvolcanic"]),
    (&["urban", "city"], &["rural", "remote"]),
    (&["direct", "directly"], &["indirect", "indirectly"]),
    (&["temporary", "temporarily"], &["permanent", "permanently"]),
    (&["uphill", "upslope"], &["downhill", "downslope"]),
    (&["add", "added"], &["remove", "removed"]),
    (
        &["improve", "improved", "better"],
        &["worsen", "worse", "deteriorate"],
    ),
    (&["better", "best"], &["worse", "worst"]),
    (
        &["complete", "completely", "fully", "entirely"],
        &["partial", "partially", "partly", "incomplete"],
    ),
    (&["known"], &["unknown"]),
    (&["detected"], &["undetected"]),
    (
        &["continue", "continued", "remain"],
        &["discontinue", "discontinued", "cancelled", "cease", "ended"],
    ),
    (
        &["uplift", "rise", "raised"],
        &["subside", "subsidence", "sank", "sunken"],
    ),
    (&["left"], &["right"]),
    (&["tsunami"], &["shaking"]),
    (
        &["wood", "wooden", "timber"],
        &["brick", "masonry", "concrete", "steel"],
    ),
    (&["overtop", "exceed"], &["below"]),
    (&["everywhere"], &["some", "somewhere"]),
    (&["ban", "avoid", "never"], &["encourage", "recommend"]),
];

struct Lexicon {
    same: HashMap<String, Vec<usize>>,
    contrary: HashMap<String, Vec<(usize, bool)>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut same: HashMap<String, Vec<usize>> = HashMap::new();
    for (group, words) in SAME.iter().enumerate() {
        for word in *words {
            let groups = same.entry(stem(word)).or_default();
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    let mut contrary: HashMap<String, Vec<(usize, bool)>> = HashMap::new();
    for (pair, (left, right)) in CONTRARY.iter().enumerate() {
        for (words, side) in [(left, true), (right, false)] {
            for word in *words {
                let sides = contrary.entry(stem(word)).or_default();
                if !sides.contains(&(pair, side)) {
                    sides.push((pair, side));
                }
            }
        }
    }
    Lexicon { same, contrary }
});

/// How nearly two stems mean the same, from 0 (nothing in common) to 1 (the same stem).
pub(crate) fn likeness(a: &str, b: &str) -> f32 {
    if a == b {
        return 1.0;
    }
    let groups = |stem: &str| LEXICON.same.get(stem);
    if a.starts_with(|c: char| c.is_ascii_digit()) || b.starts_with(|c: char| c.is_ascii_digit()) {
        let same = matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b);
        return if same { 1.0 } else { 0.0 };
    }
    if let (Some(a), Some(b)) = (groups(a), groups(b))
        && a.iter().any(|group| b.contains(group))
    {
        return 0.85;
    }
    // Words of one family: "destruct" and "destroy", "volcan" and "volcano".
    let common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    let letters = |s: &str| s.bytes().all(|b| b.is_ascii_alphabetic());
    if common >= 5
        && common * 10 >= longer * 6
        && common * 10 >= shorter * 8
        && letters(a)
        && letters(b)
    {
        return 0.75;
    }
    0.0
}

/// Whether one stem denies the other.
pub(crate) fn contrary(a: &str, b: &str) -> bool {
    match (LEXICON.contrary.get(a), LEXICON.contrary.get(b)) {
        (Some(a), Some(b)) => a.iter().any(|(pair, side)| b.contains(&(*pair, !side))),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_group_are_alike_and_contraries_are_told() {
        assert!(likeness(&stem("deaths"), &stem("killed")) > 0.8);
        assert_eq!(likeness(&stem("bridge"), &stem("river")), 0.0);
        assert!(contrary(&stem("increased"), &stem("reduced")));
        assert!(!contrary(&stem("increased"), &stem("rose")));
    }
}
