//! From an elevation model to a map of post-fire debris-flow hazard.
//!
//! ```sh
//! cargo run --release -p lahar-hazards --example hazard_map -- \
//!     DEM.asc OUT_FOLDER [--epsg 4326] [--intensity "24 mm/h"] [--cell "30 m"]
//! ```
//!
//! Real is the elevation model. Made here, and said so in `report.json`: where it burned and how
//! severely (an ellipse around the middle of the model, most severe inside and on slopes that face
//! south), the soil (KF factor 0.2 everywhere) and the storm. With real inputs the same steps give
//! a real map.
//!
//! Writes `hazard_class.tif` (0 outside basins, 1 low, 2 moderate, 3 high), `likelihood.tif`,
//! `volume.tif`, `basins.geojson` (outlets with their results), `hazard.png` (hillshade with the
//! basins coloured by class) and `report.json`.

// A program, not the library: it talks to the person who runs it.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use lahar_core::capability::Value;
use lahar_core::measure::{Angle, Area};
use lahar_core::series::{Feature, Property, Shape};
use lahar_core::{Affine, Crs, Grid, Quantity};
use lahar_formats::geotiff::{self, SampleType, WriteOptions};
use lahar_formats::picture::Picture;
use lahar_formats::{ascii_grid, geojson, projection};
use lahar_hazards::postfire_debris_flow::burn_severity;
use lahar_hazards::registry;
use lahar_hazards::terrain::{basins, relief};
use lahar_hazards::transformation::{Interpolation, Target, resample};

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Options {
    dem: PathBuf,
    out: PathBuf,
    crs: Crs,
    intensity: Quantity,
    cell: f64,
}

fn options() -> Outcome<Options> {
    let mut paths = Vec::new();
    let (mut crs, mut intensity, mut cell) =
        (Crs::LocalMetres, "24 mm/h".to_owned(), "30 m".to_owned());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--epsg" => crs = Crs::Epsg(value()?.parse()?),
            "--intensity" => intensity = value()?,
            "--cell" => cell = value()?,
            _ => paths.push(PathBuf::from(word)),
        }
    }
    let [dem, out] = paths
        .try_into()
        .map_err(|_| "give an elevation model and a folder")?;
    let cell = cell.parse::<Quantity>()?.to("m")?.value();
    Ok(Options {
        dem,
        out,
        crs,
        intensity: intensity.parse()?,
        cell,
    })
}

fn read_elevation(options: &Options) -> Outcome<Grid> {
    let text = options.dem.extension().is_some_and(|ext| ext == "asc");
    let elevation = match text {
        true => ascii_grid::read_file_as(&options.dem, options.crs.clone())?,
        false => geotiff::read_from(&options.dem)?.bands.swap_remove(0),
    };
    if !elevation.crs.is_geographic() {
        return Ok(elevation);
    }
    // Degrees become metres of the UTM zone of the middle.
    let (longitude, latitude) = elevation.centre(elevation.rows() / 2, elevation.columns() / 2);
    let utm = projection::utm_zone(longitude, latitude);
    let (geographic, metric) = projection::pair(&elevation.crs, &utm)?;
    let (rows, columns) = (elevation.rows() - 1, elevation.columns() - 1);
    let corners = [(0, 0), (0, columns), (rows, 0), (rows, columns)];
    let corners: Vec<(f64, f64)> = corners
        .iter()
        .filter_map(|(row, column)| {
            let (longitude, latitude) = elevation.centre(*row, *column);
            metric.forward(longitude, latitude)
        })
        .collect();
    let edge = |pick: fn(&(f64, f64)) -> f64, highest: bool| {
        corners
            .iter()
            .map(pick)
            .fold(f64::NAN, |a, b| if highest { a.max(b) } else { a.min(b) })
    };
    let (west, east) = (edge(|c| c.0, false), edge(|c| c.0, true));
    let (south, north) = (edge(|c| c.1, false), edge(|c| c.1, true));
    let target = Target {
        rows: ((north - south) / options.cell) as usize,
        columns: ((east - west) / options.cell) as usize,
        transform: Affine::north_up(west, north, options.cell, options.cell),
        crs: utm,
    };
    let back = |x, y| {
        metric
            .inverse(x, y)
            .and_then(|(longitude, latitude)| geographic.forward(longitude, latitude))
    };
    Ok(resample(
        &elevation,
        &target,
        Interpolation::Bilinear,
        back,
    )?)
}

