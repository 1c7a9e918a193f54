//! One task of each track with models, from observations to an artifact, on the real kernels.
//! The numbers are made.

use std::fmt::Write as _;

use lahar_core::capability::Value;
use lahar_routes::task::ReadOptions;
use lahar_routes::trajectory::{End, Operation};
use lahar_routes::{Agent, Policy, Registry, Task, Trajectory};

use crate::common::{Kernels, run, status};

fn head(hazards: &str, place: &str, output: &str) -> String {
    format!(
        "id = \"t\"\nhazards = {hazards}\nkind = \"assess\"\ndecision_time = \"2024-06-01T00:00:00Z\"\n\
         area = {{ place = \"{place}\" }}\noutput = {{ {output} }}\n"
    )
}

/// A task with observations: variable, value in TOML, and what else is to be said.
fn task(head: &str, observations: &[(&str, &str, &str)]) -> String {
    let mut text = head.to_owned();
    for (at, (variable, value, more)) in observations.iter().enumerate() {
        let _ = writeln!(
            text,
            "[[observation]]\nid = \"o{at}\"\nvariable = \"{variable}\"\n{value}\n{more}\n\
             publication_time = \"2024-05-01T00:00:00Z\"\nsource = \"made\""
        );
    }
    text
}

#[track_caller]
fn submits(trajectory: &Trajectory) -> (&str, &Value) {
    match &trajectory.end {
        End::Submit { route, .. } => (route, trajectory.answer().unwrap().value.as_ref()),
        End::Abstain { certificate } => {
            panic!("{}: {:#?}", certificate.reason, certificate.blocking)
        }
    }
}

const SHAKEN: &[(&str, &str, &str)] = &[
    ("task_scale", "value = \"regional\"", ""),
    ("magnitude", "value = \"6.7 Mw\"", ""),
    ("peak_ground_velocity", "value = \"0.45 m/s\"", ""),
    ("slope", "value = \"25 deg\"", ""),
    ("lithology", "value = \"sm\"", ""),
    ("land_cover", "value = \"50\"", ""),
    ("topographic_index", "value = 5", ""),
];

#[test]
fn landslides_of_an_earthquake() {
    let head = head(
        "[\"earthquake\", \"landslide\"]",
        "Northridge, California",
        "variable = \"landslide_probability\", unit = \"%\"",
    );
    let mut executor = Kernels::default();
    let trajectory = run(&task(&head, SHAKEN), &mut executor);
    let (route, value) = submits(&trajectory);
    assert_eq!(route, "nowicki-jessee-2018-probability");
    let Value::Quantity(probability) = value else {
        panic!("{value:?}");
    };
    // X = -6.30 + 1.65 ln 45 + 0.06*25 - 1.36 + 0.03*5 + 0.30 + 0.01*25 ln 45
    let x = -6.30 + 1.65 * 45f64.ln() + 1.5 - 1.36 + 0.15 + 0.30 + 0.25 * 45f64.ln();
    let expected = 100.0 / (1.0 + (-x).exp());
    assert!((probability.to("%").unwrap().value() - expected).abs() < 1e-9);
    assert!(
        executor.ran.contains(&"unit-conversion".to_owned()),
        "{:?}",
        executor.ran
    );
    // The older model needs the friction of the ground, and says so.
    let older = status(&trajectory, "nowicki-2014-probability");
    assert!(
        older.reasons.iter().any(|r| r.contains("friction")),
        "{:?}",
        older.reasons
    );
}

#[test]
fn a_small_earthquake_and_a_single_site_are_out() {
    let head = head(
        "[\"earthquake\", \"landslide\"]",
        "Northridge, California",
        "variable = \"landslide_probability\"",
    );
    for (find, put, part) in [
        ("6.7 Mw", "4.5 Mw", "magnitude"),
        ("\"regional\"", "\"site\"", "single slope"),
        ("25 deg", "2 deg", "5 degrees"),
    ] {
        let text = task(&head, SHAKEN);
        assert!(text.contains(find));
        let trajectory = run(&text.replace(find, put), &mut Kernels::default());
        let route = status(&trajectory, "nowicki-jessee-2018-probability");
        assert!(!route.is_eligible(), "{put}");
        assert!(
            route.reasons.iter().any(|r| r.contains(part)),
            "{put}: {:?}",
            route.reasons
        );
    }
}

