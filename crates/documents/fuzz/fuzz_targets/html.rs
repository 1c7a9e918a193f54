#![no_main]
//! Any bytes as an HTML page.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| lahar_documents_fuzz::read(bytes, "html"));
