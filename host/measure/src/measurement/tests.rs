//! Measurements with workers that answer from a script.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_experiment::rounds::Rounds;
use assay_experiment::testing;
use assay_store::blocks::Blocks;
use assay_store::noise::BlockNoise;
use assay_store::{Cost, Measured, Row, Start, StartTimes};

use super::*;
use crate::worker::{BatchResult, Worker};

const RUNS: usize = 10;

fn resolved(algorithms: usize) -> Resolved {
    testing::example(algorithms, RUNS)
}

/// The requests to the workers: index of the algorithm, and the first repetition with the pattern length,
/// or its end.
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

    fn leave_out(&mut self, _: usize) {}

    fn end(&mut self) {
        self.log.borrow_mut().push((self.algorithm, None));
    }
}

fn row(occurrences: u64, search_ns: u64) -> Row {
    let cost = |ns| Cost { ns, counts: Vec::new() };
    Row { occurrences, calls: [cost(0), cost(search_ns)], ..Row::default() }
}

/// Right answers to a batch.
fn right(batch: &Batch) -> BatchResult {
    BatchResult { rows: vec![row(1, 5); batch.patterns.len()], ..BatchResult::default() }
}

/// Measures with scripted workers. Also returns the requests to them.
fn measurement<'a>(
    resolved: &'a Resolved,
    journal: &mut Journal,
    answer: impl Fn(usize, &Batch) -> BatchResult + Copy + 'static,
) -> (Outcomes<'a>, Log) {
    measurement_after(EarlierParts::default(), resolved, journal, answer)
}

/// Measures what these earlier parts have left.
fn measurement_after<'a>(
    earlier: EarlierParts,
    resolved: &'a Resolved,
    journal: &mut Journal,
    answer: impl Fn(usize, &Batch) -> BatchResult + Copy + 'static,
) -> (Outcomes<'a>, Log) {
    let log = Log::default();
    let worker =
        |algorithm| -> Box<dyn Worker> { Box::new(Scripted { algorithm, log: log.clone(), answer }) };
    let mut pools = |_, _: &TextGroup| Ok(Pool::new((0..resolved.algorithms.len()).map(worker).collect()));
    let measurement = Measurement { resolved };
    (
        measurement.measure(
            earlier,
            &mut ReferenceCounts::new(resolved),
            &mut pools,
            journal,
            &AtomicBool::new(false),
            |_| {},
        ),
        log,
    )
}

/// Status and message of a cell, and its rows.
type Judged = (Status, Option<String>, Vec<Row>);

/// What becomes of the one cell whose first batch gets this answer.
fn judged(rows: Vec<Row>, ended: Option<Ended>) -> Judged {
    let resolved = resolved(1);
    let mut cell = Cell::new(&resolved.algorithms[0], &resolved.points[0]);
    let block = Block { round: 0, algorithm: 0, point: 0, repetitions: 7..10 };
    let mut counts = ReferenceCounts::new(&resolved);
    // Each pattern occurs once.
    assert!(counts.count(0, 0..RUNS, &AtomicBool::new(false), || {}));
    let rules = RowRules::new(&resolved, 0, &counts);
    let result = BatchResult { rows, ended, ..BatchResult::default() };
    let (rows, _) = check_rows(&mut cell, &block, result, &rules);
    let message = cell.ended.as_ref().and_then(Ended::message).map(str::to_owned);
    (cell.status(), message, rows)
}

#[test]
fn a_worker_ends_after_its_last_block() {
    let resolved = resolved(2);
    let (outcomes, log) =
        measurement(&resolved, &mut Journal::temporary(&resolved).unwrap(), |_, batch| right(batch));
    assert!(outcomes.written.is_ok() && !outcomes.interrupted);
    assert!(outcomes.cells.iter().all(|cell| cell.rows.len() == RUNS));
    let first = [(0, Some((0, 2))), (0, Some((0, 3))), (0, None)];
    let second = [(1, Some((0, 2))), (1, Some((0, 3))), (1, None)];
    assert_eq!(*log.borrow(), [first, second].concat());
}

#[test]
fn a_worker_ends_after_its_last_block_of_each_round() {
    let resolved = resolved(2).in_rounds(RUNS, 5);
    let mut journal = Journal::temporary(&resolved).unwrap();
    let (outcomes, log) = measurement(&resolved, &mut journal, |_, batch| right(batch));
    assert!(outcomes.cells.iter().all(|cell| cell.rows.len() == RUNS));
    for algorithm in 0..2 {
        let log: Vec<_> = log.borrow().iter().filter(|(other, _)| *other == algorithm).cloned().collect();
        let asked: Vec<bool> = log.iter().map(|(_, asked)| asked.is_some()).collect();
        assert_eq!(asked, [true, true, false].repeat(5), "two lengths in each of five rounds");
    }
}

