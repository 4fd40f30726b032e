//! The width of labels in pictures, and labels that are shortened to fit.
//!
//! Widths are estimates, because whoever shows an SVG picture chooses the font.

/// The font size in pixels.
pub(super) const FONT_SIZE: f64 = 12.0;

/// The width of most letters in pixels. Those of sans-serif fonts are somewhat narrower on average, so labels that fit
/// by this width do not touch.
const LETTER_WIDTH: f64 = 0.6 * FONT_SIZE;

/// The letters that are about as wide as the font size in sans-serif fonts.
const WIDE_LETTERS: &str = "mwMW@%—…";

/// The width of a label in pixels.
pub(super) fn width(label: &str) -> f64 {
    let wide = label.chars().filter(|letter| WIDE_LETTERS.contains(*letter)).count();
    FONT_SIZE * wide as f64 + LETTER_WIDTH * (label.chars().count() - wide) as f64
}

/// A label that is no wider than this number of pixels. If it must be shortened, its middle is left out, because
/// both ends distinguish names.
pub(super) fn shortened(label: &str, pixels: f64) -> String {
    if width(label) <= pixels {
        return label.to_owned();
    }
    let letters: Vec<char> = label.chars().collect();
    let without_middle = |kept: usize| -> String {
        let (start, end) = (&letters[..kept.div_ceil(2)], &letters[letters.len() - kept / 2..]);
        start.iter().chain(&['…']).chain(end).collect()
    };
    // Not even the first letter may fit; a label is never empty.
    (1..letters.len())
        .rev()
        .map(without_middle)
        .find(|short| width(short) <= pixels)
        .unwrap_or_else(|| without_middle(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_is_too_wide_keeps_its_ends() {
        assert_eq!(shortened("texts/english.txt", 17.0 * LETTER_WIDTH), "texts/english.txt");
        let short = shortened("texts/english.txt", 11.0 * LETTER_WIDTH);
        assert_eq!((short.as_str(), width(&short) <= 11.0 * LETTER_WIDTH), ("texts….txt", true));
        let two = ["ä".repeat(9), "ab".to_owned()].map(|label| shortened(&label, 3.0 * LETTER_WIDTH));
        assert_eq!(two, ["ä…", "ab"]);
        assert_eq!(shortened("mm", 1.0), "m…", "a label is never empty");
    }

    #[test]
    fn wide_letters_take_more_room() {
        assert!(width("memmem") > width("normal") && width("memmem") < width("normals!!"));
    }
}
