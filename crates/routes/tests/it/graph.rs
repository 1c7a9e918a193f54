//! Planning: transformations are inserted, failures are explained by port and field, and the
//! cheapest way is found.

use std::fmt::Write as _;

use lahar_core::capability::{CapabilityKind, Support};
use lahar_routes::graph::search::{DEPTH, Source};
use lahar_routes::graph::transformation::{Pattern, changes};
use lahar_routes::graph::{Node, Registry, Search, plan};
use lahar_routes::port::{
    Lineage, Needed, PortType, PortUnit, Representation, TypedPort, UncertaintyKind,
};
use lahar_routes::trajectory::Reachability;
use lahar_routes::{Card, State};
use proptest::prelude::*;

use crate::common::{BASIN, task, without};

fn grid(unit: &str, resolution: &str) -> PortType {
    PortType {
        variable: "slope".to_owned(),
        unit: PortUnit::Of(unit.parse().unwrap()),
        representation: Representation::Grid,
        space: Support::Cell,
        time: Support::Static,
        resolution: Some(resolution.parse().unwrap()),
        uncertainty: UncertaintyKind::Unstated,
        lineage: Lineage::Any,
    }
}

fn row(given: &PortType, wanted: &PortType, patterns: &[Pattern]) -> Option<Vec<&'static str>> {
    let row = changes(given, wanted, patterns)?;
    Some(row.iter().map(|change| change.capability).collect())
}

#[test]
fn each_mismatch_has_its_transformation_or_none() {
    let pattern = [Pattern {
        id: "dem".to_owned(),
        metres: 10.0,
    }];
    let wanted = grid("deg", "30 m");
    assert_eq!(row(&wanted, &wanted, &[]), Some(vec![]));
    assert_eq!(
        row(&grid("rad", "30 m"), &wanted, &[]),
        Some(vec!["grid-unit-conversion"])
    );
    assert_eq!(
        row(&grid("deg", "10 m"), &wanted, &[]),
        Some(vec!["grid-aggregate"])
    );
    assert_eq!(
        row(&grid("rad", "10 m"), &wanted, &[]),
        Some(vec!["grid-aggregate", "grid-unit-conversion"])
    );
    // Finer cells need a grid that has them.
    assert_eq!(row(&grid("deg", "90 m"), &grid("deg", "10 m"), &[]), None);
    assert_eq!(
        row(&grid("deg", "90 m"), &grid("deg", "10 m"), &pattern),
        Some(vec!["grid-resample"])
    );
    let shapes = PortType {
        representation: Representation::Shapes,
        unit: PortUnit::None,
        space: Support::Point,
        resolution: None,
        ..wanted.clone()
    };
    let flags = PortType {
        unit: PortUnit::Of("1".parse().unwrap()),
        resolution: None,
        ..wanted.clone()
    };
    assert_eq!(row(&shapes, &flags, &pattern), Some(vec!["rasterise"]));
    assert_eq!(row(&shapes, &flags, &[]), None);
    // No transformation makes a length of an angle, a basin of a cell, or one variable of another.
    assert_eq!(row(&grid("m", "30 m"), &wanted, &pattern), None);
    for wrong in [
        PortType {
            space: Support::Basin,
            ..wanted.clone()
        },
        PortType {
            variable: "aspect".to_owned(),
            ..wanted.clone()
        },
    ] {
        assert_eq!(row(&wrong, &wanted, &pattern), None);
    }
}

fn cascade() -> &'static Card {
    lahar_routes::card::shipped::find("staley-gartner-cannon-cascade").unwrap()
}

fn state(text: &str) -> State {
    State::begin(task(text)).unwrap().0
}

#[test]
fn a_failure_names_the_port_and_the_field() {
    let registry = Registry::standard();
    for (find, put, port, field, part) in [
        (
            "variable = \"relief\"",
            "support = \"point\"\nvariable = \"relief\"",
            "relief",
            Some("spatial support"),
            "point where basin",
        ),
        (
            "value = \"850 m\"",
            "values = [850]\nunit = \"m\"\nstep = \"1 h\"",
            "relief",
            Some("representation"),
            "series where number",
        ),
    ] {
        assert!(BASIN.contains(find));
        let planned = plan(cascade(), registry, &state(&BASIN.replace(find, put)));
        assert_eq!(planned.reachability, Reachability::Unavailable, "{put}");
        let failure = planned
            .failures
            .iter()
            .find(|failure| failure.port == port)
            .unwrap();
        assert_eq!(failure.field.as_deref(), field);
        assert!(failure.why.contains(part), "{}", failure.why);
    }
    let planned = plan(cascade(), registry, &state(&without(BASIN, "relief")));
    let failure = &planned.failures[0];
    assert_eq!((failure.port.as_str(), &failure.field), ("relief", &None));
    assert_eq!(planned.failures.len(), 1, "{:?}", planned.failures);
}

