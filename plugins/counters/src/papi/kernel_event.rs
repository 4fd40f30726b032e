//! Events of the Linux kernel under PAPI's names: their units, and the modes in which they are counted.
//!
//! PAPI counts in user mode unless it is asked for more. An event that happens in the kernel alone, such as a
//! context switch, would then read 0 for ever. Such an event is therefore added with its modes in its name
//! (`perf::CONTEXT-SWITCHES:u=1:k=1`). PAPI's domain would do the same for all events of the component at
//! once, and has two faults: hardware events would count the kernel too, and PAPI accepts the domain from a
//! user who may not count the kernel, and then reads 0 as before. An event with the modes in its name is
//! refused instead.

use std::borrow::Cow;

use crate::perf::general::{General, general};
use crate::refusal::Refusal;

/// The kernel's event that a name of PAPI's stands for: `perf::CS`, `CONTEXT-SWITCHES` and
/// `PERF_COUNT_SW_CONTEXT_SWITCHES:k=1` are all perf's `context-switches`.
pub fn kernel_event(name: &str) -> Option<&'static General> {
    let (unit, event) = name.split_once("::").unwrap_or(("perf", name));
    if unit != "perf" {
        return None;
    }
    let event = event.split(':').next()?.to_ascii_lowercase();
    let enumerator = event.strip_prefix("perf_count_sw_").or_else(|| event.strip_prefix("perf_count_hw_"));
    general(&enumerator.map_or(event.clone(), |stem| stem.replace('_', "-")))
}

/// The unit of an event's counts.
pub fn unit(name: &str, component: Option<&str>) -> &'static str {
    match (kernel_event(name), component) {
        (Some(event), _) => event.unit,
        (None, Some("perf_event" | "sde") | None) if name.starts_with("PAPI_") && name.ends_with("_CYC") => {
            "cycles"
        }
        (None, Some("perf_event" | "sde") | None) => "events",
        // Temperatures, energies, bytes ..: PAPI knows the unit, but the structure that holds it differs
        // between its versions, so it is not read.
        (None, Some(_)) => "number",
    }
}

/// The name by which PAPI counts the event in every mode in which it happens.
///
/// # Errors
/// If the event happens in the kernel alone, and the name leaves the kernel out.
pub fn with_modes(name: &str) -> Result<Cow<'_, str>, Refusal> {
    if !kernel_event(name).is_some_and(|event| event.in_kernel) {
        return Ok(Cow::Borrowed(name));
    }
    let event = name.strip_prefix("perf::").unwrap_or(name);
    let modes: Vec<&str> = event.split(':').skip(1).filter(|mask| is_mode(mask)).collect();
    if modes.is_empty() {
        return Ok(Cow::Owned(format!("{name}:u=1:k=1")));
    }
    // PAPI looks for `k=` in the name: it accepts `:k` alone, ignores it, and counts nothing.
    if modes.contains(&"k=1") {
        return Ok(Cow::Borrowed(name));
    }
    Err(Refusal::new(
        "it happens in the kernel alone, which the modes in its name leave out",
        "leave `:u` and `:k` out of the name, or write `:k=1`",
    ))
}

/// Whether a mask of a name, such as `u`, `k=1` or `period=1000`, is one of the modes.
fn is_mode(mask: &str) -> bool {
    matches!(mask.split('=').next(), Some("u" | "k" | "h"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papi_s_names_are_those_of_the_kernel_s_events() {
        let named = |name| kernel_event(name).map(|event| event.names[0]);
        for name in ["perf::CS", "CONTEXT-SWITCHES", "perf::PERF_COUNT_SW_CONTEXT_SWITCHES:k=1"] {
            assert_eq!(named(name), Some("context-switches"), "{name}");
        }
        assert_eq!(named("PERF_COUNT_HW_CPU_CYCLES"), Some("cycles"));
        for name in ["sde:::perf::CS", "skl::CS", "PAPI_TOT_INS", ""] {
            assert_eq!(named(name), None, "{name}");
        }
    }

    #[test]
    fn units_are_those_of_the_counts() {
        let of_perf = |name| unit(name, Some("perf_event"));
        assert_eq!(of_perf("perf::TASK-CLOCK"), "ns");
        assert_eq!(of_perf("PERF_COUNT_SW_CPU_CLOCK"), "ns");
        assert_eq!(of_perf("perf::CYCLES:u"), "cycles");
        assert_eq!(of_perf("PAPI_REF_CYC"), "cycles");
        assert_eq!(of_perf("perf::PAGE-FAULTS"), "events");
        assert_eq!(unit("sde:::library::shifts", Some("sde")), "events");
        assert_eq!(unit("coretemp:::hwmon0:temp1_input", Some("coretemp")), "number");
    }

    #[test]
    fn what_happens_in_the_kernel_alone_is_counted_there_or_refused() {
        for name in ["perf::CONTEXT-SWITCHES", "MIGRATIONS", "perf::CS:period=10"] {
            assert_eq!(with_modes(name).unwrap(), format!("{name}:u=1:k=1"));
        }
        for name in ["perf::CS:k=1", "perf::CS:u=0:k=1", "perf::PAGE-FAULTS:u", "PAPI_TOT_INS", "sde:::a::CS"]
        {
            assert_eq!(with_modes(name).unwrap(), name);
        }
        for name in ["perf::CS:u", "perf::CS:k", "CGROUP-SWITCHES:u=1", "CS:u=1:k=0"] {
            assert!(with_modes(name).unwrap_err().reason.contains("leave out"), "{name}");
        }
    }
}
