//! Fake machines for tests: a folder with the files of the kernel, and a kernel with any number of counters.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;
use std::rc::Rc;

use nix::errno::Errno;
use tempfile::TempDir;

use super::fake_page::{FakeCpu, FakePage, RDPMC, TIME};
use super::kernel::{Asked, Encoding, Kernel, Role};
use super::machine::Machine;
use super::mapped_page::UserReading;

/// The root of a machine's files.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(TempDir::new().unwrap())
    }

    pub fn file(&self, path: &str, content: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A counting unit, with files in its folder.
    pub fn pmu(&self, name: &str, kind: u32, files: &[(&str, &str)]) {
        let folder = Path::new("sys/bus/event_source/devices").join(name);
        self.file(folder.join("type").to_str().unwrap(), &format!("{kind}\n"));
        for (file, content) in files {
            self.file(folder.join(file).to_str().unwrap(), &format!("{content}\n"));
        }
    }

    /// The machine, with a kernel that refuses nothing.
    pub fn machine(&self, cpu: Option<usize>) -> Machine {
        self.with(Fake::default(), cpu).0
    }

    pub fn with(&self, fake: Fake, cpu: Option<usize>) -> (Machine, Rc<Fake>) {
        let fake = Rc::new(fake);
        (Machine::at(self.0.path(), fake.clone(), cpu), fake)
    }
}

/// A machine with two kinds of cores.
pub fn hybrid() -> Folder {
    let folder = Folder::new();
    let event = ("format/event", "config:0-7");
    let core = [("cpus", "0-3"), event, ("events/slots", "event=0x00"), ("events/cpu-cycles", "event=0x3c")];
    folder.pmu("cpu_core", 4, &core);
    folder.pmu("cpu_atom", 10, &[("cpus", "4-7"), event, ("events/topdown-retiring", "event=0xc2")]);
    folder
}

/// A kernel with counters.
#[derive(Debug)]
pub struct Fake {
    /// How many it says the CPU has.
    pub counters: usize,
    /// How many of them somebody else holds.
    pub taken: usize,
    /// For how many readings they are all busy at first.
    pub busy: usize,
    /// Whether the clocks of a group move, rather than its leader alone.
    pub keeps_time: bool,
    /// What it refuses to open.
    pub refuse: fn(&Asked) -> Option<Errno>,
    /// Whether events count what happens in simulated work, instead of steps of the time.
    pub counts_work: bool,
    /// What is counted of an event that happens so often: a broken counter counts something else.
    pub miscount: fn(&Asked, u64) -> u64,
    /// Whether another program has the counters for half of the time.
    pub rival: bool,
    /// What is wrong with the page of an event that is mapped.
    pub wrong_page: fn(&FakeCpu),
    pub state: RefCell<State>,
}

/// What became of what was asked for.
#[derive(Debug, Default)]
pub struct State {
    /// By descriptor: what was asked for, and the leader's descriptor.
    events: HashMap<RawFd, (Asked, RawFd)>,
    groups: HashMap<RawFd, Counts>,
    /// The enabled groups; the first has the first choice of counters.
    enabled: Vec<RawFd>,
    /// Readings since the groups took turns.
    readings: usize,
    /// All that was asked for, and whether it began a group or was alone.
    log: Vec<(Asked, bool)>,
    /// The events whose pages are mapped, each with the CPU that counts it.
    mapped: Vec<(RawFd, Rc<FakeCpu>)>,
}

#[derive(Debug, Default)]
struct Counts {
    alone: bool,
    members: Vec<RawFd>,
    /// What has happened while it ran, for each member.
    happened: Vec<u64>,
    enabled: u64,
    running: u64,
}

/// What passes from one reading to the next, in nanoseconds, and the time of a turn.
const STEP: u64 = 100_000;
const TURN: usize = 40;

impl Default for Fake {
    fn default() -> Self {
        Fake {
            counters: 4,
            taken: 0,
            busy: 0,
            keeps_time: false,
            refuse: |_| None,
            counts_work: false,
            miscount: |_, times| times,
            rival: false,
            wrong_page: |_| (),
            state: RefCell::default(),
        }
    }
}

impl Fake {
    /// All that was opened, and whether it began a group or was alone.
    pub fn log(&self) -> Vec<(Asked, bool)> {
        self.state.borrow().log.clone()
    }

    /// How many times anything was read.
    pub fn readings(&self) -> usize {
        self.state.borrow().readings
    }

    /// Work is done that takes so long, in nanoseconds. `times` says how often an event happens in it.
    pub fn work(&self, ns: u64, times: impl Fn(&Asked) -> u64) {
        self.state.borrow_mut().pass(ns, self, &|asked| (self.miscount)(asked, times(asked)));
    }
}

/// Types 1, 2 and 5 are the kernel's own.
fn needs_counter(asked: &Asked) -> bool {
    ![1, 2, 5].contains(&asked.encoding.kind)
}

