//! Newmark's rigid block, integrated through a recorded acceleration.

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Length, Span};

use crate::error::{HazardError, Limit};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Newmark",
    year: 1965,
    doi: "doi:10.1680/geot.1965.15.2.139",
    place: "rigid-plastic sliding block",
};

const CRITICAL: Limit = Limit::new("critical_acceleration", "g", 0.0, 10.0, SOURCE).above_lowest();
const STEP: Limit = Limit::new("time_step", "s", 0.0, 1.0, SOURCE).above_lowest();
const RECORD: Limit = Limit::new("acceleration", "g", -20.0, 20.0, SOURCE);

/// Displacement of a rigid block on a plane that is shaken.
///
/// While the ground accelerates downslope by more than `ac`, and until the block has come to rest,
/// `d²x/dt² = a(t) - ac` (Newmark 1965, doi:10.1680/geot.1965.15.2.139). The record is taken as
/// straight between samples, and each step is integrated exactly, with the moments at which the
/// block starts and stops; it moves downslope only.
///
/// Inputs: accelerations parallel to the slope in multiples of gravity, positive where they push
/// the block downslope; the time between them (s, more than 0, at most 1); the critical
/// acceleration, more than 0.
///
/// Output: the displacement when the record ends.
///
/// Not for soft or deep masses whose own period is more than a fifth of the shaking's mean period,
/// not where pore pressure rises or strength falls while it slides. One direction of a record
/// gives one answer, its reverse another: run both.
///
/// ```
/// use lahar_core::measure::{Acceleration, Span};
/// use lahar_hazards::ground_failure::rigid_sliding_block::displacement;
/// // A pulse of 0.3 g for one second over 0.1 g: the block gains 0.2 g · 1 s, then loses 0.1 g a
/// // second for two seconds: x = 0.5 · 0.2 g + (0.2 g)² / (2 · 0.1 g) = 0.3 g · s².
/// let mut record = vec![0.3; 10_001];
/// record.resize(40_000, 0.0);
/// let x = displacement(&record, Span::seconds(1e-4), Acceleration::g(0.1)).unwrap();
/// assert!((x.si() / (0.3 * 9.80665) - 1.0).abs() < 1e-3);
/// ```
pub fn displacement(
    record: &[f64],
    step: Span,
    critical: Acceleration,
) -> Result<Length, HazardError> {
    let critical = CRITICAL.check(critical.to_g())?;
    let step = STEP.check(step.to_seconds())?;
    for &value in record {
        RECORD.check(value)?;
    }
    // In units of g until the end.
    let (mut velocity, mut position) = (0.0, 0.0);
    for pair in record.windows(2) {
        let excess = [pair[0] - critical, pair[1] - critical];
        (velocity, position) = advance(excess, step, velocity, position);
    }
    Ok(Length::metres(position * Acceleration::g(1.0).si()))
}

/// Speed below which [`displacement_at_samples`] counts the block as resting, in m/s.
const RESTING: f64 = 1e-5;

/// Displacement of a rigid block by the rule of Jibson's programs: velocity and displacement by
/// trapezoids from sample to sample.
///
/// The same block as in [`displacement`], with the scheme of the Geological Survey's SLAMMER and
/// its successors, so that results can be compared digit by digit. It does not see the moment
/// between samples at which the block starts or stops: with few samples a pulse it is off by a
/// percent or so.
///
/// Inputs and output as in [`displacement`].
///
/// ```
/// use lahar_core::measure::{Acceleration, Span};
/// use lahar_hazards::ground_failure::rigid_sliding_block::*;
/// let record: Vec<f64> = (0..400).map(|i| 0.4 * (f64::from(i) * 0.05).sin()).collect();
/// let (step, critical) = (Span::seconds(0.005), Acceleration::g(0.1));
/// let exact = displacement(&record, step, critical).unwrap().si();
/// let at_samples = displacement_at_samples(&record, step, critical).unwrap().si();
/// assert!((at_samples / exact - 1.0).abs() < 2e-3);
/// ```
pub fn displacement_at_samples(
    record: &[f64],
    step: Span,
    critical: Acceleration,
) -> Result<Length, HazardError> {
    CRITICAL.check(critical.to_g())?;
    let critical = critical.to_metres_per_second_squared();
    let half = STEP.check(step.to_seconds())? / 2.0;
    let (mut velocity, mut position, mut before) = (0.0, 0.0, 0.0);
    for &value in record {
        let ground = Acceleration::g(RECORD.check(value)?).to_metres_per_second_squared();
        let excess = match ground {
            a if velocity >= RESTING || a > critical => a - critical,
            a if a < -critical => a + critical,
            _ => 0.0,
        };
        let next = velocity + half * (excess + before);
        if next > 0.0 {
            position += half * (velocity + next);
            (velocity, before) = (next, excess);
        } else {
            (velocity, before) = (0.0, 0.0);
        }
    }
    Ok(Length::metres(position))
}

