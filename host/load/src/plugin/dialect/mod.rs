//! The dialects of libraries. Each turns a library into the same form, a description and a list of items with
//! tables of the ABI, so that the rest of the host need not know the dialect.

mod rust;
mod smart;

use std::ffi::c_void;
use std::path::Path;

use assay_abi::root::{Item, Kind};
use assay_abi::{ABI_SYMBOL, List};

#[cfg(any(test, feature = "testing"))]
pub use smart::testing::{ANSWER, ForeignAnswer, foreign_library};

use super::failure::LoadFailure;
use super::library_info::LibraryInfo;

/// Finds the address of a symbol of a library.
type Symbols<'a> = &'a dyn Fn(&str) -> Option<*const c_void>;

/// The declaration of a library, in the form that all dialects share.
pub struct Declaration {
    /// The description of the library.
    pub info: LibraryInfo,
    /// The prefix of every id. Ids of other dialects do not begin with it.
    pub prefix: &'static str,
    /// Addresses of the functions that do the timed work, if the functions in the tables are the host's own
    /// and only call these. Empty otherwise.
    pub timed: Vec<usize>,
    /// Lists the items of a kind.
    pub items: Box<dyn Fn(Kind) -> List<Item>>,
}

/// The prefix of the ids of a dialect.
pub(super) fn prefix(dialect: &str) -> &'static str {
    if dialect == smart::DIALECT { smart::PREFIX } else { "" }
}

/// Reads the declaration of a library, in whichever dialect it has.
///
/// # Errors
/// If the library has no dialect that this host knows, or breaks its rules.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_of_a_dialect_begin_with_its_prefix() {
        assert_eq!((prefix("smart"), prefix("rust"), prefix("")), ("smart:", "", ""));
    }
}
