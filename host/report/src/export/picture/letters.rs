//! The letters of pictures that this program draws itself: PNG and PDF.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendTextStyle, FontTransform};

/// DejaVu Sans, reduced to the letters of Europe. It is part of the program, so that a picture is the same on
/// every machine.
pub(super) static FONT_FILE: &[u8] = include_bytes!("font/DejaVuSans.ttf");

pub(super) static FONT: LazyLock<FontRef<'static>> =
    LazyLock::new(|| FontRef::try_from_slice(FONT_FILE).expect("a font lies in the program"));

/// The size and the beginning of a line of letters.
pub(super) struct Lettering {
    /// The size of the letters.
    pub size: f32,
    /// The place of the beginning of the base line, from the place of the text, before it is turned.
    pub start: (f32, f32),
}

impl Lettering {
    /// The letters of a text in this style.
    pub(super) fn new(text: &str, style: &impl BackendTextStyle) -> Self {
        // The factors of size and height are those of the SVG backend, so that all pictures look the same.
        let size = (style.size() / 1.24) as f32;
        let width = size * text.chars().map(width).sum::<f32>();
        let x = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let y = size
            * match style.anchor().v_pos {
                VPos::Top => 0.76,
                VPos::Center => 0.27,
                VPos::Bottom => -0.27,
            };
        Lettering { size, start: (x, y) }
    }
}

/// The width of a letter of size 1.
pub(super) fn width(letter: char) -> f32 {
    FONT.h_advance_unscaled(FONT.glyph_id(letter)) / units_per_em()
}

/// The units of the font in a letter of size 1.
pub(super) fn units_per_em() -> f32 {
    FONT.units_per_em().expect("a font that is drawn has a size")
}

/// An offset, turned around the origin.
pub(super) fn turned(rotation: &FontTransform, x: f32, y: f32) -> (f32, f32) {
    match rotation {
        FontTransform::None => (x, y),
        FontTransform::Rotate90 => (-y, x),
        FontTransform::Rotate180 => (-x, -y),
        FontTransform::Rotate270 => (y, -x),
    }
}
