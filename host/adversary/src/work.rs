//! What counts as work: a sum of counts of the twin.

use assay_base::error::{Error, Result};
use assay_plugin_api::Field;

/// The counts that are added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkMeasure(Vec<Field>);

impl Default for WorkMeasure {
    /// Characters of the text that are read, and table entries that are looked up: each algorithm does one of
    /// them for whatever it learns of the text.
    fn default() -> Self {
        WorkMeasure(vec![Field::TextBytesRead, Field::Lookups])
    }
}

impl WorkMeasure {
    /// The names of the counts that a search makes. The others say what a preparation has built.
    pub fn names_of_searches() -> impl Iterator<Item = &'static str> {
        WorkMeasure::counts_of_searches().map(Field::name)
    }

    fn counts_of_searches() -> impl Iterator<Item = Field> {
        let built = [Field::MemoryUsed, Field::LookupEntries, Field::LookupEntries2];
        Field::ALL.into_iter().filter(move |field| !built.contains(field))
    }

    /// The sum of the counts with these names, each at most once; the default if there is none.
    ///
    /// # Errors
    /// If a search has no such count.
    pub fn by_names(names: &[String]) -> Result<Self> {
        let mut fields = Vec::new();
        for name in names {
            let field = WorkMeasure::counts_of_searches().find(|field| field.name() == name);
            let field = field.ok_or_else(|| {
                let known: Vec<&str> = WorkMeasure::names_of_searches().collect();
                Error::new(format!("a search has no count `{name}`"))
                    .remedy(format!("there are {}", known.join(", ")))
            })?;
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        Ok(if fields.is_empty() { WorkMeasure::default() } else { WorkMeasure(fields) })
    }

    /// The names of the counts.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|field| field.name()).collect()
    }

    /// The work by the counts of a twin, in the order of [`Field`]; none if it does not count one of them.
    pub(crate) fn sum(&self, counts: &[Option<u64>]) -> Option<u64> {
        let count = |field: &Field| counts.get(*field as usize).copied().flatten();
        self.0.iter().try_fold(0_u64, |sum, field| Some(sum.saturating_add(count(field)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_a_sum_of_counts_and_missing_if_one_is() {
        let measure = |names: &[&str]| {
            WorkMeasure::by_names(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        };
        let counts: Vec<Option<u64>> =
            (0..11).map(|i| (i != Field::Jumps as usize).then_some(1 << i)).collect();
        assert_eq!(measure(&[]).unwrap().sum(&counts), Some((1 << 3) + (1 << 9)));
        assert_eq!(measure(&["branches", "branches"]).unwrap().sum(&counts), Some(1 << 7));
        assert_eq!(measure(&["branches", "jumps"]).unwrap().sum(&counts), None);
        assert_eq!(measure(&["lookups"]).unwrap().sum(&[]), None);
        for wrong in ["memory_used", "time"] {
            assert!(measure(&[wrong]).unwrap_err().to_string().contains("text_bytes_read, "), "{wrong}");
        }
    }
}
