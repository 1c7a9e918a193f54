//! The knowledge compiler, on sentences of our own making.

use lahar_core::capability::Strictness;
use lahar_core::{CharRange, DocumentId, EvidenceSpan, TextIndex};
use lahar_models::chat::ScriptedChat;
use lahar_places::Gazetteer;
use lahar_routes::card::{Role, Statement, shipped};
use lahar_routes::compile::supplement::{Review, Supplement, laid_over};
use lahar_routes::compile::{Against, Compilation, FoundBy, Sentence, Stage, compile, proposed};
use lahar_routes::verdict::Quote;

const ROUTE: &str = "gartner-2014-volume";

/// Sentences of one document each.
fn sentences(title: &str, texts: &[&str]) -> Vec<Sentence> {
    let sentence = |text: &&str| {
        let index = TextIndex::new(text);
        let range = CharRange::new(0, text.chars().count());
        let id = DocumentId::of(text.as_bytes());
        Sentence {
            quote: Quote {
                title: title.to_owned(),
                span: EvidenceSpan::cut(id, &index, range, None).unwrap(),
            },
            section: None,
            year: 2020,
        }
    };
    texts.iter().map(sentence).collect()
}

fn compiled(title: &str, texts: &[&str]) -> Compilation {
    let card = shipped::find(ROUTE).unwrap();
    compile(card, &sentences(title, texts), Gazetteer::embedded())
}

const TITLE: &str = "Volumes of post-fire debris flows";

#[test]
fn a_finding_climbs_as_far_as_it_is_checked() {
    let found = compiled(
        TITLE,
        &[
            "The volume model is valid only for basins with a contributing area above 0.5 km2.",
            "The model does not account for sediment that lies in the channel.",
            "The quality of such estimates varies.",
            "Crews cleared the road on Monday.",
        ],
    );
    let stages: Vec<(Stage, Role)> = found.findings.iter().map(|f| (f.stage, f.role)).collect();
    assert_eq!(
        stages,
        [
            (Stage::Canonical, Role::ValidityRange),
            (Stage::Grounded, Role::Failure),
            (Stage::Candidate, Role::Uncertainty),
        ]
    );
    assert_eq!(
        found.findings[0].statement.as_deref(),
        Some("contributing_area > 0.5 km2")
    );
}

#[test]
fn what_is_about_another_family_stays_a_candidate() {
    let about_snow = compiled(
        "A handbook of snow avalanches",
        &["The runout model is valid only for slopes above 28 degrees."],
    );
    assert_eq!(about_snow.findings[0].stage, Stage::Candidate);
}

#[test]
fn one_limit_in_two_units_is_one_finding_with_two_sentences() {
    let found = compiled(
        TITLE,
        &[
            "The model is valid only for a contributing area of at least 0.5 km2.",
            "The equation is applicable for a contributing area of at least 50 hectares.",
        ],
    );
    assert_eq!(found.findings.len(), 1);
    assert_eq!(found.findings[0].evidence.len(), 2);
}

#[test]
fn different_limits_stand_side_by_side() {
    let found = compiled(
        TITLE,
        &[
            "The model is valid only for a contributing area of at most 8 km2.",
            "The equation is applicable for a contributing area of at most 25 km2.",
        ],
    );
    let groups: Vec<Option<&str>> = found.findings.iter().map(|f| f.group.as_deref()).collect();
    assert_eq!(groups, [Some("contributing_area limits"); 2]);
    assert!(
        found
            .findings
            .iter()
            .all(|f| !matches!(f.against, Against::Same { .. }))
    );
}

