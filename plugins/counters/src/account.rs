//! Events for the accounts that the kernel keeps of each thread.

use assay_plugin_api::{Availability, Event};
use nix::time::{ClockId, clock_getres};

/// An account, with its place in a reading of the kernel.
pub struct Account<Place: 'static> {
    pub name: &'static str,
    pub unit: &'static str,
    pub summary: &'static str,
    /// Whether it may move in ticks of the scheduler, and not with each event.
    pub in_ticks: bool,
    pub place: Place,
}

/// The accounts as events, of which all can be counted or none.
pub fn events<Place>(accounts: &[Account<Place>], availability: &Availability) -> Vec<Event> {
    let event = |account: &Account<Place>| Event {
        availability: availability.clone(),
        grain_ns: if account.in_ticks { tick_ns() } else { 0 },
        ..Event::new(account.name, account.unit, account.summary)
    };
    accounts.iter().map(event).collect()
}

/// Length of a tick of the scheduler: the coarse clock moves once in each tick.
fn tick_ns() -> u64 {
    let tick = clock_getres(ClockId::CLOCK_MONOTONIC_COARSE);
    tick.map_or(0, |tick| tick.tv_sec().unsigned_abs() * 1_000_000_000 + tick.tv_nsec().unsigned_abs())
}
