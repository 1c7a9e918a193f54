//! Map projections: from longitude and latitude to metres and back.
//!
//! A short list of systems is known, each computed from its own parameters; any other is refused,
//! never guessed. Systems of different datums are not mixed: the shift between them is a step of
//! its own.
//!
//! | systems | projection |
//! |---|---|
//! | EPSG:4326, 4269, 4258 | longitude and latitude (WGS 84, NAD83, ETRS89) |
//! | EPSG:32601-32660, 32701-32760, 26901-26923, 25828-25838 | UTM (WGS 84 north and south, NAD83, ETRS89) |
//! | EPSG:3857 | Web Mercator |
//! | EPSG:5070 | Albers equal-area, conterminous United States (NAD83) |
//! | EPSG:3035 | Lambert azimuthal equal-area, Europe (ETRS89) |

mod ellipsoid;
mod equal_area;
mod transverse_mercator;

use crate::grid::Crs;
use ellipsoid::{Ellipsoid, GRS80, WGS84};
use equal_area::{Azimuthal, Cone};
use transverse_mercator::{krueger_forward, krueger_inverse};

/// What a system's coordinates are measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Datum {
    /// World Geodetic System 1984.
    Wgs84,
    /// North American Datum 1983.
    Nad83,
    /// European Terrestrial Reference System 1989.
    Etrs89,
}

/// Why coordinates cannot be brought from one system to another.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectionError {
    /// The system is not on the list.
    #[error(
        "{0:?} is not a coordinate system Lahar can compute; project the data with another program first"
    )]
    UnknownSystem(Crs),
    /// The systems have different datums.
    #[error("{0:?} and {1:?} have different datums; shift one to the other's datum first")]
    MixedDatum(Crs, Crs),
}

/// A projection with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    Geographic,
    TransverseMercator {
        ellipsoid: Ellipsoid,
        central: f64,
        north: f64,
    },
    WebMercator,
    Albers {
        ellipsoid: Ellipsoid,
        central: f64,
        origin: f64,
        parallels: [f64; 2],
    },
    Lambert {
        ellipsoid: Ellipsoid,
        central: f64,
        origin: f64,
        east: f64,
        north: f64,
    },
}

/// A coordinate system that can be computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct System {
    method: Method,
    datum: Datum,
}

impl System {
    /// The system of an EPSG code; any that is not on the list is refused.
    pub fn of(crs: &Crs) -> Result<System, ProjectionError> {
        let unknown = || ProjectionError::UnknownSystem(crs.clone());
        let Crs::Epsg(code) = *crs else {
            return Err(unknown());
        };
        let utm = |zone: u32, ellipsoid, datum, north| System {
            method: Method::TransverseMercator {
                ellipsoid,
                central: f64::from(zone) * 6.0 - 183.0,
                north,
            },
            datum,
        };
        Ok(match code {
            4326 => System {
                method: Method::Geographic,
                datum: Datum::Wgs84,
            },
            4269 => System {
                method: Method::Geographic,
                datum: Datum::Nad83,
            },
            4258 => System {
                method: Method::Geographic,
                datum: Datum::Etrs89,
            },
            3857 => System {
                method: Method::WebMercator,
                datum: Datum::Wgs84,
            },
            32601..=32660 => utm(code - 32600, WGS84, Datum::Wgs84, 0.0),
            32701..=32760 => utm(code - 32700, WGS84, Datum::Wgs84, 1e7),
            26901..=26923 => utm(code - 26900, GRS80, Datum::Nad83, 0.0),
            25828..=25838 => utm(code - 25800, GRS80, Datum::Etrs89, 0.0),
            5070 => System {
                method: Method::Albers {
                    ellipsoid: GRS80,
                    central: -96.0,
                    origin: 23.0,
                    parallels: [29.5, 45.5],
                },
                datum: Datum::Nad83,
            },
            3035 => System {
                method: Method::Lambert {
                    ellipsoid: GRS80,
                    central: 10.0,
                    origin: 52.0,
                    east: 4_321_000.0,
                    north: 3_210_000.0,
                },
                datum: Datum::Etrs89,
            },
            _ => return Err(unknown()),
        })
    }

