//! Where library, models and the PDF worker are for this run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lahar_answers::{Asker, Method, Without};
use lahar_documents::{ReadOptions, WorkerCommand};
use lahar_library::{Library, LibraryError, Reranking, Settings};
use lahar_models::chat::Client;
use lahar_models::store::FetchCommands;
use lahar_models::{CrossEncoder, Embedder, ModelError, ModelStore};
use lahar_places::PlacesError;

use crate::config::Config;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::own_places::OwnPlaces;

/// Name under which no model is used.
pub(crate) const NO_MODEL: &str = "none";

/// Name under which candidates are reranked by late interaction.
const LATE: &str = "late";

/// The reranker of one run.
pub enum ConfiguredReranker {
    /// None is wanted.
    Off,
    /// Late interaction with the embedding model.
    Late,
    /// A cross-encoder, and the score below which a passage is no evidence.
    Model(Box<CrossEncoder>, f32),
}

impl ConfiguredReranker {
    /// As retrieval takes it.
    pub fn reranking(&self) -> Reranking<'_> {
        match self {
            ConfiguredReranker::Off => Reranking::Off,
            ConfiguredReranker::Late => Reranking::Late,
            ConfiguredReranker::Model(model, floor) => Reranking::Model {
                model: model.as_ref(),
                floor: *floor,
            },
        }
    }
}

/// A library opened for questions, with the models that go with it.
pub struct Questioned {
    /// The library.
    pub library: Library,
    /// The model it was built with, where that is installed.
    pub embedder: Option<Box<dyn Embedder>>,
    /// The configured reranker.
    pub reranker: ConfiguredReranker,
    longest_question: usize,
}

impl Questioned {
    /// One who answers from it.
    pub fn asker(&self, method: Method) -> Asker<'_> {
        Asker {
            library: &self.library,
            embedder: self.embedder.as_deref(),
            method,
            reranking: self.reranker.reranking(),
            longest_question: self.longest_question,
            without: Without::default(),
            elsewhere: None,
        }
    }
}

/// The library file and the configuration of one run.
#[derive(Debug)]
pub struct Workplace {
    /// The library file.
    pub library: PathBuf,
    /// The configuration in effect.
    pub config: Config,
}

impl Workplace {
    /// Reads the configuration. Nothing is opened yet.
    pub fn new(library: PathBuf, config: Option<&Path>) -> Result<Workplace, Failure> {
        if library.to_string_lossy().starts_with("postgres://") {
            return Err(Failure::not_implemented("the server store (postgres://)")
                .hint("name a file with --library"));
        }
        Ok(Workplace {
            library,
            config: Config::read(config)?,
        })
    }

    /// The same configuration with another library.
    pub fn of_library(&self, library: &Path) -> Workplace {
        Workplace {
            library: library.to_owned(),
            config: self.config.clone(),
        }
    }

    /// Opens the library for queries.
    pub fn open_for_reading(&self) -> Result<Library, Failure> {
        Ok(Library::open_read_only(&self.library)?)
    }

    /// Makes the places that the user has added known to everything that reads places.
    pub fn use_own_places(&self) -> Result<(), Failure> {
        match OwnPlaces::of_user() {
            Some(own) => own.put_to_use(),
            None => Ok(()),
        }
    }

    /// Opens the library for questions, with its models.
    pub fn open_for_questions(&self, output: Output) -> Result<Questioned, Failure> {
        self.use_own_places()?;
        let library = self.open_for_reading()?;
        let embedder = self.embedder_of(&library, output)?;
        Ok(Questioned {
            library,
            embedder,
            reranker: self.reranker()?,
            longest_question: self.config.limits.question_characters,
        })
    }

    /// Opens another library for questions, built with another model.
    pub fn with_model(
        &self,
        library: &Path,
        model: &str,
        output: Output,
    ) -> Result<Questioned, Failure> {
        let mut config = self.config.clone();
        config.embedder.model = model.to_owned();
        let other = Workplace {
            library: library.to_owned(),
            config,
        };
        other.open_for_questions(output)
    }

    /// Opens the library for changes.
    pub fn open_for_writing(&self, output: Output) -> Result<Library, Failure> {
        self.for_writing(Library::open(&self.library)?, output)
    }

    /// Makes the library, or opens the one that another process has made in the meantime.
    pub fn create(&self, settings: &Settings, output: Output) -> Result<Library, Failure> {
        let library = match Library::create(&self.library, settings) {
            Err(LibraryError::Exists { .. }) => Library::open(&self.library)?,
            other => other?,
        };
        library.accept_chunker(settings.chunker)?;
        self.for_writing(library, output)
    }

