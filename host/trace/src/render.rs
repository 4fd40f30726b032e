//! A trace as text, one block for each attempt, as handbooks show a search.

use std::fmt::Write as _;

use assay_base::io::console::counted;
use assay_plugin_api::Field;

use crate::attempts::{Lookup, TextRead, TracedAttempt, attempts};
use crate::event::EntryKind;
use crate::record::{Ending, Trace};
use crate::tables::{FilledTable, number, tables};

/// How a trace is written.
#[derive(Clone, Copy, Debug)]
pub struct TraceStyle {
    /// Whether matches and mismatches have colours; they have signs in any case.
    pub color: bool,
    /// Columns of a line.
    pub width: usize,
}

/// Columns before the characters of text and pattern.
const LABEL: usize = 10;
/// The most entries of a table that are written.
const MOST_ENTRIES: usize = 32;
/// The most entries that were looked up in an attempt, and are written.
const MOST_LOOKUPS: usize = 12;
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

/// Writes a trace of a search for `pattern` in `text`; `extra` names the extra fields of the twin.
pub fn render(trace: &Trace, pattern: &[u8], text: &[u8], extra: &[String], style: TraceStyle) -> String {
    let mut out = String::new();
    let tables = tables(&trace.preparation);
    write_tables(&tables, &mut out);
    let attempts = attempts(&trace.search, pattern, text);
    for (place, attempt) in attempts.iter().enumerate() {
        let next = attempts.get(place + 1).and_then(|next| next.window);
        AttemptBlock { attempt, next, pattern, text, style }.render(place + 1, &tables, &mut out);
    }
    ending(trace, extra, style.width, &mut out);
    out
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
            _ = writeln!(out, ", no numbers");
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
    style: TraceStyle,
}

impl AttemptBlock<'_> {
    fn render(&self, place: usize, tables: &[FilledTable], out: &mut String) {
        let attempt = self.attempt;
        _ = write!(out, "attempt {place}");
        if let Some(window) = attempt.window {
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
        if let Some(window) = attempt.window {
            let pattern: String = self.pattern.iter().map(|byte| column(*byte)).collect();
            let indent = (window as usize).saturating_sub(begin).min(end - begin);
            let cut: String = pattern.chars().take((end - begin).saturating_sub(indent)).collect();
            _ = writeln!(out, "{}", line("pattern", &format!("{}{cut}", " ".repeat(indent))));
            _ = writeln!(out, "{}", line("result", &self.results(begin, end)));
        }
        for occurrence in &attempt.occurrences {
            _ = writeln!(out, "  occurrence at {}", occurrence.at);
        }
        let lookup = |Lookup { table, index, value, .. }: &Lookup| {
            let filled = (*table as usize).checked_sub(1).and_then(|place| tables.get(place));
            let index = filled.map_or_else(|| index.to_string(), |filled| filled.index(*index));
            let value = value.map_or_else(String::new, |value| format!(" is {}", number(value)));
            let table = if *table == 0 { "a table".to_owned() } else { format!("table {table}") };
            format!("{table}: {index}{value}")
        };
        let mut lookups: Vec<String> = attempt.lookups.iter().take(MOST_LOOKUPS).map(lookup).collect();
        if attempt.lookups.len() > MOST_LOOKUPS {
            lookups.push(format!("and {} more", attempt.lookups.len() - MOST_LOOKUPS));
        }
        if !lookups.is_empty() {
            write_folded("  ", &lookups, self.style.width, out);
        }
        if let (Some(window), Some(next)) = (attempt.window, self.next)
            && let Some(shift) = next.checked_sub(window).filter(|shift| *shift > 0)
        {
            _ = writeln!(out, "  shift {shift}");
        }
        out.push('\n');
    }

    /// The part of the text that is shown: all of it if it fits into a line, and otherwise what is around the window.
    fn part(&self) -> (usize, usize) {
        let room = self.style.width.saturating_sub(LABEL).max(8);
        let n = self.text.len();
        if n <= room {
            return (0, n);
        }
        let reads = self.attempt.reads.iter().map(|read| read.at);
        let first = reads
            .chain(self.attempt.window)
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
        let colored = |sign: &str, color: &str| {
            if self.style.color { format!("{color}{sign}{PLAIN}") } else { sign.to_owned() }
        };
        let sign = |equal: Option<bool>| match equal {
            Some(true) => colored("=", GREEN),
            Some(false) => colored("x", RED),
            None => " ".to_owned(),
        };
        signs.into_iter().map(sign).collect()
    }
}
