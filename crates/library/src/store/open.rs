//! Making and opening library files.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::{FORMAT, Library, WRITER_WAIT};
use crate::chunk::ChunkKind;
use crate::error::{At, LibraryError};
use crate::settings::{ModelRecord, Settings};
use lahar_models::EmbedderIdentity;

/// Marks the file as ours: "LAHR".
const APPLICATION_ID: i64 = 0x4c41_4852;

const SCHEMA: &str = include_str!("schema.sql");
const INDEX: &str = include_str!("index.sql");
const FROM_FORMAT_1: &str = include_str!("from_format_1.sql");

impl Library {
    /// Makes a new, empty library. Never overwrites anything. The file appears under its name when
    /// it is whole: whatever happens before, nothing stands there.
    pub fn create(path: impl AsRef<Path>, settings: &Settings) -> Result<Library, LibraryError> {
        let path = path.as_ref();
        if path.symlink_metadata().is_ok() {
            return Err(LibraryError::Exists {
                path: path.to_owned(),
            });
        }
        let draft = beside(path, &format!(".new-{}", std::process::id()));
        // What a killed process of the same number left behind.
        let _ = std::fs::remove_file(&draft);
        let made = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&draft)
            .map_err(|error| cannot_create(path, &error))
            .and_then(|_| {
                let connection = connect(&draft, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                lay_out(&connection, path, settings)?;
                // Closing brings everything into the one file.
                connection.close().map_err(|(_, error)| error).at(path)
            })
            .and_then(|()| appear(&draft, path));
        let _ = std::fs::remove_file(&draft);
        for ending in ["-wal", "-shm", "-journal"] {
            let _ = std::fs::remove_file(beside(&draft, ending));
        }
        made?;
        Library::open(path)
    }

    /// Opens a library for reading and writing.
    pub fn open(path: impl AsRef<Path>) -> Result<Library, LibraryError> {
        let path = path.as_ref();
        look_at_header(path)?;
        let metadata = std::fs::metadata(path);
        if metadata.is_ok_and(|metadata| metadata.permissions().readonly()) {
            return Err(LibraryError::ReadOnly {
                path: path.to_owned(),
                reason: "the file is read-only".into(),
            });
        }
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        if connection.is_readonly("main").at(path)? {
            return Err(LibraryError::ReadOnly {
                path: path.to_owned(),
                reason: "its permissions do not allow it".into(),
            });
        }
        if accept_format(&connection, path)? < FORMAT {
            bring_up_to_date(&connection, path)?;
        }
        read_settings(&connection, path)?;
        Ok(Library::around(path, connection, true))
    }

    /// Opens a library for reading. Works on a read-only file and in a read-only folder.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Library, LibraryError> {
        let path = path.as_ref();
        look_at_header(path)?;
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(|connection| {
            accept_format(&connection, path)?;
            Ok(connection)
        });
        let connection = match connection {
            // A library that nobody has open needs two small files beside it even for reading,
            // which a read-only folder does not take. Nobody can be writing there either.
            Err(LibraryError::Sqlite { .. } | LibraryError::ReadOnly { .. })
                if !beside(path, "-wal").exists() =>
            {
                let connection = connect_immutable(path)?;
                accept_format(&connection, path)?;
                connection
            }
            other => other?,
        };
        read_settings(&connection, path)?;
        Ok(Library::around(path, connection, false))
    }

    fn around(path: &Path, connection: Connection, writable: bool) -> Library {
        Library {
            path: path.to_owned(),
            connection: Mutex::new(connection),
            writable,
            writer_wait: WRITER_WAIT,
            on_wait: None,
            registered: false,
            resident: Mutex::default(),
            accepted: Mutex::new(None),
            prototypes: Mutex::new(None),
        }
    }
}

fn cannot_create(path: &Path, error: &std::io::Error) -> LibraryError {
    use std::io::ErrorKind;

    let path = path.to_owned();
    match error.kind() {
        ErrorKind::AlreadyExists => LibraryError::Exists { path },
        ErrorKind::StorageFull => LibraryError::DiskFull { path },
        ErrorKind::NotFound => LibraryError::ReadOnly {
            path,
            reason: "its folder does not exist".into(),
        },
        _ => LibraryError::ReadOnly {
            path,
            reason: error.to_string(),
        },
    }
}

/// Gives a finished file its name, which nothing may bear yet.
fn appear(draft: &Path, path: &Path) -> Result<(), LibraryError> {
    match std::fs::hard_link(draft, path) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(cannot_create(path, &error));
        }
        // File systems of memory sticks know no second name for a file.
        Err(_) if path.symlink_metadata().is_err() => {
            std::fs::rename(draft, path).map_err(|error| cannot_create(path, &error))?;
        }
        Err(error) => return Err(cannot_create(path, &error)),
    }
    // The name itself must survive a loss of power; not every system can be asked for that.
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    if let Ok(folder) = std::fs::File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Tells what is wrong with a file before SQLite does, in our words.
fn look_at_header(path: &Path) -> Result<(), LibraryError> {
    use std::io::Read;

    let not_ours = |reason: &str| LibraryError::NotALibrary {
        path: path.to_owned(),
        reason: reason.into(),
    };
    let mut file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => LibraryError::Missing {
            path: path.to_owned(),
        },
        _ => not_ours(&error.to_string()),
    })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(not_ours("it is a folder"));
    }
    let mut header = Vec::new();
    let read = file.by_ref().take(100).read_to_end(&mut header);
    read.map_err(|error| not_ours(&error.to_string()))?;
    if header.is_empty() {
        return Err(not_ours("it is empty"));
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(not_ours("it is no SQLite file"));
    }
    Ok(())
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, LibraryError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).at(path)?;
    prepare(&connection, path)?;
    Ok(connection)
}

