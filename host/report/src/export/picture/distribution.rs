//! Pictures with a row for each algorithm, and a panel for each value of the range: bars, boxes, and
//! histograms with density.

use assay_base::io::numbers::{decimals, grouped};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::density::{Bins, density};
use super::label::{shortened, width};
use super::palette::{Look, Palette};
use super::series::{CurvePoint, Series, quantile};
use super::sheet::{DrawResult, FAINT, INK, Pixel, Plot, Sheet};

/// The shape in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A bar from 0 to the median, with its band as a line.
    Bar,
    /// A box plot.
    Box,
    /// A histogram with the density of the repetitions.
    Histogram,
}

const WIDE: f64 = 720.0;
const TOP: f64 = 26.0;
/// The height below a panel, for the axis and its name.
const FOOT: f64 = 52.0;
const NOTE: f64 = 22.0;

impl Shape {
    fn row(self) -> f64 {
        match self {
            Shape::Bar | Shape::Box => 26.0,
            Shape::Histogram => 64.0,
        }
    }

    fn panel(self, series: &Series) -> f64 {
        TOP + self.row() * series.lines.len() as f64 + FOOT
    }

    /// The size in pixels.
    pub(super) fn size(self, series: &Series) -> (f64, f64) {
        (WIDE, self.panel(series) * series.values().len().max(1) as f64 + NOTE)
    }

    /// The explanation below the picture.
    fn note(self, series: &Series) -> String {
        match self {
            Shape::Bar => series.note().replace("band", "line"),
            Shape::Box => {
                "median, quartiles; whiskers: up to 1.5 times the box; points: repetitions beyond".to_owned()
            }
            Shape::Histogram => {
                "share of the repetitions, but for the slowest 1 %; line: density (Gaussian kernel); stroke: median".to_owned()
            }
        }
    }

    /// Draws the picture.
    pub(super) fn draw<D: DrawingBackend>(
        self,
        series: &Series,
        palette: &Palette,
        sheet: &Sheet<'_, D>,
    ) -> DrawResult<D> {
        for (number, value) in series.values().into_iter().enumerate() {
            self.draw_panel(series, value, self.panel(series) * number as f64, palette, sheet)?;
        }
        let (_, high) = self.size(series);
        sheet.text(&self.note(series), (14.0, high - 12.0), HPos::Left, FAINT)
    }

    fn draw_panel<D: DrawingBackend>(
        self,
        series: &Series,
        value: u64,
        top: f64,
        palette: &Palette,
        sheet: &Sheet<'_, D>,
    ) -> DrawResult<D> {
        let points = series.lines.iter().filter_map(|line| line.at(value));
        let Some(x) = self.axis(points.clone()) else { return Ok(()) };
        let names = series.lines.iter().map(|line| width(&line.algorithm)).fold(0.0, f64::max);
        let rows = series.lines.len();
        let (left, figures) = (names + 40.0, if self == Shape::Bar { 80.0 } else { 26.0 });
        let bottom = top + TOP + self.row() * rows as f64;
        let plot = Plot { left, top: top + TOP, right: WIDE - figures, bottom, x, y: Axis::places(rows) };
        let heading = shortened(&series.axis.heading(value), plot.right - left);
        sheet.text(&heading, (left, top + 14.0), HPos::Left, INK)?;
        sheet.columns(&plot)?;
        sheet.names(&plot, &series.quantity, "")?;
        let needed = decimals(points.map(|point| point.median));
        for (row, line) in series.lines.iter().enumerate() {
            let (look, y) = (palette.look(&line.algorithm), plot.y_at(row as f64));
            sheet.marker(look, (left - 16.0, y))?;
            sheet.text(&line.algorithm, (left - 26.0, y), HPos::Right, INK)?;
            match line.at(value) {
                Some(point) => self.draw_row(point, look, (&plot, y), needed, sheet)?,
                None => sheet.text("no figure", (left + 8.0, y), HPos::Left, FAINT)?,
            }
        }
        Ok(())
    }