/// One step with an excess acceleration that goes straight from its first to its second value.
fn advance(excess: [f64; 2], step: f64, mut velocity: f64, mut position: f64) -> (f64, f64) {
    let rate = (excess[1] - excess[0]) / step;
    let mut at = 0.0;
    if velocity <= 0.0 {
        // Resting: it starts where the excess becomes positive.
        if excess[0] <= 0.0 {
            if excess[1] <= 0.0 {
                return (0.0, position);
            }
            at = -excess[0] / rate;
        }
        velocity = 0.0;
    }
    // From `at` on it slides with v(t) = v + a t + r t²/2, where a is the excess at `at`.
    let start = excess[0] + rate * at;
    let left = step - at;
    let stop = first_stop(velocity, start, rate, left);
    let t = stop.unwrap_or(left);
    position += velocity * t + start * t * t / 2.0 + rate * t * t * t / 6.0;
    velocity += start * t + rate * t * t / 2.0;
    match stop {
        None => (velocity.max(0.0), position),
        // It may start again inside the same step, when the excess is still to become positive.
        Some(t) if excess[1] > 0.0 && start + rate * t <= 0.0 => {
            let again = at + t;
            advance(
                [excess[0] + rate * again, excess[1]],
                step - again,
                0.0,
                position,
            )
        }
        Some(_) => (0.0, position),
    }
}

/// The first time after the start at which `v + a t + r t²/2` falls to zero, inside a span.
fn first_stop(v: f64, a: f64, r: f64, span: f64) -> Option<f64> {
    let discriminant = a * a - 2.0 * r * v;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    // The two zeros in the form that does not cancel.
    let q = -(a + a.signum() * root);
    let zeros = [
        if r == 0.0 { f64::NAN } else { q / r },
        if q == 0.0 { f64::NAN } else { 2.0 * v / q },
    ];
    let falling = |t: &f64| *t > 0.0 && *t < span && a + r * t < 0.0;
    zeros.into_iter().filter(falling).reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn run(record: &[f64], step: f64, critical: f64) -> f64 {
        displacement(record, Span::seconds(step), Acceleration::g(critical))
            .unwrap()
            .si()
    }

    #[test]
    fn a_triangle_has_a_closed_form() {
        // Excess grows from 0 to 0.1 g in 1 s and falls back in 1 s: v = 0.1 g; x = 0.1 g (after
        // 1/6 + 1/2 - 1/6 + 1/6 ... by symmetry the mean speed is half the last one).
        let record = [0.1, 0.2, 0.1, 0.1];
        let g = 9.80665;
        // Then it slides on at constant speed for one second, the excess being zero.
        let expected = 0.1 * g * 1.0 + 0.1 * g * 1.0;
        assert!((run(&record, 1.0, 0.1) - expected).abs() < 1e-12);
    }

    #[test]
    fn nothing_moves_below_the_critical_acceleration() {
        assert_eq!(run(&[0.0, 0.09, -0.5, 0.1, 0.0], 0.01, 0.1), 0.0);
        assert_eq!(run(&[], 0.01, 0.1), 0.0);
    }

    #[test]
    fn a_gap_in_the_record_is_refused() {
        let step = Span::seconds(0.01);
        assert!(displacement(&[0.1, f64::NAN], step, Acceleration::g(0.1)).is_err());
        assert!(displacement(&[0.1, 0.2], step, Acceleration::g(0.0)).is_err());
        // Given in cm/s² instead of g.
        assert!(displacement(&[120.0, 250.0], step, Acceleration::g(0.1)).is_err());
    }

    proptest! {
        #[test]
        fn finer_sampling_of_the_same_record_gives_the_same_displacement(
            record in prop::collection::vec(-0.5..0.5f64, 2..60), critical in 0.02..0.3f64,
        ) {
            let fine: Vec<f64> = record
                .windows(2)
                .flat_map(|pair| (0..4).map(|i| pair[0] + (pair[1] - pair[0]) * f64::from(i) / 4.0))
                .chain(record.last().copied())
                .collect();
            let (coarse, fine) = (run(&record, 0.04, critical), run(&fine, 0.01, critical));
            prop_assert!((coarse - fine).abs() <= 1e-9 + 1e-9 * coarse, "{coarse} {fine}");
            prop_assert!(coarse >= 0.0);
        }

        #[test]
        fn a_stronger_slope_moves_less(
            record in prop::collection::vec(-0.5..0.5f64, 2..60), critical in 0.02..0.3f64,
            more in 0.0..0.2f64,
        ) {
            prop_assert!(run(&record, 0.02, critical + more) <= run(&record, 0.02, critical) + 1e-12);
        }
    }
}