fn connect_immutable(path: &Path) -> Result<Connection, LibraryError> {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                address.push(char::from(*byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address, flags).at(path)?;
    prepare(&connection, path)?;
    Ok(connection)
}

fn prepare(connection: &Connection, path: &Path) -> Result<(), LibraryError> {
    connection.busy_timeout(WRITER_WAIT).at(path)?;
    // A file from somebody else can carry triggers and views of its own: trust no functions in
    // them. Text of removed documents is overwritten, not only unlinked.
    connection
        .execute_batch(
            "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;",
        )
        .at(path)
}

fn lay_out(connection: &Connection, path: &Path, settings: &Settings) -> Result<(), LibraryError> {
    // Where the file system has no shared memory, SQLite stays with its older journal: correct,
    // and readers wait for writers.
    connection
        .query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
        .at(path)?;
    let transaction = connection.unchecked_transaction().at(path)?;
    transaction
        .execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
        ))
        .at(path)?;
    transaction.execute_batch(SCHEMA).at(path)?;
    transaction.execute_batch(INDEX).at(path)?;
    write_settings(&transaction, path, settings)?;
    transaction.commit().at(path)
}

fn accept_format(connection: &Connection, path: &Path) -> Result<i64, LibraryError> {
    let number = |pragma: &str| -> Result<i64, LibraryError> {
        connection
            .query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
            .at(path)
    };
    if number("application_id")? != APPLICATION_ID {
        return Err(LibraryError::NotALibrary {
            path: path.to_owned(),
            reason: "it is an SQLite file of another program".into(),
        });
    }
    let found = number("user_version")?;
    if found > FORMAT {
        return Err(LibraryError::NewerFormat {
            path: path.to_owned(),
            found,
            known: FORMAT,
        });
    }
    Ok(found)
}

/// Gives a library of an earlier format what this one has, in one transaction: a program that is
/// killed meanwhile leaves the earlier library.
fn bring_up_to_date(connection: &Connection, path: &Path) -> Result<(), LibraryError> {
    let transaction =
        Transaction::new_unchecked(connection, TransactionBehavior::Immediate).at(path)?;
    // Another process may have been first.
    if accept_format(&transaction, path)? < FORMAT {
        from_format_1(&transaction).at(path)?;
    }
    transaction.commit().at(path)
}

fn from_format_1(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(FROM_FORMAT_1)?;
    transaction.execute_batch(INDEX)?;
    let mut texts = transaction.prepare("SELECT number, text FROM documents")?;
    let mut rows = texts.query([])?;
    while let Some(row) = rows.next()? {
        let hash = super::rows::hash_of_text(row.get_ref(1)?.as_str()?);
        transaction
            .prepare_cached("UPDATE documents SET text_hash = ?2 WHERE number = ?1")?
            .execute(params![row.get::<_, i64>(0)?, hash])?;
    }
    super::index::make_anew(transaction)?;
    transaction.execute_batch(&format!("PRAGMA user_version = {FORMAT}"))
}

pub(super) fn write_settings(
    connection: &Connection,
    path: &Path,
    settings: &Settings,
) -> Result<(), LibraryError> {
    let set = |key: &str, value: &dyn rusqlite::ToSql| {
        connection
            .execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)",
                params![key, value],
            )
            .map(|_| ())
            .at(path)
    };
    connection
        .execute("DELETE FROM meta WHERE key LIKE 'model_%'", [])
        .at(path)?;
    set("chunker", &settings.chunker.name())?;
    if let Some(model) = &settings.model {
        set("model_name", &model.identity.name)?;
        set("model_digest", &model.identity.digest)?;
        set("model_dimension", &(model.identity.dimension as i64))?;
        set(
            "model_probe",
            &crate::search::vectors::to_bytes(&model.probe),
        )?;
    }
    Ok(())
}

pub(super) fn read_settings(
    connection: &Connection,
    path: &Path,
) -> Result<Settings, LibraryError> {
    let damaged = |reason: String| LibraryError::Damaged {
        path: path.to_owned(),
        reason,
    };
    let chunker: Option<String> = meta(connection, path, "chunker")?;
    let chunker = chunker.ok_or_else(|| damaged("it does not say how it is cut".into()))?;
    let chunker = ChunkKind::parse(&chunker)
        .ok_or_else(|| damaged(format!("it is cut by an unknown chunker, `{chunker}`")))?;
    let Some(name) = meta::<String>(connection, path, "model_name")? else {
        return Ok(Settings {
            chunker,
            model: None,
        });
    };
    let digest: Option<String> = meta(connection, path, "model_digest")?;
    let dimension: Option<i64> = meta(connection, path, "model_dimension")?;
    let probe: Option<Vec<u8>> = meta(connection, path, "model_probe")?;
    let (Some(digest), Some(dimension), Some(probe)) = (digest, dimension, probe) else {
        return Err(damaged(format!("the record of its model {name} is torn")));
    };
    let probe = crate::search::vectors::from_bytes(&probe);
    let dimension = usize::try_from(dimension).unwrap_or_default();
    if dimension == 0 || probe.len() != dimension {
        return Err(damaged(format!("the record of its model {name} is torn")));
    }
    Ok(Settings {
        chunker,
        model: Some(ModelRecord {
            identity: EmbedderIdentity {
                name,
                digest,
                dimension,
            },
            probe,
        }),
    })
}

pub(super) fn meta<T: rusqlite::types::FromSql>(
    connection: &Connection,
    path: &Path,
    key: &str,
) -> Result<Option<T>, LibraryError> {
    connection
        .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| {
            row.get(0)
        })
        .optional()
        .at(path)
}
