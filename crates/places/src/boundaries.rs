//! County boundaries (Census 1:500k, 2016): the county of a point, and how near its edge lies.

use std::sync::OnceLock;

use crate::blob::{read_u16, read_u32};
use crate::gazetteer::GeoPoint;

static EMBEDDED: &[u8] = include_bytes!("../data/counties.bin");

/// Steps a degree in the file.
const STEPS: f64 = 50_000.0;
/// Bytes of a ring in the index.
const ROW: usize = 26;

/// The boundaries, read where they lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boundaries {
    index: &'static [u8],
    rings: &'static [u8],
}

/// How a point lies to a county.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Nearness {
    /// County code.
    pub fips: u32,
    /// Whether the point lies inside.
    pub inside: bool,
    /// Distance to the boundary in metres.
    pub metres: f64,
}

impl Boundaries {
    pub fn embedded() -> Boundaries {
        static BOUNDARIES: OnceLock<Boundaries> = OnceLock::new();
        *BOUNDARIES.get_or_init(|| {
            let count = read_u32(EMBEDDED, 8) as usize;
            let split = (12 + count * ROW).min(EMBEDDED.len());
            Boundaries {
                index: EMBEDDED.get(12..split).unwrap_or(&[]),
                rings: &EMBEDDED[split..],
            }
        })
    }

    /// Counties that hold the point or come within a distance of it, nearest boundary last.
    pub fn around(self, point: GeoPoint, metres: f64) -> Vec<Nearness> {
        let margin = metres / 111_000.0 * 3.0 + 0.01;
        let (x, y) = (point.lon * STEPS, point.lat * STEPS);
        let slack = margin * STEPS;
        let mut found: Vec<Nearness> = Vec::new();
        for row in self.index.chunks_exact(ROW) {
            let bound = |at: usize| f64::from(read_u32(row, at) as i32);
            if x < bound(4) - slack
                || y < bound(8) - slack
                || x > bound(12) + slack
                || y > bound(16) + slack
            {
                continue;
            }
            let fips = read_u32(row, 0);
            let ring = self.ring(row);
            let inside = contains(&ring, x, y);
            let metres = distance(&ring, x, y, point.lat);
            match found.iter_mut().find(|known| known.fips == fips) {
                Some(known) => {
                    // A second ring of the same county is an island or a hole.
                    known.inside ^= inside;
                    known.metres = known.metres.min(metres);
                }
                None => found.push(Nearness {
                    fips,
                    inside,
                    metres,
                }),
            }
        }
        found.retain(|near| near.inside || near.metres <= metres);
        found.sort_by(|a, b| b.inside.cmp(&a.inside).then(a.metres.total_cmp(&b.metres)));
        found
    }

    /// The share of a box that each county covers, by sampling a grid of points.
    pub fn cover(self, south: f64, west: f64, north: f64, east: f64) -> Vec<(u32, f64, f64)> {
        const SIDE: usize = 40;
        let mut inside: Vec<(u32, usize)> = Vec::new();
        let rows: Vec<(u32, Vec<(i32, i32)>)> = self
            .index
            .chunks_exact(ROW)
            .filter(|row| {
                let bound = |at: usize| f64::from(read_u32(row, at) as i32) / STEPS;
                bound(4) <= east && bound(12) >= west && bound(8) <= north && bound(16) >= south
            })
            .map(|row| (read_u32(row, 0), self.ring(row)))
            .collect();
        for i in 0..SIDE {
            for j in 0..SIDE {
                let lat = south + (north - south) * (i as f64 + 0.5) / SIDE as f64;
                let lon = west + (east - west) * (j as f64 + 0.5) / SIDE as f64;
                let hit = rows
                    .iter()
                    .find(|(_, ring)| contains(ring, lon * STEPS, lat * STEPS));
                if let Some((fips, _)) = hit {
                    match inside.iter_mut().find(|(known, _)| known == fips) {
                        Some((_, count)) => *count += 1,
                        None => inside.push((*fips, 1)),
                    }
                }
            }
        }
        let area_of_box = (north - south) * (east - west);
        inside
            .into_iter()
            .map(|(fips, count)| {
                let of_box = count as f64 / (SIDE * SIDE) as f64;
                let area: f64 = self
                    .index
                    .chunks_exact(ROW)
                    .filter(|row| read_u32(row, 0) == fips)
                    .map(|row| area(&self.ring(row)))
                    .sum();
                let of_county = (of_box * area_of_box / area.max(1e-12)).min(1.0);
                (fips, of_box, of_county)
            })
            .collect()
    }

    fn ring(self, row: &[u8]) -> Vec<(i32, i32)> {
        let (mut x, mut y) = (read_u32(row, 4) as i32, read_u32(row, 8) as i32);
        let count = usize::from(read_u16(row, 24));
        let mut at = read_u32(row, 20) as usize;
        let mut next = || {
            let (mut value, mut shift) = (0u32, 0);
            while let Some(byte) = self.rings.get(at) {
                at += 1;
                value |= u32::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 || shift > 28 {
                    break;
                }
            }
            (value >> 1) as i32 ^ -((value & 1) as i32)
        };
        (0..count)
            .map(|_| {
                x += next();
                y += next();
                (x, y)
            })
            .collect()
    }
}

/// Ray casting: whether a point lies inside a closed ring.
fn contains(ring: &[(i32, i32)], x: f64, y: f64) -> bool {
    let mut inside = false;
    for pair in ring.windows(2) {
        let (x1, y1) = (f64::from(pair[0].0), f64::from(pair[0].1));
        let (x2, y2) = (f64::from(pair[1].0), f64::from(pair[1].1));
        if (y1 > y) != (y2 > y) && x < (x2 - x1) * (y - y1) / (y2 - y1) + x1 {
            inside = !inside;
        }
    }
    inside
}

/// Metres from a point to the nearest edge, on a plane tangent at the point.
fn distance(ring: &[(i32, i32)], x: f64, y: f64, lat: f64) -> f64 {
    const METRES: f64 = 111_195.0 / STEPS;
    let (sx, sy) = (METRES * lat.to_radians().cos(), METRES);
    let mut nearest = f64::INFINITY;
    for pair in ring.windows(2) {
        let (ax, ay) = (
            (f64::from(pair[0].0) - x) * sx,
            (f64::from(pair[0].1) - y) * sy,
        );
        let (bx, by) = (
            (f64::from(pair[1].0) - x) * sx,
            (f64::from(pair[1].1) - y) * sy,
        );
        let (dx, dy) = (bx - ax, by - ay);
        let length = dx * dx + dy * dy;
        let along = if length > 0.0 {
            (-(ax * dx + ay * dy) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        nearest = nearest.min((ax + along * dx).hypot(ay + along * dy));
    }
    nearest
}

/// Square degrees.
fn area(ring: &[(i32, i32)]) -> f64 {
    let twice: f64 = ring
        .windows(2)
        .map(|pair| {
            let (x1, y1) = (f64::from(pair[0].0) / STEPS, f64::from(pair[0].1) / STEPS);
            let (x2, y2) = (f64::from(pair[1].0) / STEPS, f64::from(pair[1].1) / STEPS);
            x1 * y2 - x2 * y1
        })
        .sum();
    twice.abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_the_middle_of_a_county_lies_in_it_alone() {
        let found = Boundaries::embedded().around(
            GeoPoint {
                lat: 36.62,
                lon: -96.4,
            },
            100.0,
        );
        assert_eq!(found.len(), 1);
        assert!(found[0].inside && found[0].fips == 40113);
    }
}
