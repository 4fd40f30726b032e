//! Reads the file of an event set: names of events, metrics that are computed from them, and relations
//! between them.

use std::collections::BTreeMap;

use assay_base::formula::Formula;
use assay_load::plugin::{is_id, printable};
use serde::Deserialize;
use toml::Spanned;

use super::relation::Relation;
use super::{EventSet, SetMetric};

/// The content of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFile {
    summary: Spanned<String>,
    /// The events by the names that formulas use, each as `backend:event`.
    events: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    always: Vec<Spanned<String>>,
    #[serde(default)]
    metric: Vec<WrittenMetric>,
    #[serde(default)]
    variant: Vec<Variant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMetric {
    name: Spanned<String>,
    #[serde(default = "none")]
    unit: Spanned<String>,
    formula: Spanned<String>,
    #[serde(default = "none")]
    summary: Spanned<String>,
}

/// The value of a text that the file leaves out.
fn none() -> Spanned<String> {
    Spanned::new(0..0, String::new())
}

/// Other events for some machines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    /// The architecture to which the variant applies; `None` for all.
    arch: Option<String>,
    /// The vendor of the CPUs to which it applies; `None` for all.
    vendor: Option<String>,
    /// Events that replace those of the same names. An empty one can't be counted on these machines.
    events: BTreeMap<String, Spanned<String>>,
}

/// The machine for which events are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Processor {
    /// The architecture by its name in Rust: `x86_64`, `aarch64` ..
    pub arch: String,
    /// The vendor of the CPU in `/proc/cpuinfo`: `GenuineIntel`, `AuthenticAMD`, or on arm64 the number of
    /// the implementer, such as `0x41`.
    pub vendor: String,
}

impl Processor {
    /// The processor of this machine.
    pub(crate) fn here() -> Self {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let value = |name: &str| {
            let line =
                cpuinfo.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
            line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
        };
        let vendor = value("vendor_id").or_else(|| value("CPU implementer")).unwrap_or_default();
        Processor { arch: std::env::consts::ARCH.to_owned(), vendor }
    }
}

/// An error in a file: the number of the line, and a sentence.
pub(crate) type SetFileError = (usize, String);

/// Reads a set of this name for a machine.
///
/// # Errors
/// Says what is wrong with the file, and in which line.
pub(super) fn read(name: &str, text: &str, processor: &Processor) -> Result<EventSet, SetFileError> {
    let line_at = |byte: usize| text[..byte.min(text.len())].matches('\n').count() + 1;
    let written: SetFile = toml::from_str(text)
        .map_err(|error| (error.span().map_or(1, |span| line_at(span.start)), error.message().to_owned()))?;
    let wrong = |value: &Spanned<String>, message: String| (line_at(value.span().start), message);
    let texts = written.metric.iter().flat_map(|metric| [&metric.unit, &metric.formula, &metric.summary]);
    let relations = written.always.iter();
    if let Some(text) = std::iter::once(&written.summary)
        .chain(texts)
        .chain(relations)
        .find(|text| printable::line(text.get_ref()) != **text.get_ref())
    {
        return Err(wrong(text, "this text can't be printed in one line".to_owned()));
    }
    let mut events: BTreeMap<String, String> = BTreeMap::new();
    for (local, event) in &written.events {
        check_event(local, event.get_ref(), false).map_err(|message| wrong(event, message))?;
        events.insert(local.clone(), event.get_ref().clone());
    }
    let mut chosen = false;
    for variant in &written.variant {
        for (local, event) in &variant.events {
            check_event(local, event.get_ref(), true).map_err(|message| wrong(event, message))?;
            if !events.contains_key(local) {
                return Err(wrong(event, format!("`{local}` is none of the names in [events]")));
            }
        }
        let holds = |condition: &Option<String>, here: &str| condition.as_ref().is_none_or(|it| it == here);
        if !chosen && holds(&variant.arch, &processor.arch) && holds(&variant.vendor, &processor.vendor) {
            chosen = true;
            let own = variant.events.iter().map(|(local, event)| (local.clone(), event.get_ref().clone()));
            events.extend(own);
        }
    }
    let known = |formula: &Formula| formula.names().iter().find(|name| !is_known(name, &events)).cloned();
    let unknown = |name: &str| {
        let names: Vec<&str> = events.keys().map(String::as_str).chain(INPUTS).collect();
        format!(
            "`{name}` is neither an event of the set nor known of each search: there are {}",
            names.join(", ")
        )
    };
    let mut metrics: Vec<SetMetric> = Vec::new();
    for metric in &written.metric {
        let own = metric.name.get_ref();
        if !is_id(own) || metrics.iter().any(|other| other.name == *own) {
            let message =
                format!("`{own}` is no name of a metric: small letters, digits, `-` and `_`, each once");
            return Err(wrong(&metric.name, message));
        }
        let formula = Formula::parse(metric.formula.get_ref())
            .map_err(|mistake| wrong(&metric.formula, format!("in the formula of `{own}`: {mistake}")))?;
        if let Some(name) = known(&formula) {
            return Err(wrong(&metric.formula, unknown(&name)));
        }
        metrics.push(SetMetric {
            name: own.clone(),
            unit: metric.unit.get_ref().clone(),
            formula: metric.formula.get_ref().clone(),
            summary: metric.summary.get_ref().clone(),
        });
    }
    for relation in &written.always {
        let read = Relation::parse(relation.get_ref()).map_err(|message| wrong(relation, message))?;
        let names = read.names().into_iter().find(|name| !events.contains_key(*name)).map(str::to_owned);
        if let Some(name) = names {
            return Err(wrong(relation, unknown(&name)));
        }
    }
    let always = written.always.into_iter().map(Spanned::into_inner).collect();
    // An event that a variant declares as empty can't be counted on this machine.
    events.retain(|_, event| !event.is_empty());
    Ok(EventSet { name: name.to_owned(), summary: written.summary.into_inner(), events, metrics, always })
}

