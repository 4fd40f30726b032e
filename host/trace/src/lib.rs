//! What an algorithm does in a search, event by event.
//!
//! [`record`] lets the twin of an algorithm search in a child process, and records its events ([`TraceEvent`]). [`attempts`] groups
//! them by the moves of the window, as handbooks show a search, [`render`] writes that as text, [`picture`] draws it, and [`player`] makes a page of it. The events, added
//! up, are the counts of the twin: [`totals`].

#![warn(unreachable_pub)]

mod attempts;
pub mod child;
mod event;
mod picture;
mod player;
mod record;
mod recording;
mod render;
mod tables;
mod totals;
mod windows;

pub use attempts::{ComparedPair, Lookup, ReportedOccurrence, TextRead, TracedAttempt, attempts};
pub use event::{EntryKind, TraceEvent, events};
pub use picture::picture;
pub use player::{NamedTrace, PLAYER_SCRIPT, empty_player, player, traces_json};
pub use record::{Ending, Trace, TracedTwin, record};
pub use render::{render, signs};
pub use tables::{FilledTable, tables};
pub use totals::{SearchResult, contradiction, totals};
