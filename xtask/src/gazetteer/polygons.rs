//! County boundaries from the Census 1:500k file, as integers that differ little from each other.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Steps a degree: about 2.2 metres of latitude.
const STEPS: f64 = 50_000.0;

/// Finds or fetches the shapefile and writes the boundaries.
pub fn run(root: &Path, given: Option<String>, out: &Path) -> Result<(), String> {
    let shapes = match given {
        Some(path) => PathBuf::from(path),
        None => fetch(root)?,
    };
    let bytes = fs::read(&shapes).map_err(|error| format!("{}: {error}", shapes.display()))?;
    let table = shapes.with_extension("dbf");
    let records = fs::read(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    let file = convert(&bytes, &records)?;
    fs::write(out, &file).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("boundaries: {} bytes -> {}", file.len(), out.display());
    Ok(())
}

/// Fetches plotly-geo 1.0.0 with pip into `target`, once.
fn fetch(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/plotly-geo");
    let shapes = folder.join("_plotly_geo/package_data/cb_2016_us_county_500k.shp");
    if shapes.exists() {
        return Ok(shapes);
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let run = |program: &str, arguments: &[&str]| -> Result<(), String> {
        let status = Command::new(program)
            .args(arguments)
            .current_dir(&folder)
            .status()
            .map_err(|error| format!("{program}: {error}"))?;
        status
            .success()
            .then_some(())
            .ok_or(format!("{program} {arguments:?} failed"))
    };
    run("pip", &["download", "--no-deps", "plotly-geo==1.0.0"])?;
    run(
        "python3",
        &[
            "-m",
            "zipfile",
            "-e",
            "plotly_geo-1.0.0-py3-none-any.whl",
            ".",
        ],
    )?;
    Ok(shapes)
}

fn convert(shapes: &[u8], table: &[u8]) -> Result<Vec<u8>, String> {
    let codes = fips_codes(table)?;
    let int = |at: usize| {
        shapes
            .get(at..at + 4)
            .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    };
    let big = |at: usize| {
        shapes
            .get(at..at + 4)
            .map(|b| i32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    };
    let double = |at: usize| {
        shapes
            .get(at..at + 8)
            .and_then(|b| b.try_into().ok())
            .map(f64::from_le_bytes)
    };
    let cut = || "the shapefile is cut short".to_owned();
    let (mut index, mut rings) = (Vec::new(), Vec::new());
    let mut at = 100;
    let mut record = 0;
    while at + 12 <= shapes.len() {
        let length = big(at + 4).ok_or_else(cut)? as usize * 2;
        let body = at + 8;
        if int(body) == Some(5) {
            let parts = int(body + 36).ok_or_else(cut)? as usize;
            let points = int(body + 40).ok_or_else(cut)? as usize;
            let first = body + 44 + parts * 4;
            let mut starts: Vec<usize> = (0..parts)
                .map(|part| {
                    int(body + 44 + part * 4)
                        .map(|start| start as usize)
                        .ok_or_else(cut)
                })
                .collect::<Result<_, _>>()?;
            starts.push(points);
            for pair in starts.windows(2) {
                let mut ring: Vec<(i32, i32)> = Vec::new();
                for point in pair[0]..pair[1] {
                    let lon = double(first + point * 16).ok_or_else(cut)?;
                    let lat = double(first + point * 16 + 8).ok_or_else(cut)?;
                    let step = ((lon * STEPS).round() as i32, (lat * STEPS).round() as i32);
                    if ring.last() != Some(&step) {
                        ring.push(step);
                    }
                }
                put_ring(&mut index, &mut rings, codes[record], &ring);
            }
        }
        record += 1;
        at = body + length;
    }
    let mut file = b"LAHARPG1".to_vec();
    file.extend_from_slice(&((index.len() / 26) as u32).to_le_bytes());
    file.extend_from_slice(&index);
    file.extend_from_slice(&rings);
    Ok(file)
}

/// One row of the index: FIPS, west, south, east, north, start, number of points; then the ring.
fn put_ring(index: &mut Vec<u8>, rings: &mut Vec<u8>, fips: u32, ring: &[(i32, i32)]) {
    let west = ring.iter().map(|p| p.0).min().unwrap_or(0);
    let east = ring.iter().map(|p| p.0).max().unwrap_or(0);
    let south = ring.iter().map(|p| p.1).min().unwrap_or(0);
    let north = ring.iter().map(|p| p.1).max().unwrap_or(0);
    index.extend_from_slice(&fips.to_le_bytes());
    for bound in [west, south, east, north] {
        index.extend_from_slice(&bound.to_le_bytes());
    }
    index.extend_from_slice(&(rings.len() as u32).to_le_bytes());
    index.extend_from_slice(&(ring.len().min(65_535) as u16).to_le_bytes());
    let (mut x, mut y) = (west, south);
    for (px, py) in ring {
        for difference in [px - x, py - y] {
            let mut value = ((difference << 1) ^ (difference >> 31)) as u32;
            while value >= 0x80 {
                rings.push((value & 0x7f) as u8 | 0x80);
                value >>= 7;
            }
            rings.push(value as u8);
        }
        (x, y) = (*px, *py);
    }
}

/// The GEOID column of the table beside the shapes.
fn fips_codes(table: &[u8]) -> Result<Vec<u32>, String> {
    let cut = || "the table beside the shapefile is cut short".to_owned();
    let header = u16::from_le_bytes([*table.get(8).ok_or_else(cut)?, table[9]]) as usize;
    let width = u16::from_le_bytes([*table.get(10).ok_or_else(cut)?, table[11]]) as usize;
    let (mut offset, mut column) = (1, None);
    let mut at = 32;
    while at + 32 <= header && table.get(at) != Some(&0x0d) {
        let name = table[at..at + 11].split(|b| *b == 0).next().unwrap_or(&[]);
        let length = table[at + 16] as usize;
        if name == b"GEOID" {
            column = Some((offset, length));
        }
        offset += length;
        at += 32;
    }
    let (start, length) = column.ok_or("the table has no GEOID")?;
    table[header..]
        .chunks_exact(width)
        .map(|row| {
            std::str::from_utf8(&row[start..start + length])
                .ok()
                .and_then(|text| text.trim().parse().ok())
                .ok_or("a county without a code".to_owned())
        })
        .collect()
}