    /// Coordinates of a longitude and latitude in degrees; `None` where the projection ends.
    pub fn forward(&self, longitude: f64, latitude: f64) -> Option<(f64, f64)> {
        if !(-90.0..=90.0).contains(&latitude) || !longitude.is_finite() {
            return None;
        }
        let (lambda, phi) = (longitude.to_radians(), latitude.to_radians());
        let away = |central: f64| wrap(lambda - central.to_radians());
        let found = match self.method {
            Method::Geographic => (longitude, latitude),
            Method::TransverseMercator {
                ellipsoid,
                central,
                north,
            } => {
                let (east, up) = krueger_forward(ellipsoid, away(central), phi)?;
                (500_000.0 + 0.9996 * east, north + 0.9996 * up)
            }
            Method::WebMercator => {
                let up = phi.sin().atanh();
                (WGS84.semi_major * lambda, WGS84.semi_major * up)
            }
            Method::Albers {
                ellipsoid,
                central,
                origin,
                parallels,
            } => {
                let cone = Cone::new(ellipsoid, origin, parallels);
                let (rho, theta) = (cone.rho(ellipsoid.q(phi.sin())), cone.n * away(central));
                (rho * theta.sin(), cone.rho0 - rho * theta.cos())
            }
            Method::Lambert {
                ellipsoid,
                central,
                origin,
                east,
                north,
            } => {
                let at = Azimuthal::new(ellipsoid, origin);
                let beta = at.beta(ellipsoid.q(phi.sin()));
                let delta = away(central);
                let cosine = at.sine0 * beta.sin() + at.cosine0 * beta.cos() * delta.cos();
                let b = at.radius * (2.0 / (1.0 + cosine)).sqrt();
                let up = at.cosine0 * beta.sin() - at.sine0 * beta.cos() * delta.cos();
                (
                    east + b * at.d * beta.cos() * delta.sin(),
                    north + b / at.d * up,
                )
            }
        };
        (found.0.is_finite() && found.1.is_finite()).then_some(found)
    }

    /// Longitude and latitude in degrees of coordinates; `None` outside the projection.
    pub fn inverse(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        let back = |central: f64, delta: f64, phi: f64| {
            (
                wrap(central.to_radians() + delta).to_degrees(),
                phi.to_degrees(),
            )
        };
        let found = match self.method {
            Method::Geographic => (x, y),
            Method::TransverseMercator {
                ellipsoid,
                central,
                north,
            } => {
                let (delta, phi) =
                    krueger_inverse(ellipsoid, (x - 500_000.0) / 0.9996, (y - north) / 0.9996);
                back(central, delta, phi)
            }
            Method::WebMercator => back(
                0.0,
                x / WGS84.semi_major,
                (y / WGS84.semi_major).tanh().asin(),
            ),
            Method::Albers {
                ellipsoid,
                central,
                origin,
                parallels,
            } => {
                let cone = Cone::new(ellipsoid, origin, parallels);
                let down = cone.rho0 - y;
                let theta = x.atan2(down);
                let rho = x.hypot(down) / ellipsoid.semi_major;
                let q = (cone.c - (rho * cone.n).powi(2)) / cone.n;
                back(central, theta / cone.n, ellipsoid.latitude_of_q(q))
            }
            Method::Lambert {
                ellipsoid,
                central,
                origin,
                east,
                north,
            } => {
                let at = Azimuthal::new(ellipsoid, origin);
                let (x, y) = (x - east, y - north);
                let rho = (x / at.d).hypot(y * at.d);
                if rho == 0.0 {
                    return Some((central, origin));
                }
                let c = 2.0 * (rho / (2.0 * at.radius)).asin();
                let sine = c.cos() * at.sine0 + at.d * y * c.sin() * at.cosine0 / rho;
                let delta = (x * c.sin()).atan2(
                    at.d * rho * at.cosine0 * c.cos() - at.d * at.d * y * at.sine0 * c.sin(),
                );
                back(central, delta, ellipsoid.latitude_of_q(at.qp * sine))
            }
        };
        (found.0.is_finite() && found.1.is_finite()).then_some(found)
    }
}

/// The UTM zone of a place on WGS 84.
pub fn utm_zone(longitude: f64, latitude: f64) -> Crs {
    let zone = (((longitude + 180.0).rem_euclid(360.0) / 6.0).floor() as u32).min(59) + 1;
    Crs::Epsg(if latitude < 0.0 { 32700 } else { 32600 } + zone)
}

/// Brings a point from one system to another of the same datum.
///
/// ```
/// use lahar_core::Crs;
/// use lahar_core::projection::transform;
/// let (utm, lonlat) = (Crs::Epsg(32633), Crs::WGS84);
/// // On the central meridian of zone 33, at 45 degrees north.
/// let (x, y) = transform(&lonlat, &utm, 15.0, 45.0).unwrap().unwrap();
/// assert!((x - 500_000.0).abs() < 1e-6 && (y - 4_982_950.400).abs() < 1e-3);
/// assert!(transform(&lonlat, &Crs::Epsg(2056), 8.0, 47.0).is_err());
/// ```
pub fn transform(
    from: &Crs,
    to: &Crs,
    x: f64,
    y: f64,
) -> Result<Option<(f64, f64)>, ProjectionError> {
    let (start, end) = pair(from, to)?;
    Ok(start
        .inverse(x, y)
        .and_then(|(longitude, latitude)| end.forward(longitude, latitude)))
}

/// The two systems of a transformation, when they have the same datum.
pub fn pair(from: &Crs, to: &Crs) -> Result<(System, System), ProjectionError> {
    let (start, end) = (System::of(from)?, System::of(to)?);
    if start.datum != end.datum {
        return Err(ProjectionError::MixedDatum(from.clone(), to.clone()));
    }
    Ok((start, end))
}

fn wrap(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    (angle + turn / 2.0).rem_euclid(turn) - turn / 2.0
}

#[cfg(test)]
mod tests;
