//! Tables of reports for other documents: LaTeX and Markdown.

use assay_base::io::latex_escape::as_typed;
use assay_base::io::table::{Table, latex, markdown};

use super::marks::BEST;
use crate::RangeAxis;

/// The columns that stand before the values of the range.
const NAMES: [&str; 2] = ["algorithm", "statistic"];

/// A comment with the packages that such tables need in a LaTeX document.
pub const PREAMBLE: &str = "% Needs in the preamble: \\usepackage{booktabs,graphicx}\n";

/// A floating LaTeX table with its caption. If there is a range, the last columns are its values. A table
/// that is wider than the text is scaled down.
pub fn latex(table: &Table, axis: Option<&RangeAxis>, caption: &str, label: &str) -> String {
    let columns = table.columns.iter();
    let names = columns.take_while(|name| axis.is_none() || NAMES.contains(&name.as_str())).count();
    let title = axis.map(RangeAxis::title).unwrap_or_default();
    let tabular = latex::render(table, BEST, &title, names);
    format!(
        "\\begin{{table}}[tbp]\n\\centering\n\\caption{{{}}}\n\\label{{tab:{label}}}\n\\smallskip\n\
         \\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n{tabular}}}\n\\end{{table}}\n",
        as_typed(caption)
    )
}

/// A table of Markdown above its caption.
pub fn markdown(table: &Table, caption: &str) -> String {
    format!("{}\n{}\n", markdown::render(table, BEST), markdown::escaped(caption))
}

/// The label of a table in LaTeX: a run and a quantity, in letters, digits and hyphens.
pub fn label(run: &str, quantity: &str) -> String {
    format!("{run}-{quantity}")
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect()
}

#[cfg(test)]
mod tests {
    use assay_base::io::table::Datum;

    use super::*;

    #[test]
    fn a_caption_is_escaped_and_names_stand_beside_the_lengths() {
        let mut table = Table::new(["algorithm", "statistic", "4"]);
        table.push(["a".into(), "min".into(), Datum::Number(1.0, 0)]);
        let text = latex(&table, Some(&RangeAxis::default()), "50 % of x_y", &label("a/b", "#c"));
        assert!(text.contains("\\caption{50 \\% of x\\_y}\n\\label{tab:a-b--c}"), "{text}");
        assert!(text.contains(" &  & \\multicolumn{1}{c}{pattern length in bytes}"), "{text}");
        assert!(markdown(&table, "a_b").ends_with("| a | min | 1 |\n\na\\_b\n"));
    }
}
