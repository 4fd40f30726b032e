//! Memory and disk: pages, swap, and what is free.

use std::path::{Path, PathBuf};

use assay_base::io::numbers::grouped;
use rustix::fs::Access;

use super::finding::{Finding, Remedy};
use super::system::System;

const PAGES: &str = "transparent huge pages";
const SWAP: &str = "swap";
const MEMORY: &str = "memory";
const DISK: &str = "disk";

/// With less memory free than this, a run of a few algorithms on a small text makes the system swap.
const LITTLE_MEMORY: u64 = 256 << 20;
/// With less disk free than this, a run of a few algorithms may not find room for its rows and its page.
const LITTLE_DISK: u64 = 64 << 20;

/// Whether the kernel gives huge pages to memory that did not ask for them.
pub(crate) fn huge_pages(system: &System) -> Finding {
    let path = "/sys/kernel/mm/transparent_hugepage/enabled";
    let text = system.text(path).unwrap_or_default();
    let chosen = text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(word, _)| word);
    match chosen {
        None => Finding::unknown(PAGES, "the kernel does not show whether it uses them"),
        Some("always") => Finding::warning(
            PAGES,
            "always",
            "by chance, the tables of one process get huge pages and those of another don't",
            Remedy::write(path, "madvise", Some("always")),
        ),
        Some(other) => Finding::ok(PAGES, other),
    }
}

/// Whether memory lies on the disk.
pub(crate) fn swap(system: &System) -> Finding {
    let bytes = |key| system.bytes("/proc/meminfo", key);
    let (Some(total), Some(free)) = (bytes("SwapTotal"), bytes("SwapFree")) else {
        return Finding::unknown(SWAP, "the system does not show whether it swaps");
    };
    let used = total.saturating_sub(free);
    if used == 0 {
        return Finding::ok(SWAP, if total == 0 { "none" } else { "none in use" });
    }
    let found = format!("{} of {} in use", size(used), size(total));
    let effect = "memory that was swapped out is read from the disk in the middle of a search";
    let remedy = if bytes("MemAvailable").is_some_and(|available| available > used) {
        Remedy::command("sudo swapoff -a", Some("sudo swapon -a".to_owned()))
    } else {
        Remedy::advice("end programs that use much memory")
    };
    Finding::warning(SWAP, found, effect, remedy)
}

/// Whether there is memory for what is planned, which is `None` if nothing is.
pub fn memory(system: &System, planned: Option<u64>) -> Finding {
    let Some(available) = available(system) else {
        return Finding::unknown(MEMORY, "the system does not show how much memory is free");
    };
    let found = room(available, planned, "available");
    let effect = "the system swaps or kills the run; `assay run --resume last` continues it";
    let remedy =
        Remedy::advice("end other programs, or measure fewer algorithms or a shorter text at a time");
    match planned {
        Some(planned) if planned > available => Finding::problem(MEMORY, found, effect, remedy),
        None if available < LITTLE_MEMORY => Finding::warning(MEMORY, found, effect, remedy),
        _ => Finding::ok(MEMORY, found),
    }
}

/// The memory that is free for this process, in bytes: that of the machine, or less if its control group has
/// a limit.
fn available(system: &System) -> Option<u64> {
    let machine = system.bytes("/proc/meminfo", "MemAvailable")?;
    let groups = system.text("/proc/self/cgroup").unwrap_or_default();
    let group = |prefix: &str| {
        let of_line = |line: &str| Some(line.split_once(prefix)?.1.trim_end_matches('/').to_owned());
        groups.lines().find_map(of_line).filter(|group| !group.contains("..")).unwrap_or_default()
    };
    let newer = [group("0::"), String::new()].map(|group| {
        let folder = format!("/sys/fs/cgroup{group}");
        (format!("{folder}/memory.max"), format!("{folder}/memory.current"))
    });
    let older = [group(":memory:"), String::new()].map(|group| {
        let folder = format!("/sys/fs/cgroup/memory{group}");
        (format!("{folder}/memory.limit_in_bytes"), format!("{folder}/memory.usage_in_bytes"))
    });
    let left = newer.into_iter().chain(older).filter_map(|(limit, used)| {
        let (limit, used) = (system.number(&limit)?, system.number(&used)?);
        u64::try_from(limit.saturating_sub(used)).ok()
    });
    left.chain([machine]).min()
}

/// Whether the disk of a folder has room for what is planned, which is `None` if nothing is. `free` is `None`
/// if the system does not say.
pub fn disk(folder: &Path, free: Option<u64>, planned: Option<u64>) -> Finding {
    if let Some(found) = refusal(folder) {
        let remedy = Remedy::advice("choose another folder with --out");
        return Finding::problem(DISK, found, "nothing can be saved there", remedy);
    }
    let Some(free) = free else {
        return Finding::unknown(DISK, format!("not known how much is free for `{}`", folder.display()));
    };
    let found = format!("{} in {}", room(free, planned, "free"), folder.display());
    let effect = "the run ends when the disk is full; what was measured is kept";
    let remedy = Remedy::advice("remove runs that you don't need, or choose another folder with --out");
    match planned {
        Some(planned) if planned > free => Finding::problem(DISK, found, effect, remedy),
        None if free < LITTLE_DISK => Finding::warning(DISK, found, effect, remedy),
        _ => Finding::ok(DISK, found),
    }
}

