//! What sort of place a node is, how edges and names differ, and the numbers they are stored as.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! stored_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $word)] $variant),* }

        impl $name {
            const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The value stored as this number; `None` for a number that no version wrote.
            pub fn from_code(code: u8) -> Option<$name> {
                $name::ALL.get(usize::from(code)).copied()
            }

            /// The number this value is stored as.
            pub fn code(self) -> u8 {
                self as u8
            }

            /// The word for it, as it stands in JSON.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            /// Reads the word.
            pub fn parse(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.word() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

stored_enum! {
    /// What sort of place a node is. New kinds are added at the end, because blobs store numbers.
    Kind {
        /// The whole world, above every continent.
        World = "world",
        /// A continent.
        Continent = "continent",
        /// Part of a continent, or several countries: Western Europe, the Sahel.
        Macroregion = "macroregion",
        /// Ocean, sea, gulf, bay, strait, lake or canal.
        Water = "water",
        /// A country, or a country-like territory.
        Country = "country",
        /// A country that is no more.
        HistoricCountry = "historic country",
        /// One of the four regions of the U.S. Census.
        CensusRegion = "census region",
        /// A named group of whole states: Pacific Northwest, Gulf Coast.
        Region = "region",
        /// First-level division: state, province, territory, DC.
        State = "state",
        /// A named part of a country or state that follows no single boundary of law.
        Subregion = "subregion",
        /// Mountains, desert, plain, peninsula, coast.
        Physical = "physical region",
        /// Island or group of islands.
        Island = "island",
        /// River or stream.
        River = "river",
        /// Reservation or other tribal area.
        Tribal = "tribal area",
        /// National forest.
        Forest = "national forest",
        /// National park, monument or seashore.
        Park = "park",
        /// Hydrologic unit.
        Watershed = "watershed",
        /// Fire-weather zone of the National Weather Service.
        FireZone = "fire weather zone",
        /// Area of responsibility of a weather forecast office.
        Office = "forecast office",
        /// One of the nine divisions of the U.S. Census: a label only.
        Division = "census division",
        /// Second-level division: county, parish, borough, census area, independent city, district.
        County = "county",
        /// City, town, village, census-designated place.
        City = "city",
        /// Town or township that the Census lists as a county subdivision.
        Township = "township",
        /// A point or box made at run time.
        Point = "point",
        /// A named event (fire, hurricane, earthquake) with places and dates.
        Event = "event",
    }
}

impl Kind {
    /// Rivers and waters are names rather than ground to judge by: their extent is known too
    /// coarsely. Evidence about one must name it, and nothing follows from where it lies.
    pub fn is_feature(self) -> bool {
        matches!(self, Kind::River | Kind::Water)
    }

    /// Depth in the hierarchy: 0 world to 7 point, as the specification counts.
    pub fn level(self) -> u8 {
        match self {
            Kind::World | Kind::Continent | Kind::Macroregion | Kind::Water => 0,
            Kind::Country | Kind::HistoricCountry => 1,
            Kind::CensusRegion | Kind::Region | Kind::Division => 2,
            Kind::State => 3,
            Kind::Subregion
            | Kind::Physical
            | Kind::Island
            | Kind::River
            | Kind::Tribal
            | Kind::Forest
            | Kind::Park
            | Kind::Watershed
            | Kind::FireZone
            | Kind::Office => 4,
            Kind::County => 5,
            Kind::City | Kind::Township => 6,
            Kind::Point | Kind::Event => 7,
        }
    }

    /// Whether an upward path may pass through: places of law, census regions and groups of
    /// states. Everything else may only begin or end a path.
    pub fn is_backbone(self) -> bool {
        matches!(
            self,
            Kind::Country
                | Kind::CensusRegion
                | Kind::Region
                | Kind::State
                | Kind::County
                | Kind::City
                | Kind::Township
        )
    }
}

stored_enum! {
    /// How a child hangs below its parent.
    EdgeKind {
        /// Part of it by law.
        Admin = "admin",
        /// A state in one of the four census regions, and the region in the country.
        CensusRegion = "census region",
        /// Member of a named region, and the region in the smallest unit that contains it.
        Vernacular = "vernacular",
        /// A side area (tribal, forest, park, watershed, zone, mountains) that touches this unit.
        Spans = "spans",
        /// Label or endpoint only: continents, census divisions, reference regions. Never an
        /// inner node of a path and never a shared ancestor.
        Label = "label",
    }
}

stored_enum! {
    /// What sort of name leads to a node, which decides where the name is believed.
    NameKind {
        /// The official name.
        Official = "official",
        /// The name without its type word: `Osage` for Osage County.
        Short = "short",
        /// Two- or three-letter code, believed in capitals behind a place or comma only.
        Code = "code",
        /// Traditional abbreviation: `Calif.`, `N.S.W.`
        Abbreviation = "abbreviation",
        /// Another name in use.
        Alternate = "alternate",
        /// Nickname, believed in capitals only.
        Nickname = "nickname",
        /// Inhabitants or adjective: votes for context, is no place.
        Demonym = "demonym",
        /// Former name.
        Historical = "historical",
        /// Believed only when spelled with its type word, or looked up by hand.
        Gated = "gated",
    }
}
