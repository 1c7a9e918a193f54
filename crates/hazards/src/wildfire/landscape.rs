//! Ground on which a fire grows: fuel, slope, canopy, barriers, and the weather along time.

use lahar_core::Grid;

use super::ellipse::Wavelet;
use super::fuel_models::{self, FuelModel};
use super::rothermel::{self, ANDREWS_2012, ANDREWS_2018, FuelBed, Moisture};
use super::wind::WindHeight;
use crate::error::{HazardError, Limit};
use crate::{parallel, terrain};

const WIND: Limit = Limit::new("wind_speed", "m/min", 0.0, 10_000.0, ANDREWS_2018);
const FROM: Limit = Limit::new("wind_from", "deg", -360.0, 720.0, ANDREWS_2018);
const HEIGHT: Limit = Limit::new("canopy_height", "m", 0.0, 150.0, ANDREWS_2012);
const COVER: Limit = Limit::new("canopy_cover", "1", 0.0, 1.0, ANDREWS_2012);
/// Feet in a metre.
const FEET: f64 = 1.0 / 0.3048;

/// Place in the table of fuel models of ground without fuel.
const NOTHING: u8 = u8::MAX;

/// Fuel, slope and barriers on a grid in metres.
#[derive(Debug, Clone)]
pub struct Landscape {
    /// Elevations, which also say where the cells lie.
    elevation: Grid,
    width: f64,
    height: f64,
    /// Place of each cell's model in `fuel_models::ALL`.
    fuel: Vec<u8>,
    /// Rise over run to the east and to the north.
    rise: Vec<[f32; 2]>,
    /// Height of trees in ft and their cover, where they are known.
    canopy: Option<(Vec<f32>, Vec<f32>)>,
    /// Cells that a barrier closed, which would burn without it.
    barriers: Vec<usize>,
}

impl Landscape {
    /// A landscape from elevations in metres and numbers of fuel models, on the same cells.
    ///
    /// Cells without an elevation or a fuel do not burn. A number that is no standard fuel model is
    /// an error that says where it stands.
    pub fn new(elevation: &Grid, fuel: &Grid) -> Result<Landscape, HazardError> {
        let (width, height) = terrain::metres(elevation)?;
        elevation.check_aligned(fuel)?;
        if elevation.transform.0[5] > 0.0 || elevation.transform.0[1] < 0.0 {
            return Err(HazardError::Contradiction(
                "the first row of the elevation model is not its northern one, or columns run to \
                 the west; resample it first"
                    .to_owned(),
            ));
        }
        if elevation.values().len() > u32::MAX as usize / 2 {
            return Err(HazardError::Contradiction(format!(
                "{} cells are more than two thousand million; cut the landscape",
                elevation.values().len()
            )));
        }
        let mut places = [NOTHING; 256];
        for (place, model) in fuel_models::ALL.iter().enumerate() {
            places[usize::from(model.number)] = place as u8;
        }
        let columns = elevation.columns();
        let mut cells = Vec::with_capacity(fuel.values().len());
        for (at, (number, height)) in fuel.values().iter().zip(elevation.values()).enumerate() {
            if number.is_nan() {
                cells.push(NOTHING);
                continue;
            }
            let whole = number.fract() == 0.0 && (0.0..256.0).contains(number);
            let place = if whole {
                places[*number as usize]
            } else {
                NOTHING
            };
            if place == NOTHING {
                let place = format!("{number} (row {}, column {})", at / columns, at % columns);
                return Err(fuel_models::unknown(place));
            }
            let burns = !height.is_nan() && fuel_models::ALL[usize::from(place)].burns();
            cells.push(if burns { place } else { NOTHING });
        }
        let rise = terrain::relief::gradients(elevation)?
            .into_iter()
            .map(|[east, north]| [east as f32, north as f32])
            .collect();
        Ok(Landscape {
            elevation: elevation.clone(),
            width,
            height,
            fuel: cells,
            rise,
            canopy: None,
            barriers: Vec::new(),
        })
    }

