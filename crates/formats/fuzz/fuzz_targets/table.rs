#![no_main]
//! Any text as CSV; what is read is written and read again.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(table) = lahar_formats::table::read(text)
    {
        let again = lahar_formats::table::write(&table);
        assert!(lahar_formats::table::read(&again).is_ok());
    }
});
