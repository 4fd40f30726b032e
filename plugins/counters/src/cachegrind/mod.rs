//! Simulated counts: instructions, and the events of a model of caches and of a branch predictor. The worker
//! runs in callgrind, a tool of valgrind. A program can switch callgrind on and off from inside (cachegrind
//! itself only from valgrind 3.22 on). The same program does the same work each time, so the counts are
//! repeatable. They need neither rights nor counters of the CPU, but everything takes 30 to 90 times as long.

mod dump;
mod request;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use assay_plugin_api::{
    Access, Availability, Backend, Cost, Event, EventCount, Launcher, Open, cannot_count, register,
};

use self::dump::{COLUMNS, Dump};
use self::request::{KNOWN, Request, request};

/// An open set of simulated events.
#[derive(Debug)]
pub struct Cachegrind {
    events: Vec<&'static Simulated>,
    dumps: File,
    /// The counts since the start, in the order of [`COLUMNS`].
    totals: [u64; COLUMNS.len()],
    text: String,
}

/// An event: the sum of some counts of the simulator.
#[derive(Debug)]
struct Simulated {
    name: &'static str,
    summary: &'static str,
    columns: &'static [&'static str],
}

const fn simulated(name: &'static str, columns: &'static [&'static str], summary: &'static str) -> Simulated {
    Simulated { name, summary, columns }
}

const EVENTS: [Simulated; 17] = [
    simulated("instructions", &["Ir"], "Instructions executed."),
    simulated("branches", &["Bc", "Bi"], "Conditional branches and indirect jumps executed."),
    simulated("branch-misses", &["Bcm", "Bim"], "Of these, those that a simple predictor would have missed."),
    simulated("conditional-branches", &["Bc"], "Conditional branches executed."),
    simulated(
        "conditional-branch-misses",
        &["Bcm"],
        "Of these, those that a simple predictor would have missed.",
    ),
    simulated("indirect-branches", &["Bi"], "Indirect jumps executed."),
    simulated("indirect-branch-misses", &["Bim"], "Of these, those that went elsewhere than the last time."),
    simulated("L1-icache-load-misses", &["I1mr"], "Instructions that the first-level cache had not."),
    simulated("L1-dcache-loads", &["Dr"], "Reads of memory."),
    simulated("L1-dcache-load-misses", &["D1mr"], "Reads that the first-level cache had not."),
    simulated("L1-dcache-stores", &["Dw"], "Writes to memory."),
    simulated("L1-dcache-store-misses", &["D1mw"], "Writes that the first-level cache had not."),
    simulated(
        "cache-references",
        &["I1mr", "D1mr", "D1mw"],
        "Accesses to the last-level cache: what the first level had not.",
    ),
    simulated("cache-misses", &["ILmr", "DLmr", "DLmw"], "Accesses that the last-level cache had not."),
    simulated("LLC-load-misses", &["DLmr"], "Reads that the last-level cache had not."),
    simulated("LLC-store-misses", &["DLmw"], "Writes that the last-level cache had not."),
    simulated("LLC-instruction-misses", &["ILmr"], "Instructions that the last-level cache had not."),
];

/// A file without a name, which a shell opens: so nothing is left of it when the worker ends in any way. The
/// host does not use the number of its descriptor.
const SHELL: &str = r#"file=$(mktemp) && exec 9<>"$file" && rm "$file" && exec "$@""#;
const DUMPS: &str = "/proc/self/fd/9";

/// The model of the caches: bytes, ways and bytes of a line. It is always given, because what valgrind
/// detects in virtual machines is often wrong, and because counts of two machines can then be compared.
const OPTIONS: [&str; 14] = [
    // The options of the user are not inherited, because they may choose another tool.
    "--command-line-only=yes",
    "--quiet",
    "--tool=callgrind",
    "--log-file=/dev/null",
    "--instr-atstart=no",
    "--cache-sim=yes",
    "--branch-sim=yes",
    "--dump-line=no",
    "--combine-dumps=yes",
    "--vgdb=no",
    "--I1=32768,8,64",
    "--D1=49152,12,64",
    "--LL=33554432,16,64",
    "--callgrind-out-file=/proc/self/fd/9",
];

impl Backend for Cachegrind {
    const ID: &'static str = "cachegrind";
    const SUMMARY: &'static str = "Instructions, caches and branches as valgrind simulates them: repeatable, also where the CPU counts nothing. Runs are 30 to 90 times as long, and their times void.";
    const ACCESS: Access = Access { programs: true, files: &["/proc"], ..Access::NOTHING };

    fn events() -> Vec<Event> {
        let availability = match tried() {
            Ok(()) => Availability::Available,
            Err((reason, remedy)) => Availability::Missing { reason, remedy },
        };
        let event = |event: &Simulated| Event {
            availability: availability.clone(),
            cost: Cost::Slow,
            ..Event::new(event.name, "events", event.summary)
        };
        EVENTS.iter().map(event).collect()
    }

    fn launcher(_: &Open<'_>) -> Result<Option<Launcher>, String> {
        Ok(Some(Launcher { command: command(), environment: Vec::new() }))
    }

    fn open(request_of: &Open<'_>) -> Result<Self, String> {
        let events = request_of.select(Self::ID, &EVENTS, |event| event.name)?;
        if request(Request::RunningOnValgrind) == 0 {
            let (first, ..) = request_of.events.split_first().ok_or("cachegrind: no event")?;
            let remedy = "let `assay run` or `assay counters cost` start the worker, without --in-process";
            return Err(cannot_count(Self::ID, first, "this process does not run in valgrind", remedy));
        }
        let dumps = File::options().read(true).write(true).open(DUMPS);
        let dumps = dumps.map_err(|error| format!("cachegrind: {DUMPS} can't be opened: {error}"))?;
        Ok(Cachegrind { events, dumps, totals: [0; COLUMNS.len()], text: String::new() })
    }

    fn start(&mut self) -> Result<(), String> {
        request(Request::Start);
        self.take()?;
        self.totals = [0; COLUMNS.len()];
        request(Request::Zero);
        Ok(())
    }

    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        self.take()?;
        for (count, event) in counts.iter_mut().zip(&self.events) {
            *count = EventCount::complete(self.total(event) as f64);
        }
        // The work of reading is not counted.
        request(Request::Zero);
        Ok(())
    }

    fn stop(&mut self) -> Result<(), String> {
        request(Request::Stop);
        Ok(())
    }
}