    /// The same with trees: their height in metres and their cover, 0 to 1, on the same cells. Cells
    /// without a value have none.
    pub fn with_canopy(mut self, height: &Grid, cover: &Grid) -> Result<Landscape, HazardError> {
        self.elevation.check_aligned(height)?;
        self.elevation.check_aligned(cover)?;
        let read = |grid: &Grid, limit: &Limit, factor: f64| {
            let cell = |value: &f64| match value.is_nan() {
                true => Ok(0.0),
                false => limit.check(*value).map(|value| (value * factor) as f32),
            };
            grid.values()
                .iter()
                .map(cell)
                .collect::<Result<Vec<f32>, _>>()
        };
        self.canopy = Some((read(height, &HEIGHT, FEET)?, read(cover, &COVER, 1.0)?));
        Ok(self)
    }

    /// The same with barriers: cells that are neither 0 nor without value do not burn.
    pub fn with_barriers(mut self, barriers: &Grid) -> Result<Landscape, HazardError> {
        self.elevation.check_aligned(barriers)?;
        for (at, value) in barriers.values().iter().enumerate() {
            if !value.is_nan() && *value != 0.0 && self.fuel[at] != NOTHING {
                self.fuel[at] = NOTHING;
                self.barriers.push(at);
            }
        }
        Ok(self)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.elevation.rows()
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.elevation.columns()
    }

    /// Width and height of a cell in metres.
    pub fn cell(&self) -> [f64; 2] {
        [self.width, self.height]
    }

    /// The elevations.
    pub fn elevation(&self) -> &Grid {
        &self.elevation
    }

    /// Whether a cell has fuel and no barrier.
    pub fn burns(&self, cell: usize) -> bool {
        self.fuel[cell] != NOTHING
    }

    /// How many cells have fuel and no barrier.
    pub fn burnable(&self) -> usize {
        self.fuel.iter().filter(|fuel| **fuel != NOTHING).count()
    }

    /// The cell of a point in the coordinates of the grid.
    ///
    /// A point outside the grid is an error that says what the grid covers.
    pub fn cell_at(&self, x: f64, y: f64) -> Result<usize, HazardError> {
        let (rows, columns) = (self.rows(), self.columns());
        let inside = self
            .elevation
            .transform
            .invert(x, y)
            .filter(|(column, row)| {
                (0.0..columns as f64).contains(column) && (0.0..rows as f64).contains(row)
            });
        let Some((column, row)) = inside else {
            let (west, north) = self.elevation.transform.apply(0.0, 0.0);
            let (east, south) = self.elevation.transform.apply(columns as f64, rows as f64);
            return Err(HazardError::OutsideRange {
                variable: "start",
                found: format!("{x}, {y}"),
                allowed: format!("on the grid: x from {west} to {east}, y from {south} to {north}"),
                source_of_limit: "the elevation model".to_owned(),
            });
        };
        Ok(row as usize * columns + column as usize)
    }

    /// Whether the cells can burn from these starts: each has fuel, and no barrier encloses one.
    ///
    /// A barrier encloses a start where fire without it could reach the edge of the grid, and with
    /// it cannot.
    pub fn check_starts(&self, starts: &[usize]) -> Result<(), HazardError> {
        if starts.is_empty() {
            return Err(HazardError::Contradiction(
                "nothing says where the fire starts; give a point or cells".to_owned(),
            ));
        }
        for start in starts {
            if *start >= self.fuel.len() {
                return Err(HazardError::Contradiction(format!(
                    "a start in cell {start} lies outside the grid of {} cells",
                    self.fuel.len()
                )));
            }
            let (row, column) = (start / self.columns(), start % self.columns());
            if self.barriers.contains(start) {
                return Err(HazardError::Contradiction(format!(
                    "the start in row {row}, column {column} lies on a barrier"
                )));
            }
            if !self.burns(*start) {
                return Err(HazardError::Contradiction(format!(
                    "the start in row {row}, column {column} has no fuel that burns"
                )));
            }
        }
        if self.barriers.is_empty() {
            return Ok(());
        }
        let (reached, out) = self.reach(starts, |cell| self.fuel[cell] != NOTHING);
        if out {
            return Ok(());
        }
        let mut open: Vec<bool> = self.fuel.iter().map(|fuel| *fuel != NOTHING).collect();
        for cell in &self.barriers {
            open[*cell] = true;
        }
        if self.reach(starts, |cell| open[cell]).1 {
            return Err(HazardError::Contradiction(format!(
                "the barriers enclose the start: fire can reach {reached} of {} cells and never \
                 the edge of the grid; open the barriers, or start outside of them",
                self.fuel.len()
            )));
        }
        Ok(())
    }

