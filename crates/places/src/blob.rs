//! The layout of the embedded gazetteer, and reading it in place.
//!
//! One file of little-endian tables behind a header of (offset, length) pairs. Nothing is copied
//! or parsed when it is opened; every accessor reads the bytes where they lie. The writer is
//! `cargo xtask gazetteer`.

use crate::error::PlacesError;

/// First bytes of every gazetteer file; the digit is the layout's version.
pub const MAGIC: &[u8; 8] = b"LAHARGZ1";

/// Tables of the file, in the order of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Section {
    /// Names, each behind one byte of length.
    Strings,
    /// [`NODE_BYTES`] a node.
    Nodes,
    /// For each node its one edge, or, with [`LISTED`] as coverage, where its list begins, `u32`.
    /// An edge is a parent (20 bits), a kind (4) and a coverage (8: of the child in the parent).
    FirstEdges,
    /// Lists of edges, each behind their number, `u32`.
    Edges,
    /// Nodes that have an extent list, `u32`, ascending.
    ExtentNodes,
    /// Start of each list, `u32`, one more than extent nodes.
    ExtentStarts,
    /// Units: node (24 bits) and coverage (8: of the unit by the node, 0..=200).
    Extents,
    /// Sorted (node `u32`, string `u32`): ISO, FIPS, UGC, HUC, AIANNH codes.
    Codes,
    /// Sorted (FIPS `u32`, node `u32`) of U.S. counties.
    Counties,
    /// Finite-state map from folded names.
    Names,
    /// Names with several meanings: count, then node << 4 | name kind, `u32`.
    Postings,
    /// Sorted (node `u32`, other `u32`): boundary-identical pairs, both ways to the representative.
    SameExtent,
    /// Sorted (node `u32`, string `u32`): hazard, start, end, confidence, note of an event; tabs between.
    Events,
    /// Neighbouring counties: sorted (row, row) of the county table, `u16`, both ways.
    Adjacent,
    /// Sorted (node `u32`, string `u32`): former names and notes.
    Notes,
}

/// Number of tables.
pub const SECTIONS: usize = 15;

/// Bytes a node takes: name `u24`, key `u32`, latitude and longitude `i24`, population `u16`,
/// kind `u8`, flags `u8`, country `u8`.
pub const NODE_BYTES: usize = 18;

/// The node of the first country; they stand together behind the world and the continents.
pub const COUNTRY_BASE: usize = 8;

/// In the place of a coverage: the node has no edge or several, in a list.
pub const LISTED: u8 = 255;

/// The key is a GeoNames id.
pub const FLAG_GEONAMES: u8 = 1;
/// May begin or end a path, and nothing else.
pub const FLAG_REFERENCE: u8 = 2;
/// The coordinates are those of the county or state around it.
pub const FLAG_ROUGH_POINT: u8 = 4;
/// No coordinates are known.
pub const FLAG_NO_POINT: u8 = 8;
/// Seat of a government (country or first-level division).
pub const FLAG_CAPITAL: u8 = 16;
/// The only source of the parent county keeps one county a place.
pub const FLAG_SINGLE_SOURCE_PARENT: u8 = 32;

/// Coverage is stored in half percents.
pub const FULL: u8 = 200;
/// From here on a unit counts as covered whole (98 %).
pub const WHOLE: u8 = 196;

/// Population in two bytes: eleven bits of mantissa, five of exponent.
pub fn pack_population(population: u64) -> u16 {
    let mut exponent = 0;
    let mut mantissa = population;
    while mantissa >= 1 << 11 {
        mantissa >>= 1;
        exponent += 1;
    }
    (exponent << 11) | mantissa as u16
}

/// The inverse of [`pack_population`], to about one part in two thousand.
pub fn unpack_population(packed: u16) -> u64 {
    u64::from(packed & 0x7ff) << (packed >> 11)
}

