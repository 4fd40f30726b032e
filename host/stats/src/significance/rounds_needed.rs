//! How many rounds make intervals narrow enough to decide comparisons.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::interval::CONFIDENCE;

/// More rounds are never recommended: what these do not decide needs a quieter machine or longer searches.
const MOST: usize = 1000;

/// The fewest rounds with which intervals that hold together for a number of `comparisons` are `share` times
/// as wide, as logarithms, as with `rounds`, if rounds go on to differ as they did. `None` if more than 1000
/// are needed, or `rounds` are fewer than two, which show no difference between rounds.
pub fn rounds_needed(rounds: usize, comparisons: usize, share: f64) -> Option<usize> {
    if rounds < 2 {
        return None;
    }
    let wanted = share * width(rounds, comparisons);
    let (mut too_few, mut enough) = (rounds, MOST.max(rounds));
    if width(enough, comparisons) > wanted {
        return None;
    }
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        if width(middle, comparisons) > wanted {
            too_few = middle;
        } else {
            enough = middle;
        }
    }
    Some(enough)
}

/// The half-width of such an interval if rounds have a standard deviation of 1.
fn width(rounds: usize, comparisons: usize) -> f64 {
    let student = StudentsT::new(0.0, 1.0, (rounds - 1) as f64).expect("there are two rounds or more");
    let outside = (1.0 - CONFIDENCE) / comparisons.max(1) as f64;
    student.inverse_cdf(1.0 - outside / 2.0) / (rounds as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's quantile for 97.5 % is 4.303 with 2 degrees of freedom and 2.262 with 9, so ten rounds have
    /// 0.288 times the width of three.
    #[test]
    fn the_width_follows_student_and_the_root_of_the_rounds() {
        assert_eq!(rounds_needed(3, 1, 0.289), Some(10));
        assert_eq!(rounds_needed(3, 1, 0.287), Some(11));
        assert!(rounds_needed(3, 400, 0.289) < Some(10), "the distribution of two degrees has wide ends");
        assert_eq!(rounds_needed(1, 1, 0.5), None);
        assert_eq!(rounds_needed(6, 1, 0.01), None, "more than a thousand");
    }
}
