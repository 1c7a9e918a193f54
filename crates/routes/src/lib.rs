//! Routes.

pub mod run;
