//! Windows of a fixed number of tokens (MoRA-RAG, appendix B).

use lahar_core::CharRange;

use super::Piece;
use super::evidence::Evidence;

/// Tokens of its own that a chunk has, and the distance from one chunk to the next.
pub const WINDOW_TOKENS: usize = 200;
/// Tokens taken over from before and from behind.
pub const CONTEXT_TOKENS: usize = 50;

/// Cuts the evidence at every 200th token and gives each part 50 tokens of context on either side.
/// The first part has none before it and the last none behind it, so a document of 200 tokens is
/// one chunk and one of 201 tokens is two.
///
/// Context does not begin or end inside a word: tokens of a divided word at its outer edge are
/// left out.
pub(super) fn cut(evidence: &Evidence<'_>) -> Vec<Piece> {
    let tokens = &evidence.tokens;
    let (Some(first_block), Some(last_block)) = (evidence.blocks.first(), evidence.blocks.last())
    else {
        return Vec::new();
    };
    // The first core begins where the evidence begins and each later one at its first token, so
    // that characters between tokens belong to exactly one core.
    let start_of = |token: usize| match tokens.get(token) {
        _ if token == 0 => first_block.range.start,
        Some(token) => token.range.start,
        None => last_block.range.end,
    };
    let mut pieces = Vec::with_capacity(tokens.len().div_ceil(WINDOW_TOKENS));
    for core_first in (0..tokens.len()).step_by(WINDOW_TOKENS) {
        let core_end = (core_first + WINDOW_TOKENS).min(tokens.len());
        let core_range = CharRange::new(start_of(core_first), start_of(core_end));
        let core = evidence.spans(core_range);
        let Some(first_own) = core.first().map(|span| span.start) else {
            continue;
        };
        let first = context_start(evidence, core_first);
        let end = context_end(evidence, core_end);
        let range = CharRange::new(
            start_of(first),
            if end == tokens.len() {
                last_block.range.end
            } else {
                tokens[end - 1].range.end.max(core_range.end)
            },
        );
        let spans = evidence.spans(range);
        pieces.push(Piece {
            pages: evidence.pages_of(&spans),
            section: evidence.section_at(first_own),
            table_header: spans
                .first()
                .and_then(|span| evidence.table_header_at(span.start)),
            core,
            spans,
        });
    }
    pieces
}

fn context_start(evidence: &Evidence<'_>, core_first: usize) -> usize {
    let widest = core_first.saturating_sub(CONTEXT_TOKENS);
    (widest..core_first)
        .find(|&token| !evidence.inside_word(evidence.tokens[token].range.start))
        .unwrap_or(widest)
}

fn context_end(evidence: &Evidence<'_>, core_end: usize) -> usize {
    let widest = (core_end + CONTEXT_TOKENS).min(evidence.tokens.len());
    (core_end + 1..=widest)
        .rev()
        .find(|&end| !evidence.inside_word(evidence.tokens[end - 1].range.end))
        .unwrap_or(widest)
}
