//! The 227 debris-flow volumes that the Geological Survey measured after fires, against both
//! models of Gartner and others (2014) and a regression trained here.
//!
//! `cargo test -p lahar-hazards --test it volumes -- --nocapture` prints the table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lahar_core::Quantity;
use lahar_core::capability::{Value, VerdictStatus};
use lahar_formats::table::{self, Table};
use lahar_hazards::registry::{self, RunOptions};

const SPLITS: [&str; 3] = ["train", "val", "test"];

/// One measured flow.
struct Flow {
    split: usize,
    /// Natural logarithm of the volume in m³.
    ln_volume: f64,
    i15: f64,
    i60: f64,
    area: f64,
    burned_area: f64,
    severely_burned_area: f64,
    relief: f64,
    years: f64,
}

fn shared() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("LAHAR_SHARED").map_or_else(default, PathBuf::from)
}

fn flows_of(table: &Table, split: usize) -> Vec<Flow> {
    let column = |name: &str, unit: &str| {
        let column = table.column(name).unwrap();
        if unit.is_empty() {
            column.numbers()
        } else {
            column.numbers_in(unit)
        }
        .unwrap()
    };
    let (i15, i60) = (column("i15", "mm/h"), column("i60", "mm/h"));
    let (area, relief) = (column("Area", "km2"), column("Relief", "m"));
    let severe = column("AreaModHigh", "km2");
    let (share, years) = (column("FractionBurned", ""), column("TimeSinceFire", "yr"));
    let target = column("target", "");
    (0..table.rows())
        .map(|row| Flow {
            split,
            ln_volume: target[row].exp_m1().ln(),
            i15: i15[row],
            i60: i60[row],
            area: area[row],
            burned_area: share[row] * area[row],
            severely_burned_area: severe[row],
            relief: relief[row],
            years: years[row],
        })
        .collect()
}

fn inputs(pairs: &[(&str, f64, &str)]) -> BTreeMap<String, Value> {
    let value = |(name, value, unit): &(&str, f64, &str)| {
        (
            (*name).to_owned(),
            Value::Quantity(Quantity::of(*value, unit).unwrap()),
        )
    };
    pairs.iter().map(value).collect()
}

/// What a model says of a flow: ln V with its interval, and how its conditions stand.
struct Estimate {
    ln: f64,
    interval: (f64, f64),
    verdicts: Vec<(String, VerdictStatus)>,
}

fn estimate(name: &str, inputs: &BTreeMap<String, Value>) -> Option<Estimate> {
    let options = RunOptions {
        allow_outside: true,
    };
    let report = registry::find(name)
        .unwrap()
        .run_with(inputs, &options)
        .ok()?;
    let ln = |port: &str| report.number(port).unwrap().ln();
    assert!(report.checks.iter().all(|check| check.holds));
    Some(Estimate {
        ln: ln("volume"),
        interval: (ln("volume_lower"), ln("volume_upper")),
        verdicts: report
            .conditions
            .iter()
            .map(|v| (v.variable.clone(), v.status))
            .collect(),
    })
}

fn emergency(flow: &Flow) -> Option<Estimate> {
    estimate(
        "gartner-2014-emergency-volume",
        &inputs(&[
            ("rainfall_intensity", flow.i15, "mm/h"),
            ("burned_area", flow.severely_burned_area, "km2"),
            ("relief", flow.relief, "m"),
            ("time_since_fire", flow.years, "yr"),
        ]),
    )
}

fn long_term(flow: &Flow) -> Option<Estimate> {
    estimate(
        "gartner-2014-long-term-volume",
        &inputs(&[
            ("rainfall_intensity", flow.i60, "mm/h"),
            ("burned_area", flow.burned_area, "km2"),
            ("time_since_fire", flow.years, "yr"),
            ("basin_area", flow.area, "km2"),
            ("relief", flow.relief, "m"),
        ]),
    )
}

/// Features of the trained baseline: rain, area, severely burned area, relief.
fn features(flow: &Flow) -> [f64; 5] {
    // Areas are rounded to 0.01 km² in the table, so half of that stands for zero.
    let floor = |area: f64| area.max(0.005).ln();
    [
        1.0,
        flow.i15.sqrt(),
        floor(flow.area),
        floor(flow.severely_burned_area),
        flow.relief.sqrt(),
    ]
}

/// Least squares by the normal equations, with a little ridge that leaves the intercept alone.
fn fit(flows: &[&Flow]) -> [f64; 5] {
    let mut a = [[0.0; 6]; 5];
    for flow in flows {
        let x = features(flow);
        for i in 0..5 {
            for j in 0..5 {
                a[i][j] += x[i] * x[j];
            }
            a[i][5] += x[i] * flow.ln_volume;
        }
    }
    for (i, row) in a.iter_mut().enumerate().skip(1) {
        row[i] += 0.1;
    }
    for pivot in 0..5 {
        let best = (pivot..5).max_by(|i, j| a[*i][pivot].abs().total_cmp(&a[*j][pivot].abs()));
        a.swap(pivot, best.unwrap());
        let lead = a[pivot];
        for (_, row) in a.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            let factor = row[pivot] / lead[pivot];
            for (value, above) in row.iter_mut().zip(lead) {
                *value -= factor * above;
            }
        }
    }
    std::array::from_fn(|i| a[i][5] / a[i][i])
}

#[derive(Clone, Copy, Default)]
struct Errors {
    count: usize,
    bias: f64,
    absolute: f64,
    square: f64,
    inside: usize,
}