    /// How many cells can be reached by steps of fire, and whether one lies at the edge.
    fn reach(&self, starts: &[usize], open: impl Fn(usize) -> bool) -> (usize, bool) {
        let (rows, columns) = (self.rows() as isize, self.columns() as isize);
        let mut seen = vec![false; self.fuel.len()];
        let mut stack: Vec<usize> = starts.to_vec();
        starts.iter().for_each(|start| seen[*start] = true);
        let (mut count, mut out) = (0, false);
        while let Some(cell) = stack.pop() {
            count += 1;
            let (row, column) = (cell as isize / columns, cell as isize % columns);
            out |= row == 0 || column == 0 || row == rows - 1 || column == columns - 1;
            for (down, right) in AROUND {
                let (to_row, to_column) = (row + down, column + right);
                if to_row < 0 || to_column < 0 || to_row >= rows || to_column >= columns {
                    continue;
                }
                let to = (to_row * columns + to_column) as usize;
                // Fire does not slip through between two cells that only touch at a corner.
                let beside = open((row * columns + to_column) as usize)
                    || open((to_row * columns + column) as usize);
                if !seen[to] && open(to) && (down == 0 || right == 0 || beside) {
                    seen[to] = true;
                    stack.push(to);
                }
            }
        }
        (count, out)
    }

    /// Fuel and slope in a weather.
    pub fn in_weather<'a>(&'a self, weather: &'a Weather) -> Result<Burning<'a>, HazardError> {
        Burning::new(self, weather)
    }
}

/// The eight neighbours, clockwise from the north: rows down, columns to the right.
pub(super) const AROUND: [(isize, isize); 8] = [
    (-1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
];

/// A quantity that is one number everywhere, or has one for each cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// The same everywhere.
    Uniform(f64),
    /// One value a cell, on the cells of the landscape.
    Cells(Grid),
}

impl Field {
    fn at(&self, cell: usize) -> f64 {
        match self {
            Field::Uniform(value) => *value,
            Field::Cells(grid) => grid.values()[cell],
        }
    }

    fn check(&self, landscape: &Landscape, limit: &Limit) -> Result<(), HazardError> {
        match self {
            Field::Uniform(value) => limit.check(*value).map(|_| ()),
            Field::Cells(grid) => {
                landscape.elevation.check_aligned(grid)?;
                let values = grid.values().iter().enumerate();
                let burning = values.filter(|(cell, _)| landscape.burns(*cell));
                burning
                    .map(|(_, value)| limit.check(*value))
                    .try_for_each(|v| v.map(|_| ()))
            }
        }
    }

    fn uniform(&self) -> Option<f64> {
        match self {
            Field::Uniform(value) => Some(*value),
            Field::Cells(_) => None,
        }
    }
}

/// Wind and moisture at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Weather {
    /// Speed of the wind in m/min.
    pub wind_speed: Field,
    /// Where it comes from, in degrees clockwise from north.
    pub wind_from: Field,
    /// At which height it was measured.
    pub wind_height: WindHeight,
    /// Water in live fuel, and in dead fuel where no grid says otherwise.
    pub moisture: Moisture,
    /// Water in dead fuel of an hour by cell. Coarser dead fuel is drier or wetter by as much as in
    /// `moisture`.
    pub one_hour: Option<Grid>,
}

