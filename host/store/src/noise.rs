//! What else happened while a run was measured: whether the machine kept its speed, and who else used the
//! CPU.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::{BlockRecord, Commit};
use super::counting::{BlockCounting, CountFaults, Impossible, LeftOut, LostBackend};
use super::{CounterFacts, Null, Start};

/// What a worker noticed around a block of repetitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockNoise {
    /// What an empty call takes in this worker between two readings of the clock.
    pub floor_ns: u64,
    /// Time of the reference loop right before the block: the same arithmetic each time, without memory. It
    /// grows where the CPU gets slower.
    pub reference_ns: u64,
    /// Time of the throughput loop right before the block: independent chains of the same arithmetic. It
    /// grows where another program on the same core takes a part of its throughput. `None` in runs of before
    /// this loop.
    pub throughput_ns: Option<u64>,
    /// How often the system took the CPU from the worker.
    pub involuntary_switches: Option<u64>,
    /// For how long the worker used the CPU.
    pub cpu_ns: u64,
    /// For how long the block took, without what tore repetitions apart.
    pub elapsed_ns: u64,
    /// How many repetitions were measured again because the thread was away in the middle of them.
    pub measured_again: u64,
    /// What the start of the worker took, if it began in this block.
    pub start: Option<Start>,
}

/// What a part of a run has noticed until a block was complete, besides what its blocks tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartNoise {
    /// Time during which the host of a virtual machine gave the CPU to others, in milliseconds.
    pub steal_ms: Option<u64>,
    /// Whether another run measured on the same CPU.
    pub shared_cpu: Option<bool>,
}

impl PartNoise {
    /// That of a part that has no block, and so nothing that could be disturbed.
    pub(crate) const OF_NO_BLOCK: PartNoise = PartNoise { steal_ms: Some(0), shared_cpu: Some(false) };
}

/// Disturbances and other conditions during a run. Unknown ones are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Noise {
    /// Time of an empty call between two readings of the clock: the median over the workers.
    pub floor_ns: Option<f64>,
    /// Time of the reference loop: the quantile of the blocks at 5 %.
    pub reference_fast_ns: Option<u64>,
    /// Time of the reference loop: the quantile of the blocks at 95 %.
    pub reference_slow_ns: Option<u64>,
    /// Time of the throughput loop: the median of the blocks.
    pub throughput_ns: Option<u64>,
    /// Number of times that the system took the CPU from a worker.
    pub involuntary_switches: Option<u64>,
    /// Share of the time of the blocks during which their workers used the CPU, in percent.
    pub cpu_used_percent: Option<f64>,
    /// Time during which the host of a virtual machine gave the CPU to others, in milliseconds. A part that
    /// was killed counts until its last block was complete.
    pub steal_ms: Option<u64>,
    /// Load average of the system before the run: processes that ran or waited, over one minute.
    pub load_before: Option<f64>,
    /// Load average of the system at the end of the run.
    pub load_after: Option<f64>,
    /// The governor with which the system chooses the frequency of the CPU.
    pub governor: Option<String>,
    /// Whether another run measured on the same CPU at some time during this one; `null` if unknown.
    pub shared_cpu: Option<bool>,
    /// Number of repetitions that were measured again, because their thread was paused for more than 0.1 s.
    pub measured_again: Option<u64>,
    /// The greatest difference between copies of one algorithm; `null` if no algorithm was measured more than
    /// once. A report computes it again from the rows.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub null: Option<Null>,
    /// Counters with counts that were left out.
    pub left_out: Vec<LeftOut>,
    /// Counter backends that failed.
    pub lost_backends: Vec<LostBackend>,
    /// Relations that some counts violate.
    pub impossible: Vec<Impossible>,
}

impl Noise {
    /// What is known before a run measures on this CPU.
    pub(crate) fn before(cpu: Option<usize>) -> Self {
        let governor = cpu.and_then(|cpu| governor(Path::new(CPUS), cpu));
        Noise { load_before: load(), governor, ..Noise::default() }
    }

