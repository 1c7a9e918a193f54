//! Scientific models on files, from the command line.

use super::program::Desk;

/// A valley that falls to the south, 40 cells of 10 m wide, as an ASCII grid.
fn valley() -> String {
    let mut text =
        "ncols 41\nnrows 60\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n"
            .to_owned();
    for row in 0..60 {
        let cells = (0..41).map(|column| {
            let side = f64::from(i32::abs(column - 20));
            let height = 1000.0 - 4.0 * f64::from(row) + side * (8.0 - 0.05 * f64::from(row));
            height.to_string()
        });
        text.push_str(&cells.collect::<Vec<_>>().join(" "));
        text.push('\n');
    }
    text
}

#[test]
fn an_elevation_model_becomes_classes_and_a_picture() {
    let desk = Desk::new();
    desk.write("dem.asc", valley());
    desk.write(
        "burn.geojson",
        r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {},
            "geometry": {"type": "Polygon",
                "coordinates": [[[0, 0], [410, 0], [410, 600], [0, 600], [0, 0]]]}}]}"#,
    );
    let burn = desk.run(&[
        "capabilities",
        "run",
        "rasterise",
        "shapes=@burn.geojson",
        "like=@dem.asc,m,local",
        "value=450 1",
        "--save",
        "result=dnbr.asc",
    ]);
    assert_eq!(burn.code, 0, "{burn:?}");
    let map = desk.run(&[
        "--json",
        "capabilities",
        "run",
        "postfire-hazard-map",
        "elevation=@dem.asc,m,local",
        "dnbr=@dnbr.asc,1,local",
        "rainfall_intensity=40 mm/h",
        "soil_erodibility=0.2 fraction",
        "region=western_united_states",
        "--save",
        "hazard_class=class.asc",
        "--save",
        "likelihood=likelihood.tif",
        "--save",
        "basin=basin.asc",
    ]);
    assert_eq!(map.code, 0, "{map:?}");
    let report: serde_json::Value = serde_json::from_str(&map.stdout).unwrap();
    assert!(
        report.to_string().contains("burned_basins"),
        "{}",
        map.stdout
    );
    let classes = std::fs::read_to_string(desk.path("class.asc")).unwrap();
    assert!(
        classes
            .split_whitespace()
            .any(|cell| cell == "3" || cell == "2"),
        "{classes}"
    );
    assert!(
        std::fs::metadata(desk.path("likelihood.tif"))
            .unwrap()
            .len()
            > 500
    );
    for name in ["class.asc", "basin.asc", "dem.asc"] {
        // An ASCII grid does not say where it lies; a picture needs metres.
        assert!(desk.path(name).exists());
    }
    let picture = desk.run(&[
        "capabilities",
        "picture",
        "--elevation",
        "dem.asc,m,local",
        "--classes",
        "class.asc,1,local",
        "--basins",
        "basin.asc,1,local",
        "out.png",
    ]);
    assert_eq!(picture.code, 0, "{picture:?}");
    assert!(
        std::fs::read(desk.path("out.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn files_that_do_not_fit_are_refused_with_what_to_do() {
    let desk = Desk::new();
    desk.write("dem.asc", valley());
    for (arguments, part) in [
        (
            &[
                "capabilities",
                "run",
                "terrain-slope",
                "elevation=@dem.asc,m",
            ][..],
            "state its system",
        ),
        (
            &[
                "capabilities",
                "run",
                "terrain-slope",
                "elevation=@dem.asc,ft,local",
            ],
            "must be in `m`",
        ),
        (
            &[
                "capabilities",
                "run",
                "terrain-slope",
                "elevation=@gone.tif,m",
            ],
            "gone.tif",
        ),
        (
            &[
                "capabilities",
                "run",
                "terrain-slope",
                "elevation=@dem.asc,m,mars",
            ],
            "coordinate system",
        ),
        (
            &["capabilities", "run", "terrain-slope", "elevation"],
            "PORT=VALUE",
        ),
        (
            &[
                "capabilities",
                "run",
                "terrain-slope",
                "elevation=@dem.asc,m,local",
                "--save",
                "rain=x.tif",
            ],
            "gives no `rain`",
        ),
        (
            &[
                "capabilities",
                "run",
                "terrain-slope",
                "elevation=@dem.asc,m,local",
                "--save",
                "slope=x.doc",
            ],
            "`.doc`",
        ),
    ] {
        let run = desk.run(arguments);
        assert_ne!(run.code, 0, "{arguments:?}");
        assert!(run.stderr.contains(part), "{arguments:?}: {}", run.stderr);
    }
}
