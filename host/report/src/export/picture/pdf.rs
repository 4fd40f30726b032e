//! A backend of plotters that writes a PDF page, with the font of this program in it.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::Write;

use ab_glyph::Font;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::letters::{FONT, FONT_FILE, Lettering, turned, units_per_em, width};

/// The name of the font on the page.
const LETTERS: Name<'static> = Name(b"F");
/// The name of the font for readers. The tag before it says that the font is reduced.
const FONT_NAME: Name<'static> = Name(b"ASSAYE+DejaVuSans");
/// Each two bytes of a text are the number of a letter in the font.
const ENCODING: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
/// The distance of the control points of a quarter of a circle from its ends, in radii.
const QUARTER: f32 = 0.5523;

/// A page that is drawn on.
pub(super) struct PdfPage {
    content: Content,
    /// The opacities that were used, in 1/255.
    opacities: BTreeSet<u8>,
    /// The letters that were used, by their numbers in the font.
    letters: BTreeMap<u16, char>,
}

/// The page as a backend: of this size in units.
pub(super) struct PdfSheet<'a> {
    pub page: &'a mut PdfPage,
    pub size: (u32, u32),
}

type PdfResult = Result<(), DrawingErrorKind<Infallible>>;

impl PdfPage {
    /// An empty page of this height in points, with units of this many points. Its origin is the upper left
    /// corner.
    pub(super) fn new(height: f32, unit: f32) -> Self {
        let mut content = Content::new();
        content.transform([unit, 0.0, 0.0, -unit, 0.0, height]);
        content.set_line_join(LineJoinStyle::RoundJoin);
        PdfPage { content, opacities: BTreeSet::new(), letters: BTreeMap::new() }
    }

    /// The document of this page, of this size in points.
    pub(super) fn document(self, (wide, high): (f32, f32), title: &str) -> Vec<u8> {
        let mut next = Ref::new(1);
        let [catalog, pages, page, content, info] = std::array::from_fn(|_| next.bump());
        let [font, descendant, descriptor, file, unicode] = std::array::from_fn(|_| next.bump());
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page]).count(1);
        pdf.document_info(info).title(TextStr(title));
        let mut written = pdf.page(page);
        written.parent(pages).media_box(Rect::new(0.0, 0.0, wide, high)).contents(content);
        let mut resources = written.resources();
        resources.fonts().pair(LETTERS, font);
        let mut states = resources.ext_g_states();
        let opacities: Vec<(u8, Ref)> =
            self.opacities.iter().map(|opacity| (*opacity, next.bump())).collect();
        for (opacity, state) in &opacities {
            states.pair(Name(state_name(*opacity).as_bytes()), *state);
        }
        states.finish();
        resources.finish();
        written.finish();
        for (opacity, state) in opacities {
            let share = f32::from(opacity) / 255.0;
            pdf.ext_graphics(state).non_stroking_alpha(share).stroking_alpha(share);
        }
        let drawn = deflated(&self.content.finish());
        pdf.stream(content, &drawn).filter(Filter::FlateDecode);
        pdf.type0_font(font)
            .base_font(FONT_NAME)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(unicode);
        let mut letters = pdf.cid_font(descendant);
        letters.subtype(CidFontType::Type2).base_font(FONT_NAME).system_info(ENCODING);
        letters.font_descriptor(descriptor).default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = letters.widths();
        for (number, letter) in &self.letters {
            widths.consecutive(*number, [1000.0 * width(*letter)]);
        }
        widths.finish();
        letters.finish();
        let height = |units: f32| 1000.0 * units / units_per_em();
        let (ascent, descent) = (height(FONT.ascent_unscaled()), height(FONT.descent_unscaled()));
        pdf.font_descriptor(descriptor)
            .name(FONT_NAME)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(-1000.0, descent, 2000.0, ascent))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(descent)
            // Those of DejaVu Sans: viewers need them if they can't read the font.
            .cap_height(729.0)
            .stem_v(90.0)
            .font_file2(file);
        let font_file = deflated(FONT_FILE);
        pdf.stream(file, &font_file)
            .filter(Filter::FlateDecode)
            .pair(Name(b"Length1"), i32::try_from(FONT_FILE.len()).expect("a font is small"));
        let mut cmap = UnicodeCmap::new(Name(b"Letters"), ENCODING);
        self.letters.iter().for_each(|(number, letter)| cmap.pair(*number, *letter));
        pdf.cmap(unicode, &cmap.finish());
        pdf.finish()
    }

    /// Makes a colour that of what follows.
    fn set_colour(&mut self, BackendColor { alpha, rgb: (red, green, blue) }: BackendColor) {
        let opacity = (255.0 * alpha).round() as u8;
        self.opacities.insert(opacity);
        let [red, green, blue] = [red, green, blue].map(|part| f32::from(part) / 255.0);
        self.content
            .set_parameters(Name(state_name(opacity).as_bytes()))
            .set_fill_rgb(red, green, blue)
            .set_stroke_rgb(red, green, blue);
    }

    /// Adds lines between places to the path.
    fn add_lines(&mut self, places: impl IntoIterator<Item = BackendCoord>) {
        for (number, place) in places.into_iter().enumerate() {
            let (x, y) = point(place);
            if number == 0 {
                self.content.move_to(x, y)
            } else {
                self.content.line_to(x, y)
            };
        }
    }

    /// Fills the path, or draws it with a line of the style.
    fn paint(&mut self, style: &impl BackendStyle, fill: bool) {
        if fill {
            self.content.fill_nonzero();
        } else {
            self.content.set_line_width(style.stroke_width() as f32).stroke();
        }
    }
}

