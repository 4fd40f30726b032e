//! Merges of tables whose truth is known, of little and bad data, and properties of every merge.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::standard::standardised;
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

fn values<'a>(merged: &'a Merged<'_>, name: &str) -> &'a [f64] {
    &merged.columns.iter().find(|column| column.name == name).unwrap().values
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let [a, b] = [a, b].map(|values| standardised(values).unwrap());
    a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() / a.len() as f64
}

/// Blocks of four events: `load`, of skewed counts; `bent`, which follows how far it is from the middle;
/// `noise`; and `sum`, of the first two. Each block has rows of its own.
fn blocks_of(held: &[&[&'static str]]) -> Vec<Block<'static>> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut table = |names: &&[&'static str]| {
        let rows: Vec<[f64; 4]> = (0..800)
            .map(|_| {
                let uniform: f64 = rng.random();
                let (load, noise) = ((1e4 * uniform.powi(3)).round(), (1e3 * rng.random::<f64>()).round());
                let bent = (8e3 * (uniform - 0.5).abs() + noise).round();
                [load, bent, noise, load + bent]
            })
            .collect();
        let column = |name: &&'static str| {
            let place = ["load", "bent", "noise", "sum"].iter().position(|known| known == name).unwrap();
            (*name, rows.iter().map(|row| row[place]).collect())
        };
        block(&names.iter().map(column).collect::<Vec<_>>())
    };
    held.iter().map(&mut table).collect()
}

#[test]
fn a_relation_and_a_bend_are_kept() {
    let merged = run(
        blocks_of(&[&["load", "bent", "sum"], &["noise", "sum"], &["load", "noise"], &["noise", "bent"]]),
        &[],
    )
    .unwrap();
    let total: Vec<f64> =
        values(&merged, "load").iter().zip(values(&merged, "bent")).map(|(a, b)| a + b).collect();
    let r = correlation(&total, values(&merged, "sum"));
    assert!(1.0 - r * r < 8e-3, "{r}");
    // Where the load is lowest or highest, `bent` is high.
    let mut rows: Vec<(f64, f64)> =
        values(&merged, "load").iter().copied().zip(values(&merged, "bent").iter().copied()).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = |rows: &[(f64, f64)]| rows.iter().map(|row| row.1).sum::<f64>() / rows.len() as f64;
    assert!(
        mean(&rows[..100]) > 1.5 * mean(&rows[450..550]) && mean(&rows[900..]) > 1.5 * mean(&rows[450..550])
    );
}

#[test]
fn of_curves_most_is_kept() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let x: Vec<f64> = (0..1000).map(|_| 200.0 * rng.random::<f64>() - 100.0).collect();
    let of = |by: fn(f64) -> f64| x.iter().map(|x| by(*x)).collect::<Vec<f64>>();
    let (square, size) = (of(|x| x * x), of(|x| 3.0 * x.abs()));
    let merged = run(vec![block(&[("x", x.clone()), ("square", square), ("size", size)])], &[]).unwrap();
    let made: Vec<f64> = values(&merged, "x").iter().map(|x| x * x).collect();
    let explained = correlation(&made, values(&merged, "square")).powi(2);
    assert!((0.8..0.95).contains(&explained), "{explained}");
}

#[test]
fn rows_that_look_like_the_blocks_from_the_beginning_are_moved_less() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let x: Vec<f64> = (0..500).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
    let noise: Vec<f64> = (0..500).map(|_| rng.random()).collect();
    let moves = |other: fn(f64, f64) -> f64| {
        let other = x.iter().zip(&noise).map(|(x, noise)| other(*x, *noise)).collect();
        let shares = std::sync::Mutex::new(Vec::new());
        let progress = |share: f64| {
            shares.lock().unwrap().push(share);
            true
        };
        let blocks = vec![block(&[("x", x.clone()), ("other", other)])];
        merge(blocks, &Options { given: &[], progress: &progress }).unwrap();
        shares.into_inner().unwrap()
    };
    let between =
        |shares: &[f64], from, to| shares.iter().filter(|share| (from..to).contains(*share)).count();
    // The rows are moved first, and there is no second attempt after half of the work.
    let alike = moves(|x, noise| x + noise);
    assert_eq!((between(&alike, 0.2001, 0.4451), between(&alike, 0.56, 0.89)), (10, 0), "{alike:?}");
    let bent = moves(|x, _| x * x);
    assert_eq!(between(&bent, 0.2001, 0.6901), 40, "{bent:?}");
}

