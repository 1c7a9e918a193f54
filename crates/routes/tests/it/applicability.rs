//! Conditions are judged with units, uncertainty, places, quality and sources that disagree.

use lahar_places::Gazetteer;
use lahar_routes::applicability::Judge;
use lahar_routes::trajectory::Applicability;
use lahar_routes::{Card, QuoteBook, State, Truth, Verdict};

use crate::common::{BASIN, task};

const HEAD: &str = r#"id = "made"
title = "A made route."
kind = "empirical"
track = "postfire-debris-flow"
hazards = ["wildfire", "landslide"]
tasks = ["assess"]
output = { variable = "debris_flow_likelihood" }
uncertainty = { statement = "unknown" }
[[reference]]
publication = "Nobody"
year = 2000
[[stage]]
name = "one"
capability = "staley-2017-m1-likelihood"
gives = "debris_flow_likelihood"
"#;

fn condition(id: &str, body: &str) -> String {
    format!(
        "[[condition]]\nid = \"{id}\"\nrole = \"validity_range\"\nscope = \"basin\"\nreading = \"made\"\n{body}\n\
         citation = {{ publication = \"Nobody\", year = 2000 }}\n"
    )
}

fn judged(conditions: &str, task_text: &str) -> (Applicability, Vec<Verdict>) {
    let cards = [Card::parse("c.toml", &format!("{HEAD}{conditions}")).unwrap()];
    let (state, _) = State::begin(task(task_text)).unwrap();
    let quotes = QuoteBook::default();
    let judge = Judge::new(state.task(), &cards, &quotes, Gazetteer::embedded());
    let case = judge.case(&state);
    let verdicts = judge.verdicts(0, &case);
    let all = Truth::all(verdicts.iter().map(Verdict::weighs));
    // The quick way and the one with words agree.
    assert_eq!(judge.applicability(0, &case), Applicability::from(all));
    (judge.applicability(0, &case), verdicts)
}

#[track_caller]
fn truth(body: &str, task_text: &str) -> Truth {
    judged(
        &condition("c", &format!("strictness = \"strict\"\n{body}")),
        task_text,
    )
    .1[0]
        .truth
}

#[test]
fn numbers_are_compared_in_any_unit_of_the_same_thing() {
    use Truth::{Satisfied, Undetermined, Violated};
    for (body, expected) in [
        (
            "variable = \"relief\"\noperator = \"at_least\"\nvalue = 850\nunit = \"m\"",
            Satisfied,
        ),
        (
            "variable = \"relief\"\noperator = \"above\"\nvalue = 850\nunit = \"m\"",
            Violated,
        ),
        (
            "variable = \"relief\"\noperator = \"at_most\"\nvalue = 0.85\nunit = \"km\"",
            Satisfied,
        ),
        (
            "variable = \"relief\"\noperator = \"below\"\nvalue = 85000\nunit = \"cm\"",
            Violated,
        ),
        (
            "variable = \"relief\"\noperator = \"between\"\nvalue = [2788, 2789]\nunit = \"ft\"",
            Satisfied,
        ),
        (
            "variable = \"relief\"\noperator = \"at_most\"\nvalue = 2\nunit = \"h\"",
            Undetermined,
        ),
        (
            "variable = \"vs30\"\noperator = \"at_most\"\nvalue = 2\nunit = \"m/s\"",
            Undetermined,
        ),
        (
            "variable = \"time_since_fire\"\noperator = \"at_most\"\nvalue = 1\nunit = \"month\"",
            Satisfied,
        ),
        (
            "variable = \"time_since_fire\"\noperator = \"at_most\"\nvalue = 28\nunit = \"d\"",
            Violated,
        ),
        (
            "variable = \"month\"\noperator = \"between\"\nvalue = [11, 12]\nunit = \"1\"",
            Violated,
        ),
        (
            "variable = \"task_kind\"\noperator = \"one_of\"\nvalue = [\"assess\"]",
            Satisfied,
        ),
        (
            "variable = \"task_hazard\"\noperator = \"one_of\"\nvalue = [\"flood\"]",
            Violated,
        ),
        (
            "variable = \"relief\"\noperator = \"one_of\"\nvalue = [\"high\"]",
            Undetermined,
        ),
        ("variable = \"vs30\"\noperator = \"present\"", Undetermined),
        (
            "variable = \"vs30\"\noperator = \"present\"\nvalue = [\"relief\"]",
            Satisfied,
        ),
        (
            "variable = \"relief\"\noperator = \"quality_at_least\"\nvalue = \"estimated\"",
            Satisfied,
        ),
        (
            "variable = \"relief\"\noperator = \"quality_at_least\"\nvalue = \"measured\"",
            Violated,
        ),
    ] {
        assert_eq!(truth(body, BASIN), expected, "{body}");
        // What excludes is the contrary, and what is not known stays so.
        let contrary = format!("{body}\ndirection = \"excludes\"");
        assert_eq!(truth(&contrary, BASIN), !expected, "{contrary}");
    }
}

