//! Seeds that the writers of the formats make, so that a fuzzer begins with what is right. A test writes them
//! to the corpora, and finds out when a format has changed.

use std::sync::atomic::AtomicBool;

use assay_experiment::testing::example;
use assay_load::plugin::testing::{ANSWER, contents, description, listing};
use assay_load::plugin::{Contents, Kind, Listing};
use assay_measure::worker::{Batch, BatchResult, Worker, testing::messages};
use assay_measure::{EarlierParts, Measurement, Pool, ReferenceCounts};
use assay_store::journal::Journal;
use assay_store::noise::BlockNoise;
use assay_store::{BLOCKS, Cost, Ended, MEASUREMENTS, Measured, Row, Run};

/// A seed: its target, its name, and its bytes.
pub type Seed = (&'static str, &'static str, Vec<u8>);

/// All seeds.
pub fn seeds() -> Vec<Seed> {
    let [complete, sealed, cut, ended] = journals();
    vec![
        ("elf", "two_segments", library()),
        ("journal", "complete", complete),
        ("journal", "sealed", sealed),
        ("journal", "cut_off", cut),
        ("journal", "a_cell_ended", ended),
        ("listing", "of_a_child", description(described())),
        ("listing", "of_a_cache", cache()),
        ("report", "with_a_result", report()),
        ("smart", "a_twin", smart("stat_hor.so")),
        ("smart", "an_algorithm", smart("hor.so")),
        ("worker", "right", worker(0, right(3))),
        ("worker", "instrumented", worker(1, instrumented(3))),
        (
            "worker",
            "crashed",
            worker(8, BatchResult { ended: Some(Ended::Crashed("it ended".to_owned())), ..right(1) }),
        ),
    ]
}

/// The headers of a library for this machine: an ELF header and two headers of segments.
fn library() -> Vec<u8> {
    const SEGMENTS: u16 = 2;
    let program = std::fs::read("/proc/self/exe").expect("the running program can be read");
    let mut library = program[..64].to_vec();
    let table = 64_u64;
    let end = table + u64::from(SEGMENTS) * 56;
    library[16..18].copy_from_slice(&3_u16.to_le_bytes());
    library[24..32].fill(0);
    library[32..40].copy_from_slice(&table.to_le_bytes());
    library[40..48].fill(0);
    library[56..58].copy_from_slice(&SEGMENTS.to_le_bytes());
    library[58..64].fill(0);
    for kind in [1_u32, 2] {
        library.extend(kind.to_le_bytes());
        library.extend(5_u32.to_le_bytes());
        [0, 0, 0, end, end, 4096].iter().for_each(|word| library.extend(word.to_le_bytes()));
    }
    library
}

/// A library with an item of each kind.
fn described() -> Contents {
    let kinds = [Kind::Algorithm, Kind::Counter, Kind::Metric, Kind::Statistic, Kind::Merger, Kind::Corpus];
    let item = |kind| Listing {
        facts: vec![("name".to_owned(), "An item".to_owned()), ("year".to_owned(), "1980".to_owned())],
        options: vec!["option".to_owned()],
        inputs: vec!["ns".to_owned()],
        parameter: (kind == Kind::Corpus).then_some((2, 256)),
        ..listing(kind, "item", "", "")
    };
    contents(kinds.map(item).to_vec())
}

/// A cache with that library and one that failed.
fn cache() -> Vec<u8> {
    let described = serde_json::to_value(described()).expect("it has a JSON form");
    let failure = serde_json::json!({
        "stage": "Load", "found": "loading it crashed", "expected": "a library", "remedy": "mend it",
        "details": "", "passing": false
    });
    let cache = serde_json::json!({
        "host": { "version": "0.1.0", "abi": "1.0", "program": null },
        "files": { "/a.so": { "identity": null, "sha256": "12ab" } },
        "outcomes": { "12ab a.so": { "Ok": described }, "34cd b.so": { "Err": failure } }
    });
    cache.to_string().into_bytes()
}

fn report() -> Vec<u8> {
    let run = Run { results: vec![assay_store::testing::cell()], ..assay_store::testing::run() };
    serde_json::to_vec_pretty(&run).expect("results have a JSON form")
}

/// An answer with times and a name of an extra field, and this file name.
fn smart(name: &str) -> Vec<u8> {
    let mut bytes = vec![0; ANSWER];
    bytes[0] = 7;
    bytes[4..12].copy_from_slice(&0.5_f64.to_le_bytes());
    bytes[12..20].copy_from_slice(&1.5_f64.to_le_bytes());
    bytes[20] = 9;
    let names = ANSWER - 66;
    bytes[names..names + 6].copy_from_slice(b"#small");
    [bytes, name.as_bytes().to_vec()].concat()
}

fn worker(form: u8, result: BatchResult) -> Vec<u8> {
    [vec![form], messages(result)].concat()
}

/// Right answers to some repetitions of the example.
fn right(repetitions: usize) -> BatchResult {
    let cost = |ns| Cost { ns, counts: Vec::new() };
    let row = Row { occurrences: 1, calls: [cost(20), cost(300)], ..Row::default() };
    let noise =
        Some(BlockNoise { floor_ns: 30, reference_ns: 900, elapsed_ns: 5000, ..BlockNoise::default() });
    BatchResult { rows: vec![row; repetitions], noise, ..BatchResult::default() }
}

fn instrumented(repetitions: usize) -> BatchResult {
    let mut result = right(repetitions);
    result.rows.iter_mut().for_each(|row| row.measured = Some(Box::new(Measured::default())));
    result
}

/// Answers each batch rightly, or fails in the second repetition.
struct Scripted {
    fails: bool,
}

impl Worker for Scripted {
    fn measure(&mut self, batch: &Batch, _: &AtomicBool) -> BatchResult {
        if self.fails {
            return BatchResult { ended: Some(Ended::Crashed("signal 11".to_owned())), ..right(1) };
        }
        right(batch.patterns.len())
    }

    fn leave_out(&mut self, _: usize) {}
}

/// The two files of a run: complete, with the mark that its checksums are to be put right, cut off in the
/// last row, and of algorithms that crash.
fn journals() -> [Vec<u8>; 4] {
    let complete = journal(false);
    let rows = complete.windows(4).position(|bytes| bytes == b"---\n").expect("it has two parts");
    let cut = [&complete[..rows - 9], &complete[rows..]].concat();
    [complete.clone(), [b"sealed\n", complete.as_slice()].concat(), cut, journal(true)]
}

fn journal(fails: bool) -> Vec<u8> {
    let (resolved, never) = (example(2, 3), AtomicBool::new(false));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut counts = ReferenceCounts::new(&resolved);
    let mut journal = Journal::create(folder.path(), &resolved).expect("a file can be made");
    let workers = || (0..2).map(|_| -> Box<dyn Worker> { Box::new(Scripted { fails }) }).collect();
    Measurement { resolved: &resolved }.measure(
        EarlierParts::default(),
        &mut counts,
        &mut |_, _| Ok(Pool::new(workers())),
        &mut journal,
        &never,
        |_| {},
    );
    let file = |name: &str| std::fs::read(folder.path().join(name)).expect("it was just written");
    [file(MEASUREMENTS), b"---\n".to_vec(), file(BLOCKS)].concat()
}
