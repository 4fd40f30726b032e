//! Pictures of reports, fit for a paper: as SVG, and as PNG and PDF with the same lines.

mod axis;
pub mod contest;
mod density;
mod distribution;
mod label;
mod letters;
mod lines;
mod map;
pub(crate) mod palette;
mod pdf;
mod profile;
mod raster;
pub mod ratios;
pub mod series;
mod sheet;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use plotters::prelude::{DrawingBackend, IntoDrawingArea, SVGBackend, WHITE};
use tiny_skia::Pixmap;

pub(crate) use axis::{Axis, is_drawable};
use contest::Contest;
use distribution::Shape;
use palette::{MANY, Palette};
use pdf::{PdfPage, PdfSheet};
use raster::Raster;
use ratios::RatioChart;
use series::Series;
use sheet::{DrawResult, Sheet, UNITS};

/// What a picture of a quantity shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeriesKind {
    /// Medians over the range, with bands
    Lines,
    /// Medians as bars, a panel for each value of the range
    Bars,
    /// How often each figure was measured, with its density
    Histogram,
    /// Box plots of the repetitions
    Box,
}

/// What a picture shows of the question which algorithm is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ContestKind {
    /// The best algorithm, by value of the range and text; several runs may be named
    Map,
    /// In how many cases each algorithm is how near to the best; several runs may be named
    Profile,
}

/// The value of `--picture`. The two kinds have types of their own, because they are drawn from different
/// data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// A quantity of one run.
    Series(SeriesKind),
    /// The best algorithms of one run or several.
    Contest(ContestKind),
}

impl PictureKind {
    /// The kind of contest, if it is one.
    pub fn contest(self) -> Option<ContestKind> {
        match self {
            PictureKind::Contest(kind) => Some(kind),
            PictureKind::Series(_) => None,
        }
    }

    /// The kind of series, if it is one.
    pub fn series(self) -> Option<SeriesKind> {
        match self {
            PictureKind::Series(kind) => Some(kind),
            PictureKind::Contest(_) => None,
        }
    }
}

impl ValueEnum for PictureKind {
    fn value_variants<'a>() -> &'a [Self] {
        use {ContestKind::*, SeriesKind::*};
        &[
            PictureKind::Series(Lines),
            PictureKind::Series(Bars),
            PictureKind::Contest(Map),
            PictureKind::Contest(Profile),
            PictureKind::Series(Histogram),
            PictureKind::Series(Box),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            PictureKind::Series(kind) => kind.to_possible_value(),
            PictureKind::Contest(kind) => kind.to_possible_value(),
        }
    }
}

/// A picture, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    subject: Drawing,
    palette: Palette,
    /// A description, which screen readers read.
    title: String,
}

#[derive(Clone, Debug)]
enum Drawing {
    Lines(Series),
    Rows(Shape, Series),
    Map(Contest),
    Profile(Contest),
    Ratios(RatioChart),
}

/// Pixels of a PNG for each pixel of an SVG. It gives 300 dots per inch to a picture of 720 pixels that is
/// printed 7.2 inches wide.
const DENSITY: f64 = 3.0;

/// Points of a PDF for each pixel of an SVG: a picture has the size of the PNG at 300 dots per inch.
const POINTS: f64 = 72.0 * DENSITY / 300.0;

impl Picture {
    /// A picture of a quantity.
    pub fn of_series(kind: SeriesKind, series: Series, title: String) -> Self {
        let palette = Palette::new(series.lines.iter().map(|line| line.algorithm.as_str()));
        let subject = match kind {
            SeriesKind::Lines => Drawing::Lines(series),
            SeriesKind::Bars => Drawing::Rows(Shape::Bar, series),
            SeriesKind::Box => Drawing::Rows(Shape::Box, series),
            SeriesKind::Histogram => Drawing::Rows(Shape::Histogram, series),
        };
        Picture { subject, palette, title }
    }

    /// A map of the best algorithms, or a profile of all.
    pub fn of_contest(kind: ContestKind, contest: Contest, title: String) -> Self {
        // A map shows few of many algorithms.
        let are_few = contest.algorithms.len() <= MANY || kind == ContestKind::Profile;
        let is_best = |number: &usize| contest.cells().any(|cell| cell.best.contains(number));
        let drawn = (0..contest.algorithms.len()).filter(|number| are_few || is_best(number));
        let palette = Palette::new(drawn.map(|number| contest.algorithms[number].as_str()));
        let subject = match kind {
            ContestKind::Map => Drawing::Map(contest),
            ContestKind::Profile => Drawing::Profile(contest),
        };
        Picture { subject, palette, title }
    }

