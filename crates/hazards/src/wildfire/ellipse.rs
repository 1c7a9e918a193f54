//! Fires that grow as ellipses from the focus behind.

use lahar_core::capability::Citation;

use super::rothermel::{self, FuelBed};
use crate::error::{HazardError, Limit};

/// The ellipse and its length over breadth.
pub const ANDERSON_1983: Citation = Citation {
    authors: "Anderson",
    year: 1983,
    doi: "USDA Forest Service Research Paper INT-305",
    place: "length to width of the double ellipse, as one ellipse in Finney 1998, RMRS-RP-4",
};
/// How fast the side of an ellipse moves outward.
pub const RICHARDS_1990: Citation = Citation {
    authors: "Richards",
    year: 1990,
    doi: "doi:10.1002/nme.1620300606",
    place: "fronts as envelopes of small ellipses",
};

const RATE: Limit = Limit::new("head_rate", "m/min", 0.0, 10_000.0, ANDERSON_1983);
const RATIO: Limit = Limit::new("length_to_breadth", "1", 1.0, 20.0, ANDERSON_1983);
const MINUTES: Limit = Limit::new("time", "min", 0.0, 1e6, ANDERSON_1983);
const WIND: Limit = Limit::new("midflame_wind", "m/min", 0.0, 10_000.0, ANDERSON_1983);

/// Length of a fire over its breadth from the wind at half the flame's height
/// (Anderson 1983): `0.936 e^(0.2566 U) + 0.461 e^(-0.1548 U) - 0.397`, `U` in m/s, from 1 to 8.
///
/// Input: wind in m/min.
///
/// ```
/// use lahar_hazards::wildfire::ellipse::length_to_breadth;
/// assert_eq!(length_to_breadth(0.0).unwrap(), 1.0);
/// assert!((length_to_breadth(180.0).unwrap() - 1.914).abs() < 1e-3);
/// ```
pub fn length_to_breadth(midflame_wind: f64) -> Result<f64, HazardError> {
    Ok(rothermel::length_to_width(WIND.check(midflame_wind)?))
}

/// A fire from a point in uniform fuel, wind and slope, on a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipse {
    /// Rate at the head, in m/min.
    pub head: f64,
    /// Length over breadth.
    pub length_to_breadth: f64,
}

impl Ellipse {
    /// An ellipse from its head rate in m/min and its length over breadth, 1 to 20.
    ///
    /// ```
    /// use lahar_hazards::wildfire::ellipse::Ellipse;
    /// let fire = Ellipse::new(10.0, 2.0).unwrap();
    /// // The three rates of an ellipse whose length is twice its breadth.
    /// let (head, flank, back) = (fire.rate_at(0.0), fire.flank(), fire.back());
    /// assert!((head - 10.0).abs() < 1e-12 && (back - 0.718).abs() < 1e-3);
    /// assert!((flank - (head + back) / 4.0).abs() < 1e-12);
    /// ```
    pub fn new(head: f64, length_to_breadth: f64) -> Result<Ellipse, HazardError> {
        Ok(Ellipse {
            head: RATE.check(head)?,
            length_to_breadth: RATIO.check(length_to_breadth)?,
        })
    }

    /// Distance of the focus from the middle over half the length.
    pub fn eccentricity(&self) -> f64 {
        (self.length_to_breadth.powi(2) - 1.0).sqrt() / self.length_to_breadth
    }

    /// Rate in m/min from the point where it began, at an angle from the head in degrees:
    /// `R (1 - e) / (1 - e cos θ)`.
    pub fn rate_at(&self, angle: f64) -> f64 {
        let e = self.eccentricity();
        self.head * (1.0 - e) / (1.0 - e * angle.to_radians().cos())
    }

    /// Rate at the back, `R (1 - e) / (1 + e)`.
    pub fn back(&self) -> f64 {
        let e = self.eccentricity();
        self.head * (1.0 - e) / (1.0 + e)
    }

    /// Half the breadth that is gained a minute.
    pub fn flank(&self) -> f64 {
        (self.head + self.back()) / 2.0 / self.length_to_breadth
    }

    /// Area in m² and perimeter in m after a time in minutes; the perimeter after Ramanujan (1914),
    /// within 0.4 percent up to a ratio of 20.
    ///
    /// ```
    /// use lahar_hazards::wildfire::ellipse::Ellipse;
    /// let (area, perimeter) = Ellipse::new(10.0, 1.0).unwrap().after(6.0).unwrap();
    /// assert!((area - std::f64::consts::PI * 3600.0).abs() < 1e-9);
    /// assert!((perimeter - std::f64::consts::PI * 120.0).abs() < 1e-9);
    /// ```
    pub fn after(&self, minutes: f64) -> Result<(f64, f64), HazardError> {
        let minutes = MINUTES.check(minutes)?;
        let long = (self.head + self.back()) / 2.0 * minutes;
        let short = self.flank() * minutes;
        let pi = std::f64::consts::PI;
        let h = 3.0 * ((long - short) / (long + short).max(f64::MIN_POSITIVE)).powi(2);
        let perimeter = pi * (long + short) * (1.0 + h / (10.0 + (4.0 - h).sqrt()));
        Ok((pi * long * short, perimeter))
    }
}

