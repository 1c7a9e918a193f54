//! What a digital elevation model says: slopes, where water flows, the basins it gathers from.
//!
//! | module | holds |
//! |---|---|
//! | [`drainage`] | filled depressions, flow directions, contributing area |
//! | [`basins`] | basins above outlets, and what lies in them |
//! | [`relief`] | slope and hillshade |
//!
//! All of it needs a grid in metres with rows and columns along the axes.

pub mod basins;
pub mod drainage;
pub mod relief;

use lahar_core::{Crs, Grid};

use crate::error::HazardError;

/// Width and height of a cell in metres.
pub(crate) fn metres(elevation: &Grid) -> Result<(f64, f64), HazardError> {
    if elevation.crs.is_geographic() {
        return Err(HazardError::Contradiction(
            "the elevation model is in degrees, which have no length; project it to metres first"
                .to_owned(),
        ));
    }
    if elevation.crs == Crs::Unknown {
        return Err(HazardError::Contradiction(
            "nothing says whether the elevation model is in metres or degrees; state its system"
                .to_owned(),
        ));
    }
    elevation.transform.cell_size().ok_or_else(|| {
        HazardError::Contradiction(
            "rows and columns of the elevation model do not run along the axes; resample it first"
                .to_owned(),
        )
    })
}
