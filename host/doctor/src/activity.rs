//! What else runs on the machine: how busy each CPU is, and the processes that use most of them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_base::io::console::moves;

use super::finding::{Finding, Remedy};
use super::system::System;

const NAME: &str = "load";

/// How long the processes are watched: their times are counted in hundredths of a second, so a process is
/// seen from a fiftieth of a CPU on.
pub(crate) const WATCHED: Duration = Duration::from_millis(500);
/// Below this share of its time a CPU counts as idle: services and the scheduler take a few percent.
pub(crate) const QUIET_SHARE: f64 = 0.1;
/// How many busy processes are named. More would fill the terminal, and the first matter most.
const NAMED: usize = 3;
/// All threads of the kernel are children of this process.
const KERNEL_THREADS: u32 = 2;

/// What ran during a short time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Activity {
    /// The CPUs, each with the share of the time that it was busy.
    pub(crate) cpus: Vec<(usize, f64)>,
    /// The processes that used a CPU, the busiest first, without this one.
    pub(crate) processes: Vec<BusyProcess>,
}

/// A process that uses a CPU.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BusyProcess {
    /// Its number.
    pub(crate) pid: u32,
    /// Its name, without characters that could forge a line.
    pub(crate) name: String,
    /// The CPUs that it uses: 1 is all the time of one.
    pub(crate) cpus: f64,
    /// The command that can stop it, as this user; `None` for threads of the kernel and for the programs that
    /// have started this one.
    pub(crate) kill: Option<&'static str>,
}

impl Activity {
    /// Watches the machine for this time.
    pub(crate) fn watch(system: &System, time: Duration) -> Self {
        let (before, begun) = (Snapshot::take(system), Instant::now());
        sleep(time);
        let ticks = begun.elapsed().as_secs_f64() * rustix::param::clock_ticks_per_second() as f64;
        Snapshot::take(system).since(&before, ticks, system)
    }

    /// The share of the time that a CPU was busy.
    pub(crate) fn cpu_share(&self, cpu: usize) -> Option<f64> {
        self.cpus.iter().find(|(number, _)| *number == cpu).map(|(_, share)| *share)
    }
}

/// How much time the CPUs and the processes had used at a moment, in ticks.
#[derive(Debug, Default)]
struct Snapshot {
    /// By the number of the CPU: busy ticks, and all ticks.
    cpus: HashMap<usize, (u64, u64)>,
    /// By the number of the process.
    processes: HashMap<u32, Process>,
}

/// A process at a moment.
#[derive(Clone, Debug)]
struct Process {
    name: String,
    parent: u32,
    ticks: u64,
    /// When it was started: numbers of processes are used again.
    started: u64,
}

impl Snapshot {
    fn take(system: &System) -> Self {
        let stat = system.text("/proc/stat").unwrap_or_default();
        let numbers = system.entries("/proc").into_iter().filter_map(|name| name.parse().ok());
        let process = |pid: u32| Some((pid, process(&system.text(&format!("/proc/{pid}/stat"))?)?));
        Snapshot {
            cpus: stat.lines().filter_map(cpu).collect(),
            processes: numbers.filter_map(process).collect(),
        }
    }

    /// What happened since an earlier snapshot, `ticks` ago.
    fn since(&self, before: &Snapshot, ticks: f64, system: &System) -> Activity {
        let mut cpus: Vec<(usize, f64)> = Vec::new();
        for (cpu, (busy, all)) in &self.cpus {
            let Some((busy_before, all_before)) = before.cpus.get(cpu) else { continue };
            let all = all.saturating_sub(*all_before);
            if all > 0 {
                cpus.push((*cpu, busy.saturating_sub(*busy_before) as f64 / all as f64));
            }
        }
        cpus.sort_unstable_by_key(|(cpu, _)| *cpu);
        let ancestors = self.ancestors(std::process::id());
        let mut processes = Vec::new();
        for (pid, process) in self.processes.iter().filter(|(pid, _)| **pid != std::process::id()) {
            let Some(earlier) = before.processes.get(pid).filter(|other| other.started == process.started)
            else {
                continue;
            };
            let used = process.ticks.saturating_sub(earlier.ticks);
            if used == 0 || ticks <= 0.0 {
                continue;
            }
            let is_kernel = *pid == KERNEL_THREADS || process.parent == KERNEL_THREADS;
            let kill = (!is_kernel && !ancestors.contains(pid)).then(|| kill_command(*pid, system));
            let (name, cpus) = (process.name.clone(), used as f64 / ticks);
            processes.push(BusyProcess { pid: *pid, name, cpus, kill });
        }
        processes
            .sort_unstable_by(|one, other| other.cpus.total_cmp(&one.cpus).then(one.pid.cmp(&other.pid)));
        Activity { cpus, processes }
    }

