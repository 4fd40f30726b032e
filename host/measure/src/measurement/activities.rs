//! What the time of a measurement goes to.

use std::time::Duration;

use assay_base::columns::Call;
use assay_store::Activity;

use crate::worker::BatchResult;

pub(super) const SET_UP: Activity = |spent| &mut spent.set_up_ns;
pub(super) const COUNTING: Activity = |spent| &mut spent.counting_ns;
pub(super) const WORKERS: Activity = |spent| &mut spent.workers_ns;
pub(super) const WRITING: Activity = |spent| &mut spent.writing_ns;
/// Gets the time between all others.
pub(super) const REST: Activity = |spent| &mut spent.rest_ns;

/// The activities of a batch whose times are known. Those of the rows are by the clock of the host, also of an
/// algorithm that takes its own times.
pub(super) fn activities_of_batch(result: &BatchResult) -> [(Activity, Duration); 4] {
    let all = |call: Call| {
        let times = result.rows.iter().map(|row| row.call(call).ns);
        Duration::from_nanos(times.fold(0, u64::saturating_add))
    };
    [
        (WORKERS, result.starting),
        (|spent| &mut spent.warmup_ns, result.warmup),
        (|spent| &mut spent.preparing_ns, all(Call::Prepare)),
        (|spent| &mut spent.searching_ns, all(Call::Search)),
    ]
}