register!(backend Cachegrind);

impl Cachegrind {
    /// Adds the counts since the last call.
    fn take(&mut self) -> Result<(), String> {
        request(Request::Dump);
        self.text.clear();
        let read = self.dumps.rewind().and_then(|()| self.dumps.read_to_string(&mut self.text));
        read.and_then(|_| self.dumps.set_len(0))
            .map_err(|error| format!("cachegrind: no counts: {error}"))?;
        let dump = Dump::parse(&self.text)?;
        self.totals.iter_mut().zip(dump.counts).for_each(|(total, count)| *total += count);
        Ok(())
    }

    fn total(&self, event: &Simulated) -> u64 {
        let of = |column: &&str| COLUMNS.iter().position(|other| other == column);
        event.columns.iter().filter_map(of).map(|column| self.totals[column]).sum()
    }
}

/// The command that is written before the program.
fn command() -> Vec<String> {
    let words = ["sh", "-c", SHELL, "sh", "valgrind"].into_iter().chain(OPTIONS);
    words.map(str::to_owned).collect()
}

/// Creates a file as the launcher does, and removes it. The error is the message of the system.
fn made_file() -> Result<(), String> {
    let made = Command::new("mktemp").output().map_err(|error| format!("mktemp: {error}"))?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).trim().to_owned());
    }
    let path = PathBuf::from(OsStr::from_bytes(made.stdout.trim_ascii_end()));
    std::fs::remove_file(path).map_err(|error| error.to_string())
}

/// Runs a program that does nothing in the simulator. The error says why this is impossible, and what helps.
fn tried() -> Result<(), (String, String)> {
    let missing = |reason: &str, remedy: &str| Err((reason.to_owned(), remedy.to_owned()));
    if !KNOWN {
        return missing(
            "requests to valgrind are not known for this kind of CPU",
            "count on x86-64 or aarch64",
        );
    }
    let quiet = |command: &mut Command| {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !quiet(Command::new("valgrind").arg("--version")) {
        return missing("valgrind is not installed", "install it (Debian: apt install valgrind)");
    }
    if let Err(message) = made_file() {
        return missing(
            &format!("no file can be made for the counts: {message}"),
            "set TMPDIR to a folder that can be written to",
        );
    }
    let command = command();
    if !quiet(Command::new(&command[0]).args(&command[1..]).arg("true")) {
        let remedy =
            "see that `mktemp` can make a file (TMPDIR), and what `valgrind --tool=callgrind true` says";
        return missing("valgrind is installed, but its tool callgrind does not run", remedy);
    }
    Ok(())
}
