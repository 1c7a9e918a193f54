#![no_main]
//! Any text as an ASCII grid.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = lahar_formats::ascii_grid::read(text, lahar_core::Crs::LocalMetres);
    }
});
