//! Points and boxes: read from text, checked, and put into the graph at run time.

use crate::blob::FULL;
use crate::boundaries::{Boundaries, Nearness};
use crate::error::PlacesError;
use crate::gazetteer::{Gazetteer, GeoPoint, PlaceId};
use crate::kind::Kind;
use crate::relation::Subject;

/// The boundaries are generalised (1:500,000); a point this near to one may lie on either side,
/// in metres. Line width on paper, 0.1 mm, is 50 m on the ground.
pub const BOUNDARY_UNCERTAINTY_M: f64 = 60.0;

/// Where a point lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// As it was understood.
    pub point: GeoPoint,
    /// Counties it lies in or may lie in, the likeliest first.
    pub counties: Vec<PlaceId>,
    /// Whether it may lie outside every county, across an international border or at sea.
    pub may_be_outside: bool,
    /// The place to compare with.
    pub subject: Subject,
}

impl Located {
    /// Whether more than one answer is possible.
    pub fn is_ambiguous(&self) -> bool {
        self.counties.len() > 1 || self.may_be_outside && !self.counties.is_empty()
    }
}

/// A box in degrees. `west` may exceed `east`: then it crosses the antimeridian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeoBox {
    /// Southern edge.
    pub south: f64,
    /// Western edge.
    pub west: f64,
    /// Northern edge.
    pub north: f64,
    /// Eastern edge.
    pub east: f64,
}

impl GeoPoint {
    /// A point on Earth, latitude first.
    pub fn checked(lat: f64, lon: f64) -> Result<GeoPoint, PlacesError> {
        let refuse = |why: &str| {
            Err(PlacesError::Coordinates {
                what: format!("{lat}, {lon}"),
                why: why.to_owned(),
            })
        };
        if !lat.is_finite() || !lon.is_finite() {
            return refuse("they are not numbers");
        }
        if lat.abs() > 90.0 && lon.abs() <= 90.0 {
            return refuse(
                "latitude lies within 90 degrees; they look swapped, write latitude first",
            );
        }
        if lat.abs() > 90.0 {
            return refuse("latitude lies between -90 and 90 degrees");
        }
        if lon.abs() > 180.0 {
            return refuse("longitude lies between -180 and 180 degrees");
        }
        Ok(GeoPoint { lat, lon })
    }
}

impl GeoBox {
    /// A box on Earth.
    pub fn checked(south: f64, west: f64, north: f64, east: f64) -> Result<GeoBox, PlacesError> {
        GeoPoint::checked(south, west)?;
        GeoPoint::checked(north, east)?;
        if south >= north || west == east {
            return Err(PlacesError::Coordinates {
                what: format!("the box {south}, {west}, {north}, {east}"),
                why: "it has no area: write south, west, north, east".into(),
            });
        }
        Ok(GeoBox {
            south,
            west,
            north,
            east,
        })
    }

    /// The parts on either side of the antimeridian; one part for most boxes.
    fn parts(self) -> Vec<GeoBox> {
        if self.west < self.east {
            return vec![self];
        }
        vec![
            GeoBox {
                east: 180.0,
                ..self
            },
            GeoBox {
                west: -180.0,
                ..self
            },
        ]
    }
}

impl Gazetteer {
    /// Where a point lies, given how far off it may be, in metres.
    pub fn locate(&self, point: GeoPoint, uncertainty_m: f64) -> Located {
        let radius = uncertainty_m.clamp(0.0, 100_000.0) + BOUNDARY_UNCERTAINTY_M;
        let near: Vec<Nearness> = Boundaries::embedded().around(point, radius);
        let counties: Vec<PlaceId> = near
            .iter()
            .filter_map(|near| self.by_fips(near.fips))
            .collect();
        let inside = near.iter().filter(|near| near.inside).count();
        // A boundary that no other county shares is the edge of the country or the sea.
        let alone_at_edge = near.len() == 1 && near[0].metres <= radius;
        let may_be_outside = inside == 0 || alone_at_edge && self.at_land_border(point);
        let mut parents = counties.clone();
        parents.truncate(1);
        if parents.is_empty() {
            parents.extend(self.nearest_unit(point));
        }
        let units = parents.iter().map(|unit| (*unit, 1)).collect();
        Located {
            point,
            counties,
            may_be_outside,
            subject: Subject {
                place: None,
                units,
                parents,
            },
        }
    }

    /// Whether a place of another country lies nearer than thirty kilometres: a border on land.
    fn at_land_border(&self, point: GeoPoint) -> bool {
        let home = self.by_id("iso:US");
        self.places().any(|place| {
            self.kind(place) == Kind::City
                && self.point(place).is_some_and(|other| {
                    (other.lat - point.lat).abs() < 0.4 && other.distance_km(point) < 30.0
                })
                && self.country(place) != home
        })
    }

