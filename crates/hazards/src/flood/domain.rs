//! The ground of a flood simulation: cells, what happens at their edges, what water comes in.

use lahar_core::Grid;
use lahar_core::capability::Citation;

use super::rim::Rim;
use crate::error::{HazardError, Limit};
use crate::terrain;

/// Values of roughness for channels and flood plains.
pub const CHOW: Citation = Citation {
    authors: "Chow",
    year: 1959,
    doi: "Open-Channel Hydraulics, McGraw-Hill",
    place: "table 5-6, values of the roughness coefficient",
};

const ROUGHNESS: Limit = Limit::new("roughness", "s/m^(1/3)", 0.0, 1.0, CHOW);
const RATE: Limit = Limit::new("rain", "m/s", 0.0, 0.01, CHOW);

/// Values along time, straight between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    times: Vec<f64>,
    values: Vec<f64>,
}

impl Course {
    /// The same value at all times.
    pub fn constant(value: f64) -> Course {
        Course {
            times: vec![0.0],
            values: vec![value],
        }
    }

    /// From times in seconds, rising, and a value at each.
    pub fn new(times: Vec<f64>, values: Vec<f64>) -> Result<Course, HazardError> {
        let wrong = |what: String| Err(HazardError::Contradiction(what));
        if times.len() != values.len() || times.is_empty() {
            return wrong(format!(
                "{} times and {} values make no course; give one value a time",
                times.len(),
                values.len()
            ));
        }
        if let Some(at) = (1..times.len()).find(|at| times[*at] <= times[at - 1]) {
            return wrong(format!(
                "time {} s follows {} s; times must rise",
                times[at],
                times[at - 1]
            ));
        }
        if let Some(at) = (0..values.len()).find(|at| !(values[*at] + times[*at]).is_finite()) {
            return wrong(format!(
                "the value at {} s is {}; fill gaps first",
                times[at], values[at]
            ));
        }
        Ok(Course { times, values })
    }

    /// Refuses a course that ends before the run does. A constant one never ends.
    pub fn check_lasts(&self, what: &str, end: f64) -> Result<(), HazardError> {
        let last = self.times[self.times.len() - 1];
        if self.times.len() > 1 && last < end {
            return Err(HazardError::Contradiction(format!(
                "{what} ends at {last} s, but the run ends at {end} s; give it to the end, with \
                 zeros where nothing comes"
            )));
        }
        Ok(())
    }

    /// Value at a time in seconds; the first one before it begins, the last one after it ends.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.times.partition_point(|known| *known <= time);
        match after {
            0 => self.values[0],
            past if past == self.times.len() => self.values[past - 1],
            next => {
                let (from, to) = (self.times[next - 1], self.times[next]);
                let share = (time - from) / (to - from);
                self.values[next - 1] + share * (self.values[next] - self.values[next - 1])
            }
        }
    }

    fn lowest(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// What happens at one side of the grid.
#[derive(Debug, Clone, PartialEq)]
pub enum Edge {
    /// Nothing passes.
    Wall,
    /// Water leaves as it would flow on at this slope of the ground.
    Open {
        /// Fall beyond the edge, as a ratio.
        slope: f64,
    },
    /// The level beyond the edge is known, in metres of the elevation model's datum.
    Level(Course),
    /// So much enters over each metre of the side, in m²/s.
    Discharge(Course),
    /// The depth of the outermost cells does not change.
    Held,
}

/// The four sides; rows and columns count as in the grid, so the first row is the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Edges {
    /// Before the first row.
    pub top: Edge,
    /// After the last row.
    pub bottom: Edge,
    /// Before the first column.
    pub left: Edge,
    /// After the last column.
    pub right: Edge,
}

impl Edges {
    /// The same on all sides.
    pub fn all(edge: Edge) -> Edges {
        Edges {
            top: edge.clone(),
            bottom: edge.clone(),
            left: edge.clone(),
            right: edge,
        }
    }

