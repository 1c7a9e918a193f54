//! `lahar bench places`: are places found in running text, and is each the right one?

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use lahar_places::score::{
    Article, Metric, id_metrics, macro_metrics, median_metric, read_corpus, score_ids,
    score_ids_with, score_mentions, span_metrics,
};
use lahar_places::{Gazetteer, Mention, Reading};
use serde::Serialize;

use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::place_tagger::PlaceTagger;

#[derive(Debug, Args)]
pub(super) struct Places {
    /// A corpus in the XML of GeoVirus or of LGL.
    #[arg(long, value_name = "FILE.xml")]
    corpus: PathBuf,
    /// A folder with a token classifier (BERT) that finds the places in place of the gazetteer.
    #[arg(long, value_name = "FOLDER")]
    tagger: Option<PathBuf>,
    /// Half of the articles; weights were chosen on the first halves of GeoVirus and LGL.
    #[arg(long)]
    half: Option<Half>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Half {
    First,
    Second,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Report {
    metrics: BTreeMap<&'static str, Figure>,
    /// The ids again, each article read by itself: nothing is known of its publisher.
    by: BTreeMap<&'static str, BTreeMap<&'static str, Figure>>,
    items: Vec<Item>,
    method: String,
    corpus: String,
    articles: usize,
    seconds: f64,
}

/// A figure with its 95 % interval over articles.
#[derive(Debug, Serialize)]
struct Figure {
    value: f64,
    low: f64,
    high: f64,
    n: usize,
}

/// One article.
#[derive(Debug, Serialize)]
struct Item {
    article: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    right: usize,
    wrong: usize,
    missed: usize,
    mentions: usize,
    exact: usize,
    within_161km: usize,
    right_state: usize,
    milliseconds: f64,
}

impl Places {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        let articles = self.articles()?;
        let tagger = self.tagger.as_deref().map(PlaceTagger::open).transpose()?;
        let gazetteer = Gazetteer::in_use();
        let started = Instant::now();
        // Names are looked up once before the clock starts, so that the first text does not pay
        // for opening the tables.
        gazetteer.tag("Portland, Oregon", &Reading::default());
        let bar = output.progress(articles.len() as u64, "texts");
        let mut tagged: Vec<Vec<Mention>> = Vec::with_capacity(articles.len());
        let mut times = Vec::with_capacity(articles.len());
        for article in &articles {
            let clock = Instant::now();
            let reading = Reading::default();
            tagged.push(match &tagger {
                None => gazetteer.tag(&article.text, &reading),
                Some(tagger) => gazetteer.tag_with(tagger, &article.text, &reading)?,
            });
            times.push(clock.elapsed().as_secs_f64() * 1e3);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let spans = score_mentions(&articles, &tagged);
        let ids = score_ids(gazetteer, &articles);
        let alone = score_ids_with(gazetteer, &articles, &Default::default());
        let bytes: usize = articles.iter().map(|article| article.text.len()).sum();
        let rates: Vec<f64> = articles
            .iter()
            .zip(&times)
            .map(|(article, time)| article.text.len() as f64 / time / 1e3)
            .collect();
        let mut metrics = figures(
            span_metrics(&spans)
                .into_iter()
                .chain(macro_metrics(&spans))
                .chain(id_metrics(&ids))
                .chain([
                    median_metric("latency_ms_median", &times),
                    median_metric("megabytes_per_second_median", &rates),
                ]),
        );
        let total: f64 = times.iter().sum();
        if let Some(rate) = metrics.get_mut("megabytes_per_second_median") {
            rate.n = articles.len();
        }
        let items = (0..articles.len()).map(|at| Item {
            article: at,
            site: articles[at].domain.clone(),
            right: spans.by_article[at].right,
            wrong: spans.by_article[at].wrong,
            missed: spans.by_article[at].missed,
            mentions: ids.by_article[at].mentions,
            exact: ids.by_article[at].exact,
            within_161km: ids.by_article[at].near,
            right_state: ids.by_article[at].state,
            milliseconds: times[at],
        });
        let report = Report {
            by: BTreeMap::from([("each_text_by_itself", figures(id_metrics(&alone)))]),
            items: items.collect(),
            method: tagger.map_or_else(|| "gazetteer".into(), |tagger| tagger.name().to_owned()),
            corpus: self.corpus.display().to_string(),
            articles: articles.len(),
            seconds: started.elapsed().as_secs_f64(),
            metrics,
        };
        let rate = bytes as f64 / total.max(1e-9) / 1e3;
        output.result(&report, || table(&report, rate));
        Ok(Done::Well)
    }

    fn articles(&self) -> Result<Vec<Article>, Failure> {
        let failed = |message: String| Failure::new(Kind::File, message).at(self.corpus.display());
        let xml = std::fs::read_to_string(&self.corpus)
            .map_err(|error| failed(format!("the corpus cannot be read: {error}")))?;
        let mut articles = read_corpus(&xml);
        let middle = articles.len() / 2;
        match self.half {
            None => {}
            Some(Half::First) => articles.truncate(middle),
            Some(Half::Second) => drop(articles.drain(..middle)),
        }
        if articles.is_empty() {
            return Err(failed("it holds no article".into())
                .hint("the XML of GeoVirus or LGL is read: article, text, locations or toponyms"));
        }
        Ok(articles)
    }
}

fn figures(metrics: impl IntoIterator<Item = Metric>) -> BTreeMap<&'static str, Figure> {
    metrics
        .into_iter()
        .map(|metric| {
            let figure = Figure {
                value: metric.value,
                low: metric.low,
                high: metric.high,
                n: metric.n,
            };
            (metric.name, figure)
        })
        .collect()
}

/// The order of the table.
const ROWS: &[&str] = &[
    "span_precision",
    "span_recall",
    "span_f1",
    "span_precision_macro",
    "span_recall_macro",
    "span_f1_macro",
    "id_accuracy",
    "accuracy_161km",
    "ancestor_accuracy",
    "state_accuracy",
    "country_accuracy",
    "latency_ms_median",
    "megabytes_per_second_median",
];

fn table(report: &Report, rate: f64) -> String {
    let row = |name: &str, figure: &Figure| {
        format!(
            "{name:<28} {:.3}  ({:.3} to {:.3})  n {}\n",
            figure.value, figure.low, figure.high, figure.n
        )
    };
    let mut text = format!(
        "{}, {} articles, places found by {}\n",
        report.corpus, report.articles, report.method
    );
    for name in ROWS {
        if let Some(figure) = report.metrics.get(name) {
            text.push_str(&row(name, figure));
        }
    }
    text.push_str(&format!("all texts one after the other: {rate:.1} MB/s\n"));
    let alone = &report.by["each_text_by_itself"];
    if !alone.is_empty() {
        text.push_str("each text by itself, nothing known of its publisher's other texts:\n");
        for name in ROWS {
            if let Some(figure) = alone.get(name) {
                text.push_str(&format!("  {}", row(name, figure)));
            }
        }
    }
    text
}
