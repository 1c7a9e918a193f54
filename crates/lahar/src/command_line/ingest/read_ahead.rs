//! Reading documents on several threads ahead of the one that stores them.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How far readers may run ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Threads that read.
    pub readers: usize,
    /// Results that may be in the making or wait, beside the one that is being taken.
    pub ahead: usize,
    /// Weight of the waiting results above which none but the next one is begun.
    pub weight: usize,
}

impl Bounds {
    /// As many readers as the machine has cores, at most four, and 64 MB of text that waits.
    pub fn of_this_machine() -> Bounds {
        let readers = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = readers.min(4);
        Bounds {
            readers,
            ahead: readers + 2,
            weight: 64 << 20,
        }
    }
}

/// What readers and taker share.
struct State<T> {
    /// The next one to be read.
    next: usize,
    /// The next one to be taken.
    wanted: usize,
    waiting: BTreeMap<usize, T>,
    weight: usize,
    stopped: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<T>>) -> MutexGuard<'g, State<T>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work of all when one of them ends, be it by a panic.
struct StopAtEnd<'s, T>(&'s Shared<T>);

impl<T> Drop for StopAtEnd<'_, T> {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.changed.notify_all();
    }
}

/// Calls `read` for 0 to `count` on several threads, and `take` with each result on this one, in
/// order. The first error of `take` ends the work.
pub(super) fn read_ahead<T: Send, E>(
    count: usize,
    bounds: Bounds,
    read: impl Fn(usize) -> T + Sync,
    weigh: impl Fn(&T) -> usize + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let shared = Shared {
        state: Mutex::new(State {
            next: 0,
            wanted: 0,
            waiting: BTreeMap::new(),
            weight: 0,
            stopped: false,
        }),
        changed: Condvar::new(),
    };
    let reader = || {
        while let Some(at) = next(&shared, count, bounds) {
            // A reader that panics must not leave the taker waiting.
            let stop = StopAtEnd(&shared);
            let result = read(at);
            std::mem::forget(stop);
            let mut state = shared.lock();
            state.weight = state.weight.saturating_add(weigh(&result));
            state.waiting.insert(at, result);
            shared.changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        let _stop = StopAtEnd(&shared);
        for _ in 0..bounds.readers.clamp(1, count.max(1)) {
            scope.spawn(reader);
        }
        for at in 0..count {
            let mut state = shared.lock();
            let result = loop {
                if let Some(result) = state.waiting.remove(&at) {
                    break result;
                }
                if state.stopped {
                    return Ok(());
                }
                state = shared.wait(state);
            };
            state.weight = state.weight.saturating_sub(weigh(&result));
            state.wanted = at + 1;
            drop(state);
            shared.changed.notify_all();
            take(at, result)?;
        }
        Ok(())
    })
}

/// The next one to read, once there is room for it; `None` when there is nothing left to do.
fn next<T>(shared: &Shared<T>, count: usize, bounds: Bounds) -> Option<usize> {
    let mut state = shared.lock();
    loop {
        if state.stopped || state.next >= count {
            return None;
        }
        let is_wanted = state.next == state.wanted;
        let in_reach = state.next <= state.wanted + bounds.ahead;
        if is_wanted || (in_reach && state.weight < bounds.weight) {
            state.next += 1;
            return Some(state.next - 1);
        }
        state = shared.wait(state);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    const BOUNDS: Bounds = Bounds {
        readers: 3,
        ahead: 2,
        weight: 100,
    };

    #[test]
    fn results_come_in_order_and_readers_stay_within_reach() {
        let taken = AtomicUsize::new(0);
        let mut seen = Vec::new();
        let read = |at: usize| {
            let taken = taken.load(Ordering::SeqCst);
            assert!(at <= taken + BOUNDS.ahead + 1, "{at} with {taken} taken");
            // Later ones are ready first.
            std::thread::sleep(Duration::from_millis(if at.is_multiple_of(3) {
                5
            } else {
                0
            }));
            at * 10
        };
        let take = |at, result| {
            seen.push((at, result));
            taken.store(at + 1, Ordering::SeqCst);
            Ok::<(), ()>(())
        };
        read_ahead(40, BOUNDS, read, |_| 1, take).unwrap();
        let expected: Vec<(usize, usize)> = (0..40).map(|at| (at, at * 10)).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn heavy_results_are_read_one_by_one() {
        let (alive, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let read = |_| {
            let now = alive.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
        };
        let take = |_, ()| {
            std::thread::sleep(Duration::from_millis(2));
            alive.fetch_sub(1, Ordering::SeqCst);
            Ok::<(), ()>(())
        };
        // The first three begin before any has shown its weight.
        read_ahead(20, BOUNDS, read, |()| 1000, take).unwrap();
        assert!(most.load(Ordering::SeqCst) <= BOUNDS.readers + 1);
    }

    #[test]
    fn an_error_ends_the_work() {
        let read = AtomicUsize::new(0);
        let result = read_ahead(
            1000,
            BOUNDS,
            |_| read.fetch_add(1, Ordering::SeqCst),
            |_| 1,
            |at, _| if at == 5 { Err("full") } else { Ok(()) },
        );
        assert_eq!(result, Err("full"));
        assert!(read.load(Ordering::SeqCst) <= 10);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_reader_is_not_waited_for() {
        let read = |at| assert!(at < 3, "broken");
        let _ = read_ahead(9, BOUNDS, read, |()| 1, |_, ()| Ok::<(), ()>(()));
    }
}
