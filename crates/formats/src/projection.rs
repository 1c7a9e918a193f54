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

use lahar_core::Crs;

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

#[derive(Debug, Clone, Copy, PartialEq)]
struct Ellipsoid {
    semi_major: f64,
    flattening: f64,
}

const WGS84: Ellipsoid = Ellipsoid {
    semi_major: 6_378_137.0,
    flattening: 1.0 / 298.257_223_563,
};
const GRS80: Ellipsoid = Ellipsoid {
    semi_major: 6_378_137.0,
    flattening: 1.0 / 298.257_222_101,
};

impl Ellipsoid {
    fn e2(self) -> f64 {
        self.flattening * (2.0 - self.flattening)
    }

    /// Snyder's q, from which authalic latitudes come (1987, equation 3-12).
    fn q(self, sine: f64) -> f64 {
        let e2 = self.e2();
        let e = e2.sqrt();
        (1.0 - e2) * (sine / (1.0 - e2 * sine * sine) + (e * sine).atanh() / e)
    }

    /// The latitude of a q (Snyder 1987, equation 3-16, iterated).
    fn latitude_of_q(self, q: f64) -> f64 {
        let e2 = self.e2();
        let mut latitude = (q / 2.0).clamp(-1.0, 1.0).asin();
        for _ in 0..12 {
            let sine = latitude.sin();
            let scale = (1.0 - e2 * sine * sine).powi(2) / (2.0 * latitude.cos() * (1.0 - e2));
            let step = scale * (q - self.q(sine));
            if !step.is_finite() {
                break;
            }
            latitude += step;
        }
        latitude
    }

    /// Radius of the parallel over the semi-major axis.
    fn m(self, latitude: f64) -> f64 {
        latitude.cos() / (1.0 - self.e2() * latitude.sin().powi(2)).sqrt()
    }
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
/// use lahar_formats::projection::transform;
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

struct Cone {
    n: f64,
    c: f64,
    rho0: f64,
    semi_major: f64,
}

impl Cone {
    /// Constants of an Albers projection (Snyder 1987, equations 14-3, 14-13, 14-14).
    fn new(ellipsoid: Ellipsoid, origin: f64, parallels: [f64; 2]) -> Cone {
        let [one, two] = parallels.map(f64::to_radians);
        let (m1, m2) = (ellipsoid.m(one), ellipsoid.m(two));
        let (q1, q2) = (ellipsoid.q(one.sin()), ellipsoid.q(two.sin()));
        let n = (m1 * m1 - m2 * m2) / (q2 - q1);
        let mut cone = Cone {
            n,
            c: m1 * m1 + n * q1,
            rho0: 0.0,
            semi_major: ellipsoid.semi_major,
        };
        cone.rho0 = cone.rho(ellipsoid.q(origin.to_radians().sin()));
        cone
    }

    fn rho(&self, q: f64) -> f64 {
        self.semi_major * (self.c - self.n * q).sqrt() / self.n
    }
}

struct Azimuthal {
    qp: f64,
    radius: f64,
    sine0: f64,
    cosine0: f64,
    d: f64,
}

impl Azimuthal {
    /// Constants of a Lambert azimuthal equal-area projection (EPSG method 9820).
    fn new(ellipsoid: Ellipsoid, origin: f64) -> Azimuthal {
        let origin = origin.to_radians();
        let qp = ellipsoid.q(1.0);
        let radius = ellipsoid.semi_major * (qp / 2.0).sqrt();
        let sine0 = ellipsoid.q(origin.sin()) / qp;
        let cosine0 = (1.0 - sine0 * sine0).sqrt();
        let d = ellipsoid.semi_major * ellipsoid.m(origin) / (radius * cosine0);
        Azimuthal {
            qp,
            radius,
            sine0,
            cosine0,
            d,
        }
    }

