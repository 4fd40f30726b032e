//! What an author of a counter backend writes.

/// A source of counts: a clock, the kernel's performance events, a library of counters.
///
/// A value of the type is an *open set* of events, made in the process and by the thread whose work it counts.
pub trait Backend: Sized + 'static {
    /// Short id, the part before the colon in `--counters perf:task-clock`.
    const ID: &'static str;
    /// One sentence: what it counts, and from where.
    const SUMMARY: &'static str;

    /// Every event that the backend knows. An event is [`Availability::Available`] only if it was really opened here a
    /// moment ago; of the others the user reads why not, and what helps.
    fn events() -> Vec<Event>;

    /// Opens a set of events, by name, without starting it.
    ///
    /// # Errors
    /// One sentence that names the event, says why it can't be counted and what to do. Nothing stays open then.
    fn open(events: &[&str]) -> Result<Self, String>;

    /// Opens a set of events with options that only some backends know, by name and value: whether the kernel is counted
    /// too, say. By default there are none.
    ///
    /// # Errors
    /// As [`open`](Backend::open), and one sentence that names an option that the backend does not know.
    fn open_with(events: &[&str], options: &[(&str, &str)]) -> Result<Self, String> {
        match options.first() {
            Some((name, _)) => Err(format!("{} knows no option {name}", Self::ID)),
            None => Self::open(events),
        }
    }

    /// Starts counting, from zero.
    ///
    /// # Errors
    /// One sentence.
    fn start(&mut self) -> Result<(), String>;

    /// Reads all events of the set, in the order of [`open`](Backend::open), without stopping them. It is called between
    /// two clock readings: it must not allocate, lock or print.
    ///
    /// # Errors
    /// One sentence; the counts are then taken as missing.
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String>;

    /// Stops counting.
    ///
    /// # Errors
    /// One sentence.
    fn stop(&mut self) -> Result<(), String>;
}

/// An event that a backend knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The name after the colon. Must not hold a comma.
    pub name: String,
    /// Unit of the counts: `ns`, `cycles`, `events`, `bytes` ..
    pub unit: String,
    /// One sentence: what is counted.
    pub summary: String,
    /// How its counts are to be read.
    pub semantics: Semantics,
    /// Whose work it counts.
    pub scope: Scope,
    /// Whether it can be counted here, now.
    pub availability: Availability,
}

/// How counts of an event are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Semantics {
    /// It only grows: what a phase cost is the difference of two readings.
    Counter = 0,
    /// A level at the moment of reading: differences mean nothing, the later reading is the result.
    Instant = 1,
}

/// Whose work an event counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Scope {
    /// The thread that opened it.
    Thread = 0,
    /// All threads of the process.
    Process = 1,
    /// Whatever runs on one core.
    Core = 2,
    /// The whole system.
    System = 3,
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

/// One reading of one event, since [`Backend::start`].
///
/// Where an event did not count all the time, `running` is less than `enabled`; where it never did, `running` is 0 and
/// `value` means nothing. A backend whose events always count leaves both equal.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EventCount {
    /// The count, as it was read: not scaled. Exact up to 2^53.
    pub value: f64,
    /// For how long the event was meant to count, in the backend's own unit of time.
    pub enabled: u64,
    /// For how long it did count, in the same unit.
    pub running: u64,
}

impl EventCount {
    /// A count of an event that counts all the time.
    pub fn complete(value: f64) -> Self {
        EventCount { value, enabled: 1, running: 1 }
    }
}
