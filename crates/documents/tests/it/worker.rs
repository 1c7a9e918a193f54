//! The PDF worker: what it dies of is named, and what it read before is kept.

use std::time::{Duration, Instant};

use lahar_documents::{PageStatus, ReadError, ReadOptions, WorkerCommand, read_bytes};
use pdf_extract::{Document, Object, Stream, dictionary};

use crate::{check, options};

/// A file of two pages, its objects as they are or packed in streams as since PDF 1.5.
pub fn small(is_packed: bool) -> Vec<u8> {
    let mut page = words("The levee at Mill Creek held.");
    if is_packed {
        page.compress().expect("text can be compressed");
    }
    let mut file = made(vec![page, words("It rained for 3 days.")]);
    file.trailer.set(
        "Info",
        dictionary! { "Title" => Object::string_literal("Levee report") },
    );
    let mut bytes = Vec::new();
    if is_packed {
        file.save_modern(&mut bytes)
    } else {
        file.save_to(&mut bytes)
    }
    .expect("a vector takes everything");
    bytes
}

/// A file of pages with these contents. Each page may draw `/Loop`, a form that draws itself.
fn pdf(contents: Vec<Stream>) -> Vec<u8> {
    let mut bytes = Vec::new();
    made(contents)
        .save_to(&mut bytes)
        .expect("a vector takes everything");
    bytes
}

fn made(contents: Vec<Stream>) -> Document {
    let mut file = Document::with_version("1.5");
    let pages = file.new_object_id();
    let font = file.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica",
    });
    let form = file.new_object_id();
    let objects = dictionary! { "Loop" => Object::Reference(form) };
    file.objects.insert(
        form,
        Object::Stream(Stream::new(
            dictionary! {
                "Type" => "XObject", "Subtype" => "Form",
                "BBox" => vec![0.into(), 0.into(), 10.into(), 10.into()],
                "Resources" => dictionary! { "XObject" => objects.clone() },
            },
            b"/Loop Do".to_vec(),
        )),
    );
    let resources = file.add_object(dictionary! {
        "Font" => dictionary! { "F" => font }, "XObject" => objects,
    });
    let kids: Vec<Object> = contents
        .into_iter()
        .map(|content| {
            let content = file.add_object(content);
            file.add_object(dictionary! {
                "Type" => "Page", "Parent" => pages, "Contents" => content,
                "MediaBox" => vec![0.into(), 0.into(), 600.into(), 800.into()],
                "Resources" => resources,
            })
            .into()
        })
        .collect();
    let count = kids.len() as i64;
    let tree = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    file.objects.insert(pages, Object::Dictionary(tree));
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    file.trailer.set("Root", catalog);
    file
}

fn words(text: &str) -> Stream {
    let content = format!("BT /F 12 Tf 72 700 Td ({text}) Tj ET");
    Stream::new(dictionary! {}, content.into_bytes())
}

