//! `lahar documents`, `lahar show`, `lahar remove`.

use clap::Args;

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::wire::{DocumentList, ShownDocument};
use crate::workplace::Workplace;

pub(super) fn list(workplace: &Workplace, output: Output) -> Result<Done, Failure> {
    let documents = workplace.open_for_reading()?.documents()?;
    let text = || {
        if documents.is_empty() {
            return "The library holds no documents; `lahar ingest PATH` adds some.".to_owned();
        }
        let lines = documents.iter().map(|document| {
            let hazards: Vec<&str> = document.hazards.iter().map(|(h, _)| h.label()).collect();
            let place = document.place.as_deref().unwrap_or("-");
            format!(
                "{}  {}\n              {} | {} | {} chunks | {}",
                document.id.short(),
                document.title,
                hazards.join(", "),
                place,
                document.chunks,
                document.path,
            )
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let printed = text();
    let list = DocumentList {
        documents: documents.into_iter().map(Into::into).collect(),
    };
    output.result(&list, || printed);
    Ok(Done::Well)
}

/// Print a document's stored text, or one page of it.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// Id (or its first digits), file name or part of the title; with :N, page N alone.
    #[arg(value_name = "DOC[:PAGE]")]
    document: String,
}

impl Show {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let library = workplace.open_for_reading()?;
        // A title may hold a colon of its own, so that the whole is tried when the part is unknown.
        let (name, page) = match self.document.rsplit_once(':') {
            Some((name, page)) if !name.is_empty() => match page.parse::<u32>() {
                Ok(page) if library.document_id(&self.document).is_err() => (name, Some(page)),
                _ => (self.document.as_str(), None),
            },
            _ => (self.document.as_str(), None),
        };
        let document = library.text(library.document_id(name)?)?;
        let text = match page {
            None => document.text.clone(),
            Some(number) => document.page(number).map(str::to_owned).ok_or_else(|| {
                let message = match document.pages.last() {
                    Some(last) => format!(
                        "there is no page {number}: the pages are 1 to {}",
                        last.number
                    ),
                    None => "the document has no pages".to_owned(),
                };
                Failure::new(Kind::NotFound, message).at(&document.title)
            })?,
        };
        let shown = ShownDocument::from(document);
        output.result(&shown, || text);
        Ok(Done::Well)
    }
}

/// Take a document out of the library.
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Id (or its first digits), file name or part of the title.
    #[arg(value_name = "DOC")]
    document: String,
}

impl Remove {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let mut library = workplace.open_for_writing(output)?;
        let document = library.document(&self.document)?;
        library.remove(document.id)?;
        let value =
            serde_json::json!({ "removed": { "id": document.id, "title": document.title } });
        output.result(&value, || {
            format!("removed {} ({})", document.title, document.id.short())
        });
        Ok(Done::Well)
    }
}
