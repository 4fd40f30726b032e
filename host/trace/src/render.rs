//! A trace as text, one block for each attempt, as handbooks show a search.

use std::fmt::Write as _;

use assay_base::io::console::counted;
use assay_plugin_api::Field;

use crate::attempts::{Lookup, TextRead, TracedAttempt, attempts};
use crate::event::EntryKind;
use crate::record::{Ending, Trace};
use crate::tables::{FilledTable, number, tables};

/// Columns before the characters of text and pattern.
const LABEL: usize = 10;
/// The most entries of a table that are written.
const MOST_ENTRIES: usize = 32;
/// The most entries that were looked up in an attempt, and are written.
const MOST_LOOKUPS: usize = 12;
/// The label of the lines that have `=` under equal characters, and `x` under others.
const RESULT: &str = "  result  ";

/// Writes a trace of a search for `pattern` in `text`, in lines of `width` columns; `extra` names the extra fields of the
/// twin.
pub fn render(trace: &Trace, pattern: &[u8], text: &[u8], extra: &[String], width: usize) -> String {
    let mut out = String::new();
    let tables = tables(&trace.preparation);
    write_tables(&tables, &mut out);
    let attempts = attempts(&trace.search, pattern, text);
    for (place, attempt) in attempts.iter().enumerate() {
        let next = attempts.get(place + 1).and_then(TracedAttempt::known_window);
        AttemptBlock { attempt, next, pattern, text, width }.render(place + 1, &tables, &mut out);
    }
    ending(trace, extra, width, &mut out);
    out
}

/// The signs of the comparisons, if a line of a rendered trace has them.
pub fn signs(line: &str) -> Option<&str> {
    line.strip_prefix(RESULT)
}

/// How the search ended, and its counts.
fn ending(trace: &Trace, extra: &[String], width: usize, out: &mut String) {
    match &trace.ending {
        Ending::Complete { occurrences, counts, extra: amounts, .. } => {
            let missing = trace.missing();
            if missing > 0 {
                let events = if missing == 1 { "event was" } else { "events were" };
                _ = writeln!(out, "{missing} more {events} not recorded; --max-events sets the limit");
            }
            let mut shown: Vec<String> = Vec::new();
            for (field, count) in Field::ALL.into_iter().zip(counts) {
                shown.extend(count.map(|count| format!("{} {count}", field.name())));
            }
            shown.extend(extra.iter().zip(amounts).map(|(name, amount)| format!("{name} {amount}")));
            _ = writeln!(out, "{}", counted(*occurrences as usize, "occurrence"));
            write_folded("", &shown, width, out);
        }
        Ending::CannotSearch(reason) => _ = writeln!(out, "it cannot search here: {reason}"),
        Ending::Failed(message) => _ = writeln!(out, "it {message}; the attempts above are from before that"),
    }
    if let Some(unknown) = trace.unknown_in_words() {
        _ = writeln!(out, "{unknown}");
    }
    if let Some(contradiction) = &trace.contradiction {
        _ = writeln!(out, "this record is wrong: {contradiction}");
    }
}

/// Writes items in lines of `width` columns, with semicolons between them.
fn write_folded(indent: &str, items: &[String], width: usize, out: &mut String) {
    let mut line = indent.to_owned();
    for (number, item) in items.iter().enumerate() {
        let end = if number + 1 < items.len() { ";" } else { "" };
        if line.len() > indent.len() && line.len() + 1 + item.chars().count() + end.len() > width {
            _ = writeln!(out, "{line}");
            indent.clone_into(&mut line);
        }
        let gap = if line.len() > indent.len() { " " } else { "" };
        line = format!("{line}{gap}{item}{end}");
    }
    _ = writeln!(out, "{line}");
}

fn write_tables(tables: &[FilledTable], out: &mut String) {
    for table in tables {
        let entries = if table.entries == 1 { "entry" } else { "entries" };
        _ = write!(out, "table {}: {} {entries}", table.number, table.entries);
        if table.kind == EntryKind::Other {
            _ = writeln!(out, ", not shown because they are no single numbers");
            continue;
        }
        let listed = table.listed.iter().take(MOST_ENTRIES);
        let mut shown: Vec<String> =
            listed.map(|(index, value)| format!("{} {}", table.index(*index), number(*value))).collect();
        if table.listed.len() > MOST_ENTRIES {
            shown.push(format!("and {} more", table.listed.len() - MOST_ENTRIES));
        }
        shown.extend(table.others.map(|value| format!("all others {}", number(value))));
        _ = writeln!(out, ": {}", shown.join(", "));
    }
    if !tables.is_empty() {
        out.push('\n');
    }
}

/// A character that takes one column.
fn column(byte: u8) -> char {
    if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' }
}

