//! A storm over ground from dry to the end of the run, by either solver.

use lahar_core::Grid;

use super::balance::Balance;
use super::domain::{Forcing, Ground};
use super::{local_inertial, shallow_water};
use crate::error::HazardError;

/// Which equations are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equations {
    /// Without advection.
    LocalInertial,
    /// In full.
    ShallowWater,
}

/// What a storm did.
#[derive(Debug, Clone, PartialEq)]
pub struct Flood {
    /// Depth at the end, in metres.
    pub depth: Grid,
    /// Highest depth.
    pub highest: Grid,
    /// Highest speed, in m/s.
    pub fastest: Grid,
    /// Seconds until the water came; no data where it never did.
    pub arrival: Grid,
    /// Seconds under water.
    pub duration: Grid,
    /// Water that left over the edges, in m³/s, as the mean of each report step.
    pub outflow: Vec<f64>,
    /// Where all the water went.
    pub balance: Balance,
    /// Highest ratio of the water's speed to that of its waves at the ends of report steps.
    pub highest_froude: f64,
}

/// A run of one of the solvers.
enum Solver {
    LocalInertial(Box<local_inertial::Run>),
    ShallowWater(Box<shallow_water::Run>),
}

impl Solver {
    fn until(&mut self, end: f64, forcing: &Forcing) -> Result<(), HazardError> {
        match self {
            Solver::LocalInertial(run) => run.until(end, forcing, |_| {}),
            Solver::ShallowWater(run) => run.until(end, forcing, |_| {}),
        }
    }

    fn balance(&self) -> Balance {
        match self {
            Solver::LocalInertial(run) => run.balance(),
            Solver::ShallowWater(run) => run.balance(),
        }
    }

    fn highest_froude(&self) -> f64 {
        match self {
            Solver::LocalInertial(run) => run.highest_froude(),
            Solver::ShallowWater(run) => run.highest_froude(),
        }
    }
}

/// Runs a storm over dry ground for `duration` seconds and reports the outflow every
/// `report_step` seconds. Threads change no bit.
pub fn storm(
    equations: Equations,
    ground: Ground,
    forcing: &Forcing,
    duration: f64,
    report_step: f64,
    threads: usize,
) -> Result<Flood, HazardError> {
    if !(duration > 0.0 && duration.is_finite() && report_step > 0.0) {
        return Err(HazardError::Contradiction(format!(
            "a run of {duration} s with a report every {report_step} s has nothing to do; both \
             must be above zero"
        )));
    }
    forcing.check(&ground, duration)?;
    let dry = ground.grid(&vec![0.0; ground.rows * ground.columns]);
    let dry = dry.map(|depth| if depth.is_nan() { 0.0 } else { depth });
    let mut solver = match equations {
        Equations::LocalInertial => {
            let settings = local_inertial::Settings {
                threads,
                ..local_inertial::Settings::default()
            };
            let run = local_inertial::Run::new(ground, &dry, settings)?;
            Solver::LocalInertial(Box::new(run.gathering()))
        }
        Equations::ShallowWater => {
            let settings = shallow_water::Settings {
                threads,
                ..shallow_water::Settings::default()
            };
            let run = shallow_water::Run::new(ground, &dry, settings)?;
            Solver::ShallowWater(Box::new(run.gathering()))
        }
    };
    let reports = (duration / report_step).ceil() as usize;
    let mut outflow = Vec::with_capacity(reports);
    let mut highest_froude = 0.0_f64;
    let mut left = 0.0;
    for report in 1..=reports {
        let end = (report as f64 * report_step).min(duration);
        let begin = (report - 1) as f64 * report_step;
        solver.until(end, forcing)?;
        let now = -solver.balance().edges;
        outflow.push((now - left) / (end - begin));
        left = now;
        highest_froude = highest_froude.max(solver.highest_froude());
    }
    let balance = solver.balance();
    let gathered = match &solver {
        Solver::LocalInertial(run) => run.footprint().map(|f| (f, run.ground(), run.depth())),
        Solver::ShallowWater(run) => run.footprint().map(|f| (f, run.ground(), run.depth())),
    };
    let Some((footprint, ground, depth)) = gathered else {
        return Err(HazardError::Contradiction(
            "the run gathered nothing".to_owned(),
        ));
    };
    Ok(Flood {
        depth,
        highest: footprint.depth(ground),
        fastest: footprint.speed(ground),
        arrival: footprint.arrival(ground),
        duration: footprint.duration(ground),
        outflow,
        balance,
        highest_froude,
    })
}
