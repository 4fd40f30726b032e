//! A request for figures of a run, and the figures of one metric.

use assay_report::{Call, Quantity, StatTable};

use super::figure_style::FigureStyleOptions;
use super::pictures::PictureOptions;

/// The calls that a figure includes: one kind, or `None` for all of them.
pub(crate) type IncludedCalls = Option<Call>;

/// The figures of a run that are asked for.
pub(crate) struct FigureRequest {
    /// Metrics or columns; the default one if none is named.
    pub metrics: Vec<String>,
    /// Statistics over the repetitions.
    pub statistics: Vec<String>,
    /// The calls that are included; `None` if the user did not choose, which means the search.
    pub calls: Option<IncludedCalls>,
    /// Whether the repetitions of cells that failed later are included.
    pub include_failed: bool,
    /// Whether the first repetition of each cell is left out.
    pub discard_first: bool,
    /// Whether the counts of an empty call are subtracted.
    pub subtract_overhead: bool,
    /// How figures are written in tables.
    pub style: FigureStyleOptions,
    /// What to draw.
    pub picture: PictureOptions,
}

/// The figures of one metric of a run.
pub(super) struct MetricFigures {
    pub quantity: Quantity,
    pub calls: IncludedCalls,
    pub table: StatTable,
}
