//! In which chunks a term stands and how often, in blocks of bytes.
//!
//! A block belongs to a term and begins at a chunk whose number is kept beside it. Its bytes are
//! unsigned LEB128 numbers: how many chunks, how far the last is from the first, the most
//! occurrences in one chunk, the fewest words of one chunk; then for each chunk its distance from
//! the one before, doubled, plus one when the term stands in it more than once, and in that case
//! how often.

/// Bytes from which a block is full and the next chunk begins another.
const FULL: usize = 2000;

/// What the beginning of a block says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Chunks in the block.
    pub count: u32,
    /// The last one's distance from the first.
    pub span: u32,
    /// Most occurrences of the term in one of them.
    pub most: u32,
    /// Fewest words of one of them.
    pub shortest: u32,
}

/// A chunk and how often a term stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    pub chunk: u32,
    pub occurrences: u32,
}

/// A posting with its chunk's number of words, as a block takes it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counted {
    pub posting: Posting,
    pub words: u32,
}

/// A block with its first chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub first: u32,
    pub bytes: Vec<u8>,
}

impl Block {
    /// What the block's beginning says, and the bytes behind it; `None` for torn bytes.
    pub fn summary(&self) -> Option<(Summary, &[u8])> {
        let (count, rest) = number(&self.bytes)?;
        let (span, rest) = number(rest)?;
        let (most, rest) = number(rest)?;
        let (shortest, rest) = number(rest)?;
        let summary = Summary {
            count,
            span,
            most,
            shortest,
        };
        Some((summary, rest))
    }

    /// The postings; fewer than there were where bytes are torn.
    pub fn postings(&self) -> Postings<'_> {
        let bytes = self.summary().map_or(&[][..], |(_, rest)| rest);
        Postings {
            chunk: self.first,
            bytes,
        }
    }
}

/// Goes through the postings of a block.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'b> {
    chunk: u32,
    bytes: &'b [u8],
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        let (step, rest) = number(self.bytes)?;
        self.bytes = rest;
        self.chunk = self.chunk.wrapping_add(step >> 1);
        let mut occurrences = 1;
        if step & 1 == 1 {
            let (often, rest) = number(self.bytes)?;
            self.bytes = rest;
            occurrences = often;
        }
        Some(Posting {
            chunk: self.chunk,
            occurrences,
        })
    }
}

/// Puts postings, ascending and all behind the block's last, into it, and what it has no room for
/// into further blocks.
pub(crate) fn append(last: Option<Block>, new: &[Counted]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open = last.and_then(Open::of);
    for counted in new {
        let block = match open.take() {
            Some(open) if open.body.len() < FULL => open,
            full => {
                blocks.extend(full.map(Open::closed));
                Open::at(counted.posting.chunk)
            }
        };
        open = Some(block.with(counted));
    }
    blocks.extend(open.map(Open::closed));
    blocks
}

/// A block that can take more.
struct Open {
    first: u32,
    summary: Summary,
    body: Vec<u8>,
}

impl Open {
    fn at(first: u32) -> Open {
        Open {
            first,
            summary: Summary {
                count: 0,
                span: 0,
                most: 0,
                shortest: u32::MAX,
            },
            body: Vec::new(),
        }
    }

    fn of(block: Block) -> Option<Open> {
        let (summary, body) = block.summary()?;
        Some(Open {
            first: block.first,
            summary,
            body: body.to_vec(),
        })
    }

    fn with(mut self, counted: &Counted) -> Open {
        let Counted { posting, words } = *counted;
        let summary = &mut self.summary;
        let distance = (posting.chunk - self.first) - summary.span;
        let often = posting.occurrences > 1;
        push(&mut self.body, distance << 1 | u32::from(often));
        if often {
            push(&mut self.body, posting.occurrences);
        }
        summary.count += 1;
        summary.span += distance;
        summary.most = summary.most.max(posting.occurrences);
        summary.shortest = summary.shortest.min(words);
        self
    }

    fn closed(self) -> Block {
        let mut bytes = Vec::with_capacity(self.body.len() + 12);
        let Summary {
            count,
            span,
            most,
            shortest,
        } = self.summary;
        for value in [count, span, most, shortest] {
            push(&mut bytes, value);
        }
        bytes.extend_from_slice(&self.body);
        Block {
            first: self.first,
            bytes,
        }
    }
}

/// Reads a number; `None` at the end, or where it does not end.
#[inline]
fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        return Some((u32::from(first), rest));
    }
    long_number(first, rest)
}

#[inline]
fn long_number(first: u8, mut rest: &[u8]) -> Option<(u32, &[u8])> {
    let mut value = u32::from(first & 0x7f);
    for shift in [7, 14, 21, 28] {
        let (&byte, behind) = rest.split_first()?;
        rest = behind;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some((value, rest));
        }
    }
    None
}

fn push(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Numbers in a row, as [`push_numbers`] wrote them.
pub(crate) fn numbers(mut bytes: &[u8]) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let (value, rest) = number(bytes)?;
        bytes = rest;
        Some(value)
    })
}

/// Numbers in a row as bytes.
pub(crate) fn push_numbers(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    values.into_iter().for_each(|value| push(&mut bytes, value));
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counted(chunks: &[(u32, u32)]) -> Vec<Counted> {
        let mut chunk = 0u32;
        let counted = chunks.iter().map(|(distance, occurrences)| {
            chunk += distance;
            Counted {
                posting: Posting {
                    chunk,
                    occurrences: *occurrences,
                },
                words: chunk % 50 + 1,
            }
        });
        counted.collect()
    }

    proptest! {
        #[test]
        fn what_goes_in_comes_out_however_it_was_parted(
            chunks in prop::collection::vec((1u32..500_000, 1u32..300), 1..3000),
            parts in 1usize..9,
        ) {
            let all = counted(&chunks);
            let mut blocks: Vec<Block> = Vec::new();
            for part in all.chunks(all.len().div_ceil(parts)) {
                let last = blocks.pop();
                blocks.extend(append(last, part));
            }
            let back: Vec<Posting> = blocks.iter().flat_map(Block::postings).collect();
            let expected: Vec<Posting> = all.iter().map(|c| c.posting).collect();
            prop_assert_eq!(back, expected);
            let count: u32 = blocks.iter().map(|b| b.summary().unwrap().0.count).sum();
            prop_assert_eq!(count as usize, all.len());
            for block in &blocks {
                let (summary, _) = block.summary().unwrap();
                let postings: Vec<Posting> = block.postings().collect();
                prop_assert_eq!(postings[0].chunk, block.first);
                prop_assert_eq!(postings.last().unwrap().chunk - block.first, summary.span);
                let most = postings.iter().map(|p| p.occurrences).max().unwrap();
                prop_assert_eq!(summary.most, most);
            }
        }

        #[test]
        fn torn_bytes_give_fewer_postings_and_no_panic(bytes in any::<Vec<u8>>(), first in any::<u32>()) {
            let block = Block { first, bytes };
            prop_assert!(block.postings().count() <= block.bytes.len());
            prop_assert!(numbers(&block.bytes).count() <= block.bytes.len());
        }
    }
}
