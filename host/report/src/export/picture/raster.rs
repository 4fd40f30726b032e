//! A backend of plotters that paints pixels with tiny-skia and a font that is part of the program.

use std::convert::Infallible;

use ab_glyph::{Font, OutlineCurve};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use super::letters::{FONT, Lettering, turned, units_per_em, width};

/// The pixels that plotters draws on.
pub(crate) struct Raster<'a> {
    /// The pixels.
    pub pixels: &'a mut Pixmap,
    /// The size of the drawing in its own units.
    pub size: (u32, u32),
}

type RasterResult = Result<(), DrawingErrorKind<Infallible>>;

impl Raster<'_> {
    /// The transformation from units to pixels.
    fn scale(&self) -> Transform {
        let scale = self.pixels.width() as f32 / self.size.0 as f32;
        Transform::from_scale(scale, scale)
    }

    fn fill(&mut self, path: Option<Path>, colour: BackendColor) -> RasterResult {
        let scale = self.scale();
        // A shape without a path is invisible.
        if let Some(path) = path {
            self.pixels.fill_path(&path, &paint(colour), FillRule::Winding, scale, None);
        }
        Ok(())
    }

    fn stroke(&mut self, path: Option<Path>, style: &impl BackendStyle) -> RasterResult {
        let stroke = Stroke {
            width: style.stroke_width() as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let scale = self.scale();
        if let Some(path) = path {
            self.pixels.stroke_path(&path, &paint(style.color()), &stroke, scale, None);
        }
        Ok(())
    }
}

fn paint(BackendColor { alpha, rgb: (red, green, blue) }: BackendColor) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(red, green, blue, (alpha * 255.0).round() as u8));
    paint
}

fn point((x, y): BackendCoord) -> (f32, f32) {
    (x as f32, y as f32)
}

fn path(places: impl IntoIterator<Item = BackendCoord>, closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for place in places {
        let (x, y) = point(place);
        if builder.is_empty() { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

impl DrawingBackend for Raster<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> RasterResult {
        Ok(())
    }

    fn present(&mut self) -> RasterResult {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> RasterResult {
        let unit = Rect::from_xywh(x as f32, y as f32, 1.0, 1.0);
        self.fill(unit.map(PathBuilder::from_rect), colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> RasterResult {
        self.stroke(path([from, to], false), style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> RasterResult {
        let path = path([from, (to.0, from.1), to, (from.0, to.1)], true);
        if fill { self.fill(path, style.color()) } else { self.stroke(path, style) }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        places: I,
        style: &S,
    ) -> RasterResult {
        self.stroke(path(places, false), style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> RasterResult {
        let (x, y) = point(centre);
        let path = PathBuilder::from_circle(x, y, radius as f32);
        if fill { self.fill(path, style.color()) } else { self.stroke(path, style) }
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        places: I,
        style: &S,
    ) -> RasterResult {
        self.fill(path(places, true), style.color())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> RasterResult {
        let Lettering { size, start: (mut x, y) } = Lettering::new(text, style);
        let rotation = style.transform();
        let origin = point(at);
        let mut builder = PathBuilder::new();
        for letter in text.chars() {
            let glyph = FONT.glyph_id(letter);
            let place = |p: ab_glyph::Point| {
                let unit = size / units_per_em();
                // In fonts, y grows upwards.
                let (dx, dy) = turned(&rotation, x + p.x * unit, y - p.y * unit);
                (origin.0 + dx, origin.1 + dy)
            };
            if let Some(outline) = FONT.outline(glyph) {
                outlined(&mut builder, &outline.curves, place);
            }
            x += size * width(letter);
        }
        self.fill(builder.finish(), style.color())
    }
}

/// Adds the outlines of a letter, each of which is closed.
fn outlined(
    builder: &mut PathBuilder,
    curves: &[OutlineCurve],
    place: impl Fn(ab_glyph::Point) -> (f32, f32),
) {
    let mut last = None;
    for curve in curves {
        let (from, to) = match *curve {
            OutlineCurve::Line(a, b) | OutlineCurve::Quad(a, _, b) | OutlineCurve::Cubic(a, _, _, b) => {
                (a, b)
            }
        };
        if last != Some(from) {
            let (x, y) = place(from);
            builder.move_to(x, y);
        }
        let (x, y) = place(to);
        match *curve {
            OutlineCurve::Line(..) => builder.line_to(x, y),
            OutlineCurve::Quad(_, c, _) => {
                let c = place(c);
                builder.quad_to(c.0, c.1, x, y);
            }
            OutlineCurve::Cubic(_, c, d, _) => {
                let (c, d) = (place(c), place(d));
                builder.cubic_to(c.0, c.1, d.0, d.1, x, y);
            }
        }
        last = Some(to);
    }
}
