//! Uncertainty of inputs, carried through any capability by seeded sampling.

use std::collections::BTreeMap;

use lahar_core::capability::Value;
use lahar_core::{Quantity, RandomStream};

use crate::error::HazardError;
use crate::parallel;
use crate::registry::{Registration, RunOptions};

/// What is known of an uncertain input.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Distribution {
    /// Normal, with a standard deviation in a unit of its own (`delta_degC`, for instance).
    Normal {
        /// Mean.
        mean: Quantity,
        /// Standard deviation.
        deviation: Quantity,
    },
    /// Its natural logarithm is normal.
    LogNormal {
        /// Median.
        median: Quantity,
        /// Standard deviation of the natural logarithm.
        ln_deviation: f64,
    },
    /// Anything between two limits.
    Uniform {
        /// Lowest.
        lowest: Quantity,
        /// Highest.
        highest: Quantity,
    },
}

impl Distribution {
    fn draw(&self, stream: &mut RandomStream) -> Result<Quantity, HazardError> {
        let of = |unit: &Quantity, value: f64| Quantity::new(value, unit.unit().clone());
        let wrong =
            |error: lahar_core::QuantityError| HazardError::Contradiction(error.to_string());
        Ok(match self {
            Distribution::Normal { mean, deviation } => {
                // A deviation has no offset, so its SI value is a difference.
                if !deviation.unit().is_multiplicative()
                    || deviation.dimension() != mean.dimension()
                {
                    return Err(HazardError::Contradiction(format!(
                        "{deviation} is no standard deviation of {mean}"
                    )));
                }
                let si = mean.si() + deviation.si() * stream.normal();
                of(mean, mean.unit().value_from_si(si))
            }
            Distribution::LogNormal {
                median,
                ln_deviation,
            } => of(
                median,
                median.value() * (ln_deviation * stream.normal()).exp(),
            ),
            Distribution::Uniform { lowest, highest } => {
                let top = highest.convert(lowest.unit()).map_err(wrong)?.value();
                of(
                    lowest,
                    lowest.value() + (top - lowest.value()) * stream.uniform(),
                )
            }
        })
    }
}

/// How to sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// How many samples.
    pub samples: usize,
    /// The seed; the same seed gives the same bits.
    pub seed: u64,
    /// How many threads; the result does not depend on it.
    pub threads: usize,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            samples: 1000,
            seed: 42,
            threads: 1,
        }
    }
}

/// What samples of an output say.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The samples that gave a result, lowest first, in the unit of the output.
    sorted: Vec<f64>,
}

impl Spread {
    /// The value that a share of the samples does not exceed, by linear interpolation.
    pub fn quantile(&self, share: f64) -> f64 {
        let Some(last) = self.sorted.len().checked_sub(1) else {
            return f64::NAN;
        };
        let at = share.clamp(0.0, 1.0) * last as f64;
        let (low, part) = (at.floor() as usize, at.fract());
        let high = (low + 1).min(last);
        self.sorted[low] + part * (self.sorted[high] - self.sorted[low])
    }

    /// The middle 95 percent.
    pub fn interval_95(&self) -> (f64, f64) {
        (self.quantile(0.025), self.quantile(0.975))
    }

    /// How many samples gave a result.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }
}

/// What sampling gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Spreads {
    /// Numbers by output.
    pub numbers: BTreeMap<String, Spread>,
    /// Words by output, with the share of samples that gave each.
    pub words: BTreeMap<String, BTreeMap<String, f64>>,
    /// Samples that gave no result because an input was drawn outside what can be.
    pub rejected: usize,
}

/// Runs a capability on inputs drawn from distributions.
///
/// Sample i draws from its own random stream, the uncertain inputs in the order of their names, so
/// the result has the same bits for every number of threads. Conditions do not stop samples; a
/// draw beyond physical limits gives none and is counted.
///
/// `residuals` names outputs with the output that holds the standard deviation of their natural
/// logarithm: the model's own scatter is then drawn too.
pub fn sample(
    registration: &'static Registration,
    inputs: &BTreeMap<String, Value>,
    uncertain: &BTreeMap<String, Distribution>,
    residuals: &[(&str, &str)],
    sampling: Sampling,
) -> Result<Spreads, HazardError> {
    let one = |index: usize| -> Result<Option<BTreeMap<String, Value>>, HazardError> {
        let mut stream = RandomStream::new(sampling.seed, index as u64);
        let mut drawn = inputs.clone();
        for (name, distribution) in uncertain {
            drawn.insert(
                name.clone(),
                Value::Quantity(distribution.draw(&mut stream)?),
            );
        }
        let options = RunOptions {
            allow_outside: true,
        };
        let mut outputs = match registration.run_with(&drawn, &options) {
            Ok(report) => report.outputs,
            Err(HazardError::OutsideRange { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        for (output, deviation) in residuals {
            let scatter = match outputs.get(*deviation) {
                Some(Value::Quantity(quantity)) => quantity.value() * stream.normal(),
                _ => continue,
            };
            if let Some(Value::Quantity(quantity)) = outputs.get_mut(*output) {
                let value = quantity.value() * scatter.exp();
                *quantity = Quantity::new(value, quantity.unit().clone());
            }
        }
        Ok(Some(outputs))
    };
    let results = parallel::map(sampling.samples, sampling.threads, one);
    let mut spreads = Spreads {
        numbers: BTreeMap::new(),
        words: BTreeMap::new(),
        rejected: 0,
    };
    for result in results {
        let Some(outputs) = result? else {
            spreads.rejected += 1;
            continue;
        };
        for (name, value) in outputs {
            match value {
                Value::Quantity(quantity) => {
                    let spread = spreads
                        .numbers
                        .entry(name)
                        .or_insert(Spread { sorted: Vec::new() });
                    spread.sorted.push(quantity.value());
                }
                Value::Label(word) => {
                    *spreads
                        .words
                        .entry(name)
                        .or_default()
                        .entry(word)
                        .or_default() += 1.0;
                }
                _ => {}
            }
        }
    }
    for spread in spreads.numbers.values_mut() {
        spread.sorted.sort_by(f64::total_cmp);
    }
    for shares in spreads.words.values_mut() {
        let total: f64 = shares.values().sum();
        shares.values_mut().for_each(|count| *count /= total);
    }
    Ok(spreads)
}
