//! The order of names in lists, with numbers in them by their values.

use std::cmp::Ordering;

/// Compares two names as people sort them: `hash3` comes before `hash10`, because 3 is less than 10. Everything
/// else is compared as text. Only equal names are equal: `a1` comes before `a01`.
pub fn natural_order(one: &str, other: &str) -> Ordering {
    let (mut a, mut b) = (one, other);
    while !a.is_empty() && !b.is_empty() {
        let [(first, rest_of_a), (second, rest_of_b)] = [a, b].map(split_part);
        let parts = match (number(first), number(second)) {
            // A number without leading zeros is greater if it has more digits, so none is too long.
            (Some(first), Some(second)) => first.len().cmp(&second.len()).then(first.cmp(second)),
            _ => first.cmp(second),
        };
        if parts.is_ne() {
            return parts;
        }
        (a, b) = (rest_of_a, rest_of_b);
    }
    a.len().cmp(&b.len()).then_with(|| one.len().cmp(&other.len())).then_with(|| one.cmp(other))
}

/// The first number or the first letters of a text that is not empty, and the rest.
fn split_part(text: &str) -> (&str, &str) {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let begins_with_digit = text.starts_with(is_digit);
    text.split_at(text.find(|letter| is_digit(letter) != begins_with_digit).unwrap_or(text.len()))
}

/// The digits of a number without leading zeros; `None` if the part has letters.
fn number(part: &str) -> Option<&str> {
    part.starts_with(|letter: char| letter.is_ascii_digit()).then(|| part.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_ordered_by_value_and_the_rest_as_text() {
        let sorted = [
            "",
            "2block",
            "10block",
            "hash",
            "hash3",
            "hash5",
            "hash10",
            "hash10-b",
            "hash10-b2",
            "hash10-b12",
            "hash20",
            "hashes",
            "hor",
            "hor@2",
            "hor@10",
            "p05",
            "p25",
        ];
        for (i, one) in sorted.iter().enumerate() {
            for (j, other) in sorted.iter().enumerate() {
                assert_eq!(natural_order(one, other), i.cmp(&j), "{one} and {other}");
            }
        }
    }

    #[test]
    fn only_equal_names_are_equal_and_no_number_is_too_long() {
        assert_eq!(natural_order("a1", "a01"), Ordering::Less);
        assert_eq!(natural_order("a0b2", "a00b1"), Ordering::Greater, "the numbers decide first");
        assert_eq!(natural_order("a0", "a"), Ordering::Greater);
        let long = "9".repeat(40);
        assert_eq!(natural_order(&format!("a{long}"), &format!("a1{long}")), Ordering::Less);
    }
}
