//! What burns tomorrow, from what burns today: two baselines, and a logistic model trained on the
//! days that are given.

use std::collections::BTreeMap;

use lahar_core::capability::Citation;
use lahar_core::projection::System;
use lahar_core::series::{Feature, Property, Shape};
use lahar_core::{Grid, Timestamp};

use crate::error::{HazardError, Limit, logistic};
use crate::terrain;

/// Next-day spread as a question, persistence and logistic regression as answers to beat.
pub const HUOT_2022: Citation = Citation {
    authors: "Huot, Hu, Goyal, Sankar, Ihme & Chen",
    year: 2022,
    doi: "doi:10.1109/TGRS.2022.3192974",
    place: "next-day masks of active fire, baselines",
};

const WIND: Limit = Limit::new("wind_speed", "m/s", 0.0, 80.0, HUOT_2022);
const FROM: Limit = Limit::new("wind_from", "deg", -360.0, 720.0, HUOT_2022);

fn burns(value: f64) -> bool {
    !value.is_nan() && value != 0.0
}

fn some_fire(burning: &Grid) -> Result<(), HazardError> {
    match burning.values().iter().any(|value| burns(*value)) {
        true => Ok(()),
        false => Err(HazardError::Contradiction(
            "nothing burns today on this grid; without a fire there is nothing to carry on"
                .to_owned(),
        )),
    }
}

/// Tomorrow burns what burns today. A grid without fire is an error: the baseline does not apply.
pub fn persistence(burning: &Grid) -> Result<Grid, HazardError> {
    some_fire(burning)?;
    Ok(burning.map(|value| f64::from(u8::from(burns(value)))))
}

/// Tomorrow burns what lies within a distance in metres of what burns today.
pub fn dilation(burning: &Grid, distance: f64) -> Result<Grid, HazardError> {
    let (width, height) = terrain::metres(burning)?;
    some_fire(burning)?;
    if !(distance >= 0.0 && distance.is_finite()) {
        return Err(HazardError::OutsideRange {
            variable: "distance",
            found: format!("{distance} m"),
            allowed: "from 0 m on".to_owned(),
            source_of_limit: HUOT_2022.to_string(),
        });
    }
    let squares = nearest_fire(burning, width, height);
    let limit = distance * distance * (1.0 + 1e-12);
    let near = squares
        .iter()
        .map(|square| f64::from(u8::from(*square <= limit)));
    Ok(burning.like(near.collect())?)
}

/// Square of the distance to the nearest burning cell, exactly, by one pass a dimension
/// (Felzenszwalb and Huttenlocher 2012, doi:10.4086/toc.2012.v008a019).
fn nearest_fire(burning: &Grid, width: f64, height: f64) -> Vec<f64> {
    let (rows, columns) = (burning.rows(), burning.columns());
    let mut squares: Vec<f64> = burning
        .values()
        .iter()
        .map(|value| if burns(*value) { 0.0 } else { f64::INFINITY })
        .collect();
    for column in 0..columns {
        let line: Vec<f64> = (0..rows)
            .map(|row| squares[row * columns + column])
            .collect();
        for (row, square) in lower_envelope(&line, height).into_iter().enumerate() {
            squares[row * columns + column] = square;
        }
    }
    for row in squares.chunks_mut(columns) {
        let line = lower_envelope(row, width);
        row.copy_from_slice(&line);
    }
    squares
}

/// `min_j f(j) + (size (i - j))²` for every `i`.
fn lower_envelope(line: &[f64], size: f64) -> Vec<f64> {
    let mut parabolas: Vec<(usize, f64)> = Vec::new();
    for (at, value) in line
        .iter()
        .enumerate()
        .filter(|(_, value)| value.is_finite())
    {
        let mut from = f64::NEG_INFINITY;
        while let Some((last, begins)) = parabolas.last().copied() {
            let (a, b) = (last as f64 * size, at as f64 * size);
            from = ((value + b * b) - (line[last] + a * a)) / (2.0 * (b - a));
            if from > begins {
                break;
            }
            parabolas.pop();
            from = f64::NEG_INFINITY;
        }
        parabolas.push((at, from));
    }
    let mut result = vec![f64::INFINITY; line.len()];
    let mut current = 0;
    for (at, square) in result.iter_mut().enumerate() {
        let x = at as f64 * size;
        while current + 1 < parabolas.len() && parabolas[current + 1].1 <= x {
            current += 1;
        }
        if let Some((from, _)) = parabolas.get(current) {
            *square = line[*from] + (x - *from as f64 * size).powi(2);
        }
    }
    result
}

/// The cells in which fire was detected on a day.
#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    /// The date, counted in days since 1970.
    pub date: i64,
    /// 1 where fire was detected.
    pub burning: Grid,
}

