//! Work on equal pieces in several threads; the pieces, not the threads, decide the result.

use pulp::{Arch, WithSimd};

/// Computes a value for each index, in order.
pub(crate) fn map<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.clamp(1, count.max(1));
    if threads == 1 {
        return (0..count).map(work).collect();
    }
    let share = count.div_ceil(threads);
    let work = &work;
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                let range = part * share..((part + 1) * share).min(count);
                scope.spawn(move || range.map(work).collect::<Vec<T>>())
            })
            .collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, Vec<T>>| match part.join() {
            Ok(values) => values,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        parts.into_iter().flat_map(join).collect()
    })
}

/// Fills two slices of equal length piece by piece: `kernel` gets the place of the first cell and
/// the pieces of both, and what it gives is compiled once for each vector width and runs in the
/// widest that the machine has.
pub(crate) fn fill_pair<'a, K: WithSimd<Output = ()>>(
    first: &'a mut [f64],
    second: &'a mut [f64],
    threads: usize,
    kernel: impl Fn(usize, &'a mut [f64], &'a mut [f64]) -> K + Sync,
) {
    let share = first.len().div_ceil(threads.max(1)).max(1);
    let widest = Arch::new();
    if threads <= 1 {
        widest.dispatch(kernel(0, first, second));
        return;
    }
    let kernel = &kernel;
    std::thread::scope(|scope| {
        let pieces = first.chunks_mut(share).zip(second.chunks_mut(share));
        for (at, (first, second)) in pieces.enumerate() {
            scope.spawn(move || widest.dispatch(kernel(at * share, first, second)));
        }
    });
}