/// A gazetteer file that is read where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Blob {
    bytes: &'static [u8],
    sections: [(u32, u32); SECTIONS],
}

impl Blob {
    /// Checks the header; nothing else is touched.
    pub fn open(bytes: &'static [u8]) -> Result<Blob, PlacesError> {
        let damaged = |why: &'static str| PlacesError::Gazetteer { why };
        let header = 8 + SECTIONS * 8;
        if bytes.len() < header || &bytes[..8] != MAGIC {
            return Err(damaged("it does not begin as a gazetteer of this version"));
        }
        let mut sections = [(0, 0); SECTIONS];
        for (index, section) in sections.iter_mut().enumerate() {
            *section = (
                read_u32(bytes, 8 + index * 8),
                read_u32(bytes, 12 + index * 8),
            );
            if u64::from(section.0) + u64::from(section.1) > bytes.len() as u64 {
                return Err(damaged("it is cut short"));
            }
        }
        Ok(Blob { bytes, sections })
    }

    /// One table.
    pub fn section(&self, section: Section) -> &'static [u8] {
        let (offset, length) = self.sections[section as usize];
        &self.bytes[offset as usize..(offset + length) as usize]
    }

    /// The string at an offset of the string table.
    pub fn string(&self, offset: u32) -> &'static str {
        let strings = self.section(Section::Strings);
        let at = offset as usize;
        let length = strings.get(at).copied().unwrap_or(0) as usize;
        strings
            .get(at + 1..at + 1 + length)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or("")
    }

    /// The value of a sorted table of (key, value) pairs.
    pub fn lookup(&self, section: Section, key: u32) -> Option<u32> {
        let table = self.section(section);
        let at = lower_bound(table, key);
        (at * 8 < table.len() && read_u32(table, at * 8) == key)
            .then(|| read_u32(table, at * 8 + 4))
    }

    /// All values of a key in a sorted table of (key, value) pairs.
    pub fn lookup_all(&self, section: Section, key: u32) -> impl Iterator<Item = u32> + use<> {
        let table = self.section(section);
        (lower_bound(table, key)..table.len() / 8)
            .map(move |at| (read_u32(table, at * 8), read_u32(table, at * 8 + 4)))
            .take_while(move |(found, _)| *found == key)
            .map(|(_, value)| value)
    }
}

/// First pair whose key is not below the one asked for.
fn lower_bound(table: &[u8], key: u32) -> usize {
    let (mut low, mut high) = (0, table.len() / 8);
    while low < high {
        let middle = (low + high) / 2;
        if read_u32(table, middle * 8) < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Four bytes, lowest first.
pub(crate) fn read_u32(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..at + 4) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    }
}

/// Three bytes, lowest first.
pub(crate) fn read_u24(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..at + 3) {
        Some(&[a, b, c]) => u32::from_le_bytes([a, b, c, 0]),
        _ => 0,
    }
}

/// Two bytes, lowest first.
pub(crate) fn read_u16(bytes: &[u8], at: usize) -> u16 {
    match bytes.get(at..at + 2) {
        Some(&[a, b]) => u16::from_le_bytes([a, b]),
        _ => 0,
    }
}

/// Three bytes with a sign, lowest first.
pub(crate) fn read_i24(bytes: &[u8], at: usize) -> i32 {
    match bytes.get(at..at + 3) {
        Some(&[a, b, c]) => i32::from_le_bytes([0, a, b, c]) >> 8,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn population_keeps_its_size_in_two_bytes() {
        for population in [0, 1, 809, 2047, 2048, 651_157, 39_512_223, 1_400_000_000] {
            let read = unpack_population(pack_population(population));
            assert!(
                population.abs_diff(read) <= population / 1000,
                "{population} {read}"
            );
        }
    }

    #[test]
    fn a_file_that_is_not_a_gazetteer_is_refused() {
        assert!(Blob::open(b"").is_err());
        assert!(Blob::open(&[0; 500]).is_err());
    }
}
