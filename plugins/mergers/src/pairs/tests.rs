//! Pairs worked out by hand.

use super::*;

type Table<'a> = &'a [(&'a str, &'a [f64])];

fn blocks(tables: &[Table<'_>]) -> Vec<Block<'static>> {
    let column =
        |(name, values): &(&str, &[f64])| Column { name: (*name).to_owned(), values: values.to_vec().into() };
    let block = |(number, table): (usize, &Table<'_>)| Block {
        source: format!("part{number}.csv"),
        columns: table.iter().map(column).collect(),
    };
    tables.iter().enumerate().map(block).collect()
}

#[test]
fn events_come_in_the_order_in_which_the_blocks_bring_them() {
    let blocks = blocks(&[&[("b", &[1.0, 2.0]), ("a", &[3.0, 4.0])], &[("c", &[5.0]), ("a", &[6.0])]]);
    let design = Design::new(&blocks).unwrap();
    assert_eq!(design.events, ["b", "a", "c"]);
    assert_eq!(design.holders(1), [(0, &[3.0, 4.0][..]), (1, &[6.0])]);
    assert_eq!(design.pairs().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    assert_eq!(design.together(2, 1).collect::<Vec<_>>(), [(&[5.0][..], &[6.0][..])]);
    assert_eq!(design.together(0, 2).count(), 0);
}

#[test]
fn what_can_not_be_computed_with_is_named() {
    let refused = |tables: &[Table<'_>]| Design::new(&blocks(tables)).unwrap_err();
    assert!(refused(&[]).contains("no blocks"));
    assert!(refused(&[&[("a", &[1.0])], &[("b", &[])]]).contains("block 2 (part1.csv) has no rows"));
    assert!(refused(&[&[("a", &[1.0]), ("a", &[1.0])]]).contains("block 1 (part0.csv) holds a twice"));
    assert!(refused(&[&[("a", &[1.0, f64::NAN])]]).contains("block 1 (part0.csv): a value of a is not"));
    assert!(refused(&[&[("a", &[f64::INFINITY])]]).contains("block 1 (part0.csv): a value of a is not"));
}

#[test]
fn a_row_far_away_is_an_outlier_in_its_own_block() {
    // 20 rows near 0 and one at 100: its squared distance is 4.36 standard deviations above the mean.
    let near: Vec<f64> = (0..20).map(|i| f64::from(i % 2)).collect();
    let far: Vec<f64> = near.iter().copied().chain([100.0]).collect();
    let (other, zeros): (Vec<f64>, Vec<f64>) = ((0..21).map(f64::from).collect(), vec![0.0; 5]);
    let counting = &other[..5];
    let blocks = blocks(&[&[("a", &far), ("b", &other)], &[("a", &zeros), ("b", counting)]]);
    let design = Design::new(&blocks).unwrap();
    let pair = design.trimmed()[0];
    assert_eq!((pair.blocks, pair.rows), (2, 25));
    let (a, b) = ([&near[..], &zeros].concat(), [&other[..20], counting].concat());
    let expected = Scatter::new(&a, &b).correlation().unwrap();
    assert!((pair.correlation.unwrap() - expected).abs() < 1e-14, "{pair:?}");
    assert_eq!(design.measured()[0].rows, 26);
    assert_eq!(design.margin(0), a);
    assert_eq!(design.margin(1).len(), 26, "none is far from the others");
}

#[test]
fn without_a_deviation_nothing_is_an_outlier_and_nothing_is_lost() {
    let blocks = blocks(&[
        &[("a", &[7.0; 4]), ("b", &[1.0, 2.0, 3.0, 4.0]), ("c", &[1.0, -1.0, 1.0, -1.0])],
        &[("a", &[5.0])],
    ]);
    let design = Design::new(&blocks).unwrap();
    assert_eq!(design.margin(0), [7.0, 7.0, 7.0, 7.0, 5.0]);
    assert_eq!(design.margin(2), [1.0, -1.0, 1.0, -1.0]);
    let pairs = design.trimmed();
    assert_eq!((pairs[0].rows, pairs[0].correlation, pairs[0].spread), (4, None, None));
    assert_eq!(pairs[1].correlation, None);
    assert!(pairs[2].correlation.is_some());
}

#[test]
fn pairs_that_never_met_have_no_rows() {
    let blocks = blocks(&[&[("a", &[1.0, 2.0])], &[("b", &[1.0, 2.0])]]);
    let design = Design::new(&blocks).unwrap();
    for pairs in [design.measured(), design.trimmed()] {
        assert_eq!(pairs.len(), 1);
        assert_eq!((pairs[0].blocks, pairs[0].rows, pairs[0].correlation), (0, 0, None));
        assert_eq!(pairs[0].interval(), None);
    }
}

#[test]
fn intervals_are_those_of_the_table() {
    // r = 0.5 of 28 rows: z = 0.5493 -+ 1.96 / 5, so 0.156 and 0.736.
    let pair = |rows, correlation| Pair {
        events: (0, 1),
        blocks: 1,
        rows,
        correlation,
        within: correlation,
        drift: [0.0; 2],
        excess: 1.0,
        spread: None,
        drifts: false,
    };
    let (low, high) = pair(28, Some(0.5)).interval().unwrap();
    assert!((low - 0.1560).abs() < 5e-4 && (high - 0.7356).abs() < 5e-4, "{low} {high}");
    let (low, high) = Pair { excess: 4.0, ..pair(103, Some(0.5)) }.interval().unwrap();
    assert!((low - 0.1560).abs() < 5e-4 && (high - 0.7356).abs() < 5e-4, "as of a quarter of the rows");
    assert_eq!(pair(3, Some(0.5)).interval(), None);
    assert_eq!(pair(9, Some(1.0)).interval(), Some((1.0, 1.0)));
}

#[test]
fn drift_widens_an_interval_to_what_it_may_do() {
    let r = |x: f64| (x.atanh() - 0.2).tanh();
    let pair = Pair {
        events: (0, 1),
        blocks: 1,
        // 1.96 / 9.8 = 0.2
        rows: 99,
        correlation: Some(0.5),
        within: Some(0.3),
        drift: [0.0; 2],
        excess: 1.0,
        spread: None,
        drifts: false,
    };
    let (low, high) = pair.interval().unwrap();
    assert!((low - r(0.3)).abs() < 1e-4 && (high + r(-0.5)).abs() < 1e-4, "{low} {high}");
    // The means vary as much as rows do: half of the covariance is theirs, of either sign.
    let (lower, higher) = Pair { drift: [1.0; 2], ..pair }.interval().unwrap();
    assert!((lower - (low - 1.0) / 2.0).abs() < 1e-12 && (higher - (high + 1.0) / 2.0).abs() < 1e-12);
    // An event that does not drift has no covariance with one that does.
    let (lower, higher) = Pair { drift: [0.0, 3.0], ..pair }.interval().unwrap();
    assert!((lower - low / 2.0).abs() < 1e-12 && higher == high, "{lower} {higher}");
}

#[test]
fn tiny_counts_correlate_and_their_outliers_are_left_out() {
    let near: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 20)).collect();
    let far: Vec<f64> = near.iter().copied().chain([1000.0]).collect();
    let other: Vec<f64> = (0..21).map(|i| f64::from(i * 3 % 20)).collect();
    let trimmed = |size: f64| {
        let of = |values: &[f64]| values.iter().map(|value| value * size).collect::<Vec<f64>>();
        let (far, other) = (of(&far), of(&other));
        let blocks = blocks(&[&[("a", &far), ("b", &other)]]);
        let design = Design::new(&blocks).unwrap();
        (design.trimmed()[0], design.measured()[0], design.margin(0).len())
    };
    let (as_usual, tiny) = (trimmed(1.0), trimmed(2f64.powi(-1017)));
    assert_eq!((as_usual.0.rows, as_usual.2), (20, 20));
    assert_eq!(tiny, as_usual);
}

#[test]
fn blocks_that_disagree_drift_and_those_that_chance_parts_do_not() {
    let rising: Vec<f64> = (0..100).map(f64::from).collect();
    let noisy = |amplitude: f64| -> Vec<f64> {
        // A few irregular steps, the same in every run.
        (0..100).map(|i| f64::from(i) + amplitude * f64::from(i * 37 % 101 - 50)).collect()
    };
    let spread = |amplitudes: [f64; 2]| {
        let [one, other] = amplitudes.map(noisy);
        let blocks = blocks(&[&[("a", &rising), ("b", &one)], &[("a", &rising), ("b", &other)]]);
        Design::new(&blocks).unwrap().measured()[0]
    };
    let drifting = spread([0.2, 4.0]);
    assert!(drifting.drifts && drifting.spread.unwrap() > 0.5, "{drifting:?}");
    let alike = spread([1.0, 1.1]);
    assert!(!alike.drifts && alike.spread.unwrap() < 0.1, "{alike:?}");
}