/// The name of the state with an opacity.
fn state_name(opacity: u8) -> String {
    format!("A{opacity}")
}

fn point((x, y): BackendCoord) -> (f32, f32) {
    (x as f32, y as f32)
}

/// The bytes, compressed.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory can be written to")
}

impl DrawingBackend for PdfSheet<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> PdfResult {
        Ok(())
    }

    fn present(&mut self) -> PdfResult {
        Ok(())
    }

    fn draw_pixel(&mut self, place: BackendCoord, colour: BackendColor) -> PdfResult {
        let (x, y) = point(place);
        self.page.set_colour(colour);
        self.page.content.rect(x, y, 1.0, 1.0).fill_nonzero();
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> PdfResult {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> PdfResult {
        let ((left, top), (right, bottom)) = (point(from), point(to));
        self.page.set_colour(style.color());
        self.page.content.rect(left, top, right - left, bottom - top);
        self.page.paint(style, fill);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        places: I,
        style: &S,
    ) -> PdfResult {
        self.page.set_colour(style.color());
        self.page.add_lines(places);
        self.page.paint(style, false);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> PdfResult {
        let ((x, y), r) = (point(centre), radius as f32);
        let c = QUARTER * r;
        self.page.set_colour(style.color());
        self.page
            .content
            .move_to(x + r, y)
            .cubic_to(x + r, y + c, x + c, y + r, x, y + r)
            .cubic_to(x - c, y + r, x - r, y + c, x - r, y)
            .cubic_to(x - r, y - c, x - c, y - r, x, y - r)
            .cubic_to(x + c, y - r, x + r, y - c, x + r, y)
            .close_path();
        self.page.paint(style, fill);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        places: I,
        style: &S,
    ) -> PdfResult {
        self.page.set_colour(style.color());
        self.page.add_lines(places);
        self.page.content.close_path().fill_nonzero();
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> PdfResult {
        let Lettering { size, start } = Lettering::new(text, style);
        let rotation = style.transform();
        let turn = |x: f32, y: f32| turned(&rotation, x, y);
        let (origin, offset) = (point(at), turn(start.0, start.1));
        // On the page, y grows downwards; in letters, upwards.
        let ((a, b), (c, d)) = (turn(1.0, 0.0), turn(0.0, -1.0));
        let mut numbers = Vec::new();
        for letter in text.chars() {
            let number = FONT.glyph_id(letter).0;
            self.page.letters.insert(number, letter);
            numbers.extend(number.to_be_bytes());
        }
        self.page.set_colour(style.color());
        self.page
            .content
            .begin_text()
            .set_font(LETTERS, size)
            .set_text_matrix([a, b, c, d, origin.0 + offset.0, origin.1 + offset.1])
            .show(Str(&numbers))
            .end_text();
        Ok(())
    }
}
