//! Columns of numbers in the files that host and child share. One side writes them, the other reads them.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use assay_plugin_api::Values;
use memmap2::{MmapMut, MmapOptions};
use rustix::fs::{FallocateFlags, SealFlags, fallocate, fcntl_add_seals};

use crate::plugin::call::NumberPlace;

/// Size of a number in bytes.
const NUMBER: usize = size_of::<f64>();
/// Greatest number of results of a call (1 GiB), unless the input was large: then four times as many as went
/// in. A plugin that returns more has an endless loop.
const MOST_NUMBERS: usize = 1 << 27;

/// Appends numbers to a file.
///
/// # Errors
/// If there is no memory left.
pub(super) fn write(mut file: &File, numbers: &[f64]) -> io::Result<()> {
    file.write_all(bytemuck::cast_slice(numbers))
}

/// Reads the next `count` numbers.
///
/// # Errors
/// If there are fewer.
pub(super) fn read(mut file: &File, count: usize) -> io::Result<Vec<f64>> {
    filled(file, count, |bytes| file.read_exact(bytes))
}

/// Reads the next `count` numbers, and frees their memory in the file.
///
/// # Errors
/// If there are fewer.
pub(super) fn take(mut file: &File, count: usize) -> io::Result<Vec<f64>> {
    let from = file.stream_position()?;
    let numbers = read(file, count)?;
    free(file, from, count)?;
    Ok(numbers)
}

/// Reads the `count` numbers after the first `from`, and frees their memory in the file.
///
/// # Errors
/// If there are fewer.
pub(crate) fn take_at(file: &File, from: usize, count: usize) -> io::Result<Vec<f64>> {
    let end = from.checked_add(count).and_then(|end| end.checked_mul(NUMBER));
    end.ok_or(io::ErrorKind::UnexpectedEof)?;
    let first = (from * NUMBER) as u64;
    let numbers = filled(file, count, |bytes| file.read_exact_at(bytes, first))?;
    free(file, first, count)?;
    Ok(numbers)
}

/// Makes room for numbers of a file, and lets `fill` read them.
fn filled(file: &File, count: usize, fill: impl FnOnce(&mut [u8]) -> io::Result<()>) -> io::Result<Vec<f64>> {
    let there = file.metadata()?.len() / NUMBER as u64;
    if count as u64 > there {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut numbers = vec![0.0; count];
    fill(bytemuck::cast_slice_mut(&mut numbers))?;
    Ok(numbers)
}

/// Frees the memory of numbers in a file, so that a large table is never in memory twice.
fn free(file: &File, from: u64, count: usize) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    Ok(fallocate(file, hole, from, (count * NUMBER) as u64)?)
}

/// The numbers of a file, mapped into memory instead of copied.
pub(crate) struct MappedNumbers(MmapMut);

impl MappedNumbers {
    /// Maps a file.
    ///
    /// # Errors
    /// If there are fewer numbers, or if there is no room for them.
    pub(super) fn new(file: &File, count: usize) -> io::Result<Self> {
        if file.metadata()?.len() / (NUMBER as u64) < count as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: the host has made the file for this call, and leaves it alone until the answer.
        let map = unsafe { MmapOptions::new().len(count * NUMBER).map_mut(file)? };
        Ok(MappedNumbers(map))
    }

    /// All numbers.
    pub(super) fn numbers(&mut self) -> &mut [f64] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// Keeps the results of a call mapped: numbers that a merger has left in its input are lent from there,
/// without a copy, as long as this value lives.
#[derive(Default)]
pub struct ResultMemory(Option<MmapMut>);

impl ResultMemory {
    /// Returns the lists at these places of a file, each a number of numbers before it and a length. They are
    /// lent if the file can be sealed against writes. Otherwise, the child may still write to it, and they
    /// are copied.
    ///
    /// # Errors
    /// If a list ends after the file, or if two lists overlap.
    pub fn lists<'a>(&'a mut self, file: &File, places: &[(usize, usize)]) -> io::Result<Vec<Values<'a>>> {
        let sealed =
            !places.is_empty() && fcntl_add_seals(file, SealFlags::WRITE | SealFlags::SHRINK).is_ok();
        if !sealed {
            let own = |&(from, count): &(usize, usize)| take_at(file, from, count).map(Values::Own);
            return places.iter().map(own).collect();
        }
        // SAFETY: nobody can change the file any more, nor cut it; what is written to the map stays in this
        // process.
        let map = self.0.insert(unsafe { MmapOptions::new().map_copy(file)? });
        let whole = map.len() / NUMBER * NUMBER;
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|&list| places[list]);
        let mut lists: Vec<Option<Values<'a>>> = places.iter().map(|_| None).collect();
        let (mut left, mut passed): (&mut [f64], usize) = (bytemuck::cast_slice_mut(&mut map[..whole]), 0);
        for list in order {
            let (from, count) = places[list];
            let between = from.checked_sub(passed).ok_or(io::ErrorKind::InvalidData)?;
            let end = between.checked_add(count).filter(|end| *end <= left.len());
            let (own, after) = left.split_at_mut(end.ok_or(io::ErrorKind::UnexpectedEof)?);
            lists[list] = Some(own.split_at_mut(between).1.into());
            (left, passed) = (after, from + count);
        }
        Ok(lists.into_iter().flatten().collect())
    }
}

