//! The minimal deterministic automaton of the texts that end with a word, the pattern or its reverse: in the
//! state of number `i`, its first `i` characters have been read, and no longer prefix of it.

use super::transitions::{MAX_STATES, Transitions};

/// Longest pattern: the automaton has one state more than the pattern has characters.
pub(crate) const MAX_PATTERN: usize = MAX_STATES - 1;

/// Fills in the transitions of a word, which is the pattern or its reverse.
pub(crate) fn prepare<'a>(transitions: &mut Transitions, pattern: &[u8], word: impl Iterator<Item = &'a u8>) {
    transitions.reset(pattern, pattern.len() + 1);
    let row_len = transitions.row_len();
    // Where the longest border of what has been read leads: a state differs from it in one transition.
    let (mut row, mut border) = (0, 0);
    for &byte in word {
        transitions.targets.copy_within(border..border + row_len, row);
        let entry = transitions.entry(row as u32, byte);
        let next = std::mem::replace(&mut transitions.targets[entry], (row + row_len) as u32);
        // The initial state has no border.
        border = if row == 0 { 0 } else { next as usize };
        row += row_len;
    }
    transitions.targets.copy_within(border..border + row_len, row);
}
