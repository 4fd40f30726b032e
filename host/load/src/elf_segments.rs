//! The table of an ELF file that says which parts of the file the dynamic loader maps into memory.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use goblin::container::Ctx;
use goblin::elf::header::Header;
use goblin::elf::program_header::ProgramHeader;

/// Where the table ends, in bytes.
pub(crate) fn table_end(header: &Header) -> u64 {
    header.e_phoff.saturating_add(u64::from(header.e_phentsize) * u64::from(header.e_phnum))
}

/// The segments of a file with this header.
///
/// # Errors
/// If the table makes no sense, or ends after the file: then it is not read, because a header of 64 bytes may
/// announce a table of 4 GiB.
pub(crate) fn read(file: &File, header: &Header) -> io::Result<Vec<ProgramHeader>> {
    if table_end(header) > file.metadata()?.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let count = usize::from(header.e_phnum);
    let mut table = vec![0; count * usize::from(header.e_phentsize)];
    file.read_exact_at(&mut table, header.e_phoff)?;
    let container = header.container().map_err(io::Error::other)?;
    let context = Ctx::new(container, header.endianness().map_err(io::Error::other)?);
    ProgramHeader::parse(&table, 0, count, context).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use goblin::elf::Elf;
    use goblin::elf::header::header64::SIZEOF_EHDR;

    use super::*;

    #[test]
    fn a_table_that_ends_after_the_file_is_not_read() {
        let file = File::open("/proc/self/exe").unwrap();
        let mut start = [0; SIZEOF_EHDR];
        file.read_exact_at(&mut start, 0).unwrap();
        let mut header = Elf::parse_header(&start).unwrap();
        assert_eq!(read(&file, &header).unwrap().len(), usize::from(header.e_phnum));
        header.e_phoff = file.metadata().unwrap().len();
        assert_eq!(read(&file, &header).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
