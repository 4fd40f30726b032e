//! How the figures of tables are written: decimals and intervals.

use assay_base::error::{Error, Result};
use assay_base::io::output_format::OutputFormat;
use assay_report::{FigureStyle, IntervalPlace};

const HEADING: &str = "Tables";

/// The style of the figures in tables.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct FigureStyleOptions {
    /// Decimals of figures [default: three significant digits of the smallest; in LaTeX and Markdown no more
    /// than the interval of each figure supports]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=9), conflicts_with = "chart", help_heading = HEADING)]
    pub precision: Option<u8>,
    /// Where the 95 % confidence intervals of medians stand [default: column in LaTeX and Markdown, otherwise
    /// none]
    #[arg(long, value_name = "PLACE", conflicts_with = "chart", help_heading = HEADING)]
    pub interval: Option<IntervalPlace>,
    /// LaTeX: align figures by the package siunitx
    #[arg(long, help_heading = HEADING)]
    pub siunitx: bool,
}

impl FigureStyleOptions {
    /// Whether no option was given that makes another table than that of `run`.
    pub(crate) fn is_default(&self) -> bool {
        self.interval.is_none() && !self.siunitx
    }

    /// The style of the figures in a format.
    pub(crate) fn in_format(&self, form: OutputFormat) -> FigureStyle {
        let is_document = matches!(form, OutputFormat::Latex | OutputFormat::Markdown);
        let usual = if is_document { IntervalPlace::Column } else { IntervalPlace::None };
        FigureStyle {
            precision: self.precision.map(usize::from),
            interval: self.interval.unwrap_or(usual),
            supported_only: is_document || self.interval.is_some(),
        }
    }

    /// Checks that a format has what is asked for.
    ///
    /// # Errors
    /// If it has not.
    pub(crate) fn check(&self, form: OutputFormat) -> Result<()> {
        if self.siunitx && form != OutputFormat::Latex {
            return Err(
                Error::new("--siunitx is for LaTeX").remedy("add `--format latex` or `--to FILE.tex`")
            );
        }
        if self.siunitx && self.interval == Some(IntervalPlace::Cell) {
            return Err(Error::new("columns of siunitx have no room for intervals")
                .remedy("use `--interval column`, or leave out --siunitx"));
        }
        let is_for_people =
            matches!(form, OutputFormat::Table | OutputFormat::Latex | OutputFormat::Markdown);
        if (self.precision.is_some() || self.interval.is_some()) && !is_for_people {
            return Err(Error::new(format!(
                "--precision and --interval are for tables that people read, and not for {}",
                form.name()
            ))
            .remedy("leave them out: data for programs have all digits, and `--stat ci95` gives intervals"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_intervals_unless_others_are_asked_for() {
        let style = FigureStyleOptions::default();
        let place = |form| style.in_format(form).interval;
        assert_eq!(place(OutputFormat::Latex), IntervalPlace::Column);
        assert_eq!(place(OutputFormat::Table), IntervalPlace::None);
        let cell = FigureStyleOptions { interval: Some(IntervalPlace::Cell), ..style };
        assert_eq!(cell.in_format(OutputFormat::Markdown).interval, IntervalPlace::Cell);
    }

    #[test]
    fn a_format_without_what_is_asked_for_is_refused() {
        let none = FigureStyleOptions::default;
        let siunitx = FigureStyleOptions { siunitx: true, ..none() };
        let digits = FigureStyleOptions { precision: Some(1), ..none() };
        let both = FigureStyleOptions { interval: Some(IntervalPlace::Cell), ..siunitx.clone() };
        for (style, form, is_allowed) in [
            (&none(), OutputFormat::Csv, true),
            (&siunitx, OutputFormat::Latex, true),
            (&siunitx, OutputFormat::Markdown, false),
            (&both, OutputFormat::Latex, false),
            (&digits, OutputFormat::Table, true),
            (&digits, OutputFormat::Csv, false),
            (&digits, OutputFormat::Svg, false),
        ] {
            assert_eq!(style.check(form).is_ok(), is_allowed, "{style:?} {form:?}");
        }
    }
}
