//! Growth of a fire as the zero of a function that the wind and the slope carry outward.
//!
//! `φ_t + c·∇φ + √(∇φᵀ M ∇φ) = 0`: the front moves as the envelope of the ellipses that burn on it
//! (Richards 1990; as a level set in Rehm & McDermott 2009 and Lautenberger 2013). One-sided slopes
//! of second order with the smaller of two curvatures, the side from which fire comes (the lowest or
//! highest where both or neither are), two Runge-Kutta stages. Only a band of cells about the front is
//! computed; cells ahead of it join with the distance from the band, so nothing has to be set anew.
//!
//! No grid resolves a fire of one cell. The first [`FIRST`] cells are those of the quickest ways
//! ([`super::minimum_travel_time`]); a fire that stays smaller than [`ENOUGH`] cells is theirs
//! altogether.

use lahar_core::capability::Citation;

use super::landscape::{Landscape, Period, check_periods};
use super::minimum_travel_time::{self, Beginning};
use super::spread::Growth;
use crate::error::HazardError;

/// Fire fronts as level sets.
pub const LAUTENBERGER_2013: Citation = Citation {
    authors: "Lautenberger",
    year: 2013,
    doi: "doi:10.1016/j.firesaf.2013.08.014",
    place: "Eulerian level set, two Runge-Kutta stages",
};

mod front;
mod scheme;

use front::Front;

/// Share of a cell that the fastest fire of the band may cross in a step.
pub const COURANT: f64 = 0.8;
/// Cells that burn before the level set begins.
pub const FIRST: usize = 48;
/// Cells of which the level set needs to know when they burn, to begin.
pub const ENOUGH: usize = 128;

/// Grows a fire from cells that burn at time zero; each start is a disc as wide as a cell.
///
/// Inputs and errors as in [`super::minimum_travel_time::grow`].
pub fn grow(
    landscape: &Landscape,
    periods: &[Period],
    starts: &[usize],
    minutes: f64,
) -> Result<Growth, HazardError> {
    check_periods(periods, minutes)?;
    landscape.check_starts(starts)?;
    let enough = starts.len() + ENOUGH;
    let beginning = minimum_travel_time::begin(landscape, periods, starts, minutes, enough)?;
    let beginning = match beginning {
        Beginning::Over(arrival, slowness) => return Ok(Growth::new(arrival, slowness, periods)),
        Beginning::GoesOn(cells) => cells,
    };
    let mut front = Front::new(landscape);
    let now = front.begin(beginning, starts.len() + FIRST);
    for (at, period) in periods.iter().enumerate() {
        let end = periods
            .get(at + 1)
            .map_or(minutes, |next| next.start.min(minutes));
        if period.start >= minutes || end <= now {
            continue;
        }
        let burning = landscape.in_weather(&period.weather)?;
        let start = now.max(period.start);
        front.run(&mut burning.remembering(), (start, end));
    }
    let (arrival, slowness) = front.finish();
    Ok(Growth::new(arrival, slowness, periods))
}
