//! The sheet that pictures are drawn on: an area of plotters with lengths in pixels, and the same lines and
//! letters for all pictures.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{Circle, Color, DrawingBackend, IntoFont, RGBColor, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontTransform, TextStyle};

use super::axis::Axis;
use super::label::FONT_SIZE;
use super::palette::{Look, Marker};
use super::series::CurvePoint;

/// Units of plotters for each pixel. There are several, because plotters rounds places to whole units.
pub(super) const UNITS: f64 = 4.0;

/// The colours of letters and lines; the page replaces them in dark mode.
pub(crate) const INK: RGBColor = RGBColor(28, 33, 39);
pub(crate) const FAINT: RGBColor = RGBColor(92, 102, 112);
pub(crate) const GRID: RGBColor = RGBColor(213, 219, 225);

/// The height of a line of letters in pixels.
pub(super) const LINE: f64 = 15.0;

/// The result of drawing.
pub(super) type DrawResult<D> = Result<(), DrawingAreaErrorKind<<D as DrawingBackend>::ErrorType>>;

/// A place, in pixels from the upper left corner.
pub(super) type Pixel = (f64, f64);

/// An area to draw on.
pub(super) struct Sheet<'a, D: DrawingBackend>(pub &'a DrawingArea<D, Shift>);

/// A rectangle of a sheet with two axes.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    pub x: Axis,
    pub y: Axis,
}

impl Plot {
    /// The place of a pair of values.
    pub(super) fn at(&self, x: f64, y: f64) -> Pixel {
        (self.x_at(x), self.y_at(y))
    }

    /// The place of a point of a curve.
    pub(super) fn at_point(&self, point: &CurvePoint) -> Pixel {
        self.at(point.value as f64, point.median)
    }

    pub(crate) fn x_at(&self, x: f64) -> f64 {
        self.left + self.x.share(x) * (self.right - self.left)
    }

    pub(crate) fn y_at(&self, y: f64) -> f64 {
        self.bottom - self.y.share(y) * (self.bottom - self.top)
    }
}

fn units((x, y): Pixel) -> (i32, i32) {
    ((x * UNITS).round() as i32, (y * UNITS).round() as i32)
}

fn stroke(colour: RGBColor, pixels: f64) -> ShapeStyle {
    colour.stroke_width((pixels * UNITS).round() as u32)
}

impl<D: DrawingBackend> Sheet<'_, D> {
    pub(super) fn line(&self, path: &[Pixel], colour: RGBColor, pixels: f64) -> DrawResult<D> {
        let path: Vec<(i32, i32)> = path.iter().copied().map(units).collect();
        self.0.draw(&PathElement::new(path, stroke(colour, pixels)))
    }

    /// A filled shape; `opacity` is that of its colour.
    pub(super) fn fill(&self, path: &[Pixel], colour: RGBColor, opacity: f64) -> DrawResult<D> {
        let path: Vec<(i32, i32)> = path.iter().copied().map(units).collect();
        self.0.draw(&Polygon::new(path, colour.mix(opacity).filled()))
    }

    pub(crate) fn rectangle(&self, from: Pixel, to: Pixel, colour: RGBColor, opacity: f64) -> DrawResult<D> {
        self.0.draw(&Rectangle::new([units(from), units(to)], colour.mix(opacity).filled()))
    }

    pub(super) fn frame(&self, from: Pixel, to: Pixel, colour: RGBColor, pixels: f64) -> DrawResult<D> {
        let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
        self.line(&corners, colour, pixels)
    }

    pub(super) fn text(&self, text: &str, at: Pixel, anchor: HPos, colour: RGBColor) -> DrawResult<D> {
        self.written(text, at, Pos::new(anchor, VPos::Center), colour, FontTransform::None)
    }

    /// A text from the bottom to the top, around its middle.
    pub(super) fn upright(&self, text: &str, at: Pixel, colour: RGBColor) -> DrawResult<D> {
        self.written(text, at, Pos::new(HPos::Center, VPos::Center), colour, FontTransform::Rotate270)
    }

    /// A text from the bottom to the top, up to a place.
    pub(super) fn hanging(&self, text: &str, at: Pixel, colour: RGBColor) -> DrawResult<D> {
        self.written(text, at, Pos::new(HPos::Right, VPos::Center), colour, FontTransform::Rotate270)
    }

    fn written(
        &self,
        text: &str,
        at: Pixel,
        anchor: Pos,
        colour: RGBColor,
        turned: FontTransform,
    ) -> DrawResult<D> {
        // The SVG backend of plotters divides the size by 1.24.
        let size = 1.24 * FONT_SIZE * UNITS;
        let style = TextStyle::from(("sans-serif", size).into_font().transform(turned));
        self.0.draw(&Text::new(text, units(at), style.color(&colour).pos(anchor)))
    }

    /// A point in the colour and the shape of its algorithm.
    pub(super) fn marker(&self, look: Look, (x, y): Pixel) -> DrawResult<D> {
        /// The radius in pixels. The corners below are in radii, such that all shapes look equally large.
        const R: f64 = 3.4;
        let corners: &[(f64, f64)] = match look.marker {
            Marker::Disk => {
                let disk = Circle::new(units((x, y)), (R * UNITS) as i32, look.colour.filled());
                return self.0.draw(&disk);
            }
            Marker::Cross => {
                self.line(&[(x - R, y - R), (x + R, y + R)], look.colour, 1.6)?;
                return self.line(&[(x - R, y + R), (x + R, y - R)], look.colour, 1.6);
            }
            Marker::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            Marker::Triangle => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
            Marker::Wedge => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
            Marker::Diamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        };
        let path: Vec<Pixel> = corners.iter().map(|(dx, dy)| (x + dx * R, y + dy * R)).collect();
        self.fill(&path, look.colour, 1.0)
    }

    /// The lines and figures of both axes.
    pub(super) fn grid(&self, plot: &Plot) -> DrawResult<D> {
        self.columns(plot)?;
        for (value, text) in plot.y.ticks() {
            let y = plot.y_at(*value);
            self.line(&[(plot.left, y), (plot.right, y)], GRID, 1.0)?;
            self.text(text, (plot.left - 6.0, y), HPos::Right, INK)?;
        }
        Ok(())
    }

    /// The lines and figures of the axis of x.
    pub(super) fn columns(&self, plot: &Plot) -> DrawResult<D> {
        for (value, text) in plot.x.ticks() {
            let x = plot.x_at(*value);
            self.line(&[(x, plot.top), (x, plot.bottom)], GRID, 0.5)?;
            self.text(text, (x, plot.bottom + 11.0), HPos::Center, INK)?;
        }
        self.line(&[(plot.left, plot.bottom), (plot.right, plot.bottom)], FAINT, 1.0)
    }

    /// The names of the axes; an empty name of the axis of y is left out.
    pub(super) fn names(&self, plot: &Plot, x: &str, y: &str) -> DrawResult<D> {
        let (middle, centre) = (f64::midpoint(plot.left, plot.right), f64::midpoint(plot.top, plot.bottom));
        self.text(x, (middle, plot.bottom + 29.0), HPos::Center, INK)?;
        if y.is_empty() { Ok(()) } else { self.upright(y, (12.0, centre), INK) }
    }
}
