//! Lists the route cards under `cards/`, so that a new file is a new card.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let cards = root.join("cards");
    println!("cargo::rerun-if-changed={}", cards.display());
    let mut files = Vec::new();
    collect(&cards, &mut files);
    files.sort();
    let mut text = String::from("const FILES: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.strip_prefix(&cards).unwrap_or(&file).display();
        let _ = writeln!(
            text,
            "    ({:?}, include_str!({:?})),",
            name.to_string(),
            file
        );
    }
    text.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("cards.rs");
    if let Err(error) = std::fs::write(&out, text) {
        println!("cargo::error={}: {error}", out.display());
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
}