fn command(program: &str, args: &[&str]) -> ReadOptions {
    let mut options = options();
    options.worker = Some(WorkerCommand {
        program: program.into(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
    });
    options.limits.time = Duration::from_millis(400);
    options
}

#[test]
fn a_page_that_overflows_the_stack_is_named_and_the_others_are_kept() {
    let loops = Stream::new(dictionary! {}, b"/Loop Do".to_vec());
    let file = pdf(vec![
        words("Before the loop"),
        loops,
        words("Behind the loop"),
    ]);
    let document = read_bytes(&file, "pdf", &options()).expect("two pages can be read");
    check(&document);
    assert_eq!(document.pages.len(), 3);
    assert!(document.text.contains("Before the loop") && document.text.contains("Behind the loop"));
    let PageStatus::Unreadable { reason } = &document.pages[1].status else {
        panic!("{:?}", document.pages)
    };
    assert!(
        reason.contains("overflowed its stack") && reason.contains("page 2"),
        "{reason}"
    );
    assert!(
        document
            .warnings
            .iter()
            .any(|warning| warning.starts_with("page 2 could not be read"))
    );
}

#[test]
fn a_file_that_only_kills_the_worker_is_an_error_that_says_how() {
    let loops = Stream::new(dictionary! {}, b"/Loop Do".to_vec());
    let error = read_bytes(&pdf(vec![loops]), "pdf", &options()).expect_err("nothing can be read");
    assert!(
        error.to_string().contains("overflowed its stack"),
        "{error}"
    );
}

#[test]
fn a_page_that_swells_in_memory_meets_the_limit() {
    let mut bomb = Stream::new(dictionary! {}, vec![b' '; 300 << 20]);
    bomb.compress().expect("spaces can be compressed");
    let mut limited = options();
    limited.limits.memory_bytes = 320 << 20;
    let error = read_bytes(&pdf(vec![bomb.clone()]), "pdf", &limited).expect_err("it is too much");
    assert!(
        matches!(error, ReadError::TooMuchMemory { page: Some(1), .. }),
        "{error}"
    );
    let document = read_bytes(&pdf(vec![bomb, words("Behind the bomb")]), "pdf", &limited)
        .expect("the other page can be read");
    assert!(document.text.contains("Behind the bomb"));
    assert!(
        document
            .warnings
            .iter()
            .any(|warning| warning.contains("memory limit")),
        "{:?}",
        document.warnings
    );
}

#[test]
fn a_worker_that_hangs_is_stopped_in_time() {
    let begun = Instant::now();
    let error = read_bytes(&pdf(vec![words("x")]), "pdf", &command("sleep", &["60"]))
        .expect_err("no page comes");
    assert!(matches!(error, ReadError::TimedOut { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_worker_that_is_killed_or_missing_is_named() {
    let file = pdf(vec![words("x")]);
    let killed =
        read_bytes(&file, "pdf", &command("sh", &["-c", "kill -9 $$"])).expect_err("killed");
    assert!(killed.to_string().contains("signal 9"), "{killed}");
    let early = read_bytes(
        &file,
        "pdf",
        &command("sh", &["-c", "echo no such option >&2; exit 3"]),
    )
    .expect_err("ended");
    assert!(
        early.to_string().contains("exit code 3") && early.to_string().contains("no such option"),
        "{early}"
    );
    let missing = read_bytes(&file, "pdf", &command("/nowhere/lahar", &[])).expect_err("missing");
    assert!(matches!(missing, ReadError::Worker { .. }), "{missing}");
    assert!(missing.to_string().contains("/nowhere/lahar"));
}

#[test]
fn a_divided_word_is_whole_and_a_sentence_runs_over_the_page() {
    let line = |y: u32, text: &str| format!("BT /F 12 Tf 72 {y} Td ({text}) Tj ET ");
    let page = |lines: &[String]| Stream::new(dictionary! {}, lines.concat().into_bytes());
    let first = page(&[
        line(780, "River report 2024"),
        line(
            700,
            "The levee at the lower bridge was inspected after the storm and",
        ),
        line(686, "its develop-"),
        line(30, "Page 1 of 3"),
    ]);
    let second = page(&[
        line(780, "River report 2024"),
        line(
            700,
            "ment since the spring flood was found to be slow. It will be watched.",
        ),
        line(
            640,
            "A second paragraph follows with words about the development of cracks.",
        ),
        line(30, "Page 2 of 3"),
    ]);
    let third = page(&[
        line(780, "River report 2024"),
        line(700, "The end of the report."),
        line(30, "Page 3 of 3"),
    ]);
    let document =
        read_bytes(&pdf(vec![first, second, third]), "pdf", &options()).expect("it can be read");
    check(&document);
    assert!(
        document
            .text
            .contains("its development since the spring flood was found to be slow."),
        "{}",
        document.text
    );
    let heads = document
        .blocks
        .iter()
        .filter(|block| !block.is_evidence())
        .count();
    assert_eq!(heads, 6, "{:?}", document.blocks);
    let index = lahar_core::TextIndex::new(&document.text);
    let page = index
        .slice(document.pages[1].range)
        .expect("a range of the text");
    assert!(
        page.starts_with("ment since") && page.contains("Page 2 of 3"),
        "{page}"
    );
}

/// Cuts, and files without a directory of their objects: the pages that are left are read, and
/// those that are missing are named.
#[test]
fn a_damaged_file_gives_the_pages_that_are_in_it() {
    let whole = small(false);
    let directory = whole
        .windows(4)
        .position(|window| window == b"xref")
        .expect("a directory");
    let document = read_bytes(&whole[..directory], "pdf", &options()).expect("all pages are left");
    check(&document);
    assert!(document.text.contains("Mill Creek held.") && document.text.contains("3 days."));
    assert!(
        document
            .warnings
            .iter()
            .any(|warning| warning.contains("damaged")),
        "{:?}",
        document.warnings
    );
    // The second page is no page any more.
    let mark = b"/Type/Page/";
    let second = whole
        .windows(mark.len())
        .enumerate()
        .filter(|(_, window)| window == mark)
        .map(|(place, _)| place)
        .nth(1)
        .expect("a second page");
    let broken = [
        &whole[..second],
        b"/Type/Xxxx/",
        &whole[second + mark.len()..directory],
    ]
    .concat();
    let document = read_bytes(&broken, "pdf", &options()).expect("one page is left");
    check(&document);
    assert!(document.text.contains("Mill Creek held.") && !document.text.contains("3 days."));
    assert!(
        document
            .warnings
            .iter()
            .any(|warning| warning.contains("1 of 2 pages")),
        "{:?}",
        document.warnings
    );
    assert!(
        matches!(document.pages[1].status, PageStatus::Unreadable { .. }),
        "{:?}",
        document.pages
    );
    for cut in (0..whole.len()).step_by(97) {
        if let Ok(document) = read_bytes(&whole[..cut], "pdf", &options()) {
            check(&document);
        }
    }
}

/// Each line of a column was drawn on from the last: only the layout says that they are apart.
#[test]
fn sentences_are_not_made_of_boxes_that_stand_apart() {
    let line = |x: u32, y: u32, text: &str| format!("BT /F 10 Tf {x} {y} Td ({text}) Tj ET ");
    let content = [
        line(
            72,
            700,
            "Earthquakes can happen anywhere and at any time without",
        ),
        line(72, 688, "a sign. Higher"),
        line(
            330,
            640,
            "give no warning and damage roads and bridges first",
        ),
        line(330, 628, "of all."),
        line(72, 500, "risk areas lie along the coast."),
    ]
    .concat();
    let page = Stream::new(dictionary! {}, content.into_bytes());
    let document = read_bytes(&pdf(vec![page]), "pdf", &options()).expect("it can be read");
    check(&document);
    assert!(!document.text.contains("Higher give"), "{}", document.text);
    assert!(!document.text.contains("all. risk"), "{}", document.text);
    assert!(!document.text.contains("Higher risk"), "{}", document.text);
}

fn two_columns() -> (Vec<String>, Vec<String>) {
    let side = |name: &str| {
        (0..12)
            .map(|number| format!("{name} line {number} of the column goes on and"))
            .collect()
    };
    (side("left"), side("right"))
}

#[test]
fn lines_written_across_two_columns_are_taken_apart() {
    let (left, right) = two_columns();
    let content: String = (0..12)
        .map(|number| {
            let y = 700 - 12 * number;
            format!(
                "BT /F 9 Tf 1 0 0 1 50 {y} Tm ({}) Tj 1 0 0 1 320 {y} Tm ({}) Tj ET ",
                left[number], right[number]
            )
        })
        .collect();
    let page = Stream::new(dictionary! {}, content.into_bytes());
    let document = read_bytes(&pdf(vec![page]), "pdf", &options()).expect("it can be read");
    check(&document);
    assert!(
        document.text.contains("goes on and left line 1 of"),
        "{}",
        document.text
    );
    assert!(document.text.contains("goes on and right line 11 of"));
    let place = |text: &str| document.text.find(text).expect("it is in the text");
    assert!(place("left line 11") < place("right line 0"));
}

#[test]
fn a_page_in_columns_is_read_column_by_column() {
    let (left, right) = two_columns();
    let line = |x: u32, y: usize, text: &str| format!("BT /F 9 Tf {x} {y} Td ({text}) Tj ET ");
    let column = |x: u32, lines: &[String], from: usize| -> String {
        let numbered = lines.iter().enumerate();
        numbered
            .map(|(number, text)| line(x, from - 12 * number, text))
            .collect()
    };
    // The lower half of the left column was drawn last.
    let content = [
        line(
            50,
            760,
            "A title that stands over both of the columns of this page and ends here",
        ),
        column(50, &left[..6], 700),
        column(320, &right, 700),
        column(50, &left[6..], 700 - 72),
    ]
    .concat();
    let page = Stream::new(dictionary! {}, content.into_bytes());
    let document = read_bytes(&pdf(vec![page]), "pdf", &options()).expect("it can be read");
    check(&document);
    let place = |text: &str| document.text.find(text).expect("it is in the text");
    assert!(place("A title") < place("left line 0"));
    assert!(place("left line 5") < place("left line 6"));
    assert!(
        place("left line 11") < place("right line 0"),
        "{}",
        document.text
    );
}

/// Each of the older kinds of encryption opens with the owner's password and the user's.
#[test]
fn both_passwords_open_each_kind_of_encryption() {
    use pdf_extract::encryption::crypt_filters::{Aes128CryptFilter, CryptFilter};
    use pdf_extract::{EncryptionState, EncryptionVersion, Permissions};

    for kind in ["40 bits", "128 bits", "AES"] {
        let mut file = made(vec![words("The levee at Mill Creek held.")]);
        file.trailer.set(
            "ID",
            vec![Object::string_literal("one"), Object::string_literal("one")],
        );
        let (owner_password, user_password) = ("the owner", "user");
        let permissions = Permissions::all();
        let filter: std::sync::Arc<dyn CryptFilter> = std::sync::Arc::new(Aes128CryptFilter);
        let version = match kind {
            "40 bits" => EncryptionVersion::V1 {
                document: &file,
                owner_password,
                user_password,
                permissions,
            },
            "128 bits" => EncryptionVersion::V2 {
                document: &file,
                owner_password,
                user_password,
                key_length: 128,
                permissions,
            },
            _ => EncryptionVersion::V4 {
                document: &file,
                encrypt_metadata: true,
                crypt_filters: std::collections::BTreeMap::from([(b"StdCF".to_vec(), filter)]),
                stream_filter: b"StdCF".to_vec(),
                string_filter: b"StdCF".to_vec(),
                owner_password,
                user_password,
                permissions,
            },
        };
        let state = EncryptionState::try_from(version).expect("a kind that the library knows");
        file.encrypt(&state).expect("it can be encrypted");
        let mut bytes = Vec::new();
        file.save_to(&mut bytes).expect("a vector takes everything");
        for (password, opens) in [
            (None, false),
            (Some("wrong"), false),
            (Some("user"), true),
            (Some("the owner"), true),
        ] {
            let mut with = options();
            with.password = password.map(str::to_owned);
            match read_bytes(&bytes, "pdf", &with) {
                Ok(document) => {
                    assert!(opens, "{kind}: {password:?} opens it");
                    assert!(
                        document.text.contains("Mill Creek"),
                        "{kind}: {}",
                        document.text
                    );
                }
                Err(error) => {
                    assert!(
                        matches!(error, ReadError::NeedsPassword { .. }),
                        "{kind}: {error}"
                    );
                    assert!(!opens, "{kind}: {password:?} does not open it");
                }
            }
        }
    }
}
