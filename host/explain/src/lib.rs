//! Why one algorithm is faster than another: a model of times by what twins count.
//!
//! The cost model says that a search takes the sum of what its work costs: each kind of work ([`WorkKind`]) has a cost, which
//! is not negative and the same for all algorithms. [`explain`] fits the costs to cells ([`WorkCell`]), predicts each
//! cell by costs that were fitted without it, and says of each difference that is asked for how much of it these
//! predictions have, and by which kinds of work. [`text`], [`bars`] and [`picture`] show the result.

#![warn(unreachable_pub)]

mod bars;
mod costs;
mod difference;
mod explanation;
mod nnls;
mod picture;
mod quality;
#[cfg(test)]
mod testing;
mod words;
mod work;

pub use bars::bars;
pub use costs::EventCosts;
pub use difference::{AskedDifference, DifferenceModel, ExplainedDifference, Extent};
pub use explanation::{ExplainedCell, Explanation, explain};
pub use picture::picture;
pub use quality::{ENOUGH_ALGORITHMS, ModelQuality};
pub use words::text;
pub use work::{PerWork, WorkCell, WorkKind};