    /// A picture of the ratios between saved runs.
    pub fn of_ratios(chart: RatioChart, title: String) -> Self {
        let palette = Palette::new(chart.names());
        Picture { subject: Drawing::Ratios(chart), palette, title }
    }

    fn size(&self) -> (f64, f64) {
        match &self.subject {
            Drawing::Lines(series) => lines::size(series),
            Drawing::Rows(shape, series) => shape.size(series),
            Drawing::Map(contest) => map::size(contest),
            Drawing::Profile(contest) => profile::size(contest),
            Drawing::Ratios(chart) => ratios::size(chart),
        }
    }

    fn units(&self) -> (u32, u32) {
        let (wide, high) = self.size();
        ((wide * UNITS) as u32, (high * UNITS) as u32)
    }

    fn draw<D: DrawingBackend>(&self, sheet: &Sheet<'_, D>) -> DrawResult<D> {
        match &self.subject {
            Drawing::Lines(series) => lines::draw(series, &self.palette, sheet),
            Drawing::Rows(shape, series) => shape.draw(series, &self.palette, sheet),
            Drawing::Map(contest) => map::draw(contest, &self.palette, sheet),
            Drawing::Profile(contest) => profile::draw(contest, &self.palette, sheet),
            Drawing::Ratios(chart) => ratios::draw(chart, &self.palette, sheet),
        }
    }

    /// The picture as an SVG file.
    pub fn svg(&self) -> String {
        let (wide, high) = self.units();
        let paper = format!("<rect width=\"{wide}\" height=\"{high}\" fill=\"#FFFFFF\"/>");
        self.drawn(" xmlns=\"http://www.w3.org/2000/svg\"", &paper) + "\n"
    }

    /// The picture as an element of a page. It has no background, because that of the page may be dark.
    pub fn inline(&self) -> String {
        self.drawn("", "")
    }

    /// The `svg` element, with further attributes and a background.
    fn drawn(&self, namespace: &str, paper: &str) -> String {
        let mut drawn = String::new();
        {
            let area = SVGBackend::with_string(&mut drawn, self.units()).into_drawing_area();
            self.draw(&Sheet(&area)).and_then(|()| area.present()).expect("memory can be written to");
        }
        // Plotters writes a size in its units. It is replaced by a size in pixels with a `viewBox` in units.
        let start = drawn.find("<svg").expect("it is a picture");
        let body = drawn[start..].split_once('>').expect("a tag ends").1;
        let ((wide, high), (units_wide, units_high)) = (self.size(), self.units());
        let title = maud::html! { (self.title) }.into_string();
        format!(
            "<svg{namespace} width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {units_wide} {units_high}\" \
             role=\"img\" aria-label=\"{title}\" stroke-linejoin=\"round\">\n<title>{title}</title>\n{paper}{}",
            body.trim()
        )
    }

    /// The picture as the bytes of a PNG file.
    pub fn png(&self) -> Vec<u8> {
        let (wide, high) = self.size();
        let mut pixels =
            Pixmap::new((wide * DENSITY) as u32, (high * DENSITY) as u32).expect("a picture has a size");
        {
            let area = Raster { pixels: &mut pixels, size: self.units() }.into_drawing_area();
            let drawn = area.fill(&WHITE).and_then(|()| self.draw(&Sheet(&area)));
            drawn.expect("nothing goes wrong in memory");
        }
        pixels.encode_png().expect("memory can be written to")
    }