#[test]
fn correlations_that_one_row_of_a_block_decides_are_reached() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    const NAMES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];
    // Each two events are in one of seven blocks.
    let mut plane = |shift: usize| {
        let mut column = |event: usize| -> (&str, Vec<f64>) {
            let spike = |row: usize| if row == 100 { 1e6 } else { 0.0 };
            let values = (0..300).map(|row| (1e3 * rng.random::<f64>()).round() + spike(row));
            (NAMES[(event + shift) % 7], values.collect())
        };
        block(&[column(0), column(1), column(3)])
    };
    let blocks: Vec<Block<'static>> = (0..7).map(&mut plane).collect();
    for seed in ["1", "2", "5"] {
        let blocks = blocks.iter().map(|of| {
            let columns: Vec<_> =
                of.columns.iter().map(|column| (column.name.as_str(), column.values.to_vec())).collect();
            block(&columns)
        });
        let merged = run(blocks.collect(), &[("seed", seed)]).unwrap();
        assert!(
            !merged.warnings.iter().any(|warning| warning.contains("asked and reached")),
            "{:?}",
            merged.warnings
        );
    }
}

#[test]
fn what_follows_exactly_from_another_event_does_so_in_the_result() {
    let mut blocks = blocks_of(&[&["load", "noise"], &["noise", "bent"], &["load", "bent"]]);
    let mut add = |block: usize, name: &str, of: usize, by: fn(f64) -> f64| {
        let values: Vec<f64> = blocks[block].columns[of].values.iter().map(|value| by(*value)).collect();
        blocks[block].columns.push(Column { name: name.to_owned(), values: values.into() });
    };
    // One that is also measured where its original is not, one on a scale of its own, and one that falls.
    add(0, "same", 0, |load| load);
    add(1, "same", 1, |bent| bent.sqrt().round());
    add(2, "tenths", 0, |load| 10.0 * load + 3.0);
    add(0, "left", 1, |noise| 2000.0 - noise);
    let merged = run(blocks, &[("quick", "yes")]).unwrap();
    assert_eq!(values(&merged, "same"), values(&merged, "load"));
    // Each has its own distribution, in the same order.
    let follows = |name: &str, of: &str, sign: f64| {
        let rows = values(&merged, of).iter().zip(values(&merged, name));
        let mut rows: Vec<(f64, f64)> = rows.map(|(of, value)| (*of, sign * value)).collect();
        rows.sort_by(|a, b| a.partial_cmp(b).unwrap());
        rows.is_sorted_by_key(|(_, value)| *value)
    };
    assert!(follows("tenths", "load", 1.0) && follows("left", "noise", -1.0));
    assert!(!follows("bent", "load", 1.0));
    let told = "both were measured: same from load, left from noise, tenths from load";
    assert!(merged.notes.iter().any(|note| note.ends_with(told)), "{:?}", merged.notes);
    // What only nearly follows does not: `same` is another event in a block of its own here.
    let mut blocks = blocks_of(&[&["load", "noise"], &["load", "bent"]]);
    for block in &mut blocks {
        let same = block.columns[0].values.to_vec();
        block.columns.push(Column { name: "same".to_owned(), values: same.into() });
    }
    blocks[1].columns[2].values[0] += 1.0;
    let merged = run(blocks, &[("quick", "yes")]).unwrap();
    assert!(!merged.notes.iter().any(|note| note.contains("follow exactly")), "{:?}", merged.notes);
}

#[test]
fn what_was_never_together_follows_and_is_flagged() {
    let merged = run(blocks_of(&[&["load", "sum"], &["sum", "bent"], &["load", "noise"]]), &[]).unwrap();
    assert_eq!(merged.columns.len(), 4);
    assert!(correlation(values(&merged, "load"), values(&merged, "sum")) > 0.7);
    assert!(
        merged.notes.iter().any(|note| note.starts_with("3 pairs of 6 were never")),
        "{:?}",
        merged.notes
    );
    assert!(merged.warnings.is_empty(), "{:?}", merged.warnings);
    let pairs = merged.tables.iter().find(|sheet| sheet.title == "pairs").unwrap();
    assert!(pairs.columns.iter().any(|(name, _)| name == "asked"));
}