#[test]
fn a_damaged_worker_is_replaced_and_the_others_go_on() {
    let resolved = resolved(2);
    let (outcomes, log) =
        measurement(&resolved, &mut Journal::temporary(&resolved).unwrap(), |algorithm, batch| {
            let mut result = right(batch);
            if algorithm == 0 && batch.length == 2 {
                result.rows.truncate(4);
            }
            result
        });
    let cell = &outcomes.cells[0];
    assert_eq!((cell.status(), cell.rows.len()), (Status::Crashed, 4));
    let message = "4 repetitions came of 10: the memory of its worker may be damaged";
    assert_eq!(cell.ended.as_ref().and_then(Ended::message), Some(message));
    assert_eq!(log.borrow()[..3], [(0, Some((0, 2))), (0, None), (0, Some((0, 3)))]);
    for cell in &outcomes.cells[1..] {
        assert_eq!((cell.status(), cell.rows.len()), (Status::Ok, RUNS));
    }
}

#[test]
fn a_failed_cell_is_not_measured_further_and_its_end_is_in_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let resolved = resolved(1).in_rounds(RUNS, 5);
    let mut journal = Journal::create(folder.path(), &resolved).unwrap();
    let (outcomes, log) = measurement(&resolved, &mut journal, |_, batch| {
        let mut result = right(batch);
        if batch.length == 2 && batch.first == 2 {
            result.rows[1].occurrences = 9;
        }
        result
    });
    assert!(outcomes.written.is_ok());
    let of_set =
        |length| log.borrow().iter().flat_map(|entry| entry.1).filter(|asked| asked.1 == length).count();
    assert_eq!((of_set(2), of_set(3)), (2, 5), "five rounds of two repetitions");
    let journal = std::fs::read_to_string(folder.path().join("measurements.csv")).unwrap();
    let rows: Vec<&str> = journal.lines().filter(|line| line.starts_with("a0,2,")).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((rows[2], rows[3]), ("a0,2,2,ok,1,1,host,0,5,5", "a0,2,3,wrong,1,,,,,"));
}

#[test]
fn an_unusable_algorithm_is_asked_once_and_has_the_same_end_everywhere() {
    let resolved = resolved(2);
    let mut journal = Journal::temporary(&resolved).unwrap();
    let (outcomes, log) = measurement(&resolved, &mut journal, |algorithm, batch| match algorithm {
        0 => BatchResult {
            ended: Some(Ended::TimedOut("x".to_owned())),
            unusable: true,
            ..BatchResult::default()
        },
        _ => right(batch),
    });
    let status: Vec<Status> = outcomes.cells.iter().map(Cell::status).collect();
    assert_eq!(status, [Status::TimedOut, Status::Ok, Status::TimedOut, Status::Ok]);
    assert_eq!(
        log.borrow().iter().filter(|(algorithm, asked)| *algorithm == 0 && asked.is_some()).count(),
        1
    );
}

#[test]
fn a_journal_that_cannot_be_written_ends_the_campaign() {
    let resolved = resolved(2);
    let (outcomes, log) = measurement(&resolved, &mut Journal::full(&resolved), |_, batch| right(batch));
    let error = outcomes.written.unwrap_err().to_string();
    assert!(error.contains("measurements.csv") && error.contains("No space left"), "{error}");
    assert_eq!(log.borrow().len(), 1, "nothing is measured after it");
    assert!(
        outcomes.interrupted && outcomes.cells[0].rows.is_empty(),
        "what is not in the journal is not there"
    );
}

#[test]
fn a_wrong_count_ends_a_cell_and_does_not_enter_it() {
    let (status, message, rows) = judged(vec![row(1, 5), row(2, 5), row(1, 5)], None);
    assert_eq!((status, rows.len()), (Status::Wrong, 1));
    assert_eq!(message.as_deref(), Some("repetition 8 found 2 occurrences; there are 1"));
}

