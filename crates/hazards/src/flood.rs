//! Floods: how much rain runs off, how a flood wave travels down a reach, how water spreads over
//! ground.
//!
//! | module | holds |
//! |---|---|
//! | [`runoff`] | from rain to runoff: curve number, rational method, unit hydrograph, infiltration |
//! | [`routing`] | a flood wave down a reach |
//! | [`domain`] | the ground of a simulation, its edges, rain and inflows |
//! | [`local_inertial`] | water over ground without advection: rivers and flood plains |
//! | [`shallow_water`] | the full equations of shallow water, with bores and dam breaks |
//! | [`balance`] | where all the water went |
//! | [`footprint`] | highest water, arrival and duration, cell by cell |
//! | [`height_above_drainage`] | depth from terrain and a rating curve alone |
//! | [`simulation`] | a storm over ground by either solver, with all that is wanted of it |
//! | `reach` | which cells a step has to compute: dry land costs nothing |
//! | `registered` | all of it as capabilities |

pub mod balance;
pub mod domain;
pub mod footprint;
pub mod height_above_drainage;
pub mod local_inertial;
mod reach;
pub(crate) mod registered;
mod rim;
pub mod routing;
pub mod runoff;
pub mod shallow_water;
pub mod simulation;

/// Acceleration of gravity in m/s², where nothing else is said.
pub const GRAVITY: f64 = 9.806_65;