#[test]
fn displacement_of_a_slope_with_its_strength_prepared_first() {
    let head = head(
        "[\"earthquake\", \"landslide\"]",
        "Northridge, California",
        "variable = \"newmark_displacement\", unit = \"cm\"",
    );
    let text = task(
        &head,
        &[
            ("magnitude", "value = \"6.7 Mw\"", ""),
            ("peak_ground_acceleration", "value = \"45 %g\"", ""),
            ("period_ratio", "value = 0.1", ""),
            ("pore_pressure", "value = \"steady\"", ""),
            ("slope", "value = \"35 deg\"", ""),
            ("cohesion", "value = \"10 kPa\"", ""),
            ("friction_angle", "value = \"32 deg\"", ""),
            ("saturation", "value = 0.0", ""),
            ("slab_thickness", "value = \"2 m\"", ""),
            ("density", "value = \"1900 kg/m3\"", "support = \"cell\""),
        ],
    );
    let mut executor = Kernels::default();
    let trajectory = run(&text, &mut executor);
    let (_, value) = submits(&trajectory);
    let Value::Quantity(displacement) = value else {
        panic!("{value:?}");
    };
    assert!(displacement.value() > 0.0 && displacement.unit().symbol() == "cm");
    assert!(
        executor.ran.contains(&"infinite-slope-safety".to_owned()),
        "{:?}",
        executor.ran
    );
    // A soft slide is out of all of them.
    let trajectory = run(
        &text.replace("value = 0.1", "value = 0.5"),
        &mut Kernels::default(),
    );
    assert!(matches!(trajectory.end, End::Abstain { .. }));
}

#[test]
fn a_surface_fire_and_a_crown_fire() {
    let head = head(
        "[\"wildfire\"]",
        "Redding, California",
        "variable = \"fire_spread_rate\", unit = \"m/min\"",
    );
    let text = task(
        &head,
        &[
            ("fuel_model", "value = 4", ""),
            ("moisture_1h", "value = \"6 %\"", ""),
            ("moisture_10h", "value = \"7 %\"", ""),
            ("moisture_100h", "value = \"8 %\"", ""),
            ("moisture_herbs", "value = \"60 %\"", ""),
            ("moisture_wood", "value = \"90 %\"", ""),
            ("wind_speed_20ft", "value = \"10 mph\"", ""),
            ("wind_from", "value = \"270 deg\"", ""),
            ("fuel_bed_depth", "value = \"6 ft\"", ""),
            ("fire_type", "value = \"surface\"", ""),
        ],
    );
    let mut executor = Kernels::default();
    let trajectory = run(&text, &mut executor);
    let (route, value) = submits(&trajectory);
    assert_eq!(route, "rothermel-surface-spread");
    assert!(
        matches!(value, Value::Quantity(rate) if rate.value() > 1.0),
        "{value:?}"
    );
    assert!(
        executor.ran.contains(&"midflame-wind".to_owned()),
        "{:?}",
        executor.ran
    );
    let canadian = status(&trajectory, "fire-behaviour-prediction");
    assert!(
        canadian
            .reasons
            .iter()
            .any(|r| r.contains("lies apart from Canada")),
        "{:?}",
        canadian.reasons
    );
    let trajectory = run(
        &text.replace("\"surface\"", "\"crown\""),
        &mut Kernels::default(),
    );
    assert!(matches!(trajectory.end, End::Abstain { .. }));
}

#[test]
fn rain_against_a_threshold() {
    let head = head(
        "[\"landslide\"]",
        "Genoa, Italy",
        "variable = \"landslide_threshold_exceeded\"",
    );
    let text = task(
        &head,
        &[
            (
                "rainfall_intensity",
                "value = \"30 mm/h\"",
                "support = \"storm\"\ntime_support = \"interval\"",
            ),
            (
                "rainfall_duration",
                "value = \"2 h\"",
                "support = \"storm\"\ntime_support = \"interval\"",
            ),
            ("local_threshold", "value = \"no\"", ""),
            ("burned_recently", "value = \"no\"", ""),
        ],
    );
    let trajectory = run(&text, &mut Kernels::default());
    let (_, value) = submits(&trajectory);
    assert_eq!(*value, Value::Label("yes".to_owned()));
    for (find, put) in [
        (
            "\"local_threshold\"\nvalue = \"no\"",
            "\"local_threshold\"\nvalue = \"yes\"",
        ),
        (
            "\"burned_recently\"\nvalue = \"no\"",
            "\"burned_recently\"\nvalue = \"yes\"",
        ),
    ] {
        assert!(text.contains(find));
        let trajectory = run(&text.replace(find, put), &mut Kernels::default());
        assert!(matches!(trajectory.end, End::Abstain { .. }), "{put}");
    }
}

/// An elevation model that falls to the south, 12 by 12 cells.
fn terrain(side: f64, fall: f64) -> String {
    let mut text = format!(
        "ncols 12\nnrows 12\nxllcorner 0\nyllcorner 0\ncellsize {side}\nNODATA_value -9999\n"
    );
    for row in 0..12 {
        let heights = (0..12).map(|column| {
            // A shallow valley down the middle.
            let across = (f64::from(column) - 5.5).abs() * 0.2;
            format!("{:.3}", f64::from(11 - row) * side * fall + across)
        });
        let _ = writeln!(text, "{}", heights.collect::<Vec<_>>().join(" "));
    }
    text
}