#[test]
fn events_without_connection_are_independent_and_warned_of() {
    let merged = run(blocks_of(&[&["load", "sum"], &["noise", "bent"]]), &[]).unwrap();
    assert!(merged.warnings[0].contains("connects load with noise"), "{:?}", merged.warnings);
    assert!(correlation(values(&merged, "load"), values(&merged, "noise")).abs() < 0.05);
}

#[test]
fn what_never_changes_connects_nothing_and_changes_nothing() {
    let held: &[&[&str]] = &[&["load", "sum"], &["sum", "noise"], &["noise", "load"]];
    let with_constants = |held: &[&[&'static str]], constants: &[&'static str]| -> Vec<Block<'static>> {
        let mut blocks = blocks_of(held);
        for block in &mut blocks {
            for name in constants {
                block
                    .columns
                    .push(Column { name: (*name).to_owned(), values: vec![7.0; block.rows()].into() });
            }
        }
        blocks
    };
    let rows = [("rows", "300"), ("quick", "yes")];
    let without = run(blocks_of(held), &rows).unwrap();
    let merged = run(with_constants(held, &["k", "l", "m", "n"]), &rows).unwrap();
    for column in &without.columns {
        assert_eq!(values(&merged, &column.name), &*column.values);
    }
    assert_eq!(values(&merged, "l"), [7.0; 300]);
    assert!(
        merged.notes.iter().any(|note| note.contains("4 events without a correlation")),
        "{:?}",
        merged.notes
    );
    // Not an anchor: what is beside it in one block is independent of what is beside it in another.
    let apart = run(with_constants(&[&["load"], &["bent"]], &["k"]), &rows).unwrap();
    assert!(correlation(values(&apart, "load"), values(&apart, "bent")).abs() < 0.1);
    assert!(
        apart.warnings[0].contains("nothing that was measured connects load with bent"),
        "{:?}",
        apart.warnings
    );
    let constant = run(vec![block(&[("k", vec![7.0; 20]), ("l", vec![1.0; 20])])], &rows).unwrap();
    assert_eq!(values(&constant, "l"), [1.0; 300]);
}

#[test]
fn blocks_that_share_an_anchor_alone_are_given_to_hrm() {
    let anchored = || blocks_of(&[&["load", "bent"], &["load", "noise"], &["sum", "load"]]);
    let merged = run(anchored(), &[("rows", "500")]).unwrap();
    let given = [("anchor", "load"), ("rows", "500")];
    let expected = crate::hrm::merge(anchored(), &Options { given: &given, progress: &|_| true }).unwrap();
    assert_eq!(merged.columns, expected.columns);
    assert!(merged.notes[0].contains("the blocks share load and nothing else"), "{:?}", merged.notes);
}

#[test]
fn the_same_seed_gives_the_same_rows() {
    let held: &[&[&str]] = &[&["load", "sum", "bent"], &["sum", "noise"], &["noise", "load"]];
    let with = |given: &[(&str, &str)]| run(blocks_of(held), given).unwrap().columns;
    let quick = [("quick", "yes"), ("rows", "200")];
    assert_eq!(with(&quick), with(&quick));
    assert_ne!(with(&quick), with(&[("quick", "yes"), ("rows", "200"), ("seed", "2")]));
}

#[test]
fn it_stops_on_request_and_reports_progress() {
    let held: &[&[&str]] = &[&["load", "sum", "bent"], &["sum", "noise"], &["noise", "load"]];
    for limit in [0.0, 0.3, 0.8] {
        let stopped = merge(blocks_of(held), &Options { given: &[], progress: &|share| share <= limit });
        assert_eq!(stopped, Err(INTERRUPTED.to_owned()), "{limit}");
    }
    let seen = std::sync::Mutex::new(Vec::new());
    let progress = |share| {
        seen.lock().unwrap().push(share);
        true
    };
    merge(blocks_of(held), &Options { given: &[("rows", "100")], progress: &progress }).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 40 && seen.iter().all(|share| (0.0..=1.0).contains(share)));
}

