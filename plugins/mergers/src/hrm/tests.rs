//! Merges worked out by hand, properties of every merge, and the published data set.

use proptest::prelude::*;

use super::*;
use crate::reference;

type Table = Vec<(&'static str, Vec<f64>)>;

/// Blocks, options, and words of the expected error.
type BadCase<'a> = (&'a [Table], &'a [(&'a str, &'a str)], &'a [&'a str]);

fn run(tables: &[Table], given: &[(&str, &str)]) -> Result<Merged<'static>, String> {
    let column = |(name, values): &(&str, Vec<f64>)| Column {
        name: (*name).to_owned(),
        values: values.clone().into(),
    };
    let block = |(i, table): (usize, &Table)| Block {
        source: format!("part{i}.csv"),
        columns: table.iter().map(column).collect(),
    };
    let blocks = tables.iter().enumerate().map(block).collect();
    merge(blocks, &Options { given, progress: &|_| true })
}

fn values<'a>(merged: &'a Merged<'_>, name: &str) -> &'a [f64] {
    &merged.columns.iter().find(|column| column.name == name).unwrap().values
}

fn names<'a>(merged: &'a Merged<'_>) -> Vec<&'a str> {
    merged.columns.iter().map(|column| column.name.as_str()).collect()
}

#[test]
fn rows_of_equal_rank_come_together() {
    let tables = [
        vec![("t", vec![30.0, 10.0, 20.0]), ("a", vec![3.0, 1.0, 2.0])],
        vec![("b", vec![5.0, 6.0, 4.0]), ("t", vec![21.0, 31.0, 11.0])],
    ];
    let merged = run(&tables, &[]).unwrap();
    assert_eq!(names(&merged), ["t", "a", "b"]);
    assert_eq!(values(&merged, "a"), [1.0, 2.0, 3.0]);
    assert_eq!(values(&merged, "b"), [4.0, 5.0, 6.0]);
    // Of 10 11 20 21 30 31: the ends, and the mean of the middle two.
    assert_eq!(values(&merged, "t"), [10.0, 20.5, 31.0]);
    // A summary of the correlations, and that a and b never met.
    assert_eq!(merged.notes.len(), 2, "{:?}", merged.notes);
    assert!(merged.notes[0].starts_with("correlations of 2 pairs"), "{:?}", merged.notes);
}

#[test]
fn ties_keep_the_order_of_the_block() {
    let merged =
        run(&[vec![("t", vec![2.0, 1.0, 2.0, 1.0]), ("a", vec![1.0, 2.0, 3.0, 4.0])]], &[("anchor", "t")]);
    let merged = merged.unwrap();
    assert_eq!(values(&merged, "a"), [2.0, 4.0, 1.0, 3.0]);
    assert!(merged.notes[0].ends_with("came: 4 of 4 in block 1 (part0.csv)"), "{:?}", merged.notes);
    assert!(merged.warnings.is_empty());
}

#[test]
fn a_constant_anchor_keeps_the_order_and_is_warned_of() {
    let merged = run(&[vec![("t", vec![7.0; 3]), ("a", vec![3.0, 1.0, 2.0])]], &[("anchor", "t")]).unwrap();
    assert_eq!(values(&merged, "a"), [3.0, 1.0, 2.0]);
    assert_eq!(values(&merged, "t"), [7.0; 3]);
    assert!(
        merged.warnings[0].starts_with("the anchor t never changes in block 1 (part0.csv)"),
        "{:?}",
        merged.warnings
    );
}

#[test]
fn blocks_of_unequal_length_are_sampled_to_the_shortest() {
    let ten: Vec<f64> = (0..10).map(f64::from).collect();
    let tables =
        [vec![("t", ten.clone()), ("a", ten)], vec![("t", vec![0.0, 1.0, 2.0]), ("b", vec![0.0, 1.0, 2.0])]];
    let merged = run(&tables, &[]).unwrap();
    // floor of 0.5 * 10 / 3, 1.5 * 10 / 3 and 2.5 * 10 / 3.
    assert_eq!(values(&merged, "a"), [1.0, 5.0, 8.0]);
    assert_eq!(values(&merged, "b"), [0.0, 1.0, 2.0]);
    let merged = run(&tables, &[("rows", "6")]).unwrap();
    assert_eq!(values(&merged, "b"), [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
    let merged = run(&tables, &[("rows", "1")]).unwrap();
    // The only quantile has probability 0, so it is the least value of the anchor.
    assert_eq!((values(&merged, "t"), values(&merged, "a")), (&[0.0][..], &[5.0][..]));
}

#[test]
fn an_event_in_several_blocks_is_renamed_with_a_note() {
    let table = || vec![("t", vec![1.0, 2.0]), ("a", vec![1.0, 2.0])];
    let merged = run(&[table(), table(), table()], &[("anchor", "t")]).unwrap();
    assert_eq!(names(&merged), ["t", "a", "a@2", "a@3"]);
    assert!(merged.notes[1].contains("block 3 (part2.csv) is named a@3"), "{:?}", merged.notes);
    assert!(merged.notes[0].contains("block 2 (part1.csv) is named a@2"), "{:?}", merged.notes);
}

#[test]
fn bad_input_is_named() {
    let t = || ("t", vec![1.0, 2.0]);
    let (a, b) = (|| ("a", vec![1.0, 2.0]), || ("b", vec![1.0, 2.0]));
    let cases: [BadCase<'_>; 8] = [
        (&[], &[], &["no blocks"]),
        (&[], &[("anchor", "t")], &["no blocks"]),
        (&[vec![t(), a()], vec![b()]], &[("anchor", "t")], &["block 2 (part1.csv)", "anchor t"]),
        (&[vec![a()], vec![b()]], &[], &["no event is in every block"]),
        (&[vec![t(), a()], vec![t(), a()]], &[], &["t, a", "option anchor"]),
        (&[vec![t(), a(), a()]], &[("anchor", "t")], &["block 1 (part0.csv)", "a twice"]),
        (
            &[vec![("t", vec![f64::NAN]), ("a", vec![1.0])]],
            &[("anchor", "t")],
            &["block 1", "a value of t is not"],
        ),
        (&[vec![t(), a()]], &[("anchor", "t"), ("rows", "0")], &["option rows"]),
    ];
    for (tables, options, expected) in cases {
        let error = run(tables, options).unwrap_err();
        assert!(expected.iter().all(|part| error.contains(part)), "{expected:?} in {error}");
    }
}

proptest! {
    #[test]
    fn every_row_is_made_of_measured_rows(
        first in prop::collection::vec((0u8..20, any::<u16>(), any::<u16>()), 1..60),
        second in prop::collection::vec((0u8..20, any::<u16>()), 1..60),
        rows in 1usize..80,
    ) {
        let column = |values: &mut dyn Iterator<Item = f64>| values.collect::<Vec<_>>();
        let tables = [
            vec![
                ("t", column(&mut first.iter().map(|row| f64::from(row.0)))),
                ("a", column(&mut first.iter().map(|row| f64::from(row.1)))),
                ("b", column(&mut first.iter().map(|row| f64::from(row.2)))),
            ],
            vec![
                ("t", column(&mut second.iter().map(|row| f64::from(row.0)))),
                ("c", column(&mut second.iter().map(|row| f64::from(row.1)))),
            ],
        ];
        let merged = run(&tables, &[("rows", &rows.to_string())]).unwrap();
        prop_assert!(merged.columns.iter().all(|column| column.values.len() == rows));
        prop_assert!(values(&merged, "t").is_sorted());
        for (a, b) in values(&merged, "a").iter().zip(values(&merged, "b")) {
            prop_assert!(first.iter().any(|row| (f64::from(row.1), f64::from(row.2)) == (*a, *b)));
        }
        if rows == first.len() {
            let (mut merged, mut measured) = (values(&merged, "a").to_vec(), tables[0][1].1.clone());
            merged.sort_by(f64::total_cmp);
            measured.sort_by(f64::total_cmp);
            prop_assert_eq!(merged, measured);
        }
    }

    #[test]
    fn quantiles_run_from_the_least_to_the_greatest_value(
        mut values in prop::collection::vec(-1e12f64..1e12, 1..200),
        n in 2usize..300,
    ) {
        values.sort_by(f64::total_cmp);
        let (first, second) = values.split_at(values.len() / 3);
        let quantiles = quantiles(&[second, first], n);
        prop_assert!(quantiles.is_sorted());
        prop_assert_eq!((quantiles[0], quantiles[n - 1]), (values[0], values[values.len() - 1]));
    }
}

#[test]
fn quantiles_of_long_lists_are_those_of_all_values_sorted() {
    // Some values occur many times, so that threads begin at equal values.
    let list = |step: usize| -> Vec<f64> {
        let mut values: Vec<f64> = (0..30_000).map(|i| (i * step % 40_009 / 7 * 7) as f64).collect();
        values[..9_000].fill(20_000.0);
        values.sort_by(f64::total_cmp);
        values
    };
    let lists = [list(7), list(1009), list(31)[..20_000].to_vec()];
    let mut all = lists.concat();
    all.sort_by(f64::total_cmp);
    for n in [2, 1000, 29_999, 200_000] {
        let quantile = |i: usize| {
            let probability = if i == n - 1 { 1.0 } else { i as f64 * (1.0 / (n - 1) as f64) };
            let place = all.len() as f64 * probability;
            let value = |rank: f64| all[(rank.max(1.0) as usize).min(all.len()) - 1];
            let next = value(place.floor() + 1.0);
            if place > place.floor() { next } else { (value(place) + next) / 2.0 }
        };
        let expected: Vec<f64> = (0..n).map(quantile).collect();
        assert_eq!(quantiles(&lists.each_ref().map(Vec::as_slice), n)[..], expected, "{n}");
    }
}

#[test]
fn the_published_data_set_gives_the_reference_result_to_the_bit() {
    let Some(folder) = reference::folder() else { return };
    let blocks = reference::blocks(&folder, "hrm_raw.csv");
    let given = [("anchor", "PROCESSOR_CYCLES")];
    let merged = merge(blocks, &Options { given: &given, progress: &|_| true }).unwrap();
    let (expected_names, expected) = reference::columns(&folder.join("hrm_expected.csv"));
    assert_eq!(names(&merged), expected_names);
    for (column, expected) in merged.columns.iter().zip(&expected) {
        assert_eq!(column.values[..], expected[..], "{}", column.name);
    }

    assert!(merged.warnings.is_empty() && merged.notes.len() == 2, "{:?}", merged.notes);
}
