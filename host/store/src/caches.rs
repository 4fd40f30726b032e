//! The caches of a CPU, as the system tells them: a text that is longer than one does not stay in it.

use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A cache that holds data.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CpuCache {
    /// `L1d`, `L2` ..
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
}

impl CpuCache {
    /// The caches of a CPU, the nearest first; none if the system does not report them.
    pub fn all(cpu: usize) -> Vec<CpuCache> {
        Self::in_folder(Path::new(&format!("/sys/devices/system/cpu/cpu{cpu}/cache")))
    }

    fn in_folder(folder: &Path) -> Vec<CpuCache> {
        let places = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let cache = |place: std::path::PathBuf| {
            let read = |name: &str| Some(fs::read_to_string(place.join(name)).ok()?.trim().to_owned());
            let (level, kind, size) = (read("level")?, read("type")?, read("size")?);
            let kind = match kind.as_str() {
                "Data" => "d",
                "Unified" => "",
                _ => return None,
            };
            let bytes = size.strip_suffix('K')?.parse::<u64>().ok()? << 10;
            Some(CpuCache { name: format!("L{level}{kind}"), bytes })
        };
        let mut caches: Vec<CpuCache> = places.filter_map(cache).collect();
        caches.sort_unstable_by_key(|cache| cache.bytes);
        caches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_of_data_are_listed_in_bytes_the_nearest_first() {
        let folder = tempfile::tempdir().unwrap();
        let caches_of_cpu =
            [("Unified", "2", "512K"), ("Data", "1", "32K"), ("Instruction", "1", "32K"), ("Odd", "9", "x")];
        for (i, (kind, level, size)) in caches_of_cpu.into_iter().enumerate() {
            let place = folder.path().join(format!("index{i}"));
            fs::create_dir(&place).unwrap();
            for (name, value) in [("type", kind), ("level", level), ("size", size)] {
                fs::write(place.join(name), format!("{value}\n")).unwrap();
            }
        }
        let caches = CpuCache::in_folder(folder.path());
        let names: Vec<_> = caches.iter().map(|cache| (cache.name.as_str(), cache.bytes)).collect();
        assert_eq!(names, [("L1d", 32 << 10), ("L2", 512 << 10)]);
        assert_eq!(CpuCache::in_folder(&folder.path().join("none")), []);
    }
}