/// The facts about each search that formulas may use in addition to the counts.
pub const INPUTS: [&str; 7] =
    ["ns", "text_length", "pattern_length", "occurrences", "threads", "core_hz", "tsc_hz"];

/// Whether a formula may use this name.
fn is_known(name: &str, events: &BTreeMap<String, String>) -> bool {
    events.contains_key(name) || INPUTS.contains(&name)
}

/// Checks the name of an event in formulas (`local`) and the event. With `may_be_empty`, the event may be
/// empty.
fn check_event(local: &str, event: &str, may_be_empty: bool) -> Result<(), String> {
    let is_name = Formula::parse(local).is_ok_and(|formula| formula.names() == [local]);
    if !is_name || INPUTS.contains(&local) {
        return Err(format!(
            "`{local}` is no name for an event: letters, digits and `_`, and none of {}",
            INPUTS.join(", ")
        ));
    }
    if printable::line(event) != event {
        return Err(format!("{event:?} can't be printed in one line"));
    }
    if event.split_once(':').is_none_or(|(backend, name)| backend.is_empty() || name.is_empty())
        && !(may_be_empty && event.is_empty())
    {
        return Err(format!("`{event}` is no event: write BACKEND:EVENT"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: &str = r#"
summary = "Things."
always = ["bad <= all"]

[events]
all = "perf:things"
bad = "perf:bad-things"

[[metric]]
name = "rate"
unit = "%"
formula = "100 * bad / all"

[[variant]]
arch = "z80"
vendor = "Zilog"
events = { bad = "", all = "perf:r00" }
"#;

    fn parse(text: &str, arch: &str, vendor: &str) -> Result<EventSet, SetFileError> {
        read("things", text, &Processor { arch: arch.to_owned(), vendor: vendor.to_owned() })
    }

    #[test]
    fn the_first_variant_that_holds_has_other_events_for_the_same_formulas() {
        let events = |set: EventSet| set.events.into_iter().collect::<Vec<_>>();
        let pair = |name: &str, event: &str| (name.to_owned(), event.to_owned());
        let usual = parse(SET, "x86_64", "GenuineIntel").unwrap();
        assert_eq!(usual.metrics[0].formula, "100 * bad / all");
        assert_eq!(events(usual), [pair("all", "perf:things"), pair("bad", "perf:bad-things")]);
        assert_eq!(events(parse(SET, "z80", "other").unwrap()).len(), 2, "both conditions must hold");
        assert_eq!(events(parse(SET, "z80", "Zilog").unwrap()), [pair("all", "perf:r00")]);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let mistake = |from: &str, to: &str| {
            assert!(SET.contains(from));
            parse(&SET.replace(from, to), "x86_64", "").unwrap_err()
        };
        assert_eq!(mistake("summary", "sumary").0, 2);
        let (line, message) = mistake("100 * bad / all", "100 * bad / al");
        assert_eq!(line, 12);
        assert!(message.starts_with(
            "`al` is neither an event of the set nor known of each search: there are all, bad, ns"
        ));
        let (line, message) = mistake("100 * bad / all", "100 * / all");
        assert_eq!(
            (line, message.as_str()),
            (12, "in the formula of `rate`: a number, a name or `(` is expected at letter 7")
        );
        assert_eq!(mistake("\"rate\"", "\"The rate\"").0, 10);
        assert_eq!(
            mistake("perf:bad-things", "bad-things"),
            (7, "`bad-things` is no event: write BACKEND:EVENT".to_owned())
        );
        assert_eq!(mistake("bad <= all", "bad <= text_length").0, 3);
        let printed = "this text can't be printed in one line".to_owned();
        assert_eq!(mistake("unit = \"%\"", "unit = \"\\u001b]0;x\\u0007us\\nfoo\""), (11, printed.clone()));
        assert_eq!(mistake("Things.", "Things\\n."), (2, printed));
        assert_eq!(mistake("perf:bad-things", "perf:bad\\u001bthings").0, 7);
        let long = format!("0{}", " + bad".repeat(2000));
        assert!(mistake("100 * bad / all", &long).1.contains("fewer than 1000 numbers and names"));
        assert_eq!(mistake("bad <= all", &format!("{long} <= all")).0, 3);
        assert_eq!(mistake("{ bad = \"\"", "{ worse = \"x:y\"").0, 17);
        assert!(mistake("bad = \"perf", "ns = \"perf").1.contains("`ns` is no name for an event"));
    }
}
