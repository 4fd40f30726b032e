//! The dialect of algorithms that were compiled for SMART. A library is one algorithm, whose id is the name
//! of the file. It has one function, which prepares, searches and takes the times of both.

mod bridge;
mod function;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod testing;

use std::path::Path;

use assay_abi::root::{Item, Kind};
use assay_abi::{List, Pair, Str};

use super::Declaration;
use crate::plugin::LibraryInfo;
use crate::plugin::failure::{LoadFailure, Stage};
use crate::plugin::validation;
use bridge::SmartAlgorithm;
pub(crate) use function::SmartForm;
use function::{PatternBuffer, SearchFailure, SearchOutput, SmartFunction, TextPointer};

/// The name of the dialect.
pub(super) const DIALECT: &str = "smart";
/// The prefix of ids.
pub(super) const PREFIX: &str = "smart:";
/// The prefix of the file name of a twin.
const STAT: &str = "stat_";

/// Reads the declaration of a library.
///
/// # Errors
/// If the file name can't be an id, or if it is a twin that answers no search.
pub(crate) fn read_declaration(path: &Path, form: SmartForm) -> Result<Declaration, LoadFailure> {
    let (begin, search) = (form.address(), SmartFunction::new(form));
    let SmartDescription { name, twin_of, extra } = describe(path, &search)?;
    let summary = if twin_of.is_some() { "as in SMART, instrumented" } else { "as in SMART" };
    let item = Item {
        id: Str::leaked(format!("{PREFIX}{name}")),
        facts: List::leaked([Pair { name: Str::new("summary"), value: Str::new(summary) }]),
        table: (&raw const *SmartAlgorithm { search, twin_of, extra }.table()).cast(),
    };
    let items = List::leaked([item]);
    Ok(Declaration {
        info: LibraryInfo { name, dialect: DIALECT.to_owned(), ..LibraryInfo::default() },
        prefix: PREFIX,
        timed: vec![begin],
        items: Box::new(move |kind| if kind == Kind::ALGORITHM { items } else { List::EMPTY }),
    })
}

/// What is known of a library before it is listed.
struct SmartDescription {
    /// Its name, that of the file.
    name: String,
    /// Id of the algorithm of which it is the twin; `None` if it is not a twin.
    twin_of: Option<String>,
    /// Its extra fields that have names: place among the fields of SMART, and name.
    extra: Vec<(usize, String)>,
}

/// Describes a library by its file name and its answers.
///
/// # Errors
/// As [`read_declaration`].
fn describe(path: &Path, search: &SmartFunction) -> Result<SmartDescription, LoadFailure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let timed = name.strip_prefix(STAT);
    if !validation::is_id(timed.unwrap_or(&name)) || name.contains(|c: char| c.is_ascii_uppercase()) {
        let found = format!("its file name would make the id {name:?}");
        let expected =
            "a file that is named by its algorithm, in lower case letters, digits, `-`, `_` and `.`";
        return Err(LoadFailure::new(path, Stage::Contents, found, expected, "rename it"));
    }
    let mut extra = Vec::new();
    if timed.is_some() {
        let names = extra_fields(search).map_err(|found| {
            let remedy = "move it out of the plugin folder; the algorithm works without its twin";
            LoadFailure::new(path, Stage::Contents, found, "a twin that answers a small search", remedy)
        })?;
        extra = names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()).collect();
    }
    let twin_of = timed.map(|timed| format!("{PREFIX}{timed}"));
    Ok(SmartDescription { name, twin_of, extra })
}

/// The names of the extra fields of a twin. A twin reports them with the results of a search, so it makes
/// small searches until one succeeds: not every algorithm takes patterns of every length.
fn extra_fields(search: &SmartFunction) -> Result<[String; function::EXTRA], String> {
    const LENGTHS: [usize; 6] = [16, 32, 8, 4, 2, 1];
    const TEXT: usize = 1000;
    const SIZE: usize = function::BEFORE + TEXT + function::after(32);
    /// Memory with the alignment of a text.
    #[repr(align(16))]
    struct Aligned([u8; SIZE]);

    let mut failure = SearchFailure::Error(String::new());
    for length in LENGTHS {
        let mut memory = Box::new(Aligned([0; SIZE]));
        let text = &mut memory.0[function::BEFORE..];
        text[..TEXT].iter_mut().enumerate().for_each(|(i, byte)| *byte = b'a' + (i * i % 23) as u8);
        let (mut pattern, mut written) = (PatternBuffer::EMPTY, Box::new(SearchOutput::NOTHING));
        pattern.set(&text[100..][..length]).map_err(|error| error.to_string())?;
        let text = TextPointer { start: text.as_mut_ptr(), length: TEXT };
        // SAFETY: the memory is aligned, has as much before and after the text as it must, and is this
        // function's own.
        match unsafe { search.count(&mut pattern, text, &mut written) } {
            Ok(_) => return Ok(written.names()),
            Err(error) => failure = error,
        }
    }
    let (SearchFailure::CannotSearch(message) | SearchFailure::Error(message)) = failure;
    Err(format!("asked for its extra fields with a few small searches, {message}"))
}
