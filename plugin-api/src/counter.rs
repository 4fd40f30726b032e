//! What the author of a counter backend writes.

use crate::self_test::Check;

/// A source of counts: a clock, the kernel's performance events, a library of counters.
///
/// A value of the type is an *open set* of events. It is made in the process, and by the thread, whose work
/// it counts.
pub trait Backend: Sized + 'static {
    /// Short id, the part before the colon in `--counters perf:task-clock`.
    const ID: &'static str;
    /// One sentence: what it counts, and from where.
    const SUMMARY: &'static str;

    /// The options that [`open`](Backend::open) takes, each with a sentence about it, for example whether the
    /// kernel is counted too.
    const OPTIONS: &'static [(&'static str, &'static str)] = &[];

    /// Names of the parts of the [self-test](Backend::self_test). Each runs in a process of its own, so that a
    /// crash costs the results of one part only.
    const SELF_TESTS: &'static [&'static str] = &[];

    /// Whether [`read`](Backend::read) never panics. It is then called without the guard that turns a panic
    /// into an error, which takes about 5 ns: as long as some counters take themselves. If it panics all the
    /// same, its process ends.
    const READ_NEVER_PANICS: bool = false;

    /// What the backend may do in addition to what every plugin may. The host starts it in a process that can
    /// do nothing else, and shows this to users (`assay plugins info`).
    const ACCESS: Access = Access::NOTHING;

    /// Every event that the backend can list. An event is [`Availability::Available`] only if it was really
    /// opened here a moment ago. For every other event the user reads why it could not be opened, and what
    /// helps.
    fn events() -> Vec<Event>;

    /// The event with this name, which need not be among the listed ones: a backend may know too many to
    /// list, or names that are codes (`r01c2`). The event must have exactly this name. By default it is
    /// looked up among the listed ones.
    ///
    /// # Errors
    /// One sentence, if the backend can't find out.
    fn find(name: &str) -> Result<Option<Event>, String> {
        Ok(Self::events().into_iter().find(|event| event.name == name))
    }

    /// Whether these events can be counted together. By default all events can.
    ///
    /// # Errors
    /// One sentence that says why not.
    fn together(_events: &[&str]) -> Result<(), String> {
        Ok(())
    }

    /// How a program must be started so that its events can be counted. By default it is started as usual.
    ///
    /// # Errors
    /// One sentence.
    fn launcher(_request: &Open<'_>) -> Result<Option<Launcher>, String> {
        Ok(None)
    }

    /// Frequencies of the clock that the counts belong to. By default nothing is known.
    ///
    /// # Errors
    /// One sentence.
    fn clock() -> Result<Clock, String> {
        Ok(Clock::default())
    }

    /// Checks whether this machine counts right, by work whose counts are known: one of
    /// [`SELF_TESTS`](Backend::SELF_TESTS), in a thread that is bound to this CPU. `assay counters selftest`
    /// prints the results.
    ///
    /// # Errors
    /// One sentence, if the part could not be run.
    fn self_test(_part: &str, _cpu: Option<usize>) -> Result<Vec<Check>, String> {
        Ok(Vec::new())
    }

    /// Opens a set of events, without starting it.
    ///
    /// # Errors
    /// One sentence that names the event, says why it can't be counted and what to do. Nothing stays open
    /// then.
    fn open(request: &Open<'_>) -> Result<Self, String>;

    /// Starts counting, from zero.
    ///
    /// # Errors
    /// One sentence.
    fn start(&mut self) -> Result<(), String>;

    /// Reads all events of the set, in the order in which they were opened, without stopping them. It is
    /// called before and after every timed phase, so it must cost no more than [`Event::cost`] says, and must
    /// not print.
    ///
    /// # Errors
    /// One sentence; the counts are then taken as missing.
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String>;

    /// How the host can read the set by itself after this [`start`](Backend::start), which saves a call in each
    /// reading. [`read`](Backend::read) must work all the same, because a host may not know the recipe. By
    /// default there is none.
    fn recipe(&self) -> Option<Recipe> {
        None
    }

    /// Stops counting.
    ///
    /// # Errors
    /// One sentence.
    fn stop(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// How the host reads a set without calling the backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// All events of the set count what [`ticks`](crate::ticks()) reads, from this reading at the start.
    Ticks {
        /// The reading at the start.
        base: u64,
    },
}

/// What a backend may do in addition to what every plugin may: compute, use memory, and read clocks and the
/// kernel's accounts of its own process (`getrusage`).
///
/// ```
/// use assay_plugin_api::Access;
///
/// /// A backend that reads the charge of the battery.
/// const BATTERY: Access = Access { files: &["/sys/class/power_supply"], ..Access::NOTHING };
/// # assert!(!BATTERY.programs && !BATTERY.network && !BATTERY.perf_events);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// It opens performance events of the kernel (`perf_event_open`).
    pub perf_events: bool,
    /// It opens sockets, for example to ask a daemon.
    pub network: bool,
    /// It starts programs, by itself or as a [launcher](Backend::launcher) of workers. These have no sandbox.
    pub programs: bool,
    /// Absolute paths of the files, and of the folders with everything below them, that it reads. Links are
    /// followed when access is granted, so name the folders too to which the links in a folder lead. For the
    /// files of its own process it names `/proc/self`.
    pub files: &'static [&'static str],
}

impl Access {
    /// Nothing more.
    pub const NOTHING: Access = Access { perf_events: false, network: false, programs: false, files: &[] };
}

