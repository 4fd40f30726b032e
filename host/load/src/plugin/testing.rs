//! Registries and listings for tests, which need no library.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use super::dialect::{ANSWER, ForeignAnswer, foreign_library};

use super::call::corpus;
use super::catalogue::Catalogue;
use super::identity::sha256_of_file;
use super::inspection::{Inspection, checked};
use super::library_info::{LibraryInfo, LibraryOrigin};
use super::remote::Service;
use super::{Contents, Facts, InspectedLibrary, Kind, Library, Listing, Registry};
use super::{LoadFailure, cache, elf};
use crate::process::{Assembler, send};

/// Something of which no more is known than its kind, its id and its library.
pub fn listing(kind: Kind, id: &str, library: &str, sha256: &str) -> Listing {
    let info = LibraryInfo {
        name: "lib".to_owned(),
        version: "1.2.3".to_owned(),
        dialect: "rust".to_owned(),
        ..LibraryInfo::default()
    };
    let library = LibraryOrigin { path: library.into(), sha256: sha256.to_owned(), info };
    let facts = Facts { id: id.to_owned(), facts: Vec::new() };
    Listing { library: Arc::new(library), ..Listing::new(kind, &facts) }
}

/// What a library with these listings brings.
pub fn contents(listings: Vec<Listing>) -> Contents {
    Contents { listings, ..Contents::default() }
}

/// What libraries with these paths bring.
pub fn registry(libraries: Vec<(&str, Vec<Listing>)>) -> Registry {
    let library = |(path, listings): (&str, _)| Library::bringing(path, path, contents(listings));
    Registry::from_libraries(libraries.into_iter().map(library).collect())
}

/// A library with this corpus, which is called in this process.
pub fn with_corpus(corpus: assay_plugin_api::Corpus) -> Registry {
    let catalogue = Catalogue { corpora: vec![corpus::exported(corpus)], ..Catalogue::default() };
    let library = Library::bringing("here.so", "1", Contents::new(&catalogue));
    let registry = Registry::of_library(library);
    registry.services.borrow_mut().insert("here.so".into(), Service::here(catalogue));
    registry
}

/// A file as an inspected library, whatever it holds.
///
/// # Errors
/// If the file can't be read.
pub fn inspected(path: &Path) -> io::Result<InspectedLibrary> {
    let file = File::open(path)?;
    Ok(InspectedLibrary { path: path.to_owned(), sha256: sha256_of_file(&file)?, identity: None })
}

/// Checks a file as a library is checked before it is loaded.
///
/// # Errors
/// What the file is instead.
pub fn check_elf(path: &Path) -> Result<(), LoadFailure> {
    elf::check(path)
}

/// The libraries that the text of a cache describes.
pub fn cached(text: &[u8]) -> Vec<Result<Contents, LoadFailure>> {
    cache::outcomes_of(text)
}

/// The libraries that children describe with these bytes, up to bytes that describe none.
pub fn inspected_by(bytes: &[u8]) -> Vec<Result<Contents, LoadFailure>> {
    let mut messages = Assembler::default();
    messages.push(bytes);
    let answers = std::iter::from_fn(|| messages.take::<(u64, Inspection)>().ok()?);
    answers.map(|(_, outcome)| checked(Path::new("a.so"), outcome)).collect()
}

/// The bytes with which a child describes a library.
pub fn description(contents: Contents) -> Vec<u8> {
    let mut bytes = Vec::new();
    let outcome: Inspection = Ok(contents);
    send(&mut bytes, &(0_u64, outcome)).expect("memory can be written");
    bytes
}
