//! The files that break readers: each ends in text or in an error that says what to do.

use lahar_documents::{Document, Format, PageStatus, ReadError, read};

use crate::{check, options, shared};

fn text(result: &Result<Document, ReadError>) -> &str {
    match result {
        Ok(document) => &document.text,
        Err(error) => panic!("not read: {error}"),
    }
}

#[test]
fn every_nasty_file_has_a_true_status() {
    let Some(folder) = shared("every_nasty_file_has_a_true_status", "nasty") else {
        return;
    };
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if name == "manifest.csv" {
            continue;
        }
        let begun = std::time::Instant::now();
        let result = read(&path, &options());
        assert!(
            begun.elapsed().as_secs() < 60,
            "{name} took {:?}",
            begun.elapsed()
        );
        match &result {
            Ok(document) => {
                check(document);
                eprintln!(
                    "{name}: {} characters, {:?}",
                    document.text.len(),
                    document.warnings
                );
            }
            Err(error) => eprintln!("{name}: {error}"),
        }
        match name.as_str() {
            "scanned-usgs-glacier-bay.pdf" | "scanned-usgs-before-fire.pdf" => {
                assert!(
                    matches!(result, Err(ReadError::NoTextLayer { .. })),
                    "{name}"
                );
            }
            "encrypted-user-password.pdf" | "encrypted-aes256-r6.pdf" | "encrypted-aes128.pdf" => {
                assert!(
                    matches!(result, Err(ReadError::NeedsPassword { tried: false })),
                    "{name}"
                );
            }
            "zero-bytes.pdf" => assert!(matches!(result, Err(ReadError::Empty)), "{name}"),
            "html-named.pdf" => {
                let document = result.expect("it is HTML");
                assert_eq!(document.format, Format::Html);
                assert!(
                    document
                        .warnings
                        .iter()
                        .any(|warning| warning.contains("HTML"))
                );
            }
            "truncated-half.pdf" | "unreadable-metadata.pdf" | "evil-recursive-xobjects.pdf" => {
                if let Err(error) = &result {
                    assert!(matches!(error, ReadError::Broken { .. }), "{name}: {error}");
                }
            }
            "broken-xref-malformed.pdf" | "corrupted-zen.pdf" => {}
            "arabic.pdf" | "rotated-arabic.pdf" => {
                assert!(text(&result).contains("habibi"), "{name}")
            }
            "japanese-vertical.pdf" => assert!(!text(&result).trim().is_empty(), "{name}"),
            "french-minutes.pdf" => assert!(text(&result).contains("Séance publique"), "{name}"),
            "german-book-117-pages.pdf" => {
                let document = result.expect("most of it can be read");
                let unreadable: Vec<u32> = document
                    .pages
                    .iter()
                    .filter(|page| matches!(page.status, PageStatus::Unreadable { .. }))
                    .map(|page| page.number)
                    .collect();
                assert_eq!(document.pages.len(), 117);
                assert!(unreadable.len() <= 1, "{unreadable:?}");
                for number in unreadable {
                    let named = format!("page {number} ");
                    assert!(
                        document
                            .warnings
                            .iter()
                            .any(|warning| warning.contains(&named))
                    );
                }
                assert!(document.text.contains("Auflage") && document.text.contains('ü'));
            }
            "invalid-utf8.txt" => {
                let document = result.expect("it is text");
                assert!(!document.warnings.is_empty());
            }
            "one-line-2mb.txt" => assert!(text(&result).len() > 2_000_000),
            "prompt-injection.md" => {
                assert!(text(&result).contains("Ignore all previous instructions"));
                assert!(text(&result).contains("The levee at Mill Creek"));
            }
            "duplicate-chars.pdf" => {
                // Drawn twice to look bold, said once.
                assert_eq!(text(&result).matches("北京师范大学珠海分校").count(), 1);
            }
            _ => assert!(!text(&result).trim().is_empty(), "{name}"),
        }
        seen += 1;
    }
    assert!(seen >= 26, "{seen} files");
}

#[test]
fn a_password_opens_what_it_opens() {
    let Some(folder) = shared("a_password_opens_what_it_opens", "nasty") else {
        return;
    };
    // encrypted-aes128.pdf keeps its encryption dictionary in the trailer itself, where lopdf 0.42
    // does not look: it is refused with every password, which its test above shows.
    for (name, password) in [
        ("encrypted-user-password.pdf", "openpassword"),
        ("encrypted-aes256-r6.pdf", "usersecret"),
    ] {
        let mut with = options();
        with.password = Some(password.to_owned());
        let result = read(&folder.join(name), &with);
        eprintln!(
            "{name}: {:?}",
            result
                .as_ref()
                .map(|document| document.text.len())
                .map_err(ToString::to_string)
        );
        check(&result.unwrap_or_else(|error| panic!("{name}: {error}")));
        with.password = Some("wrong".to_owned());
        let refused = read(&folder.join(name), &with);
        assert!(
            matches!(refused, Err(ReadError::NeedsPassword { tried: true })),
            "{name}"
        );
    }
}
