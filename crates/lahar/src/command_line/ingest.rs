//! `lahar ingest`: reads files and adds them to the library, one transaction a file.

mod gather;
mod read_ahead;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use lahar_core::{DocumentId, Hazard};
use lahar_documents::{Document, ReadOptions};
use lahar_library::{AddOutcome, ChunkKind, DocumentDetails, Ingestor, Library, Settings};
use lahar_models::Embedder;

use super::{ChunkerName, Done};
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::wire::{IngestReport, IngestStatus, IngestedDocument};
use crate::workplace::Workplace;

use gather::{Candidate, gather};
use read_ahead::{Bounds, read_ahead};

/// Add documents: files, folders or patterns.
#[derive(Debug, Args)]
pub(super) struct Ingest {
    /// Files, folders (with all below them) or patterns such as "plans/*.pdf".
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Hazards the documents are about, parted by commas; goes before a manifest's.
    #[arg(long, value_name = "H")]
    hazard: Option<String>,
    /// Place the documents are about.
    #[arg(long, value_name = "P")]
    place: Option<String>,
    /// Title; for one file.
    #[arg(long)]
    title: Option<String>,
    /// Date of publication: 2018, 2018-10 or 2018-10-11.
    #[arg(long)]
    date: Option<String>,
    /// Where the documents came from.
    #[arg(long)]
    source: Option<String>,
    /// Password of encrypted PDF files.
    #[arg(long)]
    password: Option<String>,
    /// How to cut; by default as the library is cut, else `fixed`.
    #[arg(long, value_enum)]
    chunker: Option<ChunkerName>,
}

