//! What can go wrong with places.

/// Why a gazetteer, an imported table or a coordinate cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacesError {
    /// The embedded gazetteer is damaged.
    #[error("the gazetteer cannot be read: {why}; build it again with `cargo xtask gazetteer`")]
    Gazetteer {
        /// What is wrong with it.
        why: &'static str,
    },
    /// A line of an imported table is wrong.
    #[error("line {line} of the imported table: {why}; nothing was imported")]
    Import {
        /// Counted from 1, the header included.
        line: usize,
        /// What is wrong, with the value found.
        why: String,
    },
    /// A tagger of the caller's own failed.
    #[error("the tagger cannot read the text: {reason}")]
    Tagger {
        /// In its own words.
        reason: String,
    },
    /// Coordinates that are no place on Earth.
    #[error("{what} cannot be used: {why}")]
    Coordinates {
        /// As given.
        what: String,
        /// What is wrong, and what to write instead.
        why: String,
    },
    /// No place goes by that name or id.
    #[error("no place is called `{name}`{hint}")]
    UnknownPlace {
        /// As given.
        name: String,
        /// A hint with its own punctuation, or nothing.
        hint: String,
    },
    /// Several places go by that name.
    #[error("`{name}` may be {}; say which, for example `{}`", .candidates.join("; "), .candidates.first().map_or("", String::as_str))]
    AmbiguousPlace {
        /// As given.
        name: String,
        /// Qualified names of the places, likeliest first.
        candidates: Vec<String>,
    },
}
