//! Everything that the author of an assay plugin needs.
//!
//! assay is a laboratory for exact string-search algorithms: a host that measures, and *plugins* for
//! everything that computes. A plugin is a shared library, built from a crate with this one as its only
//! dependency; the host finds it in a folder. Nothing has to be changed or rebuilt but the plugin itself.
//!
//! Use this crate to add one of the things in the table below, or to [search with an
//! algorithm](#use-an-algorithm-in-a-program) in a program of your own. To *measure* them you need the program
//! `assay` (`assay help`), or the library of the same name if you embed it.
//!
//! # The six kinds
//!
//! | kind | what the host asks of it | you write | it is chosen by |
//! | --- | --- | --- | --- |
//! | algorithm | prepare for a pattern, then find it in a text | a type with [`Algorithm`] | `assay run ID` |
//! | counter backend | which events it can count here, and their counts | a type with [`Backend`] | `--counters ID:EVENT` |
//! | metric | a quantity, from times, counts and context | a [`Metric`] | `--metric ID` |
//! | statistic | one number (or a few) for many | a [`Statistic`] | `assay report --stat ID` |
//! | merger | one table, from sub-experiments that each counted a part | a [`Merger`] | `assay merge ID` |
//! | corpus | a text of any length, from a seed | a [`Corpus`] | `--corpus ID` |
//!
//! Each is registered where it is defined, with [`register!`]; there is no entry point to write. A library
//! may hold any number of things of any kinds. Ids are lower case, unique within their kind, and stay as they
//! are once published.
//!
//! # A plugin from nothing
//!
//! `Cargo.toml`, the same for every kind:
//!
//! ```toml
//! [package]
//! name = "my-plugin"
//! version = "0.1.0"
//! edition = "2024"
//!
//! [lib]
//! crate-type = ["cdylib"]
//!
//! [dependencies]
//! assay-plugin-api = { path = "../assay/plugin-api" }
//! ```
//!
//! `src/lib.rs` is any of the examples below, each of them complete. Then
//!
//! ```text
//! cargo build --release
//! assay plugins check target/release/libmy_plugin.so
//! assay list --plugin-dir target/release
//! ```
//!
//! says what the library brings, or why it can't be used.
//!
//! If your algorithms are to be timed, put these lines into `.cargo/config.toml` beside `Cargo.toml`. The
//! first makes every function begin at a multiple of 64 bytes, because times otherwise change by up to 20 %
//! with the placement of functions. The second compiles the library in one piece; in several, a copy of one
//! of our algorithms took 16 to 22 % more time. The third optimises the tests a little, because tests of
//! algorithms search very many texts and otherwise take ten times as long.
//!
//! ```toml
//! [build]
//! rustflags = ["-C", "llvm-args=-align-all-functions=6"]
//!
//! [profile.release]
//! codegen-units = 1
//!
//! [profile.dev]
//! opt-level = 1
//! ```
//!
//! ## An algorithm
//!
//! An algorithm is written once, and assay makes two of it: `backward`, which is timed, and `stat_backward`,
//! which counts what the first one does (see [below](#one-source-three-readings)). Without the last line
//! there is no second.
//!
//! ```
//! //! Compares every window from its last byte to its first.
//! use assay_plugin_api::prelude::*;
//!
//! #[derive(Default)]
//! struct Backward;
//!
//! impl Algorithm for Backward {
//!     const ABOUT: About = About {
//!         id: "backward",
//!         name: "Backward brute force",
//!         reference: Reference::FOLKLORE,
//!         idea: "Compares every window from its last byte to its first.",
//!         ..About::UNKNOWN
//!     };
//!
//!     fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
//!         let m = pattern.len();
//!         let mut s = 0;
//!         probe.writes(1);
//!         while probe.branch(s + m <= text.len()) {
//!             let mut left = m;
//!             probe.writes(1);
//!             while probe.branch(left > 0 && pattern.at(left - 1) == text.at(s + left - 1)) {
//!                 left -= 1;
//!                 probe.writes(1);
//!             }
//!             if probe.verify(left == 0) {
//!                 found.at(s);
//!             }
//!             s += 1;
//!             probe.writes(1);
//!             probe.jump();
//!         }
//!     }
//! }
//!
//! register!(algorithm Backward);
//! register!(twins Too);
//! # use assay_plugin_api::{Counters, Counting, Field, Positions};
//! # let (counters, mut buffer) = (Counters::default(), [0; 4]);
//! # let (probe, mut found) = (Counting::new(&counters), Positions::new(&mut buffer));
//! # Backward.search(Pattern::new(b"aba", probe), Text::new(b"ababac", probe), &mut found, probe);
//! # assert_eq!((found.found(), counters.get(Field::Verifications), &buffer[..2]), (2, 4, &[0, 2][..]));
//! # assert_eq!((counters.get(Field::Writes), counters.get(Field::Branches)), (1 + 4 + 6 + 4, 5 + 10 + 4));
//! ```
//!
//! Tables are filled in [`prepare`](Algorithm::prepare), and are a [`ByteTable`], a [`HashTable`] or a
//! [`Table`]. What the algorithm can't search, or must have around the text, it declares in [`Needs`]. The
//! publication that it comes from is a [`Reference`]: `assay bibtex` prints it.
//!
//! ## A counter backend
//!
//! ```
//! use std::time::Instant;
//!
//! use assay_plugin_api::{Backend, Event, EventCount, Open, Scope, register};
//!
//! struct Stopwatch(Instant);
//!
//! impl Backend for Stopwatch {
//!     const ID: &'static str = "stopwatch";
//!     const SUMMARY: &'static str = "Time by the clock of Rust's standard library.";
//!
//!     fn events() -> Vec<Event> {
//!         vec![Event { scope: Scope::System, ..Event::new("us", "us", "Time that has passed.") }]
//!     }
//!
//!     fn open(request: &Open<'_>) -> Result<Self, String> {
//!         request.select(Self::ID, &["us"], |event| event)?;
//!         Ok(Stopwatch(Instant::now()))
//!     }
//!
//!     fn start(&mut self) -> Result<(), String> {
//!         self.0 = Instant::now();
//!         Ok(())
//!     }
//!
//!     fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
//!         counts.fill(EventCount::complete(self.0.elapsed().as_secs_f64() * 1e6));
//!         Ok(())
//!     }
//! }
//!
//! register!(backend Stopwatch);
//! # let mut counts = [EventCount::default(); 2];
//! # let mut stopwatch = Stopwatch::open(&Open::events(&["us", "us"])).unwrap();
//! # stopwatch.start().unwrap();
//! # stopwatch.read(&mut counts).unwrap();
//! # assert_eq!((counts[0], counts[0].running), (counts[1], counts[0].enabled));
//! # assert!(Stopwatch::open(&Open::events(&["ms"])).is_err());
//! ```
//!
//! An event is available only if it was really opened a moment ago. For one that is not, users read why and
//! what helps ([`Availability::Missing`]). Everything else is optional: events that are not listed
//! ([`Backend::find`]), options, what the backend may do in addition to computing ([`Access`]), events that can't be counted together, how a program must be started, how
//! fast the backend's clock runs. The host of this version uses only the first of these.
//!
//! ## A metric
//!
//! A metric names its inputs (see [`inputs`]) and is not evaluated if one of them is missing. [`formula!`]
//! makes the text that readers see and the function that computes it of one formula.
//!
//! ```
//! use assay_plugin_api::inputs::{OCCURRENCES, TEXT_LENGTH};
//! use assay_plugin_api::{Metric, formula, register};
//!
//! register!(metric Metric {
//!     id: "bytes_per_match",
//!     unit: "bytes",
//!     summary: "Text between one occurrence and the next.",
//!     ..formula!(|text_length: TEXT_LENGTH, occurrences: OCCURRENCES| text_length, over occurrences)
//! });
//! ```
//!
//! ## A statistic
//!
//! ```
//! use assay_plugin_api::{Statistic, register};
//!
//! register!(statistic Statistic {
//!     id: "first",
//!     summary: "The first measurement, before anything was warm.",
//!     reduce: |values| vec![values[0]],
//!     ..Statistic::UNKNOWN
//! });
//! ```
//!
//! ## A merger
//!
//! ```
//! use std::collections::HashSet;
//!
//! use assay_plugin_api::{Merged, Merger, register};
//!
//! register!(merger Merger {
//!     id: "paste",
//!     summary: "Puts the blocks side by side, row by row, as if they had been measured together.",
//!     merge: |blocks, _| {
//!         let rows = blocks.iter().map(|block| block.rows()).min().ok_or("there is no block to merge")?;
//!         let mut columns: Vec<_> = blocks.into_iter().flat_map(|block| block.columns).collect();
//!         // An event that several blocks count is taken from the first.
//!         let mut names = HashSet::new();
//!         columns.retain(|column| names.insert(column.name.clone()));
//!         for column in &mut columns {
//!             column.values = column.values[..rows].iter().copied().collect();
//!         }
//!         Ok(Merged { columns, ..Merged::default() })
//!     },
//!     ..Merger::UNKNOWN
//! });
//! ```
//!
//! ## A corpus
//!
//! ```
//! use assay_plugin_api::{Corpus, register};
//!
//! register!(corpus Corpus {
//!     id: "thue-morse",
//!     summary: "The Thue-Morse word over a and b, from the position that the seed says.",
//!     reference: "A. Thue, 1906",
//!     generate: |request, text| {
//!         for (i, byte) in (0..).zip(text) {
//!             *byte = b'a' + (request.seed.wrapping_add(i).count_ones() % 2) as u8;
//!         }
//!         Ok(())
//!     },
//!     ..Corpus::UNKNOWN
//! });
//! ```
//!
//! # Use an algorithm in a program
//!
//! A [`Finder`] searches with an algorithm, in any text, without assay. `assay info ID` prints the lines for
//! each algorithm, for example `assay info bndmq4`:
//!
//! ```text
//! use assay_bitparallel::bndm_like::bndmq::Bndmq;
//! let finder = assay_plugin_api::Finder::<Bndmq<4>>::new(pattern)?;
//! let count = finder.count(text);
//! ```
//!
//! The program depends on this crate and on that of the algorithm, which lies in `plugins/` of the project:
//!
//! ```toml
//! [dependencies]
//! assay-plugin-api = { path = "../assay/plugin-api" }
//! assay-bitparallel = { path = "../assay/plugins/bitparallel" }
//! ```
//!
//! | crate | its algorithms |
//! | --- | --- |
//! | `assay-automata` | automata and factor oracles |
//! | `assay-bitparallel` | bit-parallel ones: Shift-Or, BNDM |
//! | `assay-comparison` | compare characters: Boyer-Moore, Horspool, Two-Way |
//! | `assay-engines` | the searches of libraries, such as memchr's |
//! | `assay-hashing` | hash the window or its q-grams |
//! | `assay-hybrid` | change between two others |
//! | `assay-own` | our own search and its methods |
//! | `assay-packed` | compare many characters with one instruction |
//!
//! An algorithm of your own is used in the same way, if the `crate-type` of its crate is `["cdylib", "rlib"]`,
//! and type and modules are `pub`. [`Finder`] says what it costs beside the bare search. A program that wants
//! the fastest search and not a certain one takes the crate `assay-finder`, whose `Finder` has the same
//! methods and needs no preparation.
//!
//! # One source, three readings
//!
//! An algorithm reads text, pattern and tables through views, passes its conditions through a [`Probe`], and
//! reports its writes and jumps to the probe. The compiler makes three *readings* of that one source. With
//! [`Off`] the probe disappears, and the machine code is that of an algorithm written by hand: this reading
//! is timed. [`Counting`] counts every read, branch and write: it is the `stat_` twin, and can't drift from
//! the algorithm because it *is* the algorithm. [`Checked`] checks the bounds of every read, even of those
//! that the algorithm has declared proved (`at_unchecked`): tests run it. [`Field`] says what is counted;
//! [`probe`] says how to write an algorithm for it.
//!
//! # Rules for all kinds
//!
//! * **Memory.** Text, pattern and lists belong to the host, and you may use them until the call returns; a
//!   merger may also change its blocks. What you keep (a searcher's tables, an open set of events) is created
//!   and dropped on your side; neither side frees memory of the other. After the text there is as much slack
//!   as [`Needs`] asks for, and not a byte more may be touched. A library is never unloaded.
//! * **Panics** do not cross the boundary. They are caught there, and the message becomes the error of that
//!   one row. This needs `panic = "unwind"`, which is the default. With `abort` the process that measured
//!   dies, and the run goes on without it.
//! * **Threads.** A searcher and an open set of events belong to one thread at a time, a set to the thread
//!   that opened it. The functions of the other kinds may be called from several threads at once. Leave no
//!   thread running after a call returns. Don't print, because standard output belongs to the host.
//! * **Determinism.** The same input gives the same answer, whatever was prepared or merged before. A corpus
//!   gives the same bytes on every machine, so use a random generator whose values are guaranteed.
//! * **Missing is missing.** What was not counted is not 0: a metric answers `None`, a statistic an empty
//!   list, an event its reason. An algorithm refuses a pattern that it can't search with [`CannotSearch`],
//!   because the host checks every count that it answers.
//! * **Occurrences** count wherever they start, overlapping ones too. The host never passes a text that is
//!   shorter than the pattern.
//! * **Errors** are one sentence for a user: what is wrong, where (by name), and what to do.
//!
//! # Testing
//!
//! `cargo test` works in a plugin crate as in any other. [`register!`] brings a test of each algorithm
//! ([`testing`] says what it tries). The values and functions of the other kinds can be called directly. Try
//! the built library as well: `assay plugins check` loads it as a run does.
//!
//! # Stability
//!
//! The boundary has a version of its own, that of the crate `assay-abi`, which is independent of this crate's
//! version. A built plugin works with every host of the same major version of `assay-abi`. No plugin needs to
//! name that crate.
#![deny(missing_docs)]

