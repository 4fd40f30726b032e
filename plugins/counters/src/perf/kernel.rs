//! The system call perf_event_open, and the operations on its descriptors. Only this file speaks to the
//! kernel, so that tests can put another one in its place.

use std::fmt;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use nix::errno::Errno;
use perf_event::Builder;
use perf_event_open_sys::bindings::{
    PERF_FLAG_FD_CLOEXEC, PERF_FORMAT_GROUP, PERF_FORMAT_TOTAL_TIME_ENABLED, PERF_FORMAT_TOTAL_TIME_RUNNING,
    perf_event_attr,
};
use perf_event_open_sys::{ioctls, perf_event_open};

use super::mapped_page::{MappedPage, UserReading};

/// An event in the kernel's own numbers: a type, `config` to `config3`, and the kind of a breakpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    pub kind: u32,
    pub config: [u64; 4],
    pub breakpoint: u32,
}

/// Whose work is counted of the thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    pub user: bool,
    pub kernel: bool,
    pub hypervisor: bool,
}

impl Modes {
    /// Nothing is left out. Some counters can't leave out anything.
    pub const ALL: Modes = Modes { user: true, kernel: true, hypervisor: true };
    pub const USER: Modes = Modes { user: true, kernel: false, hypervisor: false };

    /// From the letters after a name: `u`, `k` and `h`, at least one.
    pub fn of_letters(letters: &str) -> Option<Modes> {
        let known = !letters.is_empty() && letters.chars().all(|letter| "ukh".contains(letter));
        let has = |letter| letters.contains(letter);
        known.then(|| Modes { user: has('u'), kernel: has('k'), hypervisor: has('h') })
    }
}

/// What a descriptor is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub encoding: Encoding,
    pub modes: Modes,
}

/// The role of an event in its group.
#[derive(Clone, Copy, Debug)]
pub enum Role<'a> {
    /// It has no group. The kernel reads such an event faster than a group of one.
    Alone,
    /// It is the first of a group.
    Leader,
    /// It goes with a leader.
    Member(BorrowedFd<'a>),
}