impl Errors {
    fn of<'a>(pairs: impl Iterator<Item = (&'a Flow, f64, (f64, f64))>) -> Errors {
        let mut errors = Errors::default();
        for (flow, ln, (low, high)) in pairs {
            let error = ln - flow.ln_volume;
            errors.count += 1;
            errors.bias += error;
            errors.absolute += error.abs();
            errors.square += error * error;
            errors.inside += usize::from(low <= flow.ln_volume && flow.ln_volume <= high);
        }
        let n = errors.count.max(1) as f64;
        errors.bias /= n;
        errors.absolute /= n;
        errors.square = (errors.square / n).sqrt();
        errors
    }

    fn line(&self, name: &str) -> String {
        format!(
            "{name:<32} n {:>3}  bias {:+.2}  mean |error| {:.2}  rms {:.2}  inside 95 % interval {:.0} %",
            self.count,
            self.bias,
            self.absolute,
            self.square,
            100.0 * self.inside as f64 / self.count.max(1) as f64
        )
    }
}

// The table is the point of running this by hand.
#[allow(clippy::print_stdout, clippy::print_stderr)]
#[test]
fn measured_volumes_against_models_and_a_trained_baseline() {
    let folder = shared().join("hwb/postfire_volumes");
    if !folder.is_dir() {
        eprintln!("SKIPPED measured_volumes: {} is not here", folder.display());
        return;
    }
    let flows: Vec<Flow> = SPLITS
        .iter()
        .enumerate()
        .flat_map(|(at, split)| {
            flows_of(
                &table::read_from(&folder.join(format!("{split}.csv"))).unwrap(),
                at,
            )
        })
        .collect();
    assert_eq!(flows.len(), 227);

    let training: Vec<&Flow> = flows.iter().filter(|flow| flow.split == 0).collect();
    let weights = fit(&training);
    let trained = |flow: &Flow| {
        features(flow)
            .iter()
            .zip(weights)
            .map(|(x, w)| x * w)
            .sum::<f64>()
    };
    let spread = Errors::of(training.iter().map(|f| (*f, trained(f), (0.0, 0.0)))).square;
    type Model<'a> = (&'a str, Vec<Option<Estimate>>);
    let baseline = |flow: &Flow| {
        let ln = trained(flow);
        let interval = (ln - 1.96 * spread, ln + 1.96 * spread);
        Some(Estimate {
            ln,
            interval,
            verdicts: Vec::new(),
        })
    };
    let models: [Model; 3] = [
        (
            "Gartner 2014 emergency",
            flows.iter().map(emergency).collect(),
        ),
        (
            "Gartner 2014 long-term",
            flows.iter().map(long_term).collect(),
        ),
        (
            "trained on the training split",
            flows.iter().map(baseline).collect(),
        ),
    ];
    // Groups of equal rainfall: quarters of the flows by their 15-minute intensity.
    let mut rain: Vec<f64> = flows.iter().map(|flow| flow.i15).collect();
    rain.sort_by(f64::total_cmp);
    let limits = [1, 2, 3].map(|quarter| rain[quarter * rain.len() / 4]);
    let group = |flow: &Flow| limits.iter().filter(|limit| flow.i15 >= **limit).count();

    let errors = |estimates: &[Option<Estimate>], keep: &dyn Fn(&Flow) -> bool| {
        let pairs = flows.iter().zip(estimates).filter(|(flow, _)| keep(flow));
        Errors::of(pairs.filter_map(|(f, e)| e.as_ref().map(|e| (f, e.ln, e.interval))))
    };
    println!("natural logarithm of the volume, estimate minus measurement");
    for (name, estimates) in &models {
        for (at, split) in SPLITS.iter().enumerate() {
            let line = errors(estimates, &|flow| flow.split == at);
            println!("{}", line.line(&format!("{name}, {split}")));
        }
        for quarter in 0..4 {
            let low = if quarter == 0 {
                rain[0]
            } else {
                limits[quarter - 1]
            };
            let line = errors(estimates, &|flow| group(flow) == quarter);
            println!("{}", line.line(&format!("  rain from {low} mm/h")));
        }
        let mut verdicts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (variable, status) in estimates.iter().flatten().flat_map(|e| &e.verdicts) {
            let status = format!("{status:?}").to_lowercase();
            *verdicts.entry((variable.clone(), status)).or_default() += 1;
        }
        for ((variable, status), count) in verdicts {
            println!("  condition on {variable}: {status} for {count}");
        }
    }

    // A basin whose severely burned area is rounded to nothing has no emergency volume.
    let unburned = flows
        .iter()
        .filter(|flow| flow.severely_burned_area == 0.0)
        .count();
    assert_eq!(models[0].1.iter().filter(|e| e.is_none()).count(), unburned);
    // The table gives no place, so nothing can be said of the region.
    for estimate in models[0].1.iter().flatten() {
        let region = estimate
            .verdicts
            .iter()
            .find(|(variable, _)| variable == "region")
            .unwrap();
        assert_eq!(region.1, VerdictStatus::Undetermined);
    }
    let old = flows
        .iter()
        .zip(&models[0].1)
        .filter(|(flow, _)| flow.years > 2.0);
    for (_, estimate) in old {
        let Some(estimate) = estimate else { continue };
        let age = estimate
            .verdicts
            .iter()
            .find(|(variable, _)| variable == "time_since_fire");
        assert_eq!(age.unwrap().1, VerdictStatus::Violated);
    }
    // Trained on 127 flows, the baseline must at least beat the mean of the training volumes on
    // the flows it has not seen.
    let mean = training.iter().map(|f| f.ln_volume).sum::<f64>() / training.len() as f64;
    let unseen = |flow: &Flow| flow.split > 0;
    let naive = Errors::of(
        flows
            .iter()
            .filter(|f| unseen(f))
            .map(|f| (f, mean, (0.0, 0.0))),
    );
    let learned = errors(&models[2].1, &unseen);
    assert!(
        learned.square < naive.square,
        "{} {}",
        learned.square,
        naive.square
    );
}