#[test]
fn a_search_over_the_limit_does_not_enter_even_if_it_ended_by_itself() {
    let (status, _, rows) = judged(vec![row(1, 400_000_000)], None);
    assert_eq!((status, rows.len()), (Status::TimedOut, 0));
    assert_eq!(judged(vec![row(1, u64::MAX)], None).0, Status::TimedOut);
    let limit_ns = resolved(1).experiment.time_limit_ms * 1_000_000;
    assert_eq!(judged(vec![row(1, limit_ns); 3], None).0, Status::Ok, "the limit itself may be taken");
}

#[test]
fn times_of_its_own_that_are_longer_than_it_took_are_an_error() {
    let own = |prepare_ns, search_ns| Row { own_ns: Some([prepare_ns, search_ns]), ..row(1, 5_000) };
    assert_eq!(
        judged(vec![own(Some(2_000), None), own(None, Some(4_000_000)), own(None, None)], None).0,
        Status::Ok
    );
    let (status, message, _) = judged(vec![own(Some(1), Some(u64::MAX)); 3], None);
    assert_eq!(status, Status::Error);
    assert!(message.unwrap().ends_with("ns by its own clock, and was over after 5000 ns"));
}

#[test]
fn rows_that_were_not_requested_are_a_sign_of_damage() {
    let mut counted = row(1, 5);
    counted.calls[0].counts.push(None);
    let measured = Row { measured: Some(Box::new(Measured::default())), ..row(1, 5) };
    for odd in [counted, measured] {
        let (status, message, rows) = judged(vec![row(1, 5), odd, row(1, 5)], None);
        assert_eq!((status, rows.len()), (Status::Crashed, 1));
        assert!(message.unwrap().starts_with("repetition 8 has other figures"));
    }
    assert_eq!(judged(vec![row(1, 5); 4], None).0, Status::Crashed);
    assert_eq!(judged(vec![row(1, 5); 2], None).0, Status::Crashed);
}

#[test]
fn what_was_measured_before_a_fault_is_kept() {
    let (status, message, rows) = judged(vec![row(1, 5)], Some(Ended::Crashed("x".into())));
    assert_eq!((status, message.as_deref()), (Status::Crashed, Some("x")));
    assert_eq!(rows, [row(1, 5)]);
    let (status, message, rows) = judged(vec![row(1, 5)], Some(Ended::Interrupted));
    assert_eq!((status, message, rows.len()), (Status::Ok, None, 1));
}

#[test]
fn a_lost_worker_ends_its_cell_in_the_repetition_that_it_was_in() {
    let resolved = resolved(1);
    let block = Block { round: 0, algorithm: 0, point: 0, repetitions: 0..10 };
    let ended_in = |rows, ended_in| {
        let result =
            BatchResult { rows, ended: Some(Ended::Crashed("x".into())), ended_in, ..BatchResult::default() };
        let mut counts = ReferenceCounts::new(&resolved);
        assert!(counts.count(0, 0..RUNS, &AtomicBool::new(false), || {}));
        let rules = RowRules::new(&resolved, 0, &counts);
        check_rows(&mut Cell::new(&resolved.algorithms[0], &resolved.points[0]), &block, result, &rules).1
    };
    // The rows of repetitions 3 and 4 were lost with it.
    assert_eq!(ended_in(vec![row(1, 5); 3], Some(5)), Some(5));
    assert_eq!(ended_in(vec![row(1, 5); 3], None), Some(3));
    assert_eq!(ended_in(vec![row(1, 5); 3], Some(1000)), Some(3), "there is no such repetition");
    assert_eq!(ended_in(vec![row(1, 5), row(9, 5)], Some(5)), Some(1), "a wrong count came first");
}

#[test]
fn a_first_search_that_is_no_row_is_checked_too() {
    let started = |repetition, occurrences| {
        let resolved = resolved(1);
        let answer = move |_, batch: &Batch| {
            let times = StartTimes { load_ns: Some(5), ..StartTimes::default() };
            let start = Some(Start { repetition, occurrences, times });
            let noise = Some(BlockNoise { start, ..BlockNoise::default() });
            BatchResult { noise, ..right(batch) }
        };
        let mut journal = Journal::temporary(&resolved).unwrap();
        let (outcomes, _) = measurement(&resolved, &mut journal, answer);
        let cell = &outcomes.cells[0];
        let blocks = Blocks::parse(&journal.blocks_to_read().unwrap()).unwrap().records;
        let of_cell = blocks.iter().filter(|block| block.range == cell.point.value);
        let starts = of_cell.filter(|block| block.start.is_some()).count();
        (cell.status(), cell.rows.len(), starts)
    };
    assert_eq!(started(0, 1), (Status::Ok, RUNS, 1));
    assert_eq!(started(0, 2), (Status::Wrong, 0, 0));
    assert_eq!(started(RUNS as u64, 1), (Status::Crashed, 0, 0));
}

