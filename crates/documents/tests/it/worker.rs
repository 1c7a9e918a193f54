//! The PDF worker: what it dies of is named, and what it read before is kept.

use std::time::{Duration, Instant};

use lahar_documents::{PageStatus, ReadError, ReadOptions, WorkerCommand, read_bytes};
use pdf_extract::{Document, Object, Stream, dictionary};

use crate::{check, options};

/// A file of pages with these contents. Each page may draw `/Loop`, a form that draws itself.
fn pdf(contents: Vec<Stream>) -> Vec<u8> {
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
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).expect("a vector takes everything");
    bytes
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
