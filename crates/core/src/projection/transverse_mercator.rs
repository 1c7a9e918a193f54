//! The transverse Mercator projection of UTM.

use super::ellipsoid::Ellipsoid;

/// Krüger's series to the sixth power of the third flattening (Karney 2011,
/// doi:10.1007/s00190-011-0445-3, equations 35 and 36), four terms of which leave less than a
/// micrometre in a zone.
pub(super) struct Krueger {
    pub(super) radius: f64,
    pub(super) alpha: [f64; 4],
    pub(super) beta: [f64; 4],
}

impl Krueger {
    pub(super) fn new(ellipsoid: Ellipsoid) -> Krueger {
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

pub(super) fn krueger_forward(ellipsoid: Ellipsoid, delta: f64, phi: f64) -> Option<(f64, f64)> {
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

pub(super) fn krueger_inverse(ellipsoid: Ellipsoid, east: f64, north: f64) -> (f64, f64) {
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
