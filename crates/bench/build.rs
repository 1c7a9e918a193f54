//! Lists the episodes under `episodes/`, so that a new file is a new episode.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let episodes = root.join("episodes");
    let mut files = Vec::new();
    collect(&episodes, &mut files);
    files.sort();
    let mut text = String::from("const FILES: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.strip_prefix(&episodes).unwrap_or(&file).display();
        let _ = writeln!(
            text,
            "    ({:?}, include_str!({:?})),",
            name.to_string(),
            file
        );
    }
    text.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("episodes.rs");
    if let Err(error) = std::fs::write(&out, text) {
        println!("cargo::error={}: {error}", out.display());
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "toml") {
            files.push(path);
        }
    }
}
