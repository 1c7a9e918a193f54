//! The gazetteer file: tables that are read where they lie.

use std::collections::HashMap;

use lahar_places::blob::{
    COUNTRY_BASE, FLAG_NO_POINT, LISTED, MAGIC, NODE_BYTES, SECTIONS, pack_population,
};

use lahar_places::kind::Kind;

use super::builder::Builder;

/// Strings, each once, behind a byte of length.
#[derive(Default)]
struct Strings {
    bytes: Vec<u8>,
    known: HashMap<String, u32>,
}

impl Strings {
    fn put(&mut self, text: &str) -> u32 {
        if let Some(offset) = self.known.get(text) {
            return *offset;
        }
        let mut end = text.len().min(255);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let offset = self.bytes.len() as u32;
        self.bytes.push(end as u8);
        self.bytes.extend_from_slice(&text.as_bytes()[..end]);
        self.known.insert(text.to_owned(), offset);
        offset
    }
}

/// All tables in the order of the header.
pub fn write(builder: &Builder) -> Result<Vec<u8>, String> {
    let mut strings = Strings::default();
    strings.put("");
    if builder.nodes.len() >= 1 << 20 {
        return Err("more nodes than an edge can name".into());
    }
    let (mut nodes, mut first_edges, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    let (mut extent_nodes, mut extent_starts, mut extents) = (Vec::new(), Vec::new(), Vec::new());
    let (mut codes, mut events, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let put = |table: &mut Vec<u8>, value: u32| table.extend_from_slice(&value.to_le_bytes());
    for (index, node) in builder.nodes.iter().enumerate() {
        let index = index as u32;
        nodes.extend_from_slice(&strings.put(&node.name).to_le_bytes()[..3]);
        put(&mut nodes, node.key);
        let (lat, lon) = node.point.unwrap_or((0.0, 0.0));
        for degrees in [lat, lon] {
            let stored = (degrees * 10_000.0).round() as i32;
            nodes.extend_from_slice(&stored.to_le_bytes()[..3]);
        }
        nodes.extend_from_slice(&pack_population(node.population).to_le_bytes());
        nodes.push(node.kind.code());
        nodes.push(
            node.flags
                | if node.point.is_none() {
                    FLAG_NO_POINT
                } else {
                    0
                },
        );
        nodes.push(country_code(builder, node.country)?);
        let packed: Vec<u32> = node
            .parents
            .iter()
            .map(|(parent, kind, coverage)| {
                (*parent as u32) << 12 | u32::from(kind.code()) << 8 | u32::from(*coverage)
            })
            .collect();
        if let [one] = packed[..] {
            put(&mut first_edges, one);
        } else {
            put(
                &mut first_edges,
                (edges.len() as u32 / 4) << 8 | u32::from(LISTED),
            );
            put(&mut edges, packed.len() as u32);
            packed.iter().for_each(|edge| put(&mut edges, *edge));
        }
        if !node.extent.is_empty() {
            put(&mut extent_nodes, index);
            put(&mut extent_starts, (extents.len() / 4) as u32);
            for (unit, coverage) in &node.extent {
                put(&mut extents, (*unit as u32) << 8 | u32::from(*coverage));
            }
        }
        for (table, text) in [
            (&mut codes, &node.code),
            (&mut events, &node.event),
            (&mut notes, &node.note),
        ] {
            if let Some(text) = text {
                put(table, index);
                put(table, strings.put(text));
            }
        }
    }
    if nodes.len() != builder.nodes.len() * NODE_BYTES || strings.bytes.len() >= 1 << 24 {
        return Err("the layout and the reader disagree".into());
    }
    put(&mut extent_starts, (extents.len() / 4) as u32);
    let mut counties = Vec::new();
    for (fips, node) in &builder.by_fips {
        put(&mut counties, *fips);
        put(&mut counties, *node as u32);
    }
    let (names, postings) = name_index(builder)?;
    let pairs = |pairs: &[(usize, usize)]| {
        let mut both: Vec<(usize, usize)> = pairs
            .iter()
            .flat_map(|(a, b)| [(*a, *b), (*b, *a)])
            .collect();
        both.sort_unstable();
        both.dedup();
        let mut table = Vec::new();
        for (a, b) in both {
            put(&mut table, a as u32);
            put(&mut table, b as u32);
        }
        table
    };
    let tables: [Vec<u8>; SECTIONS] = [
        strings.bytes,
        nodes,
        first_edges,
        edges,
        extent_nodes,
        extent_starts,
        extents,
        codes,
        counties,
        names,
        postings,
        pairs(&builder.same_extent),
        events,
        neighbours(builder),
        notes,
    ];
    let mut file = MAGIC.to_vec();
    let mut offset = 8 + SECTIONS * 8;
    for table in &tables {
        offset = offset.next_multiple_of(8);
        put(&mut file, offset as u32);
        put(&mut file, table.len() as u32);
        offset += table.len();
    }
    for (index, table) in tables.iter().enumerate() {
        file.resize(file.len().next_multiple_of(8), 0);
        println!("  table {index:2}: {:8} bytes", table.len());
        file.extend_from_slice(table);
    }
    Ok(file)
}

/// Neighbouring counties, as rows of the county table: 2 + 2 bytes, both ways, sorted.
fn neighbours(builder: &Builder) -> Vec<u8> {
    let rows: HashMap<usize, u16> = (0u16..)
        .zip(builder.by_fips.values())
        .map(|(row, node)| (*node, row))
        .collect();
    let mut both: Vec<(u16, u16)> = builder
        .adjacent
        .iter()
        .filter_map(|(a, b)| Some((*rows.get(a)?, *rows.get(b)?)))
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .collect();
    both.sort_unstable();
    both.dedup();
    both.iter()
        .flat_map(|(a, b)| [a.to_le_bytes(), b.to_le_bytes()])
        .flatten()
        .collect()
}

/// Countries stand together at the front, so that one byte names them; 0 is none.
fn country_code(builder: &Builder, country: usize) -> Result<u8, String> {
    if country == 0 || builder.nodes[country].kind != Kind::Country {
        return Ok(0);
    }
    u8::try_from(country + 1 - COUNTRY_BASE)
        .map_err(|_| "too many countries for one byte".to_owned())
}

/// The finite-state map and the lists of names with several meanings.
fn name_index(builder: &Builder) -> Result<(Vec<u8>, Vec<u8>), String> {
    let mut map = fst::MapBuilder::memory();
    let mut postings: Vec<u8> = Vec::new();
    for (name, meanings) in &builder.names {
        let packed: Vec<u32> = meanings
            .iter()
            .map(|(node, kind)| (*node as u32) << 4 | u32::from(kind.code()))
            .collect();
        let value = match packed[..] {
            [] => continue,
            [one] => u64::from(one) << 1,
            _ => {
                let start = (postings.len() / 4) as u64;
                postings.extend_from_slice(&(packed.len() as u32).to_le_bytes());
                for one in &packed {
                    postings.extend_from_slice(&one.to_le_bytes());
                }
                start << 1 | 1
            }
        };
        map.insert(name.as_bytes(), value)
            .map_err(|error| format!("name {name}: {error}"))?;
    }
    let names = map.into_inner().map_err(|error| error.to_string())?;
    Ok((names, postings))
}
