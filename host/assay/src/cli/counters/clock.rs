//! `assay counters clock`.

use assay_base::error::Result;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table};
use assay_counting::clocks::{self, CoreClock, StampOffset, TickClock, misleading};
use assay_experiment::cpu;
use assay_load::plugin::Registry;
use serde_json::json;

use super::super::{Outcome, Session};

/// Check the clocks: frequencies as the system reports them, and as they are measured
///
/// Measures the frequency of each usable CPU twice: right after the CPU has slept, and after 100 ms of work. It
/// times chains of additions and of multiplications with the monotonic clock. It also measures counters of ticks,
/// such as the time stamp counter, and compares their stamps on different CPUs.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters clock
  assay counters clock --format json

A frequency is left out if the two chains don't agree within 3 %, because something else ran on that CPU, or its speed \
changed. There is a warning if the frequency that the system reports differs from the measured one by more than 2 %, \
because cycles computed from it would be wrong. Runs measure the clock of their CPU too, and keep it in report.json.")]
pub(super) struct Args {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, registry: &Registry, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let cpus = cpu::allowed();
    let bar = console.progress(cpus.len() as u64);
    let cores = clocks::cores(&cpus, true, |at| {
        bar.set_position(at as u64);
        Ok(())
    });
    bar.finish_and_clear();
    let (cores, ticks, offsets) = (cores?, clocks::ticks(registry, None)?, clocks::offsets(&cpus)?);
    console.print(&match args.format {
        OutputFormat::Json => {
            let json = json!({ "cores": cores, "ticks": ticks, "offsets": offsets });
            serde_json::to_string_pretty(&json).expect("plain data") + "\n"
        }
        format => table(&cores, &ticks).render(format),
    })?;
    for offset in &offsets {
        match synchronisation(offset) {
            Ok(synchronised) => console.note(&synchronised),
            Err(warning) => console.warn(&warning),
        }
    }
    warnings(&cores, &ticks).iter().for_each(|warning| console.warn(warning));
    Ok(Outcome::Done)
}

/// A row for each frequency: the clock, the source of the figure, and the figure.
fn table(cores: &[CoreClock], ticks: &[TickClock]) -> Table {
    let mut table = Table::new(["clock", "source", "MHz"]);
    for core in cores {
        let name = format!("CPU {}", core.cpu);
        for reported in &core.reported {
            table.push(row(&name, &reported.source, Some(reported.hz)));
        }
        table.push(row(&name, "measured, idle before", core.idle_hz));
        table.push(row(&name, "measured, warm", core.warm_hz));
    }
    for clock in ticks {
        table.push(row(&clock.backend, "reported", clock.reported_hz));
        table.push(row(&clock.backend, "measured", clock.measured_hz));
    }
    table
}

fn row(clock: &str, source: &str, hz: Option<f64>) -> [Datum; 3] {
    [clock.into(), source.into(), hz.map(|hz| Datum::Number(hz / 1e6, 1)).into()]
}

/// A note that the time stamps of two CPUs are synchronised, or else a warning: stamps that are not must not
/// be subtracted from each other.
fn synchronisation(offset: &StampOffset) -> Result<String, String> {
    let StampOffset { cpu, against, least_ns, most_ns } = *offset;
    match offset.synchronised_within_ns() {
        Some(ns) => Ok(format!("time stamps of CPU {cpu} and CPU {against}: synchronised within {ns:.0} ns")),
        None if least_ns <= 0.0 && 0.0 <= most_ns => Err(format!(
            "time stamps of CPU {cpu} and CPU {against} may be {:.0} ns apart: no round trip was quick enough to show that \
             they are synchronised",
            most_ns.max(-least_ns)
        )),
        None => Err(format!(
            "time stamps of CPU {cpu} and CPU {against} are {:.0} ns apart or more: don't subtract a stamp of the one from a \
             stamp of the other",
            if least_ns > 0.0 { least_ns } else { -most_ns }
        )),
    }
}