/// An attempt over its part of the text.
struct AttemptBlock<'a> {
    attempt: &'a TracedAttempt,
    /// The window of the next attempt.
    next: Option<u64>,
    pattern: &'a [u8],
    text: &'a [u8],
    /// Columns of a line.
    width: usize,
}

impl AttemptBlock<'_> {
    fn render(&self, place: usize, tables: &[FilledTable], out: &mut String) {
        let attempt = self.attempt;
        _ = write!(out, "attempt {place}");
        if let Some(window) = attempt.known_window() {
            _ = write!(out, ", window at {window}");
        }
        out.push('\n');
        let (begin, end) = self.part();
        let line = |label: &str, characters: &str| {
            format!("  {label:<8}{}", characters.trim_end()).trim_end().to_owned()
        };
        if begin > 0 || end < self.text.len() {
            _ = writeln!(out, "  (positions {begin} to {})", end.saturating_sub(1));
        }
        let shown: String = self.text[begin..end].iter().map(|byte| column(*byte)).collect();
        _ = writeln!(out, "{}", line("text", &shown));
        let orders = self.orders(begin, end);
        _ = writeln!(out, "{}", line("order", &orders));
        if let Some(window) = attempt.known_window() {
            let pattern: String = self.pattern.iter().map(|byte| column(*byte)).collect();
            let indent = (window as usize).saturating_sub(begin).min(end - begin);
            let cut: String = pattern.chars().take((end - begin).saturating_sub(indent)).collect();
            _ = writeln!(out, "{}", line("pattern", &format!("{}{cut}", " ".repeat(indent))));
            if !attempt.comparisons.is_empty() {
                _ = writeln!(out, "{}", format!("{RESULT}{}", self.results(begin, end)).trim_end());
            }
        }
        for occurrence in &attempt.occurrences {
            _ = writeln!(out, "  occurrence at {}", occurrence.at);
        }
        let lookup = |Lookup { table, index, value, .. }: &Lookup| {
            let filled = (*table as usize).checked_sub(1).and_then(|place| tables.get(place));
            let index = filled.map_or_else(|| index.to_string(), |filled| filled.index(*index));
            let table = if *table == 0 { "a table".to_owned() } else { format!("table {table}") };
            match value {
                Some(value) => format!("{table}: {index} is {}", number(*value)),
                None => format!("{table}: entry {index}"),
            }
        };
        let mut lookups: Vec<String> = attempt.lookups.iter().take(MOST_LOOKUPS).map(lookup).collect();
        if attempt.lookups.len() > MOST_LOOKUPS {
            lookups.push(format!("and {} more", attempt.lookups.len() - MOST_LOOKUPS));
        }
        if !lookups.is_empty() {
            write_folded("  ", &lookups, self.width, out);
        }
        if let (Some(window), Some(next)) = (attempt.known_window(), self.next)
            && let Some(shift) = next.checked_sub(window).filter(|shift| *shift > 0)
        {
            _ = writeln!(out, "  shift {shift}");
        }
        out.push('\n');
    }

    /// The part of the text that is shown: all of it if it fits into a line, and otherwise what is around the window.
    fn part(&self) -> (usize, usize) {
        let room = self.width.saturating_sub(LABEL).max(8);
        let n = self.text.len();
        if n <= room {
            return (0, n);
        }
        let reads = self.attempt.reads.iter().map(|read| read.at);
        let first = reads
            .chain(self.attempt.known_window())
            .chain(self.attempt.occurrences.iter().map(|found| found.at))
            .min();
        let begin = (first.unwrap_or_default() as usize).min(n).saturating_sub(4);
        (begin, (begin + room).min(n))
    }

    /// The number of each character's last read in the attempt.
    fn orders(&self, begin: usize, end: usize) -> String {
        let mut orders = vec![' '; end - begin];
        for (order, TextRead { at, bytes, .. }) in (1..).zip(&self.attempt.reads) {
            let sign = char::from_digit(order, 36).unwrap_or('+');
            let first = (*at as usize).max(begin);
            let last = (at.saturating_add(*bytes) as usize).min(end);
            orders
                .iter_mut()
                .take(last.saturating_sub(begin))
                .skip(first - begin)
                .for_each(|place| *place = sign);
        }
        orders.into_iter().collect()
    }

    /// `=` under each character of the pattern that was equal, and `x` under each that was not.
    fn results(&self, begin: usize, end: usize) -> String {
        let mut signs = vec![None; end - begin];
        for comparison in &self.attempt.comparisons {
            if let Some(place) =
                (comparison.text as usize).checked_sub(begin).and_then(|place| signs.get_mut(place))
            {
                *place = Some(comparison.equal);
            }
        }
        let sign = |equal: Option<bool>| match equal {
            Some(true) => '=',
            Some(false) => 'x',
            None => ' ',
        };
        signs.into_iter().map(sign).collect()
    }
}
