//! Why a file could not be read or written.

use lahar_core::grid::GridError;

/// Why a file could not be read or written, with what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file cannot be opened, read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// The content is not of the format, or breaks its rules.
    #[error("this is no readable {format}: {place}: {why}")]
    Malformed {
        /// The format.
        format: &'static str,
        /// Line, field or tag.
        place: String,
        /// What is wrong there.
        why: String,
    },
    /// The content claims to be larger than the limit.
    #[error(
        "{format}: {claimed} values are claimed, but at most {limit} are read; cut the file or raise the limit"
    )]
    TooLarge {
        /// The format.
        format: &'static str,
        /// What the header claims.
        claimed: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The values cannot be stored as asked.
    #[error("{format} cannot hold this: {why}")]
    Unwritable {
        /// The format.
        format: &'static str,
        /// What does not fit.
        why: String,
    },
    /// Values and shape contradict each other.
    #[error(transparent)]
    Grid(#[from] GridError),
}

/// How many values a reader allocates at most unless told otherwise: 2 GiB of them in memory.
pub const VALUE_LIMIT: u64 = 1 << 28;

pub(crate) fn check_size(
    format: &'static str,
    rows: u64,
    columns: u64,
    limit: u64,
) -> Result<usize, FormatError> {
    let claimed = rows.saturating_mul(columns);
    if claimed > limit {
        return Err(FormatError::TooLarge {
            format,
            claimed,
            limit,
        });
    }
    Ok(claimed as usize)
}

pub(crate) fn read_file(path: &std::path::Path) -> Result<Vec<u8>, FormatError> {
    std::fs::read(path).map_err(|error| FormatError::File {
        path: path.display().to_string(),
        error,
    })
}

pub(crate) fn write_file(path: &std::path::Path, bytes: &[u8]) -> Result<(), FormatError> {
    std::fs::write(path, bytes).map_err(|error| FormatError::File {
        path: path.display().to_string(),
        error,
    })
}