    fn axis<'a>(self, points: impl Iterator<Item = &'a CurvePoint> + Clone) -> Option<Axis> {
        match self {
            Shape::Bar => {
                let ends = points.flat_map(|point| [point.median, point.band.map_or(0.0, |band| band.high)]);
                Axis::from_zero(ends)
            }
            Shape::Box => Axis::covering(points.flat_map(|point| point.repetitions.iter().copied())),
            // The slowest 1 % are left out, because a few long times would leave no room for the others.
            Shape::Histogram => Axis::covering(
                points.flat_map(|point| [0.0, 0.99].map(|share| quantile(&point.repetitions, share))),
            ),
        }
    }

    fn draw_row<D: DrawingBackend>(
        self,
        point: &CurvePoint,
        look: Look,
        (plot, y): (&Plot, f64),
        decimals: usize,
        sheet: &Sheet<'_, D>,
    ) -> DrawResult<D> {
        match self {
            Shape::Bar => bar(point, look, plot, y, decimals, sheet),
            Shape::Box => boxed(&point.repetitions, look, plot, y, sheet),
            Shape::Histogram => histogram(point, look, plot, y, sheet),
        }
    }
}

fn bar<D: DrawingBackend>(
    point: &CurvePoint,
    look: Look,
    plot: &Plot,
    y: f64,
    decimals: usize,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    const HALF: f64 = 8.0;
    let end = plot.x_at(point.median);
    sheet.rectangle((plot.x_at(0.0), y - HALF), (end, y + HALF), look.colour, 0.85)?;
    let mut label = end;
    if let Some(band) = point.band {
        let (low, high) = (plot.x_at(band.low), plot.x_at(band.high));
        sheet.line(&[(low, y), (high, y)], INK, 1.2)?;
        for x in [low, high] {
            sheet.line(&[(x, y - 4.0), (x, y + 4.0)], INK, 1.2)?;
        }
        label = label.max(high);
    }
    sheet.text(&grouped(point.median, decimals), (label + 7.0, y), HPos::Left, INK)
}

fn boxed<D: DrawingBackend>(
    values: &[f64],
    look: Look,
    plot: &Plot,
    y: f64,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    const HALF: f64 = 7.5;
    let [first, median, third] = [0.25, 0.5, 0.75].map(|share| quantile(values, share));
    let reach = 1.5 * (third - first);
    let within = values.iter().copied().filter(|value| (first - reach..=third + reach).contains(value));
    let low = plot.x_at(within.clone().fold(first, f64::min));
    let high = plot.x_at(within.fold(third, f64::max));
    let [first, median, third] = [first, median, third].map(|value| plot.x_at(value));
    sheet.line(&[(low, y), (first, y)], look.colour, 1.4)?;
    sheet.line(&[(third, y), (high, y)], look.colour, 1.4)?;
    for x in [low, high] {
        sheet.line(&[(x, y - 4.0), (x, y + 4.0)], look.colour, 1.4)?;
    }
    sheet.rectangle((first, y - HALF), (third, y + HALF), look.colour, 0.3)?;
    sheet.frame((first, y - HALF), (third, y + HALF), look.colour, 1.4)?;
    sheet.line(&[(median, y - HALF), (median, y + HALF)], INK, 1.8)?;
    // Points at one place are drawn once, because each adds to the size of the file.
    let mut last = f64::NAN;
    for x in values.iter().map(|value| plot.x_at(*value)).filter(|x| *x < low || *x > high) {
        let x = (2.0 * x).round() / 2.0;
        if x != last {
            sheet.rectangle((x - 1.2, y - 1.2), (x + 1.2, y + 1.2), look.colour, 0.7)?;
            last = x;
        }
    }
    Ok(())
}

fn histogram<D: DrawingBackend>(
    point: &CurvePoint,
    look: Look,
    plot: &Plot,
    y: f64,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    let half = Shape::Histogram.row() / 2.0;
    let (base, room) = (y + half - 4.0, 2.0 * half - 10.0);
    // Bins have equal widths in pixels, also on a logarithmic axis, because readers compare areas.
    let places: Vec<f64> =
        point.repetitions.iter().map(|value| plot.x_at(*value)).filter(|x| *x <= plot.right).collect();
    let Some(bins) = Bins::new(&places) else { return Ok(()) };
    let curve = density(&places, plot.left, plot.right);
    let greatest = bins.heights().chain(curve.iter().map(|(_, height)| *height)).fold(0.0, f64::max);
    let at = |height: f64| base - room * height / greatest;
    for (from, to, height) in bins.bars() {
        sheet.rectangle((from, at(height)), (to, base), look.colour, 0.35)?;
    }
    let path: Vec<Pixel> = curve.into_iter().map(|(x, height)| (x, at(height))).collect();
    sheet.line(&path, look.colour, 1.6)?;
    sheet.line(&[(plot.left, base), (plot.right, base)], FAINT, 0.5)?;
    let median = plot.x_at(point.median);
    sheet.line(&[(median, base), (median, base - room)], INK, 1.0)
}