/// Arguments for opening a set of events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open<'a> {
    /// The events, by name.
    pub events: &'a [&'a str],
    /// Options, each one of [`Backend::OPTIONS`] and a value.
    pub options: &'a [(&'a str, &'a str)],
    /// The CPU that the thread is bound to.
    pub cpu: Option<usize>,
    /// Path of the program that is to be started, if a launcher is wanted.
    pub program: &'a str,
}

impl<'a> Open<'a> {
    /// A set of events, without options.
    pub fn events(events: &'a [&'a str]) -> Self {
        Open { events, ..Open::default() }
    }

    /// Finds each requested event among those that the backend knows, in the requested order. An event may be
    /// requested twice.
    ///
    /// # Errors
    /// A sentence that names the unknown event, and all known ones.
    pub fn select<'k, E>(
        &self,
        backend: &str,
        known: &'k [E],
        name: fn(&E) -> &str,
    ) -> Result<Vec<&'k E>, String> {
        let find = |wanted: &&str| {
            known.iter().find(|event| name(event) == *wanted).ok_or_else(|| {
                let names: Vec<&str> = known.iter().map(name).collect();
                format!("{backend} has no event `{wanted}`: choose from {}", names.join(", "))
            })
        };
        self.events.iter().map(find).collect()
    }
}

/// The error message of [`Backend::open`] for an event that exists but can't be counted here.
pub fn cannot_count(backend: &str, event: &str, reason: &str, remedy: &str) -> String {
    format!("{backend}:{event} can't be counted here: {reason}; {remedy}")
}

/// How a program is started so that its events can be counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launcher {
    /// The command before the program.
    pub command: Vec<String>,
    /// Variables of the environment, by name and value.
    pub environment: Vec<(String, String)>,
}

/// Frequencies of a clock, in hertz.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// The frequency that the system reports.
    pub reported_hz: Option<f64>,
    /// The frequency that was measured.
    pub measured_hz: Option<f64>,
}

/// An event that a backend knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The name after the colon.
    pub name: String,
    /// Unit of the counts: `ns`, `cycles`, `events`, `bytes` ..
    pub unit: String,
    /// One sentence: what is counted.
    pub summary: String,
    /// How its counts are to be read.
    pub semantics: Semantics,
    /// Whose work it counts.
    pub scope: Scope,
    /// What a reading costs.
    pub cost: Cost,
    /// Time between two changes of the count, in nanoseconds; 0 if every reading may differ, or if it is
    /// unknown.
    pub grain_ns: u64,
    /// Whether it can be counted here, now.
    pub availability: Availability,
}

impl Event {
    /// A counter of the thread's work that a system call reads, and that can be counted here.
    pub fn new(name: &str, unit: &str, summary: &str) -> Self {
        Event {
            name: name.to_owned(),
            unit: unit.to_owned(),
            summary: summary.to_owned(),
            semantics: Semantics::Counter,
            scope: Scope::Thread,
            cost: Cost::SystemCall,
            grain_ns: 0,
            availability: Availability::Available,
        }
    }
}

/// What a reading of an event costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Reading a register, or memory that the kernel shares: some 20 ns.
    Register,
    /// A system call: up to some microseconds.
    SystemCall,
    /// More than that: parsing a file, or asking a daemon.
    Slow,
}

/// How counts of an event are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// It only grows: the difference of two readings is the cost of a phase.
    Counter,
    /// A level at the moment of reading: differences mean nothing, the later reading is the result.
    Instant,
}

/// Whose work an event counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The thread that opened it.
    Thread,
    /// All threads of the process.
    Process,
    /// Whatever runs on one core.
    Core,
    /// The whole system.
    System,
}

/// Whether an event can be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// It was opened here.
    Available,
    /// It could not be opened.
    Missing {
        /// Why, in plain words.
        reason: String,
        /// What the user can do about it.
        remedy: String,
    },
}

pub use assay_abi::counter::EventCount;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_event_is_named_with_the_known_ones() {
        let known = ["ns", "thread-ns"];
        let select = |events| Open::events(events).select("clock", &known, |event| event);
        assert_eq!(select(&["thread-ns", "ns"]), Ok(vec![&"thread-ns", &"ns"]));
        assert_eq!(select(&["ns", "ms"]).unwrap_err(), "clock has no event `ms`: choose from ns, thread-ns");
    }

    /// A backend with nothing but the required items.
    struct Plain;

    impl Backend for Plain {
        const ID: &'static str = "plain";
        const SUMMARY: &'static str = "Two events.";
        fn events() -> Vec<Event> {
            vec![Event::new("a", "ns", "A time."), Event::new("b", "events", "A count.")]
        }
        fn open(_: &Open<'_>) -> Result<Self, String> {
            Ok(Plain)
        }
        fn start(&mut self) -> Result<(), String> {
            Ok(())
        }
        fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
            counts.fill(EventCount::complete(1.0));
            Ok(())
        }
    }

    #[test]
    fn a_backend_that_says_no_more_finds_its_listed_events_and_is_started_as_ever() {
        let found = |name| Plain::find(name).unwrap().map(|event| event.summary);
        assert_eq!([found("b"), found("c")], [Some("A count.".to_owned()), None]);
        assert_eq!(
            (Plain::together(&["a", "b"]), Plain::launcher(&Open::events(&["a"]))),
            (Ok(()), Ok(None))
        );
        assert_eq!(Plain::ACCESS, Access::NOTHING);
        assert_eq!((Plain::clock(), Plain.stop(), Plain.recipe()), (Ok(Clock::default()), Ok(()), None));
    }

    #[test]
    fn what_cannot_be_counted_is_said_with_its_reason_and_remedy() {
        let sentence = cannot_count("x", "y", "it is missing", "use z");
        assert_eq!(sentence, "x:y can't be counted here: it is missing; use z");
    }
}
