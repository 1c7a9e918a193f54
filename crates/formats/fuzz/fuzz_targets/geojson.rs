#![no_main]
//! Any text as GeoJSON; what is read is written and read again.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(features) = lahar_formats::geojson::read(text)
    {
        let again = lahar_formats::geojson::write(&features);
        assert!(lahar_formats::geojson::read(&again).is_ok());
    }
});
