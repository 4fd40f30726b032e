//! The columns of `measurements.csv`: names and units. No other file repeats the names.

use assay_plugin_api::{Field, inputs};

/// Id of the algorithm, without the `stat_` of a twin.
pub const ALGORITHM: &str = "algorithm";
/// Length of the pattern in bytes.
pub const PATTERN_LENGTH: &str = inputs::PATTERN_LENGTH;
/// Number of the repetition, from 0.
pub const REPETITION: &str = "repetition";
/// Outcome of the search.
pub const STATUS: &str = "status";
/// Number of the round, from 0.
pub const ROUND: &str = "round";
/// The clock of the times of the calls: `host`, or `own` if the algorithm has timed them itself; empty if
/// there are no times.
pub const CLOCK: &str = "clock";
/// Occurrences found.
pub const OCCURRENCES: &str = inputs::OCCURRENCES;
/// Time of all calls together.
pub const TOTAL_NS: &str = "total_ns";
/// Name of the machine; only a run that was gathered from the tasks of a campaign has this column.
pub const NODE: &str = "node";
/// What is computed from the fields of a twin.
pub const DERIVED: [&str; 2] = ["text_read_percent", "average_jump"];

/// The columns of `blocks.csv` with the times of the start of a worker, in order. Each happens once in a
/// worker.
pub const STARTS: [&str; 5] =
    ["load_ns", "initialise_ns", "first_prepare_ns", "first_search_ns", "read_back_ns"];

/// The columns that identify a row.
pub const KEYS: [&str; 4] = [ALGORITHM, PATTERN_LENGTH, REPETITION, STATUS];

/// The kinds of calls of a repetition, in order. Each call is timed and counted by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(usize)]
pub enum Call {
    /// The preparation of the pattern.
    Prepare,
    /// The search of the text.
    Search,
}

impl Call {
    /// All calls, in order.
    pub const ALL: [Call; 2] = [Call::Prepare, Call::Search];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Call::Prepare => "prepare",
            Call::Search => "search",
        }
    }

    /// The column of its time.
    pub const fn time(self) -> &'static str {
        match self {
            Call::Prepare => "prepare_ns",
            Call::Search => "search_ns",
        }
    }

    /// The column of a counter, `backend:event`, around it.
    pub fn counter(self, counter: &str) -> String {
        match self {
            Call::Search => counter.to_owned(),
            Call::Prepare => format!("{}:{counter}", self.name()),
        }
    }
}

/// Whether a column of measurements is an extra field. These may have any name; all other columns have known
/// names.
pub fn is_extra_field(column: &str) -> bool {
    fixed().chain(instrumented()).all(|known| known != column)
}

/// A value for each kind of call, and one for both together.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct PerCall<T> {
    /// The value for the preparation.
    pub prepare_ns: T,
    /// The value for the search.
    pub search_ns: T,
    /// The value for both together.
    pub total_ns: T,
}

impl<T> PerCall<T> {
    /// The calls in order; `None` stands for both together.
    pub const CALLS: [Option<Call>; 3] = [Some(Call::Prepare), Some(Call::Search), None];

    /// The value for a call; with `None`, that for both together.
    pub fn get(&self, call: Option<Call>) -> &T {
        match call {
            Some(Call::Prepare) => &self.prepare_ns,
            Some(Call::Search) => &self.search_ns,
            None => &self.total_ns,
        }
    }

    /// As [`get`](Self::get), mutable.
    pub fn get_mut(&mut self, call: Option<Call>) -> &mut T {
        match call {
            Some(Call::Prepare) => &mut self.prepare_ns,
            Some(Call::Search) => &mut self.search_ns,
            None => &mut self.total_ns,
        }
    }
}

/// The column of the time of a call that is one of several of its kind, by its name: `search2`.
pub fn call_time(name: &str) -> String {
    format!("{name}_ns")
}

/// The column of a counter around a call that is one of several of its kind.
pub fn call_counter(name: &str, counter: &str) -> String {
    format!("{name}:{counter}")
}

/// Parses a column of a call that is one of several of its kind: the kind, the name of the call, and the
/// counter, or `None` if the column holds its time. `search2_ns` and `search2:tsc:cycles` belong to
/// `search2`.
pub fn of_one_call(column: &str) -> Option<(Call, &str, &str)> {
    let call = Call::ALL.into_iter().find(|call| column.starts_with(call.name()))?;
    let digits = &column[call.name().len()..];
    let rest = digits.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let name = &column[..column.len() - rest.len()];
    let counter = if rest == "_ns" { "" } else { rest.strip_prefix(':')? };
    (rest.len() < digits.len()).then_some((call, name, counter))
}

/// The columns that every run has, in order.
pub fn fixed() -> impl Iterator<Item = &'static str> {
    let times = Call::ALL.into_iter().map(Call::time).chain([TOTAL_NS]);
    KEYS.into_iter().chain([ROUND, OCCURRENCES, CLOCK]).chain(times)
}

/// The further columns of every instrumented run, in order.
pub fn instrumented() -> impl Iterator<Item = &'static str> {
    Field::ALL.into_iter().map(Field::name).chain(DERIVED)
}

