//! Transient infiltration over grids, many cells at a time.

use lahar_core::measure::{Pressure, Span};
use pulp::{Simd, WithSimd};

use super::infinite_slope::{COHESION, FRICTION, WATER, WEIGHT};
use super::iverson_2000::{CONDUCTIVITY, DIFFUSIVITY, LASTING, Storm, check_storm};
use crate::elementary;
use crate::error::HazardError;

/// A soil that is the same in all cells of a zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Soil {
    /// Cohesion of soil and roots.
    pub cohesion: Pressure,
    /// Angle of internal friction, in degrees.
    pub friction_angle: f64,
    /// Weight per volume, in N/m³.
    pub unit_weight: f64,
    /// Hydraulic diffusivity in m²/s.
    pub diffusivity: f64,
    /// Saturated conductivity in m/s.
    pub conductivity: f64,
    /// Infiltration that has lasted long, in m/s.
    pub lasting_infiltration: f64,
}

/// Ground by cell, in layers of one length.
#[derive(Debug, Clone, Copy)]
pub struct GroundCells<'a> {
    /// Slope as rise over run.
    pub slope: &'a [f64],
    /// Depth of the soil in m, vertically.
    pub depth: &'a [f64],
    /// Depth of the water table before the storm in m, vertically.
    pub water_table: &'a [f64],
}

/// Factors of safety and pressure heads of all cells, as
/// [`super::iverson_2000::WetGround::factor_of_safety`] gives them for one, within 1e-10.
///
/// Inputs: ground by cell; the soil; storms, each at most as intense as the soil conducts; time since
/// the start of the record; threads. Output: into two slices of the same length; `NaN` where a depth is
/// not above zero or a layer has no value, infinite on flat ground. The same bits for every number of
/// threads.
pub fn factor_of_safety_cells(
    ground: &GroundCells<'_>,
    soil: &Soil,
    storms: &[Storm],
    time: Span,
    threads: usize,
    (safety, head): (&mut [f64], &mut [f64]),
) -> Result<(), HazardError> {
    let count = ground.slope.len();
    let lengths = [
        ground.depth.len(),
        ground.water_table.len(),
        safety.len(),
        head.len(),
    ];
    if let Some(other) = lengths.into_iter().find(|length| *length != count) {
        return Err(HazardError::Contradiction(format!(
            "one layer has {count} cells, another {other}; they must be of the same grid"
        )));
    }
    COHESION.check(soil.cohesion.to_pascals())?;
    FRICTION.check(soil.friction_angle)?;
    WEIGHT.check(soil.unit_weight)?;
    DIFFUSIVITY.check(soil.diffusivity)?;
    CONDUCTIVITY.check(soil.conductivity)?;
    LASTING.check(soil.lasting_infiltration)?;
    for storm in storms {
        check_storm(storm, soil.conductivity)?;
    }
    let friction = soil.friction_angle.to_radians().tan();
    // Times and shares of pulses that begin, or end, before now.
    let pulses: Vec<[f64; 2]> = storms
        .iter()
        .flat_map(|storm| {
            let since = time.to_seconds() - storm.start.to_seconds();
            let share = storm.infiltration / soil.conductivity;
            [
                [since, share],
                [since - storm.duration.to_seconds(), -share],
            ]
        })
        .filter(|[since, _]| *since > 0.0)
        .collect();
    let pulses = &pulses;
    crate::parallel::fill_pair(safety, head, threads, |first, safety, head| {
        let piece = first..first + safety.len();
        Piece {
            slope: &ground.slope[piece.clone()],
            depth: &ground.depth[piece.clone()],
            water_table: &ground.water_table[piece],
            pulses,
            friction,
            cohesion: soil.cohesion.to_pascals(),
            weight: soil.unit_weight,
            diffusivity: soil.diffusivity,
            lasting: soil.lasting_infiltration / soil.conductivity,
            safety,
            head,
        }
    });
    Ok(())
}

struct Piece<'a> {
    slope: &'a [f64],
    depth: &'a [f64],
    water_table: &'a [f64],
    pulses: &'a [[f64; 2]],
    friction: f64,
    cohesion: f64,
    weight: f64,
    diffusivity: f64,
    lasting: f64,
    safety: &'a mut [f64],
    head: &'a mut [f64],
}

impl WithSimd for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let count = self.safety.len();
        let (slope, depth) = (&self.slope[..count], &self.depth[..count]);
        let water_table = &self.water_table[..count];
        let (safety, head) = (self.safety, &mut self.head[..count]);
        // First the sum over the pulses, pulse by pulse, so that each loop is vector code.
        head.fill(0.0);
        for [since, share] in self.pulses {
            for cell in 0..count {
                let steep = 1.0 / (1.0 + slope[cell] * slope[cell]);
                let reach = (4.0 * self.diffusivity * steep * since).sqrt();
                head[cell] += share * response(depth[cell] / reach);
            }
        }
        for cell in 0..count {
            let (tangent, depth) = (slope[cell], depth[cell]);
            let steep = 1.0 / (1.0 + tangent * tangent);
            let beta = steep - self.lasting;
            let full = depth * beta;
            let psi = (depth - water_table[cell]) * beta + depth * head[cell];
            let psi = if psi < full { psi } else { full };
            let load = self.weight * depth * tangent * steep;
            let factor =
                self.friction / tangent + (self.cohesion - psi * WATER * self.friction) / load;
            let sound = (depth > 0.0) & (tangent >= 0.0) & (water_table[cell] >= 0.0);
            let factor = if tangent > 0.0 { factor } else { f64::INFINITY };
            safety[cell] = if sound { factor } else { f64::NAN };
            head[cell] = if sound { psi } else { f64::NAN };
        }
    }
}