    /// Outside the county boundaries: the division or country of the nearest city within 60 km.
    fn nearest_unit(&self, point: GeoPoint) -> Option<PlaceId> {
        let nearest = self
            .places()
            .filter(|place| self.kind(*place) == Kind::City && !self.in_united_states(*place))
            .filter_map(|place| {
                let other = self.point(place)?;
                ((other.lat - point.lat).abs() < 1.0).then(|| (place, other.distance_km(point)))
            })
            .filter(|(_, km)| *km <= 60.0)
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        self.state(nearest.0).or_else(|| self.country(nearest.0))
    }

    /// A box as a place to compare with: units with at least 5 % of it are its cover.
    pub fn locate_box(&self, area: GeoBox) -> Subject {
        let mut cover: Vec<(PlaceId, f64, f64)> = Vec::new();
        let parts = area.parts();
        let whole: f64 = parts.iter().map(|part| part.east - part.west).sum();
        for part in &parts {
            let share = (part.east - part.west) / whole;
            for (fips, of_box, of_county) in
                Boundaries::embedded().cover(part.south, part.west, part.north, part.east)
            {
                if let Some(county) = self.by_fips(fips) {
                    cover.push((county, of_box * share, of_county));
                }
            }
        }
        // Shares are of the land in the box: no unit covers the sea.
        let land: f64 = cover.iter().map(|(_, of_box, _)| of_box).sum();
        if land > 0.0 && land < 0.5 {
            for (_, of_box, _) in &mut cover {
                *of_box /= land;
            }
        }
        cover.retain(|(_, of_box, of_county)| *of_box >= 0.05 || *of_county >= 0.98);
        // Intersection over union of 0.9 with one county: the box is that county.
        if let [(county, of_box, of_county)] = cover[..] {
            let union = of_box / of_county.max(1e-9) + 1.0 - of_box;
            if of_box / union >= 0.9 {
                return county.into();
            }
        }
        let units: Vec<(PlaceId, u8)> = cover
            .iter()
            .map(|(county, _, of_county)| (*county, (of_county * f64::from(FULL)).round() as u8))
            .collect();
        let parents = self
            .smallest_container(&cover.iter().map(|c| c.0).collect::<Vec<_>>())
            .into_iter()
            .collect();
        Subject {
            place: None,
            units,
            parents,
        }
    }

    /// The smallest unit that contains all of these.
    pub fn smallest_container(&self, units: &[PlaceId]) -> Option<PlaceId> {
        let first = *units.first()?;
        let mut above = vec![first];
        let mut next = 0;
        while next < above.len() {
            for edge in self.parents(above[next]) {
                let unit = matches!(
                    edge.kind,
                    crate::kind::EdgeKind::Admin | crate::kind::EdgeKind::CensusRegion
                );
                if unit && !above.contains(&edge.parent) {
                    above.push(edge.parent);
                }
            }
            next += 1;
        }
        above
            .into_iter()
            .filter(|candidate| units.iter().all(|unit| self.contains(*candidate, *unit)))
            .max_by_key(|candidate| self.kind(*candidate).level())
    }
}

/// Coordinates written in a text, with their bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    pub start: usize,
    pub end: usize,
    /// One pair of degrees for a point, two for a box; out-of-range values are kept as written.
    pub what: WrittenWhat,
}

/// What coordinates in a text are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum WrittenWhat {
    Point(f64, f64),
    Box(f64, f64, f64, f64),
}

/// Finds coordinates: `45.52, -122.68`, `45.52 N 122.68 W`, `45°31'12"N, 122°40'55"W`,
/// `bbox 44.0, -123.5, 46.0, -121.0`.
pub(crate) fn find_written(text: &str) -> Vec<Written> {
    let numbers = numbers(text);
    // How many numbers stand in a row from each one on, told from the last to the first.
    let mut runs = vec![1; numbers.len()];
    for at in (0..numbers.len().saturating_sub(1)).rev() {
        if joined(&text[numbers[at].end..numbers[at + 1].start]) {
            runs[at] = runs[at + 1] + 1;
        }
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < numbers.len() {
        let run = runs[at];
        let all_exact = |count: usize| numbers[at..at + count].iter().all(|n| n.exact());
        if run == 4 && all_exact(4) {
            let n = &numbers[at..at + 4];
            let before: String = text[..n[0].start]
                .chars()
                .rev()
                .take(24)
                .collect::<Vec<char>>()
                .into_iter()
                .rev()
                .collect();
            let before = before.to_lowercase();
            let boxed = ["box", "bounding"].iter().any(|word| before.contains(word));
            if boxed {
                found.push(Written {
                    start: n[0].start,
                    end: n[3].end,
                    what: WrittenWhat::Box(n[0].value, n[1].value, n[2].value, n[3].value),
                });
                at += 4;
                continue;
            }
        }
        if run >= 2 && all_exact(2) {
            let (a, b) = (&numbers[at], &numbers[at + 1]);
            let lettered = a.letter.is_some() && b.letter.is_some();
            let signed = a.decimals >= 2 && b.decimals >= 2;
            let (lat, lon) = match (a.letter, b.letter) {
                (Some('E' | 'W'), Some('N' | 'S')) => (b.value, a.value),
                _ => (a.value, b.value),
            };
            if (lettered || signed) && run == 2 {
                found.push(Written {
                    start: a.start,
                    end: b.end,
                    what: WrittenWhat::Point(lat, lon),
                });
            }
            at += 2;
            continue;
        }
        at += 1;
    }
    found
}

/// Coordinates that are all of a text, as a person types them where a place is asked for: two
/// numbers are a point, four a box, however few their decimals.
pub(crate) fn written_alone(text: &str) -> Option<WrittenWhat> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let word = ["bounding box", "bbox", "box"]
        .into_iter()
        .find(|word| lower.starts_with(word));
    let numbers: Vec<f64> = text[word.map_or(0, str::len)..]
        .split([',', ' ', ';', ':', '(', ')', '[', ']'])
        .filter(|part| !part.is_empty())
        .take(5)
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    match numbers[..] {
        [lat, lon] if word.is_none() => Some(WrittenWhat::Point(lat, lon)),
        [south, west, north, east] => Some(WrittenWhat::Box(south, west, north, east)),
        _ => None,
    }
}

