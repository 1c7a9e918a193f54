//! Ground failure in earthquakes: slopes that slide, ground that liquefies.
//!
//! | module | model |
//! |---|---|
//! | [`newmark`] | regressions on Newmark's block, factor of safety, share of failed ground |
//! | [`rigid_sliding_block`] | Newmark's block through a record |
//! | [`nowicki_jessee_2018`], [`nowicki_2014`] | landslides by logistic regression |
//! | [`godt_2008`] | landslide coverage from slope quantiles |
//! | [`zhu`] | liquefaction over wide areas, 2015 to 2022 |
//! | [`hazus`] | liquefaction, spreading, settlement by map classes |
//! | [`liquefaction_potential`] | index of a soil column |

pub mod godt_2008;
pub mod hazus;
pub mod liquefaction_potential;
pub mod newmark;
pub mod nowicki_2014;
pub mod nowicki_jessee_2018;
pub(crate) mod registered;
pub mod rigid_sliding_block;
pub mod zhu;
