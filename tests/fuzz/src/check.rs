//! The properties that targets check.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::LazyLock;

use assay_load::process::memory_file;
use regex::Regex;

/// Calls a function with an input, and checks that it never held more memory at a time than `factor` times
/// the input and `constant` bytes.
pub(crate) fn bounded<T>(input: &[u8], factor: u64, constant: u64, read: impl FnOnce() -> T) -> T {
    let mut result = None;
    let allocated = allocation_counter::measure(|| result = Some(read()));
    let (peak, most) = (allocated.bytes_max, factor * input.len() as u64 + constant);
    assert!(peak <= most, "{peak} bytes of memory for an input of {}: more than {most}", input.len());
    result.expect("it was just set")
}

thread_local! {
    /// A file in memory, which each input replaces.
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Calls a function with the path of a file that holds these bytes.
pub(crate) fn with_file<T>(bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    FILE.with_borrow_mut(|file| {
        let file = file.get_or_insert_with(|| memory_file("input").expect("a file in memory can be made"));
        file.rewind().and_then(|()| file.set_len(0)).expect("a file in memory can be emptied");
        file.write_all(bytes).expect("a file in memory can be written");
        read(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())))
    })
}

/// The places that messages name.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    let place = r"(?m):\d+: |\b(lines?|column|row|letter|block|byte|repetition) \d+";
    Regex::new(place).expect("it is a regular expression")
});

/// Checks that a message names a place in the input. Messages that hold one of `whole` are about the whole
/// input, such as one that lacks something.
#[track_caller]
pub(crate) fn names_a_place(message: &str, whole: &[&str]) {
    let is_whole = whole.iter().any(|words| message.contains(words));
    assert!(is_whole || PLACE.is_match(message), "no place is named: {message}");
}

/// Checks that a text moves no cursor and forges no line.
#[track_caller]
pub(crate) fn is_printable(text: &str) {
    assert!(!text.contains(assay_base::io::console::moves), "it disturbs a terminal: {text:?}");
}
