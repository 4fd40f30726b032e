//! `assay counters selftest`.

use std::fs;

use assay_base::error::{Error, Result};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_counting::{PartResult, backends, self_test, self_test_list, self_test_summary, self_test_table};
use assay_experiment::cpu;
use assay_experiment::definition::CpuPin;
use assay_load::plugin::Registry;
use assay_plugin_api::Verdict;
use assay_store::provenance::Machine;
use serde_json::json;

use super::super::{Outcome, Session};

/// Check whether this machine counts right: work of known counts, counted in every way
///
/// Opens every general event, counts loops of known length and branches of known predictability, fills the
/// largest group, compares readings in user mode (rdpmc) with those of the kernel, the time stamp counter with
/// the clock, and looks whether the energy moves under load. A line is ok, wrong, or absent, with its reason.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters selftest
  assay counters selftest perf
  assay counters selftest --format json > report.json

Attach the output to a report of a wrong count: it names CPU, kernel and settings. A CSV file has these in each row.

Exit status: 0 if nothing is wrong, even if the machine has no counters; 1 if a line is wrong.")]
pub(super) struct Args {
    /// The self-test of this backend alone
    #[arg(value_name = "BACKEND")]
    backend: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, registry: &Registry, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let cpu = cpu::choose(CpuPin::Last)?;
    let backends = backends(args.backend.as_deref(), registry)?;
    let bar = console.progress(backends.len() as u64);
    let mut results: Vec<PartResult> = Vec::new();
    for backend in backends {
        let mut step = |part: &str| {
            bar.set_message(format!("{} {part}", backend.id));
            Ok(())
        };
        results.extend(self_test(backend, cpu, registry, &mut step)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let (true, Some(backend)) = (results.is_empty(), &args.backend) {
        return Err(Error::new(format!("counter backend `{backend}` has no self-test"))
            .remedy("without its name, the command tests all backends that have one"));
    }
    if results.is_empty() {
        console.warn("no plugin library brings a counter backend with a self-test");
    }
    let machine = machine();
    console.print(&match args.format {
        OutputFormat::Table => self_test_table(&results, &machine),
        OutputFormat::Json => {
            let facts: serde_json::Map<String, serde_json::Value> =
                machine.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            let json = json!({ "machine": facts, "checks": self_test_list(&results, &[]).json() });
            serde_json::to_string_pretty(&json).expect("plain data") + "\n"
        }
        format => self_test_list(&results, &machine).render(format),
    })?;
    console.note(&self_test_summary(&results));
    let mut checks = results.iter().flat_map(|result| &result.checks);
    Ok(if checks.any(|check| check.verdict == Verdict::Wrong) {
        Outcome::SomethingFailed
    } else {
        Outcome::Done
    })
}

/// What a report of a wrong count must say about the machine; `None` for a fact that is unknown.
fn machine() -> [(&'static str, Option<String>); 5] {
    let Machine { cpu, kernel, assay, .. } = Machine::here();
    let setting = |name: &str| {
        fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok().map(|text| text.trim().to_owned())
    };
    [
        ("cpu", cpu),
        ("kernel", Some(kernel)),
        ("perf_event_paranoid", setting("perf_event_paranoid")),
        ("nmi_watchdog", setting("nmi_watchdog")),
        ("assay", Some(assay)),
    ]
}
