//! A trace as a picture, for lecture notes and papers: its text, with a field under each character that was compared.

use std::fmt::Write as _;

use crate::player::escaped;
use crate::render::signs;

/// Size of a line and of a character, in the picture's units. A monospaced font has characters 0.6 times as wide as
/// high.
const LINE: f64 = 18.0;
const CHARACTER: f64 = 8.4;
const MARGIN: f64 = 12.0;

/// What [`render`](crate::render) wrote, as SVG.
pub fn picture(rendered: &str) -> String {
    let columns = rendered.lines().map(|line| line.chars().count()).max().unwrap_or_default();
    let lines = rendered.lines().count();
    let (width, height) = (columns as f64 * CHARACTER + 2.0 * MARGIN, lines as f64 * LINE + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.1}\" \
         height=\"{height:.1}\" font-family=\"monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (number, line) in rendered.lines().enumerate() {
        let top = MARGIN + number as f64 * LINE;
        if let Some(signs) = signs(line) {
            let begin = line.len() - signs.len();
            for (column, sign) in signs.chars().enumerate().filter(|(_, sign)| *sign != ' ') {
                let fill = if sign == '=' { "#bfe6c8" } else { "#f3c0bb" };
                let left = MARGIN + (begin + column) as f64 * CHARACTER;
                _ = writeln!(
                    out,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{CHARACTER}\" height=\"{LINE}\" fill=\"{fill}\"/>"
                );
            }
        }
        if !line.trim().is_empty() {
            // Each character at its place, whatever the width of the font's.
            let places: Vec<String> =
                (0..line.chars().count()).map(|i| format!("{:.1}", MARGIN + i as f64 * CHARACTER)).collect();
            let base = top + 0.75 * LINE;
            _ = writeln!(
                out,
                "<text y=\"{base:.1}\" x=\"{}\" xml:space=\"preserve\">{}</text>",
                places.join(" "),
                xml(line)
            );
        }
    }
    out + "</svg>\n"
}

/// A line in XML, without characters that XML does not allow.
fn xml(line: &str) -> String {
    escaped(&line.replace(|character: char| character.is_control(), "\u{fffd}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_has_its_place_and_each_comparison_a_field() {
        let drawn = picture("attempt 1\n  text    a<b\n  result  =x\n\n1 occurrence\n");
        assert!(drawn.contains("a&lt;b</text>"));
        assert_eq!((drawn.matches("#bfe6c8").count(), drawn.matches("#f3c0bb").count()), (1, 1));
        assert_eq!(drawn.matches("<text ").count(), 4);
        let first = drawn.lines().find(|line| line.contains("attempt 1")).unwrap();
        assert_eq!(first.split("x=\"").nth(1).unwrap().split('"').next().unwrap().split(' ').count(), 9);
    }
}
