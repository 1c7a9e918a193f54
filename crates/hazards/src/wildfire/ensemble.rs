//! Burn probability: many fires in winds and moistures drawn about those that are given.

use lahar_core::capability::Citation;
use lahar_core::{Grid, RandomStream};

use super::landscape::{Field, Landscape, Period};
use super::minimum_travel_time;
use crate::error::HazardError;
use crate::parallel;
use crate::uncertainty::Sampling;

/// Burn probability from many simulated fires.
pub const FINNEY_2011: Citation = Citation {
    authors: "Finney, McHugh, Grenfell, Riley & Short",
    year: 2011,
    doi: "doi:10.1007/s00477-011-0462-z",
    place: "burn probability as the share of simulated fires",
};

/// How little is known of the weather.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Doubt {
    /// Standard deviation of the logarithm of the wind's speed.
    pub wind_speed: f64,
    /// Standard deviation of its direction in degrees.
    pub wind_from: f64,
    /// Standard deviation of the moisture of dead fuel, as a fraction.
    pub moisture: f64,
}

impl Default for Doubt {
    /// A quarter of the speed, 15 degrees, one percent of moisture: what we assume where nobody says.
    fn default() -> Doubt {
        Doubt {
            wind_speed: 0.25,
            wind_from: 15.0,
            moisture: 0.01,
        }
    }
}

/// What many fires did.
#[derive(Debug, Clone, PartialEq)]
pub struct BurnProbability {
    /// Share of the fires that came to a cell.
    pub probability: Grid,
    /// Mean arrival of those that came, in minutes.
    pub mean_arrival: Grid,
}

/// Grows many fires by minimum travel time, each in its own weather. The same bits for every number
/// of threads.
pub fn burn_probability(
    landscape: &Landscape,
    periods: &[Period],
    starts: &[usize],
    minutes: f64,
    doubt: &Doubt,
    sampling: Sampling,
) -> Result<BurnProbability, HazardError> {
    let known = [doubt.wind_speed, doubt.wind_from, doubt.moisture];
    if known
        .iter()
        .any(|deviation| !(*deviation >= 0.0 && deviation.is_finite()))
    {
        return Err(HazardError::Contradiction(format!(
            "{known:?} are no standard deviations; they must be zero or above"
        )));
    }
    if sampling.samples == 0 {
        return Err(HazardError::Contradiction(
            "no fire is asked for; give one sample at least".to_owned(),
        ));
    }
    let one = |sample: usize| {
        let mut stream = RandomStream::new(sampling.seed, sample as u64);
        let faster = (doubt.wind_speed * stream.normal()).exp();
        let turned = doubt.wind_from * stream.normal();
        let wetter = doubt.moisture * stream.normal();
        let mut drawn = periods.to_vec();
        for Period { weather, .. } in &mut drawn {
            weather.wind_speed = changed(&weather.wind_speed, |speed| speed * faster);
            weather.wind_from =
                changed(&weather.wind_from, |from| (from + turned).rem_euclid(360.0));
            let wet = |moisture: f64| (moisture + wetter).clamp(0.01, 1.0);
            let dead = &mut weather.moisture;
            for moisture in [
                &mut dead.one_hour,
                &mut dead.ten_hours,
                &mut dead.hundred_hours,
            ] {
                // What is given is checked as it is; only what is drawn is kept within what can be.
                if doubt.moisture > 0.0 && (0.0..=1.0).contains(moisture) {
                    *moisture = wet(*moisture);
                }
            }
        }
        minimum_travel_time::grow(landscape, &drawn, starts, minutes, 1)
    };
    let count = landscape.rows() * landscape.columns();
    let (mut came, mut sums) = (vec![0.0; count], vec![0.0; count]);
    let batch = 16;
    for first in (0..sampling.samples).step_by(batch) {
        let size = batch.min(sampling.samples - first);
        for fire in parallel::map(size, sampling.threads, |at| one(first + at)) {
            for (cell, arrival) in fire?.minutes().iter().enumerate() {
                if !arrival.is_nan() {
                    came[cell] += 1.0;
                    sums[cell] += arrival;
                }
            }
        }
    }
    let mean = came.iter().zip(&sums).map(|(came, sum)| match *came > 0.0 {
        true => sum / came,
        false => f64::NAN,
    });
    let mean_arrival = landscape.elevation().like(mean.collect())?;
    let share = came.iter().map(|came| came / sampling.samples as f64);
    Ok(BurnProbability {
        probability: landscape.elevation().like(share.collect())?,
        mean_arrival,
    })
}

fn changed(field: &Field, change: impl Fn(f64) -> f64) -> Field {
    match field {
        Field::Uniform(value) => Field::Uniform(change(*value)),
        Field::Cells(grid) => Field::Cells(grid.map(change)),
    }
}