    pub(super) fn each(&self) -> [(&'static str, &Edge); 4] {
        [
            ("top", &self.top),
            ("bottom", &self.bottom),
            ("left", &self.left),
            ("right", &self.right),
        ]
    }
}

/// Water that enters one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Inflow {
    /// Row of the cell.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// Discharge in m³/s.
    pub discharge: Course,
}

/// Water that comes and goes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forcing {
    /// Rain everywhere, in m/s.
    pub rain: Option<Course>,
    /// What the ground can take up, in m/s.
    pub infiltration: f64,
    /// Streams that enter.
    pub inflows: Vec<Inflow>,
}

impl Forcing {
    /// Refuses what a run until `end` cannot use.
    pub(super) fn check(&self, ground: &Ground, end: f64) -> Result<(), HazardError> {
        if let Some(rain) = &self.rain {
            RATE.check(rain.lowest())?;
            rain.check_lasts("the rain", end)?;
        }
        RATE.check(self.infiltration)?;
        for inflow in &self.inflows {
            let inside = inflow.row < ground.rows && inflow.column < ground.columns;
            if !inside || ground.is_void(inflow.row * ground.columns + inflow.column) {
                return Err(HazardError::Contradiction(format!(
                    "the inflow at row {}, column {} lies on no cell of the elevation model",
                    inflow.row, inflow.column
                )));
            }
            if inflow.discharge.lowest() < 0.0 {
                return Err(HazardError::Contradiction(format!(
                    "the inflow at row {}, column {} falls to {} m³/s; water is taken out by \
                     infiltration or an edge, never by an inflow",
                    inflow.row,
                    inflow.column,
                    inflow.discharge.lowest()
                )));
            }
            inflow.discharge.check_lasts("an inflow", end)?;
        }
        Ok(())
    }
}

/// Elevation of a cell without data: no water is ever that high, so none flows onto it.
pub(super) const VOID: f64 = 1e30;

/// The ground as solvers use it.
#[derive(Debug, Clone)]
pub struct Ground {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Elevation in metres, [`VOID`] where nothing is known.
    pub(super) bed: Vec<f64>,
    /// Manning's roughness, squared.
    pub(super) roughness_squared: Vec<f64>,
    pub(super) edges: Edges,
    pub(super) rim: Rim,
    frame: Grid,
}

impl Ground {
    /// Ground from an elevation model in metres. Cells without data get no result, and no water
    /// flows onto them: they are walls, but where all four sides are open and no data reaches a
    /// side, the ground ends there and water leaves as over the sides.
    ///
    /// Errors: a grid in degrees or of an unknown system; a level or discharge that is no number;
    /// no cell with data.
    pub fn new(elevation: &Grid, roughness: f64, edges: Edges) -> Result<Ground, HazardError> {
        let (width, height) = terrain::metres(elevation)?;
        ROUGHNESS.check(roughness)?;
        if elevation.range().is_none() {
            return Err(HazardError::Contradiction(
                "no cell of the elevation model has data; nothing can be flooded".to_owned(),
            ));
        }
        for (side, edge) in edges.each() {
            if let Edge::Open { slope } = edge
                && !(*slope > 0.0 && slope.is_finite())
            {
                return Err(HazardError::Contradiction(format!(
                    "the {side} edge is open with a slope of {slope}; water leaves only downhill, \
                     so give a slope above zero"
                )));
            }
        }
        let bed = elevation.values().iter();
        let bed: Vec<f64> = bed.map(|z| if z.is_finite() { *z } else { VOID }).collect();
        let (rows, columns) = (elevation.rows(), elevation.columns());
        Ok(Ground {
            rim: Rim::of(&bed, [rows, columns], [width, height], &edges),
            rows,
            columns,
            width,
            height,
            bed,
            roughness_squared: vec![roughness * roughness; elevation.values().len()],
            edges,
            frame: elevation.map(|_| 0.0),
        })
    }

