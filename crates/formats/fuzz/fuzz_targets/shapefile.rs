#![no_main]
//! Any bytes as both files of a shapefile, cut by the first two bytes.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some((cut, rest)) = bytes.split_first_chunk::<2>() {
        let cut = usize::from(u16::from_le_bytes(*cut)).min(rest.len());
        let (shapes, table) = rest.split_at(cut);
        let _ = lahar_formats::shapefile::read(shapes, table);
    }
});
