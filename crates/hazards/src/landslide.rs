//! Landslides that rain sets off.
//!
//! | module | holds |
//! |---|---|
//! | [`infinite_slope`] | a slab on a plane: factor of safety, and the steady wetness of a hillslope |
//! | [`iverson_2000`] | pressure that rain sends down into a wet slope, and what it does to the slab |
//! | [`transient_cells`] | the same over grids, many cells at a time |
//! | [`intensity_duration`] | rain from which slides have been seen |
//! | [`lhasa`] | the situational awareness of NASA: antecedent rain and susceptibility, trained trees |
//! | [`map`] | shallow slides over an elevation model, and how well a map tells them |
//! | `registered` | all of it as capabilities |

pub mod infinite_slope;
pub mod intensity_duration;
pub mod iverson_2000;
pub mod lhasa;
pub mod map;
pub(crate) mod registered;
pub mod transient_cells;