/// What a small fire becomes in a minute, seen from above: an ellipse around a point downwind of
/// where it began, in m/min (east, north).
///
/// A front whose normal is `n` moves outward by `c·n + √(nᵀ M n)` (Richards 1990).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wavelet {
    /// The middle `c`.
    pub middle: [f64; 2],
    /// The half axes as a matrix `M = a aᵀ + b bᵀ`: east-east, east-north, north-north.
    pub axes: [f64; 3],
}

impl Wavelet {
    /// An ellipse on level ground that runs to a direction, in degrees clockwise from north.
    pub fn level(ellipse: &Ellipse, towards: f64) -> Wavelet {
        let angle = towards.to_radians();
        let along = [angle.sin(), angle.cos(), 0.0];
        let across = [angle.cos(), -angle.sin(), 0.0];
        Wavelet::of(ellipse.head, ellipse.length_to_breadth, along, across)
    }

    /// Ellipse on a slope, seen from above; `along` and `across` have length one and lie on it.
    fn of(head: f64, ratio: f64, along: [f64; 3], across: [f64; 3]) -> Wavelet {
        let e = (ratio * ratio - 1.0).max(0.0).sqrt() / ratio;
        let long = head / (1.0 + e);
        let short = long / ratio;
        let shift = long * e;
        let (a, b) = (long * long, short * short);
        Wavelet {
            middle: [shift * along[0], shift * along[1]],
            axes: [
                a * along[0] * along[0] + b * across[0] * across[0],
                a * along[0] * along[1] + b * across[0] * across[1],
                a * along[1] * along[1] + b * across[1] * across[1],
            ],
        }
    }

    /// The fire of a fuel bed in a wind (an arrow in m/min, at half the flame's height, to where it
    /// blows) on ground with a gradient (rise over run to the east and to the north).
    pub(super) fn surface_fire(bed: &FuelBed, wind: [f64; 2], rise: [f64; 2]) -> Wavelet {
        if bed.rate <= 0.0 {
            return Wavelet::default();
        }
        let (push, effective) = bed.push(wind, rise, true);
        let effect = push.iter().map(|x| x * x).sum::<f64>().sqrt();
        let up = 1.0 / (1.0 + rise[0] * rise[0] + rise[1] * rise[1]).sqrt();
        let normal = [-rise[0] * up, -rise[1] * up, up];
        let along = match effect > 0.0 {
            true => push.map(|x| x / effect),
            false => [0.0, 1.0, 0.0],
        };
        let across = [
            normal[1] * along[2] - normal[2] * along[1],
            normal[2] * along[0] - normal[0] * along[2],
            normal[0] * along[1] - normal[1] * along[0],
        ];
        let ratio = rothermel::length_to_width(effective);
        Wavelet::of(bed.rate * (1.0 + effect), ratio, along, across)
    }

    /// Whether fire spreads at all.
    pub fn spreads(&self) -> bool {
        self.axes[0] > 0.0 && self.axes[2] > 0.0
    }

    /// How fast a front moves outward, times the length of `normal`.
    #[inline]
    pub fn outward(&self, normal: [f64; 2]) -> f64 {
        let [x, y] = normal;
        let [xx, xy, yy] = self.axes;
        let square = xx * x * x + 2.0 * xy * x * y + yy * y * y;
        self.middle[0] * x + self.middle[1] * y + square.max(0.0).sqrt()
    }

    /// Where, and how fast, fire goes from a front with this normal (east, north, in m/min).
    #[inline]
    pub fn velocity(&self, normal: [f64; 2]) -> [f64; 2] {
        let [x, y] = normal;
        let [xx, xy, yy] = self.axes;
        let (u, v) = (xx * x + xy * y, xy * x + yy * y);
        let length = (u * x + v * y).max(f64::MIN_POSITIVE).sqrt();
        [self.middle[0] + u / length, self.middle[1] + v / length]
    }

    /// The same as times instead of rates.
    ///
    /// With `N = M⁻¹` and `k = 1 - cᵀNc`, fire covers a step `w` in `√(wᵀQw) + b·w` minutes, where
    /// `Q = (N c cᵀ N + k N) / k²` and `b = -N c / k`: the time at which the growing and drifting
    /// ellipse reaches `w`.
    pub(super) fn passage(&self) -> Passage {
        let [xx, xy, yy] = self.axes;
        let determinant = xx * yy - xy * xy;
        if !(self.spreads() && determinant > 0.0) {
            return Passage::CLOSED;
        }
        let n = [yy / determinant, -xy / determinant, xx / determinant];
        let [c, d] = self.middle;
        let shift = [n[0] * c + n[1] * d, n[1] * c + n[2] * d];
        let k = 1.0 - (shift[0] * c + shift[1] * d);
        let over = 1.0 / (k * k);
        Passage {
            xx: ((shift[0] * shift[0] + k * n[0]) * over) as f32,
            xy: ((shift[0] * shift[1] + k * n[1]) * over) as f32,
            yy: ((shift[1] * shift[1] + k * n[2]) * over) as f32,
            x: (-shift[0] / k) as f32,
            y: (-shift[1] / k) as f32,
        }
    }
}

