//! `bench places`: spans of GeoVirus and LGL, ids, accuracy at 161 km, right state and county.
//!
//! Reads the XML of the two corpora as text; files are opened by whoever calls.

use std::collections::HashMap;

mod corpora;
mod intervals;

use crate::gazetteer::{Gazetteer, GeoPoint, PlaceId};
use crate::kind::Kind;
use crate::mention::{Mention, Role};
use crate::resolve::{Home, Reading};
pub use corpora::{Article, GoldPlace, read_corpus};
pub use intervals::{Metric, id_metrics, macro_metrics, median_metric, span_metrics};

/// Counts of spans found, missed and invented.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpanCounts {
    /// Spans of the key that were found, to the letter.
    pub right: usize,
    /// Spans found that the key does not have.
    pub wrong: usize,
    /// Spans of the key that were not found.
    pub missed: usize,
}

impl SpanCounts {
    /// Right spans among those found.
    pub fn precision(self) -> f64 {
        ratio(self.right, self.right + self.wrong)
    }

    /// Right spans among those of the key.
    pub fn recall(self) -> f64 {
        ratio(self.right, self.right + self.missed)
    }

    /// A figure of one text: 1 where there was nothing to find and nothing was found.
    fn or_perfect(self, figure: fn(SpanCounts) -> f64) -> f64 {
        if self == SpanCounts::default() {
            1.0
        } else {
            figure(self)
        }
    }

