#![no_main]
//! Any bytes as GeoTIFF.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = lahar_formats::geotiff::read(bytes.to_vec());
});