/// Writes the results of a call. Lists that lie in the input stay there, and all others go to the output.
pub(super) struct ResultWriter<'a> {
    output: &'a File,
    /// The addresses of the input.
    input: Range<usize>,
    /// The addresses of lists in the input that were results already.
    returned: Vec<Range<usize>>,
    /// Number of numbers in the output.
    made: usize,
}

impl<'a> ResultWriter<'a> {
    /// No results yet. The input is that of [`MappedNumbers`].
    pub(super) fn new(output: &'a File, input: &[f64]) -> Self {
        ResultWriter { output, input: addresses(input), returned: Vec::new(), made: 0 }
    }

    /// Adds a list, and returns its place.
    ///
    /// # Errors
    /// If there is no memory left, or if there are too many numbers.
    pub(super) fn add(&mut self, numbers: &[f64]) -> Result<NumberPlace, String> {
        let (own, count) = (addresses(numbers), numbers.len());
        let inside = self.input.start <= own.start && own.end <= self.input.end;
        // A list that overlaps with an earlier one is copied, because the host can lend each number only
        // once.
        let twice = self.returned.iter().any(|other| own.start < other.end && other.start < own.end);
        if inside && !twice && count > 0 {
            let from = (own.start - self.input.start) / NUMBER;
            self.returned.push(own);
            return Ok(NumberPlace::Given { from, count });
        }
        self.made += count;
        let most = MOST_NUMBERS.max(4 * self.input.len() / NUMBER);
        if self.made > most {
            return Err(format!("it gives more than {most} numbers at once"));
        }
        write(self.output, numbers).map_err(|error| format!("its numbers are lost on their way: {error}"))?;
        Ok(NumberPlace::Made { count })
    }
}

/// The addresses of numbers.
fn addresses(numbers: &[f64]) -> Range<usize> {
    let first = numbers.as_ptr() as usize;
    first..first + size_of_val(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{memory_file, opened_again};

    #[test]
    fn numbers_come_through_as_they_are() {
        let numbers: Vec<f64> = (0..20_000).map(|i| i as f64 / 3.0).chain([f64::NAN]).collect();
        let file = memory_file("test").unwrap();
        let (first, last) = numbers.split_at(7);
        write(&file, first).unwrap();
        write(&file, last).unwrap();
        let other = opened_again(&file).unwrap();
        assert_eq!(read(&other, 7).unwrap(), first);
        let found = read(&other, last.len()).unwrap();
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(last));
        assert!(read(&other, 1).is_err() && read(&other, usize::MAX).is_err());
        assert!(take_at(&file, usize::MAX, 2).is_err() && take_at(&file, numbers.len(), 1).is_err());
        assert_eq!(bits(&take_at(&file, 7, last.len()).unwrap()), bits(last));
        assert_eq!(take_at(&file, 0, 7).unwrap(), first);
    }

    #[test]
    fn results_that_lie_in_the_input_stay_there_once() {
        let (input, output) = (memory_file("in").unwrap(), memory_file("out").unwrap());
        write(&input, &[1.0, 2.0, 3.0, 4.0]).unwrap();
        let mut mapped = MappedNumbers::new(&input, 4).unwrap();
        assert!(MappedNumbers::new(&input, 5).is_err());
        let mut results = ResultWriter::new(&output, mapped.numbers());
        let (first, last) = mapped.numbers().split_at_mut(2);
        last[1] = 5.0;
        assert_eq!(results.add(last), Ok(NumberPlace::Given { from: 2, count: 2 }));
        assert_eq!(results.add(&last[1..]), Ok(NumberPlace::Made { count: 1 }));
        assert_eq!(results.add(first), Ok(NumberPlace::Given { from: 0, count: 2 }));
        assert_eq!(results.add(&[7.0, 8.0]), Ok(NumberPlace::Made { count: 2 }));
        assert_eq!(take_at(&input, 2, 2).unwrap(), [3.0, 5.0]);
        let mut output = &output;
        output.rewind().unwrap();
        assert_eq!(take(output, 3).unwrap(), [5.0, 7.0, 8.0]);
    }

    #[test]
    fn lists_stay_where_they_lie_unless_somebody_may_still_write_there() {
        let places = [(3, 1), (0, 2)];
        let file = memory_file("in").unwrap();
        write(&file, &[1.0, 2.0, 3.0, 4.0]).unwrap();
        let mapped = MappedNumbers::new(&file, 4).unwrap();
        let (mut room, mut other) = (ResultMemory::default(), ResultMemory::default());
        let lists = room.lists(&file, &places).unwrap();
        assert!(matches!(lists[..], [Values::Own(_), Values::Own(_)]) && *lists[1] == [1.0, 2.0]);
        write(&file, &[5.0]).unwrap();
        drop(mapped);
        let lists = other.lists(&file, &[(4, 1), (2, 2)]).unwrap();
        assert!(matches!(lists[..], [Values::Lent(_), Values::Lent(_)]));
        assert_eq!((&*lists[0], &lists[1][..1]), (&[5.0][..], &[3.0][..]));
        for wrong in [&[(4, 2)][..], &[(usize::MAX, 1)], &[(1, usize::MAX)], &[(0, 2), (1, 1)]] {
            assert!(other.lists(&file, wrong).is_err(), "{wrong:?}");
        }
        assert!(write(&file, &[6.0]).is_err());
    }
}
