//! Speed, printed and held to loose bounds: machines differ, and tests run beside others.

use std::time::Instant;

use lahar_places::score::{median, read_corpus};

use crate::common::{by, places, shared, tag};

#[test]
#[allow(clippy::print_stderr)] // the figures are the point
fn relation_and_tagging_are_fast_enough() {
    let codes = [
        "iso:US-OR",
        "fips:41051",
        "gn:5746545",
        "iso:US",
        "region:pacific-northwest",
        "aiannh:2430",
        "fips:40113",
        "iso:CA-ON",
    ];
    let nodes: Vec<_> = codes.iter().map(|code| by(code)).collect();
    let mut times = Vec::new();
    for _ in 0..50 {
        for one in &nodes {
            for other in &nodes {
                let start = Instant::now();
                std::hint::black_box(places().compare(*one, *other));
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    let relation = median(&mut times);
    eprintln!("relation with distance: {relation:.2} microseconds median");
    assert!(relation < 20.0);
    let Some(xml) = shared("tagging_speed", "geo/GeoVirus.xml") else {
        return;
    };
    let articles = read_corpus(&xml);
    let mut times = Vec::new();
    let start = Instant::now();
    for article in &articles {
        let one = Instant::now();
        std::hint::black_box(tag(&article.text));
        times.push(one.elapsed().as_secs_f64() * 1e3);
    }
    let bytes: usize = articles.iter().map(|article| article.text.len()).sum();
    eprintln!(
        "tagging and resolving: {:.1} MB/s, {:.3} ms median a text",
        bytes as f64 / start.elapsed().as_secs_f64() / 1e6,
        median(&mut times)
    );
}
