//! Content hashes, and the document ids made from them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of some bytes, written as 64 lower-case hexadecimal digits.
///
/// ```
/// use lahar_core::ContentHash;
/// // FIPS 180-2, appendix B.1
/// assert_eq!(
///     ContentHash::of(b"abc").to_string(),
///     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes bytes that are in memory.
    pub fn of(bytes: &[u8]) -> ContentHash {
        ContentHash(Sha256::digest(bytes).into())
    }

    /// Hashes a stream without holding it in memory.
    pub fn of_reader(mut reader: impl std::io::Read) -> std::io::Result<ContentHash> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(ContentHash(hasher.finalize().into())),
                Ok(n) => hasher.update(&buffer[..n]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

/// Why a text is not a content hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a content hash: 64 hexadecimal digits are needed")]
pub struct NotAHash(String);

impl FromStr for ContentHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<ContentHash, NotAHash> {
        if text.len() != 64 || !text.is_ascii() {
            return Err(NotAHash(text.to_owned()));
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| NotAHash(text.to_owned()))?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NotAHash(text.to_owned()))?;
        }
        Ok(ContentHash(bytes))
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = NotAHash;

    fn try_from(text: String) -> Result<ContentHash, NotAHash> {
        text.parse()
    }
}

/// A document's identity: the hash of its file's bytes. The same file is the same document
/// wherever it lies; a changed file is another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentId(pub ContentHash);

impl DocumentId {
    /// The id of a file with these bytes.
    pub fn of(bytes: &[u8]) -> DocumentId {
        DocumentId(ContentHash::of(bytes))
    }

    /// The first twelve digits, enough for people to tell documents apart.
    pub fn short(&self) -> String {
        self.0.to_string()[..12].to_owned()
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for DocumentId {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<DocumentId, NotAHash> {
        text.parse().map(DocumentId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_and_its_bytes_have_one_hash() {
        let bytes = vec![7; 200_000];
        assert_eq!(
            ContentHash::of_reader(&bytes[..]).unwrap(),
            ContentHash::of(&bytes)
        );
    }

    #[test]
    fn writing_and_reading_a_hash_is_the_identity() {
        let id = DocumentId::of(b"lahar");
        assert_eq!(id.to_string().parse::<DocumentId>().unwrap(), id);
        assert_eq!(id.short().len(), 12);
        for bad in ["", "zz", &"+f".repeat(32)[..63], &"é".repeat(32)] {
            assert!(bad.parse::<ContentHash>().is_err(), "{bad}");
        }
    }
}
