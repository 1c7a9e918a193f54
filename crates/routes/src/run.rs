//! Running a workflow and keeping what it gave: worker processes, artifacts, report, record.
//!
//! | module | holds |
//! |---|---|
//! | [`analysis`] | a finished analysis, and its folder |
//! | [`artifact`] | artifacts as files that others can read |
//! | [`mod@carry_out`] | from a task to its folder, and the same again from a record |
//! | [`exchange`] | values of ports as a folder of files, whole or not at all |
//! | [`inputs`] | a task with its files beside it |
//! | [`quotes`] | sentences of the library, kept with the analysis |
//! | [`page`] | from an analysis to what its report says |
//! | [`worker`] | the process that runs one capability |
//! | [`local`] | the executor of one machine |
//! | [`process`] | starting that process with limits, and how it ended |
//! | [`staging`] | files and folders that appear whole or not at all |
//! | [`propagation`] | uncertainty of inputs, carried to results |
//! | [`figure`] | maps and charts as SVG |
//! | [`report`] | the one-page report |
//! | [`record`] | the run record: a Provenance Run Crate with PROV |
//! | [`markup`] | others' words on a page |

pub mod analysis;
pub mod artifact;
pub mod carry_out;
pub mod exchange;
pub mod figure;
pub mod inputs;
pub mod local;
pub mod markup;
pub mod page;
pub mod process;
pub mod propagation;
pub mod quotes;
pub mod record;
pub mod report;
pub mod staging;
pub mod worker;
