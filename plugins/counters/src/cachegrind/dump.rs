//! Reads the files of callgrind: names of counts after `events:`, their sums after `summary:` ("Callgrind
//! Format Specification").

/// The names of the counts of callgrind when it simulates caches and branches.
pub const COLUMNS: [&str; 13] =
    ["Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim"];

/// The counts of a part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dump {
    /// In the order of [`COLUMNS`].
    pub counts: [u64; COLUMNS.len()],
}

impl Dump {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is no file of callgrind, or if a count is missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let line = |head| text.lines().rev().find_map(|line| line.strip_prefix(head));
        let (Some(names), Some(sums)) = (line("events:"), line("summary:").or_else(|| line("totals:")))
        else {
            return Err("cachegrind: valgrind has written no counts".to_owned());
        };
        // Callgrind leaves out zeros at the end.
        let sums = sums.split_whitespace().chain(std::iter::repeat("0"));
        let mut counts = [None; COLUMNS.len()];
        for (name, sum) in names.split_whitespace().zip(sums) {
            if let Some(column) = COLUMNS.iter().position(|column| *column == name) {
                counts[column] = sum.parse().ok();
            }
        }
        match counts.iter().position(Option::is_none) {
            Some(missing) => Err(format!("cachegrind: valgrind has not counted {}", COLUMNS[missing])),
            None => Ok(Dump { counts: counts.map(Option::unwrap_or_default) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: &str = "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n";

    #[test]
    fn counts_stand_under_their_names_and_trailing_zeros_are_left_out() {
        let text = format!("version: 1\n{EVENTS}fn=f\n0 1 2\nsummary: 1 2 3 4 5 6 7 8 9 10\n");
        assert_eq!(Dump::parse(&text).unwrap().counts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0]);
    }

    #[test]
    fn what_was_not_counted_is_no_zero() {
        for text in ["", EVENTS, "summary: 1\n", "events: Ir Dr\nsummary: 1 2\n", "events: Ir\nsummary: x\n"]
        {
            assert!(Dump::parse(text).is_err(), "{text}");
        }
    }
}