/// Days of fire on a grid from detections: points with a property `acq_date`, in longitude and
/// latitude, or in the system of the grid where a property `system` says `grid`.
///
/// Points outside of the grid are left out. A point without a date, with one that is not written
/// `2020-09-08`, or with a latitude beyond 90 degrees is an error that says which.
pub fn days(detections: &[Feature], like: &Grid) -> Result<Vec<Day>, HazardError> {
    terrain::metres(like)?;
    let system = System::of(&like.crs).ok();
    let mut days: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for (at, detection) in detections.iter().enumerate() {
        let Some(Shape::Point([x, y])) = detection.shape else {
            return Err(HazardError::Contradiction(format!(
                "detection {at} is no point"
            )));
        };
        let date = date(detection, at)?;
        let local = detection.properties.get("system") == Some(&Property::Text("grid".into()));
        let place = match (&system, local) {
            (_, true) => Some((x, y)),
            (Some(system), false) => {
                if !((-180.0..=180.0).contains(&x) && (-90.0..=90.0).contains(&y)) {
                    return Err(HazardError::OutsideRange {
                        variable: "detection",
                        found: format!("longitude {x}, latitude {y} (number {at})"),
                        allowed:
                            "longitudes from -180 to 180 and latitudes from -90 to 90 degrees; \
                                  are they exchanged?"
                                .to_owned(),
                        source_of_limit: "WGS 84".to_owned(),
                    });
                }
                system.forward(x, y)
            }
            (None, false) => {
                return Err(HazardError::Contradiction(
                    "detections are in degrees, and the grid does not say its coordinate system; \
                     state it"
                        .to_owned(),
                ));
            }
        };
        let cells = days
            .entry(date)
            .or_insert_with(|| vec![0.0; like.values().len()]);
        let cell = place.and_then(|(x, y)| like.transform.invert(x, y));
        if let Some((column, row)) = cell {
            let inside = (0.0..like.columns() as f64).contains(&column)
                && (0.0..like.rows() as f64).contains(&row);
            if inside {
                cells[row as usize * like.columns() + column as usize] = 1.0;
            }
        }
    }
    days.into_iter()
        .filter(|(_, cells)| cells.contains(&1.0))
        .map(|(date, cells)| {
            Ok(Day {
                date,
                burning: like.like(cells)?,
            })
        })
        .collect()
}

/// The day of a detection, counted since 1970.
fn date(detection: &Feature, at: usize) -> Result<i64, HazardError> {
    let wrong = |found: &str| {
        HazardError::Contradiction(format!(
            "detection {at} has {found} as `acq_date`; detections need the day on which they were \
             made, written as 2020-09-08"
        ))
    };
    match detection.properties.get("acq_date") {
        Some(Property::Text(text)) => {
            let midnight = format!("{}T00:00:00Z", text.trim()).parse::<Timestamp>();
            let midnight = midnight.map_err(|_| wrong(&format!("`{text}`")))?;
            Ok(midnight.unix().div_euclid(86_400))
        }
        Some(Property::Number(number)) => Err(wrong(&format!("the number {number}"))),
        _ => Err(wrong("nothing")),
    }
}

/// What the model looks at: a constant, whether the cell burns, how much burns about it, how near the
/// next fire is, how that lies to the wind and to the slope.
const FEATURES: usize = 6;
/// Cells farther than this many from any fire are left out: nothing is learned from them.
const REACH: f64 = 20.0;
/// Weight of the penalty on the square of the coefficients.
const RIDGE: f64 = 1e-3;

/// A logistic model of next-day spread.
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    coefficients: [f64; FEATURES],
    /// How many cells it learned from.
    pub cells: usize,
    /// Mean square of its errors on them.
    pub brier_score: f64,
}

impl Logistic {
    /// Trains on each pair of days of which one is the day after the other, by Newton's method.
    /// Days between which the satellite saw nothing teach nothing about a single day.
    ///
    /// Inputs: days of fire, two in a row at least; elevations in metres; wind in m/s and where it
    /// comes from.
    pub fn train(
        days: &[Day],
        elevation: &Grid,
        wind: (f64, f64),
    ) -> Result<Logistic, HazardError> {
        let in_a_row = |pair: &&[Day]| pair[1].date == pair[0].date + 1;
        if !days.windows(2).any(|pair| in_a_row(&pair)) {
            return Err(HazardError::Contradiction(format!(
                "of {} days with fire none is the day after another, and two in a row are the least \
                 that it can learn from",
                days.len()
            )));
        }
        let (mut rows, mut outcomes) = (Vec::new(), Vec::new());
        for pair in days.windows(2).filter(in_a_row) {
            for (cell, row) in features(&pair[0].burning, elevation, wind)? {
                rows.push(row);
                outcomes.push(f64::from(u8::from(burns(pair[1].burning.values()[cell]))));
            }
        }
        let mut model = Logistic {
            coefficients: [0.0; FEATURES],
            cells: rows.len(),
            brier_score: 0.0,
        };
        for _ in 0..50 {
            let mut gradient = model.coefficients.map(|value| -RIDGE * value);
            let mut hessian = [[0.0; FEATURES]; FEATURES];
            for (row, outcome) in rows.iter().zip(&outcomes) {
                let p = model.probability(row);
                for i in 0..FEATURES {
                    gradient[i] += (outcome - p) * row[i];
                    for j in 0..FEATURES {
                        hessian[i][j] += p * (1.0 - p) * row[i] * row[j];
                    }
                }
            }
            for (i, row) in hessian.iter_mut().enumerate() {
                row[i] += RIDGE;
            }
            let step = solve(hessian, gradient);
            let mut moved = 0.0f64;
            for (coefficient, step) in model.coefficients.iter_mut().zip(step) {
                *coefficient += step.clamp(-5.0, 5.0);
                moved = moved.max(step.abs());
            }
            if moved < 1e-8 {
                break;
            }
        }
        let error = rows
            .iter()
            .zip(&outcomes)
            .map(|(row, outcome)| (model.probability(row) - outcome).powi(2));
        model.brier_score = error.sum::<f64>() / rows.len().max(1) as f64;
        Ok(model)
    }

