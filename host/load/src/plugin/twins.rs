//! The ids of twins. The id of a twin follows from that of its algorithm, so that two libraries that bring a
//! twin of the same algorithm bring the same id, and neither is used.

/// The id of an algorithm's instrumented twin: that of `hor` is `stat_hor`, that of `other:hor` is
/// `other:stat_hor`.
pub fn twin_id(id: &str) -> String {
    match id.split_once(':') {
        Some((prefix, id)) => format!("{prefix}:stat_{id}"),
        None => format!("stat_{id}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_of_an_id_stays_in_front() {
        assert_eq!(
            (twin_id("hor"), twin_id("other:hor")),
            ("stat_hor".to_owned(), "other:stat_hor".to_owned())
        );
    }
}
