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

/// `span_precision_macro`, `span_recall_macro`, `span_f1_macro`: the means over texts, as the
/// paper's Table 2 has them.
pub fn macro_metrics(scores: &SpanScores) -> Vec<Metric> {
    let metric = |name, figure: fn(SpanCounts) -> f64| {
        let mean = |articles: &[&SpanCounts]| {
            let sum: f64 = articles.iter().map(|one| one.or_perfect(figure)).sum();
            sum / articles.len().max(1) as f64
        };
        let all: Vec<&SpanCounts> = scores.by_article.iter().collect();
        let (low, high) = interval(&scores.by_article, mean);
        Metric {
            name,
            value: mean(&all),
            low,
            high,
            n: all.len(),
        }
    };
    vec![
        metric("span_precision_macro", SpanCounts::precision),
        metric("span_recall_macro", SpanCounts::recall),
        metric("span_f1_macro", SpanCounts::f1),
    ]
}

/// `id_accuracy`, `accuracy_161km`, `ancestor_accuracy`, `state_accuracy`, `country_accuracy`,
/// those that the key has something to compare with.
pub fn id_metrics(scores: &IdScores) -> Vec<Metric> {
    type Count = fn(&ArticleIds) -> usize;
    let metric = |name, part: Count, whole: Count| {
        let value = |articles: &[&ArticleIds]| {
            let sum = |count: Count| articles.iter().map(|article| count(article)).sum();
            ratio(sum(part), sum(whole))
        };
        let all: Vec<&ArticleIds> = scores.by_article.iter().collect();
        let n = scores.by_article.iter().map(whole).sum();
        let (low, high) = interval(&scores.by_article, value);
        (n > 0).then(|| Metric {
            name,
            value: value(&all),
            low,
            high,
            n,
        })
    };
    [
        metric("id_accuracy", |ids| ids.exact, |ids| ids.with_id),
        metric("accuracy_161km", |ids| ids.near, |ids| ids.mentions),
        metric(
            "ancestor_accuracy",
            |ids| ids.ancestor,
            |ids| ids.with_ancestor,
        ),
        metric("state_accuracy", |ids| ids.state, |ids| ids.with_state),
        metric(
            "country_accuracy",
            |ids| ids.country,
            |ids| ids.with_country,
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The median of one value a text, with its interval.
pub fn median_metric(name: &'static str, values: &[f64]) -> Metric {
    let middle = |values: &[&f64]| {
        let mut sorted: Vec<f64> = values.iter().map(|value| **value).collect();
        super::median(&mut sorted)
    };
    let all: Vec<&f64> = values.iter().collect();
    let (low, high) = interval(values, middle);
    Metric {
        name,
        value: middle(&all),
        low,
        high,
        n: values.len(),
    }
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
