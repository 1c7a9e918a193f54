//! The chain over every basin of an elevation model: a map of hazard classes.

use lahar_core::Grid;
use lahar_core::measure::{Area, Length, Ratio, Speed};

use super::burn_severity;
use super::cannon_2010::HazardClass;
use super::chain::{AssessedBasin, Assessment, assess};
use crate::error::HazardError;
use crate::terrain::{basins, relief};

/// What a map is made of besides the elevation model.
#[derive(Debug, Clone, Copy)]
pub struct Burn<'a> {
    /// Differenced normalised burn ratio times 1000, on the cells of the elevation model.
    pub dnbr: &'a Grid,
    /// Soil erodibility (KF factor), one for all basins.
    pub soil_erodibility: f64,
    /// Smallest basin that is assessed.
    pub smallest: Area,
    /// Largest basin that is assessed.
    pub largest: Area,
}

/// A burned basin with what was found of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MappedBasin {
    /// Its number in [`HazardMap::basin`], from 1.
    pub number: usize,
    /// The cell at which it ends, counted row by row.
    pub outlet: usize,
    /// Its area.
    pub area: Area,
    /// What the chain was given.
    pub assessed: AssessedBasin,
    /// What it gave.
    pub assessment: Assessment,
}

/// Results on the cells of the elevation model; outside burned basins there are none.
#[derive(Debug, Clone, PartialEq)]
pub struct HazardMap {
    /// Number of the basin, burned or not, from 1; 0 outside.
    pub basin: Grid,
    /// 1 low, 2 moderate, 3 high; 0 outside burned basins.
    pub class: Grid,
    /// The class at the lower end of the volume's interval.
    pub class_lower: Grid,
    /// The class at its upper end.
    pub class_upper: Grid,
    /// Likelihood of a debris flow.
    pub likelihood: Grid,
    /// Its volume in cubic metres.
    pub volume: Grid,
    /// The burned basins.
    pub basins: Vec<MappedBasin>,
}

fn place(class: HazardClass) -> f64 {
    match class {
        HazardClass::Low => 1.0,
        HazardClass::Moderate => 2.0,
        HazardClass::High => 3.0,
    }
}

