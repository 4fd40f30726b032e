//! The columns of a LaTeX table, and the cells in them.

use super::width;
use crate::io::latex_escape::as_typed;
use crate::io::numbers::{fixed, grouped};
use crate::io::table::Datum;

/// What a column holds, and how it is aligned.
pub(super) enum ColumnKind {
    /// Texts, at the left.
    Left,
    /// Figures, at the right.
    Right(FigureFormat),
    /// Figures that the package siunitx aligns at their decimal points.
    Siunitx(FigureFormat),
}

/// The digits of the figures of a column.
#[derive(Clone, Copy, Default)]
pub(super) struct FigureFormat {
    /// The most digits before the point.
    whole: usize,
    /// The most digits after the point.
    decimals: usize,
    /// Whether one is negative.
    has_sign: bool,
    /// Whether one is written as a power of ten.
    has_power: bool,
    /// Whether one is followed by its interval.
    has_interval: bool,
    /// A mark that follows one that is not bold, if there is any.
    mark: Option<char>,
}

impl FigureFormat {
    /// The format of the figures among these cells; `None` if there are none. Those with the mark `bold` are
    /// bold instead of marked.
    pub(super) fn new<'a>(cells: impl Iterator<Item = &'a Datum>, bold: char) -> Option<Self> {
        let mut format: Option<Self> = None;
        for cell in cells {
            let (number, decimals, mark) = match *cell {
                Datum::Number(number, decimals) => (number, decimals, ' '),
                Datum::Marked(number, decimals, mark) => (number, decimals, mark),
                Datum::Within { value, decimals, mark, .. } => (value, decimals, mark),
                _ => continue,
            };
            let written = fixed(number, decimals);
            let digits = written.trim_start_matches('-');
            let format = format.get_or_insert_default();
            format.whole = format.whole.max(digits.split(['.', 'e']).next().map_or(0, str::len));
            format.decimals = format.decimals.max(decimals);
            format.has_sign |= written.starts_with('-');
            // Besides powers of ten, these are "inf" and "NaN".
            format.has_power |= written.contains(|letter: char| letter.is_ascii_alphabetic());
            format.has_interval |= matches!(cell, Datum::Within { .. });
            format.mark = format.mark.or(Some(mark).filter(|mark| ![' ', bold].contains(mark)));
        }
        format
    }

    /// Whether siunitx can align these figures by the digits alone.
    pub(super) fn is_plain(&self) -> bool {
        !self.has_power && !self.has_interval
    }

    /// What a figure with fewer decimals needs after it, so that its point stands below those of others.
    fn padding(&self, decimals: usize) -> String {
        let missing = self.decimals.saturating_sub(decimals);
        let point = if decimals == 0 { "." } else { "" };
        if missing == 0 || self.has_interval {
            String::new()
        } else {
            format!("\\phantom{{{point}{}}}", "0".repeat(missing))
        }
    }
}

impl ColumnKind {
    /// The kind as LaTeX.
    pub(super) fn letter(&self) -> String {
        match self {
            ColumnKind::Left => "l".to_owned(),
            ColumnKind::Right(_) => "r".to_owned(),
            ColumnKind::Siunitx(FigureFormat { whole, decimals, has_sign, mark, .. }) => {
                let sign = if *has_sign { "-" } else { "" };
                let space = mark.map_or_else(String::new, |mark| {
                    format!(",table-space-text-post={{{}}}", as_typed(&mark.to_string()))
                });
                format!("S[table-format={sign}{whole}.{decimals}{space}]")
            }
        }
    }

    /// The name of the column, which is given as LaTeX.
    pub(super) fn name(&self, name: &str) -> String {
        if matches!(self, ColumnKind::Siunitx(_)) { format!("{{{name}}}") } else { name.to_owned() }
    }

