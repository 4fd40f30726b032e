//! What a reading of each counter backend costs the host, next to the bare call that the backend makes for it.
//!
//! `cargo bench -p assay-tests --bench reading`. Target: at most 1.1 times the bare call, or 5 ns more,
//! whichever is greater.
//!
//! Each line compares pairs of samples. A sample is the mean of as many readings in a row as take some
//! 50 µs; one sample of a pair is of the bare call, and one is of the backend through the ABI, as a worker
//! reads it. The order alternates from pair to pair. The lines show medians over the pairs, so that whatever
//! else runs on the machine disturbs few of them, and both sides alike.

use std::hint::black_box;
use std::time::Instant;

use assay_load::plugin::{CounterSet, load};
use assay_plugin_api::Open;
use assay_stats::median;
use assay_tests::libraries;
use assay_tests::pmcd::Pmcd;

use bare::{Clock, KernelText, Papi, Pcp, Perf, Ticks, Usage, software_defined_counter};

mod bare;

/// Number of pairs. With this number, the medians of two runs differ by about a nanosecond at most.
const PAIRS: usize = 501;
/// Time of a sample. It is much longer than the two readings of the clock around it, and short enough that
/// most samples are not interrupted.
const SAMPLE_NS: f64 = 50_000.0;
/// Readings by which the length of a sample is chosen.
const TRIAL: u32 = 100;

/// Something that can be read again and again while it runs.
trait Reader {
    fn start(&mut self) {}
    fn read(&mut self);
    fn stop(&mut self) {}
}

impl Reader for CounterSet {
    fn start(&mut self) {
        CounterSet::start(self).expect("it started before");
    }

    #[inline]
    fn read(&mut self) {
        black_box(CounterSet::read(self).expect("it can be read").as_ptr());
    }

    fn stop(&mut self) {
        CounterSet::stop(self).expect("it can be stopped");
    }
}

fn main() {
    let catalogue = load(&libraries().join("libassay_counters.so")).expect("the library is ours");
    let open = |backend: &str, events: &[&str], options: &[(&str, &str)]| {
        let entry = catalogue.counter(backend).expect("the library brings it");
        entry.open(&Open { options, ..Open::events(events) })
    };
    println!(
        "{:<22} {:>6} {:>9} {:>9} {:>8} {:>6}",
        "ns a reading", "events", "bare", "ours", "more", "ratio"
    );

    compare("tsc", 1, open("tsc", &["cycles"], &[]), || Some(Ticks));
    compare("clock:ns", 1, open("clock", &["ns"], &[]), || Some(Clock(libc::CLOCK_MONOTONIC)));
    let thread = || Some(Clock(libc::CLOCK_THREAD_CPUTIME_ID));
    compare("clock:thread-ns", 1, open("clock", &["thread-ns"], &[]), thread);
    let faults = ["minor-faults", "major-faults", "voluntary-switches", "involuntary-switches"];
    let accounts = [&faults[..], &["user-time", "system-time"]].concat();
    compare("rusage", 1, open("rusage", &faults[..1], &[]), || Some(Usage));
    compare("rusage", 6, open("rusage", &accounts, &[]), || Some(Usage));
    let stat = || KernelText::open("/proc/thread-self/schedstat");
    compare("schedstat", 1, open("schedstat", &["waiting"], &[]), stat);
    compare("schedstat", 3, open("schedstat", &["running", "waiting", "slices"], &[]), stat);

    let names = bare::SOFTWARE.map(|(name, _)| name);
    for events in [1, 2, 8] {
        let opened = open("perf", &names[..events], &[]);
        compare("perf", events, opened, || Perf::open(&bare::SOFTWARE[..events]));
    }
    let energy = || KernelText::open("/sys/class/powercap/intel-rapl:0/energy_uj");
    compare("rapl", 1, open("rapl", &["package-0"], &[]), energy);

    // The counter must exist before PAPI is initialised.
    let counter = software_defined_counter();
    for event in ["perf::TASK-CLOCK", "PAPI_TOT_CYC"] {
        compare(&format!("papi:{event}"), 1, open("papi", &[event], &[]), || Papi::open(event));
    }
    match counter {
        Some(name) => compare("papi:sde", 1, open("papi", &[name], &[]), || Papi::open(name)),
        None => println!("papi:sde: libsde is not installed"),
    }

    if let Some(daemon) = Pmcd::start() {
        let (host, metric) = (daemon.host(), "kernel.all.pswitch");
        compare("pcp", 1, open("pcp", &[metric], &[("host", &host)]), || Pcp::open(&host, metric));
    }
    println!("cachegrind: a reading is a dump of the simulator, and there is no call without it");
}

/// Prints what a set costs next to the bare call, or why it can't be compared.
fn compare<R: Reader>(
    name: &str,
    events: usize,
    ours: Result<CounterSet, String>,
    bare: impl FnOnce() -> Option<R>,
) {
    let (mut ours, mut bare) = match (ours, bare()) {
        (Ok(ours), Some(bare)) => (ours, bare),
        (Err(reason), _) => return println!("{name}: {reason}"),
        (Ok(_), None) => return println!("{name}: there is no bare call to compare with"),
    };
    let reads = (SAMPLE_NS / sample(&mut bare, TRIAL)).clamp(1.0, 10_000.0) as u32;
    sample(&mut ours, TRIAL);
    let (mut bares, mut all_ours, mut more) = (Vec::new(), Vec::new(), Vec::new());
    for pair in 0..PAIRS {
        let [bare, ours] = if pair % 2 == 0 {
            let bare = sample(&mut bare, reads);
            [bare, sample(&mut ours, reads)]
        } else {
            let ours = sample(&mut ours, reads);
            [sample(&mut bare, reads), ours]
        };
        bares.push(bare);
        all_ours.push(ours);
        more.push(ours - bare);
    }
    let [bare, ours, more] = [&mut bares, &mut all_ours, &mut more].map(|values| median(values));
    let within = more <= f64::max(0.1 * bare, 5.0);
    let verdict = if within { "" } else { "  above the target" };
    println!(
        "{name:<22} {events:>6} {bare:>9.1} {ours:>9.1} {more:>8.1} {:>6.2}{verdict}",
        1.0 + more / bare
    );
}

/// Mean time of a reading of a number of them, in nanoseconds.
fn sample(reader: &mut impl Reader, reads: u32) -> f64 {
    reader.start();
    let begun = Instant::now();
    for _ in 0..reads {
        reader.read();
    }
    let taken = begun.elapsed();
    reader.stop();
    taken.as_nanos() as f64 / f64::from(reads)
}
