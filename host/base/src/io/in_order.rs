//! Shares work among all processors, and returns the results in the order of the work.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Maps items on all processors, and passes the results to `take` in the order of the items, in this thread.
/// Only a few items are in work at a time, so they need not fit into memory together. After `take` breaks, no
/// further item is started; the results of items in work are still passed on.
pub fn in_order<I, R>(items: I, map: impl Fn(I::Item) -> R + Sync, mut take: impl FnMut(R) -> ControlFlow<()>)
where
    I: Iterator + Send,
    R: Send,
{
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (items, is_over) = (Mutex::new(items.enumerate().fuse()), AtomicBool::new(false));
    let (send, results) = mpsc::sync_channel(threads);
    let draw = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = |send: mpsc::SyncSender<(usize, R)>| {
        while !is_over.load(Ordering::Relaxed)
            && let Some((number, item)) = draw()
            && send.send((number, map(item))).is_ok()
        {}
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            let (work, send) = (&work, send.clone());
            scope.spawn(move || work(send));
        }
        drop(send);
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                next += 1;
                if take(result).is_break() {
                    is_over.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let mut squares = Vec::new();
        // The first items take longest.
        let slow = |i: u64| {
            thread::sleep(std::time::Duration::from_micros(500 / (i + 1)));
            i * i
        };
        in_order(0..100, slow, |square| {
            squares.push(square);
            ControlFlow::Continue(())
        });
        assert_eq!(squares, (0..100).map(|i| i * i).collect::<Vec<_>>());
    }

    #[test]
    fn after_a_break_what_was_drawn_is_handed_on_and_nothing_more() {
        let (mut drawn, mut taken) = (0, Vec::new());
        in_order(
            std::iter::repeat_with(|| {
                drawn += 1;
                drawn
            }),
            |i| i,
            |i| {
                taken.push(i);
                ControlFlow::Break(())
            },
        );
        assert_eq!(taken, (1..=drawn).collect::<Vec<_>>());
    }
}
