//! The dialects that libraries speak. Each makes the same of a library: what it says of itself, and a list of
//! items with the boundary's tables. What comes after does not know which it was.

mod rust;
mod smart;

use std::ffi::c_void;
use std::path::Path;

use assay_abi::root::{Item, Kind};
use assay_abi::{ABI_SYMBOL, List};

use super::failure::LoadFailure;
use super::library_info::LibraryInfo;

/// Finds the address of a symbol of a library.
type Symbols<'a> = &'a dyn Fn(&str) -> Option<*const c_void>;

/// What a library says, whatever its dialect.
pub struct Declaration {
    /// What it says of itself.
    pub info: LibraryInfo,
    /// What every id begins with, and ids of no other dialect do.
    pub prefix: &'static str,
    /// Addresses of the library's functions that are timed, where the functions of the tables are the host's
    /// own and only call these.
    pub timed: Vec<usize>,
    /// Lists what it brings of a kind.
    pub items: Box<dyn Fn(Kind) -> List<Item>>,
}

/// Listens to a library.
///
/// # Errors
/// If it speaks no dialect that this host knows, or does not speak it well.
///
/// # Safety
/// The symbols must be those of the library at `path`, which is never unloaded, and be what its dialect says.
pub(crate) unsafe fn read_declaration(path: &Path, symbols: Symbols<'_>) -> Result<Declaration, LoadFailure> {
    if symbols(ABI_SYMBOL).is_none() {
        // SAFETY: the caller's promise.
        if let Some(form) = unsafe { smart::SmartForm::from_symbols(symbols) } {
            return smart::read_declaration(path, form);
        }
    }
    // SAFETY: the caller's promise.
    unsafe { rust::read_declaration(path, symbols) }
}
