//! A run: an experiment, its texts and patterns, the workers that measure, and what comes of it.
//!
//! `experiment` (from flags or a TOML file) -> `text` and `pattern` (seeded, the same for all algorithms) -> `schedule`
//! (who measures what, in which order) -> `worker` (one process for each algorithm; `crew` has them all) -> `journal` (every measurement, as it
//! comes) -> `results` (statistics) -> `table` and `save`.

pub mod campaign;
pub mod counters;
pub mod crew;
pub mod experiment;
pub mod figures;
pub mod journal;
pub mod machine;
pub mod outcome;
pub mod pattern;
pub mod plan;
pub mod results;
pub mod save;
pub mod schedule;
pub mod selection;

pub mod table;
pub mod text;
pub mod trusted;
pub mod worker;
