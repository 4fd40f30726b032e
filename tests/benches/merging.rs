//! Mergers on the published data sets, and MUCH on 200 events.

use std::hint::black_box;

use assay_mergers::hrm::HRM;
use assay_mergers::much::MUCH;
use assay_mergers::pairs::Design;
use assay_plugin_api::{Block, Column, Merger, Options};
use assay_tests::shared;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

/// Columns of a raw table, cut into blocks of six; titles such as `X1.2` stand for `X1`.
fn raw(file: &str) -> Option<Vec<Block<'static>>> {
    let mut reader =
        csv::Reader::from_path(shared("reference/merging")?.join(file)).expect("the file is there");
    let titles = reader.headers().expect("it has a header").clone();
    let mut columns = vec![Vec::new(); titles.len()];
    for record in reader.records() {
        for (column, cell) in columns.iter_mut().zip(&record.expect("it is whole")) {
            column.push(cell.parse().expect("cells are numbers"));
        }
    }
    let named = titles.iter().map(|title| title.split('.').next().unwrap_or(title)).zip(columns);
    let columns: Vec<(&str, Vec<f64>)> = named.collect();
    Some(columns.chunks(6).map(block).collect())
}

fn block(columns: &[(&str, Vec<f64>)]) -> Block<'static> {
    let column = |(name, values): &(&str, Vec<f64>)| Column {
        name: (*name).to_owned(),
        values: values.clone().into(),
    };
    Block { source: String::new(), columns: columns.iter().map(column).collect() }
}

fn copied(blocks: &[Block<'static>]) -> Vec<Block<'static>> {
    let column =
        |column: &Column<'_>| Column { name: column.name.clone(), values: column.values.to_vec().into() };
    let block = |block: &Block<'_>| Block {
        source: String::new(),
        columns: block.columns.iter().map(column).collect(),
    };
    blocks.iter().map(block).collect()
}

/// 200 events in one block of 1000 rows: sums of a common part and one of each event's own.
fn wide() -> Vec<Block<'static>> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64
    };
    let common: Vec<f64> = (0..1000).map(|_| next()).collect();
    let names: Vec<String> = (0..200).map(|event| format!("event{event}")).collect();
    let columns: Vec<(&str, Vec<f64>)> = names
        .iter()
        .map(|name| (name.as_str(), common.iter().map(|common| common + 2.0 * next()).collect()))
        .collect();
    vec![block(&columns)]
}

fn merging(criterion: &mut Criterion) {
    let mut bench = |name: &str, merger: Merger, blocks: &[Block<'static>], given: &[(&str, &str)]| {
        criterion.bench_function(name, |bencher| {
            bencher.iter_batched(
                || copied(blocks),
                |blocks| black_box((merger.merge)(blocks, &Options { given, progress: &|_| true })),
                BatchSize::LargeInput,
            );
        });
    };
    if let Some(blocks) = raw("hrm_raw.csv") {
        bench("hrm, 16 events", HRM, &blocks, &[("anchor", "X1")]);
    }
    bench("much, 200 events, 10 simulations", MUCH, &wide(), &[("sims", "10")]);
    let Some(blocks) = raw("much_raw.csv") else { return };
    bench("much, 7 of 16 events, 1 simulation", MUCH, &blocks, &[("sims", "1")]);
    bench("much, 7 of 16 events, 100 simulations", MUCH, &blocks, &[("sims", "100")]);
    bench("much, 16 events, 100 simulations", MUCH, &blocks, &[("sims", "100"), ("dependency", "1")]);
    let design = Design::new(&blocks).expect("the data are complete");
    criterion
        .bench_function("correlations of 16 events", |bencher| bencher.iter(|| black_box(design.trimmed())));
}

criterion_group!(benches, merging);
criterion_main!(benches);
