//! Opens a set of events: each is tried alone, and then all are put into as few groups as possible.

use std::io;

use assay_plugin_api::EventCount;
use nix::errno::Errno;

use super::group::{Group, run_together};
use super::kernel::{Asked, Modes};
use super::machine::Machine;
use super::refusal::Refusal;
use super::request::{Request, Room, Share};
use super::scaled::Scaled;

/// Events that are open, in groups.
#[derive(Debug)]
pub struct Set {
    groups: Vec<Group>,
    /// Where each group counts.
    rooms: Vec<Room>,
    /// The events of the set in the requested order.
    members: Vec<Member>,
    /// Whether counts of a part of the time are scaled up.
    scales: bool,
}

#[derive(Debug)]
struct Member {
    group: usize,
    /// Its place among the counts of the group.
    place: usize,
    /// The factor of its counts.
    factor: f64,
    modes: Modes,
    scaled: Scaled,
}

/// An event that could not be opened: its index among the requested ones, and the reason.
#[derive(Debug, PartialEq)]
pub struct Refused {
    pub event: usize,
    pub refusal: Refusal,
}

/// An event that can be opened alone, with the modes.
struct Tried<'a> {
    event: usize,
    request: &'a Request,
    modes: Modes,
}

impl Tried<'_> {
    fn asked(&self) -> Asked {
        Asked { encoding: self.request.encoding, modes: self.modes }
    }

    /// The event that must come first in its group.
    fn leader(&self) -> Option<Asked> {
        self.request.leader.map(|encoding| Asked { encoding, modes: self.modes })
    }
}

impl Set {
    /// Opens events. Each is tried alone first, so that a refusal names the right event. Events that compete
    /// for the same counters share a group if it fits on the counters; otherwise their groups take turns.
    pub fn open(
        machine: &Machine,
        requests: &[Request],
        share: Share,
        scales: bool,
    ) -> Result<Self, Refused> {
        let mut tried = Vec::with_capacity(requests.len());
        for (event, request) in requests.iter().enumerate() {
            let modes = alone(machine, request, share).map_err(|refusal| Refused { event, refusal })?;
            // An event that is requested twice is opened once and reported twice.
            if requests[..event].iter().all(|other| other.name != request.name) {
                tried.push(Tried { event, request, modes });
            }
        }
        let mut set = Set { groups: Vec::new(), rooms: Vec::new(), members: Vec::new(), scales };
        let mut places: Vec<Option<Member>> = requests.iter().map(|_| None).collect();
        let mut rooms: Vec<Room> = Vec::new();
        for room in tried.iter().map(|tried| tried.request.room()) {
            if !rooms.contains(&room) {
                rooms.push(room);
            }
        }
        for room in rooms {
            let of_room = tried.iter().filter(|tried| tried.request.room() == room).collect();
            let parties = parties(machine, of_room).into_iter();
            let groups = parties.map(|party| grouped(machine, &party)).collect::<Result<Vec<_>, _>>()?;
            for (mut group, members) in groups.into_iter().flatten() {
                // To scale counts, both times must be known, which pages do not show.
                if room == Room::Core && !scales {
                    group.map_pages();
                }
                for (member, place) in members {
                    let Tried { event, request, modes } = *member;
                    let scaled = Scaled::default();
                    let group = set.groups.len();
                    places[event] = Some(Member { group, place, factor: request.scale, modes, scaled });
                }
                set.groups.push(group);
                set.rooms.push(room);
            }
        }
        for (event, request) in requests.iter().enumerate() {
            let first = requests[..event].iter().position(|other| other.name == request.name);
            let member = match first {
                Some(first) => Member { ..set.members[first] },
                None => places[event].take().expect("each event that was tried is in a group"),
            };
            set.members.push(member);
        }
        Ok(set)
    }

    /// The modes in which an event is counted.
    pub fn modes(&self, event: usize) -> Modes {
        self.members[event].modes
    }

    /// Splits the events into the fewest runs in which nothing is multiplexed, given these groups. Groups
    /// compete if they share a `Room`, except `Room::Kernel`, which has no limit.
    pub fn plan(&self) -> Vec<Vec<usize>> {
        let rival = |room: Room, other: Room| room == other && room != Room::Kernel;
        let rivals =
            |group: usize| self.rooms[..group].iter().filter(|room| rival(**room, self.rooms[group])).count();
        let run_of = |event: usize| rivals(self.members[event].group);
        let runs = (0..self.groups.len()).map(rivals).max().map_or(0, |last| last + 1);
        let of = |run| (0..self.members.len()).filter(|event| run_of(*event) == run).collect();
        (0..runs).map(of).collect()
    }

    /// Whether all groups can count at once; tries it.
    pub fn together(&mut self) -> io::Result<bool> {
        Ok(self.groups.len() < 2 || run_together(&mut self.groups)?)
    }

    pub fn start(&mut self) -> io::Result<()> {
        for member in &mut self.members {
            member.scaled = Scaled::default();
        }
        self.groups.iter_mut().try_for_each(Group::start)
    }

    pub fn stop(&mut self) -> io::Result<()> {
        self.groups.iter_mut().try_for_each(Group::stop)
    }

