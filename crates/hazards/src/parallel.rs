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

/// Changes a slice row by row and gathers what `work` says of each row, in order.
pub(crate) fn rows<T: Send>(
    values: &mut [f64],
    columns: usize,
    threads: usize,
    work: impl Fn(usize, &mut [f64]) -> T + Sync,
) -> Vec<T> {
    let count = values.len() / columns;
    let share = count.div_ceil(threads.max(1)).max(1);
    let band = |first: usize, rows: &mut [f64]| {
        let rows = rows.chunks_mut(columns).enumerate();
        rows.map(|(at, row)| work(first + at, row))
            .collect::<Vec<T>>()
    };
    if threads <= 1 {
        return band(0, values);
    }
    let band = &band;
    std::thread::scope(|scope| {
        let bands = values.chunks_mut(share * columns).enumerate();
        let parts: Vec<_> = bands
            .map(|(at, rows)| scope.spawn(move || band(at * share, rows)))
            .collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, Vec<T>>| match part.join() {
            Ok(values) => values,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        parts.into_iter().flat_map(join).collect()
    })
}

/// Works on each item in a thread of its own, the first in this one; what comes of them in order.
pub(crate) fn each<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let work = &work;
    let mut items = items.into_iter();
    let Some(first) = items.next() else {
        return Vec::new();
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, T>| match part.join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        let first = work(first);
        std::iter::once(first)
            .chain(others.into_iter().map(join))
            .collect()
    })
}

/// Changes slices of equal shape in bands of rows, and gathers what `work` says of each band, in
/// order. It gets the band's first row.
pub(crate) fn bands<const COUNT: usize, T: Send>(
    values: [&mut [f64]; COUNT],
    columns: usize,
    threads: usize,
    work: impl Fn(usize, [&mut [f64]; COUNT]) -> T + Sync,
) -> Vec<T> {
    let rows = values.first().map_or(0, |values| values.len() / columns);
    let share = rows.div_ceil(threads.max(1)).max(1);
    if threads <= 1 {
        return vec![work(0, values)];
    }
    let work = &work;
    let mut left = values;
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..rows)
            .step_by(share)
            .map(|first| {
                let band = left.each_mut().map(|left| {
                    let all = std::mem::take(left);
                    let (band, rest) = all.split_at_mut(all.len().min(share * columns));
                    *left = rest;
                    band
                });
                scope.spawn(move || work(first, band))
            })
            .collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, T>| match part.join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        parts.into_iter().map(join).collect()
    })
}
