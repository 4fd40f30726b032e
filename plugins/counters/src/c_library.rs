//! C libraries that a machine may not have. They are loaded when they are first needed, and never unloaded.

use std::ffi::{CStr, c_char, c_int};
use std::mem;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};

/// The reason why a library can't be used.
#[derive(Debug, PartialEq, Eq)]
pub enum Absent {
    /// No library of these names was found.
    NotFound,
    /// A library was found but can't be loaded. Holds the message of the loader.
    Broken(String),
}

/// The answer of a C function, unless it is negative, which means an error.
#[inline]
pub fn check<Code>(answer: c_int, code: fn(c_int) -> Code) -> Result<c_int, Code> {
    if answer < 0 { Err(code(answer)) } else { Ok(answer) }
}

/// Loads the first library of these names that exists. `global` makes its symbols those of the process.
pub fn open(names: &[&str], global: bool) -> Result<Library, Absent> {
    let visible = if global { RTLD_GLOBAL } else { RTLD_LOCAL };
    for name in names {
        // SAFETY: constructors of the system's libraries run, as they do in whatever program is linked with
        // them.
        match unsafe { Library::open(Some(*name), RTLD_NOW | visible) } {
            Ok(library) => return Ok(library),
            Err(error) => {
                // The loader has words for this, and no number.
                let said =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                if !said.starts_with(&format!("{name}: cannot open shared object file: No such file")) {
                    return Err(Absent::Broken(said));
                }
            }
        }
    }
    Err(Absent::NotFound)
}

/// Keeps a library loaded until the process ends, because its functions stay in use.
pub fn keep(library: Library) {
    mem::forget(library);
}

/// A struct of C functions of a library that are looked up together, by `look_up`. Who writes the types
/// promises that they are those of the functions.
macro_rules! functions {
    ($(#[$about:meta])* $name:ident { $($field:ident: $symbol:literal = fn($($argument:ty),*) $(-> $answer:ty)?;)* }) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $name {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $answer)?,)*
        }

        impl $name {
            /// Looks up all of them. The error is the name of a missing one.
            pub fn look_up(library: &libloading::os::unix::Library) -> Result<Self, String> {
                Ok($name {
                    $($field: {
                        // SAFETY: the header of the library declares this symbol as a function of this type.
                        let found = unsafe { library.get::<unsafe extern "C" fn($($argument),*) $(-> $answer)?>($symbol.as_bytes()) };
                        *found.map_err(|_| format!("it has no {}", $symbol))?
                    },)*
                })
            }
        }
    };
}
pub(crate) use functions;

/// A text that a library returns; empty if it returns null.
///
/// # Safety
/// The pointer is null or points to a text that ends with zero.
pub unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    functions! {
        /// One function that is there.
        There {
            length: "strlen" = fn(*const c_char) -> usize;
        }
    }

    functions! {
        /// One that is not.
        Gone {
            length: "no_such_function" = fn(*const c_char) -> usize;
        }
    }

    #[test]
    fn the_first_library_that_there_is_is_loaded_and_its_functions_called() {
        let library = open(&["libnone.so.1", "libc.so.6"], false).unwrap();
        let there = There::look_up(&library).unwrap();
        // SAFETY: the text ends with zero.
        assert_eq!(unsafe { (there.length)(c"four".as_ptr()) }, 4);
        let gone = Gone::look_up(&library).map(|gone| gone.length);
        assert_eq!(gone.unwrap_err(), "it has no no_such_function");
    }

    #[test]
    fn a_missing_library_is_distinguished_from_a_broken_one() {
        assert_eq!(open(&["libnone.so.1", "libnone.so.2"], false).unwrap_err(), Absent::NotFound);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "no library").unwrap();
        let path = file.path().to_str().unwrap();
        let Absent::Broken(said) = open(&[path, "libc.so.6"], false).unwrap_err() else { panic!() };
        assert!(said.contains(path), "{said}");
    }

    #[test]
    fn no_text_is_an_empty_one() {
        // SAFETY: null, and a text that ends with zero.
        unsafe {
            assert_eq!(text(std::ptr::null()), "");
            assert_eq!(text(c"some".as_ptr()), "some");
        }
    }
}
