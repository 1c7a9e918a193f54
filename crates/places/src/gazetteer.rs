//! The gazetteer in memory: places by id, name and code, with what a user has added.

mod describe;
mod import;
mod overlay;

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::blob::{
    Blob, COUNTRY_BASE, FLAG_CAPITAL, FLAG_GEONAMES, FLAG_NO_POINT, FLAG_REFERENCE,
    FLAG_ROUGH_POINT, FLAG_SINGLE_SOURCE_PARENT, LISTED, NODE_BYTES, Section, read_i24, read_u16,
    read_u24, read_u32, unpack_population,
};
use crate::error::PlacesError;
use crate::fold::fold;
use crate::kind::{EdgeKind, Kind, NameKind};
pub use overlay::ImportSummary;
use overlay::Overlay;

/// What the program works with where a user has added to the embedded tables.
static IN_USE: OnceLock<Gazetteer> = OnceLock::new();

static EMBEDDED: &[u8] = include_bytes!("../data/gazetteer.bin");

/// A place of one gazetteer. Numbers change from build to build: write [`Gazetteer::id_text`]
/// to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlaceId(pub(crate) u32);

/// Latitude and longitude in degrees, north and east positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GeoPoint {
    /// Degrees north, -90 to 90.
    pub lat: f64,
    /// Degrees east, -180 to 180.
    pub lon: f64,
}

impl GeoPoint {
    /// Great-circle distance in kilometres on a sphere of 6371 km.
    pub fn distance_km(self, other: GeoPoint) -> f64 {
        let (a, b) = (self.lat.to_radians(), other.lat.to_radians());
        let dlat = (b - a) / 2.0;
        let dlon = (other.lon - self.lon).to_radians() / 2.0;
        let h = dlat.sin().powi(2) + a.cos() * b.cos() * dlon.sin().powi(2);
        2.0 * 6371.0 * h.sqrt().min(1.0).asin()
    }
}

/// How a place hangs below another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The place above.
    pub parent: PlaceId,
    /// What sort of edge.
    pub kind: EdgeKind,
    /// How much of the child lies in the parent, in half percents.
    pub coverage: u8,
}

/// One meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The place.
    pub place: PlaceId,
    /// What sort of name it is for that place.
    pub name: NameKind,
}

/// What a named event carries besides its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventFacts {
    /// Hazard, in the words of the table.
    pub hazard: String,
    /// First day, month or year (ISO 8601); for storms the landfall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Last day, month or year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// How sure the table is: `high`, `medium`, `low`.
    pub confidence: String,
    /// Anything else worth knowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Places, names and edges: the embedded file and what a user has added to it.
#[derive(Debug, Clone)]
pub struct Gazetteer {
    blob: Blob,
    names: fst::Map<&'static [u8]>,
    nodes: u32,
    overlay: Overlay,
}

