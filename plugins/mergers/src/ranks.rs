//! Ranks: the order of values, and a column that is laid out in the order of another.

/// The rows of a column in ascending order of their values. Tied rows stay in their order.
pub fn order(values: &[f64]) -> Vec<u32> {
    let mut keys = Vec::new();
    let mut order = vec![0; values.len()];
    order_into(values, &mut keys, &mut order);
    order
}

/// As [`order`], into a list as long as the column, with memory that is reused by later calls.
pub fn order_into(values: &[f64], keys: &mut Vec<(u64, u32)>, order: &mut [u32]) {
    keys.clear();
    keys.extend((0u32..).zip(values).map(|(row, &value)| (key(value), row)));
    keys.sort_unstable();
    for (place, &(_, row)) in order.iter_mut().zip(&*keys) {
        *place = row;
    }
}

/// A whole number with the order of the value, because whole numbers are compared faster.
fn key(value: f64) -> u64 {
    // Positive and negative zero are equal.
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Writes sorted values in the order of another column, whose rows in ascending order are `order`.
pub fn lay_out(sorted: &[f64], order: &[u32], out: &mut [f64]) {
    for (&row, &value) in order.iter().zip(sorted) {
        out[row as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_keep_their_order_and_zeros_are_equal() {
        assert_eq!(order(&[2.0, -1.0, 2.0, 0.0, -0.0, -3.0]), [5, 1, 3, 4, 0, 2]);
        assert!(order(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_a_stable_sort(values in prop::collection::vec(-1e300f64..1e300, 0..200)) {
            let mut expected: Vec<u32> = (0..values.len() as u32).collect();
            expected.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
            prop_assert_eq!(order(&values), expected);
        }

        #[test]
        fn a_column_that_is_laid_out_has_its_values_and_the_order_of_the_other(
            rows in prop::collection::vec((-1e9f64..1e9, -1e9f64..1e9), 1..200),
        ) {
            let (mut values, model): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
            values.sort_by(f64::total_cmp);
            let order = order(&model);
            let mut out = vec![f64::NAN; values.len()];
            lay_out(&values, &order, &mut out);
            let along: Vec<f64> = order.iter().map(|&row| out[row as usize]).collect();
            prop_assert_eq!(along, values);
        }
    }
}
