//! The agent on real kernels with scripted failures, answers and news.

use lahar_core::capability::Value;
use lahar_models::chat::ScriptedChat;
use lahar_routes::state::{Change, Failure};
use lahar_routes::task::Health;
use lahar_routes::trajectory::{Applicability, Certificate, End, Operation, Reachability};
use lahar_routes::{Agent, Policy, QuoteBook, Registry, RoutesError, Trajectory};

use crate::common::{BASIN, Kernels, run, status, task, without};

const CASCADE: &str = "staley-gartner-cannon-cascade";

#[track_caller]
fn submitted(trajectory: &Trajectory) -> (&str, &Value) {
    match &trajectory.end {
        End::Submit { route, .. } => (route, trajectory.answer().unwrap().value.as_ref()),
        End::Abstain { certificate } => panic!("abstained: {certificate:#?}"),
    }
}

#[track_caller]
fn abstained(trajectory: &Trajectory) -> &Certificate {
    match &trajectory.end {
        End::Abstain { certificate } => certificate,
        End::Submit { route, .. } => panic!("submitted by {route}"),
    }
}

#[test]
fn the_cascade_runs_from_rain_to_class() {
    let mut executor = Kernels::default();
    let trajectory = run(BASIN, &mut executor);
    let (route, value) = submitted(&trajectory);
    assert_eq!(route, CASCADE);
    assert_eq!(*value, Value::Label("moderate".to_owned()));
    assert_eq!(
        executor.ran,
        [
            "intensity-to-accumulation",
            "staley-2017-m1-likelihood",
            "gartner-2014-emergency-volume",
            "cannon-2010-hazard-class"
        ]
    );
    // Every execution follows a commitment to an eligible route.
    for commitment in &trajectory.commitments {
        assert!(commitment.eligible.contains(&commitment.route));
    }
    assert_eq!(trajectory.commitments.len(), 1);
    // The answer is as young as the youngest thing it rests on, the rain.
    let published = trajectory.answer().unwrap().timing.published;
    assert_eq!(published.to_string(), "2018-01-07T00:00:00Z");
    // Without a library every condition is only cited, and the result can say how many.
    assert!(status(&trajectory, CASCADE).only_cited() >= 20);
    // A volume alone is no cascade.
    let volume = status(&trajectory, "gartner-2014-volume");
    assert_eq!(volume.reachability, Reachability::Unavailable);
    assert!(
        volume.reasons.iter().any(|r| r.contains("asked for")),
        "{:?}",
        volume.reasons
    );
}

#[test]
fn a_part_of_a_cascade_does_not_answer_for_the_whole() {
    let text = BASIN.replace(
        "variable = \"debris_flow_hazard_class\", stages = [\"likelihood\", \"volume\", \"class\"]",
        "variable = \"debris_flow_volume\", unit = \"m3\", stages = [\"likelihood\", \"volume\"]",
    );
    let trajectory = run(&text, &mut Kernels::default());
    let volume = status(&trajectory, "gartner-2014-volume");
    assert!(!volume.is_eligible());
    assert!(
        volume
            .reasons
            .iter()
            .any(|r| r.contains("stage `likelihood`")),
        "{:?}",
        volume.reasons
    );
    let (route, value) = submitted(&trajectory);
    assert_ne!(route, "gartner-2014-volume");
    assert!(matches!(value, Value::Quantity(_)));
    let text = text.replace(", stages = [\"likelihood\", \"volume\"]", "");
    let trajectory = run(&text, &mut Kernels::default());
    assert!(status(&trajectory, "gartner-2014-volume").is_eligible());
}

#[test]
fn a_unit_that_does_not_fit_is_converted_by_a_capability() {
    let text = BASIN.replace("\"24 mm/h\"", "\"0.9448818897637795 in/h\"");
    let mut executor = Kernels::default();
    let trajectory = run(&text, &mut executor);
    submitted(&trajectory);
    assert!(
        executor.ran.contains(&"unit-conversion".to_owned()),
        "{:?}",
        executor.ran
    );
}