#[test]
fn a_model_s_words_must_stand_in_the_library() {
    let texts = [
        "Between storms the ground is thought to drain fully.",
        "Nothing else is said here about anything.",
    ];
    let card = shipped::find(ROUTE).unwrap();
    let sentences = sentences(TITLE, &texts);
    let mut found = compile(card, &sentences, Gazetteer::embedded());
    assert_eq!(found.findings.len(), 0);
    let model = ScriptedChat::new([r#"Here you are:
        [{"quote": "the ground is thought to drain fully", "role": "assumption"},
         {"quote": "the model holds everywhere on Earth", "role": "calibration_region"}]"#]);
    proposed::add(&mut found, card, &sentences, &model).unwrap();
    assert_eq!(found.findings.len(), 1);
    let finding = &found.findings[0];
    assert_eq!(
        (finding.by, finding.stage),
        (FoundBy::Model, Stage::Candidate)
    );
    assert_eq!(finding.evidence[0].span.quote(), texts[0]);
    assert_eq!(found.refused, ["the model holds everywhere on Earth"]);
}

#[test]
fn a_reply_that_is_no_list_is_recorded_and_changes_nothing() {
    let card = shipped::find(ROUTE).unwrap();
    let sentences = sentences(
        TITLE,
        &["The volume model is valid only for slopes above 3 degrees."],
    );
    let rules = compile(card, &sentences, Gazetteer::embedded());
    for reply in [
        "I cannot help.",
        "[{\"quote\": 7}]",
        "",
        "[{\"quote\": \"a b c d",
    ] {
        let mut found = rules.clone();
        proposed::add(&mut found, card, &sentences, &ScriptedChat::new([reply])).unwrap();
        assert_eq!(found.findings, rules.findings, "{reply}");
        assert_eq!(found.refused.len(), 1, "{reply}");
    }
}

/// A model that gives no reply.
struct Silent;

impl lahar_models::ChatModel for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn reply(&self, _: &[lahar_models::chat::Message]) -> Result<String, lahar_models::ModelError> {
        Err(lahar_models::ModelError::Tokenizer {
            model: "silent".to_owned(),
            reason: "it says nothing".to_owned(),
        })
    }
}

#[test]
fn what_the_rules_found_outlives_a_model_that_fails() {
    let card = shipped::find(ROUTE).unwrap();
    let sentences = sentences(
        TITLE,
        &["The volume model is valid only for slopes above 3 degrees."],
    );
    let rules = compile(card, &sentences, Gazetteer::embedded());
    let mut found = rules.clone();
    assert!(proposed::add(&mut found, card, &sentences, &Silent).is_err());
    assert_eq!(found, rules);
}

fn supplement() -> Supplement {
    let card = shipped::find(ROUTE).unwrap();
    let found = compiled(
        "Volumes of post-fire \"debris\" flows \\ part 1\u{7}",
        &[
            "The volume model is valid only for a contributing area of at most 8 km2.",
            "The model does not account for sediment that lies in the channel.",
            "Separate models have been developed for southern California.",
            "The model requires the clay content of the soil.",
        ],
    );
    Supplement::of(&found, card)
}

#[test]
fn the_file_read_again_is_the_same() {
    let mut written = supplement();
    let again = Supplement::parse("x.toml", &written.written()).unwrap();
    assert_eq!(again, written);
    let id = written.entries[0].condition.id.clone();
    let accept = Review::Accept(Strictness::Strict);
    written
        .review(&id, accept, "A. \"B\" C", Some("checked\nin the paper"))
        .unwrap();
    let again = Supplement::parse("x.toml", &written.written()).unwrap();
    assert_eq!(again, written);
}

#[test]
fn only_what_somebody_accepted_joins_a_card() {
    let cards = shipped::all().unwrap();
    let mut file = supplement();
    let before = laid_over(cards, std::slice::from_ref(&file)).unwrap();
    assert_eq!(before, cards);
    let limit = |file: &Supplement| {
        let own = |e: &&lahar_routes::compile::supplement::Entry| {
            matches!(e.condition.statement, Statement::Within { .. })
        };
        file.entries.iter().find(own).unwrap().condition.id.clone()
    };
    let id = limit(&file);
    file.review(&id, Review::Accept(Strictness::Strict), "N. N.", None)
        .unwrap();
    let after = laid_over(cards, std::slice::from_ref(&file)).unwrap();
    let card = after.iter().find(|card| card.id == ROUTE).unwrap();
    let added = card.conditions.last().unwrap();
    assert_eq!(added.variable, "contributing_area");
    assert_eq!(added.strictness, Strictness::Strict);
    // The card's own limit of the same variable and the new one are one group now.
    let own = card
        .conditions
        .iter()
        .filter(|c| c.variable == "contributing_area" && c.group == added.group);
    assert!(added.group.is_some() && own.count() >= 2);
    file.review(&id, Review::Reject, "N. N.", Some("a misprint"))
        .unwrap();
    assert_eq!(laid_over(cards, &[file]).unwrap(), cards);
}

#[test]
fn what_no_program_can_check_cannot_be_strict() {
    let mut file = supplement();
    let stated = file
        .entries
        .iter()
        .find(|entry| entry.condition.statement == Statement::Stated);
    let id = stated.unwrap().condition.id.clone();
    let refused = file.review(&id, Review::Accept(Strictness::Strict), "N. N.", None);
    assert!(refused.unwrap_err().to_string().contains("advisory"));
    file.review(&id, Review::Accept(Strictness::Advisory), "N. N.", None)
        .unwrap();
    let unknown = file
        .review("nothing", Review::Reject, "N. N.", None)
        .unwrap_err();
    assert!(unknown.to_string().contains(&id), "{unknown}");
}

#[test]
fn a_review_without_a_name_is_no_review() {
    let text = supplement()
        .written()
        .replace("\"canonical\"", "\"reviewed\"");
    let error = Supplement::parse("x.toml", &text).unwrap_err().to_string();
    assert!(
        error.contains("reviewed_by") && error.contains("x.toml, line"),
        "{error}"
    );
}
