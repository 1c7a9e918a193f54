//! How fast places are found and compared: `cargo bench -p lahar-places`. The news texts are those
//! of GeoVirus and LGL in `LAHAR_SHARED` (else `../shared` beside the workspace).
//!
//! One line a measurement: the median of its rounds, with the fastest and the slowest. Everything
//! runs on one thread, which is what "a core" means.
//!
//! | line | target |
//! |---|---|
//! | gazetteer ready | 30 ms, from nothing to the first place found |
//! | relation with distance | 2 microseconds median |
//! | tagging and resolving news | 5 MB/s a core |
//! | a GeoVirus text | 1 ms median |
#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use lahar_places::score::{Article, read_corpus};
use lahar_places::{Gazetteer, PlaceId, Reading};

const ROUNDS: usize = 7;

fn main() {
    let started = Instant::now();
    let gazetteer = Gazetteer::embedded();
    let found = gazetteer.place_named("Portland, Oregon");
    let ready = started.elapsed().as_secs_f64() * 1e3;
    assert!(found.is_ok());
    machine();
    println!("gazetteer ready, first name found: {ready:.2} ms (target 30)");
    relations(gazetteer);
    let Some(geovirus) = corpus("GeoVirus.xml") else {
        return;
    };
    texts(gazetteer, "GeoVirus", &geovirus);
    if let Some(lgl) = corpus("lgl.xml") {
        texts(gazetteer, "LGL", &lgl);
    }
}

/// Processor and load, without which the figures say little.
fn machine() {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let model = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown", |name| name.trim_start_matches(['\t', ' ', ':']));
    let load = read("/proc/loadavg");
    println!(
        "processor {model}, load {}",
        load.split(' ').next().unwrap_or("unknown")
    );
}

fn relations(gazetteer: &Gazetteer) {
    // Neighbours and strangers of every level, and side areas.
    let names = [
        "iso:US-OR",
        "fips:41051",
        "gn:5746545",
        "iso:US",
        "region:pacific-northwest",
        "aiannh:2430",
        "fips:40113",
        "iso:CA-ON",
        "huc:17",
        "forest:deschutes-national-forest",
        "fips:36047",
        "iso:FR",
    ];
    let places: Vec<PlaceId> = names
        .iter()
        .filter_map(|name| gazetteer.by_id(name))
        .collect();
    assert_eq!(places.len(), names.len());
    let mut medians = Vec::new();
    for _ in 0..ROUNDS {
        let mut times = Vec::new();
        for one in &places {
            for other in &places {
                // Sixteen at once, so that the clock itself does not count.
                let started = Instant::now();
                for _ in 0..16 {
                    black_box(gazetteer.compare(black_box(*one), black_box(*other)));
                }
                times.push(started.elapsed().as_secs_f64() * 1e6 / 16.0);
            }
        }
        medians.push(median(&mut times));
    }
    report(
        "relation with distance, median of pairs",
        "us",
        &mut medians,
        2.0,
    );
}

fn texts(gazetteer: &Gazetteer, name: &str, articles: &[Article]) {
    let bytes: usize = articles.iter().map(|article| article.text.len()).sum();
    let reading = Reading::default();
    let (mut rates, mut computed, mut medians) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut times = Vec::new();
        let (started, before) = (Instant::now(), processor_seconds());
        for article in articles {
            let one = Instant::now();
            black_box(gazetteer.tag(black_box(&article.text), &reading));
            times.push(one.elapsed().as_secs_f64() * 1e3);
        }
        rates.push(bytes as f64 / started.elapsed().as_secs_f64() / 1e6);
        if let (Some(before), Some(after)) = (before, processor_seconds()) {
            computed.push(bytes as f64 / (after - before).max(1e-9) / 1e6);
        }
        medians.push(median(&mut times));
    }
    report(
        &format!("{name}, tagged and resolved"),
        "MB/s",
        &mut rates,
        5.0,
    );
    if !computed.is_empty() {
        let what = format!("{name}, tagged and resolved, by processor time");
        report(&what, "MB/s", &mut computed, 5.0);
    }
    report(&format!("{name}, a text"), "ms", &mut medians, 1.0);
}

/// Seconds that this thread has had a core to itself; on a busy machine the figure that says what
/// a core does. Linux only.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

fn report(what: &str, unit: &str, values: &mut [f64], target: f64) {
    let middle = median(values);
    println!(
        "{what}: {middle:.3} {unit} ({:.3} to {:.3}), target {target}",
        values[0],
        values[values.len() - 1]
    );
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn corpus(name: &str) -> Option<Vec<Article>> {
    let shared = std::env::var_os("LAHAR_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let path = shared.join("geo").join(name);
    match std::fs::read_to_string(&path) {
        Ok(xml) => Some(read_corpus(&xml)),
        Err(error) => {
            println!("not measured: {}: {error}", path.display());
            None
        }
    }
}
