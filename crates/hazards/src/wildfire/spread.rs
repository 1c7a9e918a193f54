//! What a grown fire did: when it came, how fast, how hard, and its outlines.

use std::collections::BTreeMap;

use lahar_core::Grid;
use lahar_core::capability::Citation;
use lahar_core::series::{Feature, Property, Shape};

use super::landscape::{Landscape, Period};
use super::{perimeter, rothermel};
use crate::error::HazardError;

/// Intensity of a front.
pub const BYRAM_1959: Citation = Citation {
    authors: "Byram",
    year: 1959,
    doi: "Forest Fire: Control and Use, McGraw-Hill",
    place: "intensity is heat per area times the rate of the front",
};

/// Arrival of a fire over a landscape.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    arrival: Vec<f64>,
    slowness: Vec<[f32; 2]>,
    starts: Vec<f64>,
}

/// Rate, intensity and flames where and when the front passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Behaviour {
    /// Rate of the front across itself, along the ground, in m/min.
    pub rate: Grid,
    /// Intensity of the front in kW/m.
    pub intensity: Grid,
    /// Length of its flames in m.
    pub flame_length: Grid,
}

impl Growth {
    pub(super) fn new(arrival: Vec<f64>, slowness: Vec<[f32; 2]>, periods: &[Period]) -> Growth {
        Growth {
            arrival,
            slowness,
            starts: periods.iter().map(|period| period.start).collect(),
        }
    }

    /// Minutes until the fire comes to each cell, row by row; `NaN` where it does not come.
    pub fn minutes(&self) -> &[f64] {
        &self.arrival
    }

    /// The same as a grid.
    pub fn arrival(&self, landscape: &Landscape) -> Result<Grid, HazardError> {
        Ok(landscape.elevation().like(self.arrival.clone())?)
    }

    /// 1 where the fire came, 0 elsewhere.
    pub fn burned(&self, landscape: &Landscape) -> Result<Grid, HazardError> {
        let burned = |minutes: &f64| f64::from(u8::from(!minutes.is_nan()));
        let cells = self.arrival.iter().map(burned).collect();
        Ok(landscape.elevation().like(cells)?)
    }

    /// How many cells burned.
    pub fn count(&self) -> usize {
        self.arrival
            .iter()
            .filter(|minutes| !minutes.is_nan())
            .count()
    }

    /// Burned area in m², seen from above.
    pub fn area(&self, landscape: &Landscape) -> f64 {
        let [width, height] = landscape.cell();
        self.count() as f64 * width * height
    }

    /// Rate, intensity and flames of the front.
    ///
    /// The rate is that of the front across itself along the ground, `1 / |∇T|`; intensity is heat per
    /// area times it (Byram 1959); flames as in [`rothermel::flame_length`]. `NaN` where no front came,
    /// the cells that started among them.
    ///
    /// Inputs: the landscape and the weather with which the fire grew.
    pub fn behaviour(
        &self,
        landscape: &Landscape,
        periods: &[Period],
    ) -> Result<Behaviour, HazardError> {
        let starts: Vec<f64> = periods.iter().map(|period| period.start).collect();
        if starts != self.starts {
            return Err(HazardError::Contradiction(
                "the weather is not that with which the fire grew".to_owned(),
            ));
        }
        let burning = periods
            .iter()
            .map(|period| landscape.in_weather(&period.weather))
            .collect::<Result<Vec<_>, _>>()?;
        let count = self.arrival.len();
        let mut columns = [
            vec![f64::NAN; count],
            vec![f64::NAN; count],
            vec![f64::NAN; count],
        ];
        for (cell, minutes) in self.arrival.iter().copied().enumerate() {
            if minutes.is_nan() || minutes <= 0.0 {
                continue;
            }
            let at = starts.partition_point(|start| *start <= minutes).max(1) - 1;
            let rate = burning[at].rate_on_ground(cell, self.slowness[cell].map(f64::from));
            let intensity = burning[at].heat_per_area(cell) * rate / 60.0;
            columns[0][cell] = rate;
            columns[1][cell] = intensity;
            columns[2][cell] = rothermel::flame_length(intensity);
        }
        let [rate, intensity, flame_length] = columns;
        let grid = |values| landscape.elevation().like(values);
        Ok(Behaviour {
            rate: grid(rate)?,
            intensity: grid(intensity)?,
            flame_length: grid(flame_length)?,
        })
    }

    /// Outlines of the burned ground at times in minutes, as polygons with holes in the coordinates
    /// of the grid, with the time (`minutes`) and the area (`area_m2`) of each.
    ///
    /// Between a burned and an unburned cell the line runs where the arrival is the time, and half
    /// way where the fire never comes.
    pub fn perimeters(
        &self,
        landscape: &Landscape,
        times: &[f64],
    ) -> Result<Vec<Feature>, HazardError> {
        let grid = self.arrival(landscape)?;
        let mut features = Vec::new();
        for time in times {
            if !(*time >= 0.0 && time.is_finite()) {
                return Err(HazardError::OutsideRange {
                    variable: "perimeter_time",
                    found: format!("{time} min"),
                    allowed: "from 0 min on".to_owned(),
                    source_of_limit: "the fire starts at 0 min".to_owned(),
                });
            }
            for rings in perimeter::outlines(&grid, *time) {
                let area = rings
                    .iter()
                    .map(|ring| perimeter::signed_area(ring))
                    .sum::<f64>();
                let properties = BTreeMap::from([
                    ("minutes".to_owned(), Property::Number(*time)),
                    ("area_m2".to_owned(), Property::Number(area)),
                ]);
                features.push(Feature {
                    shape: Some(Shape::Polygon(rings)),
                    properties,
                });
            }
        }
        Ok(features)
    }
}
