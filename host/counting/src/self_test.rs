//! The self-tests of counter backends. Each part runs in a child process, on the CPU of a run: a part that
//! crashes loses its own results, and no others.

use std::io;
use std::os::unix::net::UnixStream;

use assay_base::error::Result;
use assay_load::plugin::{InspectedLibrary, Kind, Listing, Registry};
use assay_load::process::{self, Permissions, Task, bind_to_cpu};
use assay_plugin_api::{Check, Verdict};
use serde::{Deserialize, Serialize};

/// The results of a part of the self-test of a backend.
#[derive(Clone, Debug, PartialEq)]
pub struct PartResult {
    /// Id of the backend.
    pub backend: String,
    /// Name of the part.
    pub part: String,
    /// The results, at least one.
    pub checks: Vec<Check>,
}

/// A question to a child.
#[derive(Serialize, Deserialize)]
struct SelfTestQuestion {
    library: InspectedLibrary,
    backend: String,
    /// The part to run; `None` asks which there are.
    part: Option<String>,
    cpu: Option<usize>,
}

/// The answer of a child, or what went wrong, in a sentence.
type SelfTestAnswer = Result<SelfTestContent, String>;

#[derive(Serialize, Deserialize)]
enum SelfTestContent {
    /// The names of the parts.
    Parts(Vec<String>),
    Checks(#[serde(with = "CheckRecords")] Vec<Check>),
}

/// Runs the self-test of a backend, all parts of it. `step` is called before each part with its name. There is
/// no result if the backend has no self-test.
///
/// # Errors
/// If no child can be started, or if `step` fails.
pub fn self_test(
    backend: &Listing,
    cpu: Option<usize>,
    registry: &Registry,
    step: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<Vec<PartResult>> {
    let mut permissions = Permissions::to_load([registry.inspected(backend).path.clone()]);
    permissions.access.add(&backend.access);
    let ask = |part: Option<&String>| -> Result<SelfTestAnswer> {
        let question = SelfTestQuestion {
            library: registry.inspected(backend),
            backend: backend.id.clone(),
            part: part.cloned(),
            cpu,
        };
        let answers =
            process::run_items::<SelfTestAnswer>(&Task::SelfTest, &permissions, &[question], |_| Ok(()))?;
        let answer = answers.into_iter().next().expect("there is one answer for each question");
        Ok(answer.unwrap_or_else(|end| Err(format!("it {end}"))))
    };
    let failed = |part: &str, reason: String| {
        let checks = vec![Check::new("the self-test runs to its end", Verdict::Wrong, reason)];
        PartResult { backend: backend.id.clone(), part: part.to_owned(), checks }
    };
    let parts = match ask(None)? {
        Ok(SelfTestContent::Parts(parts)) => parts,
        Ok(SelfTestContent::Checks(_)) => unreachable!("the child answers the question"),
        Err(reason) => return Ok(vec![failed("start", reason)]),
    };
    let mut results = Vec::with_capacity(parts.len());
    for part in &parts {
        step(part)?;
        results.push(match ask(Some(part))? {
            Ok(SelfTestContent::Checks(checks)) if !checks.is_empty() => {
                PartResult { backend: backend.id.clone(), part: part.clone(), checks }
            }
            Ok(_) => failed(part, "it checked nothing".to_owned()),
            Err(reason) => failed(part, reason),
        });
    }
    Ok(results)
}

/// The backends of a registry, or the one of this id.
///
/// # Errors
/// If there is no such backend.
pub fn backends<'r>(only: Option<&str>, registry: &'r Registry) -> Result<Vec<&'r Listing>> {
    match only {
        Some(id) => Ok(vec![registry.find(Kind::Counter, id)?]),
        None => Ok(registry.of_kind(Kind::Counter).collect()),
    }
}

/// The child's side: runs parts of self-tests.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer_items(host, |question: SelfTestQuestion| -> SelfTestAnswer {
        let SelfTestQuestion { library, backend, part, cpu } = question;
        // Which events there are depends on the core. The sandbox forbids the call.
        if let Some(cpu) = cpu {
            bind_to_cpu(cpu);
        }
        let catalogue = library.verify_in_sandbox()?.load()?;
        let entry = catalogue.counter(&backend)?;
        let Some(part) = part else { return Ok(SelfTestContent::Parts(entry.self_tests.clone())) };
        entry.self_test(&part, cpu).map(SelfTestContent::Checks)
    })
}

/// A check in a form that a child can send.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Check")]
struct OneCheckRecord {
    name: String,
    #[serde(with = "VerdictRecord")]
    verdict: Verdict,
    measured: Option<f64>,
    expected: Option<f64>,
    reason: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Verdict")]
enum VerdictRecord {
    Ok,
    Wrong,
    Absent,
}

/// A list of checks in that form.
struct CheckRecords;

#[derive(Serialize, Deserialize)]
struct OneCheck(#[serde(with = "OneCheckRecord")] Check);

impl CheckRecords {
    fn serialize<S: serde::Serializer>(checks: &[Check], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(checks.iter().cloned().map(OneCheck))
    }

    fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Check>, D::Error> {
        let checks = Vec::<OneCheck>::deserialize(deserializer)?;
        Ok(checks.into_iter().map(|OneCheck(check)| check).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_through_as_they_are() {
        let checks = vec![
            Check::new("a", Verdict::Ok, "x").numbers(1.5, 2.0),
            Check::new("b", Verdict::Absent, "y"),
            Check::new("c", Verdict::Wrong, "z"),
        ];
        let mut frame = Vec::new();
        process::send(&mut frame, &SelfTestContent::Checks(checks.clone())).unwrap();
        let received = process::receive::<SelfTestContent>(frame.as_slice()).unwrap().unwrap();
        assert!(matches!(received, SelfTestContent::Checks(received) if received == checks));
    }
}
