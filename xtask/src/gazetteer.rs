//! `cargo xtask gazetteer`: source tables in, one file to embed out.
//!
//! | module | holds |
//! |---|---|
//! | [`builder`] | nodes, edges, extents and names while they are collected |
//! | [`world`] | world, continents, countries, divisions, seas, rivers |
//! | [`cities`] | cities and census places |
//! | [`united_states`] | counties, regions, tribal areas, forests, parks, watersheds, zones |
//! | [`incidents`] | named events |
//! | [`polygons`] | county boundaries |
//! | [`mod@write`] | the file |

mod builder;
mod checks;
mod cities;
mod incidents;
mod polygons;
mod united_states;
mod world;
mod write;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Source folders.
pub struct Sources {
    shared: PathBuf,
    own: PathBuf,
}

impl Sources {
    /// A table of `shared/geo`, line by line and cell by cell, without its header.
    pub fn shared(&self, name: &str) -> Result<Vec<Vec<String>>, String> {
        table(&self.shared.join(name))
    }

    /// A table that lies beside this program.
    pub fn own(&self, name: &str) -> Result<Vec<Vec<String>>, String> {
        table(&self.own.join(name))
    }
}

fn table(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = if path.extension().is_some_and(|extension| extension == "gz") {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        text
    } else {
        String::from_utf8(bytes).map_err(|error| format!("{}: {error}", path.display()))?
    };
    let mut lines = text.lines();
    let width = lines.next().map_or(0, |header| header.split('\t').count());
    Ok(lines
        .filter(|line| !line.is_empty())
        .map(|line| {
            let mut cells: Vec<String> = line
                .split('\t')
                .map(|cell| cell.trim().to_owned())
                .collect();
            cells.resize(width.max(cells.len()), String::new());
            cells
        })
        .collect())
}

/// Builds, checks and writes.
pub fn run(shared: Option<String>, polygons: Option<String>) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("the workspace has no root")?
        .to_path_buf();
    let shared = shared
        .or_else(|| std::env::var("LAHAR_SHARED").ok())
        .map_or_else(|| root.join("../shared"), PathBuf::from)
        .join("geo");
    let sources = Sources {
        shared,
        own: root.join("xtask/data"),
    };
    let out = root.join("crates/places/data");
    let mut builder = builder::Builder::default();
    world::add(&mut builder, &sources)?;
    united_states::add_counties(&mut builder, &sources)?;
    cities::add(&mut builder, &sources)?;
    united_states::add_regions(&mut builder, &sources)?;
    united_states::add_side_areas(&mut builder, &sources)?;
    incidents::add(&mut builder, &sources)?;
    builder.settle_points();
    checks::check(&builder)?;
    let bytes = write::write(&builder)?;
    checks::check_file(bytes.clone())?;
    let path = out.join("gazetteer.bin");
    fs::write(&path, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    println!(
        "{} nodes, {} names, {} bytes -> {}",
        builder.nodes.len(),
        builder.names.len(),
        bytes.len(),
        path.display()
    );
    polygons::run(&root, polygons, &out.join("counties.bin"))
}