#[test]
fn places_are_judged_by_the_place_graph() {
    use Truth::{Satisfied, Undetermined, Violated};
    for (area, region, expected) in [
        ("Montecito, California", "Montecito, California", Satisfied),
        ("Montecito, California", "California", Satisfied),
        ("California", "Montecito, California", Undetermined),
        (
            "Los Padres National Forest",
            "Santa Barbara County, California",
            Undetermined,
        ),
        ("Montecito, California", "Oregon", Violated),
        ("Springfield", "California", Undetermined),
        ("Nowhere at all", "California", Undetermined),
    ] {
        let text = BASIN.replace("Montecito, California", area);
        let body = format!("variable = \"region\"\noperator = \"inside\"\nvalue = [\"{region}\"]");
        assert_eq!(truth(&body, &text), expected, "{area} in {region}");
    }
    // One of several regions is enough.
    let body = "variable = \"region\"\noperator = \"inside\"\nvalue = [\"Oregon\", \"California\"]";
    assert_eq!(truth(body, BASIN), Satisfied);
    // A point and a box hang below the places they lie in.
    for area in [
        "point = [-119.63, 34.44]",
        "box = [-119.7, 34.4, -119.6, 34.5]",
    ] {
        let text = BASIN.replace("place = \"Montecito, California\"", area);
        let body = "variable = \"region\"\noperator = \"inside\"\nvalue = [\"California\"]";
        assert_eq!(truth(body, &text), Satisfied, "{area}");
    }
}

#[test]
fn a_value_too_close_to_a_limit_decides_nothing() {
    let body = "variable = \"relief\"\noperator = \"at_least\"\nvalue = 800\nunit = \"m\"";
    for (deviation, expected) in [
        ("10 m", Truth::Satisfied),
        ("40 m", Truth::Undetermined),
        ("0.04 km", Truth::Undetermined),
    ] {
        let text = BASIN.replace(
            "value = \"850 m\"",
            &format!("value = \"850 m\"\nstandard_deviation = \"{deviation}\""),
        );
        assert_eq!(truth(body, &text), expected, "{deviation}");
    }
}

#[test]
fn observations_flagged_as_bad_are_not_heard() {
    let body = "variable = \"relief\"\noperator = \"at_least\"\nvalue = 800\nunit = \"m\"";
    let text = BASIN.replace(
        "value = \"850 m\"",
        "value = \"850 m\"\nquality = \"rejected\"",
    );
    assert_eq!(truth(body, &text), Truth::Undetermined);
}

#[test]
fn sources_that_disagree_decide_nothing_between_their_limits() {
    let sources = |strictness: &str| {
        let limit = |id: &str, at_most: u32| {
            condition(
                id,
                &format!(
                    "strictness = \"{strictness}\"\ngroup = \"time\"\nvariable = \"time_since_fire\"\n\
                 operator = \"at_most\"\nvalue = {at_most}\nunit = \"d\""
                ),
            )
        };
        format!("{}{}", limit("two-years", 730), limit("three-weeks", 21))
    };
    for (end_of_fire, expected) in [
        ("2018-01-01T00:00:00Z", Applicability::Applicable),
        ("2017-12-12T00:00:00Z", Applicability::Undetermined),
        ("2012-12-12T00:00:00Z", Applicability::Inapplicable),
    ] {
        let text = BASIN.replace("2017-12-12T00:00:00Z", end_of_fire);
        let (found, verdicts) = judged(&sources("strict"), &text);
        assert_eq!(found, expected, "{end_of_fire}");
        if expected == Applicability::Undetermined {
            assert!(
                verdicts.iter().all(|v| v.why.contains("different limits")),
                "{verdicts:?}"
            );
        }
    }
}

#[test]
fn strict_conditions_need_truth_and_advisory_ones_only_no_falsehood() {
    let at = |strictness: &str, value: u32| {
        let body = format!(
            "strictness = \"{strictness}\"\nvariable = \"relief\"\noperator = \"at_most\"\nvalue = {value}\nunit = \"m\""
        );
        judged(&condition("c", &body), BASIN).0
    };
    let unknown = |strictness: &str| {
        let body =
            format!("strictness = \"{strictness}\"\nvariable = \"vs30\"\noperator = \"present\"");
        judged(&condition("c", &body), BASIN).0
    };
    assert_eq!(at("strict", 900), Applicability::Applicable);
    assert_eq!(at("strict", 800), Applicability::Inapplicable);
    assert_eq!(at("advisory", 800), Applicability::Inapplicable);
    assert_eq!(unknown("strict"), Applicability::Undetermined);
    assert_eq!(unknown("advisory"), Applicability::Applicable);
    // A violation outweighs what is not known.
    let both = format!(
        "{}{}",
        condition(
            "a",
            "strictness = \"strict\"\nvariable = \"vs30\"\noperator = \"present\""
        ),
        condition(
            "b",
            "strictness = \"strict\"\nvariable = \"relief\"\noperator = \"at_most\"\nvalue = 1\nunit = \"m\""
        )
    );
    assert_eq!(judged(&both, BASIN).0, Applicability::Inapplicable);
}

#[test]
fn a_verdict_carries_what_was_found_and_what_to_ask() {
    let (_, verdicts) = judged(
        &condition(
            "c",
            "strictness = \"strict\"\nvariable = \"vs30\"\noperator = \"at_most\"\nvalue = 620\nunit = \"m/s\"",
        ),
        BASIN,
    );
    let verdict = &verdicts[0];
    assert_eq!(verdict.evidence.word(), "cited");
    assert_eq!(
        verdict.question.as_deref(),
        Some("What is the vs30 (in such as m/s)?")
    );
    let (_, verdicts) = judged(
        &condition(
            "c",
            "strictness = \"strict\"\nvariable = \"relief\"\noperator = \"at_most\"\nvalue = 620\nunit = \"m\"",
        ),
        BASIN,
    );
    let verdict = &verdicts[0];
    assert_eq!(verdict.observation.as_deref(), Some("relief"));
    assert_eq!(verdict.found.as_deref(), Some("850 m"));
    assert_eq!(verdict.why, "relief is 850 m; asked is at most 620 m");
    assert_eq!(verdict.question, None);
}
