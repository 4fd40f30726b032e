//! The facts of a run in words: its texts and design, the conditions of the measurement, what disturbed it,
//! and what its time went to.

mod conditions;
mod design;
mod remarks;
mod stopping;
mod time_spent;

pub use conditions::{conditions, simulation_note, unusual_conditions};
pub use design::{calls, design, lengths, text_of_call};
pub(crate) use remarks::impossible;
pub use remarks::{remarks, remarks_on_counts};
pub use stopping::{rounds, stopping, values_without_interval};
pub use time_spent::{time_spent, time_spent_in_words};

/// Two numbers that may be equal: `10`, or `10 to 63`.
pub fn from_to((least, greatest): (usize, usize)) -> String {
    if least == greatest { greatest.to_string() } else { format!("{least} to {greatest}") }
}
