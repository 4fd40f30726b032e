//! Opens a library in this process and reads what it brings.

use std::error::Error as _;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::path::Path;

use assay_abi::{ABI, ABI_SYMBOL, AbiNumber, ENTRY_SYMBOL};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::catalogue::Catalogue;
use super::failure::{LoadFailure, Stage};
use super::validation::Violation;
use super::{elf, validation};

const ONE_OF_OURS: &str = "a library made with assay-plugin-api";
const BUILD_WITH_API: &str = "make it a cdylib that depends on assay-plugin-api and registers something, or move it out of the plugin folder";

/// Loads a library into this process, for as long as the process lives: a library that was unloaded would leave behind
/// thread-local destructors and pointers to its texts. Its constructors run here, so load only what has passed an
/// inspection in a child process.
///
/// # Errors
/// Why it can't be used.
pub fn load(path: &Path) -> Result<Catalogue, LoadFailure> {
    load_with_abi(path).map(|(_, catalogue)| catalogue)
}

/// [`load`], with the number of the library's ABI.
pub(super) fn load_with_abi(path: &Path) -> Result<(AbiNumber, Catalogue), LoadFailure> {
    elf::check(path)?;
    let library = open(path)?;
    let number = abi_number(path, &library)?;
    let Some(entry) = symbol(&library, ENTRY_SYMBOL) else {
        let found = format!("it has no entry point (symbol `{ENTRY_SYMBOL}`)");
        return Err(LoadFailure::new(path, Stage::Abi, found, ONE_OF_OURS, BUILD_WITH_API));
    };
    // SAFETY: the symbol is the entry of a library whose major number is ours, and which is never unloaded.
    let library = unsafe { assay_abi::open(entry) }
        .map_err(|refusal| layout_failure(path, refusal.summary).details(refusal.details))?;
    // SAFETY: as above.
    let catalogue = unsafe { Catalogue::read(&library) }.map_err(|found| layout_failure(path, found))?;
    validation::check(&catalogue).map_err(|Violation { found, expected, remedy }| {
        LoadFailure::new(path, Stage::Contents, found, expected, remedy)
    })?;
    Ok((number, catalogue))
}

fn layout_failure(path: &Path, found: String) -> LoadFailure {
    let expected = format!("the layout of plugin ABI {ABI}");
    let remedy = "rebuild it with the assay-plugin-api of this assay";
    LoadFailure::new(path, Stage::Layout, found, &expected, remedy)
}

fn open(path: &Path) -> Result<ManuallyDrop<Library>, LoadFailure> {
    // A name without a slash would be looked up in the system's folders.
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // SAFETY: constructors run here. Nothing can vouch for them but the child process that survived them before.
    // All symbols are bound now: one that is missing would end the process at its first call.
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

fn abi_number(path: &Path, library: &Library) -> Result<AbiNumber, LoadFailure> {
    let Some(number) = symbol(library, ABI_SYMBOL) else {
        let found = format!("it has no entry point (symbol `{ABI_SYMBOL}`)");
        return Err(LoadFailure::new(path, Stage::Abi, found, ONE_OF_OURS, BUILD_WITH_API));
    };
    // SAFETY: a library that has this symbol has two numbers there, of any alignment.
    let number = unsafe { number.cast::<AbiNumber>().read_unaligned() };
    if number.major == ABI.major {
        return Ok(number);
    }
    let (found, expected) = (format!("it has plugin ABI {number}"), format!("plugin ABI {}.x", ABI.major));
    let remedy = if number.major > ABI.major {
        "update assay, or get a build of the library for this one"
    } else {
        "get a newer build of the library, or rebuild it with the assay-plugin-api of this assay"
    };
    Err(LoadFailure::new(path, Stage::Abi, found, &expected, remedy))
}

/// The address of a symbol; none if the library lacks it.
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
