//! What the mergers `auto` and `exact` take, in this process. Targets, on one thread: 31 events in 31 blocks
//! of 1000 rows in 0.5 s; a target for 7 events in 20 ms, for 16 that contradict each other in 60 ms.

use std::hint::black_box;
use std::path::Path;

use assay_mergers::{auto, exact};
use assay_plugin_api::{Block, Column, Merged, Options};
use assay_tests::shared;
use criterion::{Criterion, criterion_group, criterion_main};

type Merge = for<'a> fn(Vec<Block<'a>>, &Options<'_>) -> Result<Merged<'a>, String>;
type Columns = Vec<(String, Vec<f64>)>;

fn merged(merge: Merge, blocks: &[Columns], given: &[(&str, &str)]) {
    let blocks = blocks.iter().map(|columns| {
        let column = |(name, values): &(String, Vec<f64>)| Column {
            name: name.clone(),
            values: values.clone().into(),
        };
        Block { source: "a block".to_owned(), columns: columns.iter().map(column).collect() }
    });
    let options = Options { given, progress: &|_| true };
    black_box(merge(blocks.collect(), &options).expect("the blocks are in order"));
}

/// 31 events in 31 blocks, such that every pair meets once (a projective plane). Values have a common part
/// and heavy tails.
fn plane() -> Vec<Columns> {
    let mut state = 1u64;
    let mut draw = || {
        // SplitMix64: the sum of four parts of its number is nearly normal.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let parts = [0, 16, 32, 48].map(|by| f64::from((mixed >> by) as u16) / 65536.0 - 0.5);
        parts.iter().sum::<f64>() * 3f64.sqrt()
    };
    let block = |shift: usize| {
        let events = [0, 1, 3, 8, 12, 18].map(|event| (event + shift) % 31);
        let mut columns: Columns = events.iter().map(|event| (format!("e{event}"), Vec::new())).collect();
        for _ in 0..1000 {
            let common = [draw(), draw()];
            for (event, (_, values)) in events.iter().zip(&mut columns) {
                let angle = *event as f64;
                let value = angle.cos() * common[0] + angle.sin() * common[1] + 0.5 * draw();
                values.push((1e4 * value.exp()).round());
            }
        }
        columns
    };
    (0..31).map(block).collect()
}

/// The raw table of the reference data, six columns a block, events by their codes.
fn raw(path: &Path) -> Vec<Columns> {
    let mut reader = csv::Reader::from_path(path).expect("it is there");
    let titles = reader.headers().expect("a header").clone();
    let code = |title: &str| title.split('.').next().unwrap_or_default().to_owned();
    let mut columns: Columns = titles.iter().map(|title| (code(title), Vec::new())).collect();
    for record in reader.records() {
        let record = record.expect("a row");
        columns
            .iter_mut()
            .zip(&record)
            .for_each(|((_, values), cell)| values.push(cell.parse().expect("a number")));
    }
    columns.chunks(6).map(<[_]>::to_vec).collect()
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("merge");
    group.sample_size(10);
    let plane = plane();
    group.bench_function("auto, 31 events in 31 blocks", |bench| {
        bench.iter(|| merged(auto::merge, &plane, &[]))
    });
    let Some(path) = shared("reference/merging/much_raw.csv") else { return };
    let raw = raw(&path);
    group.bench_function("auto, 16 events in 24 blocks", |bench| {
        bench.iter(|| merged(auto::merge, &raw, &[]))
    });
    group.bench_function("exact, 16 events as measured", |bench| {
        bench.iter(|| merged(exact::merge, &raw, &[]))
    });
    // Seven events of 0.4 with each other.
    let mut names: Vec<&str> = raw.iter().flatten().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.truncate(7);
    let row = |name: &&str| {
        let cells = names.iter().map(|other| if other == name { "1" } else { "0.4" });
        format!("{name},{}\n", cells.collect::<Vec<_>>().join(","))
    };
    let target = format!("HEM,{}\n{}", names.join(","), names.iter().map(row).collect::<String>());
    group.bench_function("exact, 7 events by a target", |bench| {
        bench.iter(|| merged(exact::merge, &raw, &[("target", &target)]));
    });
}

criterion_group!(all, benches);
criterion_main!(all);
