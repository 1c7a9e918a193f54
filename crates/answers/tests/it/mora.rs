//! The agents over small documents of our own, by words alone.

use std::collections::BTreeSet;

use lahar_answers::mora::router::Source;
use lahar_answers::mora::{Behaviour, Step};
use lahar_answers::{Asker, Method, Without};
use lahar_core::{Decision, Hazard};
use lahar_library::{Library, Reranking, SearchRequest};

fn with_asker<T>(without: Without, check: impl FnOnce(&Asker<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let library = super::claims::library(folder.path());
    check(&Asker {
        library: &library,
        embedder: None,
        method: Method::Mora,
        reranking: Reranking::Off,
        longest_question: 500,
        without,
        elsewhere: None,
    })
}

fn files(asker: &Asker<'_>, question: &str) -> BTreeSet<String> {
    let hits = asker.find(question).unwrap();
    hits.into_iter().map(|hit| hit.file_name).collect()
}

fn is_write(step: &Step) -> bool {
    matches!(step, Step::Write { .. })
}

#[test]
fn candidates_come_from_the_hazards_of_the_question() {
    let question = "How far did the landslide on Corran Hill travel?";
    with_asker(Without::default(), |asker| {
        let routing = asker.route(question, None).unwrap();
        assert_eq!(routing.source, Source::Words);
        assert_eq!(routing.budgets[0].hazard, Hazard::LANDSLIDE);
        assert_eq!(
            files(asker, question),
            BTreeSet::from(["slide.md".to_owned()])
        );
        // A question about two hazards sees both.
        let both = "What did the flood and the landslide on the hill destroy?";
        let found = files(asker, both);
        assert!(
            found.contains("slide.md") && found.contains("flood.md"),
            "{found:?}"
        );
    });
}

#[test]
fn where_the_words_name_no_hazard_the_library_does() {
    with_asker(Without::default(), |asker| {
        let routing = asker
            .route("Who stood in Harbour Street at Brackwater?", None)
            .unwrap();
        assert_eq!(routing.source, Source::Library);
        assert_eq!(routing.budgets[0].hazard, Hazard::FLOOD);
        let nothing = asker.route("qwertz", None).unwrap();
        assert_eq!(nothing.source, Source::Nothing);
        assert_eq!(nothing.budgets.len(), 7);
    });
}

#[test]
fn without_the_router_all_candidates_come_from_one_store() {
    let question = "How far did the landslide on Corran Hill travel in the town?";
    let routed = with_asker(Without::default(), |asker| files(asker, question));
    let without = "router".parse().unwrap();
    let all = with_asker(without, |asker| files(asker, question));
    assert!(
        routed.is_subset(&all) && routed.len() < all.len(),
        "{routed:?} {all:?}"
    );
    assert!("writer".parse::<Without>().is_err());
}

#[test]
fn what_suffices_at_once_takes_one_retrieval_one_judgement_and_one_answer() {
    with_asker(Without::default(), |asker| {
        let answer = asker
            .ask("How many homes did the flood at Brackwater destroy?", None)
            .unwrap();
        assert_eq!(answer.decision(), Decision::Answer);
        assert!(answer.text().contains("212"));
        let steps = &answer.trace.steps;
        assert_eq!(steps.len(), 3, "{steps:?}");
        assert!(is_write(&steps[2]));
    });
}

#[test]
fn what_never_suffices_is_asked_in_other_words_and_then_given_up() {
    let question = "How many bridges did the earthquake at Dunmore break?";
    let run = |without: Without| {
        with_asker(without, |asker| {
            let answer = asker.ask(question, None).unwrap();
            (answer.decision(), answer.trace.steps.clone())
        })
    };
    let (decision, steps) = run(Without::default());
    assert_eq!(decision, Decision::Abstain);
    let rewrites = steps
        .iter()
        .filter(|step| matches!(step, Step::Rewrite { into: Some(_) }));
    assert!(rewrites.count() >= 2, "{steps:?}");
    assert!(!steps.iter().any(is_write), "{steps:?}");
    assert_eq!(run(Without::default()), (decision, steps));
    let (_, once) = run("rewriter".parse().unwrap());
    let retrievals = once
        .iter()
        .filter(|step| matches!(step, Step::Retrieve { .. }));
    assert_eq!(retrievals.count(), 1, "{once:?}");
}

#[test]
fn claims_go_through_the_loop_too() {
    with_asker(Without::default(), |asker| {
        let labelled = asker
            .check_claim("The flood at Brackwater destroyed 212 homes.")
            .unwrap();
        assert!(labelled.label.is_some());
        assert!(labelled.answer.trace.steps.iter().any(is_write));
        let unknown = asker
            .check_claim("The tsunami at Port Selby sank nine ships.")
            .unwrap();
        assert_eq!(unknown.label, None);
        assert!(!unknown.answer.trace.steps.iter().any(is_write));
    });
    assert_eq!(Method::PaperMora.behaviour(), Some(Behaviour::Printed));
}

/// Chunks that each hazard gives, and the union.
fn mixed(library: &Library, budgets: &[(Hazard, usize)]) -> (Vec<usize>, Vec<i64>) {
    let request = SearchRequest {
        limit: 50,
        ..SearchRequest::new("flood landslide hill river")
    };
    let mixture = library
        .retrieve_mixture(&request, budgets, None, Reranking::Off)
        .unwrap();
    let found = mixture.drawn.iter().map(|drawn| drawn.found).collect();
    (found, mixture.hits.iter().map(|hit| hit.chunk_id).collect())
}

#[test]
fn what_a_hazard_leaves_is_handed_to_the_others_and_no_chunk_counts_twice() {
    let folder = tempfile::tempdir().unwrap();
    let library = super::claims::library(folder.path());
    let (flood, slide) = (Hazard::FLOOD, Hazard::LANDSLIDE);
    let all = |hazard: &Hazard| mixed(&library, &[(hazard.clone(), 50)]).0[0];
    let (floods, slides) = (all(&flood), all(&slide));
    assert!(floods >= 2 && slides >= 1);
    // The landslides cannot fill theirs, so that the floods get what is left.
    let (found, hits) = mixed(&library, &[(flood.clone(), 1), (slide.clone(), slides + 5)]);
    assert_eq!(found, [floods.min(1 + 5), slides]);
    let once: BTreeSet<i64> = hits.iter().copied().collect();
    assert_eq!(once.len(), hits.len());
    assert_eq!(mixed(&library, &[(flood, 1), (slide, slides + 5)]).1, hits);
}

#[test]
fn what_the_library_lacks_is_searched_elsewhere_and_said_to_come_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let full = super::claims::library(folder.path());
    let empty = tempfile::tempdir().unwrap();
    let settings = lahar_library::Settings::new(lahar_library::ChunkKind::Paragraph, None).unwrap();
    let bare = Library::create(empty.path().join("bare.db"), &settings).unwrap();
    let asker = |library, elsewhere, without| Asker {
        library,
        embedder: None,
        method: Method::Mora,
        reranking: Reranking::Off,
        longest_question: 500,
        without,
        elsewhere,
    };
    let other = asker(&full, None, Without::default());
    let question = "How many homes did the flood at Brackwater destroy?";
    let searching = asker(&bare, Some(&other), Without::default());
    let answer = searching.ask(question, None).unwrap();
    assert_eq!(answer.decision(), Decision::Answer);
    let reasons: Vec<&str> = answer.reasons.iter().map(|r| r.message.as_str()).collect();
    assert!(
        reasons
            .iter()
            .any(|r| r.contains("another library") && r.contains("test.db")),
        "{reasons:?}"
    );
    let searches = answer
        .trace
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Search { .. }));
    assert_eq!(searches.count(), 1);
    let claim = "The flood at Brackwater destroyed 212 homes.";
    assert!(searching.check_claim(claim).unwrap().label.is_some());
    let alone = asker(&bare, Some(&other), "search".parse().unwrap());
    assert_eq!(
        alone.ask(question, None).unwrap().decision(),
        Decision::Abstain
    );
    // What is found at home is not searched for elsewhere.
    let at_home = asker(&full, Some(&searching), Without::default());
    let steps = at_home.ask(question, None).unwrap().trace.steps;
    assert!(
        steps
            .iter()
            .all(|step| !matches!(step, Step::Search { .. }))
    );
}