/// Weather from a time on.
#[derive(Debug, Clone, PartialEq)]
pub struct Period {
    /// From when on, in minutes since the fire began.
    pub start: f64,
    /// What it is like.
    pub weather: Weather,
}

/// Checks that periods begin at zero and follow each other.
pub(super) fn check_periods(periods: &[Period], minutes: f64) -> Result<(), HazardError> {
    if !(minutes > 0.0 && minutes.is_finite()) {
        return Err(HazardError::OutsideRange {
            variable: "duration",
            found: format!("{minutes} min"),
            allowed: "more than 0 min".to_owned(),
            source_of_limit: "a fire needs time to grow".to_owned(),
        });
    }
    let Some(first) = periods.first() else {
        return Err(HazardError::Contradiction(
            "no weather is given; give one period at least".to_owned(),
        ));
    };
    if first.start != 0.0 {
        return Err(HazardError::Contradiction(format!(
            "the weather begins {} min after the fire; it must begin with it",
            first.start
        )));
    }
    match periods
        .windows(2)
        .find(|pair| pair[1].start <= pair[0].start || pair[1].start.is_nan())
    {
        None => Ok(()),
        Some(pair) => Err(HazardError::Contradiction(format!(
            "a period of weather begins at {} min, the one before it at {} min; steps of time must \
             be above zero",
            pair[1].start, pair[0].start
        ))),
    }
}

/// Fuel and slope in a weather: what fire does in each cell.
pub struct Burning<'a> {
    landscape: &'a Landscape,
    weather: &'a Weather,
    /// Factor to the wind 20 ft above the vegetation, or none where it is that at the flames.
    reduction: f64,
    /// Beds of every model, where moisture is the same everywhere.
    beds: Vec<FuelBed>,
    /// Factor from 20 ft to the flames without trees, by model.
    open: Vec<f64>,
    /// Where the wind blows to, where it is the same everywhere.
    towards: Option<[f64; 2]>,
}

