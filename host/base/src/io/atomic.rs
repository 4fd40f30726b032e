//! Output files that are either complete or missing.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::error::{Error, Result};

/// Gives a complete folder the place of another, which `new` has afterwards. At each moment, a complete folder
/// is at the place. On file systems that can't exchange two names in one step (NFS, for example), there is
/// none for a moment, and `new` with the ending `.old` has the earlier one.
///
/// # Errors
/// If they can't be renamed. Then the earlier folder is where it was.
pub fn exchange_folders(new: &Path, place: &Path) -> Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let exchanged = renameat_with(CWD, new, CWD, place, RenameFlags::EXCHANGE).map_err(io::Error::from);
    exchanged.or_else(|_| in_three_steps(new, place)).map_err(|error| Error::io("replace", place, &error))
}

/// Exchanges two folders where this can't be done in one step.
fn in_three_steps(new: &Path, place: &Path) -> io::Result<()> {
    let mut old = new.as_os_str().to_owned();
    old.push(".old");
    fs::rename(place, &old)?;
    fs::rename(new, place).inspect_err(|_| {
        // Best effort: there is an error to report already.
        let _ = fs::rename(&old, place);
    })?;
    fs::rename(&old, new)
}

/// A file that gets its name when it is complete. Until then it has a temporary name in the same folder.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    file: AtomicTarget,
}

#[derive(Debug)]
enum AtomicTarget {
    Renamed(NamedTempFile),
    /// A device or a pipe, which can't be replaced.
    Direct(File),
}

impl Output {
    /// Opens the temporary file, so that a folder without write access is reported before the work is done.
    ///
    /// # Errors
    /// If there is no such folder, or it can't be written to.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = |error: io::Error| Error::io("write", path, &error);
        // The file that a symbolic link points to is replaced, not the link. `/dev/stdout` may lead to a file
        // without a path, because it was removed; it is open, and can only be written to.
        let found = path.canonicalize();
        let has_path = found.is_ok();
        let place = found.unwrap_or_else(|_| path.to_owned());
        let target = match place.metadata() {
            Ok(found) if found.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(found) if !found.is_file() || !has_path => {
                AtomicTarget::Direct(OpenOptions::new().write(true).open(&place).map_err(failed)?)
            }
            _ => {
                let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
                let builder = tempfile::Builder::new()
                    .prefix(".assay-")
                    .permissions(Permissions::from_mode(0o666))
                    .tempfile_in(folder.unwrap_or(Path::new(".")));
                AtomicTarget::Renamed(builder.map_err(failed)?)
            }
        };
        Ok(Output { path: place, file: target })
    }

    /// Opens a file in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// If the folder can't be made, or can't be written to.
    pub fn in_folder(folder: &Path, name: &str) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|error| Error::io("make", folder, &error))?;
        Output::create(&folder.join(name))
    }

    /// Writes the content and gives the file its name.
    ///
    /// # Errors
    /// If it can't be written, for example to a full disk. Then no file is left.
    pub fn write(self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let path = self.path.clone();
        let mut file = BufWriter::new(self);
        let complete =
            content(&mut file).and_then(|()| file.into_inner().map_err(|error| error.into_error()));
        complete.map_err(|error| Error::io("write", &path, &error))?.complete()?.publish()
    }

    /// Ends a file that was written without giving it its name, so that several files can appear together.
    ///
    /// # Errors
    /// If it can't be written: a full disk may be reported only at this point. Then no file is left.
    pub fn complete(self) -> Result<CompleteOutput> {
        let Output { path, file } = self;
        let temporary = match file {
            AtomicTarget::Renamed(file) => {
                file.as_file().sync_all().map_err(|error| Error::io("write", &path, &error))?;
                Some(file.into_temp_path())
            }
            AtomicTarget::Direct(_) => None,
        };
        Ok(CompleteOutput { path, temporary })
    }
}

/// A complete file without its name. It is removed if it gets none.
#[derive(Debug)]
pub struct CompleteOutput {
    path: PathBuf,
    /// The file; `None` if a device or a pipe was written to directly.
    temporary: Option<TempPath>,
}

impl CompleteOutput {
    /// The name that the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name. A file of this name is replaced.
    ///
    /// # Errors
    /// If it can't be renamed.
    pub fn publish(self) -> Result<()> {
        let CompleteOutput { path, temporary } = self;
        match temporary {
            Some(file) => file.persist(&path).map_err(|error| Error::io("write", &path, &error.error)),
            None => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            AtomicTarget::Renamed(file) => file.write(bytes),
            AtomicTarget::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            AtomicTarget::Renamed(file) => file.flush(),
            AtomicTarget::Direct(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn two_folders_are_exchanged_in_one_step_or_in_three() {
        let folder = tempfile::tempdir().unwrap();
        let [new, place] = ["new", "place"].map(|name| folder.path().join(name));
        for path in [&new, &place] {
            fs::create_dir(path).unwrap();
            fs::write(path.join(path.file_name().unwrap()), "").unwrap();
        }
        exchange_folders(&new, &place).unwrap();
        assert!(place.join("new").exists() && new.join("place").exists());
        in_three_steps(&new, &place).unwrap();
        assert!(place.join("place").exists() && new.join("new").exists());
        fs::remove_dir_all(&new).unwrap();
        assert!(in_three_steps(&new, &place).is_err() && place.join("place").exists());
    }

    #[test]
    fn a_file_is_there_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        fs::write(&path, "old").unwrap();
        let failed = Output::create(&path).unwrap().write(|out| {
            out.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.unwrap_err().to_string().contains("x.csv"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        Output::create(&path).unwrap().write(|out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_link_to_a_file_that_was_removed_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (link, path) = (folder.path().join("stdout"), folder.path().join("x.csv"));
        let open = File::create_new(&path).unwrap();
        std::os::unix::fs::symlink(format!("/proc/self/fd/{}", open.as_raw_fd()), &link).unwrap();
        fs::remove_file(&path).unwrap();
        Output::create(&link).unwrap().write(|out| out.write_all(b"new")).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(open.metadata().unwrap().len(), 3, "it was written to");
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("missing/x.csv")] {
            let error = Output::create(&path).unwrap_err().to_string();
            assert!(error.starts_with(&format!("can't write `{}`: ", path.display())), "{error}");
        }
        let full = Output::create(Path::new("/dev/full")).unwrap().write(|out| out.write_all(b"x"));
        assert!(full.unwrap_err().to_string().contains("/dev/full"));
    }
}