    fn beta(&self, q: f64) -> f64 {
        (q / self.qp).clamp(-1.0, 1.0).asin()
    }
}

/// Krüger's series to the sixth power of the third flattening (Karney 2011,
/// doi:10.1007/s00190-011-0445-3, equations 35 and 36), four terms of which leave less than a
/// micrometre in a zone.
struct Krueger {
    radius: f64,
    alpha: [f64; 4],
    beta: [f64; 4],
}

impl Krueger {
    fn new(ellipsoid: Ellipsoid) -> Krueger {
        let n = ellipsoid.flattening / (2.0 - ellipsoid.flattening);
        let series = |from: i32, terms: &[f64]| {
            let powers = terms.iter().enumerate();
            powers
                .map(|(at, term)| term * n.powi(from + at as i32))
                .sum::<f64>()
        };
        Krueger {
            radius: ellipsoid.semi_major / (1.0 + n)
                * (1.0 + n.powi(2) / 4.0 + n.powi(4) / 64.0 + n.powi(6) / 256.0),
            alpha: [
                series(
                    1,
                    &[
                        0.5,
                        -2.0 / 3.0,
                        5.0 / 16.0,
                        41.0 / 180.0,
                        -127.0 / 288.0,
                        7891.0 / 37800.0,
                    ],
                ),
                series(
                    2,
                    &[
                        13.0 / 48.0,
                        -0.6,
                        557.0 / 1440.0,
                        281.0 / 630.0,
                        -1_983_433.0 / 1_935_360.0,
                    ],
                ),
                series(
                    3,
                    &[
                        61.0 / 240.0,
                        -103.0 / 140.0,
                        15061.0 / 26880.0,
                        167_603.0 / 181_440.0,
                    ],
                ),
                series(
                    4,
                    &[
                        49561.0 / 161_280.0,
                        -179.0 / 168.0,
                        6_601_661.0 / 7_257_600.0,
                    ],
                ),
            ],
            beta: [
                series(
                    1,
                    &[
                        0.5,
                        -2.0 / 3.0,
                        37.0 / 96.0,
                        -1.0 / 360.0,
                        -81.0 / 512.0,
                        96199.0 / 604_800.0,
                    ],
                ),
                series(
                    2,
                    &[
                        1.0 / 48.0,
                        1.0 / 15.0,
                        -437.0 / 1440.0,
                        46.0 / 105.0,
                        -1_118_711.0 / 3_870_720.0,
                    ],
                ),
                series(
                    3,
                    &[
                        17.0 / 480.0,
                        -37.0 / 840.0,
                        -209.0 / 4480.0,
                        5569.0 / 90720.0,
                    ],
                ),
                series(
                    4,
                    &[4397.0 / 161_280.0, -11.0 / 504.0, -830_251.0 / 7_257_600.0],
                ),
            ],
        }
    }
}

fn krueger_forward(ellipsoid: Ellipsoid, delta: f64, phi: f64) -> Option<(f64, f64)> {
    // Beyond a quarter turn there is no transverse Mercator.
    if delta.abs() >= std::f64::consts::FRAC_PI_2 {
        return None;
    }
    let series = Krueger::new(ellipsoid);
    let e = ellipsoid.e2().sqrt();
    let t = (phi.sin().atanh() - e * (e * phi.sin()).atanh()).sinh();
    let up = t.atan2(delta.cos());
    let right = (delta.sin() / t.hypot(delta.cos())).asinh();
    let (mut north, mut east) = (up, right);
    for (term, k) in series.alpha.iter().zip([2.0, 4.0, 6.0, 8.0]) {
        north += term * (k * up).sin() * (k * right).cosh();
        east += term * (k * up).cos() * (k * right).sinh();
    }
    Some((series.radius * east, series.radius * north))
}

fn krueger_inverse(ellipsoid: Ellipsoid, east: f64, north: f64) -> (f64, f64) {
    let series = Krueger::new(ellipsoid);
    let e = ellipsoid.e2().sqrt();
    let (north, east) = (north / series.radius, east / series.radius);
    let (mut up, mut right) = (north, east);
    for (term, k) in series.beta.iter().zip([2.0, 4.0, 6.0, 8.0]) {
        up -= term * (k * north).sin() * (k * east).cosh();
        right -= term * (k * north).cos() * (k * east).sinh();
    }
    let delta = right.sinh().atan2(up.cos());
    // The isometric latitude, and the geographic one by iteration.
    let isometric = (up.sin() / right.sinh().hypot(up.cos())).asinh();
    let mut sine = isometric.tanh();
    for _ in 0..8 {
        sine = (isometric + e * (e * sine).atanh()).tanh();
    }
    (delta, sine.asin())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn forward(code: u32, longitude: f64, latitude: f64) -> (f64, f64) {
        System::of(&Crs::Epsg(code))
            .unwrap()
            .forward(longitude, latitude)
            .unwrap()
    }

    #[test]
    fn published_points_come_out() {
        // EPSG guidance note 7-2, method 9820.
        let (x, y) = forward(3035, 5.0, 50.0);
        assert!(
            (x - 3_962_799.45).abs() < 0.01 && (y - 2_999_718.85).abs() < 0.01,
            "{x} {y}"
        );
        // Snyder 1987, page 292, on the Clarke ellipsoid of 1866.
        let albers = System {
            method: Method::Albers {
                ellipsoid: Ellipsoid {
                    semi_major: 6_378_206.4,
                    flattening: 1.0 / 294.978_698_2,
                },
                central: -96.0,
                origin: 23.0,
                parallels: [29.5, 45.5],
            },
            datum: Datum::Nad83,
        };
        let (x, y) = albers.forward(-75.0, 35.0).unwrap();
        assert!(
            (x - 1_885_472.7).abs() < 0.1 && (y - 1_535_925.0).abs() < 0.1,
            "{x} {y}"
        );
        // EPSG guidance note 7-2, method 1024.
        let (x, y) = forward(3857, -100.333_333_333_333, 24.381_786_944_444);
        assert!(
            (x + 11_169_055.58).abs() < 0.01 && (y - 2_800_000.0).abs() < 0.01,
            "{x} {y}"
        );
        // The edge of a zone on the equator.
        let (x, y) = forward(32631, 6.0, 0.0);
        assert!((x - 833_978.557).abs() < 1e-3 && y.abs() < 1e-6, "{x} {y}");
    }

    #[test]
    fn points_come_out_as_from_proj() {
        // PROJ 9.5.1 through pyproj 3.7.2, `always_xy=True`.
        for (code, longitude, latitude, expected) in [
            (
                5070,
                -100.0,
                40.0,
                (-338_390.587_550_866_8, 1_894_100.140_042_564_4),
            ),
            (
                32613,
                -105.5,
                40.1,
                (457_382.380_869_168_4, 4_438_976.115_992_184),
            ),
            (
                3035,
                5.0,
                50.0,
                (3_962_799.450_955_067_8, 2_999_718.853_159_563),
            ),
        ] {
            let (x, y) = forward(code, longitude, latitude);
            let apart = (x - expected.0).hypot(y - expected.1);
            assert!(apart < 1e-6, "EPSG:{code}: {apart} m");
        }
    }

    #[test]
    fn what_is_not_on_the_list_or_of_another_datum_is_refused() {
        assert!(matches!(
            System::of(&Crs::Epsg(27700)),
            Err(ProjectionError::UnknownSystem(_))
        ));
        assert!(matches!(
            System::of(&Crs::Unknown),
            Err(ProjectionError::UnknownSystem(_))
        ));
        let error = transform(&Crs::WGS84, &Crs::Epsg(5070), -100.0, 40.0).unwrap_err();
        assert!(matches!(error, ProjectionError::MixedDatum(..)), "{error}");
        assert_eq!(utm_zone(-105.5, 40.1), Crs::Epsg(32613));
        assert_eq!(utm_zone(180.0, -10.0), Crs::Epsg(32701));
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same_place(
            pick in 0usize..6, away in -3.0..3.0f64, latitude in -60.0..70.0f64,
        ) {
            let (code, central) =
                [(32611, -117.0), (32733, 15.0), (26913, -105.0), (5070, -96.0), (3035, 10.0), (3857, 0.0)][pick];
            let latitude = if matches!(code, 5070 | 3035) { latitude.abs() + 1.0 } else { latitude };
            let system = System::of(&Crs::Epsg(code)).unwrap();
            let (x, y) = system.forward(central + away, latitude).unwrap();
            let (longitude, back) = system.inverse(x, y).unwrap();
            prop_assert!((longitude - central - away).abs() < 1e-9, "{code} {longitude}");
            prop_assert!((back - latitude).abs() < 1e-9, "{code} {back} {latitude}");
        }
    }
}
