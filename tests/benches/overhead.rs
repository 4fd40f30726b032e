//! What the host adds to each measurement: an algorithm that returns at once, 100,000 repetitions, measured
//! by a worker process and in this process, against the bare call in the same run. Target: below 1 µs above
//! the bare call.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use assay_experiment::calls::steps;
use assay_experiment::patterns::Patterns;
use assay_load::plugin::{Judge, Library, Searcher, TextBuffer, TrustPolicies, TrustPolicy, load};
use assay_measure::worker::{
    Batch, InProcessWorker, MemoryOffsets, ProcessWorker, Setup, SharedText, Worker,
};
use assay_plugin_api::Hints;

const REPETITIONS: usize = 100_000;
const TEXT: &[u8] = b"a text that nobody reads";

fn main() {
    // A worker is this very program, started again.
    if std::env::args().nth(1).as_deref() == Some(assay_load::process::ENTRY) {
        assay::main(std::env::args_os());
        return;
    }
    let library = assay_tests::fixture("faulty_plugin");
    let policies = TrustPolicies::resolve(Some(TrustPolicy::Allow)).expect("it is given");
    let mut judge = Judge::new(policies).expect("the list of accepted libraries can be read");
    let inspected = Library::inspect_named(&library, &mut judge).expect("it can be inspected").inspected();
    let text = SharedText::new(TEXT, 4096, 0).expect("memory");
    let setup = Setup {
        library: inspected,
        algorithm: "instant".to_owned(),
        counters: Vec::new(),
        texts: vec![text.place()],
        team: Vec::new(),
        threads: 1,
        simulated: false,
        times_start: false,
        cold: false,
        cpu: None,
        offsets: MemoryOffsets::default(),
    };
    let mut in_process = InProcessWorker::new(setup.clone()).expect("memory");
    let mut process = ProcessWorker::new(setup, 300, None).expect("ASSAY_PATIENCE_MS is a number");
    // The first batch starts the process, and loads the library.
    measure(&mut in_process, 1);
    measure(&mut process, 1);
    println!("per measurement, with an algorithm that returns at once, {REPETITIONS} repetitions:");
    println!("{:>12} {:>12} {:>12}   above the bare call", "bare", "in process", "worker");
    for _ in 0..5 {
        let bare = bare(&library);
        let [own, other] = [measure(&mut in_process, REPETITIONS), measure(&mut process, REPETITIONS)];
        let (own_above, other_above) = (own - bare, other - bare);
        println!(
            "{bare:>9.1} ns {own:>9.1} ns {other:>9.1} ns   {own_above:.1} ns in process, {other_above:.1} ns worker"
        );
    }
}

/// Nanoseconds of one preparation and search, called in a loop.
fn bare(library: &std::path::Path) -> f64 {
    let catalogue = load(library).expect("the fixture loads");
    let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == "instant").expect("it is there");
    let mut searcher = Searcher::new(entry).expect("it can be made");
    let needs = searcher.needs(4).expect("it needs nothing");
    let mut memory = TextBuffer::new(TEXT, &needs).expect("it needs nothing");
    let text = memory.fit(&needs).expect("it needs nothing");
    let start = Instant::now();
    for _ in 0..REPETITIONS {
        let mut prepared = searcher.prepare(black_box(b"text"), Hints::default()).expect("it does nothing");
        black_box(prepared.count(&text)).expect("it does nothing");
    }
    start.elapsed().as_nanos() as f64 / REPETITIONS as f64
}

/// Nanoseconds of one repetition of a batch, everything included.
fn measure(worker: &mut dyn Worker, repetitions: usize) -> f64 {
    let patterns = Patterns::Drawn(vec![2; repetitions]);
    let batch = Batch {
        first: 0,
        length: 4,
        patterns,
        steps: steps(&[0], &[]),
        lanes: Vec::new(),
        threads: 1,
        warmup: 0,
    };
    let start = Instant::now();
    let result = worker.measure(&batch, &AtomicBool::new(false));
    let elapsed = start.elapsed().as_nanos() as f64;
    assert_eq!((result.rows.len(), result.ended), (repetitions, None));
    elapsed / repetitions as f64
}
