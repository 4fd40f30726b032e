//! The page of a merge: the picture of its correlations, its notes, and the tables that show how good it is.
//! It is one file that needs no network.

use assay_base::io::numbers::grouped;
use assay_base::io::page_style::STYLE;
use assay_plugin_api::{Cells, Merged, Sheet};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Decimals of correlations and differences.
const DECIMALS: usize = 3;

/// The page of a merge with its picture.
pub fn page(merged: &Merged<'_>, picture: &str) -> String {
    let rows = merged.columns.first().map_or(0, |column| column.values.len());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "assay: merged" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { "Merged: " (merged.columns.len()) " events, " (grouped(rows as f64, 0)) " rows" }
                    @for warning in &merged.warnings { p { b { "Warning: " } (warning) } }
                    @for note in &merged.notes { p { (note) } }
                }
                main {
                    section {
                        h2 { "Correlations" }
                        div.scroll tabindex="0" role="region" aria-label="Correlations" { (PreEscaped(picture)) }
                    }
                    @for sheet in &merged.tables { (table(sheet)) }
                }
            }
        }
    };
    page.into_string()
}

fn table(sheet: &Sheet) -> Markup {
    let rows = sheet.columns.first().map_or(0, |(_, cells)| cells.len());
    html! {
        section {
            h2 { (sheet.title) }
            div.scroll tabindex="0" role="region" aria-label=(sheet.title) {
                table {
                    thead { tr { @for (name, _) in &sheet.columns { th scope="col" { (name) } } } }
                    tbody {
                        @for row in 0..rows { tr {
                            @for (_, cells) in &sheet.columns { (cell(cells, row)) }
                        } }
                    }
                }
            }
        }
    }
}

fn cell(cells: &Cells, row: usize) -> Markup {
    html! {
        @match cells {
            Cells::Texts(texts) => th scope="row" { (texts[row]) },
            Cells::Numbers(numbers) if numbers[row].is_finite() => {
                td { (grouped(numbers[row], if numbers[row].fract() == 0.0 { 0 } else { DECIMALS })) }
            },
            _ => td { "-" },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_picture_the_words_and_the_tables_escaped() {
        let sheet = Sheet::new("pairs").texts("event", ["a<b"]).numbers("asked", [f64::NAN]);
        let merged = Merged { warnings: vec!["beware".to_owned()], tables: vec![sheet], ..Merged::default() };
        let page = page(&merged, "<svg></svg>");
        for part in ["<svg></svg>", "beware", "a&lt;b", "<td>-</td>", "<h2>pairs</h2>"] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
