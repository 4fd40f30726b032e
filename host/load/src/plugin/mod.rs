//! Plugin libraries: where they are found, how they are loaded, what they bring.
//!
//! A library passes through these files in order: `discovery` finds it, `trust` decides whether it may run
//! its code, `cache` knows it from an earlier time or `inspection` loads it in a child process
//! ([`crate::process`]), which checks it with `elf` before `load` opens it and with `validation` what it
//! says; what it brings (`contents`) goes to the `registry`, which loads into this process what a command
//! really uses.

mod alignment;
mod backend_access;
mod cache;
mod call;
mod catalogue;
mod contents;
mod dialect;
mod discovery;
mod elf;
mod failure;
mod former_ids;
mod guarded_pages;
mod identity;
mod impossible_figure;
mod inspection;
mod library;
mod library_info;

mod load;
mod load_attempt;
pub mod printable;
mod registry;
mod remote;
mod shared_ids;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod trust;
mod twins;
mod validation;
mod verified_library;

pub use alignment::remark_on_alignment;
pub use backend_access::BackendAccess;
pub use call::{
    CounterSet, Facts, Failure, FittedText, Needs, Prepared, Searcher, TextBuffer, TextMemory, algorithm,
    counter, idle,
};
pub use catalogue::Catalogue;
pub use contents::{Contents, Kind, Listing};
pub use discovery::{library_files, plugin_folders};
pub use failure::{LoadFailure, Stage};
pub use former_ids::FormerId;
pub use guarded_pages::GuardedPages;
pub use identity::{Identity, sha256_of as sha256};
pub use impossible_figure::impossible_figure;
pub use inspection::serve as serve_inspection;
pub use library::Library;
pub use library_info::{LibraryInfo, LibraryOrigin};
pub use load::load;
pub use registry::{LibraryState, Problem, Registry};
pub use remote::{Corpus, InitialContent, Merger, Metric, ResultMemory, Statistic, serve};
pub use trust::{
    ACCEPTED_FILE, AcceptedLibraries, AcceptedLibrary, Judge, POLICY_FILE, POLICY_OPTION, POLICY_VARIABLE,
    Trust, TrustPolicies, TrustPolicy, TrustQuestion, exposure,
};
pub use twins::twin_id;
pub use validation::is_id;
pub use verified_library::{InspectedLibrary, VerifiedLibrary};