impl Gazetteer {
    /// The gazetteer that ships with Lahar, opened once.
    pub fn embedded() -> &'static Gazetteer {
        static GAZETTEER: OnceLock<Gazetteer> = OnceLock::new();
        GAZETTEER.get_or_init(|| match Gazetteer::open(EMBEDDED) {
            Ok(gazetteer) => gazetteer,
            // The file is compiled in and a test opens it, so this cannot be reached by any input.
            Err(error) => unreachable!("{error}"),
        })
    }

    /// The gazetteer that this process works with: the embedded one, or what
    /// [`Gazetteer::put_to_use`] put in its place.
    pub fn in_use() -> &'static Gazetteer {
        IN_USE.get().unwrap_or_else(|| Gazetteer::embedded())
    }

    /// Makes this gazetteer, with what a user has added, the one that the process works with.
    /// Called once, by the program, before the first question; a second call changes nothing and
    /// gives `false`.
    pub fn put_to_use(self) -> bool {
        IN_USE.set(self).is_ok()
    }

    /// Opens another file of the same layout; the build checks a new one before it is kept.
    pub fn open(bytes: &'static [u8]) -> Result<Gazetteer, PlacesError> {
        let blob = Blob::open(bytes)?;
        let names =
            fst::Map::new(blob.section(Section::Names)).map_err(|_| PlacesError::Gazetteer {
                why: "its name index is damaged",
            })?;
        let nodes = (blob.section(Section::Nodes).len() / NODE_BYTES) as u32;
        Ok(Gazetteer {
            blob,
            names,
            nodes,
            overlay: Overlay::default(),
        })
    }

    /// Number of places, a user's own included.
    pub fn len(&self) -> usize {
        self.nodes as usize + self.overlay.nodes.len()
    }

    /// Whether there is no place at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every place.
    pub fn places(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.len() as u32).map(PlaceId)
    }

    fn own(&self, place: PlaceId) -> Option<&overlay::OwnNode> {
        self.overlay
            .nodes
            .get((place.0.checked_sub(self.nodes)?) as usize)
    }

    /// Whether a user has added the place.
    pub fn is_own(&self, place: PlaceId) -> bool {
        self.own(place).is_some()
    }

    fn node(&self, place: PlaceId) -> &'static [u8] {
        let at = place.0 as usize * NODE_BYTES;
        self.blob
            .section(Section::Nodes)
            .get(at..at + NODE_BYTES)
            .unwrap_or(&[0; NODE_BYTES])
    }

    fn flag(&self, place: PlaceId, flag: u8) -> bool {
        self.own(place).is_none() && self.node(place)[16] & flag != 0
    }

    /// The name as it is shown.
    pub fn name(&self, place: PlaceId) -> &str {
        match self.own(place) {
            Some(own) => &own.name,
            None => self.blob.string(read_u24(self.node(place), 0)),
        }
    }

    /// The name as it is shown to people: with the code where the name alone says little.
    pub fn display_name(&self, place: PlaceId) -> String {
        let code = |text: &'static str| text.split_once(':').map_or(text, |(_, code)| code);
        match self.kind(place) {
            Kind::Watershed if self.own(place).is_none() => format!(
                "{} watershed (HUC {})",
                self.name(place),
                code(self.stored_code(place).unwrap_or(""))
            ),
            Kind::FireZone if self.own(place).is_none() => format!(
                "{} {}",
                self.name(place),
                code(self.stored_code(place).unwrap_or(""))
            ),
            _ => self.name(place).to_owned(),
        }
    }

    /// What sort of place it is.
    pub fn kind(&self, place: PlaceId) -> Kind {
        match self.own(place) {
            Some(own) => own.kind,
            None => Kind::from_code(self.node(place)[15]).unwrap_or(Kind::World),
        }
    }

    /// Inhabitants, 0 where nobody counted.
    pub fn population(&self, place: PlaceId) -> u64 {
        match self.own(place) {
            Some(own) => own.population,
            None => unpack_population(read_u16(self.node(place), 13)),
        }
    }

    /// Coordinates: of the place, or the middle of what lies in it.
    pub fn point(&self, place: PlaceId) -> Option<GeoPoint> {
        if let Some(own) = self.own(place) {
            return own.point;
        }
        (!self.flag(place, FLAG_NO_POINT)).then(|| GeoPoint {
            lat: f64::from(read_i24(self.node(place), 7)) / 10_000.0,
            lon: f64::from(read_i24(self.node(place), 10)) / 10_000.0,
        })
    }

    /// Whether the coordinates are those of the unit around the place.
    pub fn point_is_rough(&self, place: PlaceId) -> bool {
        self.flag(place, FLAG_ROUGH_POINT)
    }

    /// Whether the place is the seat of a country's or first-level division's government.
    pub fn is_capital(&self, place: PlaceId) -> bool {
        self.flag(place, FLAG_CAPITAL)
    }

    /// Whether the place may only begin or end a path in the graph.
    pub fn is_reference(&self, place: PlaceId) -> bool {
        self.flag(place, FLAG_REFERENCE)
    }

    /// Whether the county above rests on the census place list alone, which keeps one county a place.
    pub fn parent_is_single_source(&self, place: PlaceId) -> bool {
        self.flag(place, FLAG_SINGLE_SOURCE_PARENT)
    }

    /// The country a place lies in, where it is one.
    pub fn country(&self, place: PlaceId) -> Option<PlaceId> {
        if let Some(own) = self.own(place) {
            return own
                .parents
                .first()
                .and_then(|edge| self.country(edge.parent));
        }
        match self.node(place)[17] {
            0 => None,
            code => Some(PlaceId(u32::from(code) - 1 + COUNTRY_BASE as u32)),
        }
    }

    /// The GeoNames id.
    pub fn geonames(&self, place: PlaceId) -> Option<u32> {
        if let Some(own) = self.own(place) {
            return own.geonames;
        }
        self.flag(place, FLAG_GEONAMES)
            .then(|| read_u32(self.node(place), 3))
    }

    fn stored_code(&self, place: PlaceId) -> Option<&'static str> {
        self.blob
            .lookup(Section::Codes, place.0)
            .map(|offset| self.blob.string(offset))
    }

    /// The code: `fips:41051`, `iso:US-OR`, `huc:17`, `ugc:ORZ604`, `aiannh:2430`, `region:...`.
    pub fn code(&self, place: PlaceId) -> Option<&str> {
        match self.own(place) {
            Some(own) => Some(&own.code),
            None => self.stored_code(place),
        }
    }

    /// The county code, for counties of the United States.
    pub fn fips(&self, place: PlaceId) -> Option<&str> {
        self.code(place)?.strip_prefix("fips:")
    }

    /// An id that outlives this build: the GeoNames id, else the code, else the census id.
    pub fn id_text(&self, place: PlaceId) -> String {
        if let Some(id) = self.geonames(place) {
            return format!("gn:{id}");
        }
        match self.code(place) {
            Some(code) => code.to_owned(),
            None => format!("geoid:{:07}", read_u32(self.node(place), 3)),
        }
    }

    /// The place with such an id or code.
    pub fn by_id(&self, id: &str) -> Option<PlaceId> {
        let id = id.trim();
        if let Some(place) = self.overlay.codes.get(id) {
            return Some(*place);
        }
        let (prefix, rest) = id.split_once(':')?;
        match prefix {
            "gn" => self.by_geonames(rest.parse().ok()?),
            "fips" if rest.len() == 5 => self.by_fips(rest.parse().ok()?),
            "geoid" => {
                let key: u32 = rest.parse().ok()?;
                (0..self.nodes).map(PlaceId).find(|place| {
                    matches!(self.kind(*place), Kind::City | Kind::Township)
                        && !self.flag(*place, FLAG_GEONAMES)
                        && read_u32(self.node(*place), 3) == key
                })
            }
            _ => self
                .blob
                .section(Section::Codes)
                .chunks_exact(8)
                .find(|pair| self.blob.string(read_u32(pair, 4)) == id)
                .map(|pair| PlaceId(read_u32(pair, 0))),
        }
    }

    /// The place with a GeoNames id.
    pub fn by_geonames(&self, id: u32) -> Option<PlaceId> {
        let own = self
            .overlay
            .nodes
            .iter()
            .position(|own| own.geonames == Some(id));
        own.map(|at| PlaceId(self.nodes + at as u32)).or_else(|| {
            self.blob
                .section(Section::Nodes)
                .chunks_exact(NODE_BYTES)
                .position(|node| node[16] & FLAG_GEONAMES != 0 && read_u32(node, 3) == id)
                .map(|at| PlaceId(at as u32))
        })
    }

    /// The county with a FIPS code.
    pub fn by_fips(&self, fips: u32) -> Option<PlaceId> {
        self.blob.lookup(Section::Counties, fips).map(PlaceId)
    }

    /// The edges up from a place; the first is that of the printed chain.
    pub fn parents(&self, place: PlaceId) -> impl Iterator<Item = Edge> + '_ {
        let own = self.own(place);
        let added = self.overlay.parents.get(&place).into_iter().flatten();
        let stored = match own {
            Some(_) => (None, &[][..]),
            None => {
                let first = read_u32(self.blob.section(Section::FirstEdges), place.0 as usize * 4);
                if first as u8 == LISTED {
                    let edges = self.blob.section(Section::Edges);
                    let at = (first >> 8) as usize * 4;
                    let count = read_u32(edges, at) as usize;
                    (None, edges.get(at + 4..at + 4 + count * 4).unwrap_or(&[]))
                } else {
                    (Some(first), &[][..])
                }
            }
        };
        own.into_iter()
            .flat_map(|own| own.parents.iter().copied())
            .chain(
                stored
                    .0
                    .into_iter()
                    .chain(stored.1.chunks_exact(4).map(|edge| read_u32(edge, 0)))
                    .map(|packed| Edge {
                        parent: PlaceId(packed >> 12),
                        kind: EdgeKind::from_code((packed >> 8 & 15) as u8)
                            .unwrap_or(EdgeKind::Label),
                        coverage: packed as u8,
                    }),
            )
            .chain(added.copied())
    }

    /// The units a place covers and how much of each, in half percents; empty where the place is
    /// a unit itself.
    pub fn extent(&self, place: PlaceId) -> impl Iterator<Item = (PlaceId, u8)> + '_ {
        let own = self.own(place);
        let stored = if own.is_some() || !self.kind_has_extent(place) {
            &[][..]
        } else {
            let nodes = self.blob.section(Section::ExtentNodes);
            let (mut low, mut high) = (0, nodes.len() / 4);
            while low < high {
                let middle = (low + high) / 2;
                if read_u32(nodes, middle * 4) < place.0 {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if low * 4 < nodes.len() && read_u32(nodes, low * 4) == place.0 {
                let starts = self.blob.section(Section::ExtentStarts);
                let from = read_u32(starts, low * 4) as usize * 4;
                let to = read_u32(starts, low * 4 + 4) as usize * 4;
                self.blob
                    .section(Section::Extents)
                    .get(from..to)
                    .unwrap_or(&[])
            } else {
                &[][..]
            }
        };
        own.into_iter()
            .flat_map(|own| own.extent.iter().copied())
            .chain(stored.chunks_exact(4).map(|unit| {
                let packed = read_u32(unit, 0);
                (PlaceId(packed >> 8), packed as u8)
            }))
    }

    fn kind_has_extent(&self, place: PlaceId) -> bool {
        !matches!(
            self.kind(place),
            Kind::Country | Kind::State | Kind::Township
        )
    }

    /// The place that stands for all with the same boundary: the unit of law highest up.
    pub fn representative(&self, place: PlaceId) -> PlaceId {
        if !matches!(self.kind(place), Kind::City | Kind::County | Kind::Tribal) {
            return place;
        }
        self.same_extent(place)
            .chain([place])
            .min_by_key(|other| {
                let kind = self.kind(*other);
                (!kind.is_backbone(), kind.level(), other.0)
            })
            .unwrap_or(place)
    }

    /// Other places with the same boundary.
    pub fn same_extent(&self, place: PlaceId) -> impl Iterator<Item = PlaceId> + use<> {
        self.blob
            .lookup_all(Section::SameExtent, place.0)
            .map(PlaceId)
    }

    /// A former name or other remark.
    pub fn note(&self, place: PlaceId) -> Option<&'static str> {
        self.blob
            .lookup(Section::Notes, place.0)
            .map(|offset| self.blob.string(offset))
    }

    /// Hazard and dates of a named event.
    pub fn event(&self, place: PlaceId) -> Option<EventFacts> {
        let text = self
            .blob
            .string(self.blob.lookup(Section::Events, place.0)?);
        let mut cells = text.split('\t').map(str::to_owned);
        let mut next = || cells.next().filter(|cell| !cell.is_empty());
        Some(EventFacts {
            hazard: next().unwrap_or_default(),
            start: next(),
            end: next(),
            confidence: next().unwrap_or_default(),
            note: next(),
        })
    }

    /// Whether two counties share a border.
    pub fn adjacent(&self, one: PlaceId, other: PlaceId) -> bool {
        if self.overlay.adjacent.contains(&(one, other)) {
            return true;
        }
        let counties = self.blob.section(Section::Counties);
        let row = |place: PlaceId| -> Option<u32> {
            let fips: u32 = self.fips(place)?.parse().ok()?;
            let at = counties
                .chunks_exact(8)
                .position(|pair| read_u32(pair, 0) == fips)?;
            u32::try_from(at).ok()
        };
        let (Some(one), Some(other)) = (row(one), row(other)) else {
            return false;
        };
        let wanted = other << 16 | one;
        self.blob
            .section(Section::Adjacent)
            .chunks_exact(4)
            .any(|pair| read_u32(pair, 0) == wanted)
    }

    /// Every place that goes by a name, in no order.
    pub fn meanings(&self, name: &str) -> Vec<Meaning> {
        self.meanings_of_folded(&fold(name))
    }

    pub(crate) fn meanings_of_folded(&self, folded: &str) -> Vec<Meaning> {
        let mut meanings = Vec::new();
        if let Some(value) = self.names.get(folded) {
            self.unpack_meanings(value, &mut meanings);
        }
        if let Some(added) = self.overlay.names.get(folded) {
            meanings.extend(added.iter().copied());
        }
        meanings
    }

    /// The meanings a value of the name index stands for.
    pub(crate) fn unpack_meanings(&self, value: u64, meanings: &mut Vec<Meaning>) {
        let mut push = |packed: u32| {
            meanings.push(Meaning {
                place: PlaceId(packed >> 4),
                name: NameKind::from_code((packed & 15) as u8).unwrap_or(NameKind::Alternate),
            });
        };
        if value & 1 == 0 {
            push((value >> 1) as u32);
            return;
        }
        let postings = self.blob.section(Section::Postings);
        let at = (value >> 1) as usize * 4;
        let count = read_u32(postings, at) as usize;
        for one in postings
            .get(at + 4..at + 4 + count * 4)
            .unwrap_or(&[])
            .chunks_exact(4)
        {
            push(read_u32(one, 0));
        }
    }

    pub(crate) fn name_index(&self) -> &fst::Map<&'static [u8]> {
        &self.names
    }

    pub(crate) fn own_names(&self) -> &HashMap<String, Vec<Meaning>> {
        &self.overlay.names
    }

    pub(crate) fn longest_own_name(&self) -> usize {
        self.overlay.longest_name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_gazetteer_opens_and_finds_a_county_by_its_code() {
        let gazetteer = Gazetteer::embedded();
        let county = gazetteer.by_fips(41051).unwrap();
        assert_eq!(gazetteer.name(county), "Multnomah County");
        assert_eq!(gazetteer.qualified(county), "Multnomah County, Oregon");
        assert_eq!(gazetteer.by_id(&gazetteer.id_text(county)), Some(county));
        let names: Vec<&str> = gazetteer
            .chain(county)
            .into_iter()
            .map(|place| gazetteer.name(place))
            .collect();
        assert_eq!(
            names,
            [
                "Multnomah County",
                "Oregon",
                "Pacific Northwest",
                "United States"
            ]
        );
    }

    #[test]
    fn every_id_leads_back_to_its_place() {
        let gazetteer = Gazetteer::embedded();
        for place in gazetteer.places().step_by(9973) {
            assert_eq!(gazetteer.by_id(&gazetteer.id_text(place)), Some(place));
        }
    }
}
