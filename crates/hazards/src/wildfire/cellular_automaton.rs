//! A fire that jumps from cell to cell by chance, after Alexandridis and others (2008).
//!
//! A burning cell sets each of its eight neighbours alight with
//! `p = p_h (1 + p_veg) (1 + p_den) p_w p_s`, where `p_h = 0.58`,
//! `p_w = e^(V (c₁ + c₂ (cos θ - 1)))` with `c₁ = 0.045` and `c₂ = 0.131` for the wind `V` in m/s at an
//! angle `θ` from the step, and `p_s = e^(a ϑ)` with `a = 0.078` for the slope `ϑ` of the step in
//! degrees; then it has burned. Flying embers are not in it.

use lahar_core::Grid;
use lahar_core::RandomStream;
use lahar_core::capability::Citation;

use super::landscape::AROUND;
use crate::error::{HazardError, Limit};
use crate::uncertainty::Sampling;
use crate::{parallel, terrain};

/// The automaton.
pub const ALEXANDRIDIS_2008: Citation = Citation {
    authors: "Alexandridis, Vakalis, Siettos & Bafas",
    year: 2008,
    doi: "doi:10.1016/j.amc.2008.06.046",
    place: "equations 1 to 5, tables of vegetation, density and fitted parameters",
};

const WIND: Limit = Limit::new("wind_speed", "m/s", 0.0, 80.0, ALEXANDRIDIS_2008);
const FROM: Limit = Limit::new("wind_from", "deg", -360.0, 720.0, ALEXANDRIDIS_2008);

/// Chance of a step without anything that helps or hinders it.
const PLAIN: f64 = 0.58;
const WIND_SPEED: f64 = 0.045;
const WIND_ANGLE: f64 = 0.131;
const SLOPE: f64 = 0.078;
/// Agricultural land, thickets, pines.
const VEGETATION: [f64; 3] = [-0.3, 0.0, 0.4];
/// Sparse, normal, dense.
const DENSITY: [f64; 3] = [-0.4, 0.0, 0.3];

/// Vegetation on a grid in metres.
#[derive(Debug, Clone)]
pub struct Cover {
    elevation: Grid,
    cell: [f64; 2],
    /// `p_h (1 + p_veg) (1 + p_den)`; 0 where nothing burns.
    chance: Vec<f64>,
}

impl Cover {
    /// Vegetation (0 none, 1 agricultural, 2 thickets, 3 pines) and its density (1 sparse, 2 normal,
    /// 3 dense) on the cells of an elevation model in metres. Other classes are an error that says
    /// where they stand; cells without data do not burn.
    pub fn new(elevation: &Grid, vegetation: &Grid, density: &Grid) -> Result<Cover, HazardError> {
        let (width, height) = terrain::metres(elevation)?;
        elevation.check_aligned(vegetation)?;
        elevation.check_aligned(density)?;
        let columns = elevation.columns();
        let class = |variable: &'static str, value: f64, lowest: f64, at: usize| match value.fract()
            == 0.0
            && (lowest..=3.0).contains(&value)
        {
            true => Ok(value as usize),
            false => Err(HazardError::UnknownWord {
                variable,
                found: format!("{value} (row {}, column {})", at / columns, at % columns),
                allowed: format!("the classes {lowest} to 3"),
            }),
        };
        let mut chance = Vec::with_capacity(vegetation.values().len());
        for (at, value) in vegetation.values().iter().enumerate() {
            let thick = density.values()[at];
            if value.is_nan() || thick.is_nan() || elevation.values()[at].is_nan() {
                chance.push(0.0);
                continue;
            }
            let kind = class("vegetation", *value, 0.0, at)?;
            if kind == 0 {
                chance.push(0.0);
                continue;
            }
            let thick = class("density", thick, 1.0, at)?;
            chance.push(PLAIN * (1.0 + VEGETATION[kind - 1]) * (1.0 + DENSITY[thick - 1]));
        }
        Ok(Cover {
            elevation: elevation.clone(),
            cell: [width, height],
            chance,
        })
    }

    /// The same with cells that do not burn: those that are neither 0 nor without data.
    pub fn with_barriers(mut self, barriers: &Grid) -> Result<Cover, HazardError> {
        self.elevation.check_aligned(barriers)?;
        for (chance, barrier) in self.chance.iter_mut().zip(barriers.values()) {
            if !barrier.is_nan() && *barrier != 0.0 {
                *chance = 0.0;
            }
        }
        Ok(self)
    }

