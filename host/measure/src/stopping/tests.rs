//! Tests of when a run stops, with simulated times whose spread is known.

use assay_stats::CONFIDENCE;
use assay_stats::significance::Difference;
use assay_stats::simulated::{normal, percent};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;

/// Two algorithms that take the same time, measured in rounds with one time each. Spreads are those of
/// logarithms of times.
#[derive(Clone, Copy)]
struct Pair {
    /// The spread that both share: that of the moments at which rounds happen.
    moment: f64,
    /// The spread of each algorithm of its own.
    luck: f64,
    /// Whether the intervals of the first algorithm alone decide when to stop.
    alone: bool,
}

impl Pair {
    /// Simulates rounds until the intervals are this narrow, or until there are `most` of them.
    fn until(&self, narrow: f64, most: usize, rng: &mut ChaCha8Rng) -> [Vec<(u32, f64)>; 2] {
        let mut times = [Vec::new(), Vec::new()];
        let mut round = 0;
        let mut looks = InterimLooks::after(10);
        while times[0].len() < most && !looks.is_satisfied() {
            let moment = self.moment * normal(rng);
            times.iter_mut().for_each(|times| times.push((round, (moment + self.luck * normal(rng)).exp())));
            round += 1;
            let deciding = if self.alone { 1 } else { 2 };
            looks.look(times[0].len(), || times[..deciding].iter().all(|times| half_width(times) <= narrow));
        }
        times
    }
}

const TRIALS: u32 = 2000;

/// The percentage of runs in which the interval of the first algorithm's median covers the true value, and
/// that of the ratio.
fn coverage(pair: Pair, narrow: f64, most: usize) -> [f64; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut ratios = 0;
    let median = percent(TRIALS, || {
        let [a, b] = pair.until(narrow, most, &mut rng);
        let logarithms: Vec<f64> = a.iter().zip(&b).map(|((_, a), (_, b))| (a / b).ln()).collect();
        let ratio = Difference::paired(&logarithms).unwrap().ratio(CONFIDENCE).unwrap();
        ratios += u32::from(ratio.low <= 1.0 && 1.0 <= ratio.high);
        let Interval { low, high } = Interval::of_median(&a).unwrap();
        low <= 1.0 && 1.0 <= high
    });
    [median, 100.0 * f64::from(ratios) / f64::from(TRIALS)]
}

/// The figures of `docs/src/validation.md` are printed with `--nocapture`.
#[test]
fn intervals_of_what_goes_on_until_they_are_narrow_cover_little_less() {
    for (spread, narrow) in [(0.02, 0.02), (0.05, 0.02), (0.1, 0.03)] {
        let pair = |alone| Pair { moment: spread, luck: spread / 2.0, alone };
        let [fixed, fixed_ratio] = coverage(pair(false), 0.0, 40);
        let [both, both_ratio] = coverage(pair(false), narrow, 1000);
        let [alone, alone_ratio] = coverage(pair(true), narrow, 1000);
        println!(
            "{spread} {narrow}: medians {fixed} {both} {alone}, ratios {fixed_ratio} {both_ratio} {alone_ratio}"
        );
        assert!((95.0..=98.0).contains(&fixed), "{fixed} % with {spread}");
        assert!((93.5..=97.5).contains(&both), "{both} % with {spread} until {narrow}");
        // A single algorithm stops where its own interval is narrow by luck: with one look, this would be
        // 92.2 % at worst.
        assert!((92.5..=97.5).contains(&alone), "{alone} % with {spread} until {narrow}");
        for ratio in [fixed_ratio, both_ratio, alone_ratio] {
            assert!((93.5..=96.5).contains(&ratio), "{ratio} % with {spread}");
        }
    }
}

#[test]
fn a_width_is_known_from_six_rounds_on() {
    let width = |times: &[f64]| half_width(&(0..).zip(times.iter().copied()).collect::<Vec<_>>());
    assert_eq!(width(&[5.0; 5]), f64::INFINITY);
    assert_eq!((width(&[5.0; 6]), width(&[0.0; 6])), (0.0, 0.0));
    assert_eq!(width(&[9.0, 9.0, 10.0, 10.0, 10.0, 11.0]), 0.1);
}