impl Ingest {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let report = self.ingest(workplace, output)?;
        let stored = |d: &IngestedDocument| d.status != IngestStatus::Refused;
        let any_stored = report.documents.iter().any(stored);
        output.result(&report, || summary(&report));
        Ok(if any_stored { Done::Well } else { Done::Badly })
    }

    /// Ingests sample or user files with nothing said beyond their manifest.
    pub(super) fn of(paths: Vec<PathBuf>) -> Ingest {
        Ingest {
            paths,
            hazard: None,
            place: None,
            title: None,
            date: None,
            source: None,
            password: None,
            chunker: None,
        }
    }

    pub(super) fn ingest(
        self,
        workplace: &Workplace,
        output: Output,
    ) -> Result<IngestReport, Failure> {
        let started = Instant::now();
        let chunker = self.chunker.map(ChunkerName::kind).transpose()?;
        let mut gathered = gather(&self.paths)?;
        self.apply_details(&mut gathered.candidates)?;
        for warning in &gathered.warnings {
            output.note(&format!("warning: {warning}"));
        }
        let mut options = workplace.read_options()?;
        options.password = self.password.clone();
        let mut target = Target::open(workplace, output, chunker)?;

        let bar = output.progress(gathered.candidates.len() as u64, "files");
        let mut documents = Vec::new();
        for missing in gathered.missing {
            let entry = refused(&missing.path, None, missing.reason);
            bar.suspend(|| output.line(&line(&entry)));
            documents.push(entry);
        }
        let reader = Reader::new(&target, &options);
        let candidates = &gathered.candidates;
        let stored = read_ahead(
            candidates.len(),
            Bounds::of_this_machine(),
            |at| reader.read(&candidates[at]),
            Reading::weight,
            |at, reading| {
                let candidate = &candidates[at];
                bar.set_message(candidate.path.display().to_string());
                let entry = target.store(candidate, reading, &mut |done, total| {
                    bar.set_message(format!("{} ({done}/{total})", candidate.path.display()));
                })?;
                bar.suspend(|| output.line(&line(&entry)));
                documents.push(entry);
                bar.inc(1);
                Ok(())
            },
        );
        stored.map_err(|failure: Failure| {
            let kept = documents.iter().filter(|d| d.status != IngestStatus::Refused);
            match kept.count() {
                0 => failure,
                kept => failure.hint(format!(
                    "the {kept} documents named before are stored; the same command goes on from there"
                )),
            }
        })?;
        bar.finish_and_clear();
        Ok(IngestReport {
            documents,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// What was said on the command line goes before what a manifest says.
    fn apply_details(&self, candidates: &mut [Candidate]) -> Result<(), Failure> {
        if self.title.is_some() && candidates.len() > 1 {
            return Err(Failure::new(
                Kind::Usage,
                format!(
                    "--title names one document, and {} files were given",
                    candidates.len()
                ),
            )
            .hint("give each its title in a manifest.csv, or ingest one file at a time"));
        }
        let hazards = match &self.hazard {
            Some(text) => Some(hazards(text)?),
            None => None,
        };
        let date = match &self.date {
            Some(text) => Some(text.parse().map_err(|error: lahar_core::date::NotADate| {
                Failure::new(Kind::Usage, error.to_string())
            })?),
            None => None,
        };
        let now = jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string();
        for Candidate { details, .. } in candidates {
            details.ingested_at.clone_from(&now);
            let said = |option: &Option<String>, field: &mut Option<String>| {
                if option.is_some() {
                    field.clone_from(option);
                }
            };
            said(&self.place, &mut details.place);
            said(&self.title, &mut details.title);
            said(&self.source, &mut details.source);
            if let Some(hazards) = &hazards {
                details.hazards.clone_from(hazards);
            }
            details.date = date.or(details.date);
        }
        Ok(())
    }
}

fn hazards(text: &str) -> Result<Vec<Hazard>, Failure> {
    match Hazard::parse_list(text) {
        hazards if hazards.is_empty() => {
            let known: Vec<&str> = Hazard::BUILT_IN.iter().map(Hazard::label).collect();
            Err(
                Failure::new(Kind::Usage, format!("`{text}` names no hazard"))
                    .hint(format!("the labels are: {}", known.join(", "))),
            )
        }
        hazards => Ok(hazards),
    }
}

/// The library that documents go to. A new one is made when its first document has been read, so
/// that nothing is left behind when every file is refused.
struct Target<'w> {
    workplace: &'w Workplace,
    output: Output,
    embedder: Option<Box<dyn Embedder>>,
    chunker: ChunkKind,
    library: Option<Library>,
}

impl Target<'_> {
    fn open(
        workplace: &Workplace,
        output: Output,
        chunker: Option<ChunkKind>,
    ) -> Result<Target<'_>, Failure> {
        if !workplace.library.exists() {
            let embedder = workplace.embedder_for_new(output)?;
            let chunker = chunker.unwrap_or(ChunkKind::Fixed);
            return Ok(Target {
                workplace,
                output,
                embedder,
                chunker,
                library: None,
            });
        }
        let library = workplace.open_for_writing(output)?;
        let settings = library.settings()?;
        let embedder = match settings.model {
            Some(_) => workplace.embedder_of(&library, output)?,
            None => None,
        };
        if let Some(asked) = chunker.filter(|&asked| asked != settings.chunker) {
            return Err(lahar_library::LibraryError::OtherChunker {
                path: workplace.library.clone(),
                built_with: settings.chunker.name(),
                asked: asked.name(),
            }
            .into());
        }
        Ok(Target {
            workplace,
            output,
            embedder,
            chunker: settings.chunker,
            library: Some(library),
        })
    }

    /// Stores what was read of one file. A file that could not be read is an entry with its
    /// reason; only a library that fails ends the run.
    fn store(
        &mut self,
        candidate: &Candidate,
        reading: Reading,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<IngestedDocument, Failure> {
        let document = match reading {
            Reading::Settled(entry) => return Ok(entry),
            Reading::Document(document) => document,
        };
        let embedder = self.embedder.as_deref();
        let library = match &mut self.library {
            Some(library) => library,
            none => {
                let settings = Settings::new(self.chunker, embedder)?;
                none.insert(self.workplace.create(&settings, self.output)?)
            }
        };
        let ingested = Ingestor::new(library, embedder)?.ingest(
            &document,
            &DocumentDetails {
                // What people say goes before what the document says of itself.
                date: candidate.details.date.or(document.properties.date),
                ..candidate.details.clone()
            },
            &mut |chunks| progress(chunks.done, chunks.total),
        )?;
        let status = match ingested.outcome {
            AddOutcome::Added => IngestStatus::Added,
            AddOutcome::Unchanged => IngestStatus::Unchanged,
            AddOutcome::Replaced { .. } => IngestStatus::Replaced,
        };
        Ok(entry(&document, candidate, ingested.chunks, status))
    }
}