/// Warnings of reported frequencies that differ from the measured ones.
fn warnings(cores: &[CoreClock], ticks: &[TickClock]) -> Vec<String> {
    cores.iter().filter_map(core_warning).chain(ticks.iter().filter_map(tick_warning)).collect()
}

/// The warning of the report that differs most from the measured frequency of a core.
fn core_warning(core: &CoreClock) -> Option<String> {
    let warm = core.warm_hz?;
    let wrong = core.reported.iter().filter_map(|report| Some((report, misleading(report.hz, warm)?)));
    let (report, share) = wrong.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()))?;
    Some(format!(
        "CPU {} runs at {}, but {} reports {}: cycles computed from the report are {:.0} % too {}",
        core.cpu,
        mhz(warm),
        report.source,
        mhz(report.hz),
        100.0 * (1.0 / (1.0 + share) - 1.0).abs(),
        if share > 0.0 { "few" } else { "many" }
    ))
}

/// The warning of a reported rate of ticks that differs from the measured one.
fn tick_warning(clock: &TickClock) -> Option<String> {
    let (reported, measured) = (clock.reported_hz?, clock.measured_hz?);
    misleading(reported, measured)?;
    Some(format!(
        "{} ticks at {}, but the system reports {}: metrics use the measured rate",
        clock.backend,
        mhz(measured),
        mhz(reported)
    ))
}

fn mhz(hz: f64) -> String {
    format!("{:.0} MHz", hz / 1e6)
}

#[cfg(test)]
mod tests {
    use assay_counting::clocks::Reported;

    use super::*;

    fn core(reported: &[f64], warm_hz: Option<f64>) -> CoreClock {
        let reported = reported.iter().map(|&hz| Reported { source: format!("{hz:e}"), hz }).collect();
        CoreClock { cpu: 3, reported, idle_hz: None, warm_hz }
    }

    fn ticks(reported_hz: Option<f64>) -> TickClock {
        TickClock { backend: "tsc".to_owned(), reported_hz, measured_hz: Some(2e9) }
    }

    #[test]
    fn a_wrong_report_is_warned_of_with_both_values() {
        let found = warnings(&[core(&[2.6e9, 2.5e9], Some(4e9))], &[ticks(Some(1.9e9))]);
        let expected = [
            "CPU 3 runs at 4000 MHz, but 2.5e9 reports 2500 MHz: cycles computed from the report are 38 % too few",
            "tsc ticks at 2000 MHz, but the system reports 1900 MHz: metrics use the measured rate",
        ];
        assert_eq!(found, expected);
        let slow = warnings(&[core(&[4e9], Some(2e9))], &[]);
        assert!(slow[0].ends_with("cycles computed from the report are 100 % too many"), "{slow:?}");
        let fine = [core(&[2.6e9], Some(2.61e9)), core(&[2.6e9], None), core(&[], Some(1e9))];
        assert_eq!(warnings(&fine, &[ticks(None), ticks(Some(2.01e9))]), Vec::<String>::new());
    }

    #[test]
    fn stamps_of_two_cpus_are_synchronised_or_warned_of() {
        let remark =
            |least_ns, most_ns| synchronisation(&StampOffset { cpu: 1, against: 0, least_ns, most_ns });
        assert!(remark(-40.0, 80.2).is_ok_and(|note| note.ends_with("CPU 0: synchronised within 80 ns")));
        assert!(remark(500.0, 600.0).is_err_and(|warning| warning.contains("500 ns apart or more")));
        assert!(remark(-600.0, 20_000.0).is_err_and(|warning| warning.contains("may be 20000 ns apart")));
        assert!(remark(-600.0, -500.0).is_err_and(|warning| warning.contains("500 ns apart or more")));
    }

    #[test]
    fn an_unknown_frequency_is_missing() {
        let csv = table(&[core(&[2.6e9], None)], &[ticks(None)]).render(OutputFormat::Csv);
        assert_eq!(
            csv,
            "clock,source,MHz\nCPU 3,2.6e9,2600\nCPU 3,\"measured, idle before\",\nCPU 3,\"measured, warm\",\n\
             tsc,reported,\ntsc,measured,2000\n"
        );
    }
}
