//! The messages of a worker whose process runs code of a library, which may write to the connection.

use std::sync::atomic::AtomicBool;

use assay_experiment::Resolved;
use assay_experiment::definition::Stats;
use assay_experiment::testing::example;
use assay_measure::worker::{Batch, BatchResult, Worker, testing};
use assay_measure::{EarlierParts, Measurement, Pool, ReferenceCounts};
use assay_store::journal::Journal;
use assay_store::{Cell, Status};

use super::check::bounded;

/// A row of eight bytes has 160 in memory, and lists have room for as many again.
const FACTOR: u64 = 100;
const CONSTANT: u64 = 1 << 20;

/// Repetitions of each point.
const RUNS: usize = 3;

/// A worker that answers each batch with the same bytes.
struct Hostile {
    bytes: Vec<u8>,
    /// Number of bytes that arrive at a time.
    piece: usize,
}

impl Worker for Hostile {
    fn measure(&mut self, batch: &Batch, _: &AtomicBool) -> BatchResult {
        let result = testing::answer(&self.bytes, self.piece, batch.patterns.len());
        result.unwrap_or_else(|| BatchResult {
            ended: Some(assay_store::Ended::Crashed("nonsense".to_owned())),
            ..BatchResult::default()
        })
    }

    fn leave_out(&mut self, _: usize) {}
}

/// Measures with a worker that answers with the input. Its first byte says whether the algorithm is
/// instrumented and how many bytes arrive at a time.
pub fn worker(input: &[u8]) {
    let Some((&form, bytes)) = input.split_first() else { return };
    let mut resolved = example(1, RUNS);
    if form & 1 == 1 {
        resolved.experiment.stats = Stats::Algo;
    }
    let piece = usize::from(form >> 1) + 1;
    bounded(input, FACTOR, CONSTANT, || testing::answer(bytes, piece, RUNS));
    measurement(&resolved, bytes, piece);
}

fn measurement(resolved: &Resolved, bytes: &[u8], piece: usize) {
    let never = AtomicBool::new(false);
    let mut counts = ReferenceCounts::new(resolved);
    let mut journal = Journal::temporary(resolved).expect("a file can be made");
    let outcomes = Measurement { resolved }.measure(
        EarlierParts::default(),
        &mut counts,
        &mut |_, _| Ok(Pool::new(vec![Box::new(Hostile { bytes: bytes.to_vec(), piece })])),
        &mut journal,
        &never,
        |_| {},
    );
    assert!(outcomes.written.is_ok() && !outcomes.interrupted);
    outcomes.cells.iter().for_each(check);
}

/// Checks that a cell has what was asked for, or a reason why not.
fn check(cell: &Cell<'_>) {
    assert!(cell.rows.len() <= RUNS && cell.rows.twice().is_none());
    assert!(cell.rows.len() == RUNS || cell.status() != Status::Ok, "rows are missing without a reason");
}