/// What became of reading a file.
enum Reading {
    /// It is stored already, or cannot be read.
    Settled(IngestedDocument),
    /// A document to store.
    Document(Box<Document>),
}

impl Reading {
    /// Bytes of text that it holds.
    fn weight(&self) -> usize {
        match self {
            Reading::Settled(_) => 0,
            Reading::Document(document) => document.text.len(),
        }
    }
}

/// Reads files, on any thread, while documents are stored.
struct Reader<'o> {
    /// The library as it is stored, on a connection of its own.
    library: Option<Library>,
    options: &'o ReadOptions,
}

impl Reader<'_> {
    fn new<'o>(target: &Target<'_>, options: &'o ReadOptions) -> Reader<'o> {
        let path = target.library.as_ref().map(Library::path);
        Reader {
            // Without it every file is read, which is slower and no different.
            library: path.and_then(|path| Library::open_read_only(path).ok()),
            options,
        }
    }

    fn read(&self, candidate: &Candidate) -> Reading {
        if let Some(entry) = self.unchanged(candidate) {
            return Reading::Settled(entry);
        }
        match lahar_documents::read(&candidate.path, self.options) {
            Err(error) => Reading::Settled(refused(&candidate.path, None, error.to_string())),
            Ok(document) if !document.text.chars().any(char::is_alphanumeric) => {
                let reason = "no text was found in it".to_owned();
                Reading::Settled(refused(&candidate.path, Some(document.id), reason))
            }
            Ok(document) => Reading::Document(Box::new(document)),
        }
    }

    /// The entry of a file whose content and details are stored already; then it is not read.
    fn unchanged(&self, candidate: &Candidate) -> Option<IngestedDocument> {
        let library = self.library.as_ref()?;
        let file = std::fs::File::open(&candidate.path).ok()?;
        let id = DocumentId(lahar_core::ContentHash::of_reader(file).ok()?);
        // A library that cannot tell says why when the document is to be stored.
        if !library.is_unchanged(id, &candidate.details).ok()? {
            return None;
        }
        let stored = library.get(id).ok()??;
        Some(IngestedDocument {
            id: Some(id),
            path: candidate.path.display().to_string(),
            title: stored.title,
            pages: (stored.pages > 0).then_some(stored.pages),
            chunks: stored.chunks,
            status: IngestStatus::Unchanged,
            reason: None,
            warnings: stored.warnings,
        })
    }
}

fn entry(
    document: &Document,
    candidate: &Candidate,
    chunks: usize,
    status: IngestStatus,
) -> IngestedDocument {
    let DocumentDetails { title, .. } = &candidate.details;
    IngestedDocument {
        id: Some(document.id),
        path: candidate.path.display().to_string(),
        title: title
            .clone()
            .or_else(|| document.title.clone())
            .unwrap_or_else(|| file_name(&candidate.path)),
        pages: (!document.pages.is_empty()).then_some(document.pages.len()),
        chunks,
        status,
        reason: None,
        warnings: document.warnings.clone(),
    }
}

fn refused(path: &Path, id: Option<DocumentId>, reason: String) -> IngestedDocument {
    IngestedDocument {
        id,
        path: path.display().to_string(),
        title: file_name(path),
        pages: None,
        chunks: 0,
        status: IngestStatus::Refused,
        reason: Some(reason),
        warnings: Vec::new(),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

fn line(entry: &IngestedDocument) -> String {
    let mut line = format!("{:<9}  {}", entry.status.word(), entry.path);
    match &entry.reason {
        Some(reason) => line.push_str(&format!("\n           {reason}")),
        None => {
            let pages = entry
                .pages
                .map_or(String::new(), |pages| format!("{pages} pages, "));
            line.push_str(&format!(
                "  ({pages}{} chunks)  {}",
                entry.chunks, entry.title
            ));
        }
    }
    for warning in &entry.warnings {
        line.push_str(&format!("\n           warning: {warning}"));
    }
    line
}

fn summary(report: &IngestReport) -> String {
    let count = |status| {
        report
            .documents
            .iter()
            .filter(|d| d.status == status)
            .count()
    };
    format!(
        "{} added, {} unchanged, {} replaced, {} refused in {:.1} s",
        count(IngestStatus::Added),
        count(IngestStatus::Unchanged),
        count(IngestStatus::Replaced),
        count(IngestStatus::Refused),
        report.seconds
    )
}
