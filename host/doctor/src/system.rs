//! A view of the system: the files below a root folder, which is `/` except in tests.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;

/// Greatest number of bytes that are read of a file. `/proc/cpuinfo` of a machine with 512 CPUs has less.
const LONGEST: u64 = 4 << 20;
/// A number of a CPU beyond this is not believed: no kernel supports so many.
const MOST_CPUS: usize = 1 << 16;

/// The files of a system.
#[derive(Clone, Debug)]
pub struct System {
    root: PathBuf,
}

impl System {
    /// The system on which this runs.
    pub fn here() -> Self {
        System { root: PathBuf::from("/") }
    }

    /// A system whose files lie below this folder.
    #[cfg(test)]
    pub(crate) fn below(root: &std::path::Path) -> Self {
        System { root: root.to_owned() }
    }

    /// The place of a file, whose path begins with a slash.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// The text of a file without white space around it; `None` if it can't be read.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let mut bytes = Vec::new();
        File::open(self.place(path)).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    /// The number in a file.
    pub(crate) fn number(&self, path: &str) -> Option<i64> {
        self.text(path)?.parse().ok()
    }

    /// The value of a line `key: value` or `key value` in a file.
    pub(crate) fn value(&self, path: &str, key: &str) -> Option<String> {
        let text = self.text(path)?;
        let value = |line: &str| {
            let rest = line.strip_prefix(key)?;
            let value = rest.trim_start().strip_prefix(':').or_else(|| rest.strip_prefix([' ', '\t']))?;
            Some(value.trim().to_owned())
        };
        text.lines().find_map(value)
    }

    /// A value of `/proc/meminfo` or `/proc/self/status` in bytes.
    pub(crate) fn bytes(&self, path: &str, key: &str) -> Option<u64> {
        self.value(path, key)?.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    }

    /// The CPUs in a file such as `0-3,8`.
    pub(crate) fn cpus(&self, path: &str) -> Option<Vec<usize>> {
        cpu_list(&self.text(path)?)
    }

    /// The names of the entries of a folder, sorted; none if it can't be read.
    pub(crate) fn entries(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.place(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    /// Whether there is such a file or folder.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.place(path).exists()
    }

    /// The CPUs that are running.
    pub(crate) fn online(&self) -> Option<Vec<usize>> {
        self.cpus("/sys/devices/system/cpu/online")
    }

    /// The CPUs that this process may use.
    pub(crate) fn allowed(&self) -> Option<Vec<usize>> {
        cpu_list(&self.value("/proc/self/status", "Cpus_allowed_list")?)
    }
}

/// The CPUs of a list such as `0-3,8`; `None` if it is something else.
pub(crate) fn cpu_list(list: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in list.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if last > MOST_CPUS || cpus.len() > MOST_CPUS {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

/// CPUs as a list such as `0-3,8`, as the kernel writes it.
pub(crate) fn cpu_words(cpus: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &cpu in cpus {
        match parts.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(cpu) => *last = cpu,
            _ => parts.push((cpu, cpu)),
        }
    }
    let words = parts
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
    words.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakeSystem;

    #[test]
    fn lists_of_cpus_are_read_and_written_as_the_kernel_does() {
        assert_eq!(cpu_list("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!((cpu_list(""), cpu_list("a-b"), cpu_list("0-9999999999")), (Some(vec![]), None, None));
        assert_eq!(cpu_list("3-1"), Some(vec![]));
        assert_eq!([&[0, 1, 2, 8][..], &[], &[5]].map(cpu_words), ["0-2,8", "", "5"]);
    }

    #[test]
    fn values_are_found_by_their_keys() {
        let machine =
            FakeSystem::new(&[("/proc/x", "MemTotalAll: 3 kB\nMemTotal:   16 kB\nflags\t\t: a b\nname z\n")]);
        let system = machine.system();
        assert_eq!(system.bytes("/proc/x", "MemTotal"), Some(16 << 10));
        assert_eq!(system.value("/proc/x", "flags").as_deref(), Some("a b"));
        assert_eq!(system.value("/proc/x", "name").as_deref(), Some("z"));
        assert_eq!((system.value("/proc/x", "Mem"), system.text("/proc/y")), (None, None));
    }
}