#[test]
fn little_constant_and_tied_data_is_borne() {
    let few: [&[Block<'static>]; 5] = [
        &[block(&[("a", vec![1.0])])],
        &[block(&[("a", vec![1.0]), ("b", vec![2.0])]), block(&[("b", vec![3.0]), ("c", vec![4.0])])],
        &[block(&[
            ("a", vec![5.0; 9]),
            ("b", vec![5.0; 9]),
            ("c", vec![1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0]),
        ])],
        &[block(&[("a", vec![1.0, 2.0, 3.0]), ("b", vec![2.0, 4.0, 6.0]), ("c", vec![3.0, 6.0, 9.0])])],
        &[block(&[("a", vec![f64::MAX, -f64::MAX, 0.0]), ("b", vec![1e-300, 0.0, 5e-324])])],
    ];
    for (number, blocks) in few.iter().enumerate() {
        for rows in ["1", "2", "3", "50"] {
            let copies = blocks.iter().map(|table| {
                let columns: Vec<_> = table
                    .columns
                    .iter()
                    .map(|column| (column.name.as_str(), column.values.to_vec()))
                    .collect();
                block(&columns)
            });
            let merged = run(copies.collect(), &[("rows", rows), ("quick", "yes")]).unwrap();
            assert!(
                merged.columns.iter().all(|column| column.values.len().to_string() == rows),
                "{number} {rows}"
            );
        }
    }
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    let error = |blocks, given: &[(&str, &str)]| run(blocks, given).unwrap_err();
    assert!(error(vec![], &[]).contains("no blocks"));
    assert!(error(vec![block(&[("a", vec![]), ("b", vec![])])], &[]).contains("block 1 (x.csv) has no rows"));
    assert!(error(vec![block(&[("a", vec![f64::NAN])])], &[]).contains("not a finite number"));
    assert!(error(vec![block(&[("a", vec![f64::INFINITY])])], &[]).contains("not a finite number"));
    assert!(error(vec![block(&[("a", vec![1.0]), ("a", vec![1.0])])], &[]).contains("holds a twice"));
    let one = || vec![block(&[("a", vec![1.0])])];
    assert!(error(one(), &[("rows", "0")]).contains("option rows"));
    assert!(error(one(), &[("rows", "99999999999")]).contains("not from 1 to 10000000"));
    assert!(error(one(), &[("quick", "maybe")]).contains("option quick"));
    assert!(error(one(), &[("seed", "-1")]).contains("option seed"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_event_is_there_with_measured_values_in_their_proportions(
        tables in prop::collection::vec(
            (prop::collection::btree_set(0usize..6, 1..4), prop::collection::vec(prop::array::uniform4(0u8..9), 1..30)),
            1..6,
        ),
        seed in 0u64..9,
    ) {
        const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
        let mut pools: std::collections::BTreeMap<&str, Vec<f64>> = std::collections::BTreeMap::new();
        let table = |(events, rows): &(std::collections::BTreeSet<usize>, Vec<[u8; 4]>)| {
            let columns: Vec<(&str, Vec<f64>)> = (events.iter().enumerate())
                .map(|(i, event)| (NAMES[*event], rows.iter().map(|row| f64::from(row[i])).collect()))
                .collect();
            columns.iter().for_each(|(name, values)| pools.entry(name).or_default().extend(values));
            block(&columns)
        };
        let blocks: Vec<Block<'static>> = tables.iter().map(table).collect();
        let by_anchor = only_anchor(&Design::new(&blocks).unwrap()).is_some();
        let seed = seed.to_string();
        let merged = run(blocks, &[("rows", "60"), ("seed", &seed), ("quick", "yes")]).unwrap();
        prop_assert_eq!(merged.columns.len(), pools.len());
        for (name, mut pool) in pools {
            pool.sort_by(f64::total_cmp);
            let mut made = values(&merged, name).to_vec();
            made.sort_by(f64::total_cmp);
            prop_assert_eq!(made.len(), 60);
            if !by_anchor {
                let expected: Vec<f64> = (0..60).map(|i| pool[((2 * i + 1) * pool.len()).div_ceil(120) - 1]).collect();
                prop_assert_eq!(made, expected);
            }
        }
    }
}
