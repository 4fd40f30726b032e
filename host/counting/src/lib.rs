//! Counters: the events of all backends, the costs of reading them, sets of events, and checks of clocks.

#![warn(unreachable_pub)]

mod backend_events;
pub mod clocks;
mod cost;
mod cost_table;
mod event_facts;
mod events;
mod launcher;
mod list;
mod names;
mod rehearsal;
mod self_test;
mod self_test_table;
pub mod sets;

pub use backend_events::{BackendEvents, MULTIPLEX, permissions};
pub use cost::{ReadingCost, TITLES, csv, in_fresh_process, serve as serve_cost};
pub use cost_table::{BackendCost, SetCost, cost_table, of_backend};
pub use event_facts::EventFacts;
pub use events::{Events, KnownEvent, serve as serve_events};
pub use launcher::{launch_for, serve as serve_launcher};
pub use list::{known, list, table, whose};
pub use names::split;
pub use rehearsal::{rehearse, rehearse_twice, serve as serve_rehearsal};
pub use self_test::{PartResult, backends, self_test, serve as serve_self_test};
pub use self_test_table::{self_test_list, self_test_summary, self_test_table};