    fn probability(&self, row: &[f64; FEATURES]) -> f64 {
        logistic(row.iter().zip(&self.coefficients).map(|(x, b)| x * b).sum())
    }

    /// Probability that each cell burns the day after; 0 beyond the reach of what it learned from.
    pub fn predict(
        &self,
        burning: &Grid,
        elevation: &Grid,
        wind: (f64, f64),
    ) -> Result<Grid, HazardError> {
        let mut cells = vec![0.0; burning.values().len()];
        for (cell, row) in features(burning, elevation, wind)? {
            cells[cell] = self.probability(&row);
        }
        Ok(burning.like(cells)?)
    }
}

fn features(
    burning: &Grid,
    elevation: &Grid,
    (wind, from): (f64, f64),
) -> Result<Vec<(usize, [f64; FEATURES])>, HazardError> {
    let (width, height) = terrain::metres(elevation)?;
    elevation.check_aligned(burning)?;
    some_fire(burning)?;
    let (wind, from) = (WIND.check(wind)?, FROM.check(from)?);
    let towards = (from + 180.0).to_radians();
    let blown = [wind * towards.sin(), wind * towards.cos()];
    let (rows, columns) = (burning.rows() as isize, burning.columns() as isize);
    let squares = nearest_fire(burning, width, height);
    let size = width.max(height);
    let value =
        |row: isize, column: isize| match row >= 0 && column >= 0 && row < rows && column < columns
        {
            true => burns(burning.values()[(row * columns + column) as usize]),
            false => false,
        };
    let mut found = Vec::new();
    for (cell, square) in squares.iter().enumerate() {
        let cells_away = square.sqrt() / size;
        let own = elevation.values()[cell];
        if cells_away > REACH || own.is_nan() {
            continue;
        }
        let (row, column) = (cell as isize / columns, cell as isize % columns);
        // Burning cells about this one, each the less the farther it is.
        let (mut weight, mut about, mut downwind, mut uphill) = (0.0, 0.0, 0.0, 0.0);
        for down in -3..=3isize {
            for right in -3..=3isize {
                if (down, right) == (0, 0) {
                    continue;
                }
                let share = 1.0 / (down * down + right * right) as f64;
                weight += share;
                if !value(row + down, column + right) {
                    continue;
                }
                about += share;
                // From the fire to here.
                let step = [-(right as f64) * width, down as f64 * height];
                let length = step[0].hypot(step[1]);
                downwind += share * (step[0] * blown[0] + step[1] * blown[1]) / length;
                let there = elevation.values()[((row + down) * columns + column + right) as usize];
                if !there.is_nan() {
                    uphill += share * (own - there) / length;
                }
            }
        }
        found.push((
            cell,
            [
                1.0,
                f64::from(u8::from(*square == 0.0)),
                about / weight,
                (-cells_away).exp(),
                downwind / weight,
                uphill / weight,
            ],
        ));
    }
    Ok(found)
}

/// Solves a symmetric system of equations by elimination with pivots.
fn solve(mut a: [[f64; FEATURES]; FEATURES], mut b: [f64; FEATURES]) -> [f64; FEATURES] {
    for column in 0..FEATURES {
        let pivot = (column..FEATURES)
            .max_by(|i, j| a[*i][column].abs().total_cmp(&a[*j][column].abs()))
            .unwrap_or(column);
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in column + 1..FEATURES {
            let factor = a[row][column] / a[column][column];
            let above = a[column];
            for (value, above) in a[row].iter_mut().zip(above).skip(column) {
                *value -= factor * above;
            }
            b[row] -= factor * b[column];
        }
    }
    for row in (0..FEATURES).rev() {
        let known: f64 = (row + 1..FEATURES).map(|at| a[row][at] * b[at]).sum();
        b[row] = (b[row] - known) / a[row][row];
    }
    b
}
