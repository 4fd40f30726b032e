//! Small merges, properties of every merge, and the published data set.

use assay_plugin_api::Cells;
use proptest::prelude::*;

use super::*;
use crate::reference;

type Table = Vec<(&'static str, Vec<f64>)>;

fn blocks(tables: &[Table]) -> Vec<Block<'static>> {
    let column = |(name, values): &(&str, Vec<f64>)| Column {
        name: (*name).to_owned(),
        values: values.clone().into(),
    };
    let block = |(i, table): (usize, &Table)| Block {
        source: format!("part{i}.csv"),
        columns: table.iter().map(column).collect(),
    };
    tables.iter().enumerate().map(block).collect()
}

fn run(tables: &[Table], given: &[(&str, &str)]) -> Result<Merged<'static>, String> {
    merge(blocks(tables), &Options { given, progress: &|_| true })
}

fn names<'a>(merged: &'a Merged<'_>) -> Vec<&'a str> {
    merged.columns.iter().map(|column| column.name.as_str()).collect()
}

/// Irregular numbers that are the same in every run.
fn noise(seed: u64, count: usize) -> Vec<f64> {
    let mut random = crate::gaussian::stream(seed, 0);
    (0..count).map(|_| f64::from(random.random_range(0..1000u32))).collect()
}

