//! Shapefiles: shapes from the `.shp`, properties from the `.dbf`, read together.
//!
//! Heights and measures are left out. Rings that run clockwise begin a polygon, the others are
//! holes of the one before them. The `.prj` is the caller's: its text is not parsed.

use std::collections::BTreeMap;
use std::path::Path;

use lahar_core::series::{Feature, Property, Shape};

use crate::error::{FormatError, read_file};

const FORMAT: &str = "shapefile";

fn wrong(place: impl Into<String>, why: impl Into<String>) -> FormatError {
    FormatError::Malformed {
        format: FORMAT,
        place: place.into(),
        why: why.into(),
    }
}

/// Reads `NAME.shp` with `NAME.dbf` beside it.
pub fn read_from(path: &Path) -> Result<Vec<Feature>, FormatError> {
    read(
        &read_file(&path.with_extension("shp"))?,
        &read_file(&path.with_extension("dbf"))?,
    )
}

/// Reads the bytes of both files.
pub fn read(shapes: &[u8], table: &[u8]) -> Result<Vec<Feature>, FormatError> {
    let shapes = read_shapes(shapes)?;
    let rows = read_table(table)?;
    if shapes.len() != rows.len() {
        return Err(wrong(
            ".dbf",
            format!(
                "it has {} rows, but the .shp has {} shapes",
                rows.len(),
                shapes.len()
            ),
        ));
    }
    let pairs = shapes.into_iter().zip(rows);
    Ok(pairs
        .map(|(shape, properties)| Feature { shape, properties })
        .collect())
}

/// Numbers at places of a record; a place behind its end is an error, never a panic.
struct Bytes<'a> {
    bytes: &'a [u8],
    place: String,
}

impl Bytes<'_> {
    fn array<const N: usize>(&self, at: usize) -> Result<[u8; N], FormatError> {
        let bytes = self
            .bytes
            .get(at..)
            .and_then(|rest| rest.first_chunk::<N>());
        bytes
            .copied()
            .ok_or_else(|| wrong(&self.place, "it ends too early"))
    }

    fn big(&self, at: usize) -> Result<i32, FormatError> {
        self.array(at).map(i32::from_be_bytes)
    }

    fn int(&self, at: usize) -> Result<i32, FormatError> {
        self.array(at).map(i32::from_le_bytes)
    }

    fn count(&self, at: usize) -> Result<usize, FormatError> {
        let count = self.int(at)?;
        // Sixteen bytes a point at the very least, so no claim outgrows the record.
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= self.bytes.len())
            .ok_or_else(|| wrong(&self.place, format!("it claims {count} parts or points")))
    }

    fn point(&self, at: usize) -> Result<[f64; 2], FormatError> {
        Ok([
            f64::from_le_bytes(self.array(at)?),
            f64::from_le_bytes(self.array(at + 8)?),
        ])
    }
}

fn read_shapes(bytes: &[u8]) -> Result<Vec<Option<Shape>>, FormatError> {
    let whole = Bytes {
        bytes,
        place: ".shp header".to_owned(),
    };
    if whole.big(0)? != 9994 {
        return Err(wrong(".shp header", "the file code is not 9994"));
    }
    let mut shapes = Vec::new();
    let mut at = 100;
    while at < bytes.len() {
        let place = format!("shape {}", shapes.len() + 1);
        let head = Bytes {
            bytes,
            place: place.clone(),
        };
        let words = head.big(at + 4)?;
        let length = usize::try_from(words)
            .ok()
            .and_then(|words| words.checked_mul(2));
        let record = length
            .and_then(|length| at.checked_add(8 + length))
            .and_then(|end| bytes.get(at + 8..end))
            .ok_or_else(|| wrong(&place, "its length leaves the file"))?;
        shapes.push(shape(&Bytes {
            bytes: record,
            place,
        })?);
        at += 8 + record.len();
    }
    Ok(shapes)
}

