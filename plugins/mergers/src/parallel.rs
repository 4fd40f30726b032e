//! Shares work among several processors.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Number of processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Maps items on this number of threads. The results are in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, threads: usize, of: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads < 2 {
        return items.into_iter().map(of).collect();
    }
    let items = Mutex::new(items.into_iter().enumerate());
    let draw = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut made = Vec::new();
        while let Some((number, item)) = draw() {
            made.push((number, of(item)));
        }
        made
    };
    let mut made: Vec<(usize, R)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others
            .into_iter()
            .flat_map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        own.into_iter().chain(others).collect()
    });
    made.sort_unstable_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let expected: Vec<u64> = (0..1000).map(|i| i * i).collect();
        for threads in [0, 1, 3, 2000] {
            assert_eq!(map((0..1000).collect(), threads, |i: u64| i * i), expected);
        }
        assert!(map(Vec::<u64>::new(), 2, |i| i).is_empty());
    }
}
