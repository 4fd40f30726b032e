//! Measuring. `schedule` decides the order of blocks, `measurement` passes them to the workers of the `pool`
//! and checks every count against the `reference`, and `stopping` decides when a run ends. A `worker` is a
//! process for one algorithm.

#![warn(unreachable_pub)]

pub mod collect;
pub(crate) mod cpu_lock;
pub mod measurement;
pub mod placement;
pub(crate) mod pool;
pub mod reference;
pub(crate) mod schedule;
mod stopping;
pub mod worker;

pub use measurement::{EarlierParts, Measurement, MeasurementStep, Outcomes};
pub use pool::{Pool, counter_setups};
pub use reference::ReferenceCounts;
pub use schedule::LARGEST_BLOCK;