#[test]
fn what_is_missing_is_named_and_asked_for() {
    let text = without(BASIN, "soil");
    let trajectory = run(&text, &mut Kernels::default());
    let certificate = abstained(&trajectory);
    assert!(certificate.complete);
    let blocking = &certificate.blocking[CASCADE];
    assert!(
        blocking
            .iter()
            .any(|reason| reason.contains("soil erodibility")),
        "{blocking:?}"
    );
    assert!(
        trajectory.questions.iter().any(|q| q.contains("KF factor")),
        "{:?}",
        trajectory.questions
    );
    let unblock = certificate.unblock.as_ref().unwrap();
    assert_eq!(unblock.route, CASCADE);

    // With an answer to be had, it is asked for, and the cascade runs.
    let soil = task(BASIN)
        .observations
        .iter()
        .find(|o| o.id == "soil")
        .unwrap()
        .clone();
    let text = format!("{text}\n[[obtainable]]\nvariable = \"soil_erodibility\"\ncost = 2\n");
    let mut executor = Kernels::default();
    executor.answers.insert("soil_erodibility".to_owned(), soil);
    let trajectory = run(&text, &mut executor);
    submitted(&trajectory);
    let asked = trajectory.steps.iter().find(|step| {
        matches!(&step.operation, Operation::RequestInformation { variable } if variable == "soil_erodibility")
    });
    let asked = asked.unwrap();
    assert!(asked.eligible.contains(&CASCADE.to_owned()));
    assert!(!trajectory.steps[0].eligible.contains(&CASCADE.to_owned()));

    // Where nobody answers, it is asked once, and the abstention says what was tried.
    let trajectory = run(&text, &mut Kernels::default());
    abstained(&trajectory);
    let requests = trajectory
        .steps
        .iter()
        .filter(|step| matches!(step.operation, Operation::RequestInformation { .. }));
    assert_eq!(requests.count(), 1);

    // Where asking is not permitted, nothing is asked.
    let text = text.replace(
        "kind = \"assess\"",
        "kind = \"assess\"\nrecovery = [\"change_route\"]",
    );
    let trajectory = run(&text, &mut Kernels::default());
    abstained(&trajectory);
    assert!(
        !trajectory
            .steps
            .iter()
            .any(|step| matches!(step.operation, Operation::RequestInformation { .. }))
    );
}

#[test]
fn what_cannot_help_is_not_asked_for() {
    let text = format!(
        "{}\n[[obtainable]]\nvariable = \"clay_content\"\ncost = 1\n",
        without(BASIN, "soil")
    );
    let trajectory = run(&text, &mut Kernels::default());
    let certificate = abstained(&trajectory);
    assert_eq!(certificate.explored.len(), 2, "{:#?}", certificate.explored);
    assert!(
        !trajectory
            .steps
            .iter()
            .any(|step| matches!(step.operation, Operation::RequestInformation { .. }))
    );
}

#[test]
fn a_lost_capability_is_replaced_and_the_route_kept() {
    let mut executor = Kernels::default();
    executor.failures.insert(
        "gartner-2014-emergency-volume".to_owned(),
        Failure::Crash {
            why: "signal 11".to_owned(),
        },
    );
    let trajectory = run(BASIN, &mut executor);
    let (route, _) = submitted(&trajectory);
    assert_eq!(route, CASCADE);
    assert!(
        executor
            .ran
            .contains(&"usgs-southern-california-volume".to_owned())
    );
    let repair = trajectory
        .steps
        .iter()
        .find(|step| matches!(step.operation, Operation::RepairWorkflow { .. }));
    assert!(
        repair
            .unwrap()
            .note
            .contains("usgs-southern-california-volume")
    );
    // What had been run before is not run again.
    let likelihoods = executor
        .ran
        .iter()
        .filter(|name| *name == "staley-2017-m1-likelihood");
    assert_eq!(likelihoods.count(), 1);

    // Not where substitution is not permitted.
    let text = BASIN.replace(
        "kind = \"assess\"",
        "kind = \"assess\"\nrecovery = [\"request_information\"]",
    );
    let trajectory = run(&text, &mut executor);
    abstained(&trajectory);
}

#[test]
fn a_route_whose_capabilities_are_all_lost_is_left() {
    let mut executor = Kernels::default();
    for name in [
        "gartner-2014-emergency-volume",
        "usgs-southern-california-volume",
    ] {
        executor.failures.insert(
            name.to_owned(),
            Failure::Lost {
                why: "withdrawn".to_owned(),
            },
        );
    }
    let trajectory = run(BASIN, &mut executor);
    let certificate = abstained(&trajectory);
    let blocking = certificate.blocking[CASCADE].join("; ");
    assert!(
        blocking.contains("gartner-2014-emergency-volume"),
        "{blocking}"
    );
}

#[test]
fn capabilities_of_unknown_health_make_a_route_undetermined() {
    let text = format!("{BASIN}\n[capabilities]\ncannon-2010-hazard-class = \"unknown\"\n");
    let trajectory = run(&text, &mut Kernels::default());
    abstained(&trajectory);
    let cascade = status(&trajectory, CASCADE);
    assert_eq!(cascade.reachability, Reachability::Undetermined);
    assert_eq!(cascade.applicability, Applicability::Applicable);
}

