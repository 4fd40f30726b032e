//! Tests of the measuring itself: what it must not do between two readings of the clock.

use assay_experiment::points::Step;
use assay_load::plugin::{idle, testing};

use super::*;
use crate::worker::protocol::MemoryOffsets;
use crate::worker::shared_text::SharedText;

/// A bench for an algorithm that does nothing, without counters.
fn bench(text: &SharedText) -> Bench {
    // It is not loaded, so any file will do.
    let library = testing::inspected(&std::env::current_exe().unwrap()).unwrap();
    let setup = Setup {
        library: library.clone(),
        algorithm: "idle".to_owned(),
        counters: Vec::new(),
        texts: vec![text.place()],
        offsets: MemoryOffsets::default(),
        simulated: false,
        times_start: false,
        cold: false,
        cpu: None,
        team: Vec::new(),
        threads: 1,
    };
    let algorithm = idle();
    Bench {
        library: library.verify_in_sandbox().unwrap(),
        searcher: Searcher::new(&algorithm).unwrap(),
        texts: open_texts(&setup, [false; 2]).unwrap(),
        counters: Counters::open(&[], None, &Heartbeat::new().unwrap()).unwrap(),
        pattern: PatternMemory::new(0),
        taken: Vec::with_capacity(Call::ALL.len()),
        original: OriginalProcess::here(),
        scheduling: None,
        setup,
        algorithm,
        used_up: false,
        floor_ns: 0,
        pauses: Pauses::default(),
        warmup_ns: 0,
        together: None,
        simulated: false,
        start: StartTiming::Untimed,
        eviction: None,
        read_back_ns: 0,
        ended_ns: 0,
        _before_searcher: Vec::new(),
    }
}

#[test]
fn a_repetition_allocates_nothing() {
    let text = SharedText::new(&[b'a'; 1000], 0, 0).unwrap();
    let (mut bench, heartbeat) = (bench(&text), Heartbeat::new().unwrap());
    bench.pattern.take(b"abcd");
    let needs = bench.searcher.needs(4).unwrap();
    let maps = bench.texts.clone();
    let mut copy = None;
    let mut texts = [fit(&maps[0], &needs, &mut copy).unwrap()];
    let steps = Call::ALL.map(|call| Step { call, text: 0 });
    bench.counters.expect(steps.len());
    let mut row = None;
    let allocated = allocation_counter::measure(|| {
        row = Some(bench.repetition(&steps, &mut texts, &needs, &heartbeat));
    });
    assert_eq!((allocated.count_total, allocated.bytes_total), (0, 0));
    assert!(row.unwrap().is_ok());
    let boxed = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(boxed.count_total, 1, "allocations are counted");
}
