//! Metrics by name, with 95 % intervals from resampling articles.

use serde::Serialize;

use super::{ArticleIds, IdScores, SpanCounts, SpanScores, ratio};

/// A metric with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metric {
    /// The name of the interface contract.
    pub name: &'static str,
    /// Over all articles.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Spans or mentions counted.
    pub n: usize,
}

/// Resamplings; the seed is fixed, so that a run can be repeated.
const ROUNDS: usize = 1000;
const SEED: u64 = 20_260_101;

/// `span_precision`, `span_recall`, `span_f1`.
pub fn span_metrics(scores: &SpanScores) -> Vec<Metric> {
    let n = scores.micro.right + scores.micro.missed;
    let sum = |articles: &[&SpanCounts]| {
        articles
            .iter()
            .fold(SpanCounts::default(), |sum, one| SpanCounts {
                right: sum.right + one.right,
                wrong: sum.wrong + one.wrong,
                missed: sum.missed + one.missed,
            })
    };
    let metric = |name, value: fn(SpanCounts) -> f64| {
        let (low, high) = interval(&scores.by_article, |articles| value(sum(articles)));
        Metric {
            name,
            value: value(scores.micro),
            low,
            high,
            n,
        }
    };
    vec![
        metric("span_precision", SpanCounts::precision),
        metric("span_recall", SpanCounts::recall),
        metric("span_f1", SpanCounts::f1),
    ]
}

/// `id_accuracy`, `accuracy_161km`, `ancestor_accuracy`.
pub fn id_metrics(scores: &IdScores) -> Vec<Metric> {
    let metric = |name, part: fn(&ArticleIds) -> usize| {
        let value = |articles: &[&ArticleIds]| {
            let parts: usize = articles.iter().map(|article| part(article)).sum();
            ratio(parts, articles.iter().map(|article| article.mentions).sum())
        };
        let all: Vec<&ArticleIds> = scores.by_article.iter().collect();
        let (low, high) = interval(&scores.by_article, value);
        Metric {
            name,
            value: value(&all),
            low,
            high,
            n: scores.mentions,
        }
    };
    vec![
        metric("id_accuracy", |article| article.exact),
        metric("accuracy_161km", |article| article.near),
        metric("ancestor_accuracy", |article| article.ancestor),
    ]
}

/// Percentile bootstrap over articles.
fn interval<T>(articles: &[T], value: impl Fn(&[&T]) -> f64) -> (f64, f64) {
    if articles.is_empty() {
        return (f64::NAN, f64::NAN);
    }
    let mut state = SEED;
    let mut values: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let sample: Vec<&T> = (0..articles.len())
                .map(|_| {
                    // SplitMix64 (Steele, Lea and Flood 2014).
                    state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    let mut mixed = state;
                    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                    let at = (mixed ^ (mixed >> 31)) % articles.len() as u64;
                    &articles[at as usize]
                })
                .collect();
            value(&sample)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    (values[ROUNDS * 25 / 1000], values[ROUNDS * 975 / 1000 - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_value_and_repeats_itself() {
        let scores = SpanScores {
            micro: SpanCounts {
                right: 60,
                wrong: 20,
                missed: 20,
            },
            by_article: (0..20)
                .map(|at| SpanCounts {
                    right: 2 + at % 3,
                    wrong: 1,
                    missed: 1,
                })
                .collect(),
            ..SpanScores::default()
        };
        let metrics = span_metrics(&scores);
        assert_eq!(metrics, span_metrics(&scores));
        for metric in metrics {
            assert!(
                metric.low <= metric.value && metric.value <= metric.high,
                "{metric:?}"
            );
        }
    }
}
