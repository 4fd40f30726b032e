//! Campaigns with workers that answer from a script.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::experiment::definition::{Experiment, Order};
use crate::experiment::patterns::{PatternSet, PatternSource};
use crate::experiment::selection::Chosen;
use crate::experiment::text::Text;
use crate::measure::worker::Batch;
use crate::plugin::{Kind, listing};
use crate::results::{Cost, Measured};

const RUNS: usize = 10;

/// A plan in which the pattern of every repetition occurs once.
fn plan(algorithms: usize) -> Plan {
    let chosen = |algorithm: usize| Chosen {
        id: format!("a{algorithm}"),
        listing: listing(Kind::Algorithm, &format!("a{algorithm}"), "", ""),
    };
    let set = |length| PatternSet { length, source: PatternSource::Drawn(vec![0; RUNS]) };
    Plan {
        experiment: Experiment { runs: RUNS, order: Order::Sequential, ..Experiment::default() },
        seed: 1,
        algorithms: (0..algorithms).map(chosen).collect(),
        text: Text { bytes: b"abcd".to_vec(), sources: Vec::new() },
        sets: vec![set(2), set(3)],
        expected: vec![vec![1; RUNS]; 2],
        counters: Vec::new(),
        cpu: None,
    }
}

/// What was asked of the workers: index of the algorithm, and the first repetition with the pattern length, or its end.
type Log = Rc<RefCell<Vec<(usize, Option<(usize, usize)>)>>>;

/// Answers from a script.
struct Scripted<F> {
    algorithm: usize,
    log: Log,
    answer: F,
}

impl<F: Fn(usize, &Batch) -> BatchResult> Worker for Scripted<F> {
    fn measure(&mut self, batch: &Batch, _: &AtomicBool) -> BatchResult {
        self.log.borrow_mut().push((self.algorithm, Some((batch.first, batch.length))));
        (self.answer)(self.algorithm, batch)
    }

    fn end(&mut self) {
        self.log.borrow_mut().push((self.algorithm, None));
    }
}

fn row(occurrences: u64, search_ns: u64) -> Row {
    let cost = |ns| Cost { ns, counts: Vec::new() };
    Row { occurrences, calls: [cost(0), cost(search_ns)], measured: None }
}

/// Right answers to a batch.
fn right(batch: &Batch) -> BatchResult {
    BatchResult { rows: vec![row(1, 5); batch.patterns.len()], ended: None, ended_in: None, noise: None }
}

/// Measures a plan with scripted workers. Returns what they were asked, too.
fn campaign(
    plan: &Plan,
    journal: Journal,
    answer: impl Fn(usize, &Batch) -> BatchResult + Copy + 'static,
) -> (Outcomes, Result<()>, Log) {
    let log = Log::default();
    let worker =
        |algorithm| -> Box<dyn Worker> { Box::new(Scripted { algorithm, log: log.clone(), answer }) };
    let mut workers =
        |_: &SharedText, _: &mut Placement| Ok((0..plan.algorithms.len()).map(worker).collect());
    let (outcomes, written) = measure(plan, &mut workers, journal, &AtomicBool::new(false), |_| {});
    (outcomes, written, log)
}

/// The one cell of a plan whose first batch gets this answer.
fn judged(rows: Vec<Row>, ended: Option<Ended>) -> Cell {
    let mut cell = Cell::default();
    let block = Block { round: 0, algorithm: 0, set: 0, repetitions: 7..10 };
    let result = BatchResult { rows, ended, ended_in: None, noise: None };
    judge(&mut cell, &block, result, &Rules::of(&plan(1), 0));
    cell
}

#[test]
fn a_worker_ends_after_its_last_block() {
    let (outcomes, written, log) = campaign(&plan(2), Journal::none(), |_, batch| right(batch));
    assert!(written.is_ok() && !outcomes.interrupted);
    assert!(outcomes.cells.iter().flatten().all(|cell| cell.rows.len() == RUNS));
    let first = [(0, Some((0, 2))), (0, Some((0, 3))), (0, None)];
    let second = [(1, Some((0, 2))), (1, Some((0, 3))), (1, None)];
    assert_eq!(*log.borrow(), [first, second].concat());
}

#[test]
fn a_damaged_worker_is_replaced_and_the_others_go_on() {
    let (outcomes, _, log) = campaign(&plan(2), Journal::none(), |algorithm, batch| {
        let mut result = right(batch);
        if algorithm == 0 && batch.length == 2 {
            result.rows.truncate(4);
        }
        result
    });
    let cell = &outcomes.cells[0][0];
    assert_eq!((cell.status, cell.rows.len()), (Status::Crashed, 4));
    let message = "4 repetitions came of 10: the memory of its worker may be damaged";
    assert_eq!(cell.message.as_deref(), Some(message));
    assert_eq!(log.borrow()[..3], [(0, Some((0, 2))), (0, None), (0, Some((0, 3)))]);
    for cell in [&outcomes.cells[0][1], &outcomes.cells[1][0], &outcomes.cells[1][1]] {
        assert_eq!((cell.status, cell.rows.len()), (Status::Ok, RUNS));
    }
}

