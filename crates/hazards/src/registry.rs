//! All capabilities of this crate by name, and running them from values with units.
//!
//! | module | holds |
//! |---|---|
//! | `arguments` | values to arguments in a capability's own units |
//! | `conditions` | whether conditions hold |
//! | [`run`] | one run, or one a cell, and the checks of what comes out |
//!
//! ```
//! use lahar_hazards::registry;
//! let inputs = [
//!     ("rainfall", "6 mm"), ("duration", "15 min"), ("steep_burned_share", "50 %"),
//!     ("mean_dnbr", "400 1"), ("soil_erodibility", "0.2 fraction"),
//! ];
//! let inputs = registry::quantities(&inputs).unwrap();
//! let report = registry::find("staley-2017-m1-likelihood").unwrap().run(&inputs).unwrap();
//! assert!(report.outputs.contains_key("likelihood"));
//! // Nothing was said of the region, so that condition is open, and the report says so.
//! assert!(report.undetermined().any(|verdict| verdict.variable == "region"));
//! ```

pub(crate) mod arguments;
mod conditions;
pub mod run;

use std::collections::BTreeMap;

use lahar_core::capability::{Availability, Capability, Value};
use lahar_core::{Quantity, QuantityError};

use crate::error::HazardError;
pub use arguments::ANY_UNIT;
pub use run::{Report, RunOptions};

/// A capability with the function that runs it.
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// What it says of itself.
    pub capability: Capability,
    pub(crate) evaluate: run::Evaluate,
}

impl Registration {
    /// Runs it; strict conditions that are violated stop the run.
    pub fn run(&'static self, inputs: &BTreeMap<String, Value>) -> Result<Report, HazardError> {
        run::run(self, inputs, &RunOptions::default())
    }

    /// Runs it with options.
    pub fn run_with(
        &'static self,
        inputs: &BTreeMap<String, Value>,
        options: &RunOptions,
    ) -> Result<Report, HazardError> {
        run::run(self, inputs, options)
    }

    /// Whether it can be run at all.
    pub fn is_available(&self) -> bool {
        self.capability.availability == Availability::Available
    }
}

/// Every registration, in the order of tracks and names.
pub fn all() -> impl Iterator<Item = &'static Registration> {
    let tracks = [
        crate::postfire_debris_flow::registered::ALL,
        crate::ground_failure::registered::ALL,
        crate::flood::registered::ALL,
        crate::landslide::registered::ALL,
        crate::wildfire::registered::ALL,
        crate::heatwave::registered::ALL,
        crate::transformation::registered::ALL,
    ];
    tracks.into_iter().flatten()
}

/// The registration of a name.
pub fn find(name: &str) -> Result<&'static Registration, HazardError> {
    all().find(|r| r.capability.name == name).ok_or_else(|| {
        let close = all()
            .map(|r| r.capability.name)
            .filter(|known| {
                let mut words = name.split('-').filter(|word| word.len() > 2);
                words.any(|word| known.contains(word))
            })
            .collect::<Vec<_>>();
        HazardError::UnknownCapability {
            name: name.to_owned(),
            hint: match close.is_empty() {
                true => "; list them with `lahar capabilities list`".to_owned(),
                false => format!("; did you mean one of: {}", close.join(", ")),
            },
        }
    })
}

/// Inputs from names and written quantities, such as `("rainfall", "6 mm")`.
pub fn quantities(pairs: &[(&str, &str)]) -> Result<BTreeMap<String, Value>, QuantityError> {
    let read = |(name, text): &(&str, &str)| {
        let quantity: Quantity = text.parse()?;
        Ok(((*name).to_owned(), Value::Quantity(quantity)))
    };
    pairs.iter().map(read).collect()
}
