//! Kinds of work that take time, and the cells whose times the model explains.

use assay_plugin_api::Field;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A kind of work: what a twin counts, and what takes time by the cost model.
///
/// Counts that never come alone are left out, because no fit can separate them: a character of the pattern is read for a
/// condition, a verification is a condition, and an assignment belongs to a read or a move. The others are what tables
/// hold, which is no work of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum WorkKind {
    /// A character of the text is read.
    Text,
    /// A table entry is looked up.
    Lookup,
    /// A computation is made.
    Computation,
    /// A condition is tested.
    Branch,
    /// The window moves by more than one character. How far depends on the text, so a processor can't predict what comes
    /// next, while it predicts a move by one character.
    Skip,
}

/// The number of kinds.
pub(crate) const KINDS: usize = 5;

impl WorkKind {
    /// All kinds, in order.
    pub const ALL: [WorkKind; KINDS] =
        [WorkKind::Text, WorkKind::Lookup, WorkKind::Computation, WorkKind::Branch, WorkKind::Skip];

    /// The count of twins that it follows from.
    pub fn field(self) -> Field {
        match self {
            WorkKind::Text => Field::TextBytesRead,
            WorkKind::Lookup => Field::Lookups,
            WorkKind::Computation => Field::Computations,
            WorkKind::Branch => Field::Branches,
            WorkKind::Skip => Field::Jumps,
        }
    }

    /// The name in JSON: that of the count, if it is one.
    pub(crate) fn name(self) -> &'static str {
        match self {
            WorkKind::Skip => "skips",
            counted => counted.field().name(),
        }
    }

    /// Several of them: `table entries`.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            WorkKind::Text => "characters of the text",
            WorkKind::Lookup => "table entries",
            WorkKind::Computation => "computations",
            WorkKind::Branch => "conditions",
            WorkKind::Skip => "skips",
        }
    }

    /// What an algorithm does with them: it `reads` characters.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            WorkKind::Text => "reads",
            WorkKind::Lookup => "looks up",
            WorkKind::Computation | WorkKind::Skip => "makes",
            WorkKind::Branch => "tests",
        }
    }

    /// The letter that bars in a terminal consist of.
    pub(crate) fn letter(self) -> char {
        match self {
            WorkKind::Text => 't',
            WorkKind::Lookup => 'l',
            WorkKind::Computation => 'c',
            WorkKind::Branch => 'b',
            WorkKind::Skip => 's',
        }
    }

    /// The colour of bars in a picture: five colours of M. Okabe and K. Ito (Color Universal Design, 2008), which people
    /// with any colour vision can distinguish.
    pub(crate) fn colour(self) -> &'static str {
        match self {
            WorkKind::Text => "#0072b2",
            WorkKind::Lookup => "#d55e00",
            WorkKind::Computation => "#e69f00",
            WorkKind::Branch => "#009e73",
            WorkKind::Skip => "#cc79a7",
        }
    }
}

/// A value for each kind of work, in order. JSON has them by name.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PerWork<T>(pub [T; KINDS]);

impl<T: Copy> PerWork<T> {
    /// The value for a kind.
    pub fn get(&self, kind: WorkKind) -> T {
        self.0[kind as usize]
    }
}

impl PerWork<f64> {
    /// The work of a search in a text of this length, from the counts of [`WorkKind::field`].
    ///
    /// Twins count moves, and not how long each is. A move by one character jumps over none, and all moves together jump
    /// over as many as the text has more than there are moves. So at most that many are longer than one character; the
    /// number of skips is taken as the greatest that is possible.
    pub fn from_counts(counts: [f64; KINDS], text_bytes: usize) -> Self {
        let mut work = PerWork(counts);
        let moves = &mut work.0[WorkKind::Skip as usize];
        *moves = moves.min((text_bytes as f64 - *moves).max(0.0));
        work
    }

    /// The sum over all kinds.
    pub(crate) fn sum(&self) -> f64 {
        self.0.iter().sum()
    }
}

impl<T: Serialize> Serialize for PerWork<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(KINDS))?;
        for (kind, value) in WorkKind::ALL.into_iter().zip(&self.0) {
            map.serialize_entry(kind.name(), value)?;
        }
        map.end()
    }
}

/// What was measured of an algorithm at a range value: the time of a search, and the work in it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkCell {
    /// Id of the algorithm.
    pub algorithm: String,
    /// The range value.
    pub value: u64,
    /// The range value in words: `m=8`.
    pub at: String,
    /// Time of a search in nanoseconds; positive.
    pub time_ns: f64,
    /// How often the search does each kind of work.
    pub work: PerWork<f64>,
}

impl WorkCell {
    /// Whether both cells are of one algorithm. A copy (`hor@2`) is the algorithm itself.
    pub(crate) fn is_of(&self, algorithm: &str) -> bool {
        original(&self.algorithm) == original(algorithm)
    }
}

/// The id of an algorithm without the number of its copy.
pub(crate) fn original(id: &str) -> &str {
    id.split('@').next().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_by_one_character_are_no_skips() {
        let skips = |moves| PerWork::from_counts([1.0, 2.0, 3.0, 4.0, moves], 100).get(WorkKind::Skip);
        assert_eq!([100.0, 93.0, 50.0, 10.0, 101.0].map(skips), [0.0, 7.0, 50.0, 10.0, 0.0]);
        assert_eq!(PerWork::from_counts([1.0, 2.0, 3.0, 4.0, 5.0], 100).0, [1.0, 2.0, 3.0, 4.0, 5.0]);
    }
}