/// Why a folder can't be made or written to, as far as the system says that without trying.
fn refusal(folder: &Path) -> Option<String> {
    let there = nearest(folder)?;
    let shown = there.display();
    if !there.is_dir() {
        return Some(format!("{shown} is no folder"));
    }
    let may = rustix::fs::access(&there, Access::WRITE_OK | Access::EXEC_OK);
    may.is_err().then(|| format!("{shown} is not writable for you"))
}

/// Bytes that are free for an ordinary user where a folder lies.
pub fn free_disk(folder: &Path) -> Option<u64> {
    let facts = rustix::fs::statvfs(&nearest(folder)?).ok()?;
    facts.f_bavail.checked_mul(facts.f_frsize)
}

/// A folder, or its nearest parent that exists.
fn nearest(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find(|folder| folder.exists()).map(Path::to_owned)
}

/// What is free, and what of it is planned.
fn room(free: u64, planned: Option<u64>, word: &str) -> String {
    match planned {
        Some(planned) => format!("about {} planned, {} {word}", size(planned), size(free)),
        None => format!("{} {word}", size(free)),
    }
}

/// A number of bytes with three digits or more, in the greatest unit of which there is one.
pub fn size(bytes: u64) -> String {
    let units = [(1_u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => {
            let count = bytes as f64 / unit as f64;
            format!("{} {name}", grouped(count, usize::from(count < 100.0)))
        }
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Problem, Unknown, Warning};
    use crate::testing::FakeSystem;

    #[test]
    fn huge_pages_are_to_be_asked_for() {
        let finding = |text| {
            huge_pages(FakeSystem::new(&[("/sys/kernel/mm/transparent_hugepage/enabled", text)]).system())
        };
        assert_eq!(finding("always [madvise] never\n").outcome, Ok);
        assert_eq!(finding("[always] madvise never\n").outcome, Warning);
        assert_eq!(finding("always\n").outcome, Unknown);
    }

    #[test]
    fn swap_is_switched_off_only_if_memory_has_room_for_it() {
        let finding = |available| {
            let text = format!("MemAvailable: {available} kB\nSwapTotal: 2048 kB\nSwapFree: 1024 kB\n");
            swap(FakeSystem::new(&[("/proc/meminfo", &text)]).system())
        };
        let room = finding(4096);
        assert_eq!((room.outcome, room.found.as_str()), (Warning, "1.0 MiB of 2.0 MiB in use"));
        assert_eq!(room.remedy.unwrap().undo, ["sudo swapon -a"]);
        assert!(finding(100).remedy.unwrap().commands.is_empty());
        let none = FakeSystem::new(&[("/proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB\n")]);
        assert_eq!(swap(none.system()).outcome, Ok);
    }

    #[test]
    fn memory_is_that_of_the_control_group_if_it_has_less() {
        let limit = |files: &[(&str, &str)]| {
            let all = [&[("/proc/meminfo", "MemAvailable: 8388608 kB\n")], files].concat();
            memory(FakeSystem::new(&all).system(), Some(2 << 30))
        };
        assert_eq!(limit(&[]).outcome, Ok);
        let newer = [
            ("/proc/self/cgroup", "0::/box\n"),
            ("/sys/fs/cgroup/box/memory.max", "1073741824\n"),
            ("/sys/fs/cgroup/box/memory.current", "73741824\n"),
        ];
        let less = limit(&newer);
        assert_eq!(
            (less.outcome, less.found.as_str()),
            (Problem, "about 2.0 GiB planned, 954 MiB available")
        );
        let older = [
            ("/proc/self/cgroup", "4:memory:/box\n0::/\n"),
            ("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1000\n"),
            ("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "2000\n"),
        ];
        assert_eq!(
            limit(&older).found,
            "about 2.0 GiB planned, 8.0 GiB available",
            "a negative rest is not believed"
        );
        assert_eq!(memory(FakeSystem::new(&[]).system(), None).outcome, Unknown);
    }

    #[test]
    fn a_disk_has_room_for_what_is_planned() {
        let outcome = |free, planned| disk(Path::new("results"), free, planned).outcome;
        assert_eq!(
            [outcome(Some(1 << 30), Some(1 << 20)), outcome(Some(1 << 30), Some(1 << 31))],
            [Ok, Problem]
        );
        assert_eq!([outcome(None, None), outcome(Some(1000), None)], [Unknown, Warning]);
        let folder = tempfile::tempdir().unwrap();
        assert!(free_disk(&folder.path().join("a/b/c")).is_some(), "the folder need not exist");
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        for place in [file.clone(), file.join("below")] {
            let finding = disk(&place, Some(1 << 40), None);
            assert_eq!(finding.outcome, Problem);
            assert_eq!(finding.found, format!("{} is no folder", file.display()));
        }
    }

    #[test]
    fn sizes_are_in_the_greatest_unit() {
        assert_eq!(
            [0, 1023, 1536, 200 << 20, 5 << 40].map(size),
            ["0 B", "1023 B", "1.5 KiB", "200 MiB", "5.0 TiB"]
        );
    }
}
