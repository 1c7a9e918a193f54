//! The crate from outside: published models reproduced, the registry, measured volumes.

mod flood;
mod registry;
mod reproduces;
mod transformations;
mod uncertainty;
mod volumes;
