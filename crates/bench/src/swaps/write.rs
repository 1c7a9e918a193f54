//! The benchmark as files that people can read.

use std::fmt::Write as _;
use std::path::Path;

use super::{SwapSet, Wanted};

/// Writes `questions.jsonl`, `levels.tsv`, `README.md` and the folder `corpus` with its
/// `manifest.csv` into a folder, which is made where it is missing.
pub fn write(set: &SwapSet, wanted: &Wanted, folder: &Path) -> std::io::Result<()> {
    let corpus = folder.join("corpus");
    std::fs::create_dir_all(&corpus)?;
    std::fs::write(folder.join("questions.jsonl"), questions(set)?)?;
    std::fs::write(folder.join("levels.tsv"), levels(set))?;
    std::fs::write(folder.join("README.md"), readme(set, wanted))?;
    std::fs::write(corpus.join("manifest.csv"), manifest(set))?;
    for document in &set.documents {
        std::fs::write(corpus.join(&document.file), &document.text)?;
    }
    Ok(())
}

/// One question a line, as `lahar bench geo` reads them.
pub fn questions(set: &SwapSet) -> serde_json::Result<String> {
    let mut text = String::new();
    for question in &set.questions {
        text.push_str(&serde_json::to_string(question)?);
        text.push('\n');
    }
    Ok(text)
}

fn levels(set: &SwapSet) -> String {
    let mut text = "asked\tplaces with evidence\n".to_owned();
    for (facet, places) in &set.levels {
        let _ = writeln!(text, "{facet}\t{}", places.join(" "));
    }
    text
}

/// What is said about the documents, as `lahar ingest` reads it.
pub fn manifest(set: &SwapSet) -> String {
    let mut text = "file,title,place,publisher,hazard\n".to_owned();
    let quoted = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
    for document in &set.documents {
        let _ = writeln!(
            text,
            "{},{},{},{},wildfire",
            document.file,
            quoted(&document.title),
            quoted(document.place.as_deref().unwrap_or_default()),
            quoted(document.publisher.as_deref().unwrap_or_default()),
        );
    }
    text
}

fn readme(set: &SwapSet, wanted: &Wanted) -> String {
    format!(
        "# A swap benchmark of geography\n\n\
         Built by `lahar bench build-swaps --seed {} --facets {} --places {}`: {} questions, {} \
         documents. The same command writes the same files.\n\n\
         - `questions.jsonl`: the questions with their key. `expected_decision` follows from \
         `levels.tsv` and from the hand-made table of places in `crates/bench/src/swaps`; the \
         gazetteer was not asked.\n\
         - `levels.tsv`: for which places the corpus has evidence, by what is asked.\n\
         - `corpus`: the documents. All figures in them are made up.\n\n\
         ```\n\
         lahar ingest corpus --library swaps.db\n\
         lahar bench geo --questions questions.jsonl --library swaps.db\n\
         ```\n",
        wanted.seed,
        wanted.facets,
        wanted.places,
        set.questions.len(),
        set.documents.len(),
    )
}