/// Minutes that fire takes for a step, `√(wᵀQw) + b·w`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passage {
    pub xx: f32,
    pub xy: f32,
    pub yy: f32,
    pub x: f32,
    pub y: f32,
}

impl Passage {
    /// Nothing passes.
    pub const CLOSED: Passage = Passage {
        xx: f32::INFINITY,
        xy: 0.0,
        yy: f32::INFINITY,
        x: 0.0,
        y: 0.0,
    };

    /// Nobody has computed it yet; nothing passes until somebody does.
    pub const UNKNOWN: Passage = Passage {
        xx: f32::NAN,
        ..Passage::CLOSED
    };

    #[inline]
    pub fn is_unknown(&self) -> bool {
        self.xx.is_nan()
    }

    #[inline]
    pub fn is_open(&self) -> bool {
        self.xx < f32::INFINITY
    }

    /// Minutes for a step in metres.
    #[inline]
    pub fn minutes(&self, w: [f64; 2]) -> f64 {
        let [x, y] = w;
        let square = f64::from(self.xx) * x * x
            + 2.0 * f64::from(self.xy) * x * y
            + f64::from(self.yy) * y * y;
        square.max(0.0).sqrt() + f64::from(self.x) * x + f64::from(self.y) * y
    }

    /// Gradient of the arrival where fire comes by a step: minutes a metre to the east and north.
    #[inline]
    pub fn slowness(&self, w: [f64; 2]) -> [f64; 2] {
        let [x, y] = w;
        let (u, v) = (
            f64::from(self.xx) * x + f64::from(self.xy) * y,
            f64::from(self.xy) * x + f64::from(self.yy) * y,
        );
        let length = (u * x + v * y).max(f64::MIN_POSITIVE).sqrt();
        [
            u / length + f64::from(self.x),
            v / length + f64::from(self.y),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wildfire::fuel_models::FuelModel;
    use crate::wildfire::rothermel::Moisture;

    #[test]
    fn passage_times_are_distance_over_the_rate_in_each_direction() {
        let ellipse = Ellipse::new(12.0, 3.0).unwrap();
        let passage = Wavelet::level(&ellipse, 70.0).passage();
        for degrees in 0..360 {
            let angle = f64::from(degrees).to_radians();
            let step = [30.0 * angle.sin(), 30.0 * angle.cos()];
            let expected = 30.0 / ellipse.rate_at(f64::from(degrees) - 70.0);
            let found = passage.minutes(step);
            assert!(
                (found / expected - 1.0).abs() < 1e-5,
                "{degrees}: {found} {expected}"
            );
            // Gradient times speed along the ray is one minute a minute.
            let slowness = passage.slowness(step);
            let along = (slowness[0] * step[0] + slowness[1] * step[1]) / found;
            assert!((along - 1.0).abs() < 1e-5, "{degrees}: {along}");
        }
    }

    #[test]
    fn fronts_move_outward_as_the_envelope_of_ellipses() {
        let ellipse = Ellipse::new(12.0, 3.0).unwrap();
        let wavelet = Wavelet::level(&ellipse, 0.0);
        assert!((wavelet.outward([0.0, 1.0]) - 12.0).abs() < 1e-12);
        assert!((wavelet.outward([0.0, -1.0]) - ellipse.back()).abs() < 1e-12);
        assert!((wavelet.outward([1.0, 0.0]) - ellipse.flank()).abs() < 1e-12);
        // The highest of n·r over all directions r of the ellipse.
        let normal = [0.6, 0.8];
        let highest = (0..3600)
            .map(|tenth| {
                let angle = f64::from(tenth) / 10.0;
                let (sin, cos) = angle.to_radians().sin_cos();
                ellipse.rate_at(angle) * (sin * normal[0] + cos * normal[1])
            })
            .fold(0.0, f64::max);
        assert!((wavelet.outward(normal) - highest).abs() < 1e-4);
    }

    #[test]
    fn a_slope_foreshortens_the_ellipse_seen_from_above() {
        let moisture = Moisture {
            one_hour: 0.06,
            ten_hours: 0.07,
            hundred_hours: 0.08,
            herbs: 0.6,
            wood: 0.9,
        };
        let bed = FuelBed::new(FuelModel::of(4).unwrap(), &moisture).unwrap();
        let fire = bed.spread((0.0, 0.0), (0.5, 180.0), true).unwrap();
        // It faces south and rises to the north.
        let wavelet = Wavelet::surface_fire(&bed, [0.0, 0.0], [0.0, 0.5]);
        let cosine = 1.0 / 1.25f64.sqrt();
        let head = wavelet.outward([0.0, 1.0]);
        assert!(
            (head - fire.rate * cosine).abs() < 1e-9,
            "{head} {}",
            fire.rate
        );
        let flank = Ellipse::new(fire.rate, fire.length_to_width)
            .unwrap()
            .flank();
        assert!((wavelet.outward([1.0, 0.0]) - flank).abs() < 1e-9);
    }
}