    #[inline(always)]
    pub fn read(&mut self, counts: &mut [EventCount]) -> io::Result<()> {
        self.groups.iter_mut().try_for_each(Group::read)?;
        for (count, member) in counts.iter_mut().zip(&mut self.members) {
            let group = &self.groups[member.group];
            let (value, enabled, running) = (group.count(member.place), group.enabled(), group.running());
            *count = if self.scales {
                member.scaled.reading(value, enabled, running)
            } else {
                EventCount { value: value as f64, enabled, running, flags: 0 }
            };
            count.value *= member.factor;
        }
        Ok(())
    }
}

/// Opens an event by itself, in the first modes that are allowed, and closes it.
pub fn alone(machine: &Machine, request: &Request, share: Share) -> Result<Modes, Refusal> {
    let mut refusal = None;
    for modes in request.modes(share)? {
        let tried = Tried { event: 0, request, modes };
        match Group::open(&machine.kernel, &order(&[&tried]).0) {
            Ok(_) => return Ok(modes),
            Err((_, error)) => {
                let errno = error.raw_os_error().map(Errno::from_raw);
                // The reason for the first refusal is reported, because the user asked for these modes.
                refusal = refusal.or_else(|| Some(Refusal::of(&error, request, modes, machine)));
                if !matches!(errno, Some(Errno::EACCES | Errno::EPERM)) {
                    break;
                }
            }
        }
    }
    Err(refusal.expect("a request has modes"))
}

/// Divides the events of a room into those that may share a group.
///
/// A clock comes first, because it is up to date in each reading only if it leads its group. Further clocks
/// join it where the kernel brings them up to date too; otherwise each has a group of its own.
fn parties<'t, 'a>(machine: &Machine, of_room: Vec<&'t Tried<'a>>) -> Vec<Vec<&'t Tried<'a>>> {
    let (mut first, others): (Vec<_>, Vec<_>) = of_room.into_iter().partition(|tried| tried.request.clock);
    let asked: Vec<Asked> = first.iter().map(|clock| clock.asked()).collect();
    let keep_time =
        || Group::open(&machine.kernel, &asked).is_ok_and(|mut group| group.keeps_time().unwrap_or(false));
    let further = if first.len() > 1 && !keep_time() { first.split_off(1) } else { Vec::new() };
    first.extend(others);
    let mut parties = vec![first];
    parties.extend(further.into_iter().map(|clock| vec![clock]));
    parties
}

/// The attributes with which a group of these events is opened, the leader first, and the place of each
/// event.
fn order(members: &[&Tried<'_>]) -> (Vec<Asked>, Vec<usize>) {
    let mut asked: Vec<Asked> = members.iter().map(|tried| tried.asked()).collect();
    let mut places: Vec<usize> = (0..members.len()).collect();
    if let Some(leader) = members.iter().find_map(|tried| tried.leader()) {
        let of_the_set = asked.iter().position(|asked| asked.encoding == leader.encoding);
        let (leader, from) = match of_the_set {
            Some(place) => (asked.remove(place), place),
            None => (leader, members.len()),
        };
        asked.insert(0, leader);
        for place in &mut places {
            *place = match (*place).cmp(&from) {
                std::cmp::Ordering::Less => *place + 1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => *place,
            };
        }
    }
    (asked, places)
}

/// A group, with its events and their places.
type Opened<'t, 'a> = (Group, Vec<(&'t Tried<'a>, usize)>);

/// Puts events that compete for the same counters into as few groups as possible: each group takes as many
/// events as get counters, in their order.
fn grouped<'t, 'a>(machine: &Machine, rivals: &[&'t Tried<'a>]) -> Result<Vec<Opened<'t, 'a>>, Refused> {
    if rivals.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(all) = fitting(machine, rivals)? {
        return Ok(vec![all]);
    }
    let mut groups: Vec<Opened<'t, 'a>> = Vec::new();
    let mut members: Vec<&'t Tried<'a>> = Vec::new();
    for tried in rivals {
        members.push(tried);
        let grown = match fitting(machine, &members)? {
            Some(grown) => {
                if members.len() > 1 {
                    groups.pop();
                }
                grown
            }
            None => {
                members = vec![tried];
                let refused = || Refused { event: tried.event, refusal: Refusal::never_ran(machine) };
                fitting(machine, &members)?.ok_or_else(refused)?
            }
        };
        groups.push(grown);
    }
    Ok(groups)
}

/// Opens a group of events that can be opened alone; `None` if there are not enough counters for all of them.
fn fitting<'t, 'a>(machine: &Machine, members: &[&'t Tried<'a>]) -> Result<Option<Opened<'t, 'a>>, Refused> {
    let (asked, places) = order(members);
    let refused = |place: usize, error: &io::Error| {
        let member = places.iter().position(|other| *other == place).unwrap_or(0);
        let Tried { event, request, modes } = *members[member];
        Refused { event, refusal: Refusal::of(error, request, modes, machine) }
    };
    let mut group = match Group::open(&machine.kernel, &asked) {
        Ok(group) => group,
        Err((place, error)) => {
            let errno = error.raw_os_error().map(Errno::from_raw);
            let no_room = matches!(errno, Some(Errno::EINVAL | Errno::ENOSPC)) && members.len() > 1;
            return if no_room { Ok(None) } else { Err(refused(place, &error)) };
        }
    };
    let competes = members.iter().any(|tried| tried.request.room() != Room::Kernel);
    if competes && machine.stays() && !group.runs().map_err(|error| refused(0, &error))? {
        return Ok(None);
    }
    Ok(Some((group, members.iter().copied().zip(places).collect())))
}
