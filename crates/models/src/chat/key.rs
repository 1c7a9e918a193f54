//! Secrets that are sent to servers, and printed nowhere.

use std::fmt;
use std::path::Path;

use super::ChatError;

/// A key. It has no `Display`, its `Debug` hides it, and [`Key::hidden_in`] takes it out of what a
/// server says.
///
/// ```
/// use lahar_models::chat::Key;
/// let key = Key::new("sk-very-secret").unwrap();
/// assert_eq!(format!("{key:?}"), "Key(hidden)");
/// assert_eq!(key.hidden_in("bad key sk-very-secret"), "bad key (key)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key of printable ASCII characters, without the white space around it.
    pub fn new(text: &str) -> Result<Key, ChatError> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ChatError::Key {
                reason: "it must be one word of printable ASCII characters".to_owned(),
            });
        }
        Ok(Key(text.to_owned()))
    }

    /// The key in a variable of the environment; `None` where that is not set or empty.
    pub fn from_environment(variable: &str) -> Result<Option<Key>, ChatError> {
        match std::env::var(variable) {
            Ok(text) if !text.trim().is_empty() => Key::new(&text).map(Some),
            Ok(_) | Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => Err(ChatError::Key {
                reason: format!("the variable {variable} is not text"),
            }),
        }
    }

    /// The key in a file, which nobody but its owner may read.
    pub fn from_file(path: &Path) -> Result<Key, ChatError> {
        let refuse = |why: String| ChatError::Key {
            reason: format!("{} {why}", path.display()),
        };
        let cannot = |error: std::io::Error| refuse(format!("cannot be read: {error}"));
        // Rights are those of the file that is open, so that no other can be put in its place.
        let file = std::fs::File::open(path).map_err(cannot)?;
        let facts = file.metadata().map_err(cannot)?;
        if !facts.is_file() {
            return Err(refuse("is no file".to_owned()));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = facts.permissions().mode() & 0o777;
            if mode & 0o077 != 0 {
                return Err(refuse(format!(
                    "can be read or changed by others (mode {mode:o}): run `chmod 600 {}`",
                    path.display()
                )));
            }
        }
        let mut text = String::new();
        std::io::Read::read_to_string(&mut std::io::Read::take(file, 64 << 10), &mut text)
            .map_err(cannot)?;
        Key::new(&text)
    }

    /// The secret itself, for the header that carries it.
    #[cfg(feature = "network")]
    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    /// A text without the key.
    pub fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.0, "(key)")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}