/// A made burn: dNBR falls from the middle of the model to its edge and is higher on ground that
/// falls to the south.
fn made_burn(elevation: &Grid) -> Outcome<Grid> {
    let from_south = relief::hillshade(elevation, Angle::degrees(180.0), Angle::degrees(30.0))?;
    let middle = (
        elevation.rows() as f64 / 2.0,
        elevation.columns() as f64 / 2.0,
    );
    let mut at = 0;
    Ok(from_south.map(|light| {
        let (row, column) = (at / elevation.columns(), at % elevation.columns());
        at += 1;
        let (y, x) = (
            (row as f64 - middle.0) / middle.0,
            (column as f64 - middle.1) / middle.1,
        );
        let inside = 1.0 - (x * x / 0.8 + y * y / 0.6);
        if inside <= 0.0 {
            light * 40.0
        } else {
            250.0 + 450.0 * inside.sqrt() * (0.4 + light)
        }
    }))
}

fn main() -> Outcome<()> {
    let options = options()?;
    std::fs::create_dir_all(&options.out)?;
    let elevation = read_elevation(&options)?;
    let slope = relief::slope(&elevation)?;
    let dnbr = made_burn(&elevation)?;
    let (smallest, largest) = (Area::square_kilometres(0.1), Area::square_kilometres(8.0));
    let found = basins::delineate(&elevation, smallest, largest)?;
    let burned = |cell: usize| burn_severity::severity(dnbr.values()[cell]).is_moderate_or_high();
    let cell_area = found
        .basins
        .first()
        .map_or(0.0, |b| b.area.si() / b.cells.len() as f64);

    let chain = registry::find("postfire-hazard-chain")?;
    let count = elevation.values().len();
    let mut class_of = vec![0.0; count];
    let (mut likelihood_of, mut volume_of) = (vec![f64::NAN; count], vec![f64::NAN; count]);
    let mut features = Vec::new();
    let mut reports = Vec::new();
    for (number, basin) in found.basins.iter().enumerate() {
        let burned_share = basin.share(burned);
        let steep = basin.share(|cell| burned(cell) && slope.values()[cell] >= 23.0);
        let Some(mean_dnbr) = basin.mean(&dnbr).filter(|_| burned_share > 0.0) else {
            continue;
        };
        let quantity = |value: f64, unit: &str| Quantity::of(value, unit).map(Value::Quantity);
        let inputs: BTreeMap<String, Value> = [
            (
                "rainfall_intensity",
                Value::Quantity(options.intensity.clone()),
            ),
            ("steep_burned_share", quantity(steep, "fraction")?),
            ("mean_dnbr", quantity(mean_dnbr, "1")?),
            ("soil_erodibility", quantity(0.2, "fraction")?),
            (
                "burned_area",
                quantity(burned_share * basin.cells.len() as f64 * cell_area, "m2")?,
            ),
            ("relief", quantity(basin.relief.si(), "m")?),
            ("basin_area", quantity(basin.area.si(), "m2")?),
            ("time_since_fire", quantity(0.0, "yr")?),
            ("region", Value::Label("western_united_states".to_owned())),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
        let report = chain.run(&inputs)?;
        let class = match &report.outputs["hazard_class"] {
            Value::Label(word) => word.clone(),
            _ => return Err("the chain gave no class".into()),
        };
        let place = ["low", "moderate", "high"]
            .iter()
            .position(|known| *known == class);
        let number_of = |port: &str| report.number(port).unwrap_or(f64::NAN);
        for &cell in &basin.cells {
            class_of[cell] = place.map_or(0.0, |place| place as f64 + 1.0);
            likelihood_of[cell] = number_of("likelihood");
            volume_of[cell] = number_of("volume");
        }
        let (row, column) = (
            basin.outlet / elevation.columns(),
            basin.outlet % elevation.columns(),
        );
        let (x, y) = elevation.centre(row, column);
        let position = match projection::System::of(&elevation.crs) {
            Ok(system) => system.inverse(x, y).unwrap_or((x, y)),
            Err(_) => (x, y),
        };
        let properties = [
            ("basin", Property::Number(number as f64)),
            (
                "area_km2",
                Property::Number(basin.area.to_square_kilometres()),
            ),
            ("relief_m", Property::Number(basin.relief.si())),
            ("likelihood", Property::Number(number_of("likelihood"))),
            ("volume_m3", Property::Number(number_of("volume"))),
            ("hazard_class", Property::Text(class)),
        ];
        features.push(Feature {
            shape: Some(Shape::Point([position.0, position.1])),
            properties: properties
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect(),
        });
        reports.push(report);
    }

    let write = |values: &[f64], name: &str, samples| -> Outcome<()> {
        let grid = elevation.like(values.to_vec())?;
        let no_data = (samples == SampleType::U8).then_some(255.0);
        let how = WriteOptions {
            samples,
            no_data,
            ..WriteOptions::default()
        };
        Ok(geotiff::write_to(&grid, &how, &options.out.join(name))?)
    };
    write(&class_of, "hazard_class.tif", SampleType::U8)?;
    write(&likelihood_of, "likelihood.tif", SampleType::F32)?;
    write(&volume_of, "volume.tif", SampleType::F32)?;
    std::fs::write(
        options.out.join("basins.geojson"),
        geojson::write(&features),
    )?;
    draw(
        &elevation,
        &found,
        &class_of,
        &options.out.join("hazard.png"),
    )?;
    let report = serde_json::json!({
        "elevation_model": options.dem, "real": ["elevation"],
        "made": ["burn severity", "soil erodibility 0.2", "storm", "region and age of the fire"],
        "rainfall_intensity": options.intensity, "cell": slope.transform.cell_size(),
        "basins": reports,
    });
    std::fs::write(
        options.out.join("report.json"),
        serde_json::to_vec_pretty(&report)?,
    )?;
    let classes: Vec<usize> = (0..=3)
        .map(|class| class_of.iter().filter(|c| **c == f64::from(class)).count())
        .collect();
    println!(
        "{} basins, {} of them burned; cells by class {classes:?}",
        found.basins.len(),
        reports.len()
    );
    println!("written to {}", options.out.display());
    Ok(())
}

fn draw(elevation: &Grid, found: &basins::Basins, class_of: &[f64], path: &Path) -> Outcome<()> {
    let shade = relief::hillshade(elevation, Angle::degrees(315.0), Angle::degrees(45.0))?;
    let columns = elevation.columns();
    let colours = [
        [1.0, 1.0, 1.0],
        [0.98, 0.90, 0.45],
        [0.96, 0.60, 0.25],
        [0.80, 0.15, 0.15],
    ];
    let pixels = (0..class_of.len())
        .map(|cell| {
            let light = shade.values()[cell];
            if light.is_nan() {
                return [255, 255, 255];
            }
            let basin = found.of_cell[cell];
            // Rivers that gather more than a basin, and the lines between basins.
            if found.contributing_area[cell] > 8e6 {
                return [60, 100, 190];
            }
            let border = basin.is_some()
                && [cell + 1, cell + columns].iter().any(|other| {
                    found
                        .of_cell
                        .get(*other)
                        .is_some_and(|other| *other != basin)
                });
            let colour = colours[class_of[cell] as usize];
            let dark = if border { 0.45 } else { 1.0 };
            colour.map(|part| (255.0 * dark * part * (0.25 + 0.75 * light)) as u8)
        })
        .collect();
    let times = (900 / columns).clamp(1, 8);
    Ok(Picture::new(pixels, columns)?
        .enlarged(times)
        .write_to(path)?)
}
