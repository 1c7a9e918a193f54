//! Extreme heat.
//!
//! | module | holds |
//! |---|---|
//! | [`rothfusz_1990`] | the heat index of the National Weather Service |
//! | `registered` | it as a capability |

pub(crate) mod registered;
pub mod rothfusz_1990;
