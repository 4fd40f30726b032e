//! Moments, as files say them.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

/// The present moment. A clock that is set to a year before -9999 or after 9999 shows the first or the last
/// moment of these, because a wrong clock is no reason to measure nothing.
pub fn present() -> Timestamp {
    of_clock(SystemTime::now())
}

/// The moment that a clock shows, or the nearest one that can be written.
fn of_clock(time: SystemTime) -> Timestamp {
    let nearest = if time < UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::try_from(time).unwrap_or(nearest)
}

/// The present moment, to the second, in UTC.
pub fn now() -> String {
    to_second(present())
}

/// A moment to the second, in UTC, such as `2026-01-02T03:04:05Z`.
pub fn to_second(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_that_is_wrong_by_millennia_shows_a_moment() {
        let millennia = Duration::from_secs(10_000 * 365 * 86_400);
        assert_eq!(of_clock(UNIX_EPOCH + millennia), Timestamp::MAX);
        assert_eq!(of_clock(UNIX_EPOCH - 2 * millennia), Timestamp::MIN);
        assert!(to_second(Timestamp::MAX).starts_with("9999-12-"));
    }

    #[test]
    fn a_moment_has_no_fraction_of_a_second() {
        let moment = Timestamp::new(1_767_323_045, 999_999_999).unwrap();
        assert_eq!(to_second(moment), "2026-01-02T03:04:05Z");
        assert_eq!(now().parse::<Timestamp>().unwrap().subsec_nanosecond(), 0);
    }
}