    /// The processes that have started this one, directly or not.
    fn ancestors(&self, mut pid: u32) -> HashSet<u32> {
        let mut ancestors = HashSet::from([1]);
        while let Some(process) = self.processes.get(&pid)
            && ancestors.insert(process.parent)
        {
            pid = process.parent;
        }
        ancestors
    }
}

/// The command that sends a signal to a process: another user's processes need more rights.
fn kill_command(pid: u32, system: &System) -> &'static str {
    let owner = fs::metadata(system.place(&format!("/proc/{pid}"))).map(|folder| folder.uid());
    let own = rustix::process::geteuid();
    if own.is_root() || owner.is_ok_and(|owner| owner == own.as_raw()) { "kill" } else { "sudo kill" }
}

/// The number, the busy and all ticks of a CPU in a line of `/proc/stat`.
fn cpu(line: &str) -> Option<(usize, (u64, u64))> {
    let (number, times) = line.strip_prefix("cpu")?.split_once(' ')?;
    // user, nice, system, idle, iowait, irq, softirq, steal; guests' times are part of user and nice.
    let times: Vec<u64> = times.split_whitespace().take(8).map_while(|ticks| ticks.parse().ok()).collect();
    let all = times.iter().try_fold(0_u64, |sum, ticks| sum.checked_add(*ticks))?;
    let idle = times.get(3)?.saturating_add(*times.get(4).unwrap_or(&0));
    Some((number.parse().ok()?, (all.saturating_sub(idle), all)))
}

/// The process in a text of `/proc/PID/stat`, whose second field is a name in brackets that may hold
/// anything.
fn process(stat: &str) -> Option<Process> {
    let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Process {
        name: name.replace(moves, "?"),
        parent: u32::try_from(number(1)?).ok()?,
        ticks: number(11)?.saturating_add(number(12)?),
        started: number(19)?,
    })
}

