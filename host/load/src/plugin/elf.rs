//! What a file must be before the dynamic loader may touch it. A truncated library does not fail to load: its
//! missing pages kill the process with SIGBUS.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use goblin::elf::Elf;
use goblin::elf::header::{self, Header};
use goblin::elf::program_header::PT_LOAD;

use crate::elf_segments;

use super::failure::{LoadFailure, Stage};

const COPY_AGAIN: &str = "build or copy it again";
const NO_LIBRARY: &str = "name a library, which `cargo build` or `gcc -shared` makes; if this file is in a plugin folder, move it away";

/// Checks that a file is a complete shared library for this machine, as far as its headers tell.
///
/// # Errors
/// What the file is instead.
pub(super) fn check(path: &Path) -> Result<(), LoadFailure> {
    let fail = |found: String, expected: &str, remedy| {
        Err(LoadFailure::new(path, Stage::File, found, expected, remedy))
    };
    let (file, length, start) = match read_start(path) {
        Ok(read) => read,
        Err(error) => {
            return fail(format!("it can't be read: {error}"), "a shared library", "see to its permissions");
        }
    };
    if start.is_empty() {
        return fail("it is empty".to_owned(), "a shared library", COPY_AGAIN);
    }
    if !start.starts_with(header::ELFMAG) {
        let found = if is_text(&start) { "it is a text file" } else { "it is no ELF file" };
        return fail(found.to_owned(), "a shared library", NO_LIBRARY);
    }
    let truncated = |needed: u64| {
        fail(
            format!("it is truncated: it has {length} bytes and says that it has {needed} or more"),
            "a complete shared library",
            COPY_AGAIN,
        )
    };
    let Ok(header) = Elf::parse_header(&start) else {
        return truncated(header::header64::SIZEOF_EHDR as u64);
    };
    let ours = own_header();
    if machine(&header) != machine(&ours) {
        return fail(
            format!("it is made for {}", described(&header)),
            &format!("a shared library for {}", described(&ours)),
            "get it for this machine, or build it here",
        );
    }
    if header.e_type != header::ET_DYN {
        return fail(
            format!("its ELF type is {}", header::et_to_str(header.e_type)),
            "a shared library (type DYN)",
            "build it as one: crate-type cdylib in Rust, -shared in C",
        );
    }
    match elf_segments::read(&file, &header) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            truncated(elf_segments::table_end(&header))
        }
        Err(_) => fail("its table of segments makes no sense".to_owned(), "a shared library", COPY_AGAIN),
        Ok(segments) => {
            let loaded = segments.iter().filter(|segment| segment.p_type == PT_LOAD);
            let end = loaded.map(|segment| segment.p_offset.saturating_add(segment.p_filesz)).max();
            // The table of sections usually ends the file: no loader reads it, but without it the file is not
            // whole.
            let sections = u64::from(header.e_shentsize) * u64::from(header.e_shnum);
            let sections = header.e_shoff.saturating_add(sections);
            match end.map(|end| end.max(sections)) {
                None => fail("nothing in it can be loaded".to_owned(), "a shared library", COPY_AGAIN),
                Some(end) if end > length => truncated(end),
                Some(_) => Ok(()),
            }
        }
    }
}

/// The file, its length and its first bytes: room for the greatest ELF header.
fn read_start(path: &Path) -> io::Result<(File, u64, Vec<u8>)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut start = Vec::new();
    (&file).take(header::header64::SIZEOF_EHDR as u64).read_to_end(&mut start)?;
    Ok((file, metadata.len(), start))
}

/// The header of the running program: what a library for this machine must agree with.
fn own_header() -> Header {
    let (_, _, start) = read_start(Path::new("/proc/self/exe")).expect("the running program can be read");
    Elf::parse_header(&start).expect("the running program is an ELF file")
}

fn machine(header: &Header) -> (u16, u8, u8) {
    (header.e_machine, header.e_ident[header::EI_CLASS], header.e_ident[header::EI_DATA])
}

fn described(header: &Header) -> String {
    let bits = if header.e_ident[header::EI_CLASS] == header::ELFCLASS64 { 64 } else { 32 };
    format!("{} with {bits} bits", header::machine_to_str(header.e_machine))
}

fn is_text(start: &[u8]) -> bool {
    // The last character may be cut off.
    let readable = |text: &str| text.chars().all(|c| !c.is_control() || c.is_whitespace());
    match std::str::from_utf8(start) {
        Ok(text) => readable(text),
        Err(error) => {
            error.error_len().is_none()
                && std::str::from_utf8(&start[..error.valid_up_to()]).is_ok_and(readable)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(content: &[u8]) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        check(file.path()).unwrap_err().found
    }

    #[test]
    fn what_is_no_library_is_named() {
        assert_eq!(refusal(b""), "it is empty");
        assert_eq!(refusal("INPUT(libé.so)\n".as_bytes()), "it is a text file");
        assert_eq!(refusal(b"\0\x01\x02"), "it is no ELF file");
        assert!(refusal(b"\x7fELF\x02\x01\x01").starts_with("it is truncated: it has 7 bytes"));
    }

    #[test]
    fn the_running_program_is_complete_and_half_of_it_is_not() {
        let whole = std::fs::read("/proc/self/exe").unwrap();
        // A position-independent executable has the type of a library; the loader itself refuses it.
        assert_eq!(check(Path::new("/proc/self/exe")), Ok(()));
        assert!(refusal(&whole[..whole.len() / 2]).starts_with("it is truncated"));
        assert!(refusal(&whole[..4096]).starts_with("it is truncated"));
        assert!(refusal(&whole[..100]).starts_with("it is truncated"));
    }

    #[test]
    fn a_table_that_is_longer_than_the_file_is_not_read() {
        let mut content = std::fs::read("/proc/self/exe").unwrap();
        content.truncate(4096);
        content[54..58].fill(0xff);
        let found = refusal(&content);
        assert_eq!(found, "it is truncated: it has 4096 bytes and says that it has 4294836289 or more");
        content[54..58].copy_from_slice(&[1, 0, 2, 0]);
        assert_eq!(refusal(&content), "its table of segments makes no sense");
    }

    #[test]
    fn a_library_of_another_machine_or_type_is_refused() {
        let mut content = std::fs::read("/proc/self/exe").unwrap();
        let machine = content[18];
        content[18..20].copy_from_slice(&header::EM_S390.to_le_bytes());
        assert!(refusal(&content).starts_with("it is made for S390"), "{}", refusal(&content));
        content[18..20].copy_from_slice(&[machine, 0]);
        content[16] = header::ET_REL as u8;
        assert_eq!(refusal(&content), "its ELF type is REL");
    }
}