fn run_in_folder(text: &str, files: &[(&str, String)], executor: &mut Kernels) -> Trajectory {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let path = folder.path().join("task.toml");
    std::fs::write(&path, text).unwrap();
    let task = Task::load(&path, &ReadOptions::default()).unwrap();
    let cards = lahar_routes::card::shipped::all().unwrap();
    Agent::new()
        .run(
            std::sync::Arc::new(task),
            cards,
            Registry::standard(),
            executor,
            Policy::Rules,
        )
        .unwrap()
}

#[test]
fn water_over_terrain_from_a_file() {
    let head = head(
        "[\"flood\"]",
        "Houston, Texas",
        "variable = \"flood_depth\", representation = \"grid\", unit = \"m\", support = \"cell\"",
    );
    let text = task(
        &head,
        &[
            (
                "elevation",
                "file = \"dem.asc\"\nunit = \"m\"\nepsg = 0",
                "",
            ),
            (
                "rainfall_intensity",
                "values = [40, 40, 10]\nunit = \"mm/h\"\nstep = \"10 min\"",
                "",
            ),
            ("simulation_duration", "value = \"30 min\"", ""),
            ("manning_roughness", "value = 0.05", ""),
            ("slope_gradient", "value = \"0.002 fraction\"", ""),
            ("flow_regime", "value = \"pluvial\"", ""),
        ],
    );
    let mut executor = Kernels::default();
    let trajectory = run_in_folder(&text, &[("dem.asc", terrain(20.0, 0.002))], &mut executor);
    let (route, value) = submits(&trajectory);
    assert!(
        ["local-inertial", "shallow-water"].contains(&route),
        "{route}"
    );
    let Value::Layer(depth) = value else {
        panic!("{value:?}");
    };
    assert!(depth.grid.range().unwrap().1 > 0.001);
    let river = status(&trajectory, "hand-synthetic-rating");
    assert!(
        river
            .reasons
            .iter()
            .any(|r| r.contains("flow regime is `pluvial`")),
        "{:?}",
        river.reasons
    );
}

#[test]
fn a_slope_that_nobody_gave_is_made_of_the_terrain() {
    let head = head(
        "[\"earthquake\", \"landslide\"]",
        "Northridge, California",
        "variable = \"landslide_probability\", representation = \"grid\", support = \"cell\"",
    );
    let observations: Vec<(&str, &str, &str)> = SHAKEN
        .iter()
        .filter(|(variable, ..)| *variable != "slope" && *variable != "task_scale")
        .copied()
        .chain([(
            "elevation",
            "file = \"dem.asc\"\nunit = \"m\"\nepsg = 0",
            "",
        )])
        .collect();
    let text = task(&head, &observations);
    let mut executor = Kernels::default();
    let trajectory = run_in_folder(&text, &[("dem.asc", terrain(250.0, 0.5))], &mut executor);
    let (_, value) = submits(&trajectory);
    let Value::Layer(layer) = value else {
        panic!("{value:?}");
    };
    assert_eq!((layer.grid.rows(), layer.grid.columns()), (12, 12));
    assert_eq!(executor.ran[0], "terrain-slope");
    let first = trajectory
        .steps
        .iter()
        .find(|step| matches!(step.operation, Operation::ExecuteCapability { .. }))
        .unwrap();
    assert!(
        first
            .eligible
            .contains(&"nowicki-jessee-2018-probability".to_owned())
    );
    // Flat ground is out of the range of validity, cell for cell.
    let flat = run_in_folder(
        &text,
        &[("dem.asc", terrain(250.0, 0.01))],
        &mut Kernels::default(),
    );
    let route = status(&flat, "nowicki-jessee-2018-probability");
    assert!(
        route.reasons.iter().any(|r| r.contains("outside in")),
        "{:?}",
        route.reasons
    );
    // Where transformations are not permitted, the slope is asked for.
    let text = text.replace(
        "kind = \"assess\"",
        "kind = \"assess\"\nrecovery = [\"change_route\"]",
    );
    let strict = run_in_folder(
        &text,
        &[("dem.asc", terrain(250.0, 0.5))],
        &mut Kernels::default(),
    );
    assert!(matches!(strict.end, End::Abstain { .. }));
    assert!(
        strict.questions.iter().any(|q| q.contains("slope")),
        "{:?}",
        strict.questions
    );
}

#[test]
fn files_that_are_broken_are_errors_and_not_abstentions() {
    let head = head(
        "[\"flood\"]",
        "Houston, Texas",
        "variable = \"flood_depth\", representation = \"grid\", unit = \"m\", support = \"cell\"",
    );
    let text = task(
        &head,
        &[("elevation", "file = \"dem.asc\"\nunit = \"m\"", "")],
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("task.toml");
    std::fs::write(&path, text).unwrap();
    let whole = terrain(20.0, 0.002);
    std::fs::write(folder.path().join("dem.asc"), &whole[..whole.len() / 2]).unwrap();
    let task = Task::load(&path, &ReadOptions::default()).unwrap();
    let error = lahar_routes::State::begin(std::sync::Arc::new(task)).unwrap_err();
    assert!(
        error.to_string().contains("dem.asc") && error.to_string().contains("mend"),
        "{error}"
    );
}
