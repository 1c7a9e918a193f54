//! `cargo run --release -- FOLDER`: medians and 95th percentiles of tantivy's top 50 by BM25.

use std::time::Instant;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{Language, LowerCaser, SimpleTokenizer, Stemmer, TextAnalyzer, TokenStream};
use tantivy::{Index, TantivyDocument, Term};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name the exported folder")?;
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("english")
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
    let mut analyzer = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(Stemmer::new(Language::English))
        .build();
    let index = Index::create_in_ram(schema.build());
    index.tokenizers().register("english", analyzer.clone());
    let start = Instant::now();
    let mut writer = index.writer_with_num_threads(1, 200 << 20)?;
    for line in std::fs::read_to_string(format!("{folder}/texts.txt"))?.lines() {
        let mut document = TantivyDocument::default();
        document.add_text(text, line);
        writer.add_document(document)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    println!("indexed in {:.1} s", start.elapsed().as_secs_f64());
    let searcher = index.reader()?.searcher();
    // Each line: the terms of a question as the library searches for them, parted by blanks.
    let questions = std::fs::read_to_string(format!("{folder}/questions.txt"))?;
    let mut times = Vec::new();
    for round in 0..5 {
        for question in questions.lines() {
            let mut terms: Vec<(Occur, Box<dyn Query>)> = Vec::new();
            let mut tokens = analyzer.token_stream(question);
            tokens.process(&mut |token| {
                let term = Term::from_field_text(text, &token.text);
                let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
                terms.push((Occur::Should, Box::new(query)));
            });
            drop(tokens);
            let start = Instant::now();
            let found = searcher.search(&BooleanQuery::new(terms), &TopDocs::with_limit(50).order_by_score())?;
            assert!(!found.is_empty());
            if round > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{} segments, {} searches: median {:.2} ms, p95 {:.2} ms",
        searcher.segment_readers().len(),
        times.len(),
        times[times.len() / 2],
        times[times.len() * 95 / 100]
    );
    Ok(())
}