fn shape(record: &Bytes<'_>) -> Result<Option<Shape>, FormatError> {
    // Kinds by ten carry heights, by twenty measures, behind what is read here.
    Ok(Some(match record.int(0)? {
        0 => return Ok(None),
        1 | 11 | 21 => Shape::Point(record.point(4)?),
        8 | 18 | 28 => {
            let points = (0..record.count(36)?).map(|i| record.point(40 + 16 * i));
            Shape::Many(
                points
                    .map(|point| point.map(Shape::Point))
                    .collect::<Result<_, _>>()?,
            )
        }
        3 | 13 | 23 => several(parts(record)?.into_iter().map(Shape::Line).collect()),
        5 | 15 | 25 => several(polygons(parts(record)?)),
        kind => {
            return Err(wrong(
                &record.place,
                format!("shapes of kind {kind} are not read"),
            ));
        }
    }))
}

fn several(mut shapes: Vec<Shape>) -> Shape {
    if shapes.len() == 1 {
        shapes.swap_remove(0)
    } else {
        Shape::Many(shapes)
    }
}

/// The parts of a line or polygon.
fn parts(record: &Bytes<'_>) -> Result<Vec<Vec<[f64; 2]>>, FormatError> {
    let (parts, points) = (record.count(36)?, record.count(40)?);
    let starts: Vec<usize> = (0..parts)
        .map(|i| record.count(44 + 4 * i))
        .collect::<Result<_, _>>()?;
    let first = 44 + 4 * parts;
    let ends = starts.iter().skip(1).copied().chain([points]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            if *start > end || end > points {
                return Err(wrong(&record.place, "its parts overlap"));
            }
            (*start..end)
                .map(|i| record.point(first + 16 * i))
                .collect()
        })
        .collect()
}

/// Twice the area of a ring, positive where it runs counter-clockwise.
fn turning(ring: &[[f64; 2]]) -> f64 {
    ring.windows(2)
        .map(|pair| pair[0][0] * pair[1][1] - pair[1][0] * pair[0][1])
        .sum()
}

fn polygons(rings: Vec<Vec<[f64; 2]>>) -> Vec<Shape> {
    let mut polygons: Vec<Vec<Vec<[f64; 2]>>> = Vec::new();
    for ring in rings {
        match polygons.last_mut() {
            Some(polygon) if turning(&ring) > 0.0 => polygon.push(ring),
            _ => polygons.push(vec![ring]),
        }
    }
    polygons.into_iter().map(Shape::Polygon).collect()
}

