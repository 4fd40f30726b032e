//! The player: a page on which a search runs step by step, of one algorithm or of two side by side.

use assay_base::io::page_style::STYLE;
use serde_json::{Value, json};

use crate::attempts::attempts as attempts_of;
use crate::record::{Ending, Trace};
use crate::tables::{FilledTable, number, tables};

/// A trace with id and name of its algorithm.
#[derive(Clone, Copy, Debug)]
pub struct NamedTrace<'a> {
    /// The id. Algorithms may share a name.
    pub id: &'a str,
    /// The name, as the page shows it.
    pub name: &'a str,
    /// What the algorithm did.
    pub trace: &'a Trace,
}

/// The script that plays what stands in the element `data` of its page: the list that [`traces_json`] writes.
pub const PLAYER_SCRIPT: &str = include_str!("player/player.js");

/// The page as one file that needs no network. All traces are of searches for `pattern` in `text`.
pub fn player(traces: &[NamedTrace<'_>], pattern: &[u8], text: &[u8]) -> String {
    let title = traces.iter().map(|trace| trace.name).collect::<Vec<_>>().join(" and ") + ", step by step";
    page(&title, "", &traces_json(traces, pattern, text), PLAYER_SCRIPT)
}

/// A page without traces for a site of many, whose script puts traces into the element `data` and then runs
/// [`PLAYER_SCRIPT`]. `lead` is HTML that stands before the player.
pub fn empty_player(title: &str, lead: &str, script: &str) -> String {
    page(title, lead, "[]", script)
}

/// What the script plays: a JSON list, in which no character ends the script of a page.
pub fn traces_json(traces: &[NamedTrace<'_>], pattern: &[u8], text: &[u8]) -> String {
    let data: Vec<Value> = traces.iter().map(|named| data(named, pattern, text)).collect();
    Value::from(data).to_string().replace('<', "\\u003c")
}

/// The page with its slots filled.
fn page(title: &str, lead: &str, data: &str, script: &str) -> String {
    let style = format!("{STYLE}{}", include_str!("player/player.css"));
    let mut page = String::new();
    let mut rest = include_str!("player/player.html");
    // One pass, so that nothing is put into what was put in.
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').expect("a brace of the page begins a name");
        page += before;
        match name {
            "title" => page += &escaped(title),
            "style" => page += &style,
            "lead" => page += lead,
            "data" => page += data,
            "script" => page += script,
            other => unreachable!("the page has no {other}"),
        }
        rest = after;
    }
    page + rest
}

fn data(NamedTrace { id, name, trace }: &NamedTrace<'_>, pattern: &[u8], text: &[u8]) -> Value {
    let problem = match &trace.ending {
        Ending::Complete { .. } => {
            trace.contradiction.as_ref().map(|wrong| format!("This record is wrong: {wrong}."))
        }
        Ending::CannotSearch(reason) => Some(format!("It cannot search here: {reason}.")),
        Ending::Failed(message) => Some(format!("It {message}. The steps below are from before that.")),
    };
    // As texts, because numbers of 64 bits are no numbers of JavaScript.
    let mut attempts: Vec<Value> = Vec::new();
    for attempt in attempts_of(&trace.search, pattern, text) {
        let values: Vec<Value> =
            attempt.lookups.iter().map(|lookup| json!(lookup.value.map(number))).collect();
        let mut attempt = json!(attempt);
        for (place, value) in values.into_iter().enumerate() {
            attempt["lookups"][place]["value"] = value;
        }
        attempts.push(attempt);
    }
    let tables = tables(&trace.preparation).into_iter().map(
        |FilledTable { number: table, entries, listed, others, .. }| {
            let listed: Vec<(u64, String)> =
                listed.into_iter().map(|(index, value)| (index, number(value))).collect();
            json!({ "number": table, "entries": entries, "listed": listed, "others": others.map(number) })
        },
    );
    json!({
        "id": id,
        "name": name,
        "pattern_hex": hex::encode(pattern),
        "text_hex": hex::encode(text),
        "attempts": attempts,
        "tables": tables.collect::<Vec<_>>(),
        "missing": trace.missing(),
        "problem": problem,
        "unknown": trace.unknown_in_words(),
    })
}

/// A text in HTML or XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::TraceEvent;

    #[test]
    fn a_page_is_whole_and_texts_of_plugins_stay_texts() {
        let ending = Ending::Failed("ended with </script><script>alert(1)</script>".to_owned());
        let search = vec![TraceEvent::TextRead { at: 0, bytes: 1 }];
        let trace = Trace { preparation: Vec::new(), search, ending, unknown: 2, contradiction: None };
        let named = NamedTrace { id: "b", name: "<b>{data}", trace: &trace };
        let page = player(&[named, named], b"a", b"ab");
        assert!(page.contains("&lt;b&gt;{data} and &lt;b&gt;{data}, step by step</title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.trim_end().ends_with("</html>"));
        assert!(page.contains("2 events of a newer kind are not shown"));
        let ending =
            Ending::Complete { occurrences: 7, counts: Vec::new(), extra: Vec::new(), dropped: 0, slack: 0 };
        let wrong = Trace { ending, contradiction: Some("it counts 7".to_owned()), ..trace };
        let json = traces_json(&[NamedTrace { id: "b", name: "B", trace: &wrong }], b"a", b"ab");
        assert!(json.contains("This record is wrong: it counts 7."), "{json}");
    }
}