impl<'a> Burning<'a> {
    fn new(landscape: &'a Landscape, weather: &'a Weather) -> Result<Burning<'a>, HazardError> {
        weather.wind_speed.check(landscape, &WIND)?;
        weather.wind_from.check(landscape, &FROM)?;
        if weather.wind_height == WindHeight::Midflame && landscape.canopy.is_some() {
            return Err(HazardError::Contradiction(
                "the wind is said to be at half the flame's height, where trees have already slowed \
                 it, and trees are given too; leave one of them out"
                    .to_owned(),
            ));
        }
        let beds: Vec<FuelBed> = fuel_models::ALL
            .iter()
            .map(|model| FuelBed::new(model, &weather.moisture))
            .collect::<Result<_, _>>()?;
        if let Some(grid) = &weather.one_hour {
            landscape.elevation.check_aligned(grid)?;
            for (cell, value) in grid.values().iter().enumerate() {
                if landscape.burns(cell) {
                    rothermel::DEAD.check(*value)?;
                }
            }
        }
        let open = fuel_models::ALL
            .iter()
            .map(|model| rothermel::midflame_wind(1.0, model.depth, 0.0, 0.0))
            .collect::<Result<_, _>>()?;
        let towards = weather.wind_from.uniform().map(arrow_to);
        Ok(Burning {
            landscape,
            weather,
            reduction: weather.wind_height.to_twenty_feet(),
            beds,
            open,
            towards,
        })
    }

    fn model(&self, cell: usize) -> Option<(usize, &'static FuelModel)> {
        let place = self.landscape.fuel[cell];
        (place != NOTHING).then(|| (usize::from(place), &fuel_models::ALL[usize::from(place)]))
    }

    fn bed(&self, cell: usize) -> Option<FuelBed> {
        let (place, model) = self.model(cell)?;
        let Some(grid) = &self.weather.one_hour else {
            return Some(self.beds[place]);
        };
        let usual = self.weather.moisture;
        let change = grid.values()[cell] - usual.one_hour;
        let moisture = Moisture {
            one_hour: grid.values()[cell],
            ten_hours: (usual.ten_hours + change).clamp(0.0, 1.0),
            hundred_hours: (usual.hundred_hours + change).clamp(0.0, 1.0),
            ..usual
        };
        FuelBed::new(model, &moisture).ok()
    }

    /// What a small fire becomes in a minute, in a cell; nothing where it does not burn.
    pub fn wavelet(&self, cell: usize) -> Wavelet {
        let (Some(bed), Some((place, _))) = (self.bed(cell), self.model(cell)) else {
            return Wavelet::default();
        };
        let factor = match (self.weather.wind_height, &self.landscape.canopy) {
            (WindHeight::Midflame, _) => 1.0,
            (_, None) => self.reduction * self.open[place],
            (_, Some((height, cover))) => {
                let (height, cover) = (f64::from(height[cell]), f64::from(cover[cell]));
                self.reduction * rothermel::sheltering(height, cover).unwrap_or(self.open[place])
            }
        };
        let speed = self.weather.wind_speed.at(cell) * factor;
        let towards = match self.towards {
            Some(towards) => towards,
            None => arrow_to(self.weather.wind_from.at(cell)),
        };
        let [east, north] = self.landscape.rise[cell];
        Wavelet::surface_fire(
            &bed,
            towards.map(|part| speed * part),
            [f64::from(east), f64::from(north)],
        )
    }

    /// The same for one cell after another, where what was last computed stands for the next cell of
    /// the same fuel, slope and weather.
    pub(super) fn remembering(&self) -> impl FnMut(usize) -> Wavelet {
        type Known = (u8, [f32; 2], f64, f64);
        let mut last: Option<(Known, Wavelet)> = None;
        let even = self.weather.one_hour.is_none() && self.landscape.canopy.is_none();
        move |cell| {
            if !even {
                return self.wavelet(cell);
            }
            let known = (
                self.landscape.fuel[cell],
                self.landscape.rise[cell],
                self.weather.wind_speed.at(cell),
                self.weather.wind_from.at(cell),
            );
            match &last {
                Some((before, wavelet)) if *before == known => *wavelet,
                _ => {
                    let wavelet = self.wavelet(cell);
                    last = Some((known, wavelet));
                    wavelet
                }
            }
        }
    }

    /// Heat that a square metre gives at the front, in kJ/m².
    pub fn heat_per_area(&self, cell: usize) -> f64 {
        self.bed(cell).map_or(0.0, |bed| bed.heat_per_area())
    }

    /// The wavelets of all cells turned into something, in rows over several threads.
    pub(super) fn every<T: Send + Copy>(
        &self,
        threads: usize,
        of: impl Fn(Wavelet) -> T + Sync,
    ) -> Vec<T> {
        parallel::map(self.landscape.fuel.len(), threads, |cell| {
            of(self.wavelet(cell))
        })
    }

    /// Rate along the ground in m/min of a front with a gradient of arrival (min/m), seen from above.
    pub(super) fn rate_on_ground(&self, cell: usize, slowness: [f64; 2]) -> f64 {
        let [x, y] = slowness;
        let [east, north] = self.landscape.rise[cell].map(f64::from);
        let along = x * east + y * north;
        let square = x * x + y * y - along * along / (1.0 + east * east + north * north);
        match square > 0.0 {
            true => 1.0 / square.sqrt(),
            false => f64::NAN,
        }
    }
}

fn arrow_to(from: f64) -> [f64; 2] {
    let towards = from.to_radians() + std::f64::consts::PI;
    [towards.sin(), towards.cos()]
}
