//! Finding a document by what a person calls it.

use lahar_library::LibraryError;
use tempfile::TempDir;

use crate::made::{Maker, ingest, library};

#[test]
fn ids_files_and_titles_all_lead_to_a_document() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    let one = Maker::new("Flood Guide for Snohomish")
        .paragraph("one")
        .done();
    let two = Maker::new("Flood Guide for Napa").paragraph("two").done();
    ingest(&mut library, None, &one, "/a/snohomish.pdf");
    ingest(&mut library, None, &two, "/b/napa guide.html");
    let id = one.id.to_string();
    for reference in [
        id.as_str(),
        &id[..8],
        &id[..8].to_uppercase(),
        "/a/snohomish.pdf",
        "snohomish.pdf",
        "Snohomish.PDF",
        "snohomish",
        "flood guide for snohomish",
        " for snoho ",
    ] {
        assert_eq!(
            library.document(reference).unwrap().id,
            one.id,
            "{reference}"
        );
    }
    let error = library.document("flood guide").unwrap_err();
    let message = error.to_string();
    assert!(
        matches!(error, LibraryError::AmbiguousDocument { .. }),
        "{message}"
    );
    assert!(message.contains(&one.id.short()) && message.contains(&two.id.short()));
    for nothing in ["", "  ", "zebra", "ffffffff", "\u{1b}[2J"] {
        let error = library.document(nothing).unwrap_err();
        assert!(
            matches!(error, LibraryError::UnknownDocument { .. }),
            "{nothing:?}"
        );
        assert!(!error.to_string().chars().any(char::is_control));
    }
}
