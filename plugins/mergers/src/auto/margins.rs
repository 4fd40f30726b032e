//! The values of the result: each event keeps its distribution, pooled over all blocks.

use super::standard::standardised;
use crate::pairs::Design;

/// `rows` measured values of an event in ascending order: all its values are split into this number of equal
/// parts, and the middle of each part is taken.
pub fn margin(design: &Design<'_>, event: usize, rows: usize) -> Vec<f64> {
    let held = design.holders(event).iter().flat_map(|(_, values)| *values);
    let mut pool: Vec<f64> = held.copied().collect();
    pool.sort_unstable_by(f64::total_cmp);
    let all = pool.len();
    (0..rows).map(|i| pool[((2 * i + 1) * all).div_ceil(2 * rows) - 1]).collect()
}

/// The values of a column of the result with mean 0 and mean square 1; all 0 if it never changes.
pub fn standard_margin(margin: &[f64]) -> Vec<f64> {
    standardised(margin).unwrap_or_else(|| vec![0.0; margin.len()])
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Block, Column};

    use super::*;

    #[test]
    fn the_middle_of_each_part_is_taken() {
        let block = |values: &[f64]| Block {
            source: String::new(),
            columns: vec![Column { name: "a".to_owned(), values: values.to_vec().into() }],
        };
        let blocks = [block(&[6.0, 2.0, 4.0]), block(&[1.0, 5.0, 3.0])];
        let design = Design::new(&blocks).unwrap();
        assert_eq!(margin(&design, 0, 6), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(margin(&design, 0, 2), [2.0, 5.0]);
        assert_eq!(margin(&design, 0, 1), [3.0]);
        assert_eq!(margin(&design, 0, 12)[..4], [1.0, 1.0, 2.0, 2.0]);
    }
}
