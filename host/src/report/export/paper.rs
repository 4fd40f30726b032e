//! Tables of reports for other documents: LaTeX and Markdown.

use super::marks::BEST;
use crate::io::table::{Table, latex, markdown};
use crate::io::tex::as_typed;

/// What stands above the pattern lengths.
const LENGTHS: &str = "pattern length in bytes";

/// What a document of LaTeX needs for such tables, as a comment.
pub const PREAMBLE: &str = "% Needs in the preamble: \\usepackage{booktabs,graphicx}\n";

/// A table of LaTeX that floats, with its caption. One that is wider than the text is scaled down.
pub fn latex(table: &Table, caption: &str, label: &str) -> String {
    let names = table.columns.iter().take_while(|name| name.parse::<u64>().is_err()).count();
    let tabular = latex::render(table, BEST, LENGTHS, names);
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

/// What LaTeX calls a table: letters, digits and hyphens of a run and a quantity.
pub fn label(run: &str, quantity: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    format!("{run}-{quantity}").chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::table::Datum;

    #[test]
    fn a_caption_is_escaped_and_names_stand_beside_the_lengths() {
        let mut table = Table::new(["algorithm", "statistic", "4"]);
        table.push(["a".into(), "min".into(), Datum::Number(1.0, 0)]);
        let text = latex(&table, "50 % of x_y", &label("a/b", "#c"));
        assert!(text.contains("\\caption{50 \\% of x\\_y}\n\\label{tab:a-b--c}"), "{text}");
        assert!(text.contains(" &  & \\multicolumn{1}{c}{pattern length in bytes}"), "{text}");
        assert!(markdown(&table, "a_b").ends_with("| a | min | 1 |\n\na\\_b\n"));
    }
}