#[test]
fn a_lost_transformation_closes_the_way_and_another_way_opens_it() {
    let registry = Registry::standard();
    let lost = format!("{BASIN}\n[capabilities]\nintensity-to-accumulation = \"lost\"\n");
    let planned = plan(cascade(), registry, &state(&lost));
    assert_eq!(planned.reachability, Reachability::Unavailable);
    assert!(
        planned
            .failures
            .iter()
            .any(|f| f.variable == "rainfall_accumulation"),
        "{:?}",
        planned.failures
    );
    // The accumulation itself needs no transformation.
    let mut text = lost.replace("\n[capabilities]", "\n\n[capabilities]");
    let at = text.find("\n[capabilities]").unwrap();
    let mut more = String::new();
    let _ = write!(
        more,
        "\n[[observation]]\nid = \"depth\"\nvariable = \"rainfall_accumulation\"\nvalue = \"6 mm\"\n\
         publication_time = \"2018-01-07T00:00:00Z\"\nsource = \"gauge\"\n"
    );
    text.insert_str(at, &more);
    assert_eq!(
        plan(cascade(), registry, &state(&text)).reachability,
        Reachability::Reachable
    );
}

fn made(name: &str) -> PortType {
    PortType {
        variable: name.to_owned(),
        unit: PortUnit::Of("m".parse().unwrap()),
        representation: Representation::Number,
        space: Support::Basin,
        time: Support::Static,
        resolution: None,
        uncertainty: UncertaintyKind::Unstated,
        lineage: Lineage::Any,
    }
}

fn node(name: usize, inputs: &[usize], output: usize, cost: f64) -> Node {
    let port = |variable: &usize| TypedPort {
        name: format!("v{variable}"),
        kind: made(&format!("v{variable}")),
        presence: Needed::Required,
    };
    Node {
        name: format!("n{name}"),
        kind: CapabilityKind::Formula,
        inputs: inputs.iter().map(port).collect(),
        outputs: vec![port(&output)],
        cost,
        version: "1".to_owned(),
        published: None,
        unavailable: None,
    }
}

/// Cost of the cheapest way with calls nested at most `depth` deep, by trying all of them.
fn by_hand(nodes: &[(Vec<usize>, usize, f64)], at_hand: &[usize], wanted: usize, depth: u8) -> f64 {
    if at_hand.contains(&wanted) {
        return 0.0;
    }
    if depth == 0 {
        return f64::INFINITY;
    }
    let makers = nodes.iter().filter(|(_, output, _)| *output == wanted);
    let costs = makers.map(|(inputs, _, cost)| {
        cost + inputs
            .iter()
            .map(|input| by_hand(nodes, at_hand, *input, depth - 1))
            .sum::<f64>()
    });
    costs.fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_search_is_complete_within_its_bound_and_cheapest(
        nodes in proptest::collection::vec(
            (proptest::collection::btree_set(0usize..8, 1..3), 0usize..8, 1u32..20), 1..14),
        at_hand in proptest::collection::btree_set(0usize..8, 1..4),
        wanted in 0usize..8,
    ) {
        let plain: Vec<(Vec<usize>, usize, f64)> = nodes
            .iter()
            .map(|(inputs, output, cost)| (inputs.iter().copied().collect(), *output, f64::from(*cost)))
            .collect();
        let registry = Registry::new(
            plain.iter().enumerate().map(|(at, (inputs, output, cost))| node(at, inputs, *output, *cost)));
        let mut given = task(BASIN).as_ref().clone();
        let template = given.observations.iter().find(|o| o.id == "relief").unwrap().clone();
        given.observations = at_hand.iter().map(|variable| {
            let mut observation = template.clone();
            observation.id = format!("o{variable}");
            observation.kind = made(&format!("v{variable}"));
            observation
        }).collect();
        let (state, _) = State::begin(std::sync::Arc::new(given)).unwrap();
        let mut search = Search::new(&registry, &state, &[], false).with_all_free();
        let found = search.solve(&made(&format!("v{wanted}")), DEPTH);
        let at_hand: Vec<usize> = at_hand.into_iter().collect();
        let expected = by_hand(&plain, &at_hand, wanted, DEPTH);
        match found {
            Some(way) => {
                prop_assert!((way.cost - expected).abs() < 1e-6, "{} and {expected}", way.cost);
                prop_assert_eq!(matches!(way.source, Source::Artifact(_)), expected == 0.0);
            }
            None => prop_assert!(expected.is_infinite(), "a way of cost {expected} was missed"),
        }
    }
}

#[test]
fn a_peak_over_an_hour_is_no_rain_of_a_quarter_of_one() {
    let registry = Registry::standard();
    let text = BASIN.replace(
        "peak_rainfall_intensity_15min",
        "peak_rainfall_intensity_60min",
    );
    let card = lahar_routes::card::shipped::find("staley-2017-m1-likelihood").unwrap();
    let likelihood = |text: &str| {
        text.replace(
            "variable = \"debris_flow_hazard_class\", stages = [\"likelihood\", \"volume\", \"class\"]",
            "variable = \"debris_flow_likelihood\"",
        )
    };
    let planned = plan(card, registry, &state(&likelihood(BASIN)));
    assert_eq!(planned.reachability, Reachability::Reachable);
    let planned = plan(card, registry, &state(&likelihood(&text)));
    assert_eq!(planned.reachability, Reachability::Unavailable);
    // So is an accumulation over another duration.
    let hour = BASIN
        .replace(
            "peak_rainfall_intensity_15min",
            "rainfall_accumulation_60min",
        )
        .replace("24 mm/h", "20 mm");
    let planned = plan(card, registry, &state(&likelihood(&hour)));
    assert_eq!(planned.reachability, Reachability::Unavailable);
    let why: Vec<&str> = planned.failures.iter().map(|f| f.why.as_str()).collect();
    assert!(
        why.iter().any(|why| why.contains("another duration")),
        "{why:?}"
    );
}