fn sums(a: &[f64], b: &[f64], factor: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

#[test]
fn pairs_that_met_correlate_in_the_result_as_they_did() {
    let [a, x, y] = [1, 2, 3].map(|seed| noise(seed, 400));
    let (b, c) = (sums(&a, &x, 1.0), sums(&y, &a, -0.5));
    let tables = [
        vec![("a", a.clone()), ("b", b.clone())],
        vec![("b", b.clone()), ("c", c.clone())],
        vec![("a", a), ("c", c)],
    ];
    let merged = run(&tables, &[("runs", "500")]).unwrap();
    assert_eq!(names(&merged), ["a", "b", "c"]);
    let pairs = &merged.tables.iter().find(|sheet| sheet.title == "pairs").unwrap().columns;
    let column = |name: &str| match pairs.iter().find(|(column, _)| column == name) {
        Some((_, Cells::Numbers(numbers))) => numbers,
        _ => panic!("{name} holds numbers"),
    };
    assert!(column("asked")[0] > 0.6 && column("asked")[1] < -0.3, "{:?}", column("asked"));
    for (asked, reached) in column("asked").iter().zip(column("reached")) {
        assert!((asked - reached).abs() < 0.03, "{asked} {reached}");
    }
}

#[test]
fn duplicates_are_dropped_and_named_with_what_they_duplicate() {
    let a = noise(1, 50);
    let (b, c) = (a.iter().map(|a| 2.0 * a).collect::<Vec<_>>(), a.iter().map(|a| -a).collect::<Vec<_>>());
    let tables = [vec![("a", a), ("b", b), ("c", c), ("d", noise(2, 50))]];
    let merged = run(&tables, &[]).unwrap();
    assert_eq!(names(&merged), ["a", "d"]);
    assert_eq!(merged.notes[0], "dropped, for their correlation with a: b (1.0000), c (-1.0000)");
    // As published: only those that rise together.
    let merged = run(&tables, &[("compat", "yes")]).unwrap();
    assert_eq!(names(&merged), ["a", "c", "d"]);
    assert_eq!(names(&run(&tables, &[("dependency", "1")]).unwrap()), ["a", "b", "c", "d"]);
}

#[test]
fn of_duplicates_alone_one_is_left_and_is_enough() {
    let a = noise(1, 20);
    let merged = run(&[vec![("a", a.clone()), ("b", a.clone())]], &[("runs", "7")]).unwrap();
    assert_eq!((names(&merged), merged.columns[0].values.len()), (vec!["a"], 7));
    let all = merged.columns[0].values.iter().all(|value| a.contains(value));
    assert!(all, "{:?}", merged.columns);
}

#[test]
fn an_event_that_never_changes_keeps_its_value() {
    let tables = [vec![("a", noise(1, 30)), ("k", vec![7.0; 30]), ("b", noise(2, 30))]];
    let merged = run(&tables, &[("runs", "5")]).unwrap();
    assert_eq!(names(&merged), ["a", "k", "b"]);
    assert_eq!(merged.columns[1].values[..], [7.0; 5]);
    assert!(merged.notes.contains(&"never change, so they correlate with nothing: k".to_owned()));
    let merged = run(&[vec![("k", vec![7.0; 3]), ("l", vec![0.0; 3])]], &[("runs", "3")]).unwrap();
    assert_eq!(
        (merged.columns[0].values[..].to_vec(), merged.columns[1].values[..].to_vec()),
        (vec![7.0; 3], vec![0.0; 3])
    );
}

#[test]
fn one_row_is_a_table_of_constants() {
    let merged = run(&[vec![("a", vec![1.0]), ("b", vec![2.0])]], &[("runs", "3")]).unwrap();
    assert_eq!(merged.columns[1].values[..], [2.0; 3]);
}

/// Pairs that were measured apart may contradict each other: a rises with b and with c, but b falls with c.
fn contradiction() -> Vec<Table> {
    let [a, x] = [1, 2].map(|seed| noise(seed, 200));
    let near = sums(&a, &x, 0.7);
    let down = near.iter().map(|value| -value).collect::<Vec<_>>();
    vec![
        vec![("a", a.clone()), ("b", near.clone())],
        vec![("a", a.clone()), ("c", near.clone())],
        vec![("b", a), ("c", down)],
    ]
}

#[test]
fn contradictions_are_repaired_and_said_and_refused_as_published() {
    let merged = run(&contradiction(), &[]).unwrap();
    assert_eq!(names(&merged), ["a", "b", "c"]);
    let note = merged.notes.iter().find(|note| note.starts_with("the correlations contradict each other"));
    assert!(note.unwrap().contains("at distance"), "{note:?}");
    let error = run(&contradiction(), &[("compat", "yes")]).unwrap_err();
    assert!(error.contains("the covariances contradict each other"), "{error}");
}

#[test]
fn pairs_that_never_met_are_named_and_refused() {
    let tables = [vec![("a", noise(1, 9)), ("b", noise(2, 9))], vec![("c", noise(3, 9))]];
    for compat in ["yes", "no"] {
        let error = run(&tables, &[("compat", compat)]).unwrap_err();
        assert!(error.contains("2 of 3 never met: a and c, b and c. "), "{error}");
    }
    let names: [&'static str; 6] = ["a", "b", "c", "d", "e", "f"];
    let apart: Vec<Table> = names.iter().map(|name| vec![(*name, noise(1, 9))]).collect();
    let error = run(&apart, &[]).unwrap_err();
    assert!(error.contains("15 of 15 never met") && error.contains("c and d and 5 pairs more"), "{error}");
}

#[test]
fn options_that_make_no_sense_are_named() {
    let tables = [vec![("a", noise(1, 9)), ("b", noise(2, 9))]];
    for (option, value, expected) in [
        ("runs", "2", "option runs: 2 is not from 3"),
        ("runs", "99999999999", "option runs: 99999999999 is not"),
        ("runs", "many", "option runs"),
        ("sims", "0", "option sims: at least 1"),
        ("dependency", "1.5", "option dependency: 1.5 is not from 0 to 1"),
        ("dependency", "-0.1", "option dependency"),
        ("dependency", "NaN", "option dependency"),
        ("seed", "-1", "option seed"),
        ("compat", "maybe", "option compat: `maybe`"),
    ] {
        let error = run(&tables, &[(option, value)]).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    for tables in [&[][..], &[vec![("a", vec![f64::NAN])]]] {
        let error = run(tables, &[]).unwrap_err();
        assert!(
            error.contains("no blocks") || error.contains("block 1 (part0.csv): a value of a is not"),
            "{error}"
        );
    }
}

#[test]
fn a_merge_that_is_interrupted_ends() {
    let blocks = blocks(&[vec![("a", noise(1, 9)), ("b", noise(2, 9))]]);
    let given = [("sims", "1000000000")];
    assert_eq!(
        merge(blocks, &Options { given: &given, progress: &|done| done > 0.1 }).unwrap_err(),
        "interrupted"
    );
}

#[test]
fn more_simulations_are_no_worse_and_a_seed_gives_the_same_again() {
    let [a, x] = [1, 2].map(|seed| noise(seed, 100));
    let tables = [vec![("a", a.clone()), ("b", sums(&a, &x, 1.0)), ("c", x)]];
    let given = |sims: &'static str, seed: &'static str| [("sims", sims), ("seed", seed), ("runs", "50")];
    let error = |sims| {
        let merged = run(&tables, &given(sims, "1")).unwrap();
        let note = merged.notes.iter().find(|note| note.contains("an error of")).unwrap().clone();
        note.split("an error of ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert!(error("200") < error("1"));
    let columns = |seed| run(&tables, &given("20", seed)).unwrap().columns;
    assert_eq!(columns("5"), columns("5"));
    assert_ne!(columns("5"), columns("6"));
}

#[test]
fn who_does_which_simulation_does_not_matter() {
    let asked = DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 1.0]);
    let gaussian = Gaussian::new(&asked).unwrap();
    let (a, b) = (noise(1, 60), noise(2, 60));
    let settings = Settings { runs: 40, sims: 64, dependency: 1.0, seed: 3, compat: false };
    let simulations = Simulations::new(&gaussian, &asked, &[&a, &b], settings);
    let alone = |sims| {
        let settings = Settings { sims, ..settings };
        Simulations::new(&gaussian, &asked, &[&a, &b], settings).best(&|_| true).unwrap()
    };
    // The best of all is the best of one of the first, each of which one thread could have done.
    let all = simulations.best(&|_| true).unwrap();
    assert_eq!(alone(all.number + 1), all);
    assert!(all.number == 0 || alone(all.number).error > all.error);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_value_was_measured_for_its_event(
        rows in prop::collection::vec((0u8..9, any::<u16>(), -50i16..50), 1..40),
        others in prop::collection::vec((0u8..9, any::<u16>(), -50i16..50), 1..40),
        runs in 3usize..30,
        seed in any::<u64>(),
    ) {
        let table = |rows: &[(u8, u16, i16)]| vec![
            ("a", rows.iter().map(|row| f64::from(row.0)).collect::<Vec<_>>()),
            ("b", rows.iter().map(|row| f64::from(row.1)).collect()),
            ("c", rows.iter().map(|row| f64::from(row.2)).collect()),
        ];
        let tables = [table(&rows), table(&others)];
        let (runs, seed) = (runs.to_string(), seed.to_string());
        let given = [("runs", runs.as_str()), ("seed", &seed), ("sims", "3"), ("dependency", "1")];
        let merged = run(&tables, &given).unwrap();
        prop_assert_eq!(names(&merged), ["a", "b", "c"]);
        for (event, column) in merged.columns.iter().enumerate() {
            prop_assert_eq!(column.values.len().to_string(), runs.as_str());
            for value in column.values.iter() {
                let mut measured = tables[0][event].1.iter().chain(&tables[1][event].1);
                prop_assert!(measured.any(|measured| measured == value), "{value} of {}", column.name);
            }
        }
    }
}

#[test]
fn the_published_data_set_gives_the_reference_parameters() {
    let Some(folder) = reference::folder() else { return };
    let blocks = reference::blocks(&folder, "much_raw.csv");
    let design = Design::new(&blocks).unwrap();
    let pairs = design.trimmed();
    let close = |found: f64, expected: &str| {
        let expected: f64 = expected.parse().unwrap();
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} {expected}");
    };
    let (_, expected) = reference::cells(&folder.join("pairs_expected.csv"));
    assert_eq!(pairs.len(), expected.len());
    for (pair, expected) in pairs.iter().zip(expected) {
        let names = [design.events[pair.events.0], design.events[pair.events.1]];
        assert_eq!(
            [names[0], names[1], &pair.blocks.to_string(), &pair.rows.to_string()],
            [&expected[0], &expected[1], &expected[2], &expected[4]].map(String::as_str)
        );
        close(pair.correlation.unwrap(), &expected[5]);
    }
    let all: Vec<usize> = (0..design.events.len()).collect();
    let correlations = matrix(&all, all.len(), &pairs);
    let (_, expected) = reference::cells(&folder.join("cor_expected.csv"));
    for (i, row) in expected.iter().enumerate() {
        row[1..].iter().enumerate().for_each(|(j, expected)| close(correlations[(i, j)], expected));
    }
    let kept_names = std::fs::read_to_string(folder.join("kept_0.85_expected.txt")).unwrap();
    for compat in [true, false] {
        let settings = Settings { runs: 1000, sims: 1, dependency: 0.85, seed: 1, compat };
        let events = sorted_out(&design, &pairs, settings);
        let kept: Vec<usize> =
            all.iter().copied().filter(|event| events[*event].fate == Fate::Kept).collect();
        assert_eq!(
            kept.iter().map(|event| design.events[*event]).collect::<Vec<_>>(),
            kept_names.lines().collect::<Vec<_>>()
        );
        let (_, expected) = reference::cells(&folder.join("means_expected.csv"));
        for (event, expected) in events.iter().zip(expected) {
            close(mean(&event.margin), &expected[1]);
            close(deviation(&event.margin), &expected[2]);
            assert_eq!(event.margin.len().to_string(), expected[3]);
        }
        let (_, expected) = reference::cells(&folder.join("sigma_expected.csv"));
        for (i, row) in kept.iter().zip(&expected) {
            for (j, expected) in kept.iter().zip(&row[1..]) {
                let sigma =
                    deviation(&events[*i].margin) * correlations[(*i, *j)] * deviation(&events[*j].margin);
                close(sigma, expected);
            }
        }
    }
}

#[test]
fn errors_are_those_of_the_published_program() {
    let Some(folder) = reference::folder() else { return };
    let blocks = reference::blocks(&folder, "much_raw.csv");
    let design = Design::new(&blocks).unwrap();
    let pairs = design.trimmed();
    // Rows of the table beside the data: dependency, simulations, and the range of 60 or 200 seeds.
    for (dependency, sims, median, least, greatest) in [
        (0.85, 100, 7.0e-4..8.6e-4, 6.06e-4, 1.03e-3),
        (0.85, 10, 0.9e-3..1.2e-3, 6.3e-4, 1.61e-3),
        (1.0, 10, 1.2e-3..1.5e-3, 8.1e-4, 2.28e-3),
    ] {
        let settings = Settings { runs: 1000, sims, dependency, seed: 0, compat: true };
        let events = sorted_out(&design, &pairs, settings);
        let kept: Vec<usize> = (0..events.len()).filter(|event| events[*event].fate == Fate::Kept).collect();
        let asked = matrix(&kept, events.len(), &pairs);
        let margins: Vec<&[f64]> = kept.iter().map(|event| events[*event].margin.as_slice()).collect();
        let gaussian = as_published(&asked, &margins).unwrap();
        let error = |seed| {
            let settings = Settings { seed, ..settings };
            Simulations::new(&gaussian, &asked, &margins, settings).best(&|_| true).unwrap().error
        };
        let mut errors: Vec<f64> = (1..=20).map(error).collect();
        errors.sort_by(f64::total_cmp);
        let middle = (errors[9] + errors[10]) / 2.0;
        assert!(median.contains(&middle), "{dependency}, {sims}: {errors:?}");
        assert!(errors[0] > 0.9 * least && errors[19] < 1.1 * greatest, "{dependency}, {sims}: {errors:?}");
    }
}
