//! Readers and writers of scientific data.
