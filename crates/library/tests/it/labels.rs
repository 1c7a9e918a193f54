//! Hazard labels and where they come from.

use lahar_core::Hazard;
use lahar_library::label::text_hazards;
use lahar_library::{DocumentDetails, Ingestor, SearchRequest};
use tempfile::TempDir;

use crate::made::{Maker, details, flood, ingest, library};

#[test]
fn declared_hazards_go_before_found_ones() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    ingest(&mut library, None, &flood(), "/found.txt");
    let found = library.get(flood().id).unwrap().unwrap().hazards;
    assert_eq!(found.get(&Hazard::FLOOD), 1.0);
    let declared = DocumentDetails {
        hazards: vec![Hazard::DROUGHT],
        ..details("/declared.txt")
    };
    let document = Maker::new("River flood two")
        .paragraph("A flood and a flood.")
        .done();
    let mut ingestor = Ingestor::new(&mut library, None).unwrap();
    ingestor.ingest(&document, &declared, &mut |_| {}).unwrap();
    let stored = library.get(document.id).unwrap().unwrap();
    assert_eq!(stored.hazards.get(&Hazard::FLOOD), 0.0);
    // Its chunk belongs to both: to the one by its document, to the other by its words.
    for hazard in [Hazard::DROUGHT, Hazard::FLOOD] {
        let request = SearchRequest {
            hazard: Some(hazard.clone()),
            document: Some(document.id),
            ..SearchRequest::new("flood")
        };
        assert_eq!(library.search(&request).unwrap().len(), 1, "{hazard}");
    }
}

#[test]
fn a_passage_on_two_hazards_is_about_both_and_one_on_none_about_none() {
    let both = text_hazards(
        "The earthquake shook the coast, and the tsunami it raised reached the harbor. \
         Aftershocks and further tsunami waves followed.",
    );
    assert!(both.get(&Hazard::EARTHQUAKE) > 0.5 && both.get(&Hazard::TSUNAMI) > 0.5);
    let none = text_hazards(
        "The committee received a flood of calls and won by a landslide victory after a perfect \
         storm of errors; the minutes were approved.",
    );
    assert!(none.is_empty(), "{none:?}");
}