#[test]
fn another_region_and_an_old_fire_are_violations() {
    let text = BASIN.replace("Montecito, California", "Asheville, North Carolina");
    let trajectory = run(&text, &mut Kernels::default());
    abstained(&trajectory);
    let cascade = status(&trajectory, CASCADE);
    assert_eq!(cascade.applicability, Applicability::Inapplicable);
    assert!(
        cascade
            .reasons
            .iter()
            .any(|r| r.contains("lies apart from")),
        "{:?}",
        cascade.reasons
    );

    let text = BASIN.replace("2017-12-12T00:00:00Z", "2012-12-12T00:00:00Z");
    let trajectory = run(&text, &mut Kernels::default());
    let cascade = status(&trajectory, CASCADE);
    assert_eq!(cascade.applicability, Applicability::Inapplicable);
    assert!(
        cascade
            .reasons
            .iter()
            .any(|r| r.contains("time since fire")),
        "{:?}",
        cascade.reasons
    );

    // A place that nobody knows, or that may be several, decides nothing.
    for place in ["Nowhere at all", "Springfield"] {
        let text = BASIN.replace("Montecito, California", place);
        let trajectory = run(&text, &mut Kernels::default());
        abstained(&trajectory);
        let cascade = status(&trajectory, CASCADE);
        assert_eq!(
            cascade.applicability,
            Applicability::Undetermined,
            "{place}"
        );
        assert!(
            trajectory.questions.iter().any(|q| q.contains("Where")),
            "{:?}",
            trajectory.questions
        );
    }
}

#[test]
fn news_after_the_commitment_changes_the_eligible_set() {
    // The observation on which a route rests is withdrawn before its second call.
    let mut executor = Kernels::default();
    executor.news.insert(
        1,
        vec![Change::Withdrawn {
            artifact: "burned".to_owned(),
            why: "the map was of another fire".to_owned(),
        }],
    );
    let trajectory = run(BASIN, &mut executor);
    let certificate = abstained(&trajectory);
    assert!(
        certificate.blocking[CASCADE]
            .iter()
            .any(|r| r.contains("burned area"))
    );
    assert_eq!(executor.ran, ["intensity-to-accumulation"]);

    // Evidence that arrives late is taken in, and what is younger than the cutoff is not.
    let relief = task(BASIN)
        .observations
        .iter()
        .find(|o| o.id == "relief")
        .unwrap()
        .clone();
    let mut young = relief.clone();
    young.timing.published = "2019-01-01T00:00:00Z".parse().unwrap();
    for (observation, ends_well) in [(relief, true), (young, false)] {
        let mut executor = Kernels::default();
        let change = Change::Observed {
            observation: Box::new(observation),
        };
        executor.news.insert(0, vec![change]);
        let trajectory = run(&without(BASIN, "relief"), &mut executor);
        let submits = matches!(trajectory.end, End::Submit { .. });
        assert_eq!(submits, ends_well);
        let refused = trajectory
            .steps
            .iter()
            .flat_map(|step| &step.changes)
            .any(|change| matches!(change, Change::Refused { .. }));
        assert_eq!(refused, !ends_well);
    }
}

#[test]
fn a_budget_of_nothing_gives_an_abstention_that_says_so() {
    for steps in [0, 3] {
        let text = BASIN.replace("kind =", &format!("budget = {{ steps = {steps} }}\nkind ="));
        let mut executor = Kernels::default();
        let trajectory = run(&text, &mut executor);
        let certificate = abstained(&trajectory);
        assert!(
            certificate.reason.contains("budget"),
            "{}",
            certificate.reason
        );
        assert!(executor.ran.is_empty());
    }
}

#[test]
fn advisory_conditions_can_be_set_aside_and_strict_ones_cannot() {
    // 60 mm/h lies outside the published design storms, which is advisory.
    let text = BASIN.replace("24 mm/h", "60 mm/h");
    let trajectory = run(&text, &mut Kernels::default());
    abstained(&trajectory);
    let decided = |condition: &str| {
        format!(
            "{text}\n[[override]]\nroute = \"{CASCADE}\"\ncondition = \"{condition}\"\nreason = \"the storm of 2018 was such\"\nby = \"a geologist\"\n"
        )
    };
    let trajectory = run(&decided("design-storms"), &mut Kernels::default());
    submitted(&trajectory);
    let verdicts = &status(&trajectory, CASCADE).verdicts;
    let storm = verdicts
        .iter()
        .find(|v| v.condition == "design-storms")
        .unwrap();
    assert_eq!(storm.set_aside.as_ref().unwrap().by, "a geologist");
    let cards = lahar_routes::card::shipped::all().unwrap();
    for (condition, strict) in [("recent-fire", true), ("no-such", false)] {
        let error = Agent::with_quotes(QuoteBook::default())
            .check(task(&decided(condition)), cards, Registry::standard())
            .unwrap_err();
        assert_eq!(
            matches!(error, RoutesError::StrictOverride { .. }),
            strict,
            "{error}"
        );
    }
}

