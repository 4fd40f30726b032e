//! The substring search of the C library.

use assay_plugin_api::prelude::*;

use crate::every;

/// Nothing is kept from one call to the next.
#[derive(Default)]
pub struct Memmem;

impl Algorithm for Memmem {
    const ABOUT: About = About {
        id: "libc-memmem",
        name: "memmem of the C library",
        reference: Reference {
            authors: &["the authors of the C library"],
            title: "memmem(3)",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram("The authors' program itself."),
        version,
        after: &["glibc-h2"],
        idea: "What the C library does; glibc's looks up pairs of bytes, as Zhu and Takaoka, and takes Two \
            Way for long patterns.",
        ..About::UNKNOWN
    };
    const INSTRUMENTED: bool = false;

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, pattern) = (text.bytes(), pattern.bytes());
        every(found, text.len(), |from| Some(from + memmem(&text[from..], pattern)?));
    }
}

fn memmem(text: &[u8], pattern: &[u8]) -> Option<usize> {
    // SAFETY: both are given with their lengths, and are only read.
    let found =
        unsafe { libc::memmem(text.as_ptr().cast(), text.len(), pattern.as_ptr().cast(), pattern.len()) };
    (!found.is_null()).then(|| found.addr() - text.as_ptr().addr())
}

/// Of the library that is loaded here, which need not be the one that was there when this was built.
fn version() -> String {
    #[cfg(target_env = "gnu")]
    {
        // SAFETY: glibc answers a static string.
        let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
        format!("glibc {}", version.to_string_lossy())
    }
    #[cfg(not(target_env = "gnu"))]
    String::new()
}

register!(algorithm Memmem);
