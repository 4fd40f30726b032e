//! Tests many subjects, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use assay_base::error::Result;
use assay_load::process::no_thread;

use super::report::TestReport;
use super::subject::Subject;

/// Progress of the work.
#[derive(Debug)]
pub enum Progress<'r> {
    /// The test of the subject of this index has begun.
    Begun(usize),
    /// The test of the subject of this index is done.
    Done(usize, &'r TestReport),
}

/// Tests each subject with `test`, `jobs` of them at a time, or fewer if no more threads can be started.
/// Calls `progress` whenever a test begins or is done. After an error of `test`, no further test begins.
/// Returns a report for each subject whose test was done, and the first error.
pub fn side_by_side(
    subjects: &[Subject],
    jobs: usize,
    test: &(impl Fn(&Subject) -> Result<TestReport> + Sync),
    mut progress: impl FnMut(Progress<'_>),
) -> (Vec<Option<TestReport>>, Result<()>) {
    let mut reports: Vec<Option<TestReport>> = vec![None; subjects.len()];
    let mut failed = Ok(());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|threads| {
        let mut working = 0;
        for _ in 0..jobs.min(subjects.len()) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&n| n < subjects.len())
                {
                    let _ = sender.send((number, None));
                    let begun = Instant::now();
                    let report = test(&subjects[number]);
                    let report = report.map(|report| TestReport { taken: begun.elapsed(), ..report });
                    if report.is_err() {
                        next.store(subjects.len(), Ordering::Relaxed);
                    }
                    let _ = sender.send((number, Some(report)));
                }
            };
            match thread::Builder::new().spawn_scoped(threads, work) {
                Ok(_) => working += 1,
                Err(error) if working == 0 => failed = Err(no_thread(&error)),
                Err(_) => break,
            }
        }
        drop(sender);
        for message in receiver {
            match message {
                (number, None) => progress(Progress::Begun(number)),
                (number, Some(Ok(report))) => {
                    progress(Progress::Done(number, &report));
                    reports[number] = Some(report);
                }
                (_, Some(Err(error))) => failed = failed.clone().and(Err(error)),
            }
        }
    });
    (reports, failed)
}
