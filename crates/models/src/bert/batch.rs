//! Many texts through one encoder: batches of like lengths, shared between threads.

use std::cmp::Reverse;
use std::sync::Mutex;

use super::encoder::{Encoder, HiddenStates, Scratch, Sequence};
use super::parallel;

/// Tokens that one thread takes through the layers together. Enough to keep the kernels busy;
/// the memory of a thread grows with it (8 kB a token for a hidden size of 384).
const BATCH_TOKENS: usize = 1536;

/// An encoder with its threads and their memory.
pub(crate) struct BatchEncoder {
    encoder: Encoder,
    threads: usize,
    /// Memory of threads that are not computing at the moment.
    scratches: Mutex<Vec<Scratch>>,
}

impl BatchEncoder {
    /// An encoder that computes with as many threads as are asked for, else with as many as the
    /// machine has cores.
    pub(crate) fn new(encoder: Encoder, threads: Option<usize>) -> BatchEncoder {
        let threads = match threads {
            Some(threads) => threads.max(1),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        BatchEncoder {
            encoder,
            threads,
            scratches: Mutex::default(),
        }
    }

    /// Threads that compute.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// What `take` makes of each sequence's hidden states, in order of the sequences. `take` gets
    /// the states of a batch, the sequence's number in it and its number in `sequences`.
    pub(crate) fn run<R: Send>(
        &self,
        sequences: &[Sequence],
        take: impl Fn(&HiddenStates<'_>, usize, usize) -> R + Sync,
    ) -> Vec<R> {
        let batches = batches(sequences, self.threads);
        let results = parallel::map(self.threads, &batches, |batch| {
            let mut scratch = self.take_scratch();
            let members: Vec<&Sequence> = batch.iter().map(|&i| &sequences[i]).collect();
            let states = self.encoder.encode(&members, &mut scratch);
            let results: Vec<R> = batch
                .iter()
                .enumerate()
                .map(|(member, &i)| take(&states, member, i))
                .collect();
            self.return_scratch(scratch);
            results
        });
        let numbers = batches.into_iter().flatten();
        let mut numbered: Vec<(usize, R)> = numbers.zip(results.into_iter().flatten()).collect();
        numbered.sort_by_key(|(number, _)| *number);
        numbered.into_iter().map(|(_, result)| result).collect()
    }

    fn take_scratch(&self) -> Scratch {
        let mut scratches = self.scratches.lock().unwrap_or_else(|e| e.into_inner());
        scratches.pop().unwrap_or_default()
    }

    fn return_scratch(&self, scratch: Scratch) {
        let mut scratches = self.scratches.lock().unwrap_or_else(|e| e.into_inner());
        if scratches.len() < self.threads {
            scratches.push(scratch);
        }
    }
}

/// Cuts texts into batches of at most [`BATCH_TOKENS`] tokens (one longer text is a batch by
/// itself), the longest texts first so that no thread is left with a long one at the end.
fn batches(sequences: &[Sequence], threads: usize) -> Vec<Vec<usize>> {
    let length = |i: usize| sequences[i].ids.len();
    let total: usize = (0..sequences.len()).map(length).sum();
    let budget = total.div_ceil(threads).clamp(1, BATCH_TOKENS);
    let mut order: Vec<usize> = (0..sequences.len()).collect();
    order.sort_by_key(|&i| Reverse(length(i)));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for i in order {
        match batches.last_mut() {
            Some(batch) if length(i) <= room => batch.push(i),
            _ => {
                batches.push(vec![i]);
                room = budget;
            }
        }
        room = room.saturating_sub(length(i));
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_every_text_once_within_the_budget() {
        let lengths = [3, 900, 900, 5, 256, 256, 256, 2000, 1, 700];
        let sequences: Vec<Sequence> = lengths
            .iter()
            .map(|&n| Sequence {
                ids: vec![0; n],
                types: vec![0; n],
            })
            .collect();
        for threads in [1, 2, 7] {
            let batches = batches(&sequences, threads);
            let mut seen: Vec<usize> = batches.concat();
            seen.sort();
            assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                let tokens: usize = batch.iter().map(|&i| lengths[i]).sum();
                assert!(tokens <= BATCH_TOKENS || batch.len() == 1, "{tokens}");
            }
        }
        assert!(batches(&[], 2).is_empty());
    }
}
