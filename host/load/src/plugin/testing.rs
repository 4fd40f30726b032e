//! Registries and listings for tests, which need no library.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::call::corpus;
use super::catalogue::Catalogue;
use super::identity::sha256_of_file;
use super::library_info::{LibraryInfo, LibraryOrigin};
use super::remote::Service;
use super::{Contents, Facts, InspectedLibrary, Kind, Library, Listing, Registry};

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
