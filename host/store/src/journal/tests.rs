//! Tests of the journal: what it writes, and what is left if a disk is full.

use std::cell::{Cell as StdCell, RefCell};

use assay_experiment::testing::example;
use assay_plugin_api::Field;
use rustix::fs::{SealFlags, fcntl_add_seals};

use super::*;

use crate::{Cost, Measured, Start, StartTimes};

fn timed(search_ns: u64) -> Row {
    let cost = |ns| Cost { ns, counts: Vec::new() };
    Row { occurrences: 1, calls: [cost(2), cost(search_ns)], ..Row::default() }
}

/// A row in which every standard field is 5 and the extra fields are 10, 11 ..
fn measured() -> Row {
    let measured = Measured {
        fields: [Some(5); Field::ALL.len()],
        extra: std::array::from_fn(|field| Some(10 + field as u64)),
    };
    Row { measured: Some(Box::new(measured)), ..timed(3) }
}

/// The numbers of a column in the rows of a cell.
fn column_of(journal: &Journal, cell: &Cell<'_>, name: &str) -> Vec<f64> {
    let column = journal.columns.header.iter().position(|column| column == name).unwrap();
    cell.rows.read(&journal.rows_to_read().unwrap(), &[column]).unwrap().remove(0)
}

/// Appends a block of these rows, from repetition 0 on.
fn append(journal: &mut Journal, cell: &mut Cell<'_>, rows: &[Row]) -> Result<()> {
    journal.append(cell, NewBlock { rows, ..NewBlock::default() })
}

/// Two algorithms with extra fields, of which they have one in common.
fn with_extra_fields(stats: Stats) -> Resolved {
    let mut resolved = example(2, 2);
    resolved.experiment.stats = stats;
    for (chosen, extra) in resolved.algorithms.iter_mut().zip([["#b", "#a"], ["#c", "#b"]]) {
        chosen.listing.extra = extra.map(str::to_owned).to_vec();
    }
    resolved
}

#[test]
fn an_extra_field_has_one_column_whichever_algorithms_have_it() {
    let resolved = with_extra_fields(Stats::Algo);
    let mut journal = Journal::temporary(&resolved).unwrap();
    let standard = columns::fixed().chain(columns::instrumented()).map(str::to_owned);
    let extra = ["#b", "#a", "#c"].map(str::to_owned);
    assert_eq!(journal.columns.header, standard.chain(extra).collect::<Vec<_>>());
    let mut second = Cell::new(&resolved.algorithms[1], &resolved.points[0]);
    append(&mut journal, &mut second, &[measured(), measured()]).unwrap();
    let figures = |column: &str| column_of(&journal, &second, column);
    assert_eq!(
        (figures("#c"), figures("#b"), figures("jumps")),
        (vec![10.0; 2], vec![11.0; 2], vec![5.0; 2])
    );
    assert!(figures("#a").iter().all(|figure| figure.is_nan()), "it has no such field");
    assert!(
        figures("search_ns").iter().all(|figure| figure.is_nan()),
        "the times are those of its instruments"
    );
}

#[test]
fn a_run_that_is_timed_has_neither_extra_fields_nor_standard_ones() {
    let resolved = with_extra_fields(Stats::Perf);
    let mut journal = Journal::temporary(&resolved).unwrap();
    assert_eq!(journal.columns.header, columns::fixed().collect::<Vec<_>>());
    let mut cell = Cell::new(&resolved.algorithms[0], &resolved.points[0]);
    append(&mut journal, &mut cell, &[timed(3), timed(5)]).unwrap();
    assert_eq!(column_of(&journal, &cell, "search_ns"), [3.0, 5.0]);
}

