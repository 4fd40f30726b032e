//! Opens a library in this process and reads what it brings.

use std::error::Error as _;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::path::Path;

use assay_abi::ABI;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::call::algorithm::AlgorithmEntry;
use super::catalogue::{Catalogue, read_algorithm};
use super::dialect::Declaration;
use super::failure::{LoadFailure, Stage};
use super::library_info::misfit_remedy;
use super::validation::Violation;
use super::{dialect, elf, validation};

/// Loads a library into this process, for as long as the process lives: a library that was unloaded would
/// leave thread-local destructors and pointers to its texts. Its constructors run here, so load only
/// what has passed an inspection in a child process.
///
/// # Errors
/// Why it can't be used.
pub fn load(path: &Path) -> Result<Catalogue, LoadFailure> {
    let declaration = open(path)?;
    let remedy = misfit_remedy(declaration.info.newer_abi);
    // SAFETY: the library is never unloaded; what it says can only be believed.
    let catalogue = unsafe { Catalogue::read(declaration) }.map_err(|found| misfit(path, found, remedy))?;
    checked(path, catalogue)
}

/// The same for one of its algorithms; `None` if it has no such algorithm.
///
/// # Errors
/// As for [`load`].
pub(super) fn load_algorithm(path: &Path, id: &str) -> Result<Option<AlgorithmEntry>, LoadFailure> {
    let declaration = open(path)?;
    let remedy = misfit_remedy(declaration.info.newer_abi);
    // SAFETY: as in `load`.
    let catalogue =
        unsafe { read_algorithm(declaration, id) }.map_err(|found| misfit(path, found, remedy))?;
    if catalogue.algorithms.is_empty() {
        return Ok(None);
    }
    Ok(checked(path, catalogue)?.algorithms.pop())
}

/// A catalogue that keeps the rules for what a library declares.
fn checked(path: &Path, catalogue: Catalogue) -> Result<Catalogue, LoadFailure> {
    match validation::check(&catalogue) {
        Ok(()) => Ok(catalogue),
        Err(Violation { found, expected, remedy }) => {
            Err(LoadFailure::new(path, Stage::Contents, found, expected, remedy))
        }
    }
}

/// The failure of a library whose items have another layout than this host knows.
fn misfit(path: &Path, found: String, remedy: &'static str) -> LoadFailure {
    let expected = format!("the layout of plugin ABI {ABI}");
    LoadFailure::new(path, Stage::Layout, found, &expected, remedy)
}

/// Opens a library and reads its declaration.
fn open(path: &Path) -> Result<Declaration, LoadFailure> {
    elf::check(path)?;
    let library = link(path)?;
    // SAFETY: they are this library's, which is never unloaded; what a library says can only be believed.
    unsafe { dialect::read_declaration(path, &|name| symbol(&library, name)) }
}

fn link(path: &Path) -> Result<ManuallyDrop<Library>, LoadFailure> {
    // A name without a slash would be looked up in the system's folders.
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // SAFETY: constructors run here. Nothing can vouch for them but the child process that survived them
    // before. All symbols are bound now: one that is missing would end the process at its first call.
    match unsafe { Library::open(Some(&absolute), RTLD_NOW | RTLD_LOCAL) } {
        Ok(library) => Ok(ManuallyDrop::new(library)),
        Err(error) => {
            // libloading says that it failed; the loader's own words are the source.
            let message = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            Err(link_failure(path, &message))
        }
    }
}

/// Makes sense of the dynamic loader's message, which reads `FILE: what is wrong`.
fn link_failure(path: &Path, message: &str) -> LoadFailure {
    let (found, remedy) = if let Some((_, name)) = message.split_once("undefined symbol: ") {
        let name = name.split([' ', ',']).next().unwrap_or(name);
        (
            format!("the symbol `{name}` is defined nowhere"),
            "link it with the library that defines the symbol, and rebuild it",
        )
    } else if let Some((name, _)) = message.split_once(": cannot open shared object file") {
        (
            format!("it needs `{name}`, which is not found"),
            "install that library, or name its folder in LD_LIBRARY_PATH",
        )
    } else {
        (format!("the dynamic loader refuses it: {message}"), "build it again on this machine")
    };
    LoadFailure::new(path, Stage::Link, found, "a library that has all it needs", remedy)
        .details(message)
        .passing()
}

/// The address of a symbol; `None` if the library does not have it.
fn symbol(library: &Library, name: &str) -> Option<*const c_void> {
    // SAFETY: only the address is taken; its type is its readers' affair.
    let address = unsafe { library.get::<*const c_void>(name) }.ok()?.into_raw();
    (!address.is_null()).then_some(address.cast_const())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_is_understood() {
        let found = |message| link_failure(Path::new("/x.so"), message).found;
        assert_eq!(
            found("libgone.so.1: cannot open shared object file: No such file or directory"),
            "it needs `libgone.so.1`, which is not found"
        );
        assert_eq!(
            found("/x.so: undefined symbol: gone, version V_1"),
            "the symbol `gone` is defined nowhere"
        );
        assert_eq!(found("/x.so: odd"), "the dynamic loader refuses it: /x.so: odd");
    }
}
