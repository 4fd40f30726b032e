//! What the author of a corpus writes.

use std::ops::RangeInclusive;

/// A source of texts: makes a text of any length from a seed. End it with `..Corpus::UNKNOWN`, because later
/// versions may add fields.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Short id: `--corpus english`. If [`parameter`](Corpus::parameter) is set, the user writes a number
    /// after it.
    pub id: &'static str,
    /// One sentence: what the text is like.
    pub summary: &'static str,
    /// Source of the text's statistics, if it has one.
    pub reference: &'static str,
    /// The numbers that may follow the id: `rand` with `2..=256` gives `rand2` to `rand256`.
    pub parameter: Option<RangeInclusive<usize>>,
    /// Fills the text. The same request must give the same bytes on every machine.
    ///
    /// # Errors
    /// One sentence.
    pub generate: fn(Request, &mut [u8]) -> Result<(), String>,
    #[doc(hidden)]
    pub more: (),
}

impl Corpus {
    /// Nothing known.
    pub const UNKNOWN: Corpus = Corpus {
        id: "",
        summary: "",
        reference: "",
        parameter: None,
        generate: |_, _| Err("the corpus has no function `generate`".to_owned()),
        more: (),
    };
}

/// Which text is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Chooses one of many texts of a kind.
    pub seed: u64,
    /// The number after the id; 0 for a corpus without one.
    pub parameter: usize,
}