impl State {
    fn needed(&self, leader: RawFd) -> usize {
        let members = &self.groups[&leader].members;
        members.iter().filter(|member| needs_counter(&self.events[*member].0)).count()
    }

    /// Time passes: who finds counters runs.
    fn pass(&mut self, ns: u64, fake: &Fake, times: &dyn Fn(&Asked) -> u64) {
        let mut free = if self.readings < fake.busy { 0 } else { fake.counters - fake.taken };
        for leader in self.enabled.clone() {
            let needed = self.needed(leader);
            let counts = self.groups.get_mut(&leader).unwrap();
            counts.enabled += ns;
            if needed > free {
                continue;
            }
            free -= needed;
            let part = if fake.rival && needed > 0 { 2 } else { 1 };
            counts.running += ns / part;
            for (happened, member) in counts.happened.iter_mut().zip(&counts.members) {
                *happened += times(&self.events[member].0) / part;
            }
            for (mapped, cpu) in &self.mapped {
                let (asked, group) = &self.events[mapped];
                if *group == leader {
                    cpu.ticks.set(cpu.ticks.get() + ns);
                    cpu.happen(times(asked) / part);
                }
            }
        }
    }

    /// A reading takes time.
    fn step(&mut self, fake: &Fake) {
        self.pass(STEP, fake, &|_| 0);
        self.readings += 1;
        if self.readings.is_multiple_of(TURN) && !self.enabled.is_empty() {
            self.enabled.rotate_left(1);
        }
    }
}

impl Kernel for Fake {
    fn open(&self, asked: &Asked, role: Role<'_>) -> io::Result<OwnedFd> {
        let leader = if let Role::Member(leader) = role { Some(leader) } else { None };
        if let Some(errno) = (self.refuse)(asked) {
            return Err(errno.into());
        }
        let mut state = self.state.borrow_mut();
        if let Some(leader) = leader
            && needs_counter(asked)
            && state.needed(leader.as_raw_fd()) == self.counters
        {
            return Err(Errno::EINVAL.into());
        }
        let descriptor: OwnedFd = File::open("/dev/null")?.into();
        let number = descriptor.as_fd().as_raw_fd();
        let group = leader.map_or(number, |leader| leader.as_raw_fd());
        if leader.is_none() {
            // The number of one that was closed is given again.
            state.enabled.retain(|enabled| *enabled != number);
            let alone = matches!(role, Role::Alone);
            state.groups.insert(number, Counts { alone, ..Counts::default() });
        }
        let counts = state.groups.get_mut(&group).unwrap();
        counts.members.push(number);
        counts.happened.push(0);
        state.mapped.retain(|(mapped, _)| *mapped != number);
        state.events.insert(number, (*asked, group));
        state.log.push((*asked, leader.is_none()));
        Ok(descriptor)
    }

    fn enable(&self, leader: BorrowedFd<'_>) -> io::Result<()> {
        self.state.borrow_mut().enabled.push(leader.as_raw_fd());
        Ok(())
    }

    fn disable(&self, leader: BorrowedFd<'_>) -> io::Result<()> {
        self.state.borrow_mut().enabled.retain(|enabled| *enabled != leader.as_raw_fd());
        Ok(())
    }

    /// Unless events count work, an event's count is its `config` for each step that it ran, and that of a
    /// clock is the time that it ran.
    fn read(&self, leader: BorrowedFd<'_>, bytes: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state.borrow_mut();
        state.step(self);
        let counts = &state.groups[&leader.as_raw_fd()];
        let count = |place: usize| {
            let Encoding { kind, config: [config, ..], .. } = state.events[&counts.members[place]].0.encoding;
            match (kind, config) {
                _ if self.counts_work => counts.happened[place],
                // The two clocks of the kernel.
                (1, 0 | 1) if place == 0 || self.keeps_time => counts.running,
                (1, 0 | 1) => 0,
                _ => config * (counts.running / STEP),
            }
        };
        let mut words = vec![counts.members.len() as u64, counts.enabled, counts.running];
        if counts.alone {
            words[0] = count(0);
        } else {
            words.extend((0..counts.members.len()).map(count));
        }
        let written: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.copy_from_slice(&written);
        Ok(written.len())
    }

    fn map(&self, event: BorrowedFd<'_>) -> io::Result<Box<dyn UserReading>> {
        let mut state = self.state.borrow_mut();
        let number = event.as_raw_fd();
        // A count of steps is none that a CPU could have.
        if !needs_counter(&state.events[&number].0) || !self.counts_work {
            return Ok(Box::new(FakePage::new(&FakeCpu::new(0, 48))));
        }
        // So few steps before it wraps around that a self-test makes it do so.
        let cpu = FakeCpu::new(RDPMC | TIME, 32);
        cpu.change(|page| page.time_mult = 1);
        if state.needed(state.events[&number].1) <= self.counters - self.taken {
            cpu.begin(1, 50_000);
        }
        (self.wrong_page)(&cpu);
        state.mapped.push((number, cpu.clone()));
        Ok(Box::new(FakePage::new(&cpu)))
    }
}
