//! Which scientific method may be used for an event, with what is at hand, now.
//!
//! A task states what is asked, where and when; route cards state under which conditions a family
//! of methods holds and what says so; capabilities state what they take and give. A route is
//! eligible where its conditions hold **and** its capabilities can be reached, and that set is
//! computed anew after every step (HazardWeaver, arXiv:2610.03591, equation 1).
//!
//! | module | holds |
//! |---|---|
//! | [`task`] | a task: area, decision time, output contract, observations, budget |
//! | [`state`] | what is at hand at a step: immutable, versioned, changed by events alone |
//! | [`card`] | one route family: conditions with citation and fingerprint, stages, contract |
//! | [`port`] | what a value is: variable, unit, representation, supports, resolution |
//! | [`verdict`] | three-valued truth, what was found about a condition and a route |
//! | [`executor`] | running one capability; what the world answers |
//! | [`trajectory`] | every step of a run, commitments, the artifact or the certificate |
//! | [`vocabulary`] | the names of variables, and which is a kind of which |
//! | [`fields`] | TOML read key by key, with the line of what is wrong |
//! | [`error`] | what can go wrong, where, why, and the next step |

pub mod card;
pub mod error;
pub mod executor;
pub mod fields;
pub mod port;
pub mod state;
pub mod task;
pub mod trajectory;
pub mod verdict;
pub mod vocabulary;

pub use card::{Card, Condition, Fingerprint};
pub use error::RoutesError;
pub use executor::Executor;
pub use port::{PortType, PortUnit, Representation};
pub use state::{Artifact, Change, State};
pub use task::Task;
pub use trajectory::Trajectory;
pub use verdict::{Truth, Verdict};
