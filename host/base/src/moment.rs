//! Moments, as files say them.

use jiff::Timestamp;

/// The present moment, to the second, in UTC.
pub fn now() -> String {
    to_second(Timestamp::now())
}

/// A moment to the second, in UTC, such as `2026-01-02T03:04:05Z`.
pub fn to_second(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_no_fraction_of_a_second() {
        let moment = Timestamp::new(1_767_323_045, 999_999_999).unwrap();
        assert_eq!(to_second(moment), "2026-01-02T03:04:05Z");
        assert_eq!(now().parse::<Timestamp>().unwrap().subsec_nanosecond(), 0);
    }
}
