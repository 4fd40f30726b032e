//! The width of words in print.
//!
//! Whether a table fits a page is decided where no TeX is at hand, so the widths are upper bounds for classes
//! of letters of Computer Modern Roman at 10 points, the narrowest class that contains a letter (D. E. Knuth,
//! Computer Modern Typefaces, 1986). A document in Times, which is narrower, has room to spare.

/// The space between the figures of two columns: twice `\tabcolsep`, which is 6 points in the standard
/// classes.
pub(super) const GAP: f64 = 12.0;

/// How much wider bold letters are: a digit has 5.75 points instead of 5.
pub(super) const BOLD: f64 = 1.15;

/// The width of a text in points.
pub(super) fn points(text: &str) -> f64 {
    text.chars().map(letter).sum()
}

fn letter(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '!' => 3.7,
        ' ' | '-' | '(' | ')' | '[' | ']' | '/' => 3.9,
        'c' | 'e' | 'f' | 'r' | 's' | 't' | 'z' => 4.5,
        '0'..='9' => 5.0,
        'w' => 7.3,
        '±' | '×' | '+' | '=' | '<' | '>' | '~' | '%' | 'm' => 8.4,
        'M' => 9.2,
        'W' => 10.3,
        _ if letter.is_uppercase() => 7.9,
        _ if letter.is_ascii() => 5.6,
        // Scripts with wide letters are set in other fonts.
        _ => 10.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_their_width_and_words_at_least_theirs() {
        assert_eq!(points("1234567890"), 50.0);
        // By the metrics of cmr10, in points: 5 + 2.78 + 5 + 5 + 3.92 + 2.78 + 3.89 + 5.56 + 8.33.
        let algorithm = points("algorithm");
        assert!((42.26..60.0).contains(&algorithm), "{algorithm}");
    }
}