/// Whether something else uses the CPUs: as it was watched, or by the load average.
pub(crate) fn load(system: &System, cpu: Option<usize>, activity: Option<&Activity>) -> Finding {
    let average = system.text("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let average_words = average.map_or_else(String::new, |load| format!("load average {load:.2}"));
    let count = system.allowed().map_or(1, |allowed| allowed.len().max(1));
    let effect = "searches wait for the CPU, and share its caches and memory with other programs";
    let Some(activity) = activity else {
        return match average {
            None => Finding::unknown(NAME, "the system does not show its load"),
            Some(load) if load < count as f64 => Finding::ok(NAME, average_words),
            Some(_) => Finding::warning(
                NAME,
                format!("{average_words} on {count} CPUs"),
                effect,
                Remedy::advice("`assay doctor` shows which programs cause it"),
            ),
        };
    };
    let busy: Vec<&BusyProcess> =
        activity.processes.iter().filter(|process| process.cpus >= QUIET_SHARE).take(NAMED).collect();
    // The sum of nothing is -0.
    let used = 0.0 + activity.processes.iter().map(|process| process.cpus).sum::<f64>();
    let own =
        cpu.and_then(|cpu| Some((cpu, activity.cpu_share(cpu)?))).filter(|(_, share)| *share >= QUIET_SHARE);
    let mut found = match own {
        Some((cpu, share)) => format!("CPU {cpu} is {:.0} % busy", 100.0 * share),
        None => format!("{used:.1} of {count} CPUs are busy"),
    };
    let names = busy
        .iter()
        .map(|process| format!("{} (pid {}) {:.0} %", process.name, process.pid, 100.0 * process.cpus));
    let names = names.collect::<Vec<_>>().join(", ");
    if !names.is_empty() {
        found += &format!(": {names}");
    }
    if !average_words.is_empty() {
        found += &format!("; {average_words}");
    }
    if busy.is_empty() && own.is_none() {
        return Finding::ok(NAME, found);
    }
    let signals = |signal: &str| {
        let stopped = busy.iter().filter_map(|process| Some((process.kill?, process.pid)));
        stopped.map(|(kill, pid)| format!("{kill} -{signal} {pid}")).collect::<Vec<_>>()
    };
    let (commands, undo) = (signals("STOP"), signals("CONT"));
    let advice = if commands.is_empty() {
        "end what runs on this machine, or wait until it has ended"
    } else {
        "end these programs, or pause them while you measure"
    };
    let remedy = Remedy { commands, undo, advice: Some(advice.to_owned()) };
    match own {
        Some(_) => Finding::problem(NAME, found, effect, remedy),
        None => Finding::warning(NAME, found, effect, remedy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Problem, Unknown, Warning};
    use crate::testing::FakeSystem;

    const STAT: &str =
        "cpu  9 9 9 9\ncpu0 100 0 50 800 50 0 0 0 0 0\ncpu1 10 0 0 990 0 0 0 0\nintr 5\ncpux 1 2 3 4\n";
    const LATER: &str = "cpu  9 9 9 9\ncpu0 140 0 60 850 50 0 0 0 0 0\ncpu1 10 0 0 1090 0 0 0 0\n";

    fn stat(name: &str, parent: u32, ticks: u64, started: u64) -> String {
        let zeros = "0 ".repeat(9);
        format!("7 ({name}) R {parent} {zeros}{ticks} 0 0 0 20 0 1 0 {started} 0\n")
    }

    #[test]
    fn what_ran_between_two_moments_is_the_difference() {
        let one = |stat_line: &str, name: &str, ticks| {
            let files = [
                ("/proc/stat", stat_line.to_owned()),
                ("/proc/7/stat", stat(name, 1, ticks, 5)),
                ("/proc/8/stat", stat("kworker", 2, ticks / 2, 5)),
                ("/proc/9/stat", stat("new", 1, ticks, ticks)),
                ("/proc/10/stat", "rubbish".to_owned()),
            ];
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
            FakeSystem::new(&files)
        };
        let (before, after) = (one(STAT, "a) b\n", 10), one(LATER, "a) b\n", 60));
        let activity =
            Snapshot::take(after.system()).since(&Snapshot::take(before.system()), 100.0, after.system());
        assert_eq!(activity.cpus, [(0, 0.5), (1, 0.0)]);
        let shares: Vec<(&str, f64, bool)> = activity
            .processes
            .iter()
            .map(|process| (process.name.as_str(), process.cpus, process.kill.is_some()))
            .collect();
        assert_eq!(shares, [("a) b?", 0.5, true), ("kworker", 0.25, false)]);
    }

    #[test]
    fn load_is_a_problem_on_the_cpu_of_the_workers() {
        let machine = FakeSystem::new(&[
            ("/proc/loadavg", "0.75 1 2 3/4 5\n"),
            ("/proc/self/status", "Cpus_allowed_list:\t0-3\n"),
        ]);
        let process = |cpus| BusyProcess { pid: 42, name: "rustc".to_owned(), cpus, kill: Some("kill") };
        let finding = |cpu, process: BusyProcess| {
            let activity = Activity { cpus: vec![(0, process.cpus), (1, 0.0)], processes: vec![process] };
            load(machine.system(), Some(cpu), Some(&activity))
        };
        let problem = finding(0, process(0.97));
        assert_eq!(
            (problem.outcome, problem.found.as_str()),
            (Problem, "CPU 0 is 97 % busy: rustc (pid 42) 97 %; load average 0.75")
        );
        let remedy = problem.remedy.unwrap();
        assert_eq!(
            (remedy.commands, remedy.undo),
            (vec!["kill -STOP 42".to_owned()], vec!["kill -CONT 42".to_owned()])
        );
        let elsewhere = finding(1, process(0.97));
        assert_eq!(
            (elsewhere.outcome, elsewhere.found.split(':').next()),
            (Warning, Some("1.0 of 4 CPUs are busy"))
        );
        assert_eq!(finding(0, process(0.02)).outcome, Ok);
    }

    #[test]
    fn without_watching_the_load_average_decides() {
        let outcome =
            |text: &str| load(FakeSystem::new(&[("/proc/loadavg", text)]).system(), None, None).outcome;
        assert_eq!([outcome("0.5 0"), outcome("1.5 0"), outcome("x")], [Ok, Warning, Unknown]);
    }

    #[test]
    fn this_machine_can_be_watched() {
        let activity = Activity::watch(&System::here(), Duration::from_millis(10));
        assert!(activity.processes.iter().all(|process| process.pid != std::process::id()));
    }
}
