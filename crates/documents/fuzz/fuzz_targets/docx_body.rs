#![no_main]
//! Any bytes as the main part of a Word document, in a sound archive.

use std::io::{Cursor, Write};

use libfuzzer_sys::fuzz_target;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fuzz_target!(|bytes: &[u8]| {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in [("[Content_Types].xml", &b"<Types/>"[..]), ("word/document.xml", bytes)] {
        archive.start_file(name, stored).expect("a name that fits");
        archive.write_all(content).expect("memory takes everything");
    }
    let archive = archive.finish().expect("memory takes everything").into_inner();
    lahar_documents_fuzz::read(&archive, "docx");
});
