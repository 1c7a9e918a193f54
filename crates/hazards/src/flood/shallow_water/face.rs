//! What passes between two states of water that meet.

use super::lanes::{greater, lesser};

/// Water at one end of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct End {
    pub depth: f64,
    pub bed: f64,
    /// Speed across the face.
    pub across: f64,
    /// Speed along it.
    pub along: f64,
}

/// Transport over a face: volume and momentum per metre of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Flux {
    pub volume: f64,
    /// Momentum across, as the cell before the face feels it.
    pub across_before: f64,
    /// Momentum across, as the cell behind it feels it.
    pub across_behind: f64,
    pub along: f64,
}

/// Depth in metres below which water has no speed.
pub(super) const DRY: f64 = 1e-6;

/// Flux over a face by HLLC (Toro, Spruce and Speares 1994) between states whose depths are
/// reconstructed over the higher of the two beds (Audusse and others 2004, equations 2.9 to 2.14):
/// where the water is at rest nothing moves, and no depth gets below zero.
#[inline(always)]
pub(super) fn flux(gravity: f64, before: End, behind: End) -> Flux {
    let bed = greater(before.bed, behind.bed);
    let left = End {
        depth: greater(before.depth + before.bed - bed, 0.0),
        ..before
    };
    let right = End {
        depth: greater(behind.depth + behind.bed - bed, 0.0),
        ..behind
    };
    let [volume, across, along] = hllc(gravity, left, right);
    let pressure = |full: f64, cut: f64| 0.5 * gravity * (full * full - cut * cut);
    Flux {
        volume,
        across_before: across + pressure(before.depth, left.depth),
        across_behind: across + pressure(behind.depth, right.depth),
        along,
    }
}

/// Volume and momentum across and along; all cases are computed and one is taken, so that a loop
/// over faces becomes vector code.
#[inline(always)]
fn hllc(gravity: f64, left: End, right: End) -> [f64; 3] {
    let (wave_left, wave_right) = (
        (gravity * left.depth).sqrt(),
        (gravity * right.depth).sqrt(),
    );
    let middle_speed = 0.5 * (left.across + right.across) + wave_left - wave_right;
    let middle_wave = greater(
        0.5 * (wave_left + wave_right) + 0.25 * (left.across - right.across),
        0.0,
    );
    // The fastest waves to either side; into dry ground water runs at twice its wave's speed.
    let first = match left.depth > 0.0 {
        true => lesser(left.across - wave_left, middle_speed - middle_wave),
        false => right.across - 2.0 * wave_right,
    };
    let last = match right.depth > 0.0 {
        true => greater(right.across + wave_right, middle_speed + middle_wave),
        false => left.across + 2.0 * wave_left,
    };
    let (left_volume, right_volume) = (left.depth * left.across, right.depth * right.across);
    let momentum =
        |end: End, volume: f64| volume * end.across + 0.5 * gravity * end.depth * end.depth;
    let (left_momentum, right_momentum) =
        (momentum(left, left_volume), momentum(right, right_volume));
    let per_span = 1.0 / (last - first);
    let mixed = |left_flux: f64, right_flux: f64, jump: f64| {
        let mixed = (last * left_flux - first * right_flux + first * last * jump) * per_span;
        let behind = if last <= 0.0 { right_flux } else { mixed };
        if first >= 0.0 { left_flux } else { behind }
    };
    let volume = mixed(left_volume, right_volume, right.depth - left.depth);
    let across = mixed(left_momentum, right_momentum, right_volume - left_volume);
    // Along the face water keeps the speed of the side that it comes from: the contact wave moves
    // with the volume.
    let carried = if volume >= 0.0 {
        left.along
    } else {
        right.along
    };
    let wet = left.depth > 0.0 || right.depth > 0.0;
    let of_wet = |value: f64| if wet { value } else { 0.0 };
    [of_wet(volume), of_wet(across), of_wet(volume * carried)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const G: f64 = 9.81;

    fn end(depth: f64, bed: f64, across: f64) -> End {
        End {
            depth,
            bed,
            across,
            along: 0.3,
        }
    }

    #[test]
    fn water_at_rest_over_a_step_of_the_bed_stays_at_rest() {
        let flux = flux(G, end(2.0, 1.0, 0.0), end(1.5, 1.5, 0.0));
        assert_eq!(flux.volume, 0.0);
        assert!((flux.across_before - 0.5 * G * 4.0).abs() < 1e-12);
        assert!((flux.across_behind - 0.5 * G * 2.25).abs() < 1e-12);
    }

    #[test]
    fn nothing_climbs_a_bank_above_the_water() {
        let flux = flux(G, end(0.5, 0.0, 0.0), end(0.0, 2.0, 0.0));
        assert_eq!((flux.volume, flux.along), (0.0, 0.0));
    }

    proptest! {
        #[test]
        fn mirrored_states_have_mirrored_fluxes(
            h in 0.0..5.0f64, k in 0.0..5.0f64, u in -3.0..3.0f64, v in -3.0..3.0f64,
        ) {
            let there = flux(G, end(h, 0.0, u), end(k, 0.2, v));
            let back = flux(G, end(k, 0.2, -v), end(h, 0.0, -u));
            prop_assert!((there.volume + back.volume).abs() < 1e-9);
            prop_assert!((there.across_before - back.across_behind).abs() < 1e-9);
        }

        #[test]
        fn equal_states_pass_their_own_flux(h in 0.01..5.0f64, u in -3.0..3.0f64) {
            let flux = flux(G, end(h, 0.0, u), end(h, 0.0, u));
            prop_assert!((flux.volume - h * u).abs() < 1e-9);
            prop_assert!((flux.across_before - (h * u * u + 0.5 * G * h * h)).abs() < 1e-9);
        }
    }
}
