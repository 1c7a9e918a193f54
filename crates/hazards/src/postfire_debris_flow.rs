//! Debris flows from burned basins: how severely it burned, whether a storm sets one off, how
//! large it gets, what class of hazard that is, how far it reaches.
//!
//! | module | model |
//! |---|---|
//! | [`burn_severity`] | NBR, dNBR, RdNBR and their classes |
//! | [`staley_2017`] | likelihood M1 to M4, and the rain at which it is reached |
//! | [`gartner_2014`] | volume, soon after a fire and in later years |
//! | [`survey_2010`] | likelihood and volume in the intermountain west and southern California |
//! | [`cannon_2010`] | classes of combined hazard |
//! | [`griswold_iverson_2008`] | area reached |
//! | [`chain`] | severity to class in one step |
//! | [`hazard_map`] | the chain over all basins of an elevation model |

pub mod burn_severity;
pub mod cannon_2010;
pub mod chain;
pub mod gartner_2014;
pub mod griswold_iverson_2008;
pub mod hazard_map;
pub(crate) mod registered;
pub mod staley_2017;
pub mod survey_2010;
