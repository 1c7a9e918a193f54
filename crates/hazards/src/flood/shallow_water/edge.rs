//! What passes over the four sides of the grid.

use super::super::domain::{Edge, VOID};
use super::face::{DRY, End, Flux, flux};

/// Flux over a face at the grid's edge; `inward` is 1 where the face comes before the cell.
pub(super) fn over_edge(gravity: f64, time: f64, edge: &Edge, inside: End, inward: f64) -> Flux {
    // Everything is turned so that positive is into the grid, and turned back at the end.
    let wave = (gravity * inside.depth).sqrt();
    let speed = inside.across * inward;
    let passed = |depth: f64, speed: f64| {
        let momentum = depth * speed * speed + 0.5 * gravity * depth * depth;
        Flux {
            volume: depth * speed * inward,
            across_before: momentum,
            across_behind: momentum,
            along: depth * speed * inward * inside.along,
        }
    };
    match edge {
        _ if inside.bed == VOID => Flux::default(),
        Edge::Wall | Edge::Held => {
            let mirrored = End {
                across: -inside.across,
                ..inside
            };
            match inward > 0.0 {
                true => flux(gravity, mirrored, inside),
                false => flux(gravity, inside, mirrored),
            }
        }
        Edge::Open { .. } => match speed < 0.0 {
            true => passed(inside.depth, speed),
            false => passed(inside.depth, 0.0),
        },
        Edge::Level(level) => {
            let depth = (level.at(time) - inside.bed).max(0.0);
            if depth <= DRY && inside.depth <= DRY {
                return Flux::default();
            }
            // Water that leaves faster than its waves knows nothing of the level beyond.
            if -speed > wave {
                return passed(inside.depth, speed);
            }
            // The invariant that travels out of the grid keeps its value.
            let beyond = (gravity * depth).sqrt();
            passed(depth, speed + 2.0 * (beyond - wave))
        }
        Edge::Discharge(discharge) => {
            let wanted = discharge.at(time);
            let depth = depth_for(gravity, wanted, speed - 2.0 * wave);
            passed(depth, if depth > 0.0 { wanted / depth } else { 0.0 })
        }
    }
}

/// Depth at which a discharge into the grid agrees with the invariant `u - 2√(g h)` that comes out
/// of it; never below the critical depth.
fn depth_for(gravity: f64, discharge: f64, invariant: f64) -> f64 {
    if discharge <= 0.0 {
        return 0.0;
    }
    let critical = (discharge * discharge / gravity).cbrt();
    let mut depth = critical.max((invariant / 2.0).powi(2) / gravity);
    for _ in 0..50 {
        // Newton on q / h - 2√(g h) - invariant.
        let wave = (gravity * depth).sqrt();
        let value = discharge / depth - 2.0 * wave - invariant;
        let slope = -discharge / (depth * depth) - wave / depth;
        let next = (depth - value / slope).max(critical);
        if (next - depth).abs() <= 1e-13 * depth {
            return next;
        }
        depth = next;
    }
    depth
}