    /// A library that says when it waits for another process.
    fn for_writing(&self, mut library: Library, output: Output) -> Result<Library, Failure> {
        library.set_writer_wait(Duration::from_secs(self.config.limits.writer_seconds))?;
        let path = self.library.display().to_string();
        library.set_on_wait(Box::new(move |waiting| {
            output.note(&format!(
                "waiting for {}, which is writing {path}; giving up in {} s",
                waiting.holder,
                waiting.most.as_secs().max(1)
            ));
        }));
        Ok(library)
    }

    /// The configured chat model.
    pub fn chat(&self) -> Result<Client, Failure> {
        let Some(settings) = &self.config.chat else {
            return Err(Failure::new(Kind::Config, "no chat model is configured")
                .hint("name one in a table [chat] of the file given with --config"));
        };
        settings.open()
    }

    /// The store of installed models.
    pub fn models(&self) -> Result<ModelStore, ModelError> {
        match &self.config.embedder.folder {
            Some(folder) => {
                Ok(ModelStore::at(folder).with_commands(FetchCommands::from_environment()))
            }
            None => ModelStore::open(),
        }
    }

    /// The configured model, for a library that is built now; `None`, with a word about it, when
    /// the model is not installed or none is wanted.
    pub fn embedder_for_new(&self, output: Output) -> Result<Option<Box<dyn Embedder>>, Failure> {
        let name = &self.config.embedder.model;
        if name == NO_MODEL {
            return Ok(None);
        }
        match self.load(name) {
            Ok(embedder) => Ok(Some(embedder)),
            Err(ModelError::NotInstalled { .. }) => {
                output.note(&format!(
                    "note: the model {name} is not installed, so the library finds passages by their words alone. \
                     `lahar models pull {name}` fetches it; `lahar reindex` then adds meaning."
                ));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The model that a library was built with; `None`, with a word about it, when it was built
    /// without one or the model is not installed any more.
    pub fn embedder_of(
        &self,
        library: &Library,
        output: Output,
    ) -> Result<Option<Box<dyn Embedder>>, Failure> {
        let Some(record) = library.settings()?.model else {
            return Ok(None);
        };
        let configured = &self.config.embedder.model;
        if configured == NO_MODEL {
            return Ok(None);
        }
        match self.load(configured) {
            Ok(embedder) => {
                library.accept_model(embedder.as_ref())?;
                Ok(Some(embedder))
            }
            Err(ModelError::NotInstalled { .. }) => {
                output.note(&format!(
                    "note: {} was built with {}, and {configured} is not installed; passages are \
                     found by their words alone. `lahar models pull {configured}` fetches it.",
                    library.path().display(),
                    record.identity.name
                ));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The configured reranker. A cross-encoder that is named and not installed is an error.
    pub fn reranker(&self) -> Result<ConfiguredReranker, Failure> {
        let settings = &self.config.reranker;
        Ok(match settings.model.as_str() {
            NO_MODEL => ConfiguredReranker::Off,
            LATE => ConfiguredReranker::Late,
            name => {
                let model = self.models()?.load_reranker(name, &settings.of_model())?;
                ConfiguredReranker::Model(Box::new(model), settings.floor)
            }
        })
    }

    fn load(&self, name: &str) -> Result<Box<dyn Embedder>, ModelError> {
        let embedder = self
            .models()?
            .load_embedder(name, &self.config.embedder.of_model())?;
        Ok(Box::new(embedder))
    }

    /// How documents are read: PDF files in a worker process, which is this program again.
    pub fn read_options(&self) -> Result<ReadOptions, Failure> {
        let worker = WorkerCommand::this_program().map_err(|error| {
            Failure::new(
                Kind::File,
                format!("this program cannot find itself: {error}"),
            )
        })?;
        let limits = &self.config.limits;
        let mut options = ReadOptions {
            worker: Some(worker),
            ..ReadOptions::default()
        };
        options.limits.file_bytes = limits.file_megabytes << 20;
        options.limits.text_bytes = limits.text_megabytes << 20;
        options.limits.time = Duration::from_secs(limits.pdf_seconds);
        options.limits.memory_bytes = limits.pdf_megabytes << 20;
        Ok(options)
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Failure {
        let kind = match &error {
            LibraryError::UnknownDocument { .. } | LibraryError::AmbiguousDocument { .. } => {
                Kind::NotFound
            }
            LibraryError::Model(_) => Kind::Model,
            LibraryError::Manifest { .. } => Kind::File,
            _ => Kind::Library,
        };
        Failure::new(kind, error.to_string())
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Failure {
        Failure::new(Kind::Model, error.to_string())
    }
}

impl From<PlacesError> for Failure {
    fn from(error: PlacesError) -> Failure {
        Failure::new(Kind::Place, error.to_string())
    }
}
