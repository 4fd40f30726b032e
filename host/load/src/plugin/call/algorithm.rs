//! Algorithms.

use std::ffi::c_void;

use assay_abi::algorithm::{self as abi, AlgorithmTable};

use super::{Facts, required, table, texts};

/// An algorithm that a library brings.
#[derive(Clone, Debug)]
pub struct AlgorithmEntry {
    /// Id and facts.
    pub facts: Facts,
    /// Whether it measures what it does.
    pub instrumented: bool,
    /// Id of the algorithm whose instrumented twin it is.
    pub twin_of: Option<String>,
    /// Names of its extra fields.
    pub extra: Vec<String>,
    /// Features that the CPU must have.
    pub cpu: Vec<String>,
    /// Addresses of the library's functions that are timed. They are those of the table, unless the dialect
    /// says otherwise.
    pub(in crate::plugin) timed: Vec<usize>,
    pub(super) calls: AlgorithmFunctions,
}

/// Its functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlgorithmFunctions {
    pub context: *const c_void,
    pub create: abi::Create,
    pub destroy: abi::Destroy,
    pub needs: abi::Needs,
    pub prepare: abi::Prepare,
    pub count: abi::Count,
    pub positions: Option<abi::Positions>,
    pub message: abi::Message,
    pub measurements: abi::Measurements,
    pub trace: Option<abi::Trace>,
}

// SAFETY: the boundary's contract: a searcher belongs to one thread at a time, and nothing else does, neither
// the functions nor their context.
unsafe impl Sync for AlgorithmFunctions {}

/// Where the functions of all algorithms should begin, a cache line: otherwise the luck of placement moves
/// their times by up to 20 % (`docs/src/validation.md` has the measurement).
const ALIGNMENT: usize = 64;

impl AlgorithmEntry {
    /// Whether the functions that are timed begin at multiples of 64 bytes.
    pub fn is_aligned(&self) -> bool {
        self.timed.iter().all(|begin| begin.is_multiple_of(ALIGNMENT))
    }

    /// Reads an algorithm.
    ///
    /// # Errors
    /// If its table can't be used: what is wrong with it.
    ///
    /// # Safety
    /// An address that could be must be that of an [`AlgorithmTable`] that keeps its contract and lasts for
    /// ever.
    pub unsafe fn read(facts: Facts, address: *const c_void) -> Result<Self, String> {
        // SAFETY: the caller's promise.
        let (table, twin_of, extra, cpu) = unsafe {
            let table: AlgorithmTable = table(address)?;
            (table, table.twin_of.text().into_owned(), texts(table.extra), texts(table.cpu))
        };
        let calls = AlgorithmFunctions {
            context: table.context,
            create: required("create", table.create)?,
            destroy: required("destroy", table.destroy)?,
            needs: required("needs", table.needs)?,
            prepare: required("prepare", table.prepare)?,
            count: required("count", table.count)?,
            positions: table.positions,
            message: required("message", table.message)?,
            measurements: required("measurements", table.measurements)?,
            trace: table.trace,
        };
        let instrumented = table.flags & AlgorithmTable::INSTRUMENTED != 0;
        let twin_of = (!twin_of.is_empty()).then_some(twin_of);
        let timed = vec![calls.prepare as usize, calls.count as usize];
        Ok(AlgorithmEntry { facts, instrumented, twin_of, extra, cpu, timed, calls })
    }
}
