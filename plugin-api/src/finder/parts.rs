//! The parts in which a text is searched for its first or last occurrence.

use std::ops::Range;

/// Lengths of the parts, in windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The first part is as short as it can be without its call showing in the time.
    pub first: usize,
    /// No part is longer, because a part is searched to its end. Copies have this length as well.
    pub longest: usize,
}

/// From where a text is searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    Forward,
    Backward,
}

impl Parts {
    /// Parts for a pattern of `m` bytes. They overlap by m - 1 bytes, so they must be longer than the pattern
    /// by much.
    pub fn usual(m: usize) -> Self {
        let least = m.saturating_mul(4);
        Parts { first: least.max(1 << 11), longest: least.max(1 << 16) }
    }

    /// The part after `searched` windows, if the last part had `length`.
    pub fn next_length(&self, length: usize) -> usize {
        if length == 0 { self.first } else { self.longest.min(2 * length) }
    }

    /// Ranges of windows, which together are those of the text.
    pub fn of_text(self, windows: usize, direction: Direction) -> impl Iterator<Item = Range<usize>> {
        let (mut searched, mut length) = (0, 0);
        std::iter::from_fn(move || {
            length = self.next_length(length);
            let begin = searched;
            searched = windows.min(begin + length);
            (begin < searched).then(|| match direction {
                Direction::Forward => begin..searched,
                Direction::Backward => windows - searched..windows - begin,
            })
        })
    }
}
