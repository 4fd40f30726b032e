//! Targets that are met, repaired and refused.

use assay_plugin_api::Column;
use proptest::prelude::*;

use super::*;

fn block(columns: &[(&str, Vec<f64>)]) -> Block<'static> {
    let column = |(name, values): &(&str, Vec<f64>)| Column {
        name: (*name).to_owned(),
        values: values.clone().into(),
    };
    Block { source: "x.csv".to_owned(), columns: columns.iter().map(column).collect() }
}

fn run(blocks: Vec<Block<'static>>, given: &[(&str, &str)]) -> Result<Merged<'static>, String> {
    merge(blocks, &Options { given, progress: &|_| true })
}

fn correlation(merged: &Merged<'_>, a: usize, b: usize) -> f64 {
    let [a, b] = [a, b].map(|i| standardised(&merged.columns[i].values).unwrap());
    a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() / a.len() as f64
}

/// Numbers without order, from 0 to 1.
fn noise(salt: u64, n: usize) -> Vec<f64> {
    use rand::RngExt;
    let mut rng = ChaCha8Rng::seed_from_u64(salt);
    (0..n).map(|_| rng.random::<f64>().powi(3)).collect()
}

#[test]
fn a_target_is_met() {
    let blocks = || {
        vec![
            block(&[("a", noise(1, 500)), ("b", noise(2, 500)), ("z", noise(9, 500))]),
            block(&[("c", noise(3, 400))]),
        ]
    };
    let target = "HEM,a,b,c\na,1,0.6,-0.2\nb,0.6,1,0.1\nc,-0.2,0.1,1\n";
    let merged = run(blocks(), &[("target", target), ("rows", "300")]).unwrap();
    let names: Vec<&str> = merged.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let asked = [(0, 1, 0.6), (0, 2, -0.2), (1, 2, 0.1)];
    let off: f64 = asked.iter().map(|(a, b, asked)| (correlation(&merged, *a, *b) - asked).abs()).sum();
    assert!(off / 3.0 < 1e-7, "{off}");
    assert!(merged.notes[0].contains("does not name them: z"), "{:?}", merged.notes);
    let again = |seed| run(blocks(), &[("target", target), ("rows", "300"), ("seed", seed)]).unwrap().columns;
    assert_eq!(again("1"), merged.columns);
    assert_ne!(again("2"), merged.columns);
}

#[test]
fn without_a_target_it_is_what_was_measured_and_the_rest_follows() {
    let (a, e) = (noise(1, 800), noise(2, 800));
    let sum = |share: f64| a.iter().zip(&e).map(|(a, e)| a + share * e).collect::<Vec<_>>();
    let blocks =
        vec![block(&[("a", a.clone()), ("b", sum(0.5))]), block(&[("b", sum(0.5)), ("c", sum(0.6))])];
    let merged = run(blocks, &[]).unwrap();
    // a and c were never measured together, but b was measured with both.
    assert!(correlation(&merged, 0, 2) > 0.7, "{}", correlation(&merged, 0, 2));
    assert!(merged.notes.iter().any(|note| note.contains("never measured together")), "{:?}", merged.notes);
}

#[test]
fn a_contradiction_is_reported_and_met_as_far_as_can_be() {
    let three = vec![block(&[("a", noise(1, 300)), ("b", noise(2, 300)), ("c", noise(3, 300))])];
    let target = "HEM,a,b,c\na,1,0.9,-0.9\nb,0.9,1,0.9\nc,-0.9,0.9,1\n";
    let merged = run(three, &[("target", target)]).unwrap();
    assert!(merged.notes.iter().any(|note| note.contains("no table has all")), "{:?}", merged.notes);
    assert!((0.3..0.7).contains(&correlation(&merged, 0, 1)));
}

#[test]
fn little_and_constant_data_is_borne() {
    let constant = vec![block(&[("a", vec![7.0; 20]), ("b", noise(2, 20))])];
    let merged = run(constant, &[("rows", "10")]).unwrap();
    assert_eq!(*merged.columns[0].values, [7.0; 10]);
    assert!(
        merged.notes.iter().any(|note| note.contains("1 event without a correlation")),
        "{:?}",
        merged.notes
    );
    let one = run(vec![block(&[("a", vec![7.0])])], &[("rows", "2")]).unwrap();
    assert_eq!(*one.columns[0].values, [7.0; 2]);
    assert_eq!(
        run(vec![block(&[("a", vec![1.0, 2.0]), ("b", vec![3.0, 4.0])])], &[("rows", "1")])
            .unwrap()
            .columns
            .len(),
        2
    );
}

#[test]
fn bad_options_are_refused() {
    let error = |given: &[(&str, &str)]| run(vec![block(&[("a", noise(1, 9))])], given).unwrap_err();
    assert!(error(&[("rows", "0")]).contains("option rows"));
    assert!(error(&[("seed", "x")]).contains("option seed"));
    assert!(error(&[("target", "HEM,q\nq,1\n")]).contains("it names q, and measured were"));
    assert_eq!(
        merge(
            vec![block(&[("a", noise(1, 9)), ("b", noise(2, 9))])],
            &Options { given: &[], progress: &|_| false }
        ),
        Err(INTERRUPTED.to_owned())
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn values_are_measured_ones_in_their_proportions(
        first in prop::collection::vec((-1e6f64..1e6, 0u8..4), 1..40),
        second in prop::collection::vec((0u8..4, -1e-3f64..1e-3), 1..40),
        copies in 1usize..3,
    ) {
        let (a, b): (Vec<f64>, Vec<f64>) = first.iter().map(|(a, b)| (*a, f64::from(*b))).unzip();
        let (more, c): (Vec<f64>, Vec<f64>) = second.iter().map(|(b, c)| (f64::from(*b), *c)).unzip();
        let mut pool: Vec<f64> = b.iter().chain(&more).copied().collect();
        let rows = (copies * pool.len()).to_string();
        let blocks = vec![block(&[("a", a), ("b", b.clone())]), block(&[("b", more), ("c", c)])];
        let merged = run(blocks, &[("rows", &rows)]).unwrap();
        prop_assert_eq!(merged.columns.len(), 3);
        // With a multiple of the rows, each pooled value occurs equally often.
        let mut made = merged.columns[1].values.to_vec();
        made.sort_by(f64::total_cmp);
        pool.sort_by(f64::total_cmp);
        let expected: Vec<f64> = pool.iter().flat_map(|value| vec![*value; copies]).collect();
        prop_assert_eq!(made, expected);
    }
}
