//! The crate from outside: published models reproduced, the registry, measured volumes.

mod bad_input;
mod flood;
mod registry;
mod reproduces;
mod transformations;
mod uncertainty;
mod units;
mod volumes;
mod wildfire;
