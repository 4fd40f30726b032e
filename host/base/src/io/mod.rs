//! Input and output: the terminal, tables, CSV, pages, and files that are either complete or missing.

pub mod atomic;
pub mod console;
pub mod csv_input;
pub mod csv_lines;
pub mod fold;
pub mod folders;
pub mod in_order;
pub mod latex_escape;
pub mod numbers;
pub mod output_format;
pub mod page_style;
pub mod rows;
pub mod setting;
pub mod shell;
pub mod table;
pub mod text_file;
pub mod toml_input;
