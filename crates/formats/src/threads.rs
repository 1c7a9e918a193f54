//! Work on pieces in several threads; the pieces, not the threads, decide the result.

use crate::error::FormatError;

/// Most threads that one file is read or written with.
const MOST: usize = 8;
/// Values below which a second thread costs more than it saves.
const WORTH_A_THREAD: usize = 1 << 18;

/// How many threads to use for so many values.
pub(crate) fn count(values: usize) -> usize {
    let machine = std::thread::available_parallelism().map_or(1, usize::from);
    machine.min(MOST).min(values / WORTH_A_THREAD).max(1)
}

/// Does the work for each piece, every piece in a thread of its own but the last, which is done
/// here; the first error in the order of pieces is the one that is given back.
pub(crate) fn each<P: Send>(
    pieces: impl Iterator<Item = P>,
    work: impl Fn(P) -> Result<(), FormatError> + Sync,
) -> Result<(), FormatError> {
    let mut pieces: Vec<P> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return Ok(());
    };
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = pieces
            .into_iter()
            .map(|piece| scope.spawn(move || work(piece)))
            .collect();
        let here = work(last);
        for other in others {
            match other.join() {
                Ok(done) => done?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        here
    })
}