    /// The same ground with a roughness for every cell.
    pub fn with_roughness(mut self, roughness: &Grid) -> Result<Ground, HazardError> {
        self.frame.check_aligned(roughness)?;
        for (at, value) in roughness.values().iter().enumerate() {
            if !self.is_void(at) {
                self.roughness_squared[at] = ROUGHNESS.check(*value)?.powi(2);
            }
        }
        Ok(self)
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// Area of a cell in m².
    pub fn cell_area(&self) -> f64 {
        self.width * self.height
    }

    pub(super) fn is_void(&self, cell: usize) -> bool {
        self.bed[cell] == VOID
    }

    /// Values of the cells as a grid, without data where the ground has none.
    pub fn grid(&self, values: &[f64]) -> Grid {
        let mut at = 0;
        self.frame.map(|_| {
            at += 1;
            match self.is_void(at - 1) {
                true => f64::NAN,
                false => values[at - 1],
            }
        })
    }

    /// Depths from a grid: nothing negative, nothing on cells without data.
    pub(super) fn depths(&self, depth: &Grid) -> Result<Vec<f64>, HazardError> {
        self.frame.check_aligned(depth)?;
        let values = depth.values().iter().enumerate();
        values
            .map(|(at, depth)| match (self.is_void(at), *depth) {
                (true, _) => Ok(0.0),
                (false, depth) if depth >= 0.0 && depth.is_finite() => Ok(depth),
                (false, depth) => Err(HazardError::Contradiction(format!(
                    "the depth at row {}, column {} is {depth} m; it must be zero or more",
                    at / self.columns,
                    at % self.columns
                ))),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};

    use super::*;

    pub(crate) fn flat(rows: usize, columns: usize) -> Grid {
        let place = Affine::north_up(0.0, 10.0 * rows as f64, 10.0, 10.0);
        Grid::new(
            vec![0.0; rows * columns],
            rows,
            columns,
            place,
            Crs::LocalMetres,
        )
        .unwrap()
    }

    #[test]
    fn a_course_is_straight_between_its_times() {
        let course = Course::new(vec![0.0, 10.0, 30.0], vec![0.0, 5.0, 1.0]).unwrap();
        assert_eq!(
            [-1.0, 5.0, 10.0, 20.0, 99.0].map(|t| course.at(t)),
            [0.0, 2.5, 5.0, 3.0, 1.0]
        );
    }

    #[test]
    fn a_boundary_series_shorter_than_the_run_is_refused() {
        let ground = Ground::new(&flat(3, 3), 0.03, Edges::all(Edge::Wall)).unwrap();
        let short = Course::new(vec![0.0, 60.0], vec![1.0, 2.0]).unwrap();
        let forcing = Forcing {
            inflows: vec![Inflow {
                row: 1,
                column: 1,
                discharge: short,
            }],
            ..Forcing::default()
        };
        let message = forcing.check(&ground, 3600.0).unwrap_err().to_string();
        assert!(message.contains("60 s"), "{message}");
    }

    #[test]
    fn negative_rain_negative_inflow_and_inflow_on_no_cell_are_refused() {
        let mut elevation = flat(3, 3).values().to_vec();
        elevation[0] = f64::NAN;
        let ground = flat(3, 3).like(elevation).unwrap();
        let ground = Ground::new(&ground, 0.03, Edges::all(Edge::Wall)).unwrap();
        let rain = Forcing {
            rain: Some(Course::constant(-1e-6)),
            ..Forcing::default()
        };
        assert!(
            rain.check(&ground, 1.0)
                .unwrap_err()
                .to_string()
                .contains("rain")
        );
        for (row, discharge) in [(0, 1.0), (7, 1.0), (1, -1.0)] {
            let forcing = Forcing {
                inflows: vec![Inflow {
                    row,
                    column: 0,
                    discharge: Course::constant(discharge),
                }],
                ..Forcing::default()
            };
            assert!(
                forcing.check(&ground, 1.0).is_err(),
                "row {row}, {discharge} m³/s"
            );
        }
    }

    #[test]
    fn times_that_fall_and_gaps_make_no_course() {
        assert!(Course::new(vec![0.0, 5.0, 5.0], vec![1.0; 3]).is_err());
        assert!(Course::new(vec![0.0, 5.0], vec![1.0, f64::NAN]).is_err());
        assert!(Course::new(vec![], vec![]).is_err());
    }
}
