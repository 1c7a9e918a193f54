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
//! | [`sentence`] | a task out of a sentence |
//! | [`state`] | what is at hand at a step: immutable, versioned, changed by events alone |
//! | [`card`] | one route family: conditions with citation and fingerprint, stages, contract |
//! | [`mod@compile`] | candidate conditions out of sentences of the user's library |
//! | [`port`] | what a value is: variable, unit, representation, supports, resolution |
//! | [`verdict`] | three-valued truth, what was found about a condition and a route |
//! | [`evidence`] | sentences of the user's library that state conditions, by fingerprint |
//! | [`applicability`] | whether a route may be used: each condition on what is at hand |
//! | [`graph`] | whether a route can be run: typed ports, transformations, backward search |
//! | [`agent`] | commits to an eligible route, runs it, revises, abstains with proof |
//! | [`executor`] | running one capability; what the world answers |
//! | [`run`] | worker processes, artifacts, report, record, replay |
//! | [`trajectory`] | every step of a run, commitments, the artifact or the certificate |
//! | [`vocabulary`] | the names of variables, and which is a kind of which |
//! | [`lint`] | whether a card says what can be true |
//! | [`fields`] | TOML read key by key, with the line of what is wrong |
//! | [`error`] | what can go wrong, where, why, and the next step |

pub mod agent;
pub mod applicability;
pub mod card;
pub mod compile;
pub mod error;
pub mod evidence;
pub mod executor;
pub mod fields;
pub mod graph;
pub mod lint;
pub mod port;
pub mod run;
pub mod sentence;
pub mod state;
pub mod task;
pub mod trajectory;
pub mod verdict;
pub mod vocabulary;

pub use agent::{Agent, Policy};
pub use card::{Card, Condition, Fingerprint};
pub use error::RoutesError;
pub use evidence::QuoteBook;
pub use executor::Executor;
pub use graph::Registry;
pub use port::{PortType, PortUnit, Representation};
pub use state::{Artifact, Change, State};
pub use task::Task;
pub use trajectory::Trajectory;
pub use verdict::{Truth, Verdict};
