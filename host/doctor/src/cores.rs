//! The CPU of the workers among the others: siblings, kinds of cores, isolation, pinning, and quotas.

use super::activity::{Activity, QUIET_SHARE};
use super::finding::{Finding, Remedy};
use super::system::{System, cpu_list, cpu_words};
use super::virtualization::is_virtual;

const SIBLINGS: &str = "hyper-threads";
const HYBRID: &str = "kinds of cores";
const ISOLATED: &str = "isolated CPUs";
const PINNING: &str = "pinning";
const QUOTA: &str = "CPU quota";

/// A core counts as of another kind if its capacity is less than this share of the greatest. Cores of one
/// kind differ by a few percent at most, and those of two kinds by a fifth or more.
const SAME_CAPACITY: f64 = 0.9;

/// Whether other CPUs share the core of the CPU of the workers, and are busy.
pub(crate) fn hyper_threads(system: &System, cpu: Option<usize>, activity: Option<&Activity>) -> Finding {
    let number = cpu.unwrap_or(0);
    let path = format!("/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
    let Some(siblings) = system.cpus(&path) else {
        return Finding::unknown(SIBLINGS, "the system does not show which CPUs share a core");
    };
    let others: Vec<usize> = siblings.into_iter().filter(|other| *other != number).collect();
    if others.is_empty() {
        let found = format!("no other CPU shares the core of CPU {number}");
        return match is_virtual(system) {
            Some(true) => {
                Finding::unknown(SIBLINGS, format!("{found}, as far as the virtual machine shows it"))
            }
            _ => Finding::ok(SIBLINGS, found),
        };
    }
    let share = |word: &str| format!("CPU {} shares the core of CPU {number}{word}", cpu_words(&others));
    let effect = "a program on a sibling takes up to half of the core from the search";
    // All siblings must be off, because each of them shares the core.
    let switch = |value| {
        let files = others.iter().map(|other| format!("/sys/devices/system/cpu/cpu{other}/online"));
        format!("echo {value} | sudo tee {} >/dev/null", files.collect::<Vec<_>>().join(" "))
    };
    let remedy = Remedy::command(switch(0), Some(switch(1)));
    let busiest = activity.and_then(|activity| {
        others.iter().filter_map(|other| activity.cpu_share(*other)).max_by(f64::total_cmp)
    });
    match busiest {
        None => Finding::warning(SIBLINGS, share(""), effect, remedy),
        Some(busy) if busy < QUIET_SHARE => Finding::ok(SIBLINGS, share(", and is idle now")),
        Some(busy) => Finding::problem(
            SIBLINGS,
            share(&format!(", and is {:.0} % busy now", 100.0 * busy)),
            effect,
            remedy,
        ),
    }
}

/// Whether the CPU of the workers is one of the fast cores of the machine.
pub(crate) fn hybrid(system: &System, cpu: Option<usize>) -> Finding {
    let Some((fast, slow)) = kinds(system) else {
        return Finding::unknown(HYBRID, "the system does not show how fast its CPUs are");
    };
    if slow.is_empty() {
        return Finding::ok(HYBRID, "all CPUs are of one kind");
    }
    let kinds = format!("fast: {}; slow: {}", cpu_words(&fast), cpu_words(&slow));
    let allowed = system.allowed().unwrap_or_else(|| fast.clone());
    let best = fast.iter().rev().find(|cpu| allowed.contains(cpu));
    let remedy = match best {
        Some(best) => Remedy::advice(format!("run with `--pin {best}`")),
        None => {
            Remedy::advice(format!("let assay use a fast core: `taskset -c {} assay ..`", cpu_words(&fast)))
        }
    };
    match cpu {
        None => Finding::problem(
            HYBRID,
            format!("{kinds}; workers are not pinned"),
            "the system moves searches between fast and slow cores",
            remedy,
        ),
        Some(cpu) if slow.contains(&cpu) => Finding::warning(
            HYBRID,
            format!("{kinds}; workers are pinned to CPU {cpu}, a slow one"),
            "times are those of a slow core",
            remedy,
        ),
        Some(cpu) => Finding::ok(HYBRID, format!("{kinds}; workers are pinned to CPU {cpu}, a fast one")),
    }
}

/// The fast and the slow CPUs of the machine; `None` if nothing tells them apart.
fn kinds(system: &System) -> Option<(Vec<usize>, Vec<usize>)> {
    let devices = "/sys/bus/event_source/devices";
    let of_kind = |kind: &str| system.cpus(&format!("{devices}/cpu_{kind}/cpus"));
    if let (Some(fast), Some(slow)) = (of_kind("core"), of_kind("atom")) {
        return Some((fast, slow));
    }
    let online = system.online()?;
    let capacities = |file: &str| -> Option<Vec<f64>> {
        let capacity = |cpu| system.number(&format!("/sys/devices/system/cpu/cpu{cpu}/{file}"));
        online.iter().map(|cpu| capacity(cpu).map(|capacity| capacity as f64)).collect()
    };
    let capacities = capacities("cpu_capacity").or_else(|| capacities("cpufreq/cpuinfo_max_freq"))?;
    let greatest = capacities.iter().copied().fold(0.0, f64::max);
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    for (cpu, capacity) in online.into_iter().zip(capacities) {
        if capacity < SAME_CAPACITY * greatest { slow.push(cpu) } else { fast.push(cpu) }
    }
    Some((fast, slow))
}

/// Whether the CPU of the workers is kept free of other programs.
pub(crate) fn isolated(system: &System, cpu: Option<usize>) -> Finding {
    let isolated = system.cpus("/sys/devices/system/cpu/isolated");
    let from_command_line = || {
        let line = system.text("/proc/cmdline")?;
        line.split_whitespace().find_map(|word| cpu_list(word.strip_prefix("nohz_full=")?))
    };
    let quiet =
        system.cpus("/sys/devices/system/cpu/nohz_full").or_else(from_command_line).unwrap_or_default();
    let Some(isolated) = isolated else {
        return Finding::unknown(ISOLATED, "the system does not show which CPUs are isolated");
    };
    if isolated.is_empty() {
        return Finding::ok(ISOLATED, "none, so other programs may run on every CPU");
    }
    let tickless = if quiet.is_empty() {
        String::new()
    } else {
        format!("; without ticks (nohz_full): {}", cpu_words(&quiet))
    };
    let found = format!("{}{tickless}", cpu_words(&isolated));
    match cpu {
        Some(cpu) if isolated.contains(&cpu) => {
            Finding::ok(ISOLATED, format!("{found}; workers are pinned to CPU {cpu}, one of them"))
        }
        _ => Finding::warning(
            ISOLATED,
            format!("{found}, but workers run on another"),
            "other programs run on the CPU of the workers, although one is kept free",
            Remedy::advice(format!(
                "run with `--pin {0}`; if it may not be used: `taskset -c {0} assay ..`",
                isolated[isolated.len() - 1]
            )),
        ),
    }
}

/// Whether workers can be pinned, and to which CPU.
pub(crate) fn pinning(system: &System, cpu: Option<usize>) -> Finding {
    let Some(allowed) = system.allowed() else {
        return Finding::unknown(PINNING, "the system does not show which CPUs may be used");
    };
    let online = system.online().map_or(allowed.len(), |online| online.len());
    let of_all = if allowed.len() < online { format!(" of {online}") } else { String::new() };
    let usable = format!("CPUs that may be used: {}{of_all}", cpu_words(&allowed));
    if allowed.len() == 1 {
        return Finding::warning(
            PINNING,
            usable,
            "everything else that runs takes time from the searches",
            Remedy::advice(
                "allow a second CPU: taskset, the cpuset of the container, or the virtual machine",
            ),
        );
    }
    match cpu {
        Some(cpu) => Finding::ok(PINNING, format!("{usable}; workers are pinned to CPU {cpu}")),
        None => Finding::warning(
            PINNING,
            format!("{usable}; workers are not pinned"),
            "searches move between CPUs, whose caches are then cold",
            Remedy::advice("leave out `--pin off`, or write `pin = \"last\"`"),
        ),
    }
}

/// Whether the control group of this process gets less than one CPU.
pub(crate) fn quota(system: &System) -> Finding {
    let Some((taken, period)) = cpu_quota(system) else {
        return Finding::unknown(QUOTA, "the system does not show a quota of this process");
    };
    let Some(taken) = taken else { return Finding::ok(QUOTA, "none") };
    let cpus = taken / period;
    let found = format!("{cpus:.2} CPUs");
    if cpus >= 1.0 {
        return Finding::ok(QUOTA, found);
    }
    Finding::problem(
        QUOTA,
        found,
        format!("searches stand still for {:.0} % of the time", 100.0 * (1.0 - cpus)),
        Remedy::advice("start the container with one CPU or more, for example `docker run --cpus 2 ..`"),
    )
}

/// The time that the control group may use of each period (`None`: all), and the period, in microseconds.
fn cpu_quota(system: &System) -> Option<(Option<f64>, f64)> {
    let groups = system.text("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
    let own = if own.contains("..") { "/" } else { own.trim_end_matches('/') };
    let newer =
        [own, ""].into_iter().find_map(|group| system.text(&format!("/sys/fs/cgroup{group}/cpu.max")));
    if let Some(text) = newer {
        let (taken, period) = text.split_once(' ')?;
        let period = period.trim().parse().ok().filter(|period: &f64| *period > 0.0)?;
        let taken = if taken == "max" { None } else { Some(taken.parse().ok()?) };
        return Some((taken, period));
    }
    let older = |name: &str| system.number(&format!("/sys/fs/cgroup/cpu/{name}"));
    let (taken, period) = (older("cpu.cfs_quota_us")?, older("cpu.cfs_period_us")?);
    (period > 0).then_some(((taken > 0).then_some(taken as f64), period as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{self, Ok, Problem, Unknown, Warning};
    use crate::testing::{AMD_SERVER, ARM, CONTAINER, FakeSystem, HYBRID as HYBRID_CPU, INTEL_LAPTOP};

    fn busy(cpu: usize, share: f64) -> Activity {
        Activity { cpus: vec![(cpu, share)], processes: Vec::new() }
    }

    #[test]
    fn a_sibling_is_a_problem_while_it_is_busy() {
        let laptop = FakeSystem::new(INTEL_LAPTOP);
        let finding = |busy: Option<Activity>| hyper_threads(laptop.system(), Some(3), busy.as_ref());
        assert_eq!(finding(None).found, "CPU 1 shares the core of CPU 3");
        assert_eq!(finding(Some(busy(1, 0.01))).outcome, Ok);
        let problem = finding(Some(busy(1, 0.4)));
        assert_eq!(
            (problem.outcome, problem.found.as_str()),
            (Problem, "CPU 1 shares the core of CPU 3, and is 40 % busy now")
        );
        let remedy = problem.remedy.unwrap();
        assert_eq!(remedy.commands, ["echo 0 | sudo tee /sys/devices/system/cpu/cpu1/online >/dev/null"]);
        assert_eq!(remedy.undo, ["echo 1 | sudo tee /sys/devices/system/cpu/cpu1/online >/dev/null"]);
    }

    #[test]
    fn what_a_virtual_machine_does_not_show_is_unknown() {
        let outcome = |files| hyper_threads(FakeSystem::new(files).system(), Some(0), None).outcome;
        assert_eq!([outcome(AMD_SERVER), outcome(CONTAINER), outcome(&[])], [Ok, Unknown, Unknown]);
    }

    #[test]
    fn workers_belong_on_fast_cores() {
        let machine = FakeSystem::new(HYBRID_CPU);
        let finding = |cpu| hybrid(machine.system(), cpu);
        let slow = finding(Some(15));
        assert_eq!(
            (slow.outcome, slow.remedy.unwrap().advice.unwrap().as_str()),
            (Warning, "run with `--pin 11`")
        );
        assert_eq!([finding(Some(11)).outcome, finding(None).outcome], [Ok, Problem]);
        let arm = hybrid(FakeSystem::new(ARM).system(), Some(0));
        assert_eq!(arm.found, "fast: 2-3; slow: 0-1; workers are pinned to CPU 0, a slow one");
        assert_eq!(hybrid(FakeSystem::new(AMD_SERVER).system(), Some(0)).outcome, Ok);
        assert_eq!(hybrid(FakeSystem::new(&[]).system(), Some(0)).outcome, Unknown);
    }

    #[test]
    fn an_isolated_cpu_is_to_be_used() {
        let machine = FakeSystem::new(AMD_SERVER);
        assert_eq!(isolated(machine.system(), Some(3)).outcome, Ok);
        let other = isolated(machine.system(), Some(0));
        assert_eq!(
            (other.outcome, other.found.as_str()),
            (Warning, "2-3; without ticks (nohz_full): 2-3, but workers run on another")
        );
        assert_eq!(isolated(FakeSystem::new(INTEL_LAPTOP).system(), Some(0)).outcome, Ok);
    }

    #[test]
    fn a_worker_needs_a_cpu_beside_that_of_everything_else() {
        let outcome = |list: &str, cpu| -> CheckOutcome {
            let status = format!("Cpus_allowed_list:\t{list}\n");
            let machine = FakeSystem::new(&[
                ("/proc/self/status", &status),
                ("/sys/devices/system/cpu/online", "0-7\n"),
            ]);
            pinning(machine.system(), cpu).outcome
        };
        assert_eq!(
            [outcome("0-7", Some(7)), outcome("3", Some(3)), outcome("0-7", None)],
            [Ok, Warning, Warning]
        );
    }

    #[test]
    fn a_quota_below_one_cpu_is_a_problem() {
        let newer = |text| {
            quota(
                FakeSystem::new(&[("/proc/self/cgroup", "0::/a/b\n"), ("/sys/fs/cgroup/a/b/cpu.max", text)])
                    .system(),
            )
        };
        assert_eq!([newer("max 100000\n").outcome, newer("200000 100000\n").outcome], [Ok, Ok]);
        let half = newer("50000 100000\n");
        assert_eq!(
            (half.outcome, half.effect.unwrap().as_str()),
            (Problem, "searches stand still for 50 % of the time")
        );
        assert_eq!(newer("x y\n").outcome, Unknown);
        assert_eq!(newer("1 0\n").outcome, Unknown);
        let older = FakeSystem::new(&[
            ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
            ("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
        ]);
        assert_eq!(quota(older.system()).outcome, Ok);
    }
}
