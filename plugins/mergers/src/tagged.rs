//! Sorts values with a tag each, by value and then by tag. Tags are rows of a column, or blocks of pooled
//! counts.

/// Greatest distance of two counts that fits into a word together with a tag.
const SPAN: f64 = (1u64 << 32) as f64;

/// Sorted values.
pub enum Sorted {
    /// Whole numbers: the difference from the least one in the upper bits and the tag in the lower ones.
    /// Words are sorted several times as fast.
    Counts {
        /// The least value.
        least: f64,
        /// The words, sorted.
        words: Vec<u64>,
    },
    /// Other values, sorted.
    Any(Vec<(f64, u32)>),
}

impl Sorted {
    /// Sorts finite values with their tags.
    pub fn new(tagged: impl Iterator<Item = (f64, u32)> + Clone) -> Self {
        let bounds = (f64::INFINITY, f64::NEG_INFINITY, true);
        let (least, greatest, whole) = tagged.clone().fold(bounds, |(least, greatest, whole), (value, _)| {
            (least.min(value), greatest.max(value), whole & (value as i64 as f64 == value))
        });
        if whole && greatest - least < SPAN {
            let word = |(value, number): (f64, u32)| (((value - least) as u64) << 32) | u64::from(number);
            let mut words: Vec<u64> = tagged.map(word).collect();
            words.sort_unstable();
            return Sorted::Counts { least, words };
        }
        // Positive and negative zero are equal.
        let mut all: Vec<(f64, u32)> = tagged.map(|(value, number)| (value + 0.0, number)).collect();
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Sorted::Any(all)
    }

    /// The values with their tags, in order.
    pub fn iter(&self) -> impl Iterator<Item = (f64, u32)> {
        let (least, words, any): (f64, &[u64], &[(f64, u32)]) = match self {
            Sorted::Counts { least, words } => (*least, words, &[]),
            Sorted::Any(any) => (0.0, &[], any),
        };
        let counts = words.iter().map(move |word| (least + (word >> 32) as f64, *word as u32));
        counts.chain(any.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(values: &[f64]) -> Vec<(f64, u32)> {
        Sorted::new(values.iter().copied().zip(0..)).iter().collect()
    }

    #[test]
    fn zeros_are_equal_and_nothing_has_no_order() {
        assert_eq!(sorted(&[1.0, 0.0, -0.0, -2.0]), [(-2.0, 3), (0.0, 1), (0.0, 2), (1.0, 0)]);
        assert_eq!(sorted(&[0.5, 0.0, -0.0]), [(0.0, 1), (0.0, 2), (0.5, 0)]);
        assert!(sorted(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_a_stable_sort(
            values in prop::collection::vec(-1e6f64..1e6, 0..200),
            scale in prop::sample::select(vec![1.0, 1e-3, 4e3, 1e300]),
            round in any::<bool>(),
        ) {
            let values: Vec<f64> = values.iter().map(|value| if round { value.round() } else { *value } * scale).collect();
            let mut expected: Vec<(f64, u32)> = values.iter().copied().zip(0..).collect();
            expected.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
            prop_assert_eq!(sorted(&values), expected);
        }
    }
}
