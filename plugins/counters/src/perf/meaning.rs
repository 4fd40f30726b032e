//! Notes about general names that mean something else on some processors, from the tables with which the
//! kernel translates names to events.

use super::machine::Processor;

const ZEN: [(&str, &str); 6] = [
    ("cache-references", "accesses to the L2 cache"),
    ("cache-misses", "misses of the L2 cache"),
    ("L1-dcache-loads", "all accesses to it, stores included"),
    ("L1-dcache-load-misses", "what it asks of the L2 cache, for stores too"),
    ("dTLB-loads", "those that the first level did not serve"),
    ("iTLB-loads", "those that the second level served"),
];

const ARM64: [(&str, &str); 6] = [
    ("cache-references", "accesses to the first-level data cache"),
    ("cache-misses", "misses of the first-level data cache"),
    ("L1-dcache-loads", "all accesses to it, stores included, unless the CPU can distinguish them"),
    ("L1-dcache-load-misses", "all misses, of stores too, unless the CPU can distinguish them"),
    ("dTLB-loads", "all accesses, stores included, unless the CPU can distinguish them"),
    ("dTLB-load-misses", "all misses, of stores too, unless the CPU can distinguish them"),
];

/// The note about a name on this processor, if there is one.
pub fn meaning(processor: Processor, name: &str) -> Option<String> {
    let (cpu, table) = match processor {
        Processor::Zen => ("AMD Zen", &ZEN),
        Processor::Arm64 => ("arm64", &ARM64),
    };
    let (_, meaning) = table.iter().find(|(known, _)| *known == name)?;
    Some(format!("on {cpu}: {meaning}"))
}

#[cfg(test)]
mod tests {
    use super::super::cache::cache_events;
    use super::super::general::GENERAL;
    use super::*;

    #[test]
    fn what_differs_is_said_of_names_that_there_are() {
        let cache = cache_events().map(|event| event.name);
        let names: Vec<String> =
            GENERAL.iter().map(|general| general.names[0].to_owned()).chain(cache).collect();
        for (name, _) in ZEN.iter().chain(&ARM64) {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        assert_eq!(meaning(Processor::Zen, "cache-misses").unwrap(), "on AMD Zen: misses of the L2 cache");
        assert_eq!(meaning(Processor::Zen, "instructions"), None);
    }
}