    /// The picture as the bytes of a PDF file of one page. It has no background, as figures of LaTeX.
    pub fn pdf(&self) -> Vec<u8> {
        let (wide, high) = self.size();
        let size = ((wide * POINTS) as f32, (high * POINTS) as f32);
        let mut page = PdfPage::new(size.1, (POINTS / UNITS) as f32);
        {
            let area = PdfSheet { page: &mut page, size: self.units() }.into_drawing_area();
            self.draw(&Sheet(&area)).expect("nothing goes wrong in memory");
        }
        page.document(size, &self.title)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use assay_stats::Interval;

    use super::series::{Band, Curve, CurvePoint};
    use super::*;

    fn series(algorithm: &str, values: &[u64]) -> Series {
        let lines = vec![curve(algorithm, values), curve("none", &[])];
        Series { quantity: "time in µs".to_owned(), band: Band::Interval, lines, ..Series::default() }
    }

    fn curve(algorithm: &str, values: &[u64]) -> Curve {
        let points = values.iter().map(|&value| CurvePoint {
            value,
            median: 1e3 / value as f64,
            band: Some(Interval { low: 900.0 / value as f64, high: 1100.0 / value as f64 }),
            repetitions: (1..50).map(|i| 20.0 * f64::from(i) / value as f64).collect(),
        });
        Curve { algorithm: algorithm.to_owned(), points: points.collect(), gaps: Vec::new() }
    }

    fn all() -> Vec<(PictureKind, Picture)> {
        PictureKind::value_variants().iter().map(|&kind| (kind, picture(kind))).collect()
    }

    fn picture(kind: PictureKind) -> Picture {
        let title = "a <title>".to_owned();
        match kind {
            PictureKind::Contest(kind) => Picture::of_contest(kind, contest::tests::example(), title),
            PictureKind::Series(kind) => Picture::of_series(kind, series("a<b&c", &[2, 8, 64]), title),
        }
    }

    #[test]
    fn every_picture_is_escaped_and_has_its_units() {
        for (kind, picture) in all() {
            let svg = picture.svg();
            assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{kind:?}");
            assert!(svg.contains("<title>a &lt;title&gt;</title>") && !svg.contains("a<b"), "{kind:?}");
            assert!(svg.contains("µs") || kind.contest().is_some(), "{kind:?}");
            assert!(!picture.inline().contains("http"), "{kind:?}");
        }
    }

    #[test]
    fn every_picture_in_pixels_has_the_colours_of_its_algorithms() {
        for (kind, picture) in all() {
            let (wide, high) = picture.size();
            let pixels = Pixmap::decode_png(&picture.png()).unwrap();
            assert_eq!(
                (pixels.width(), pixels.height()),
                ((3.0 * wide) as u32, (3.0 * high) as u32),
                "{kind:?}"
            );
            let ink = pixels.pixels().iter().filter(|pixel| pixel.red() < 60 && pixel.blue() < 70).count();
            let paper =
                pixels.pixels().iter().filter(|pixel| pixel.red() == 255 && pixel.blue() == 255).count();
            let colour =
                pixels.pixels().iter().filter(|pixel| pixel.red().abs_diff(pixel.blue()) > 40).count();
            assert!(ink > 500 && paper > 100_000 && colour > 200, "{kind:?}: {ink} {paper} {colour}");
        }
    }

    #[test]
    fn every_picture_as_pdf_has_a_page_of_its_size_with_its_letters_and_their_font() {
        for (kind, picture) in all() {
            let bytes = picture.pdf();
            let text = String::from_utf8_lossy(&bytes);
            assert!(text.starts_with("%PDF-1.7\n") && text.ends_with("%%EOF"), "{kind:?}");
            let (wide, high) = picture.size();
            let size = format!("/MediaBox [0 0 {} {}]", (0.72 * wide) as f32, (0.72 * high) as f32);
            assert!(text.contains(&size), "{kind:?}: {size}");
            assert!(text.contains("/FontFile2 ") && text.contains("/Title (a <title>)"), "{kind:?}");
            // The letters of the picture can be searched for: this is the `b` of its names.
            assert!(text.contains("> <0062>\n"), "{kind:?}");
        }
    }

    #[test]
    fn ratios_have_their_axes_the_names_of_algorithms_and_symbols_only_where_they_differ() {
        let chart = ratios::tests::example(&["hor", "a<b"], &["4", "8", "16"]);
        let picture = Picture::of_ratios(chart, "a title".to_owned());
        let svg = picture.svg();
        for words in ["search time, now over before", "pattern length in bytes", "a&lt;b", "a note"] {
            assert!(svg.contains(words), "{words} in {svg}");
        }
        assert!(picture.pdf().ends_with(b"%%EOF") && !picture.png().is_empty());
        let nothing = Picture::of_ratios(ratios::tests::example(&[], &["4"]), String::new());
        assert!(nothing.svg().ends_with("</svg>\n"));
    }

    #[test]
    fn many_algorithms_of_a_map_share_no_colour_if_few_are_shown() {
        let mut contest = contest::tests::example();
        contest.algorithms.extend((0..50).map(|number| format!("other{number}")));
        let shown = ["a", "b", "c"];
        let picture = Picture::of_contest(ContestKind::Map, contest, String::new());
        let colours: BTreeSet<String> = shown.iter().map(|id| picture.palette.look(id).css()).collect();
        assert_eq!(colours.len(), shown.len());
    }

    #[test]
    fn a_picture_of_nothing_and_of_one_value_can_be_drawn() {
        for &kind in SeriesKind::value_variants() {
            for values in [&[][..], &[7]] {
                let picture = Picture::of_series(kind, series("a", values), String::new());
                assert!(picture.svg().contains("</svg>") && !picture.png().is_empty(), "{kind:?} {values:?}");
                assert!(picture.pdf().ends_with(b"%%EOF"), "{kind:?} {values:?}");
            }
        }
    }
}