/// `(1 + 2 z) e^(z²) erfc(z)` by powers of `(z - 3.75) / (z + 3.75)`, the highest first: the polynomial
/// through its values at 25 Chebyshev points, 1e-16 of it off at most for z from 0 on.
const SCALED_ERFC: [f64; 25] = [
    4.434_959_070_009_628e-10,
    3.110_310_719_839_165e-10,
    -5.284_286_979_631_42e-9,
    -3.743_568_033_634_583e-9,
    3.896_545_254_898_596_6e-8,
    2.326_191_327_669_656_6e-8,
    -2.591_069_687_796_658e-7,
    -5.721_597_255_990_987e-8,
    1.752_057_970_166_318e-6,
    -9.735_619_015_182_663e-7,
    -1.144_441_243_917_172_2e-5,
    2.238_424_031_422_443_7e-5,
    5.164_921_139_070_285_5e-5,
    -0.000_290_154_080_979_527_1,
    0.000_293_713_634_285_008_1,
    0.001_755_625_853_001_725_7,
    -0.009_746_579_552_504_244,
    0.028_362_277_418_940_665,
    -0.058_693_398_590_212_366,
    0.092_304_321_160_378_76,
    -0.108_803_930_141_717_85,
    0.082_276_738_490_145_16,
    0.003_585_415_485_463_775,
    -0.140_240_598_585_546_97,
    1.237_512_630_837_827_5,
];

/// `e^(-z²) / (z √π) - erfc(z)` for z above zero: the response `R(t*)` of Iverson (2000, equation 27e)
/// with `z = 1/√t*`. Below 1e-300 it is nothing.
#[inline(always)]
fn response(z: f64) -> f64 {
    let s = (z - 3.75) / (z + 3.75);
    let mut series = SCALED_ERFC[0];
    for coefficient in &SCALED_ERFC[1..] {
        series = series.mul_add(s, *coefficient);
    }
    let square = z * z;
    let far = square > 700.0;
    let square = if far { 700.0 } else { square };
    let scaled = 0.564_189_583_547_756_3 / z - series / (1.0 + 2.0 * z);
    let value = elementary::exp(-square) * scaled;
    if far { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use lahar_core::RandomStream;
    use lahar_core::measure::{Angle, Length};

    use super::*;
    use crate::landslide::infinite_slope::Slab;
    use crate::landslide::iverson_2000::WetGround;

    #[test]
    fn many_cells_are_what_each_is_alone() {
        let mut stream = RandomStream::new(3, 0);
        let mut layer = |low: f64, high: f64| -> Vec<f64> {
            (0..999)
                .map(|_| low + (high - low) * stream.uniform())
                .collect()
        };
        let (slope, depth, water) = (layer(0.01, 1.5), layer(0.2, 5.0), layer(0.0, 4.0));
        let soil = Soil {
            cohesion: Pressure::kilopascals(3.0),
            friction_angle: 32.0,
            unit_weight: 19_000.0,
            diffusivity: 2e-5,
            conductivity: 1e-5,
            lasting_infiltration: 1e-7,
        };
        let storm = |infiltration: f64, start: f64, duration: f64| Storm {
            infiltration,
            start: Span::hours(start),
            duration: Span::hours(duration),
        };
        let storms = [
            storm(3e-6, 0.0, 5.0),
            storm(8e-6, 7.0, 3.0),
            storm(1e-6, 40.0, 2.0),
        ];
        let cells = GroundCells {
            slope: &slope,
            depth: &depth,
            water_table: &water,
        };
        let run = |threads: usize| {
            let (mut safety, mut head) = (vec![0.0; 999], vec![0.0; 999]);
            let out = (safety.as_mut_slice(), head.as_mut_slice());
            factor_of_safety_cells(&cells, &soil, &storms, Span::hours(11.0), threads, out)
                .unwrap();
            (safety, head)
        };
        let (safety, head) = run(1);
        for cell in 0..999 {
            let angle = Angle::degrees(slope[cell].atan().to_degrees());
            let ground = WetGround {
                slope: angle,
                water_table: Length::metres(water[cell]),
                diffusivity: soil.diffusivity,
                conductivity: soil.conductivity,
                lasting_infiltration: soil.lasting_infiltration,
            };
            let slab = Slab {
                slope: angle,
                depth: Length::metres(depth[cell]),
                cohesion: soil.cohesion,
                friction_angle: Angle::degrees(soil.friction_angle),
                unit_weight: soil.unit_weight,
            };
            let time = Span::hours(11.0);
            let expected = ground.pressure_head(&storms, slab.depth, time).unwrap();
            assert!(
                (head[cell] - expected).abs() < 1e-10,
                "{cell}: {} {expected}",
                head[cell]
            );
            let expected = ground.factor_of_safety(&slab, &storms, time).unwrap();
            assert!((safety[cell] / expected - 1.0).abs() < 1e-9, "{cell}");
        }
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&safety), bits(&run(3).0));
        let mut hole = depth.clone();
        hole[5] = -1.0;
        let cells = GroundCells {
            depth: &hole,
            ..cells
        };
        let (mut safety, mut head) = (vec![0.0; 999], vec![0.0; 999]);
        let out = (safety.as_mut_slice(), head.as_mut_slice());
        factor_of_safety_cells(&cells, &soil, &storms, Span::hours(11.0), 1, out).unwrap();
        assert!(safety[5].is_nan() && !safety[6].is_nan());
    }
}