struct Number {
    start: usize,
    end: usize,
    value: f64,
    decimals: usize,
    letter: Option<char>,
}

impl Number {
    /// Written as a coordinate is: with a fraction, minutes or a letter.
    fn exact(&self) -> bool {
        self.decimals >= 1 || self.letter.is_some()
    }
}

fn joined(between: &str) -> bool {
    between.len() <= 3 && between.chars().all(|c| matches!(c, ',' | ' ' | ';' | '/'))
}

fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let digit = bytes[at].is_ascii_digit();
        let signed = bytes[at] == b'-' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let fresh = at == 0
            || !(bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'.' | b'$'));
        if !(digit || signed) || !fresh {
            at += 1;
            continue;
        }
        let start = at;
        at += usize::from(signed);
        let whole = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || bytes[at] == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
        {
            at += 1;
        }
        let decimals = text[whole..at]
            .split_once('.')
            .map_or(0, |(_, fraction)| fraction.len());
        let Ok(mut value) = text[start..at].parse::<f64>() else {
            continue;
        };
        let rest = &text[at..];
        let mut end = at;
        let mut sexagesimal = false;
        if let Some(after) = rest.strip_prefix(['°', 'º']) {
            end = text.len() - after.len();
            let (minutes, used) = minutes_seconds(after);
            if used > 0 {
                value += minutes.copysign(value);
                end += used;
                sexagesimal = true;
            }
        }
        let after = text[end..].trim_start_matches([' ', '°']);
        let letter = after
            .chars()
            .next()
            .filter(|c| matches!(c, 'N' | 'S' | 'E' | 'W'));
        let alone = after.chars().nth(1).is_none_or(|c| !c.is_alphanumeric());
        let letter = letter.filter(|_| alone);
        if letter.is_some() {
            end = text.len() - after.len() + 1;
        }
        if matches!(letter, Some('S' | 'W')) {
            value = -value.abs();
        }
        at = end.max(at);
        numbers.push(Number {
            start,
            end,
            value,
            decimals: if sexagesimal { 4 } else { decimals },
            letter,
        });
    }
    numbers
}

/// `31'12"` as a fraction of a degree, and the bytes read.
fn minutes_seconds(text: &str) -> (f64, usize) {
    let mut used = 0;
    let mut fraction = 0.0;
    for (marks, scale) in [(['\'', '′', '’'], 60.0), (['"', '″', '”'], 3600.0)] {
        let rest = text[used..].trim_start_matches(' ');
        let digits = rest
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(rest.len());
        let Ok(value) = rest[..digits].parse::<f64>() else {
            break;
        };
        let Some(after) = rest[digits..].strip_prefix(marks) else {
            break;
        };
        fraction += value / scale;
        used = text.len() - after.len();
    }
    (fraction, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_found_in_several_spellings() {
        for (text, lat, lon) in [
            ("at (45.5152, -122.6784) today", 45.5152, -122.6784),
            ("at 45.52 N 122.68 W", 45.52, -122.68),
            ("122.68W, 45.52N", 45.52, -122.68),
            ("45°30'0\"N, 122°30'0\"W", 45.5, -122.5),
        ] {
            let found = find_written(text);
            let WrittenWhat::Point(a, b) = found[0].what else {
                panic!("{text}: {found:?}")
            };
            assert!(
                (a - lat).abs() < 1e-6 && (b - lon).abs() < 1e-6,
                "{text} {a} {b}"
            );
        }
        assert!(find_written("between 1.5 and 3.2 metres, 12.5, 7.5").is_empty());
        let found = find_written("bbox 44.0, -123.5, 46.0, -121.0");
        assert!(
            matches!(found[0].what, WrittenWhat::Box(s, w, n, e) if s == 44.0 && w == -123.5 && n == 46.0 && e == -121.0)
        );
    }
}
