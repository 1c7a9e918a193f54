//! Words that tell places from other names. Lists that are too long for a page lie in `data/`.

use std::collections::HashSet;
use std::sync::OnceLock;

/// The long lists, made once.
pub(crate) struct WordLists {
    /// Everyday words that are also names of places: `Reading`, `Police`, `Mobile`.
    pub everyday: HashSet<&'static str>,
    /// Given names.
    pub first_names: HashSet<&'static str>,
    /// Family names that are also names of places.
    pub surnames: HashSet<&'static str>,
}

/// The word lists.
pub(crate) fn lists() -> &'static WordLists {
    static LISTS: OnceLock<WordLists> = OnceLock::new();
    LISTS.get_or_init(|| WordLists {
        everyday: include_str!("../../data/everyday_words.txt")
            .lines()
            .chain(MORE_EVERYDAY.iter().copied())
            .collect(),
        first_names: include_str!("../../data/first_names.txt").lines().collect(),
        surnames: include_str!("../../data/surnames.txt").lines().collect(),
    })
}

macro_rules! word_set {
    ($(#[$meta:meta])* $name:ident, $($word:literal)*) => {
        $(#[$meta])*
        pub(crate) fn $name(word: &str) -> bool {
            matches!(word, $($word)|*)
        }
    };
}

const MORE_EVERYDAY: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
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
    "president",
    "police",
    "university",
    "college",
    "street",
    "church",
    "internet",
    "english",
    "french",
    "german",
    "spanish",
    "chinese",
    "christian",
    "muslim",
    "republican",
    "democrat",
    "democratic",
    "congress",
    "senate",
    "house",
    "union",
    "central",
    "national",
    "american",
    "international",
    "general",
    "major",
    "captain",
    "colonel",
    "sheriff",
    "christmas",
    "easter",
    "thanksgiving",
    "god",
    "lord",
    "saint",
    "mission",
    "airport",
    "best",
    "nation",
    "nice",
    "mobile",
    "reading",
    "bath",
    "orange",
    "hope",
    "independence",
    "enterprise",
    "commerce",
    "liberty",
    "justice",
    "media",
    "price",
    "bill",
    "mercury",
    "eden",
    "pope",
    "bishop",
    "dean",
    "duke",
    "earl",
    "baron",
    "royal",
    "imperial",
    "victory",
    "paradise",
    "valley",
    "summit",
    "harbor",
    "island",
    "beach",
    "lake",
    "hill",
    "hills",
    "forest",
    "grove",
    "falls",
    "springs",
    "corner",
    "center",
    "downtown",
    "northeast",
    "northwest",
    "southeast",
    "southwest",
    "guardian",
    "times",
    "post",
    "herald",
    "tribune",
    "globe",
    "star",
    "sun",
    "press",
    "boys",
    "girls",
    "ebola",
    "lyme",
    "villages",
    "bears",
    "eagles",
    "lions",
    "tigers",
    "gold",
    "silver",
    "copper",
    "iron",
    "crystal",
];

word_set! {
    /// Words before a place that say "here something is or happens".
    preposition,
    "in" "at" "from" "near" "to" "outside" "across" "throughout" "around" "into" "within" "inside"
    "toward" "towards" "via" "through" "between" "off" "leaving" "visiting" "visited" "reached"
    "hit" "struck" "entering" "above" "over" "along" "beyond" "surrounding" "including" "on"
}

word_set! {
    /// Small words that begin a sentence and are no part of a name.
    function_word,
    "a" "an" "the" "in" "at" "from" "near" "to" "on" "of" "by" "for" "with" "and" "or" "but" "as"
    "while" "when" "after" "before" "since" "if" "although" "though" "both" "across" "outside"
    "inside" "throughout" "around" "into" "within" "between" "under" "over" "through" "during"
    "because" "so" "that" "this" "these" "those" "it" "its" "he" "she" "they" "we" "i" "you" "his"
    "her" "their" "our" "my" "your" "is" "was" "are" "were" "be" "has" "have" "had" "will" "would"
    "can" "could" "may" "might" "should" "not" "no" "yet" "also" "then" "now" "here" "there" "how"
    "what" "where" "who" "why" "which" "like" "unlike" "despite" "besides" "whether" "about" "against"
    "along" "among" "until" "than" "once" "only" "even" "all" "some" "many" "most" "several" "other"
    "another" "each" "every" "today" "yesterday" "tomorrow" "meanwhile" "however" "via" "per" "does"
    "do" "did" "outbreak" "officials" "authorities" "residents" "former" "late" "early" "recent"
    "nearby" "neighboring" "neighbouring" "says" "said" "compare" "tell" "show" "list" "give" "find"
    "describe" "explain" "map" "monday" "tuesday" "wednesday" "thursday" "friday" "saturday" "sunday"
    "january" "february" "march" "april" "june" "july" "august" "september" "october" "november"
    "december"
}

word_set! {
    /// Directions and parts, which may stand before a place.
    direction,
    "north" "south" "east" "west" "northern" "southern" "eastern" "western" "northeast" "northwest"
    "southeast" "southwest" "northeastern" "northwestern" "southeastern" "southwestern" "central"
    "upper" "lower" "downtown" "greater" "mainland" "metropolitan" "metro" "rural" "inner" "outer"
    "mid" "uptown" "midtown" "coastal"
}

word_set! {
    /// Units of law behind a name, which belong to it and say what it is.
    unit_word,
    "county" "parish" "borough" "province" "prefecture" "district" "region" "governorate" "oblast"
    "department" "state" "territory" "municipality" "canton" "republic" "regency" "counties"
    "township" "krai" "voivodeship" "emirate"
}

word_set! {
    /// Natural features behind a name.
    feature_word,
    "river" "creek" "lake" "bay" "island" "islands" "valley" "mountain" "mountains" "peninsula"
    "canyon" "desert" "basin" "falls" "reservoir" "strait" "sea" "ocean" "gulf" "harbor" "harbour"
    "beach" "coast" "hills" "forest" "reservation" "delta" "plateau" "range" "gorge" "sound" "cape"
    "glacier" "swamp" "marsh" "lagoon" "reef" "heights" "springs" "wash" "slough" "bayou" "inlet"
    "highlands" "lowlands" "plains" "square"
}

word_set! {
    /// Named events behind a name.
    event_word,
    "fire" "complex" "hurricane" "earthquake" "flood" "tornado" "landslide" "tsunami" "cyclone"
    "typhoon" "wildfire" "fires" "floods"
}

word_set! {
    /// Words behind a name that say it is an office or title, not a longer name.
    title_after,
    "governor" "gov" "mayor" "senator" "sen" "president" "prime" "premier" "attorney" "secretary"
    "congressman" "congresswoman" "rep" "minister" "chief" "residents" "officials" "authorities"
    "interstate" "highway" "route" "time"
}

word_set! {
    /// Titles before a person.
    title_before,
    "mr" "mrs" "ms" "miss" "dr" "prof" "sen" "gov" "rep" "judge" "justice" "sgt" "lt" "capt" "col"
    "gen" "maj" "cpl" "pvt" "officer" "detective" "deputy" "sheriff" "chief" "coach" "pastor" "rev"
    "reverend" "father" "sister" "brother" "bishop" "cardinal" "pope" "king" "queen" "prince"
    "princess" "sir" "lady" "lord" "saint" "president" "senator" "governor" "mayor" "congressman"
    "congresswoman" "secretary" "minister" "ambassador" "professor" "captain" "general" "colonel"
    "commissioner" "councilman" "councilwoman" "attorney" "actor" "actress" "singer" "director"
    "chairman" "chairwoman" "spokesman" "spokeswoman" "superintendent" "principal" "rabbi" "imam"
    "inspector" "constable" "trooper" "investigator" "forward" "guard" "quarterback" "pitcher"
    "forecaster" "firefighter" "lieutenant" "sergeant"
}

word_set! {
    /// Heads of bodies before "of": `University of California` is not California.
    body_of,
    "university" "bank" "church" "museum" "institute" "college" "school" "bishop" "archbishop"
    "duke" "earl" "diocese" "archdiocese" "academy" "society" "association" "federation" "chamber"
    "daughters" "sons" "court" "house" "treaty" "battle" "declaration" "journal" "history" "hospital"
    "universities" "regents" "rangers" "department" "voters" "prince" "princess" "duchess" "gulf"
    "voice" "tower" "port" "order" "league" "supporters" "convention" "foundation" "council"
}

word_set! {
    /// Kinds of place before "of" or a name: `the city of Portland`.
    place_noun,
    "city" "town" "village" "county" "state" "province" "district" "region" "capital" "suburb"
    "community" "parish" "borough" "island" "municipality" "port" "hamlet" "township" "prefecture"
    "department" "area" "neighborhood" "neighbourhood" "republic" "territory" "cities" "towns"
    "villages" "counties" "states" "provinces" "locality" "settlement" "outskirts" "people"
    "government" "resort"
}

word_set! {
    /// First words of features: `Lake Tahoe`, `Mount Hood`.
    feature_before,
    "lake" "mount" "fort" "cape" "isle" "port" "point" "camp" "mt" "ft" "loch" "rio" "san" "santa"
    "saint" "st" "el" "los" "las"
}

word_set! {
    /// Words behind a name that make it a street or building.
    street_word,
    "street" "st" "road" "rd" "avenue" "ave" "drive" "dr" "lane" "ln" "boulevard" "blvd" "court"
    "ct" "highway" "hwy" "way" "place" "pl" "terrace" "circle" "parkway" "pike" "turnpike" "freeway"
    "expressway" "bridge" "trail" "alley" "suite" "building" "hall" "tower" "plaza" "mall"
}

word_set! {
    /// Bodies, zones of time and other names that are no places though tables list them as such.
    body_name,
    "un" "u.n" "united nations" "eu" "e.u" "european union" "nato" "est" "edt" "cst" "cdt" "mst"
    "mdt" "pst" "pdt" "gmt" "utc" "am" "pm" "tv" "radio" "gop" "nfl" "nba" "natural resources"
    "agriculture" "health" "commerce" "interior" "defense" "energy" "transportation" "education"
}
