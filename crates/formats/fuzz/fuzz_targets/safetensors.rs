#![no_main]
//! Any bytes as weights.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = lahar_formats::safetensors::read(bytes);
});