mod algorithm;
mod corpus;
mod counter;
mod cpu;
mod export;
mod finder;
mod found;
mod kept;
mod measurements;
mod merger;
mod metric;
pub mod probe;
mod reference;
mod register;
mod registry;
mod self_test;
mod statistic;
mod status;
mod table;
pub mod testing;
mod trace;
mod view;

pub use assay_abi::ticks::ticks;

pub use algorithm::{About, Algorithm, CannotSearch, Hints, Needs};
pub use corpus::{Corpus, Request};
pub use counter::{
    Access, Availability, Backend, Clock, Cost, Event, EventCount, Launcher, Open, Recipe, Scope, Semantics,
    cannot_count,
};
pub use finder::{FindIter, Finder};
pub use found::{Count, Found, Positions};
pub use kept::{Kept, KeptGram};
pub use measurements::{Counters, EXTRA_FIELDS, EXTRA_NAME_LENGTH, FIELDS, Field, Measurements};
pub use merger::{Block, Cells, Column, Merged, Merger, Options, Sheet, Values};
pub use metric::{Metric, inputs};
pub use probe::{Checked, Counting, Off, Probe};
pub use reference::Reference;
pub use self_test::{Check, Verdict};
pub use statistic::Statistic;
pub use status::{Formerly, Status};
pub use table::{ByteTable, ByteTableView, Entries, HashTable, HashTableView, Number, Table, TableView};
pub use view::{Pattern, Text};

/// What the file of an algorithm needs, in one line: `use assay_plugin_api::prelude::*;`.
pub mod prelude {
    pub use crate::{
        About, Algorithm, ByteTable, CannotSearch, Formerly, Found, HashTable, Hints, Needs, Off, Pattern,
        Probe, Reference, Status, Table, TableView, Text, register,
    };
}

/// What [`register!`] expands to; not for use by hand.
#[doc(hidden)]
pub mod private {
    pub use crate::export::{export_corpus, export_merger, export_metric, export_statistic};
    pub use crate::registry::{Identity, Item, Registered, Registration, Twins, Variant};
    pub use inventory;
}
