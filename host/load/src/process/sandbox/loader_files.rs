//! The files that the dynamic loader reads for a library beyond those of the system.
//!
//! A library names folders in which the loader shall look (RUNPATH or RPATH). A hostile one would name the
//! home folder there. So no folder is opened to it, but only the files in these folders that have the name of
//! a library that it needs, and are ELF files themselves.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use goblin::elf::Elf;
use goblin::elf::dynamic::{DT_NEEDED, DT_NULL, DT_RPATH, DT_RUNPATH, DT_STRTAB};
use goblin::elf::header::{ELFMAG, SELFMAG, header64};
use goblin::elf::program_header::{PT_DYNAMIC, PT_LOAD, ProgramHeader};

use crate::elf_segments;

/// Greatest size of the loader's entries that is read, in bytes: real ones are about 30 of 16 bytes.
const LONGEST_SECTION: u64 = 1 << 16;
/// Greatest length of a text that is read, as of a path.
const LONGEST_TEXT: usize = 4096;
/// Greatest number of files for one library. Real ones need a few; a hostile one must not cost minutes here.
const MOST_FILES: usize = 256;

/// The library itself, and the files that the loader finds for it in the folders that it names.
pub(super) fn needed_by(library: &Path) -> Vec<PathBuf> {
    let mut found = vec![std::path::absolute(library).unwrap_or_else(|_| library.to_owned())];
    let mut next = 0;
    while next < found.len() {
        // A file that can't be read, or is no library, names nothing; loading it shows what is wrong.
        for file in named_by(&found[next]).unwrap_or_default() {
            if found.len() < MOST_FILES && !found.contains(&file) {
                found.push(file);
            }
        }
        next += 1;
    }
    found
}

/// The libraries that a library needs and that lie in the folders that it names.
fn named_by(library: &Path) -> io::Result<Vec<PathBuf>> {
    let LoaderTexts { needed, folders } = LoaderTexts::read(&File::open(library)?)?;
    let origin = library.parent().unwrap_or(Path::new("/"));
    let folders = folders.split(|&byte| byte == b':').filter_map(|folder| with_origin(folder, origin));
    let mut files = Vec::new();
    for folder in folders.take(MOST_FILES) {
        let inside = needed.iter().take(MOST_FILES).map(|name| folder.join(OsStr::from_bytes(name)));
        files.extend(inside.filter(|file| is_elf(file)));
    }
    Ok(files)
}

/// A folder of the list, with the folder of the library in place of `$ORIGIN`; `None` if it is relative.
fn with_origin(folder: &[u8], origin: &Path) -> Option<PathBuf> {
    let rest = folder.strip_prefix(b"$ORIGIN").or_else(|| folder.strip_prefix(b"${ORIGIN}"));
    let folder = match rest {
        Some(rest) => [origin.as_os_str().as_bytes(), rest].concat(),
        None => folder.to_vec(),
    };
    Some(PathBuf::from(OsStr::from_bytes(&folder))).filter(|folder| folder.is_absolute())
}

fn is_elf(file: &Path) -> bool {
    let mut start = [0; SELFMAG];
    // The library names the file, and this runs before the sandbox is on: a pipe or a device is not opened.
    if !fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let read = File::open(file).and_then(|file| file.read_exact_at(&mut start, 0));
    read.is_ok() && start == *ELFMAG
}

/// The texts in a library for the dynamic loader.
#[derive(Debug, Default)]
struct LoaderTexts {
    /// The names of the libraries that it needs.
    needed: Vec<Vec<u8>>,
    /// The folders to look in, separated by colons.
    folders: Vec<u8>,
}

impl LoaderTexts {
    /// Reads a library for this machine.
    ///
    /// # Errors
    /// If it can't be read, or is no library.
    fn read(file: &File) -> io::Result<Self> {
        let mut start = [0; header64::SIZEOF_EHDR];
        file.read_exact_at(&mut start, 0)?;
        let header = Elf::parse_header(&start).map_err(io::Error::other)?;
        let segments = elf_segments::read(file, &header)?;
        let Some(section) = segments.iter().find(|segment| segment.p_type == PT_DYNAMIC) else {
            return Ok(LoaderTexts::default());
        };
        let mut entries = vec![0; section.p_filesz.min(LONGEST_SECTION) as usize];
        file.read_exact_at(&mut entries, section.p_offset)?;
        let words =
            entries.chunks_exact(size_of::<u64>()).map(|word| word.try_into().map(u64::from_ne_bytes));
        let words: Vec<u64> = words.flatten().collect();
        // Pairs of a tag and a value.
        let entries: Vec<&[u64]> = words.chunks_exact(2).take_while(|entry| entry[0] != DT_NULL).collect();
        let table = entries.iter().find(|entry| entry[0] == DT_STRTAB).and_then(|entry| {
            let in_memory = |segment: &&ProgramHeader| {
                segment.p_type == PT_LOAD
                    && segment.p_vaddr <= entry[1]
                    && entry[1] - segment.p_vaddr < segment.p_filesz
            };
            let segment = segments.iter().find(in_memory)?;
            segment.p_offset.checked_add(entry[1] - segment.p_vaddr)
        });
        let table = table.ok_or(io::ErrorKind::InvalidData)?;
        let mut texts = LoaderTexts::default();
        for entry in entries {
            match entry[0] {
                DT_NEEDED => texts.needed.push(text(file, table, entry[1])?),
                DT_RUNPATH | DT_RPATH => {
                    texts.folders.extend(text(file, table, entry[1])?);
                    texts.folders.push(b':');
                }
                _ => {}
            }
        }
        // A name with a slash is a path, in which the loader does not look.
        texts.needed.retain(|name| !name.contains(&b'/'));
        Ok(texts)
    }
}

/// A text of the table that begins at this place of the file.
fn text(file: &File, table: u64, offset: u64) -> io::Result<Vec<u8>> {
    let place = table.checked_add(offset).ok_or(io::ErrorKind::InvalidData)?;
    let mut text = vec![0; LONGEST_TEXT];
    let read = file.read_at(&mut text, place)?;
    let end = text[..read].iter().position(|&byte| byte == 0).ok_or(io::ErrorKind::InvalidData)?;
    text.truncate(end);
    Ok(text)
}
