//! A dispatcher as source text, in Rust or C.

use std::path::Path;

use assay_base::io::console::moves;

use crate::dispatcher::{Dispatcher, DispatcherCell};
use crate::identifier::{NOT_MEASURED, enumerators, variants};

/// A language of dispatchers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLanguage {
    /// Rust.
    Rust,
    /// C, as C99 has it.
    C,
}

impl SourceLanguage {
    /// The language of a file by its name: `.rs`, or `.c` or `.h`.
    pub fn of_file(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()? {
            "rs" => Some(SourceLanguage::Rust),
            "c" | "h" => Some(SourceLanguage::C),
            _ => None,
        }
    }

    /// The source of a dispatcher: an enumeration of its algorithms, and a function that chooses one.
    /// `about` says in sentences what was measured, and stands in a comment with the regret of each cell.
    pub fn source(self, dispatcher: &Dispatcher, ids: &[String], about: &[String]) -> String {
        let heading = "Which string-search algorithm to take, by the length of the pattern and the alphabet.";
        let lines = [heading.to_owned(), String::new()];
        let lines = lines.into_iter().chain(about.iter().map(|line| without_controls(line)));
        let lines = lines.chain([String::new()]).chain(regrets(dispatcher, ids));
        let comment: String = lines.map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
        let code = match self {
            SourceLanguage::Rust => rust(dispatcher, ids),
            SourceLanguage::C => c(dispatcher, ids),
        };
        format!("{comment}\n{code}")
    }
}

/// A line that can't end a comment: without line feeds, without marks of direction, which compilers refuse, and without
/// a backslash at its end, which would make the next line part of a comment in C.
fn without_controls(line: &str) -> String {
    let line = line.replace(moves, " ");
    if line.ends_with('\\') { line + "." } else { line }
}

/// The regret of each cell, in aligned columns.
fn regrets(dispatcher: &Dispatcher, ids: &[String]) -> Vec<String> {
    let from_to = |range: Option<(usize, usize)>| match range {
        Some((least, greatest)) if least < greatest => format!("{least} to {greatest}"),
        Some((only, _)) => only.to_string(),
        None => "any".to_owned(),
    };
    let share =
        |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let mut rows = vec![["alphabet", "length", "algorithm", "points", "mean", "greatest"].map(str::to_owned)];
    for DispatcherCell { alphabets, lengths, algorithm, regret } in &dispatcher.cells {
        rows.push([
            from_to(*alphabets),
            from_to(Some(*lengths)),
            ids[*algorithm].clone(),
            regret.points.to_string(),
            share(regret.mean),
            share(regret.greatest),
        ]);
    }
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    let row = |row: &[String; 6]| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  "))
    };
    let mut lines = vec![
        "Regret: by how much the choice is slower than the best of these algorithms, at the points that were"
            .to_owned(),
        "measured. Where several are tied, it is 0. These points have also decided the choice: expect more elsewhere."
            .to_owned(),
        String::new(),
    ];
    lines.extend(rows.iter().map(row));
    lines
}

fn rust(dispatcher: &Dispatcher, ids: &[String]) -> String {
    let names = variants(ids);
    let mut source = "/// An algorithm, by its id in assay.\n\
                      #[derive(Clone, Copy, Debug, PartialEq, Eq)]\n\
                      pub enum Algorithm {\n"
        .to_owned();
    for algorithm in chosen(dispatcher) {
        source += &format!("    /// `{}`\n    {},\n", ids[algorithm], names[algorithm]);
    }
    source += "}\n\n\
               /// The algorithm for patterns of `length` bytes in texts of `alphabet` letters; `None` outside of what was\n\
               /// measured.\n";
    let by_alphabet = dispatcher.cells.iter().any(|cell| cell.alphabets.is_some());
    let (parameter, subject) =
        if by_alphabet { ("alphabet", "(alphabet, length)") } else { ("_alphabet", "length") };
    source += &format!(
        "pub fn choose(length: usize, {parameter}: usize) -> Option<Algorithm> {{\n    match {subject} {{\n"
    );
    for DispatcherCell { alphabets, lengths: (least, greatest), algorithm, .. } in &dispatcher.cells {
        let lengths = format!("{least}..={greatest}");
        let pattern = match alphabets {
            Some((least, greatest)) => format!("({least}..={greatest}, {lengths})"),
            None => lengths,
        };
        source += &format!("        {pattern} => Some(Algorithm::{}),\n", names[*algorithm]);
    }
    source + "        _ => None,\n    }\n}\n"
}

fn c(dispatcher: &Dispatcher, ids: &[String]) -> String {
    let names = enumerators(ids);
    let mut source = format!(
        "#ifndef ASSAY_CHOOSE\n#define ASSAY_CHOOSE\n\n#include <stddef.h>\n\n\
         /* An algorithm, by its id in assay. */\nenum assay_algorithm {{\n    {NOT_MEASURED} = -1"
    );
    for algorithm in chosen(dispatcher) {
        source += &format!(",\n    {} = {algorithm} /* {} */", names[algorithm], ids[algorithm]);
    }
    source += &format!(
        "\n}};\n\n\
         /* The algorithm for patterns of `length` bytes in texts of `alphabet` letters; {NOT_MEASURED} outside of\n   \
         what was measured. */\n\
         static inline enum assay_algorithm assay_choose(size_t length, size_t alphabet)\n{{\n    (void)alphabet;\n"
    );
    for DispatcherCell { alphabets, lengths: (least, greatest), algorithm, .. } in &dispatcher.cells {
        let lengths = format!("length >= {least} && length <= {greatest}");
        let condition = match alphabets {
            Some((least, greatest)) => format!("alphabet >= {least} && alphabet <= {greatest} && {lengths}"),
            None => lengths,
        };
        source += &format!("    if ({condition}) return {};\n", names[*algorithm]);
    }
    source + &format!("    return {NOT_MEASURED};\n}}\n\n#endif\n")
}

/// The algorithms that a dispatcher chooses, each once.
fn chosen(dispatcher: &Dispatcher) -> Vec<usize> {
    let mut chosen: Vec<usize> = dispatcher.cells.iter().map(|cell| cell.algorithm).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests;
