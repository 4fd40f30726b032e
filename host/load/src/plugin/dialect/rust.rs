//! The dialect of Rust libraries, made with `assay-plugin-api`: a number of the ABI, and a root module.

use std::path::Path;

use assay_abi::root::Build;
use assay_abi::{ABI, ABI_SYMBOL, AbiNumber, ENTRY_SYMBOL};

use super::{Declaration, Symbols};
use crate::plugin::LibraryInfo;
use crate::plugin::failure::{LoadFailure, Stage};
use crate::plugin::library_info::misfit_remedy;

/// Reads the declaration of a library.
///
/// # Errors
/// If the library has another dialect, or if its ABI has another major number or layout.
///
/// # Safety
/// The symbols must be those of a library that is never unloaded, and be what the ABI says.
pub(crate) unsafe fn read_declaration(path: &Path, symbols: Symbols<'_>) -> Result<Declaration, LoadFailure> {
    let missing = |symbol: &str| {
        LoadFailure::new(
            path,
            Stage::Abi,
            format!("it has no entry point (symbol `{symbol}`)"),
            "a library made with assay-plugin-api",
            "make it a cdylib that depends on assay-plugin-api and registers something, or move it out of the plugin folder",
        )
    };
    let number = symbols(ABI_SYMBOL).ok_or_else(|| missing(ABI_SYMBOL))?;
    // SAFETY: a library that has this symbol has two numbers there, of any alignment.
    let number = unsafe { number.cast::<AbiNumber>().read_unaligned() };
    if number.major != ABI.major {
        return Err(other_major(path, number));
    }
    let newer_abi = number.minor > ABI.minor;
    let entry = symbols(ENTRY_SYMBOL).ok_or_else(|| missing(ENTRY_SYMBOL))?;
    // SAFETY: the symbol is the entry of a library whose major number is ours, and which is never unloaded.
    let library = unsafe { assay_abi::open(entry) }.map_err(|refusal| {
        let expected = format!("the layout of plugin ABI {ABI}");
        let remedy = misfit_remedy(newer_abi);
        LoadFailure::new(path, Stage::Layout, refusal.summary, &expected, remedy).details(refusal.details)
    })?;
    // SAFETY: the library's texts last for ever.
    let (name, version, features) = unsafe {
        let features = library.features.items().iter().map(|name| name.text().into_owned());
        (library.name.text(), library.version.text(), features.collect())
    };
    Ok(Declaration {
        info: LibraryInfo {
            name: name.into_owned(),
            version: version.into_owned(),
            dialect: "rust".to_owned(),
            abi: number.to_string(),
            newer_abi,
            unknown: Vec::new(),
            features,
            debug: match library.build {
                Build::RELEASE => Some(false),
                Build::DEBUG => Some(true),
                _ => None,
            },
        },
        prefix: "",
        timed: Vec::new(),
        // SAFETY: the function takes any number for a kind.
        items: Box::new(move |kind| unsafe { (library.items)(kind) }),
    })
}

/// The failure of a library whose ABI has another major number.
fn other_major(path: &Path, number: AbiNumber) -> LoadFailure {
    let (found, expected) = (format!("it has plugin ABI {number}"), format!("plugin ABI {}.x", ABI.major));
    let remedy = if number.major > ABI.major {
        misfit_remedy(true)
    } else {
        "get a newer build of the library, or rebuild it with the assay-plugin-api of this assay"
    };
    LoadFailure::new(path, Stage::Abi, found, &expected, remedy)
}
