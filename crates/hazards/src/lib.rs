//! Kernels of scientific hazard models: validated parameters in, values out. They open no file,
//! read no clock, print nothing, and give the same bits for every number of threads.
//!
//! | module | holds |
//! |---|---|
//! | [`postfire_debris_flow`] | debris flows from burned basins |
//! | [`ground_failure`] | landslides and liquefaction in earthquakes |
//! | [`flood`] | runoff, flood waves, water over ground |
//! | [`landslide`] | landslides that rain sets off |
//! | [`wildfire`] | fire weather, how fast and hard a fire burns |
//! | [`heatwave`] | extreme heat |
//! | [`terrain`] | slopes, flow and basins of elevation models |
//! | [`transformation`] | resampling, aggregation, masks, with the loss each causes |
//! | [`registry`] | all capabilities by name; running them from values with units |
//! | [`uncertainty`] | uncertain inputs through any capability, by seeded sampling |
//! | [`error`] | why a model gave no result |

mod elementary;
pub mod error;
pub mod flood;
pub mod ground_failure;
pub mod heatwave;
pub mod landslide;
mod parallel;
pub mod postfire_debris_flow;
pub mod registry;
pub mod terrain;
pub mod transformation;
pub mod uncertainty;
pub mod wildfire;

pub use error::HazardError;
pub use registry::{Registration, Report};