#[test]
fn what_a_worker_noticed_is_kept_beside_the_rows_with_its_round() {
    let folder = tempfile::tempdir().unwrap();
    let resolved = example(1, 10).in_rounds(10, 5);
    let mut journal = Journal::create(folder.path(), &resolved).unwrap();
    let times = StartTimes { load_ns: Some(5), ..StartTimes::default() };
    let start = Some(Start { times, ..Start::default() });
    let noise = BlockNoise {
        floor_ns: 31,
        reference_ns: 7,
        throughput_ns: Some(6),
        cpu_ns: 8,
        elapsed_ns: 9,
        start,
        ..BlockNoise::default()
    };
    let mut cell = Cell::new(&resolved.algorithms[0], &resolved.points[0]);
    let part_noise = PartNoise { steal_ms: Some(20), shared_cpu: Some(true) };
    let block = NewBlock { first: 4, noise: Some(noise), part_noise, ..NewBlock::default() };
    journal.append(&mut cell, block).unwrap();
    let end = journal.length;
    drop(journal);
    let blocks = std::fs::read_to_string(folder.path().join(BLOCKS)).unwrap();
    let line = blocks.lines().nth(1).unwrap();
    let (noted, rest) = line.split_once(",,,,,,1,").unwrap();
    assert_eq!(noted, "2,2,a0,4,0,ok,,31,7,6,,8,9,0,5");
    let (measuring_ms, rest) = rest.split_once(',').unwrap();
    assert!(measuring_ms.parse::<u64>().is_ok() && rest.starts_with(&format!("20,true,{end},")), "{line}");
    let read = Blocks::parse(blocks.as_bytes()).unwrap();
    assert_eq!(read.records[0].commit.as_ref().unwrap().part_noise, part_noise);
}

#[test]
fn of_what_does_not_fit_no_part_of_a_line_stays_and_the_lines_before_it_count() {
    let resolved = example(1, 1000);
    let room = 4096;
    // A file that can't grow is a disk that is full.
    let file = memory_file("full").unwrap();
    file.set_len(room).unwrap();
    fcntl_add_seals(&file, SealFlags::GROW).unwrap();
    let mut journal = Journal { file, ..Journal::temporary(&resolved).unwrap() };
    let (mut cell, begin) = (Cell::new(&resolved.algorithms[0], &resolved.points[0]), journal.length);
    let error = append(&mut journal, &mut cell, &vec![timed(3); 1000]).unwrap_err().to_string();
    assert!(error.contains("free some space there"), "{error}");
    let line = "a0,2,0,ok,0,1,host,2,3,5\n".len() as u64;
    let (least, most) = ((room - begin) / (line + 2), (room - begin) / line);
    let count = cell.rows.len() as u64;
    assert!((least..=most).contains(&count), "{count} rows of {least} to {most}");
    assert_eq!(journal.file.metadata().unwrap().len(), journal.length);
    assert_eq!(column_of(&journal, &cell, "search_ns"), vec![3.0; count as usize]);
}

#[test]
fn a_cell_of_which_nothing_could_be_written_is_as_before() {
    let resolved = example(1, 10);
    let mut cell = Cell::new(&resolved.algorithms[0], &resolved.points[0]);
    assert!(append(&mut Journal::full(&resolved), &mut cell, &[timed(3)]).is_err());
    assert_eq!((&cell.rows, cell.was_begun()), (&Default::default(), false));
}

/// Takes few bytes at a time, is interrupted before each of them, and is full at last.
struct Reluctant {
    taken: RefCell<Vec<u8>>,
    interrupted: StdCell<bool>,
    room: usize,
}

impl FileExt for Reluctant {
    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        if !self.interrupted.replace(!self.interrupted.get()) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let mut taken = self.taken.borrow_mut();
        assert_eq!(offset, 100 + taken.len() as u64);
        let count = bytes.len().min(3).min(self.room - taken.len());
        taken.extend(&bytes[..count]);
        Ok(count)
    }
}

#[test]
fn writing_goes_on_after_an_interruption_and_ends_where_nothing_more_is_taken() {
    let reluctant = |room| Reluctant { taken: RefCell::default(), interrupted: StdCell::new(false), room };
    let file = reluctant(10);
    assert!(matches!(write_most(&file, 100, b"abcdefgh"), (8, Ok(()))));
    assert_eq!(*file.taken.borrow(), b"abcdefgh");
    let (written, result) = write_most(&reluctant(5), 100, b"abcdefgh");
    assert_eq!((written, result.unwrap_err().kind()), (5, io::ErrorKind::WriteZero));
}
