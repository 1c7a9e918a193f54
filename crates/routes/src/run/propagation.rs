//! Uncertainty of inputs, carried through one capability by seeded sampling.
//!
//! An input with a standard deviation is drawn from a normal distribution; one that cannot be
//! negative and whose deviation is more than three tenths of it from a log-normal one with the same
//! median, whose logarithm has the standard deviation asinh(deviation / median). The deviation of a
//! result is half the width of the middle 68.27 percent of the samples, which for a log-normal result
//! is median · sinh(σ), so that it reads back as the same σ in the next stage. Where a model states
//! its own scatter, that is drawn too.

use std::collections::BTreeMap;

use lahar_core::Quantity;
use lahar_core::capability::{Capability, PortKind, Value};
use lahar_hazards::error::HazardError;
use lahar_hazards::registry::Registration;
use lahar_hazards::uncertainty::{Distribution, Sampling, sample};

/// Share of the samples that lies within one standard deviation of a normal distribution's mean.
const WITHIN_ONE: f64 = 0.682_689_492_137_086;
/// Deviation over value from which a quantity that cannot be negative is drawn log-normally.
const SKEWED: f64 = 0.3;
/// Results with the output that holds the standard deviation of their natural logarithm.
const RESIDUALS: &[(&str, &str)] = &[
    ("volume", "ln_volume_standard_error"),
    ("displacement", "ln_displacement_deviation"),
];

/// What sampling says of the results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Carried {
    /// Standard deviations by output, in its unit.
    pub deviations: BTreeMap<String, Quantity>,
    /// Shares of samples by output and word.
    pub words: BTreeMap<String, BTreeMap<String, f64>>,
    /// Samples that gave no result.
    pub rejected: usize,
    /// Samples in all; none where nothing was sampled.
    pub samples: usize,
    /// Inputs whose deviation could not be carried, because grids are not sampled.
    pub left_out: Vec<String>,
}

/// Carries deviations of inputs, by port, to the results of one run.
pub fn carry(
    registration: &'static Registration,
    inputs: &BTreeMap<String, Value>,
    deviations: &BTreeMap<String, Quantity>,
    outputs: &BTreeMap<String, Value>,
) -> Result<Carried, HazardError> {
    let capability = &registration.capability;
    let scattered = RESIDUALS
        .iter()
        .any(|(result, scatter)| outputs.contains_key(*result) && outputs.contains_key(*scatter));
    let scalar = |value: &Value| matches!(value, Value::Quantity(_) | Value::Label(_));
    if !inputs.values().all(scalar) {
        return Ok(Carried {
            left_out: deviations.keys().cloned().collect(),
            ..Carried::default()
        });
    }
    let mut uncertain = BTreeMap::new();
    for (port, deviation) in deviations {
        if let Some(Value::Quantity(value)) = inputs.get(port) {
            uncertain.insert(
                port.clone(),
                distribution(capability, port, value, deviation)?,
            );
        }
    }
    if uncertain.is_empty() && !scattered {
        return Ok(Carried::default());
    }
    let sampling = Sampling::default();
    let spreads = sample(registration, inputs, &uncertain, RESIDUALS, sampling)?;
    let half = WITHIN_ONE / 2.0;
    let mut carried = Carried {
        words: spreads.words,
        rejected: spreads.rejected,
        samples: sampling.samples,
        ..Carried::default()
    };
    for (port, spread) in &spreads.numbers {
        let width = spread.quantile(0.5 + half) - spread.quantile(0.5 - half);
        if let Some(Value::Quantity(value)) = outputs.get(port)
            && width > 0.0
        {
            // A difference of two values has no offset.
            let unit = match value.unit().is_multiplicative() {
                true => value.unit().clone(),
                false => continue,
            };
            let deviation = Quantity::new(width / 2.0, unit);
            carried.deviations.insert(port.clone(), deviation);
        }
    }
    Ok(carried)
}

fn distribution(
    capability: &Capability,
    port: &str,
    value: &Quantity,
    deviation: &Quantity,
) -> Result<Distribution, HazardError> {
    let wrong = |error: lahar_core::QuantityError| HazardError::Contradiction(error.to_string());
    let declared = capability.inputs.iter().find(|known| known.name == port);
    let not_negative = declared.is_some_and(
        |known| matches!(known.kind, PortKind::Number { lowest, .. } if lowest >= 0.0),
    );
    if not_negative && value.value() > 0.0 && value.unit().is_multiplicative() {
        let share = deviation.convert(value.unit()).map_err(wrong)?.value() / value.value();
        if share > SKEWED {
            return Ok(Distribution::LogNormal {
                median: value.clone(),
                ln_deviation: share.asinh(),
            });
        }
    }
    Ok(Distribution::Normal {
        mean: value.clone(),
        deviation: deviation.clone(),
    })
}

#[cfg(test)]
mod tests {
    use lahar_hazards::registry;

    use super::*;

    fn run(name: &str, pairs: &[(&str, &str)], deviations: &[(&str, &str)]) -> Carried {
        let registration = registry::find(name).unwrap();
        let inputs = registry::quantities(pairs).unwrap();
        let outputs = registration.run(&inputs).unwrap().outputs;
        let deviations = deviations
            .iter()
            .map(|(port, text)| ((*port).to_owned(), text.parse().unwrap()))
            .collect();
        carry(registration, &inputs, &deviations, &outputs).unwrap()
    }

    #[test]
    fn a_models_own_scatter_reads_back_as_it_was_stated() {
        let basin = [
            ("rainfall_intensity", "24 mm/h"),
            ("burned_area", "2 km2"),
            ("relief", "800 m"),
        ];
        let carried = run("gartner-2014-emergency-volume", &basin, &[]);
        let registration = registry::find("gartner-2014-emergency-volume").unwrap();
        let report = registration
            .run(&registry::quantities(&basin).unwrap())
            .unwrap();
        let median = report.number("volume").unwrap();
        let sigma = (carried.deviations["volume"].value() / median).asinh();
        // Gartner and others (2014): residual standard error 1.04; a thousand samples.
        assert!((sigma - 1.04).abs() < 0.06, "{sigma}");
    }

    #[test]
    fn uncertain_rain_makes_an_uncertain_likelihood_and_certain_rain_none() {
        let basin = [
            ("rainfall", "6 mm"),
            ("duration", "15 min"),
            ("steep_burned_share", "0.5 fraction"),
            ("mean_dnbr", "400 1"),
            ("soil_erodibility", "0.2 fraction"),
        ];
        let name = "staley-2017-m1-likelihood";
        assert_eq!(run(name, &basin, &[]), Carried::default());
        let little = run(name, &basin, &[("rainfall", "0.5 mm")]).deviations;
        let much = run(name, &basin, &[("rainfall", "1 mm")]).deviations;
        let of = |found: &BTreeMap<String, Quantity>| found["likelihood"].value();
        // To first order twice the deviation of the rain is twice that of the likelihood.
        let ratio = of(&much) / of(&little);
        assert!((1.7..2.3).contains(&ratio), "{ratio}");
    }

    #[test]
    fn classes_come_with_shares() {
        let case = [("probability", "0.6 fraction"), ("volume", "10000 m3")];
        let deviations = [("probability", "0.1 fraction"), ("volume", "12000 m3")];
        let carried = run("cannon-2010-hazard-class", &case, &deviations);
        let shares = &carried.words["hazard_class"];
        assert!((shares.values().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(shares.len() >= 2, "{shares:?}");
    }
}
