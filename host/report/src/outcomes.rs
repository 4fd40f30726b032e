//! What `report.json` says of the cells besides figures: which variant of which library ran, and what
//! happened.

use std::collections::HashMap;

use assay_store::{CellResult, Status};

/// The outcomes of the cells. Most cells have none of their own, so a run of many cells needs little memory
/// for them.
#[derive(Debug, Default)]
pub(crate) struct CellOutcomes {
    /// The variants and libraries that ran, by algorithm.
    ran: HashMap<String, (String, String)>,
    /// The cells with a message or impossible counts, by algorithm and range value.
    unusual: HashMap<(String, u64), UnusualOutcome>,
}

#[derive(Debug)]
struct UnusualOutcome {
    status: Status,
    message: Option<String>,
    impossible: Vec<String>,
}

impl CellOutcomes {
    /// The outcomes of these cells.
    pub(crate) fn new(cells: Vec<CellResult>) -> Self {
        let mut outcomes = CellOutcomes::default();
        for cell in cells {
            let key = cell.value();
            let CellResult { algorithm, variant, library, status, message, impossible, .. } = cell;
            if !outcomes.ran.contains_key(&algorithm) {
                outcomes.ran.insert(algorithm.clone(), (variant, library));
            }
            if message.is_some() || !impossible.is_empty() {
                let unusual = UnusualOutcome { status, message, impossible };
                outcomes.unusual.insert((algorithm, key), unusual);
            }
        }
        outcomes
    }

    /// What is known of a cell whose rows have this status. An outcome with another status does not describe
    /// these rows.
    pub(crate) fn of_cell(&self, algorithm: &str, value: u64, status: Status) -> CellResult {
        let original = || (algorithm.split('@').next().unwrap_or(algorithm).to_owned(), String::new());
        let (variant, library) = self.ran.get(algorithm).cloned().unwrap_or_else(original);
        let unusual = self.unusual.get(&(algorithm.to_owned(), value));
        let unusual = unusual.filter(|outcome| outcome.status == status);
        CellResult {
            variant,
            library,
            message: unusual.and_then(|outcome| outcome.message.clone()),
            impossible: unusual.map_or_else(Vec::new, |outcome| outcome.impossible.clone()),
            ..CellResult::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_the_outcome_of_its_status_and_the_library_of_its_algorithm() {
        let cell = |value, status, message: Option<&str>| CellResult {
            algorithm: "hor@2".to_owned(),
            variant: "hor".to_owned(),
            library: "a.so".to_owned(),
            pattern_length: value,
            status,
            message: message.map(str::to_owned),
            ..CellResult::default()
        };
        let cells = vec![cell(4, Status::Ok, None), cell(8, Status::Crashed, Some("SIGSEGV"))];
        let outcomes = CellOutcomes::new(cells);
        let found = |value, status| {
            let cell = outcomes.of_cell("hor@2", value, status);
            (cell.variant, cell.library, cell.message)
        };
        let (variant, library) = ("hor".to_owned(), "a.so".to_owned());
        let message = Some("SIGSEGV".to_owned());
        assert_eq!(found(4, Status::Ok), (variant.clone(), library.clone(), None));
        assert_eq!(found(8, Status::Crashed), (variant.clone(), library.clone(), message));
        assert_eq!(found(8, Status::Ok), (variant.clone(), library, None));
        assert_eq!(outcomes.of_cell("hor@3", 4, Status::Ok).variant, "hor");
        assert_eq!(outcomes.of_cell("bf", 4, Status::Ok).library, "");
    }
}
