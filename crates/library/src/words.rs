//! Words as the lexical index knows them: how text becomes terms, how the places of a term are
//! kept, and how passages are ranked by them. Nothing here knows where any of it is stored.
//!
//! | module | holds |
//! |---|---|
//! | [`stem`] | word stems (Porter 1980) |
//! | [`terms`] | the terms of a text |
//! | [`postings`] | in which chunks a term stands, in blocks of bytes |
//! | [`bm25`] | the best chunks for some terms |
//!
//! FTS5 computes a score for every row that holds any of the words asked for, which takes a tenth of
//! a second where common words stand in most of 100,000 rows. Terms and scores here are those of
//! FTS5 (`porter unicode61`, BM25 with its constants); what can no longer come into the result is
//! left out of the count.

pub(crate) mod bm25;
pub(crate) mod postings;
pub(crate) mod stem;
pub(crate) mod terms;