/// An experiment with six rounds of two repetitions, which goes on up to 40 rounds.
fn going_on(change: impl FnOnce(&mut assay_experiment::Experiment)) -> Resolved {
    let mut resolved = testing::example(2, 80).in_rounds(12, 6);
    resolved.experiment.most_runs = Some(80);
    change(&mut resolved.experiment);
    resolved
}

/// Times of patterns of 2 bytes are the same always, those of 3 bytes are not.
fn uneven(_: usize, batch: &Batch) -> BatchResult {
    let spread = if batch.length == 2 { 0 } else { (batch.first * 37 % 64) as u64 };
    BatchResult { rows: vec![row(1, 1000 + spread); batch.patterns.len()], ..BatchResult::default() }
}

fn lengths_of(cells: &[Cell<'_>]) -> Vec<usize> {
    cells.iter().map(|cell| cell.rows.len()).collect()
}

#[test]
fn who_is_narrow_is_measured_no_further_and_the_others_up_to_the_limit() {
    // Narrow at two looks in a row: after six rounds and after seven.
    let resolved = going_on(|experiment| experiment.until = Some("0.5%".parse().unwrap()));
    let (outcomes, _) = measurement(&resolved, &mut Journal::temporary(&resolved).unwrap(), uneven);
    assert!(!outcomes.interrupted && outcomes.written.is_ok());
    assert_eq!(lengths_of(&outcomes.cells), [14, 14, 80, 80], "40 rounds of 2");
    let wide = going_on(|experiment| experiment.until = Some("50%".parse().unwrap()));
    let (outcomes, _) = measurement(&wide, &mut Journal::temporary(&wide).unwrap(), uneven);
    assert_eq!(lengths_of(&outcomes.cells), [14; 4], "one look more than the rounds that were requested");
}

#[test]
fn who_has_fewer_repetitions_goes_on_in_rounds_of_its_own_size_when_all_are_done() {
    let mut resolved = going_on(|experiment| experiment.until = Some("0.5%".parse().unwrap()));
    resolved.points[1].rounds = Rounds::new(3, 6);
    let asked = Rc::new(RefCell::new(Vec::new()));
    let requested = Rc::clone(&asked);
    let worker = |algorithm| -> Box<dyn Worker> {
        Box::new(Scripted { algorithm, log: Log::default(), answer: uneven })
    };
    let mut pools = |round, _: &TextGroup| {
        requested.borrow_mut().push(round);
        Ok(Pool::new((0..2).map(worker).collect()))
    };
    let mut blocks = Vec::new();
    let mut journal = Journal::temporary(&resolved).unwrap();
    let outcomes = Measurement { resolved: &resolved }.measure(
        EarlierParts::default(),
        &mut ReferenceCounts::new(&resolved),
        &mut pools,
        &mut journal,
        &AtomicBool::new(false),
        |step| {
            if let MeasurementStep::Measured(_, block) = step {
                blocks.push((block.round, block.point, block.repetitions.clone()));
            }
        },
    );
    blocks.dedup();
    let of_set = |set| blocks.iter().filter(move |block| block.1 == set);
    // 80 of 12 are 20 of 3: 3 rounds of one repetition, and then 17 more from round 6 on.
    assert_eq!(lengths_of(&outcomes.cells), [14, 14, 20, 20]);
    let rounds: Vec<usize> = of_set(1).map(|(round, _, _)| *round).collect();
    assert_eq!(rounds, (0..3).chain(6..23).collect::<Vec<_>>());
    assert!(of_set(1).all(|(round, _, repetitions)| *repetitions == (*round..round + 1)));
    assert_eq!(*asked.borrow(), (0..23).collect::<Vec<_>>());
}

#[test]
fn time_is_given_to_the_widest() {
    let resolved = going_on(|experiment| experiment.budget = Some("1h".parse().unwrap()));
    let (outcomes, _) = measurement(&resolved, &mut Journal::temporary(&resolved).unwrap(), uneven);
    assert_eq!(lengths_of(&outcomes.cells), [12, 12, 80, 80]);
}

#[test]
fn a_budget_that_is_used_up_leaves_what_was_asked_for() {
    let mut resolved = going_on(|experiment| experiment.budget = Some("1s".parse().unwrap()));
    resolved.since -= Duration::from_secs(2);
    let (outcomes, _) = measurement(&resolved, &mut Journal::temporary(&resolved).unwrap(), uneven);
    assert!(!outcomes.interrupted);
    assert_eq!(lengths_of(&outcomes.cells), [12; 4]);
    resolved.since = Instant::now();
    let earlier = EarlierParts::new(Vec::new(), Duration::from_secs(2));
    let mut journal = Journal::temporary(&resolved).unwrap();
    let (outcomes, _) = measurement_after(earlier, &resolved, &mut journal, uneven);
    assert_eq!(lengths_of(&outcomes.cells), [12; 4], "earlier parts used it up");
}

#[test]
fn each_block_has_what_its_part_has_noticed_until_then() {
    let mut resolved = resolved(2);
    // It can be locked and its time read, whether the test may use it or not.
    resolved.cpu = Some(0);
    let mut journal = Journal::temporary(&resolved).unwrap();
    measurement(&resolved, &mut journal, |_, batch| right(batch));
    let blocks = Blocks::parse(&journal.blocks_to_read().unwrap()).unwrap().records;
    let noticed: Vec<_> = blocks.into_iter().filter_map(|block| Some(block.commit?.part_noise)).collect();
    let is_known = |noise: &PartNoise| noise.steal_ms.is_some() && noise.shared_cpu.is_some();
    assert!(noticed.len() == 4 && noticed.iter().all(is_known), "{noticed:?}");
}

#[test]
fn a_length_where_all_failed_does_not_go_on() {
    let resolved = going_on(|experiment| experiment.until = Some("0.5%".parse().unwrap()));
    let (outcomes, _) =
        measurement(&resolved, &mut Journal::temporary(&resolved).unwrap(), |algorithm, batch| {
            let mut result = uneven(algorithm, batch);
            if batch.length == 3 {
                result.rows[0].occurrences = 7;
            }
            result
        });
    assert_eq!(lengths_of(&outcomes.cells), [14, 14, 0, 0]);
}

#[test]
fn each_round_counts_its_own_patterns_before_it_measures() {
    let resolved = resolved(1).in_rounds(RUNS, 5);
    let worker = || -> Box<dyn Worker> {
        Box::new(Scripted { algorithm: 0, log: Log::default(), answer: |_, batch: &Batch| right(batch) })
    };
    let mut steps = Vec::new();
    Measurement { resolved: &resolved }.measure(
        EarlierParts::default(),
        &mut ReferenceCounts::new(&resolved),
        &mut |_, _| Ok(Pool::new(vec![worker()])),
        &mut Journal::temporary(&resolved).unwrap(),
        &AtomicBool::new(false),
        |step| steps.push(matches!(step, MeasurementStep::Counted)),
    );
    // Two points with two repetitions in each of five rounds: four counts, then two blocks.
    assert_eq!(steps, [true, true, true, true, false, false].repeat(5));
}

#[test]
fn the_time_of_a_measurement_is_that_of_its_activities() {
    let mut resolved = resolved(1);
    // The experiment was prepared for at least this long.
    resolved.since -= Duration::from_millis(7);
    let slow = |_: usize, batch: &Batch| {
        std::thread::sleep(Duration::from_millis(2));
        let cost = |ns| Cost { ns, counts: Vec::new() };
        // The algorithm takes its own times, which say nothing about the wall time.
        let row = Row { calls: [cost(10), cost(300)], own_ns: Some([None, Some(9)]), ..row(1, 0) };
        let (starting, warmup) = (Duration::from_millis(1), Duration::from_micros(50));
        let rows = vec![row; batch.patterns.len()];
        BatchResult { rows, starting, warmup, ..BatchResult::default() }
    };
    let (outcomes, _) = measurement(&resolved, &mut Journal::temporary(&resolved).unwrap(), slow);
    let passed = resolved.since.elapsed();
    let spent = outcomes.time.spent();
    // Two batches of ten repetitions.
    assert_eq!((spent.preparing_ns, spent.searching_ns, spent.warmup_ns), (200, 6000, 100_000));
    assert!(spent.workers_ns >= 2_000_000 && spent.set_up_ns >= 7_000_000, "{spent:?}");
    assert!(spent.counting_ns > 0 && spent.writing_ns > 0 && spent.rest_ns > 0, "{spent:?}");
    assert!(Duration::from_nanos(spent.wall_ns()) <= passed, "{spent:?} of {passed:?}");
}
