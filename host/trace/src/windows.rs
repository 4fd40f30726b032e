//! Windows of searches that compare no characters one by one: bit-parallel algorithms and automata that read backward.

use crate::attempts::TracedAttempt;

/// Characters after a window that a search may read, because some shift by them.
const AFTER_WINDOW: u64 = 2;

/// Notes the window of each attempt that follows from its first read, if all attempts agree with it.
///
/// The first window is at 0, so its first read shows where in a window a search begins. If that is not the first
/// character, if all windows then lie in the text and move forward, and if all comparisons, reads and occurrences lie
/// where these windows are, then they are those of the search. Searches that read forward from the first character have
/// no window that a record shows: it could be anywhere.
pub(crate) fn derive_windows(attempts: &mut [TracedAttempt], pattern: &[u8], text: &[u8]) {
    let (m, n) = (pattern.len() as u64, text.len() as u64);
    let Some(first) = attempts.first().and_then(|attempt| attempt.reads.first()).copied() else { return };
    if first.at == 0 || first.at.checked_add(first.bytes).is_none_or(|end| end > m) {
        return;
    }
    let windows: Vec<Option<u64>> = attempts
        .iter()
        .map(|attempt| attempt.reads.first().and_then(|read| read.at.checked_sub(first.at)))
        .collect();
    let lie_in_order = windows.iter().flatten().is_sorted_by(|a, b| a < b)
        && windows.iter().flatten().all(|window| window.checked_add(m).is_some_and(|end| end <= n));
    if !lie_in_order {
        return;
    }
    let agrees = |(attempt, window): (&TracedAttempt, &Option<u64>)| match window {
        Some(window) => has_window(attempt, *window, m),
        None => attempt.reads.is_empty() && attempt.occurrences.is_empty(),
    };
    if attempts.iter().zip(&windows).all(agrees) {
        for (attempt, window) in attempts.iter_mut().zip(windows) {
            attempt.window_by_reads = window;
        }
    }
}

/// Whether all that an attempt does lies where a window of `m` characters is.
fn has_window(attempt: &TracedAttempt, window: u64, m: u64) -> bool {
    let end = window + m + AFTER_WINDOW;
    attempt.window.is_none_or(|known| known == window)
        && attempt.occurrences.iter().all(|found| found.at == window)
        && attempt
            .reads
            .iter()
            .all(|read| read.at >= window && read.at.checked_add(read.bytes).is_some_and(|past| past <= end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempts::{ReportedOccurrence, TextRead};

    fn attempt(reads: &[u64], occurrence: Option<u64>) -> TracedAttempt {
        TracedAttempt {
            reads: reads.iter().map(|at| TextRead { at: *at, bytes: 1, event: 0 }).collect(),
            occurrences: occurrence.map(|at| ReportedOccurrence { at, event: 0 }).into_iter().collect(),
            ..TracedAttempt::default()
        }
    }

    fn derived(mut attempts: Vec<TracedAttempt>) -> Vec<Option<u64>> {
        derive_windows(&mut attempts, b"aba", b"xxabaxab");
        attempts.iter().map(|attempt| attempt.window_by_reads).collect()
    }

    #[test]
    fn windows_that_are_read_backward_follow_from_the_first_reads() {
        let search = vec![attempt(&[2, 1], None), attempt(&[4, 3, 2], Some(2)), attempt(&[6, 5], None)];
        assert_eq!(derived(search), [Some(0), Some(2), Some(4)]);
    }

    #[test]
    fn a_search_that_contradicts_the_windows_has_none() {
        let none = [None, None];
        assert_eq!(derived(vec![attempt(&[0], None), attempt(&[1], None)]), none, "it reads forward");
        assert_eq!(
            derived(vec![attempt(&[3], None), attempt(&[4], None)]),
            none,
            "outside of the first window"
        );
        assert_eq!(derived(vec![attempt(&[2], None), attempt(&[2], None)]), none, "it does not move");
        assert_eq!(derived(vec![attempt(&[2], None), attempt(&[8], None)]), none, "beyond the text");
        assert_eq!(
            derived(vec![attempt(&[2], None), attempt(&[4, 0], None)]),
            none,
            "it reads before the window"
        );
        assert_eq!(derived(vec![attempt(&[2], None), attempt(&[4], Some(3))]), none, "another occurrence");
        let compared = TracedAttempt { window: Some(3), ..attempt(&[4], None) };
        assert_eq!(derived(vec![attempt(&[2], None), compared]), none, "another alignment");
    }
}
