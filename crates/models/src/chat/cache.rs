//! Replies on disk, readable by their owner alone.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{ChatError, Reply};

/// Ending of the files of the cache; nothing else in its folder is ever touched.
const ENDING: &str = "reply.json";

/// A folder with one file a reply, named after the hash of what was asked. A file that cannot be
/// read counts as not there.
#[derive(Debug, Clone)]
pub struct ReplyCache {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    text: String,
    tokens_in: Option<u64>,
    tokens_out: Option<u64>,
}

impl ReplyCache {
    /// The cache in a folder, which is made when the first reply is kept.
    pub fn at(folder: impl Into<PathBuf>) -> ReplyCache {
        ReplyCache {
            folder: folder.into(),
        }
    }

    /// The cache of this user: `$XDG_CACHE_HOME/lahar/replies` or `~/.cache/lahar/replies`.
    pub fn of_user() -> Option<ReplyCache> {
        let named = |variable| std::env::var_os(variable).filter(|value| !value.is_empty());
        let base = named("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| named("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
        Some(ReplyCache::at(base.join("lahar").join("replies")))
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self, hash: &str) -> PathBuf {
        self.folder.join(format!("{hash}.{ENDING}"))
    }

    /// The reply kept under a hash.
    pub fn get(&self, hash: &str) -> Option<Reply> {
        let text = std::fs::read(self.file(hash)).ok()?;
        let kept: Kept = serde_json::from_slice(&text).ok()?;
        Some(Reply {
            text: kept.text,
            tokens_in: kept.tokens_in,
            tokens_out: kept.tokens_out,
        })
    }

    /// Keeps a reply; the file appears in one step.
    pub fn put(&self, hash: &str, reply: &Reply) -> Result<(), ChatError> {
        make_private_folder(&self.folder)?;
        let kept = Kept {
            text: reply.text.clone(),
            tokens_in: reply.tokens_in,
            tokens_out: reply.tokens_out,
        };
        let text = serde_json::json!(kept).to_string();
        let cannot = |error: std::io::Error| ChatError::file("write", &self.folder)(error);
        // A temporary file has mode 600 from its first byte.
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(cannot)?;
        file.write_all(text.as_bytes()).map_err(cannot)?;
        file.persist(self.file(hash))
            .map_err(|error| cannot(error.error))?;
        Ok(())
    }

    /// Takes all replies out and says how many there were.
    pub fn clear(&self) -> Result<usize, ChatError> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
            other => other.map_err(ChatError::file("read", &self.folder))?,
        };
        let mut count = 0;
        for entry in entries {
            let path = entry.map_err(ChatError::file("read", &self.folder))?.path();
            if path.to_string_lossy().ends_with(&format!(".{ENDING}")) {
                std::fs::remove_file(&path).map_err(ChatError::file("remove", &path))?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Makes a folder for its owner alone, or takes the rights of others away.
fn make_private_folder(folder: &Path) -> Result<(), ChatError> {
    std::fs::create_dir_all(folder).map_err(ChatError::file("create", folder))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder, rights).map_err(ChatError::file("protect", folder))?;
    }
    Ok(())
}
