//! How the system schedules the measuring thread. A library could raise its priority or move to another CPU,
//! and so be faster than others. The sandbox refuses that; where the kernel has none, it is noticed here.

use std::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt;

use assay_load::plugin::Failure;
use rustix::thread::{CpuSet, sched_getaffinity};

/// Longest part of the line that is read; it has about 300 bytes.
const LONGEST_LINE: usize = 1024;

/// Notices that the measuring thread is scheduled otherwise than before its library was loaded.
#[derive(Debug)]
pub(super) struct SchedulingWatch {
    /// The thread's `/proc/thread-self/stat`. It stays open, because a library can use up all descriptors.
    stat: File,
    before: Scheduling,
}

impl SchedulingWatch {
    /// A watch over the calling thread that begins now; `None` if the system does not say how the thread is
    /// scheduled.
    pub(super) fn start() -> Option<Self> {
        let stat = File::open("/proc/thread-self/stat").ok()?;
        let before = Scheduling::read(&stat)?;
        Some(SchedulingWatch { stat, before })
    }

    /// Checks that the thread is still scheduled as it was.
    ///
    /// # Errors
    /// If something has changed that: what was measured then can't be compared.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let SchedulingWatch { stat, before } = self;
        match Scheduling::read(stat) {
            Some(now) if now != *before => Err(Failure::Error(format!(
                "its thread got another priority or other CPUs while it ran: {before} before, {now} after"
            ))),
            _ => Ok(()),
        }
    }
}

/// The schedule of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scheduling {
    /// The number of the kernel's policy, such as 0 for the usual one and 1 for SCHED_FIFO.
    policy: String,
    /// The priority among real-time threads; 0 for all others.
    priority: String,
    nice: String,
    cpus: CpuSet,
}

impl Scheduling {
    /// That of the calling thread, whose line this file has.
    fn read(stat: &File) -> Option<Self> {
        let mut line = [0; LONGEST_LINE];
        let length = stat.read_at(&mut line, 0).ok()?;
        Scheduling::parse(&String::from_utf8_lossy(&line[..length]), sched_getaffinity(None).ok()?)
    }

    /// Reads the facts about a thread. Its name, in brackets, may contain spaces.
    fn parse(stat: &str, cpus: CpuSet) -> Option<Self> {
        let words: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        // They are the words 19, 40 and 41 of the line, and the first two are cut off.
        let [nice, priority, policy] =
            [19, 40, 41].map(|place| words.get(place - 3).map(ToString::to_string));
        Some(Scheduling { policy: policy?, priority: priority?, nice: nice?, cpus })
    }
}

impl fmt::Display for Scheduling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scheduling { policy, priority, nice, cpus } = self;
        let cpus: Vec<String> =
            (0..CpuSet::MAX_CPU).filter(|&cpu| cpus.is_set(cpu)).map(|cpu| cpu.to_string()).collect();
        write!(f, "policy {policy}, priority {priority}, nice {nice}, CPUs {}", cpus.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_priority_or_cpu_is_noticed() {
        let stat = |nice: &str, policy: &str| {
            let between = "0 ".repeat(20);
            format!("7 (a b) c) S {}{nice} {between}0 {policy} 0\n", "0 ".repeat(15))
        };
        let mut cpus = CpuSet::new();
        cpus.set(1);
        let usual = Scheduling::parse(&stat("0", "0"), cpus).unwrap();
        assert_eq!(usual.to_string(), "policy 0, priority 0, nice 0, CPUs 1");
        let raised = Scheduling::parse(&stat("-20", "1"), cpus).unwrap();
        assert_eq!(raised.to_string(), "policy 1, priority 0, nice -20, CPUs 1");
        assert_eq!(Scheduling::parse("7 (a", cpus), None);
        let mut watch = SchedulingWatch::start().unwrap();
        assert_eq!(watch.check(), Ok(()));
        watch.before = raised;
        assert!(watch.check().unwrap_err().message().contains("nice -20, CPUs 1 before, policy "));
    }
}
