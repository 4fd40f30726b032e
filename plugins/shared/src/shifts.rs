//! The occurrence shifts that many algorithms share: how far the window moves by one or two bytes of the
//! text.

use assay_plugin_api::prelude::*;

/// Fills in, for each byte of the text right after `prefix` (a prefix of the pattern), the least shift that
/// brings an equal byte of the prefix there, or the whole prefix past it.
///
/// With all of the pattern but its last byte, these are Horspool's shifts; with all of it, those of Quick
/// Search.
pub fn fill_shifts(shift: &mut ByteTable<u32>, prefix: &[u8]) {
    let length = prefix.len() as u32;
    shift.fill(length + 1);
    for (distance, &byte) in (1..=length).rev().zip(prefix) {
        shift[byte as usize] = distance;
    }
}

/// Fills in, for each byte, how far its last occurrence in the pattern is from the end: 0 for the last byte,
/// and the pattern's length for a byte that it does not have.
pub fn fill_distances(distance: &mut ByteTable<u32>, pattern: &[u8]) {
    let m = pattern.len() as u32;
    distance.fill(m);
    for (before_end, &byte) in (0..m).rev().zip(pattern) {
        distance[byte as usize] = before_end;
    }
}

/// Fills in, for each two bytes of the text at `place` of the window and after it, the least shift that
/// brings equal bytes of the pattern there, or the whole pattern past them; where the pattern begins or ends
/// between them, one is enough.
///
/// For the last two bytes of the window these are the shifts of Zhu and Takaoka; for the two after it, the
/// shifts of Berry and Ravindran. Entries have 16 bits because a smaller table stays in the cache more often;
/// a longer shift is made in several steps.
pub fn fill_pair_shifts(shifts: &mut PairShifts, pattern: &[u8], place: usize) {
    let entry = |shift: usize| u16::try_from(shift).unwrap_or(u16::MAX);
    shifts.fill(entry(place + 2));
    for byte in 0..=255 {
        shifts[pair([byte, pattern[0]])] = entry(place + 1);
    }
    for (i, &first) in pattern[..place].iter().enumerate() {
        let shift = entry(place - i);
        match pattern.get(i + 1) {
            Some(&second) => shifts[pair([first, second])] = shift,
            None => (0..=255).for_each(|second| shifts[pair([first, second])] = shift),
        }
    }
}

/// A shift for each two bytes.
pub type PairShifts = HashTable<u16, 16>;

/// Index of the entry of two bytes.
#[inline(always)]
pub fn pair(bytes: [u8; 2]) -> usize {
    u16::from_le_bytes(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bytes_shift_by_where_the_pattern_has_them_or_one_of_them_at_its_ends() {
        let mut shifts = PairShifts::default();
        fill_pair_shifts(&mut shifts, b"gcagagag", 8);
        assert_eq!(
            ["ag", "ga", "gc", "ca", "gx", "xg", "xy"].map(|bytes| shift(&shifts, bytes)),
            [2, 1, 1, 7, 1, 9, 10]
        );
        fill_pair_shifts(&mut shifts, b"gcagagag", 6);
        assert_eq!(
            ["ag", "ga", "gc", "ca", "gx", "xg", "xy"].map(|bytes| shift(&shifts, bytes)),
            [2, 1, 6, 5, 8, 7, 8]
        );
    }

    #[test]
    fn distances_are_from_the_end_of_the_pattern() {
        let mut distances = ByteTable::default();
        fill_distances(&mut distances, b"gcagagag");
        assert_eq!([b'g', b'a', b'c', b'x'].map(|byte| distances[byte as usize]), [0, 1, 6, 8]);
    }

    #[test]
    fn a_shift_that_an_entry_has_no_room_for_is_less() {
        let mut shifts = PairShifts::default();
        fill_pair_shifts(&mut shifts, &[b'a'; 70_000], 70_000);
        assert_eq!(["xy", "xa", "ax"].map(|bytes| shift(&shifts, bytes)), [u16::MAX, u16::MAX, 1]);
    }

    fn shift(shifts: &PairShifts, bytes: &str) -> u16 {
        shifts[pair(bytes.as_bytes().try_into().unwrap())]
    }
}
