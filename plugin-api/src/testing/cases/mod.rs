//! The cases of the tests of algorithms, in named groups. Each group looks for one kind of mistake.
//!
//! A [`Plan`] chooses cases. The same plan makes the same cases on every machine, so that a [`Place`] can
//! name one of them.

mod bytes;
mod drawn;
mod draws;
mod fixed;
mod placed;
mod repetitive;
mod sizes;
mod surroundings;

use std::fmt;
use std::str::FromStr;

use draws::Draws;

pub use fixed::seeds;
pub use surroundings::{Around, Edge};

/// A case: pattern and text.
pub type Case = (Vec<u8>, Vec<u8>);

/// Cases, each made when it is needed.
type Cases = Box<dyn Iterator<Item = Case>>;

/// The size of a plan, which decides the number of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Some thousand cases, so that a crate can test each of its algorithms.
    Quick,
    /// Every pattern length from 1 to 64, powers of two with their neighbours up to 4096, and more of each
    /// group.
    #[default]
    Full,
}

/// A choice of cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The seed, which decides all random cases.
    pub seed: u64,
    /// The size.
    pub size: Size,
    /// Pattern lengths to try. If the list is empty, the size decides.
    pub lengths: Vec<usize>,
}

/// A group of cases of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What its cases are.
    pub about: &'static str,
    make: Make,
}

/// How the cases of a group are made.
#[derive(Clone, Copy, Debug)]
enum Make {
    /// Always the same, without randomness.
    Fixed(fn(Size) -> Cases),
    /// A few for each pattern length. The number is the factor for a full test, except for [`LONG`] patterns.
    OfLength(fn(&mut Draws, usize) -> Vec<Case>, usize),
    /// Any number of cases: the numbers of a quick test and of a full one.
    Drawn(fn(&mut Draws) -> Case, [usize; 2]),
}

/// Patterns from this length on get no more cases in a full test, because some searches take time quadratic
/// in the length.
const LONG: usize = 1000;

const fn group(name: &'static str, about: &'static str, make: Make) -> Group {
    Group { name, about, make }
}

use Make::{Drawn, Fixed, OfLength};

/// All groups, in the order in which they are tried.
pub const GROUPS: &[Group] = &[
    group(
        "fixed",
        "hand-picked: borders, periods, both ends, lengths of machine words",
        Fixed(|_| fixed::all()),
    ),
    group("stretched", "the same with 0 to 34 bytes before and after", Fixed(fixed::stretched)),
    group("start", "the pattern at the start of the text", OfLength(placed::start, 2)),
    group("near-start", "the pattern a few bytes after the start", OfLength(placed::near_start, 2)),
    group("end", "the pattern at the end of the text, and at both ends", OfLength(placed::end, 2)),
    group("near-end", "the pattern a few bytes before the end", OfLength(placed::near_end, 2)),
    group("before-start", "the text begins within the pattern", OfLength(placed::before_start, 1)),
    group("past-end", "the text ends within the pattern", OfLength(placed::past_end, 1)),
    group("nearly", "windows with one byte changed, each in turn", OfLength(placed::nearly, 2)),
    group("overlapping", "patterns that overlap themselves", OfLength(placed::overlapping, 4)),
    group("consecutive", "patterns and parts of them one after the other", OfLength(placed::consecutive, 6)),
    group("one-letter", "a^m, also with one other letter somewhere", OfLength(repetitive::one_letter, 1)),
    group("periodic", "a^n b, (ab)^n, and random words repeated", OfLength(repetitive::periodic, 2)),
    group("fibonacci", "factors of Fibonacci words", OfLength(repetitive::fibonacci, 2)),
    group(
        "de-bruijn",
        "texts in which no factor of some length comes twice",
        OfLength(repetitive::de_bruijn, 1),
    ),
    group("all-bytes", "texts of all 256 letters", OfLength(bytes::all_bytes, 3)),
    group(
        "high-bytes",
        "letters from 128 up, and on both sides of the sign bit",
        OfLength(bytes::high_bytes, 2),
    ),
    group(
        "zero-bytes",
        "zero bytes in pattern and text, and nearly the pattern after one",
        OfLength(bytes::zero_bytes, 2),
    ),
    group("foreign-letters", "texts that lack letters of the pattern", OfLength(bytes::foreign_letters, 1)),
    group("tiny-texts", "texts of m to 3m bytes", OfLength(sizes::tiny_texts, 1)),
    group(
        "lengths",
        "patterns as long as the text, longer than it, and of its two ends",
        OfLength(sizes::lengths, 1),
    ),
    group("alphabets", "random texts of 2, 4, 20, 64 and 256 letters", OfLength(drawn::alphabets, 1)),
    group("random", "random texts and patterns of many lengths", Drawn(drawn::random, [1000, 2000])),
    group(
        "pieces",
        "texts put together of prefixes and suffixes of the pattern",
        Drawn(drawn::pieces, [1000, 2000]),
    ),
];

impl Group {
    fn cases(self, plan: &Plan) -> Cases {
        let mut draws = Draws::new(plan.seed, self.name);
        let lengths = plan.lengths.clone();
        match self.make {
            Fixed(make) => wanted(make(plan.size), lengths),
            OfLength(make, times) => {
                let is_full = plan.size == Size::Full;
                let times = move |length| if is_full && length <= LONG { times } else { 1 };
                let lengths = if lengths.is_empty() { sizes::pattern_lengths(plan.size) } else { lengths };
                let lengths =
                    lengths.into_iter().flat_map(move |length| std::iter::repeat_n(length, times(length)));
                Box::new(lengths.flat_map(move |length| make(&mut draws, length)))
            }
            Drawn(make, counts) => {
                let count = counts[usize::from(plan.size == Size::Full)];
                wanted(Box::new((0..count).map(move |_| make(&mut draws))), lengths)
            }
        }
    }
}

/// The cases with patterns of these lengths; all cases if there are no lengths.
fn wanted(cases: Cases, lengths: Vec<usize>) -> Cases {
    if lengths.is_empty() {
        cases
    } else {
        Box::new(cases.filter(move |(pattern, _)| lengths.contains(&pattern.len())))
    }
}

impl Plan {
    /// All cases, with their places.
    pub fn cases(&self) -> impl Iterator<Item = (Place, Case)> {
        GROUPS.iter().flat_map(move |group| {
            let place = |index| Place { group: group.name, index };
            group.cases(self).enumerate().map(move |(index, case)| (place(index), case))
        })
    }

    /// The case at this place, if there is one.
    pub fn case(&self, place: Place) -> Option<Case> {
        GROUPS.iter().find(|group| group.name == place.group)?.cases(self).nth(place.index)
    }
}

/// The place of a case in a plan: `periodic:12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of its group.
    pub group: &'static str,
    /// Its number in the group, from 0 on.
    pub index: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.group, self.index)
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, index) = text.split_once(':').unwrap_or((text, ""));
        let Some(group) = GROUPS.iter().find(|group| group.name == name) else {
            let names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
            return Err(format!("there is no group `{name}`; there are {}", names.join(", ")));
        };
        let index = index.parse().map_err(|_| format!("a case is named as in {}:12", group.name))?;
        Ok(Place { group: group.name, index })
    }
}
