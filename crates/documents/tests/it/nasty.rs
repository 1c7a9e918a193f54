//! The files that break readers: each ends as its manifest says, in text or in an error that
//! says what to do.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use lahar_documents::{Document, Format, PageStatus, ReadError, read};

use crate::{check, options, shared};

/// Longest time for one file.
const LONGEST: Duration = Duration::from_secs(20);

/// What each line of the manifest asks for, as a check of what reading came to. `Err` says what
/// is not as it should be.
fn outcome(name: &str, result: &Result<Document, ReadError>) -> Result<(), String> {
    let need = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    let text = || match result {
        Ok(document) => Ok(document.text.as_str()),
        Err(error) => Err(format!("not read: {error}")),
    };
    let says = |part: &str| need(text()?.contains(part), &format!("`{part}` is not in it"));
    let before = |first: &str, second: &str| {
        let text = text()?;
        match (text.find(first), text.find(second)) {
            (Some(a), Some(b)) => need(a < b, &format!("`{second}` stands before `{first}`")),
            _ => Err(format!("`{first}` or `{second}` is not in it")),
        }
    };
    match name {
        "scanned-usgs-glacier-bay.pdf" | "scanned-usgs-before-fire.pdf" => match result {
            Err(error @ ReadError::NoTextLayer { .. }) => {
                need(error.to_string().contains("OCR"), "OCR is not named")
            }
            _ => Err("it has no text layer".to_owned()),
        },
        "encrypted-user-password.pdf" | "encrypted-aes256-r6.pdf" | "encrypted-aes128.pdf" => need(
            matches!(result, Err(ReadError::NeedsPassword { tried: false })),
            "it needs its password",
        ),
        "zero-bytes.pdf" => need(matches!(result, Err(ReadError::Empty)), "it is empty"),
        "html-named.pdf" => {
            let document = result.as_ref().map_err(ToString::to_string)?;
            need(document.format == Format::Html, "it is HTML")?;
            let said = document.warnings.iter().any(|said| said.contains("HTML"));
            need(said, "nothing says that it is no PDF")
        }
        "rotated-nics-table.pdf" => {
            let document = result.as_ref().map_err(ToString::to_string)?;
            // A row stays a row: state and numbers on one line.
            let row = document.text.lines().any(|line| {
                line.contains("Alabama") && line.matches(char::is_numeric).count() > 20
            });
            need(row, "the row of Alabama is not whole")?;
            before("Alabama", "Wyoming")
        }
        "arabic.pdf" | "rotated-arabic.pdf" => {
            let is_arabic = |c: char| {
                ('\u{600}'..='\u{6ff}').contains(&c) || ('\u{fb50}'..='\u{feff}').contains(&c)
            };
            need(text()?.contains(is_arabic), "no Arabic is left")?;
            says("habibi")
        }
        "two-column-latex.pdf" => {
            let document = result.as_ref().map_err(ToString::to_string)?;
            need(
                document.text.split_whitespace().count() > 200,
                "text is missing",
            )
        }
        // Words by the yardstick's count, letters and digits between anything else.
        "huge-table-ca-warn.pdf" => {
            let words = words(text()?);
            need(words > 10_900, &format!("{words} of 11,084 words"))
        }
        "three-column-federal-register.pdf" => {
            let words = words(text()?);
            need(words > 9_100, &format!("{words} of 9,244 words"))?;
            need(!text()?.contains("\u{fffd}"), "characters are lost")
        }
        // Behind the damage stand a picture and three words, which is what the yardstick finds.
        "broken-xref-malformed.pdf" => match result {
            Ok(document) => need(document.text.contains("2021"), "its text was not recovered"),
            Err(error) => need(
                matches!(error, ReadError::NoTextLayer { .. }),
                "another error",
            ),
        },
        "corrupted-zen.pdf" => match result {
            Ok(document) => need(!document.text.trim().is_empty(), "it is empty"),
            Err(error) => need(matches!(error, ReadError::Broken { .. }), "another error"),
        },
        "evil-recursive-xobjects.pdf" => match result {
            Ok(_) | Err(ReadError::Broken { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        },
        // Its only font is Calibri in a Latin encoding: there is no Japanese letter in the file.
        "japanese-vertical.pdf" => says("Test Vertical Layout"),
        "french-minutes.pdf" => says("S\u{e9}ance publique"),
        "german-book-117-pages.pdf" => {
            let document = result.as_ref().map_err(ToString::to_string)?;
            need(document.pages.len() == 117, "pages are missing")?;
            let lost: Vec<u32> = document
                .pages
                .iter()
                .filter(|page| matches!(page.status, PageStatus::Unreadable { .. }))
                .map(|page| page.number)
                .collect();
            need(lost.len() <= 1, &format!("pages {lost:?} are unreadable"))?;
            for number in lost {
                let named = format!("page {number} ");
                let said = document.warnings.iter().any(|said| said.contains(&named));
                need(said, "the lost page is not named")?;
            }
            says("Auflage")?;
            says("\u{fc}")?;
            need(!document.text.contains('\u{fb01}'), "a ligature is left")
        }
        "with-attachment.pdf" => need(!text()?.trim().is_empty(), "it is empty"),
        "unreadable-metadata.pdf" => need(
            text()?.split_whitespace().count() > 100,
            "its text was not extracted",
        ),
        "duplicate-chars.pdf" => {
            // Drawn twice to look bold, said once.
            let name =
                "\u{5317}\u{4eac}\u{5e08}\u{8303}\u{5927}\u{5b66}\u{73e0}\u{6d77}\u{5206}\u{6821}";
            need(text()?.matches(name).count() == 1, "glyphs are doubled")
        }
        "truncated-half.pdf" => {
            let document = result.as_ref().map_err(ToString::to_string)?;
            let said = document
                .warnings
                .iter()
                .any(|said| said.contains("cut off"));
            need(said, "nothing says that it is cut off")?;
            // Of the two pages the first is there, and half of its fonts.
            need(
                document.pages.len() == 2 && words(&document.text) > 0,
                "the pages are not counted, or nothing is read",
            )
        }
        "invalid-utf8.txt" => {
            let document = result.as_ref().map_err(ToString::to_string)?;
            need(
                !document.warnings.is_empty(),
                "nothing says that it was mended",
            )?;
            need(!document.text.contains('\0'), "a NUL is left")
        }
        "one-line-2mb.txt" => need(text()?.len() > 2_000_000, "text is missing"),
        "prompt-injection.md" => {
            says("Ignore all previous instructions")?;
            says("The levee at Mill Creek")
        }
        _ => Err("this file has no check here".to_owned()),
    }
}

fn words(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .count()
}

/// `manifest.csv`: what is expected of each file.
fn manifest(folder: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(folder.join("manifest.csv")).expect("a manifest");
    text.lines()
        .skip(1)
        .map(|line| {
            let mut cells = vec![String::new()];
            let mut quoted = false;
            for c in line.chars() {
                match c {
                    // A doubled quote mark opens and closes, which leaves the cell as it is.
                    '"' => quoted = !quoted,
                    ',' if !quoted => cells.push(String::new()),
                    c => cells.last_mut().expect("a cell").push(c),
                }
            }
            (cells[0].clone(), cells[2].clone())
        })
        .collect()
}

#[test]
fn every_nasty_file_ends_as_its_manifest_says() {
    let Some(folder) = shared("every_nasty_file_ends_as_its_manifest_says", "nasty") else {
        return;
    };
    let manifest = manifest(&folder);
    assert!(manifest.len() >= 26, "{} files", manifest.len());
    let mut failures = Vec::new();
    eprintln!("{:<34} {:>6}  came to | manifest", "file", "s");
    for (name, expected) in &manifest {
        let begun = Instant::now();
        let result = read(&folder.join(name), &options());
        let time = begun.elapsed();
        let came_to = match &result {
            Ok(document) => {
                check(document);
                let words = document.text.split_whitespace().count();
                let mut said = format!("{words} words");
                for warning in &document.warnings {
                    said.push_str("; ");
                    said.extend(warning.chars().take(150));
                }
                said
            }
            Err(error) => error.to_string(),
        };
        let mut judged = outcome(name, &result);
        if time > LONGEST {
            judged = Err(format!("it took {time:?}"));
        }
        let mark = if judged.is_ok() { ' ' } else { '!' };
        eprintln!(
            "{mark}{name:<33} {:>6.2}  {came_to} | {expected}",
            time.as_secs_f64()
        );
        if let Err(what) = judged {
            failures.push(format!("{name}: {what}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_password_opens_what_it_opens() {
    let Some(folder) = shared("a_password_opens_what_it_opens", "nasty") else {
        return;
    };
    for (name, password, words) in [
        ("encrypted-user-password.pdf", "openpassword", "Lorem"),
        ("encrypted-aes256-r6.pdf", "usersecret", "Hello"),
        ("encrypted-aes256-r6.pdf", "ownersecret", "Hello"),
        ("encrypted-aes128.pdf", "foo", "Secret"),
    ] {
        let mut with = options();
        with.password = Some(password.to_owned());
        let document =
            read(&folder.join(name), &with).unwrap_or_else(|error| panic!("{name}: {error}"));
        check(&document);
        eprintln!(
            "{name} with `{password}`: {:?} {:?}",
            document.text, document.warnings
        );
        assert!(document.text.contains(words), "{name}: {}", document.text);
        with.password = Some("wrong".to_owned());
        let refused = read(&folder.join(name), &with);
        assert!(
            matches!(refused, Err(ReadError::NeedsPassword { tried: true })),
            "{name}"
        );
    }
}
