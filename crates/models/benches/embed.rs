//! Texts a second of the default model, by number of threads. `cargo bench -p lahar-models`;
//! `benches/peers/embed_onnxruntime.py` does the same texts with the same weights.
//!
//! One line a round: threads, texts, seconds, texts a second, tokens a second. Rounds of all
//! thread counts take turns, so that a disturbance of the machine hits them alike.
#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use lahar_models::store::DEFAULT_MODEL;
use lahar_models::{Embedder, EmbedderConfig, ModelStore, TextRole};

const TEXTS: usize = 96;
const ROUNDS: usize = 5;

const WORDS: [&str; 40] = [
    "the",
    "of",
    "and",
    "in",
    "river",
    "flood",
    "storm",
    "surge",
    "wildfire",
    "smoke",
    "debris",
    "flow",
    "after",
    "heavy",
    "rain",
    "warning",
    "level",
    "county",
    "evacuation",
    "slope",
    "was",
    "earthquake",
    "magnitude",
    "shaking",
    "coastal",
    "drought",
    "heat",
    "index",
    "forecast",
    "near",
    "damage",
    "bridge",
    "road",
    "closed",
    "gauge",
    "reached",
    "feet",
    "wind",
    "gusts",
    "hours",
];

/// Texts of 40 to 203 words, every twelfth ending a sentence; the peer makes the same.
fn texts() -> Vec<String> {
    let mut state = 7u64;
    let mut next = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut text = || {
        let count = 40 + next(140);
        let mut text = String::new();
        for i in 1..=count {
            text.push_str(WORDS[next(WORDS.len())]);
            text.push_str(if i % 12 == 0 { ". " } else { " " });
        }
        text
    };
    (0..TEXTS).map(|_| text()).collect()
}

/// Processor time of this process, from `/proc` (hundredths of a second); NaN elsewhere. On a
/// machine that others use too, texts a processor second say more than texts a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split(' ')
        .collect();
    let ticks = |n: usize| fields.get(n).and_then(|field| field.parse::<f64>().ok());
    ticks(12)
        .zip(ticks(13))
        .map_or(f64::NAN, |(user, system)| (user + system) / 100.0)
}

fn main() {
    let store = ModelStore::open().expect("a folder for models");
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let open = |threads| {
        let config = EmbedderConfig {
            threads: Some(threads),
            ..EmbedderConfig::default()
        };
        store.load_embedder(DEFAULT_MODEL, &config)
    };
    let start = Instant::now();
    let embedders = match (open(1), open(2)) {
        (Ok(one), Ok(two)) => [(1, one), (2, two)],
        (Err(error), _) | (_, Err(error)) => {
            println!("skipped: {error}");
            return;
        }
    };
    println!("two opened in {:.2} s", start.elapsed().as_secs_f64());
    let mut tokens = 0;
    for text in &texts {
        tokens += embedders[0]
            .1
            .tokenizer()
            .token_ranges(text)
            .expect("tokens")
            .len()
            + 2;
    }
    println!(
        "{TEXTS} texts, {:.1} tokens on average",
        tokens as f64 / TEXTS as f64
    );
    for _ in 0..ROUNDS {
        for (threads, embedder) in &embedders {
            let (start, start_cpu) = (Instant::now(), cpu_seconds());
            let vectors = embedder.embed(&texts, TextRole::Passage).expect("vectors");
            let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - start_cpu);
            assert_eq!(vectors.len(), TEXTS);
            println!(
                "threads {threads}  {seconds:.3} s  {:.1} texts/s  {:.0} tokens/s  {:.1} texts/cpu-s",
                TEXTS as f64 / seconds,
                tokens as f64 / seconds,
                TEXTS as f64 / cpu
            );
        }
    }
    let long = texts.join(" ").repeat(20);
    let start = Instant::now();
    let count = embedders[0]
        .1
        .tokenizer()
        .token_ranges(&long)
        .expect("tokens")
        .len();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "token ranges: {:.2} MB in {seconds:.2} s, {:.0} tokens/s",
        long.len() as f64 / 1e6,
        count as f64 / seconds
    );
    let start = Instant::now();
    for _ in 0..20 {
        embedders[0]
            .1
            .embed(
                &["Which counties were under a flood warning?"],
                TextRole::Query,
            )
            .expect("a vector");
    }
    println!(
        "one question, 1 thread: {:.2} ms",
        start.elapsed().as_secs_f64() * 50.0
    );
}
