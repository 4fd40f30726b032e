//! Counters are read between two readings of a clock: nothing may be allocated there.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use assay_counters::clock::Clock;
use assay_counters::perf::Perf;
use assay_counters::rapl::Rapl;
use assay_counters::rusage::Rusage;
use assay_counters::schedstat::Schedstat;
use assay_counters::tsc::Tsc;
use assay_plugin_api::testing::skip;
use assay_plugin_api::{Availability, Backend, EventCount, Open};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: all work is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn reading_allocates_nothing<B: Backend>() {
    let events = B::events();
    let names: Vec<&str> = events
        .iter()
        .filter(|event| event.availability == Availability::Available)
        .map(|event| event.name.as_str())
        .collect();
    if names.is_empty() {
        skip(&format!("no event of {} can be counted here", B::ID));
        return;
    }
    let mut set = B::open(&Open::events(&names)).unwrap();
    let mut counts = vec![EventCount::default(); names.len()];
    set.start().unwrap();
    let before = ALLOCATIONS.get();
    assert!(before > 0, "the allocator is not counted");
    for _ in 0..100 {
        set.read(&mut counts).unwrap();
    }
    assert_eq!(ALLOCATIONS.get(), before, "{}", B::ID);
}

#[test]
fn reading_any_backend_allocates_nothing() {
    reading_allocates_nothing::<Clock>();
    reading_allocates_nothing::<Tsc>();
    reading_allocates_nothing::<Rusage>();
    reading_allocates_nothing::<Perf>();
    reading_allocates_nothing::<Schedstat>();
    reading_allocates_nothing::<Rapl>();
}
