//! What an author of a statistic writes.

/// Reduces a list of numbers to one, or to a list. It ends with `..Statistic::UNKNOWN`: more may come.
#[derive(Clone, Copy, Debug)]
pub struct Statistic {
    /// Short id: `--stat med`.
    pub id: &'static str,
    /// One sentence: what it means, and its definition if there are several.
    pub summary: &'static str,
    /// Unit of the result, if it is not the unit of the values: `""` for a plain number, such as a ratio or a
    /// count.
    pub unit: Option<&'static str>,
    /// The reduction. The list is not empty and holds neither NaN nor infinities. An empty answer means that
    /// the statistic has no meaning for this list.
    pub reduce: fn(&[f64]) -> Vec<f64>,
    #[doc(hidden)]
    pub more: (),
}

impl Statistic {
    /// Nothing known.
    pub const UNKNOWN: Statistic = Statistic {
        id: "",
        summary: "",
        unit: None,
        reduce: |_| panic!("the statistic has no function `reduce`"),
        more: (),
    };
}