    /// The noise of a run whose last part had this noise, with what each part notes for itself.
    #[must_use]
    pub(crate) fn after(self, earlier: &Noise) -> Self {
        let shared_cpu = match (earlier.shared_cpu, self.shared_cpu) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (before, now) => before.and(now),
        };
        let steal_ms = earlier.steal_ms.zip(self.steal_ms).map(|(before, now)| before.saturating_add(now));
        Noise { steal_ms, shared_cpu, load_before: earlier.load_before, ..self }
    }

    /// The noise of a run that was begun with this noise, and whose last part was killed or goes on: what
    /// the blocks tell of all parts, and what the last block of that part says of it.
    #[must_use]
    pub(crate) fn with_unfinished_part(self, blocks: Noise, part: PartNoise, is_first: bool) -> Self {
        let PartNoise { steal_ms, shared_cpu } = part;
        let (load_before, governor) = (self.load_before, self.governor.clone());
        let noise = Noise { steal_ms, shared_cpu, load_before, governor, ..blocks };
        if is_first { noise } else { noise.after(&self) }
    }

    /// By how much the machine's speed varied, in percent.
    pub fn speed_varied_percent(&self) -> Option<f64> {
        let (fast, slow) = (self.reference_fast_ns?, self.reference_slow_ns?);
        (fast > 0).then(|| 100.0 * (slow as f64 / fast as f64 - 1.0))
    }
}

/// Gathers the noise of a run.
#[derive(Debug, Default)]
pub struct Gathered {
    cpu: Option<usize>,
    steal: Option<StealClock>,
    load: Option<f64>,
    references: Vec<u64>,
    throughputs: Vec<u64>,
    floors: Vec<u64>,
    switches: Option<u64>,
    cpu_ns: u64,
    elapsed_ns: u64,
    measured_again: u64,
    counters: Vec<LeftOut>,
    lost: Vec<LostBackend>,
    impossible: Vec<Impossible>,
}

impl Gathered {
    /// Begins now, for workers on this CPU.
    pub fn begin(cpu: Option<usize>) -> Self {
        let steal = StealClock::begin(cpu);
        Gathered { cpu, steal, load: load(), switches: Some(0), ..Gathered::default() }
    }

    /// Adds what became of the counts of a block, and the backends that failed in it. Counters are reported
    /// in the order of their names.
    pub fn add_counting(
        &mut self,
        names: impl Iterator<Item = String>,
        faults: &[CountFaults],
        lost: Vec<LostBackend>,
    ) {
        if self.counters.is_empty() {
            let none = CountFaults::default();
            self.counters = names.map(|counter| LeftOut { counter, faults: none }).collect();
        }
        self.counters.iter_mut().zip(faults).for_each(|(counter, more)| counter.faults.add(more));
        self.lost.extend(lost);
    }

    /// Adds how often a relation was broken.
    pub fn add_impossible(&mut self, more: Impossible) {
        match self.impossible.iter_mut().find(|other| other.relation == more.relation) {
            Some(all) => (all.counts, all.taken) = (all.counts + more.counts, all.taken + more.taken),
            None => self.impossible.push(more),
        }
    }

    /// For how long the host of this virtual machine has kept the CPU for others until now, or until a tenth
    /// of a second ago, in milliseconds.
    pub fn steal_ms(&mut self) -> Option<u64> {
        self.steal.as_mut()?.recent()
    }

    /// Adds what the worker of a block noticed.
    pub fn add(&mut self, block: &BlockNoise) {
        self.floors.push(block.floor_ns);
        self.references.push(block.reference_ns);
        self.throughputs.extend(block.throughput_ns);
        let sum = self.switches.zip(block.involuntary_switches);
        self.switches = sum.map(|(sum, more)| sum.saturating_add(more));
        self.cpu_ns = self.cpu_ns.saturating_add(block.cpu_ns);
        self.elapsed_ns = self.elapsed_ns.saturating_add(block.elapsed_ns);
        self.measured_again = self.measured_again.saturating_add(block.measured_again);
    }

    /// The noise until now. `shared_cpu` says whether another run measured there meanwhile.
    pub fn end(self, shared_cpu: Option<bool>) -> Noise {
        Noise {
            steal_ms: self.steal.as_ref().and_then(StealClock::now),
            load_before: self.load,
            load_after: load(),
            governor: self.cpu.and_then(|cpu| governor(Path::new(CPUS), cpu)),
            shared_cpu,
            ..self.of_blocks()
        }
    }

