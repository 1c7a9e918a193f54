//! The ZIP archive that an office document is: which parts it has, and what unpacking them may
//! cost. Everything is decided by the sizes that the archive states before anything is
//! unpacked, and unpacking stops at those sizes too, because an archive may lie.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::xml::{self, Piece};
use crate::error::ReadError;

/// Most parts in a document.
const MOST_PARTS: usize = 20_000;

/// Largest part of XML once it is unpacked, in bytes.
const LARGEST_PART: u64 = 64 << 20;

/// Most bytes unpacked from one document.
const LARGEST_WHOLE: u64 = 128 << 20;

/// A part above [`RATIO_FROM`] bytes may be this many times its size in the archive. The XML of
/// long tables packs about fifty to one.
const LARGEST_RATIO: u64 = 250;

/// Below this size, in bytes, a part does no harm however small it was packed.
const RATIO_FROM: u64 = 2 << 20;

/// An open archive.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    unpacked: u64,
}

/// One entry of a part's relations.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    pub id: String,
    /// The last word of its type: `header`, `footnotes`, `officeDocument`.
    pub kind: String,
    /// The part it leads to; `None` when it leads out of the document.
    pub part: Option<String>,
}

impl<'a> Package<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Package<'a>, ReadError> {
        if states_too_many(bytes) {
            return Err(too_many());
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| ReadError::Broken {
            reason: format!("its ZIP archive cannot be opened ({error}); it may be cut off"),
        })?;
        if archive.len() > MOST_PARTS {
            return Err(too_many());
        }
        Ok(Package {
            archive,
            unpacked: 0,
        })
    }

    /// Names of all parts that can be read as characters.
    pub fn names(&self) -> Vec<String> {
        let names = self.archive.file_names().filter_map(Result::ok);
        names.map(|name| name.into_owned()).collect()
    }

    /// A part's characters; `None` when there is no such part.
    pub fn part(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        let broken = |what: String| ReadError::Broken {
            reason: format!("its part `{name}` {what}"),
        };
        let mut file = match self.archive.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(broken(format!("cannot be unpacked: {error}"))),
        };
        let (size, packed) = (file.size(), file.compressed_size());
        let too_large = |size: u64| {
            broken(format!(
                "unpacks to {} MiB or more from {packed} bytes, which is too much for text \
                 (limit: {} MiB a part, {} MiB in all, {LARGEST_RATIO} times its packed size)",
                size >> 20,
                LARGEST_PART >> 20,
                LARGEST_WHOLE >> 20,
            ))
        };
        let most = LARGEST_PART
            .min(LARGEST_WHOLE.saturating_sub(self.unpacked))
            .min(packed.saturating_mul(LARGEST_RATIO).max(RATIO_FROM));
        if size > most {
            return Err(too_large(size));
        }
        let mut bytes = Vec::with_capacity(size as usize);
        // What is stated is not believed: unpacking stops at the limit as well.
        (&mut file)
            .take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| broken(format!("cannot be unpacked: {error}")))?;
        if bytes.len() as u64 > most {
            return Err(too_large(bytes.len() as u64));
        }
        self.unpacked += bytes.len() as u64;
        Ok(Some(characters(bytes)))
    }

    /// The relations of a part, where it has any; those of the whole document for `""`.
    pub fn relations(&mut self, part: &str) -> Result<Vec<Relation>, ReadError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{slash}_rels/{file}.rels");
        let Some(text) = self.part(&name)? else {
            return Ok(Vec::new());
        };
        let mut relations = Vec::new();
        xml::walk(&name, &text, &mut |piece| {
            if let Piece::Open(element) = piece
                && element.name() == "Relationship"
                && let (Some(kind), Some(target)) =
                    (element.attribute("Type"), element.attribute("Target"))
            {
                let is_outside = element
                    .attribute("TargetMode")
                    .is_some_and(|mode| mode == "External");
                relations.push(Relation {
                    id: element.attribute("Id").unwrap_or_default(),
                    kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                    part: (!is_outside).then(|| resolved(folder, &target)),
                });
            }
            Ok(())
        })?;
        Ok(relations)
    }
}

/// The part that a target names, seen from a folder of the archive.
fn resolved(folder: &str, target: &str) -> String {
    let mut steps: Vec<&str> = if target.starts_with('/') {
        Vec::new()
    } else {
        folder.split('/').filter(|step| !step.is_empty()).collect()
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

/// The relations of one kind, by their id.
pub(super) fn by_id(relations: &[Relation], kind: &str) -> HashMap<String, String> {
    relations
        .iter()
        .filter(|relation| relation.kind == kind)
        .filter_map(|relation| Some((relation.id.clone(), relation.part.clone()?)))
        .collect()
}

fn too_many() -> ReadError {
    ReadError::Broken {
        reason: format!("its ZIP archive has more than {MOST_PARTS} parts"),
    }
}

/// Whether a directory of the large kind (ZIP64) states more entries than a document has: the
/// place for them would be taken before the first is read. The small kind cannot count so far.
fn states_too_many(bytes: &[u8]) -> bool {
    const MARK: &[u8] = b"PK\x06\x06";
    let number = |place: usize| -> Option<u64> {
        let field = bytes.get(place..place + 8)?;
        Some(u64::from_le_bytes(field.try_into().ok()?))
    };
    bytes
        .windows(MARK.len())
        .enumerate()
        .filter(|(_, window)| *window == MARK)
        .any(|(place, _)| {
            let is_record = number(place + 4).is_some_and(|size| (44..1 << 16).contains(&size));
            let entries = number(place + 24).max(number(place + 32));
            is_record && entries.is_some_and(|count| count > MOST_PARTS as u64)
        })
}

/// A part's bytes as characters: UTF-8, or UTF-16 by its mark. What is neither stands as the
/// replacement character.
fn characters(bytes: Vec<u8>) -> String {
    match encoding_rs::Encoding::for_bom(&bytes) {
        Some((encoding, mark)) => encoding
            .decode_without_bom_handling(&bytes[mark..])
            .0
            .into_owned(),
        None => String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_seen_from_their_folder() {
        assert_eq!(resolved("word", "styles.xml"), "word/styles.xml");
        assert_eq!(resolved("word", "/word/styles.xml"), "word/styles.xml");
        assert_eq!(
            resolved("word", "../docProps/core.xml"),
            "docProps/core.xml"
        );
        assert_eq!(resolved("", "../../etc/passwd"), "etc/passwd");
    }
}
