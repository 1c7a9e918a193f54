//! Question sets, metrics and checks. Nothing on the way from a question to an answer uses this
//! crate; only the `bench` commands and tests do. It prints nothing and knows no store: a method
//! under test is a closure.
//!
//! | module | holds |
//! |---|---|
//! | [`questions`] | question sets: what is asked, kept apart from the key to it |
//! | [`run`] | asking a method every question, with times and progress |
//! | [`retrieval`] | whether and on which rank the evidence came back; recall, reciprocal rank, nDCG |
//! | [`graded`] | labels of true/false and multiple choice questions against the key |
//! | [`interval`] | 95 % bootstrap intervals, paired for differences |
//! | [`report`] | what a run found: JSON for programs, tables for people, methods side by side |
//! | [`labels`] | hazard labels of documents against a manifest |
//! | [`geo`] | answers on open questions against the key: decisions, warnings, claims, stability, preference |
//! | [`swaps`] | the swap benchmark: questions asked of many places, and a corpus to answer some from |
//! | [`episodes`] | scripted episodes of the agent, and certificates re-checked |
//! | [`conditions`] | conditions of methods found in labelled sentences: precision and recall for each role |
//! | [`citations`] | whether quotes stand in the stored text where they are said to |
//! | [`builder`] | question sets built by rules from a library, with what can be guessed in them |
//! | [`side_by_side`] | methods on one set: paired tests, retrieval apart from answering, Markdown and SVG |

pub mod builder;
pub mod citations;
pub mod conditions;
mod draw;
pub mod episodes;
pub mod error;
pub mod geo;
pub mod graded;
pub mod interval;
pub mod labels;
pub mod questions;
pub mod report;
pub mod retrieval;
pub mod run;
pub mod side_by_side;
pub mod swaps;

pub use error::Error;
pub use graded::{Given, Graded, Ground, run_labels};
pub use questions::{Item, QueryForm, Question, read_items};
pub use report::{Comparison, Report, table};
pub use run::{Progress, run_qa};