#[test]
fn a_failed_cell_is_not_measured_further_and_its_end_is_in_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(1);
    (plan.experiment.order, plan.experiment.rounds) = (Order::Interleaved, 5);
    let journal = Journal::create(folder.path(), &plan).unwrap();
    let (_, written, log) = campaign(&plan, journal, |_, batch| {
        let mut result = right(batch);
        if batch.length == 2 && batch.first == 2 {
            result.rows[1].occurrences = 9;
        }
        result
    });
    assert!(written.is_ok());
    let of_set =
        |length| log.borrow().iter().flat_map(|entry| entry.1).filter(|asked| asked.1 == length).count();
    assert_eq!((of_set(2), of_set(3)), (2, 5), "five rounds of two repetitions");
    let journal = std::fs::read_to_string(folder.path().join("measurements.csv")).unwrap();
    let rows: Vec<&str> = journal.lines().filter(|line| line.starts_with("a0,2,")).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((rows[2], rows[3]), ("a0,2,2,ok,1,1,0,5,5", "a0,2,3,wrong,1,,,,"));
}

#[test]
fn a_journal_that_cannot_be_written_ends_the_campaign_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("measurements.csv")).unwrap();
    let plan = plan(2);
    let journal = Journal::create(folder.path(), &plan).unwrap();
    let (outcomes, written, log) = campaign(&plan, journal, |_, batch| right(batch));
    let error = written.unwrap_err().to_string();
    assert!(error.contains("measurements.csv") && error.contains("No space left"), "{error}");
    assert_eq!(log.borrow().len(), 1, "nothing is measured after it");
    assert!(outcomes.interrupted && outcomes.cells[0][0].rows.len() == RUNS);
}

#[test]
fn a_wrong_count_ends_a_cell_and_does_not_enter_it() {
    let cell = judged(vec![row(1, 5), row(2, 5), row(1, 5)], None);
    assert_eq!((cell.status, cell.rows.len()), (Status::Wrong, 1));
    assert_eq!(cell.message.as_deref(), Some("repetition 8 found 2 occurrences; there are 1"));
}

#[test]
fn a_search_over_the_limit_does_not_enter_even_if_it_ended_by_itself() {
    let cell = judged(vec![row(1, 400_000_000)], None);
    assert_eq!((cell.status, cell.rows.len()), (Status::TimedOut, 0));
    assert_eq!(judged(vec![row(1, u64::MAX)], None).status, Status::TimedOut);
}

#[test]
fn rows_that_nobody_asked_for_are_a_sign_of_damage() {
    let mut counted = row(1, 5);
    counted.calls[0].counts.push(None);
    let measured = Row { measured: Some(Box::new(Measured::default())), ..row(1, 5) };
    for odd in [counted, measured] {
        let cell = judged(vec![row(1, 5), odd, row(1, 5)], None);
        assert_eq!((cell.status, cell.rows.len()), (Status::Crashed, 1));
        assert!(cell.message.unwrap().starts_with("repetition 8 has other figures"));
    }
    assert_eq!(judged(vec![row(1, 5); 4], None).status, Status::Crashed);
    assert_eq!(judged(vec![row(1, 5); 2], None).status, Status::Crashed);
}

#[test]
fn what_was_measured_before_a_fault_is_kept() {
    let cell = judged(vec![row(1, 5)], Some(Ended::Crashed("x".into())));
    assert_eq!((cell.status, cell.rows.as_slice()), (Status::Crashed, &[(7, row(1, 5))][..]));
    let cell = judged(vec![row(1, 5)], Some(Ended::Interrupted));
    assert_eq!((cell.status, cell.rows.len()), (Status::Ok, 1));
}

#[test]
fn a_lost_worker_ends_its_cell_in_the_repetition_that_it_was_in() {
    let block = Block { round: 0, algorithm: 0, set: 0, repetitions: 0..10 };
    let ended_in = |rows, ended_in| {
        let result = BatchResult { rows, ended: Some(Ended::Crashed("x".into())), ended_in, noise: None };
        judge(&mut Cell::default(), &block, result, &Rules::of(&plan(1), 0))
    };
    // The rows of repetitions 3 and 4 were lost with it.
    assert_eq!(ended_in(vec![row(1, 5); 3], Some(5)), Some(5));
    assert_eq!(ended_in(vec![row(1, 5); 3], None), Some(3));
    assert_eq!(ended_in(vec![row(1, 5); 3], Some(1000)), Some(3), "there is no such repetition");
    assert_eq!(ended_in(vec![row(1, 5), row(9, 5)], Some(5)), Some(1), "a wrong count came first");
}