/// What the kernel does for us. An event counts for the calling thread, on whatever CPU it is; the first of a
/// group, its leader, stands for all of them.
pub trait Kernel: fmt::Debug {
    /// Opens an event. One that is alone and one that leads a group stand still until they are enabled.
    fn open(&self, asked: &Asked, role: Role<'_>) -> io::Result<OwnedFd>;
    fn enable(&self, leader: BorrowedFd<'_>) -> io::Result<()>;
    fn disable(&self, leader: BorrowedFd<'_>) -> io::Result<()>;
    /// Reads all counts of a group, or that of an event that is alone, as [`super::group::Group`] expects
    /// them.
    fn read(&self, leader: BorrowedFd<'_>, bytes: &mut [u8]) -> io::Result<usize>;
    /// Whether descriptors are those of the kernel that runs. They can be read without this value, which
    /// saves a call in each reading.
    fn is_real(&self) -> bool {
        false
    }
    /// Maps the page by which an event is read in user mode.
    fn map(&self, event: BorrowedFd<'_>) -> io::Result<Box<dyn UserReading>>;
}

/// Reads a descriptor of the kernel that runs.
#[inline(always)]
pub fn read(descriptor: BorrowedFd<'_>, bytes: &mut [u8]) -> io::Result<usize> {
    Ok(nix::unistd::read(descriptor, bytes)?)
}

/// The argument with which a leader is enabled and disabled: without its members. They are enabled from the
/// start and run as long as it does. If they are disabled and enabled with a leader that is a clock
/// (`PERF_IOC_FLAG_GROUP`), Linux 6.18 counts nothing of them from the second time on.
const ALONE: u32 = 0;

/// The kernel that runs.
#[derive(Debug)]
pub struct Linux;

impl Kernel for Linux {
    fn open(&self, asked: &Asked, role: Role<'_>) -> io::Result<OwnedFd> {
        in_its_size(attributes(asked, role), |attributes| {
            let (this_thread, any_cpu) = (0, -1);
            let leader = if let Role::Member(leader) = role { leader.as_raw_fd() } else { -1 };
            // SAFETY: the attributes are complete and ask for counts alone; the leader is open during the
            // call.
            let descriptor = unsafe {
                perf_event_open(attributes, this_thread, any_cpu, leader, PERF_FLAG_FD_CLOEXEC.into())
            };
            let descriptor = Errno::result(descriptor)?;
            // SAFETY: it was opened just now, and no other code has it.
            Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
        })
    }

    fn enable(&self, leader: BorrowedFd<'_>) -> io::Result<()> {
        // SAFETY: the descriptor is open, and the call takes a number.
        Errno::result(unsafe { ioctls::ENABLE(leader.as_raw_fd(), ALONE) })?;
        Ok(())
    }

    fn disable(&self, leader: BorrowedFd<'_>) -> io::Result<()> {
        // SAFETY: as above.
        Errno::result(unsafe { ioctls::DISABLE(leader.as_raw_fd(), ALONE) })?;
        Ok(())
    }

    #[inline]
    fn read(&self, leader: BorrowedFd<'_>, bytes: &mut [u8]) -> io::Result<usize> {
        read(leader, bytes)
    }

    fn is_real(&self) -> bool {
        true
    }

    fn map(&self, event: BorrowedFd<'_>) -> io::Result<Box<dyn UserReading>> {
        Ok(Box::new(MappedPage::map(event)?))
    }
}

fn attributes(asked: &Asked, role: Role<'_>) -> perf_event_attr {
    let Asked { encoding, modes } = asked;
    let mut builder = Builder::new();
    builder.enabled(matches!(role, Role::Member(_)));
    builder.exclude_user(!modes.user).exclude_kernel(!modes.kernel).exclude_hv(!modes.hypervisor);
    let attributes = builder.attrs_mut();
    attributes.type_ = encoding.kind;
    attributes.config = encoding.config[0];
    attributes.config1 = encoding.config[1];
    attributes.config2 = encoding.config[2];
    attributes.config3 = encoding.config[3];
    attributes.bp_type = encoding.breakpoint;
    let group = if let Role::Alone = role { 0 } else { PERF_FORMAT_GROUP };
    attributes.read_format = (group | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING).into();
    *attributes
}

/// A kernel that knows shorter attributes says so with E2BIG and their size. It is asked once more in that
/// size if nothing is lost by it: what follows is zero.
fn in_its_size<T>(
    asked: perf_event_attr,
    mut call: impl FnMut(&mut perf_event_attr) -> io::Result<T>,
) -> io::Result<T> {
    const WITH_CONFIG2: u32 = 72;
    const WITH_CONFIG3: u32 = 136;
    let mut attributes = asked;
    match call(&mut attributes) {
        Err(error) if error.raw_os_error() == Some(Errno::E2BIG as i32) => {
            let size = attributes.size;
            let lost =
                (size < WITH_CONFIG2 && asked.config2 != 0) || (size < WITH_CONFIG3 && asked.config3 != 0);
            if lost || size >= asked.size {
                return Err(error);
            }
            attributes = perf_event_attr { size, ..asked };
            call(&mut attributes)
        }
        answer => answer,
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    fn asked(config: [u64; 4], modes: Modes) -> Asked {
        Asked { encoding: Encoding { kind: 7, config, breakpoint: 3 }, modes }
    }

    #[test]
    fn letters_are_modes_and_leave_out_all_others() {
        let modes = |user, kernel, hypervisor| Some(Modes { user, kernel, hypervisor });
        assert_eq!(Modes::of_letters("u"), modes(true, false, false));
        assert_eq!(Modes::of_letters("k"), modes(false, true, false));
        assert_eq!(Modes::of_letters("ku"), modes(true, true, false));
        assert_eq!(Modes::of_letters("h"), modes(false, false, true));
        assert_eq!((Modes::of_letters(""), Modes::of_letters("up")), (None, None));
    }

    #[test]
    fn attributes_hold_what_is_asked() {
        let leader = attributes(&asked([1, 2, 3, 4], Modes::USER), Role::Leader);
        assert_eq!((leader.type_, leader.config, leader.config1, leader.config2), (7, 1, 2, 3));
        assert_eq!((leader.config3, leader.bp_type, leader.bp_addr, leader.bp_len), (4, 3, 2, 3));
        assert_eq!((leader.disabled(), leader.inherit(), leader.pinned()), (1, 0, 0));
        assert_eq!((leader.exclude_user(), leader.exclude_kernel(), leader.exclude_hv()), (0, 1, 1));
        // PERF_FORMAT_TOTAL_TIME_ENABLED 1, .._RUNNING 2, PERF_FORMAT_GROUP 8
        assert_eq!((leader.read_format, leader.size), (1 | 2 | 8, 136));
        let kernel = Modes { user: false, kernel: true, hypervisor: false };
        let alone = attributes(&asked([0; 4], kernel), Role::Alone);
        assert_eq!((alone.disabled(), alone.read_format), (1, 1 | 2));
        let stdin = io::stdin();
        let member = Role::Member(stdin.as_fd());
        let all = attributes(&asked([0; 4], Modes::ALL), member);
        let member = attributes(&asked([0; 4], kernel), member);
        assert_eq!((member.disabled(), member.exclude_user(), member.exclude_kernel()), (0, 1, 0));
        assert_eq!((all.exclude_user(), all.exclude_kernel(), all.exclude_hv()), (0, 0, 0));
    }

    #[test]
    fn a_kernel_with_shorter_attributes_is_asked_in_their_size_if_nothing_is_lost() {
        let answer = |config, known: u32| {
            let mut sizes = Vec::new();
            let answer = in_its_size(attributes(&asked(config, Modes::ALL), Role::Leader), |attributes| {
                sizes.push(attributes.size);
                let fits = attributes.size <= known;
                attributes.size = known;
                if fits { Ok(()) } else { Err(io::Error::from(Errno::E2BIG)) }
            });
            (answer.map_err(|error| error.raw_os_error()), sizes)
        };
        let refused = Err(Some(Errno::E2BIG as i32));
        assert_eq!(answer([1, 2, 3, 0], 72), (Ok(()), vec![136, 72]));
        assert_eq!(answer([1, 2, 3, 0], 64), (refused, vec![136]), "config2 would be lost");
        assert_eq!(answer([1, 0, 0, 4], 128), (refused, vec![136]), "config3 would be lost");
        assert_eq!(answer([1, 0, 0, 4], 136), (Ok(()), vec![136]));
    }

    #[test]
    fn an_endless_disagreement_about_the_size_ends() {
        let mut calls = 0;
        let answer =
            in_its_size(attributes(&asked([0; 4], Modes::ALL), Role::Leader), |_| -> io::Result<()> {
                calls += 1;
                Err(io::Error::from(Errno::E2BIG))
            });
        assert_eq!((answer.is_err(), calls), (true, 1));
    }
}