    /// A cell as LaTeX.
    pub(super) fn cell(&self, datum: &Datum, bold: char) -> String {
        match (self, datum) {
            (ColumnKind::Siunitx(_), Datum::Number(number, decimals)) => fixed(*number, *decimals),
            (ColumnKind::Siunitx(_), Datum::Marked(number, decimals, mark)) if *mark == bold => {
                format!("\\bfseries {}", fixed(*number, *decimals))
            }
            (ColumnKind::Siunitx(_), Datum::Marked(number, decimals, mark)) => {
                let mark = mark.to_string();
                let mark = Some(mark.trim()).filter(|mark| !mark.is_empty());
                let mark = mark.map_or_else(String::new, |mark| format!("{{{}}}", as_typed(mark)));
                fixed(*number, *decimals) + &mark
            }
            (ColumnKind::Siunitx(_), _) => format!("{{{}}}", shown(datum, bold)),
            (ColumnKind::Right(format), Datum::Number(_, decimals) | Datum::Marked(_, decimals, _)) => {
                shown(datum, bold) + &format.padding(*decimals)
            }
            (ColumnKind::Left | ColumnKind::Right(_), _) => shown(datum, bold),
        }
    }

    /// The width of a cell in points.
    pub(super) fn width(&self, datum: &Datum, bold: char) -> f64 {
        let decimals = match self {
            ColumnKind::Right(format) | ColumnKind::Siunitx(format) if !format.has_interval => {
                format.decimals
            }
            _ => 0,
        };
        let figure = |number: f64, own: usize, mark: char| {
            let padding = "0".repeat(decimals.saturating_sub(own) + usize::from(decimals > own && own == 0));
            let text = format!("{}{}{padding}", grouped(number, own), mark.to_string().trim());
            width::points(&text) * if mark == bold { width::BOLD } else { 1.0 }
        };
        match datum {
            Datum::Number(number, own) => figure(*number, *own, ' '),
            Datum::Marked(number, own, mark) => figure(*number, *own, *mark),
            Datum::Within { value, decimals: own, mark, .. } => {
                figure(*value, *own, *mark) + width::points(&datum.interval())
            }
            Datum::Strong(text) => width::points(text) * width::BOLD,
            other => width::points(&other.shown()),
        }
    }
}

/// A cell as LaTeX, by itself.
fn shown(datum: &Datum, bold: char) -> String {
    let figure = |number: f64, decimals: usize, mark: char| {
        let figure = grouped(number, decimals);
        if mark == bold {
            format!("\\textbf{{{figure}}}")
        } else {
            figure + &as_typed(mark.to_string().trim())
        }
    };
    match datum {
        Datum::Number(number, decimals) => figure(*number, *decimals, ' '),
        Datum::Marked(number, decimals, mark) => figure(*number, *decimals, *mark),
        Datum::Within { value, decimals, mark, .. } => {
            figure(*value, *decimals, *mark) + &as_typed(&datum.interval())
        }
        Datum::Strong(text) => format!("\\textbf{{{}}}", as_typed(text)),
        Datum::Missing => "--".to_owned(),
        other => as_typed(&other.shown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strong_word_is_bold_and_typed_as_it_is() {
        assert_eq!(shown(&Datum::Strong("a_b".to_owned()), '+'), "\\textbf{a\\_b}");
    }

    #[test]
    fn figures_with_fewer_decimals_keep_their_points_below_each_other() {
        let cells = [Datum::Number(1.25, 2), Datum::Number(1234.0, 0), Datum::Marked(2.5, 1, '+')];
        let kind = ColumnKind::Right(FigureFormat::new(cells.iter(), '+').unwrap());
        let shown = cells.each_ref().map(|cell| kind.cell(cell, '+'));
        assert_eq!(shown, ["1.25", "1,234\\phantom{.00}", "\\textbf{2.5}\\phantom{0}"]);
    }

    #[test]
    fn an_interval_follows_its_figure() {
        let cell = Datum::Within { value: 12.5, half_width: 0.25, decimals: 2, mark: '+' };
        let format = FigureFormat::new([&cell].into_iter(), '+').unwrap();
        assert!(!format.is_plain());
        assert_eq!(ColumnKind::Right(format).cell(&cell, '+'), "\\textbf{12.50} $\\pm$ 0.25");
        assert_eq!(cell.shown(), "12.50+ ± 0.25");
    }
}
