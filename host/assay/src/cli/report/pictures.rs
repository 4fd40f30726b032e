//! The pictures of a run, or of several runs.

use assay_base::error::{Error, Result};
use assay_base::io::numbers::grouped;
use assay_report::export::picture::contest::Contest;
use assay_report::export::picture::series::{Band, Series};
use assay_report::export::picture::{ContestKind, Picture, PictureKind, SeriesKind};
use assay_report::export::{caption, marks};
use assay_report::{Call, Quantity, Report};

/// What to draw.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct PictureOptions {
    /// What to draw [default: lines; bars where there is one value, or texts vary]
    #[arg(long, value_name = "KIND", help_heading = "Pictures")]
    pub picture: Option<PictureKind>,
    /// What to draw around the medians
    #[arg(long, value_name = "BAND", default_value = "interval", help_heading = "Pictures")]
    pub band: Band,
    /// Draw the medians on the terminal
    #[arg(long, conflicts_with_all = ["picture", "format", "to"], help_heading = "Pictures")]
    pub chart: bool,
}

impl PictureOptions {
    /// Whether no option of pictures was given.
    pub(crate) fn is_default(&self) -> bool {
        self.picture.is_none() && self.band == Band::default() && !self.chart
    }

    /// The series of a quantity of a run.
    ///
    /// # Errors
    /// If it has no figures, or can't be computed.
    pub(crate) fn series(&self, report: &Report, quantity: &Quantity, call: Option<Call>) -> Result<Series> {
        let band = if self.chart { Band::None } else { self.band };
        let series = Series::of_report(report, quantity, call, band)?;
        if series.points().next().is_none() {
            return Err(Error::new(format!("there is no figure of `{}` to draw", quantity.name()))
                .remedy("`assay report` without a picture tells what is missing"));
        }
        Ok(series)
    }

    /// A picture of a quantity of a run.
    ///
    /// # Errors
    /// If it would have too many panels.
    pub(crate) fn of_series(
        &self,
        report: &Report,
        quantity: &Quantity,
        call: Option<Call>,
        series: Series,
    ) -> Result<Picture> {
        /// Chosen, because readers compare panels, and more of them would make the picture too high for that.
        const PANELS: usize = 12;
        let values = series.values();
        let kind = self.picture.and_then(PictureKind::series).unwrap_or(
            if values.len() > 1 && series.axis.is_number() { SeriesKind::Lines } else { SeriesKind::Bars },
        );
        if kind != SeriesKind::Lines && values.len() > PANELS {
            return Err(Error::new(format!(
                "a panel for each of {} {} is too much",
                values.len(),
                series.axis.over.plural()
            ))
            .remedy("choose some of them with `--at`"));
        }
        let repetitions = series.points().map(|point| point.repetitions.len());
        let repetitions = repetitions.clone().min().zip(repetitions.max());
        let gaps = caption::gaps(series.gaps(), &series.axis);
        let small = if report.is_of_times(quantity) {
            report.small(report.included(quantity, call))?
        } else {
            Vec::new()
        };
        let drawn = report.range().into_iter().zip(small).filter(|(value, _)| values.contains(value));
        let small = drawn.flat_map(|(_, small)| small).any(|small| small);
        let small = marks::small(small, report.facts.noise.floor_ns);
        let small = small
            .map_or_else(String::new, |line| format!(" Some are{}.", line.trim_start_matches(marks::SMALL)));
        let title = format!("{}.{gaps}{small} {}", series.quantity, caption::of_report(report, repetitions));
        Ok(Picture::of_series(kind, series, title))
    }

    /// A picture of the best algorithms in one run or several.
    ///
    /// # Errors
    /// If no algorithm is known to be the best anywhere.
    pub(crate) fn of_contest(
        &self,
        kind: ContestKind,
        reports: &[Report],
        call: Option<Call>,
    ) -> Result<Picture> {
        let contest = Contest::new(reports, call)?;
        if !contest.has_best() {
            return Err(Error::new(
                "nothing tells who is best: there are no times, too few rounds, or too short ones",
            )
            .remedy("measure with more `--runs`, or a longer text"));
        }
        let texts = contest.texts.iter().map(|text| match text.alphabet {
            Some(letters) => format!("{} ({} letters)", text.name, grouped(letters as f64, 0)),
            None => text.name.clone(),
        });
        // The subset is the same in all runs, and its counts are those of the first.
        let subset =
            reports[0].facts.subset.as_ref().map_or_else(String::new, |subset| format!(". {subset}"));
        let undecided = contest.undecided().filter(|_| kind == ContestKind::Map);
        let undecided = undecided.map_or_else(String::new, |undecided| format!(". {}", undecided.sentence()));
        let title = format!(
            "Who is best by {}, by {}, on {}{subset}{undecided}",
            contest.time,
            contest.axis.words(),
            texts.collect::<Vec<_>>().join("; ")
        );
        Ok(Picture::of_contest(kind, contest, title))
    }
}
