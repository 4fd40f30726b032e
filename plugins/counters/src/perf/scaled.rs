//! Scales up the counts of groups that take turns.

use assay_plugin_api::EventCount;

/// The counts of an event since the start, scaled up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scaled {
    total: f64,
    estimated: bool,
    /// The last reading that was taken into account.
    count: u64,
    enabled: u64,
    running: u64,
}

impl Scaled {
    /// Adds a reading. Each stretch between two readings is scaled by itself, because the rate in one phase
    /// says nothing about another. There is no count if the event has not run since the last reading.
    #[inline]
    pub fn reading(&mut self, count: u64, enabled: u64, running: u64) -> EventCount {
        let counted = count.wrapping_sub(self.count);
        let (meant, ran) = (enabled.wrapping_sub(self.enabled), running.wrapping_sub(self.running));
        if ran == 0 && meant > 0 {
            return EventCount { enabled, running, ..EventCount::missing() };
        }
        if ran < meant {
            self.total += counted as f64 * (meant as f64 / ran as f64);
            self.estimated = true;
        } else {
            self.total += counted as f64;
        }
        (self.count, self.enabled, self.running) = (count, enabled, running);
        let flags = if self.estimated { EventCount::SCALED } else { 0 };
        EventCount { value: self.total, enabled, running, flags }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_a_part_of_the_time_is_scaled_and_says_so() {
        let mut event = Scaled::default();
        let complete = EventCount { value: 100.0, enabled: 10, running: 10, flags: 0 };
        assert_eq!(event.reading(100, 10, 10), complete);
        let half = EventCount { value: 300.0, enabled: 20, running: 15, flags: EventCount::SCALED };
        assert_eq!(event.reading(200, 20, 15), half);
        let exact_again = EventCount { value: 301.0, enabled: 30, running: 25, flags: EventCount::SCALED };
        assert_eq!(event.reading(201, 30, 25), exact_again);
    }

    #[test]
    fn an_event_that_had_no_turn_has_no_count_and_the_next_turn_stands_for_that_time_too() {
        let mut event = Scaled::default();
        assert_eq!(event.reading(100, 10, 10).value, 100.0);
        let missing = event.reading(100, 20, 10);
        assert_eq!((missing.flags, missing.enabled, missing.running), (EventCount::MISSING, 20, 10));
        assert_eq!(event.reading(150, 30, 20).value, 200.0);
    }

    #[test]
    fn two_readings_at_once_agree() {
        let mut event = Scaled::default();
        assert_eq!(event.reading(5, 0, 0), EventCount { value: 5.0, ..EventCount::default() });
        assert_eq!(event.reading(5, 0, 0).value, 5.0);
    }
}