/// Reads a dBase table; text is taken as UTF-8, what is not is replaced.
fn read_table(bytes: &[u8]) -> Result<Vec<BTreeMap<String, Property>>, FormatError> {
    let head = Bytes {
        bytes,
        place: ".dbf header".to_owned(),
    };
    let rows = u32::from_le_bytes(head.array(4)?) as usize;
    let header = usize::from(u16::from_le_bytes(head.array(8)?));
    let length = usize::from(u16::from_le_bytes(head.array(10)?));
    let mut fields = Vec::new();
    let mut offset = 1;
    let mut at = 32;
    while at + 32 <= header && bytes.get(at).is_some_and(|byte| *byte != 0x0d) {
        let name: [u8; 11] = head.array(at)?;
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(11);
        let [kind] = head.array(at + 11)?;
        let [width] = head.array(at + 16)?;
        let name = String::from_utf8_lossy(&name[..end]).into_owned();
        fields.push((name, kind, offset..offset + usize::from(width)));
        offset += usize::from(width);
        at += 32;
    }
    if offset > length || length == 0 {
        return Err(wrong(".dbf header", "its fields are wider than its rows"));
    }
    let body = bytes.get(header..).unwrap_or_default();
    // The claim of the header is not trusted: only rows that are there are read.
    if body.len() / length < rows {
        return Err(wrong(
            ".dbf",
            format!(
                "it claims {rows} rows, but ends after {}",
                body.len() / length
            ),
        ));
    }
    let row = |row: &[u8]| {
        let field = |(name, kind, range): &(String, u8, std::ops::Range<usize>)| {
            let text = String::from_utf8_lossy(&row[range.clone()]);
            let text = text.trim_matches(['\0', ' ']);
            let value = match kind {
                _ if text.is_empty() => Property::Missing,
                b'N' | b'F' => text.parse().map_or(Property::Missing, Property::Number),
                b'L' => match text {
                    "T" | "t" | "Y" | "y" => Property::Flag(true),
                    "F" | "f" | "N" | "n" => Property::Flag(false),
                    _ => Property::Missing,
                },
                _ => Property::Text(text.to_owned()),
            };
            (name.clone(), value)
        };
        fields.iter().map(field).collect()
    };
    Ok(body.chunks_exact(length).take(rows).map(row).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Files with one polygon of two parts, the second a hole, and one empty shape.
    fn files() -> (Vec<u8>, Vec<u8>) {
        let outer: [[f64; 2]; 5] = [[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0], [0.0, 0.0]];
        let hole: [[f64; 2]; 5] = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0]];
        let mut record = 5i32.to_le_bytes().to_vec();
        record.extend([0; 32]);
        for number in [2i32, 10, 0, 5] {
            record.extend(number.to_le_bytes());
        }
        for point in outer.iter().chain(&hole) {
            record.extend(point[0].to_le_bytes());
            record.extend(point[1].to_le_bytes());
        }
        let mut shapes = 9994i32.to_be_bytes().to_vec();
        shapes.resize(100, 0);
        for (number, record) in [(1i32, record), (2, 0i32.to_le_bytes().to_vec())] {
            shapes.extend(number.to_be_bytes());
            shapes.extend((record.len() as i32 / 2).to_be_bytes());
            shapes.extend(record);
        }
        let mut table = vec![3, 26, 1, 1];
        table.extend(2u32.to_le_bytes());
        table.extend((32 + 64 + 1u16).to_le_bytes());
        table.extend((1 + 6 + 5u16).to_le_bytes());
        table.resize(32, 0);
        for (name, kind, width) in [("BURNED", b'N', 6), ("NAME", b'C', 5)] {
            let mut field = name.as_bytes().to_vec();
            field.resize(11, 0);
            field.push(kind);
            field.resize(16, 0);
            field.push(width);
            field.resize(32, 0);
            table.extend(field);
        }
        table.push(0x0d);
        table.extend(b"   12.5Waldo");
        table.extend(b"            ");
        (shapes, table)
    }

    #[test]
    fn shapes_and_rows_come_together() {
        let (shapes, table) = files();
        let features = read(&shapes, &table).unwrap();
        let Some(Shape::Polygon(rings)) = &features[0].shape else {
            panic!("no polygon")
        };
        assert_eq!((rings.len(), rings[1][2]), (2, [2.0, 2.0]));
        assert_eq!(features[0].properties["BURNED"], Property::Number(12.5));
        assert_eq!(features[1].shape, None);
        assert_eq!(features[1].properties["NAME"], Property::Missing);
    }

    #[test]
    fn damage_is_an_error_with_its_place() {
        let (shapes, table) = files();
        for end in [0, 60, 104, 150, shapes.len() - 3] {
            assert!(read(&shapes[..end], &table).is_err(), "{end}");
        }
        let mut absurd = shapes.clone();
        absurd[108 + 40..108 + 44].copy_from_slice(&i32::MAX.to_le_bytes());
        assert!(
            read(&absurd, &table)
                .unwrap_err()
                .to_string()
                .contains("shape 1")
        );
        assert!(
            read(&shapes, &table[..100])
                .unwrap_err()
                .to_string()
                .contains("rows")
        );
    }

    proptest! {
        #[test]
        fn a_changed_byte_never_makes_the_reader_panic(at in 0usize..500, value in any::<u8>()) {
            let (mut shapes, mut table) = files();
            let length = shapes.len();
            shapes[at % length] = value;
            let _ = read(&shapes, &table);
            let length = table.len();
            table[at % length] = value;
            let _ = read(&files().0, &table);
        }
    }
}
