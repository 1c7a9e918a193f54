//! Capabilities as a graph: which can be put together so that a route can be run now
//! (HazardWeaver, arXiv:2610.03591, equations 3 and 4).
//!
//! | module | holds |
//! |---|---|
//! | [`compatibility`] | one relation for each field of a type, in one table |
//! | [`registry`] | capabilities with typed ports |
//! | [`transformation`] | changes of representation that a search may insert, with their loss |
//! | [`search`] | backward search with cost for one type |
//! | [`mod@plan`] | workflows of a route, stage by stage, or the ports that do not fit |

pub mod compatibility;
pub mod plan;
pub mod registry;
pub mod search;
pub mod transformation;

pub use compatibility::{Field, Fields};
pub use plan::{Planned, plan, to_have};
pub use registry::{Node, Registry};
pub use search::Search;
