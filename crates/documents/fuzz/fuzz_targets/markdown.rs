#![no_main]
//! Any bytes as a Markdown text.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| lahar_documents_fuzz::read(bytes, "md"));