/// Delineates the basins of an elevation model, takes from each what [`assess`] asks for, and maps
/// what that gives under a storm.
///
/// Burned is what has at least moderate severity by Key and Benson (2006); steep are slopes of 23
/// degrees and more (Staley and others 2017, model M1). Basins without burned cells are left out.
///
/// Inputs: an elevation model in metres (10 m cells were used for the calibration); `burn` on the
/// same cells; `peak_intensity` of rain over 15 minutes.
///
/// Not for basins that are much smaller than a few hundred cells; not where its models are not.
pub fn map(
    elevation: &Grid,
    burn: &Burn<'_>,
    peak_intensity: Speed,
) -> Result<HazardMap, HazardError> {
    elevation.check_aligned(burn.dnbr)?;
    let slope = relief::slope(elevation)?;
    let found = basins::delineate(elevation, burn.smallest, burn.largest)?;
    let count = elevation.values().len();
    let burned =
        |cell: usize| burn_severity::severity(burn.dnbr.values()[cell]).is_moderate_or_high();
    let mut number = vec![0.0; count];
    let mut classes = [vec![0.0; count], vec![0.0; count], vec![0.0; count]];
    let (mut likelihood, mut volume) = (vec![f64::NAN; count], vec![f64::NAN; count]);
    let mut mapped = Vec::new();
    for (at, basin) in found.basins.iter().enumerate() {
        basin
            .cells
            .iter()
            .for_each(|cell| number[*cell] = at as f64 + 1.0);
        let share = basin.share(burned);
        let Some(mean_dnbr) = basin.mean(burn.dnbr).filter(|_| share > 0.0) else {
            continue;
        };
        let steep = basin.share(|cell| burned(cell) && slope.values()[cell] >= 23.0);
        let assessed = AssessedBasin {
            steep_burned_share: Ratio::fraction(steep),
            mean_dnbr,
            soil_erodibility: burn.soil_erodibility,
            burned_area: Area::from_si(share * basin.area.si()),
            relief: Length::from_si(basin.relief.si()),
        };
        let assessment = assess(&assessed, peak_intensity)?;
        let of_basin = [
            assessment.class,
            assessment.class_at_lower_volume,
            assessment.class_at_upper_volume,
        ];
        for &cell in &basin.cells {
            for (grid, class) in classes.iter_mut().zip(of_basin) {
                grid[cell] = place(class);
            }
            likelihood[cell] = assessment.likelihood.to_fraction();
            volume[cell] = assessment.volume.median.to_cubic_metres();
        }
        mapped.push(MappedBasin {
            number: at + 1,
            outlet: basin.outlet,
            area: basin.area,
            assessed,
            assessment,
        });
    }
    let [class, class_lower, class_upper] = classes;
    Ok(HazardMap {
        basin: elevation.like(number)?,
        class: elevation.like(class)?,
        class_lower: elevation.like(class_lower)?,
        class_upper: elevation.like(class_upper)?,
        likelihood: elevation.like(likelihood)?,
        volume: elevation.like(volume)?,
        basins: mapped,
    })
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};

    use super::*;

    /// A valley that falls to the south, with sides that are steeper towards its head.
    fn valley() -> Grid {
        let (rows, columns) = (60, 41);
        let values = (0..rows * columns)
            .map(|i| {
                let (row, column) = ((i / columns) as f64, (i % columns) as f64);
                let side = (column - 20.0).abs();
                1000.0 - 4.0 * row + side * (8.0 - 0.05 * row)
            })
            .collect();
        let transform = Affine::north_up(450_000.0, 4_440_000.0, 10.0, 10.0);
        Grid::new(values, rows, columns, transform, Crs::Epsg(32613)).unwrap()
    }

    fn burn(dnbr: &Grid) -> Burn<'_> {
        Burn {
            dnbr,
            soil_erodibility: 0.2,
            smallest: Area::square_kilometres(0.02),
            largest: Area::square_kilometres(8.0),
        }
    }

    #[test]
    fn a_burned_valley_has_a_class_and_an_unburned_one_none() {
        let elevation = valley();
        let storm = Speed::millimetres_per_hour(40.0);
        let severe = elevation.map(|_| 600.0);
        let map = super::map(&elevation, &burn(&severe), storm).unwrap();
        assert!(!map.basins.is_empty());
        for basin in &map.basins {
            let by_hand = assess(&basin.assessed, storm).unwrap();
            assert_eq!(by_hand, basin.assessment);
            assert_eq!(map.class.values()[basin.outlet], place(by_hand.class));
            assert_eq!(map.basin.values()[basin.outlet], basin.number as f64);
            assert!((basin.assessed.burned_area.si() - basin.area.si()).abs() < 1e-6);
        }
        let none = super::map(&elevation, &burn(&elevation.map(|_| 20.0)), storm).unwrap();
        assert!(none.basins.is_empty() && none.class.range() == Some((0.0, 0.0)));
    }

    #[test]
    fn more_rain_and_more_severity_never_lower_a_class() {
        let elevation = valley();
        let class = |dnbr: f64, rain: f64| {
            let dnbr = elevation.map(|_| dnbr);
            let storm = Speed::millimetres_per_hour(rain);
            super::map(&elevation, &burn(&dnbr), storm).unwrap().class
        };
        for (less, more) in [
            ((300.0, 12.0), (300.0, 60.0)),
            ((300.0, 24.0), (800.0, 24.0)),
        ] {
            let (less, more) = (class(less.0, less.1), class(more.0, more.1));
            assert!(less.values().iter().zip(more.values()).all(|(a, b)| a <= b));
        }
    }

    #[test]
    fn a_burn_on_other_cells_is_refused() {
        let elevation = valley();
        let mut shifted = elevation.map(|_| 600.0);
        shifted.transform = Affine::north_up(450_005.0, 4_440_000.0, 10.0, 10.0);
        let storm = Speed::millimetres_per_hour(24.0);
        let message = super::map(&elevation, &burn(&shifted), storm)
            .unwrap_err()
            .to_string();
        assert!(message.contains("do not align"), "{message}");
    }
}