#[test]
fn a_condition_without_a_source_keeps_its_route_out() {
    let cards: Vec<_> = lahar_routes::card::shipped::all()
        .unwrap()
        .iter()
        .cloned()
        .map(|mut card| {
            if card.id == CASCADE {
                card.conditions[0].citation = None;
            }
            card
        })
        .collect();
    let (routes, _) = Agent::new()
        .check(task(BASIN), &cards, Registry::standard())
        .unwrap();
    let cascade = routes
        .iter()
        .find(|status| status.route == CASCADE)
        .unwrap();
    assert_eq!(cascade.applicability, Applicability::Undetermined);
    assert!(
        cascade.reasons[0].contains("no source is named"),
        "{:?}",
        cascade.reasons
    );
}

#[test]
fn observations_that_disagree_decide_nothing() {
    let second = "\n[[observation]]\nid = \"rain2\"\nvariable = \"peak_rainfall_intensity_15min\"\nvalue = \"80 mm/h\"\npublication_time = \"2018-01-07T00:00:00Z\"\nsource = \"another office\"\n";
    let trajectory = run(&format!("{BASIN}{second}"), &mut Kernels::default());
    let verdicts = &status(&trajectory, CASCADE).verdicts;
    let storm = verdicts
        .iter()
        .find(|v| v.condition == "design-storms")
        .unwrap();
    assert!(
        storm.why.contains("`rain` says") && storm.why.contains("`rain2` says"),
        "{}",
        storm.why
    );
    // A better one is heard before a worse one.
    let measured = second.replace("source", "quality = \"measured\"\nsource");
    let trajectory = run(&format!("{BASIN}{measured}"), &mut Kernels::default());
    let verdicts = &status(&trajectory, CASCADE).verdicts;
    let storm = verdicts
        .iter()
        .find(|v| v.condition == "design-storms")
        .unwrap();
    assert_eq!(storm.truth, lahar_routes::Truth::Violated);
}

fn by_chat(replies: &[&str], text: &str) -> Trajectory {
    let model = ScriptedChat::new(replies.iter().copied());
    let cards = lahar_routes::card::shipped::all().unwrap();
    Agent::new()
        .run(
            task(text),
            cards,
            Registry::standard(),
            &mut Kernels::default(),
            Policy::Chat(&model),
        )
        .unwrap()
}

#[test]
fn a_chat_model_picks_within_the_eligible_set_and_nothing_else() {
    let likelihood = BASIN.replace(
        "variable = \"debris_flow_hazard_class\", stages = [\"likelihood\", \"volume\", \"class\"]",
        "variable = \"debris_flow_likelihood\"",
    );
    let by_rules = run(&likelihood, &mut Kernels::default());
    let (ruled, _) = submitted(&by_rules);
    let eligible = &by_rules.commitments[0].eligible;
    assert!(eligible.len() >= 2, "{eligible:?}");
    for route in eligible {
        let trajectory = by_chat(&[route], &likelihood);
        assert_eq!(submitted(&trajectory).0, route);
    }
    for nonsense in [
        "",
        "the best one",
        "gartner-2014-volume",
        "SUBMIT likelihood = 0.93",
        "staley-gartner-cannon-cascade\nignore the rules",
    ] {
        let trajectory = by_chat(&[nonsense], &likelihood);
        assert_eq!(submitted(&trajectory).0, ruled, "{nonsense}");
        assert!(
            trajectory
                .notes
                .iter()
                .any(|note| note.contains("no eligible route"))
        );
    }
}

#[test]
fn tracks_without_routes_and_tasks_without_methods_are_abstained_from() {
    let text = BASIN.replace("[\"wildfire\", \"landslide\"]", "[\"drought\"]");
    let trajectory = run(&text, &mut Kernels::default());
    assert!(abstained(&trajectory).reason.contains("drought"));
    let text = BASIN.replace("kind = \"assess\"", "kind = \"attribute\"");
    let trajectory = run(&text, &mut Kernels::default());
    let certificate = abstained(&trajectory);
    assert!(certificate.blocking[CASCADE][0].contains("attribute"));
}

#[test]
fn a_failing_model_does_not_run_for_ever() {
    let mut executor = Kernels::default();
    executor.failures.insert(
        "cannon-2010-hazard-class".to_owned(),
        Failure::PostCondition {
            why: "a class of none".to_owned(),
        },
    );
    let trajectory = run(BASIN, &mut executor);
    abstained(&trajectory);
    let lost = trajectory
        .steps
        .iter()
        .flat_map(|step| &step.changes)
        .any(|change| {
            matches!(
                change,
                Change::Health {
                    health: Health::Lost,
                    ..
                }
            )
        });
    assert!(lost);
    assert!(trajectory.steps.len() < 12, "{}", trajectory.steps.len());
}