    /// What the blocks alone tell.
    pub(crate) fn of_blocks(mut self) -> Noise {
        let [fast, slow] = [5, 95].map(|percent| percentile(&mut self.references, percent));
        let measured = !self.references.is_empty();
        Noise {
            floor_ns: percentile(&mut self.floors, 50).map(|ns| ns as f64),
            reference_fast_ns: fast,
            reference_slow_ns: slow,
            throughput_ns: percentile(&mut self.throughputs, 50),
            involuntary_switches: self.switches.filter(|_| measured),
            cpu_used_percent: (self.elapsed_ns > 0)
                .then(|| 100.0 * self.cpu_ns as f64 / self.elapsed_ns as f64),
            measured_again: measured.then_some(self.measured_again),
            left_out: self.counters.into_iter().filter(LeftOut::is_some).collect(),
            lost_backends: self.lost,
            impossible: self.impossible.into_iter().filter(|of| of.counts > 0).collect(),
            ..Noise::default()
        }
    }
}

impl Noise {
    /// What `blocks.csv` shows of a run with these counters, which was ended before it could write its own.
    pub fn of_blocks<'a>(
        blocks: impl IntoIterator<Item = &'a BlockRecord>,
        counters: &[CounterFacts],
    ) -> Self {
        let mut gathered = Gathered { switches: Some(0), ..Gathered::default() };
        for BlockRecord { noise, commit, .. } in blocks {
            noise.iter().for_each(|noise| gathered.add(noise));
            let Some(Commit { counting, .. }) = commit else { continue };
            let BlockCounting { faults, lost, impossible } = counting.clone();
            gathered.add_counting(counters.iter().map(|facts| facts.name.clone()), &faults, lost);
            impossible.into_iter().for_each(|relation| gathered.add_impossible(relation));
        }
        gathered.of_blocks()
    }
}

/// The percentile of numbers, by the nearest rank.
fn percentile(numbers: &mut [u64], percent: usize) -> Option<u64> {
    numbers.sort_unstable();
    let rank = (numbers.len() * percent).div_ceil(100);
    numbers.get(rank.saturating_sub(1)).copied()
}

/// Measures for how long the host of this virtual machine keeps a CPU, or all, for others.
#[derive(Debug)]
struct StealClock {
    cpu: Option<usize>,
    /// The time of before it began, in milliseconds.
    before: u64,
    /// The time since then, in milliseconds, and when it was read.
    recent: (Instant, Option<u64>),
}

impl StealClock {
    /// After this time it is read again, because the file of a machine with many CPUs takes the kernel
    /// milliseconds.
    const AGE: Duration = Duration::from_millis(100);

    /// Begins now; `None` if the system does not say.
    fn begin(cpu: Option<usize>) -> Option<Self> {
        Some(StealClock { cpu, before: steal_ms(cpu)?, recent: (Instant::now(), Some(0)) })
    }

    /// The time until now.
    fn now(&self) -> Option<u64> {
        Some(steal_ms(self.cpu)?.saturating_sub(self.before))
    }

    /// The time until now, or until a moment of at most [`AGE`](Self::AGE) ago.
    fn recent(&mut self) -> Option<u64> {
        if self.recent.0.elapsed() >= Self::AGE {
            self.recent = (Instant::now(), self.now());
        }
        self.recent.1
    }
}

/// For how long the host of this virtual machine kept a CPU, or all, for others.
fn steal_ms(cpu: Option<usize>) -> Option<u64> {
    stolen_ticks(&fs::read_to_string("/proc/stat").ok()?, cpu)
        .map(|ticks| ticks * 1000 / rustix::param::clock_ticks_per_second())
}

fn stolen_ticks(stat: &str, cpu: Option<usize>) -> Option<u64> {
    let name = cpu.map_or_else(|| "cpu".to_owned(), |cpu| format!("cpu{cpu}"));
    let mut words = stat
        .lines()
        .map(str::split_whitespace)
        .find_map(|mut words| (words.next() == Some(name.as_str())).then_some(words))?;
    // user, nice, system, idle, iowait, irq, softirq, steal
    words.nth(7)?.parse().ok()
}

fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Where the system tells of its CPUs.
const CPUS: &str = "/sys/devices/system/cpu";

fn governor(cpus: &Path, cpu: usize) -> Option<String> {
    let file = cpus.join(format!("cpu{cpu}/cpufreq/scaling_governor"));
    Some(fs::read_to_string(file).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests;