    /// Harmonic mean of the two.
    pub fn f1(self) -> f64 {
        ratio(2 * self.right, 2 * self.right + self.wrong + self.missed)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Scores of spans over a corpus.
#[derive(Debug, Clone, Default)]
pub struct SpanScores {
    /// Over all spans of all texts.
    pub micro: SpanCounts,
    /// Precision, recall and F1, each the mean over texts (the paper's Table 2).
    pub macro_mean: (f64, f64, f64),
    /// Per article, for intervals.
    pub by_article: Vec<SpanCounts>,
    /// Up to a few hundred differences: article, found or missed, words around.
    pub differences: Vec<(usize, &'static str, String)>,
}

/// Counts of one article: mentions, exact ids, within 161 km, right ancestors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ArticleIds {
    /// Mentions whose coordinates the key knows.
    pub mentions: usize,
    /// Of these within 161 km.
    pub near: usize,
    /// Mentions whose id the key knows.
    pub with_id: usize,
    /// Of these the same id.
    pub exact: usize,
    /// Mentions below the country whose state the key knows.
    pub with_state: usize,
    /// Of these in the right state.
    pub state: usize,
    /// Mentions whose state or country the key knows.
    pub with_ancestor: usize,
    /// Of these in the right state, or for whole countries the right country.
    pub ancestor: usize,
    /// Mentions whose country the key knows.
    pub with_country: usize,
    /// Of these in the right country.
    pub country: usize,
}

/// Scores of resolution over mentions whose place the key knows.
#[derive(Debug, Clone, Default)]
pub struct IdScores {
    /// Counts per article.
    pub by_article: Vec<ArticleIds>,
    /// The errors: article, words, found, wanted.
    pub errors: Vec<(usize, String, String, String)>,
}

impl IdScores {
    fn share(&self, part: fn(&ArticleIds) -> usize, whole: fn(&ArticleIds) -> usize) -> f64 {
        let sum = |count: fn(&ArticleIds) -> usize| self.by_article.iter().map(count).sum();
        ratio(sum(part), sum(whole))
    }

    /// Share of exact ids.
    pub fn id_accuracy(&self) -> f64 {
        self.share(|ids| ids.exact, |ids| ids.with_id)
    }

    /// Share within 161 km (100 miles) of the key's coordinates.
    pub fn accuracy_161km(&self) -> f64 {
        self.share(|ids| ids.near, |ids| ids.mentions)
    }

    /// Share with the right ancestor: the state, or for whole countries the country.
    pub fn ancestor_accuracy(&self) -> f64 {
        self.share(|ids| ids.ancestor, |ids| ids.with_ancestor)
    }

    /// Share in the right state, among mentions below the country.
    pub fn state_accuracy(&self) -> f64 {
        self.share(|ids| ids.state, |ids| ids.with_state)
    }

    /// Share in the right country.
    pub fn country_accuracy(&self) -> f64 {
        self.share(|ids| ids.country, |ids| ids.with_country)
    }
}

/// Whether a mention counts as a span of a place in these corpora: events do not.
fn is_span(mention: &Mention) -> bool {
    !matches!(mention.role, Role::Event | Role::Point | Role::Box)
}

/// Compares recognised spans with the key, to the letter.
pub fn score_spans(gazetteer: &Gazetteer, articles: &[Article]) -> SpanScores {
    let tagged: Vec<Vec<Mention>> = articles
        .iter()
        .map(|article| gazetteer.tag(&article.text, &Reading::default()))
        .collect();
    score_mentions(articles, &tagged)
}

/// Compares the mentions of each article, whoever found them, with the key, to the letter.
pub fn score_mentions(articles: &[Article], tagged: &[Vec<Mention>]) -> SpanScores {
    let mut scores = SpanScores::default();
    let mut sums = (0.0, 0.0, 0.0);
    for (number, (article, mentions)) in articles.iter().zip(tagged).enumerate() {
        let found: Vec<(usize, usize)> = mentions
            .iter()
            .filter(|mention| is_span(mention))
            .map(|mention| (mention.range.start, mention.range.end))
            .collect();
        let mut gold: Vec<(usize, usize)> = article
            .places
            .iter()
            .map(|place| (place.start, place.end))
            .collect();
        gold.sort_unstable();
        gold.dedup();
        let characters: Vec<char> = article.text.chars().collect();
        let around = |span: &(usize, usize)| -> String {
            let from = span.0.saturating_sub(30);
            let to = (span.1 + 30).min(characters.len());
            let part = |a: usize, b: usize| {
                characters[a.min(characters.len())..b.min(characters.len())]
                    .iter()
                    .collect::<String>()
            };
            format!(
                "{}[[{}]]{}",
                part(from, span.0),
                part(span.0, span.1),
                part(span.1, to)
            )
        };
        let counts = SpanCounts {
            right: gold.iter().filter(|span| found.contains(span)).count(),
            wrong: found.iter().filter(|span| !gold.contains(span)).count(),
            missed: gold.iter().filter(|span| !found.contains(span)).count(),
        };
        for span in found.iter().filter(|span| !gold.contains(span)) {
            scores.differences.push((number, "wrong", around(span)));
        }
        for span in gold.iter().filter(|span| !found.contains(span)) {
            scores.differences.push((number, "missed", around(span)));
        }
        scores.micro.right += counts.right;
        scores.micro.wrong += counts.wrong;
        scores.micro.missed += counts.missed;
        sums.0 += counts.or_perfect(SpanCounts::precision);
        sums.1 += counts.or_perfect(SpanCounts::recall);
        sums.2 += counts.or_perfect(SpanCounts::f1);
        scores.by_article.push(counts);
    }
    let texts = articles.len().max(1) as f64;
    scores.macro_mean = (sums.0 / texts, sums.1 / texts, sums.2 / texts);
    scores
}

/// Resolves the key's mentions and compares ids, coordinates and ancestors, with the home of
/// every publisher as it follows from the texts themselves (see [`learn_homes`]).
pub fn score_ids(gazetteer: &Gazetteer, articles: &[Article]) -> IdScores {
    score_ids_with(gazetteer, articles, &learn_homes(gazetteer, articles))
}

/// The home of every publisher, learned from what its articles name. The key is not looked at:
/// each text is tagged and resolved, the second time with what the first time told.
pub fn learn_homes(gazetteer: &Gazetteer, articles: &[Article]) -> HashMap<String, Home> {
    let mut homes: HashMap<String, Home> = HashMap::new();
    for _ in 0..2 {
        let known = std::mem::take(&mut homes);
        for article in articles {
            let Some(site) = &article.domain else {
                continue;
            };
            let reading = Reading {
                site: Some(site.clone()),
                home: known.get(site).cloned(),
                ..Reading::default()
            };
            let mentions = gazetteer.tag(&article.text, &reading);
            let home = homes.entry(site.clone()).or_default();
            home.observe(gazetteer, &mentions);
        }
    }
    homes
}

/// Resolves the key's mentions with these homes; with none, every text stands by itself.
pub fn score_ids_with(
    gazetteer: &Gazetteer,
    articles: &[Article],
    homes: &HashMap<String, Home>,
) -> IdScores {
    let mut scores = IdScores::default();
    for (number, article) in articles.iter().enumerate() {
        let spans: Vec<(usize, usize)> = article
            .places
            .iter()
            .map(|place| (place.start, place.end))
            .collect();
        let reading = Reading {
            site: article.domain.clone(),
            home: article
                .domain
                .as_ref()
                .and_then(|site| homes.get(site))
                .cloned(),
            ..Reading::default()
        };
        let mentions = gazetteer.resolve_spans(&article.text, &spans, &reading);
        let mut counts = ArticleIds::default();
        for gold in article.places.iter().filter(|gold| gold.point.is_some()) {
            counts.mentions += 1;
            let mention = mentions
                .iter()
                .find(|mention| mention.range.start == gold.start && mention.range.end == gold.end);
            let best = mention.and_then(|mention| {
                mention
                    .best()
                    .or(mention.parent_in_text)
                    .or(mention.likely_within)
            });
            let exact = best.is_some_and(|best| same_id(gazetteer, best, gold));
            counts.with_id += usize::from(gold.geonames.is_some());
            counts.exact += usize::from(exact);
            let near = best.and_then(|best| gazetteer.point(best)).zip(gold.point);
            let within =
                exact || near.is_some_and(|(found, wanted)| found.distance_km(wanted) <= 161.0);
            counts.near += usize::from(within);
            let state_of =
                |place: PlaceId| gazetteer.state(place).and_then(|s| gazetteer.geonames(s));
            if let Some(state) = gold.state.filter(|_| gold.country != gold.geonames) {
                counts.with_state += 1;
                counts.with_ancestor += 1;
                let found = best.and_then(state_of);
                let capital = best.is_some_and(|best| gazetteer.geonames(best) == Some(state));
                let right = exact || found == Some(state) || capital;
                counts.state += usize::from(right);
                counts.ancestor += usize::from(right);
                if !right {
                    scores.errors.push((
                        number,
                        format!("STATE {}", gold.words),
                        best.map_or("-".into(), |best| gazetteer.qualified(best)),
                        format!(
                            "{} in {:?}",
                            gold.name,
                            gazetteer
                                .by_geonames(state)
                                .map(|s| gazetteer.name(s).to_owned())
                        ),
                    ));
                }
            }
            if let Some(country) = gold.country {
                let found = best.and_then(|best| gazetteer.country(best));
                let same = found.and_then(|found| gazetteer.geonames(found)) == Some(country);
                counts.with_country += 1;
                counts.country += usize::from(exact || same);
                if gold.state.is_none() || gold.country == gold.geonames {
                    counts.with_ancestor += 1;
                    counts.ancestor += usize::from(exact || same);
                }
            }
            if !exact {
                scores.errors.push((
                    number,
                    gold.words.clone(),
                    best.map_or("-".into(), |best| {
                        format!("{} ({})", gazetteer.qualified(best), gazetteer.kind(best))
                    }),
                    format!("{} {:?}", gold.name, gold.geonames),
                ));
            }
        }
        scores.by_article.push(counts);
    }
    scores
}

/// The same place by id; a city and the county with its boundary are one place with two ids.
fn same_id(gazetteer: &Gazetteer, place: PlaceId, gold: &GoldPlace) -> bool {
    gold.geonames.is_some() && gazetteer.geonames(place) == gold.geonames
}

/// The midpoint of a list, for tables.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Coordinates of the likeliest place of a mention, for accuracy where a corpus has no ids.
pub fn located(gazetteer: &Gazetteer, mention: &Mention) -> Option<GeoPoint> {
    mention
        .best()
        .filter(|place| gazetteer.kind(*place) != Kind::Event)
        .and_then(|place| gazetteer.point(place))
}
