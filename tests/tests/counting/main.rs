//! Counters, the backends that read them, and what instrumented algorithms count.

mod cachegrind;
mod counters;
mod counting_faults;
mod counts;
mod event_sets;
mod papi;
mod pcp;
mod recorded_counts;
mod trace;
