//! `lahar search`.

use clap::{Args, ValueEnum};
use lahar_core::Hazard;
use lahar_library::{Ranking, SearchRequest};

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::wire::SearchReport;
use crate::workplace::{ConfiguredReranker, Workplace};

/// How passages are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RankingName {
    /// By meaning.
    Dense,
    /// By words.
    Lexical,
    /// By both.
    Fused,
}

impl From<RankingName> for Ranking {
    fn from(name: RankingName) -> Ranking {
        match name {
            RankingName::Dense => Ranking::Dense,
            RankingName::Lexical => Ranking::Lexical,
            RankingName::Fused => Ranking::Fused,
        }
    }
}

/// Find passages, without answering.
#[derive(Debug, Args)]
pub(super) struct Search {
    /// What to look for.
    query: String,
    /// How many passages.
    #[arg(short = 'k', value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Only passages about this hazard.
    #[arg(long, value_name = "H")]
    hazard: Option<String>,
    /// Not implemented yet.
    #[arg(long, value_name = "P")]
    place: Option<String>,
    /// How to rank.
    #[arg(long, value_enum, default_value = "fused")]
    ranking: RankingName,
    /// Leave the passages as the first ranking has them.
    #[arg(long)]
    no_rerank: bool,
}

impl Search {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        if self.place.is_some() {
            return Err(Failure::not_implemented("search by --place"));
        }
        if !self.query.chars().any(char::is_alphanumeric) {
            return Err(Failure::new(Kind::Question, "the query has no words")
                .hint("write what to look for, in words"));
        }
        let hazard = match &self.hazard {
            Some(text) => Some(Hazard::parse(text).ok_or_else(|| {
                Failure::new(Kind::Usage, format!("`{text}` is no hazard label"))
            })?),
            None => None,
        };
        let library = workplace.open_for_reading()?;
        let embedder = match self.ranking {
            RankingName::Lexical => None,
            _ => workplace.embedder_of(&library, output)?,
        };
        let reranker = match self.no_rerank {
            true => ConfiguredReranker::Off,
            false => workplace.reranker()?,
        };
        let request = SearchRequest {
            ranking: self.ranking.into(),
            limit: self.limit.into(),
            hazard,
            ..SearchRequest::new(self.query)
        };
        let ranking = match (request.ranking, &embedder) {
            (Ranking::Fused, None) => Ranking::Lexical,
            (ranking, _) => ranking,
        };
        let hits = library.retrieve(&request, embedder.as_deref(), reranker.reranking())?;
        let text = hits.iter().enumerate().map(|(i, hit)| {
            let page = hit
                .chunk
                .pages
                .map_or(String::new(), |p| format!(", page {}", p.first));
            let number = |name: &str, score: Option<f32>| {
                score.map_or(String::new(), |score| format!("  {name} {score:.3}"))
            };
            let mut rerank = number("rerank", hit.scores.rerank);
            if hit.scores.below_floor {
                rerank.push_str(" (too low to be evidence)");
            }
            format!(
                "{}. {}{page}{}{}{}\n{}\n",
                i + 1,
                hit.title,
                number("meaning", hit.scores.dense),
                number("words", hit.scores.lexical),
                rerank,
                indented(&hit.text)
            )
        });
        let text = text.collect::<Vec<_>>().join("\n");
        let report = SearchReport {
            hits: hits.into_iter().map(Into::into).collect(),
            ranking,
        };
        output.result(&report, || {
            if text.is_empty() {
                "nothing was found".to_owned()
            } else {
                text
            }
        });
        Ok(Done::Well)
    }
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| format!("   {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