    /// A grid of a fuel that burns where this cover does, and of none elsewhere.
    pub(super) fn burnable_as_fuel(&self) -> Result<Grid, HazardError> {
        let fuel = |chance: &f64| if *chance > 0.0 { 1.0 } else { 98.0 };
        Ok(self
            .elevation
            .like(self.chance.iter().map(fuel).collect())?)
    }
}

/// Chance that fire steps from a cell to a neighbour whose own chance is `own`: wind in m/s at an
/// angle from the step in degrees; the slope of the step in degrees, above zero uphill.
///
/// ```
/// use lahar_hazards::wildfire::cellular_automaton::chance_of_step;
/// assert_eq!(chance_of_step(0.58, 0.0, 0.0, 0.0), 0.58);
/// let downwind = chance_of_step(0.58, 10.0, 0.0, 0.0);
/// assert!((downwind - 0.58 * 0.45_f64.exp()).abs() < 1e-12);
/// ```
pub fn chance_of_step(own: f64, wind: f64, angle: f64, slope: f64) -> f64 {
    let blown = (wind * (WIND_SPEED + WIND_ANGLE * (angle.to_radians().cos() - 1.0))).exp();
    (own * blown * (SLOPE * slope).exp()).min(1.0)
}

/// Share of many fires that come to each cell within a number of steps.
///
/// Inputs: the cover; wind in m/s and where it comes from; cells that burn at first; steps; how many
/// fires, from which seed. Output: 0 to 1. The same bits for every number of threads.
pub fn burn_probability(
    cover: &Cover,
    (wind, from): (f64, f64),
    starts: &[usize],
    steps: usize,
    sampling: Sampling,
) -> Result<Grid, HazardError> {
    let (wind, from) = (WIND.check(wind)?, FROM.check(from)?);
    if steps == 0 || sampling.samples == 0 {
        return Err(HazardError::Contradiction(format!(
            "{steps} steps of {} fires burn nothing; both must be above zero",
            sampling.samples
        )));
    }
    let (rows, columns) = (
        cover.elevation.rows() as isize,
        cover.elevation.columns() as isize,
    );
    let towards = from + 180.0;
    let blown = AROUND.map(|(down, right)| {
        let way = (right as f64).atan2(-(down as f64)).to_degrees();
        chance_of_step(1.0, 0.0, 0.0, 0.0)
            * (wind * (WIND_SPEED + WIND_ANGLE * ((way - towards).to_radians().cos() - 1.0))).exp()
    });
    let lengths = AROUND
        .map(|(down, right)| (right as f64 * cover.cell[0]).hypot(down as f64 * cover.cell[1]));
    let heights = cover.elevation.values();
    let one = |sample: usize| {
        let mut stream = RandomStream::new(sampling.seed, sample as u64);
        let mut burned = vec![false; cover.chance.len()];
        let mut front: Vec<usize> = starts.to_vec();
        starts.iter().for_each(|start| burned[*start] = true);
        for _ in 0..steps {
            let mut next = Vec::new();
            for cell in &front {
                let (row, column) = (*cell as isize / columns, *cell as isize % columns);
                for (at, (down, right)) in AROUND.into_iter().enumerate() {
                    let (row, column) = (row + down, column + right);
                    if row < 0 || column < 0 || row >= rows || column >= columns {
                        continue;
                    }
                    let to = (row * columns + column) as usize;
                    if burned[to] || cover.chance[to] == 0.0 {
                        continue;
                    }
                    let slope = ((heights[to] - heights[*cell]) / lengths[at])
                        .atan()
                        .to_degrees();
                    let chance = cover.chance[to] * blown[at] * (SLOPE * slope).exp();
                    if stream.uniform() < chance {
                        burned[to] = true;
                        next.push(to);
                    }
                }
            }
            front = next;
            if front.is_empty() {
                break;
            }
        }
        burned
    };
    let mut counts = vec![0.0; cover.chance.len()];
    // A few fires at a time, so that memory does not grow with their number.
    let batch = 64;
    for first in (0..sampling.samples).step_by(batch) {
        let size = batch.min(sampling.samples - first);
        for burned in parallel::map(size, sampling.threads, |at| one(first + at)) {
            for (count, burned) in counts.iter_mut().zip(burned) {
                *count += f64::from(u8::from(burned));
            }
        }
    }
    counts
        .iter_mut()
        .for_each(|count| *count /= sampling.samples as f64);
    Ok(cover.elevation.like(counts)?)
}