/// What a column of an instrumented run counts in one search; empty for other columns.
pub fn meaning(column: &str) -> &'static str {
    let [percent, jump] = DERIVED;
    if column == percent {
        return "bytes of the text that were read, of 100 bytes of text; above 100 where bytes are read again";
    }
    if column == jump {
        return "length of the text over the number of jumps";
    }
    match Field::ALL.into_iter().find(|field| field.name() == column) {
        None => "",
        Some(Field::MemoryUsed) => "size of the tables that the search looks things up in",
        Some(Field::LookupEntries) => "entries of all those tables",
        Some(Field::LookupEntries2) => "entries of the second and each further table",
        Some(Field::TextBytesRead) => "reads of the text; a byte that is read twice counts twice",
        Some(Field::PatternBytesRead) => "reads of the pattern while searching",
        Some(Field::Computations) => "computations beyond plain indexing, such as a step of a hash",
        Some(Field::Writes) => "writes to variables of the algorithm",
        Some(Field::Branches) => "conditions that were evaluated",
        Some(Field::Jumps) => "moves of the window",
        Some(Field::Lookups) => "reads of entries of the tables",
        Some(Field::Verifications) => "tests whether a whole window matched",
    }
}

/// The call to which a column without a counter belongs; `None` if it belongs to all calls. Occurrences and
/// the counts of a twin belong to the search; memory and table entries belong to the preparation.
pub fn call(column: &str) -> Option<Call> {
    if let Some((call, _, _)) = of_one_call(column) {
        return Some(call);
    }
    let built = [Field::MemoryUsed, Field::LookupEntries, Field::LookupEntries2].map(Field::name);
    let of_preparation = column.split_once(':').is_some_and(|(call, _)| call == Call::Prepare.name());
    if column == Call::Prepare.time() || of_preparation || built.contains(&column) {
        return Some(Call::Prepare);
    }
    ([TOTAL_NS, ROUND].iter().all(|all| *all != column)).then_some(Call::Search)
}

/// Whether a column has times of the clock.
pub fn is_time(column: &str) -> bool {
    let of_one_call = of_one_call(column).is_some_and(|(_, _, counter)| counter.is_empty());
    column == TOTAL_NS || of_one_call || Call::ALL.iter().any(|call| call.time() == column)
}

/// Whether a column has a name of the host, which no extra field of an algorithm can have.
pub fn is_standard(column: &str) -> bool {
    fixed().chain(instrumented()).any(|standard| standard == column)
}

/// The unit of a column that belongs to no counter; empty for plain numbers.
pub fn unit(column: &str) -> &'static str {
    let bytes = [Field::MemoryUsed, Field::TextBytesRead, Field::PatternBytesRead].map(Field::name);
    let [percent, jump] = DERIVED;
    match column {
        _ if column.ends_with("_ns") => "ns",
        _ if bytes.contains(&column) || column == jump => "bytes",
        _ if column == percent => "%",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_of_the_host_is_known_as_such() {
        for column in ["repetition", "prepare_ns", "total_ns", "jumps", "average_jump"] {
            assert!(is_standard(column), "{column}");
        }
        assert!(!is_standard("#small") && !is_standard("tsc:cycles"));
    }

    #[test]
    fn every_column_is_about_a_call() {
        let calls = |columns: &[&str]| columns.iter().map(|column| call(column)).collect::<Vec<_>>();
        assert_eq!(calls(&["prepare_ns", "prepare:tsc:cycles", "memory_used"]), [Some(Call::Prepare); 3]);
        let search = ["search_ns", "text_bytes_read", "average_jump", "#small", "occurrences", "tsc:cycles"];
        assert_eq!(calls(&search), [Some(Call::Search); 6]);
        assert_eq!(calls(&["total_ns"]), [None]);
    }

    #[test]
    fn columns_of_one_call_tell_which() {
        assert_eq!(of_one_call("search2_ns"), Some((Call::Search, "search2", "")));
        assert_eq!(of_one_call("prepare10:tsc:cycles"), Some((Call::Prepare, "prepare10", "tsc:cycles")));
        for other in ["search_ns", "prepare:tsc:cycles", "total_ns", "search2", "searches3_ns"] {
            assert_eq!(of_one_call(other), None, "{other}");
        }
        assert_eq!((call("prepare2_ns"), is_time("search2_ns")), (Some(Call::Prepare), true));
        assert_eq!(call_time("search2"), "search2_ns");
        assert_eq!(call_counter("search2", "tsc:cycles"), "search2:tsc:cycles");
    }

    #[test]
    fn every_count_has_a_meaning_and_is_in_the_book_by_its_name() {
        let page = include_str!("../../../docs/src/formats.md");
        for column in instrumented() {
            assert!(!meaning(column).is_empty() && page.contains(&format!("`{column}`")), "{column}");
        }
        assert_eq!(meaning("prepare_ns"), "");
    }

    #[test]
    fn columns_have_their_units_and_counts_have_none() {
        for (column, expected) in [
            ("search_ns", "ns"),
            ("memory_used", "bytes"),
            ("average_jump", "bytes"),
            ("text_read_percent", "%"),
            ("jumps", ""),
            ("#small", ""),
        ] {
            assert_eq!(unit(column), expected, "{column}");
        }
        assert_eq!(Call::ALL.map(Call::name), ["prepare", "search"]);
    }
}
