//! Files and folders that others may write to. A library there may change at any time, also between the check
//! of its content and its use, so no content of it can be trusted.
//!
//! The file and the folder that holds it are looked at, not the folders above: whoever replaces one of those
//! shows another content, which is not trusted then, and on many machines the folders above belong to an
//! administrator or to a container, about which a user can do nothing.

use std::fmt;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::shell::quoted;
use rustix::process::{getegid, geteuid};

const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
/// In a folder with this bit, only the owner of a file may replace it.
const STICKY: u32 = 0o1000;

/// Others may write to a file or a folder. As text, it says who, and to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// The file or folder at fault.
    pub place: PathBuf,
    /// Who may write to it, with the verb.
    found: String,
    /// The command that ends this.
    pub command: String,
    /// The command that restores what was.
    pub undo: String,
    /// Whether another user owns it.
    is_foreign: bool,
}

impl Exposure {
    /// What to do, in words.
    pub fn remedy(&self) -> String {
        let copy = if self.is_foreign { "copy it into a folder of yours, or " } else { "" };
        format!("{copy}run `{}`", self.command)
    }
}

impl fmt::Display for Exposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.found, self.place.display())
    }
}

/// Why others may change a library, if they may. If it is a link, the folders of the link and of its target
/// count.
///
/// # Errors
/// If the owner and the rights can't be read.
pub fn of_library(library: &Path) -> io::Result<Option<Exposure>> {
    if let Some(exposure) = of_file(library)? {
        return Ok(Some(exposure));
    }
    let target = library.canonicalize()?;
    for folder in [library.parent(), target.parent()].into_iter().flatten() {
        if let Some(exposure) = of_folder(folder)? {
            return Ok(Some(exposure));
        }
    }
    Ok(None)
}

/// Whether others may change a file with what assay remembers, or put another in its place, as far as the file
/// and its folder exist.
pub fn is_exposed(folder: &Path, name: &str) -> bool {
    let found = [of_folder(folder), of_library(&folder.join(name))];
    found.into_iter().any(|exposure| matches!(exposure, Ok(Some(_))))
}

/// Refuses a file that says which libraries are trusted, if others may change it or put another in its place, or
/// if it is no regular file: reading a pipe would wait for its writer.
///
/// # Errors
/// If so, or if its owner and its rights can't be read.
pub(super) fn refuse(file: &Path) -> Result<()> {
    let failed = |error: io::Error| Error::io("read", file, &error);
    if !fs::metadata(file).map_err(failed)?.is_file() {
        let message =
            format!("`{}` says which libraries are trusted, but is no regular file", file.display());
        return Err(Error::new(message).remedy("move it away"));
    }
    match of_library(file).map_err(failed)? {
        None => Ok(()),
        Some(exposure) => {
            let message = format!("`{}` says which libraries are trusted, but {exposure}", file.display());
            Err(Error::new(message).remedy(exposure.remedy()))
        }
    }
}

/// Why others may change a file, if they may.
///
/// # Errors
/// If its owner and its rights can't be read.
fn of_file(file: &Path) -> io::Result<Option<Exposure>> {
    let metadata = fs::metadata(file)?;
    Ok(exposure(file, &metadata, metadata.mode()))
}

/// Why others may replace files in a folder, if they may.
///
/// # Errors
/// If its owner and its rights can't be read.
pub fn of_folder(folder: &Path) -> io::Result<Option<Exposure>> {
    let metadata = fs::metadata(folder)?;
    let is_sticky = metadata.mode() & STICKY != 0;
    let writers = if is_sticky { 0 } else { metadata.mode() };
    Ok(exposure(folder, &metadata, writers))
}

/// Decides by the owner and by the rights of a file or folder.
fn exposure(place: &Path, metadata: &Metadata, mode: u32) -> Option<Exposure> {
    let path = quoted(&place.to_string_lossy());
    let exposure = |found: &str, command: String, undo: String, is_foreign| {
        Some(Exposure { place: place.to_owned(), found: found.to_owned(), command, undo, is_foreign })
    };
    let owner = metadata.uid();
    if !owners().contains(&owner) {
        let (sudo, us) = if geteuid().is_root() { ("", "root") } else { ("sudo ", "\"$(id -un)\"") };
        let [command, undo] = [us, &owner.to_string()].map(|user| format!("{sudo}chown {user} {path}"));
        return exposure(&format!("another user (number {owner}) owns"), command, undo, true);
    }
    let closed = |found: &str, bits: &str| {
        let undo = format!("chmod {:o} {path}", metadata.mode() & 0o7777);
        exposure(found, format!("chmod {bits} {path}"), undo, false)
    };
    if mode & OTHERS_WRITE != 0 {
        return closed("others may write to", if mode & GROUP_WRITES == 0 { "o-w" } else { "o-w,g-w" });
    }
    // An access list lets others write although the group is private.
    let is_shared = !is_private(metadata.gid()) || has_access_list(place);
    if mode & GROUP_WRITES != 0 && is_shared {
        return closed("a group may write to", "g-w");
    }
    None
}

/// The users who may own a library: root, this user, the owner of the program, who can make it do anything
/// anyway, and for root, who called it by `sudo`.
fn owners() -> Vec<u32> {
    let us = geteuid();
    let program = fs::metadata("/proc/self/exe").map(|metadata| metadata.uid());
    let caller = std::env::var("SUDO_UID").ok().filter(|_| us.is_root());
    let caller = caller.and_then(|caller| caller.parse().ok());
    [0, us.as_raw()].into_iter().chain(program.ok()).chain(caller).collect()
}

/// Whether a group is this user's own, of which nobody else is a member. Many systems give each user such a
/// group, and let it write to all new files.
fn is_private(group: u32) -> bool {
    let [users, groups] =
        ["/etc/passwd", "/etc/group"].map(|file| fs::read_to_string(file).unwrap_or_default());
    group == getegid().as_raw() && is_only_member(geteuid().as_raw(), group, &users, &groups)
}

/// Whether a user is the only member of a group, by the contents of `/etc/passwd` and `/etc/group`.
fn is_only_member(user: u32, group: u32, users: &str, groups: &str) -> bool {
    // name:password:number:group:..
    let users = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let users: Vec<_> = users.filter(|fields| fields.len() > 3).collect();
    let number = |field: &str| field.parse::<u32>().ok();
    let Some(ours) = users.iter().find(|fields| number(fields[2]) == Some(user)) else { return false };
    let others = users.iter().any(|fields| number(fields[3]) == Some(group) && fields[0] != ours[0]);
    // name:password:number:members
    let groups = groups.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let mut entries = groups.filter(|fields| fields.len() > 3 && number(fields[2]) == Some(group)).peekable();
    let is_known = entries.peek().is_some();
    let alone = entries.all(|fields| fields[3].split(',').all(|name| name.is_empty() || name == ours[0]));
    is_known && alone && !others
}

/// Whether a file has an access list. Then the rights of its group are those of all that the list names.
fn has_access_list(place: &Path) -> bool {
    let mut none = [0_u8; 0];
    rustix::fs::getxattr(place, "system.posix_acl_access", &mut none).is_ok_and(|length| length > 0)
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, chown};

    use super::*;

    #[test]
    fn a_library_is_exposed_by_its_own_rights_and_by_those_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("a.so");
        fs::write(&library, "").unwrap();
        let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let told = || of_library(&library).unwrap().map(|exposure| (exposure.to_string(), exposure.remedy()));
        let [file, place] = [&library, folder.path()].map(|path| path.display().to_string());
        for (file_mode, folder_mode, expected) in [
            (0o644, 0o755, None),
            (0o644, 0o1777, None),
            (
                0o646,
                0o755,
                Some((format!("others may write to `{file}`"), format!("run `chmod o-w {file}`"))),
            ),
            (
                0o644,
                0o777,
                Some((format!("others may write to `{place}`"), format!("run `chmod o-w,g-w {place}`"))),
            ),
        ] {
            set(&library, file_mode);
            set(folder.path(), folder_mode);
            assert_eq!(told(), expected, "{file_mode:o} {folder_mode:o}");
        }
        set(folder.path(), 0o755);
        let elsewhere = tempfile::tempdir().unwrap();
        let link = elsewhere.path().join("link.so");
        std::os::unix::fs::symlink(&library, &link).unwrap();
        set(folder.path(), 0o757);
        assert_eq!(of_library(&link).unwrap().unwrap().place, folder.path());
        set(folder.path(), 0o755);
        set(elsewhere.path(), 0o757);
        assert_eq!(of_library(&link).unwrap().unwrap().place, elsewhere.path());
    }

    #[test]
    fn a_library_of_another_user_is_exposed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        if chown(file.path(), Some(12345), None).is_err() {
            assay_plugin_api::testing::skip("nothing can be run as another user here");
            return;
        }
        let exposure = of_file(file.path()).unwrap().unwrap();
        assert!(exposure.to_string().starts_with("another user (number 12345) owns"), "{exposure}");
        assert!(exposure.remedy().contains("or run `chown root"), "{}", exposure.remedy());
        assert!(exposure.undo.starts_with("chown 12345 "), "{}", exposure.undo);
    }

    #[test]
    fn a_group_of_one_user_is_private() {
        let users = "root:x:0:0::/root:/bin/sh\nana:x:1000:1000::/:/bin/sh\nbob:x:1001:1001::/:/bin/sh\n";
        let groups = "root:x:0:\nana:x:1000:ana\nbob:x:1001:ana\nlab:x:50:ana,bob\n";
        let private = |user, group| is_only_member(user, group, users, groups);
        assert!(private(1000, 1000) && private(0, 0));
        assert!(!private(1001, 1001), "ana is a member");
        assert!(!private(1000, 50) && !private(1000, 77) && !private(7, 1000));
        let shared = format!("{users}eve:x:1002:1000::/:/bin/sh\n");
        assert!(!is_only_member(1000, 1000, &shared, groups), "it is also the group of eve");
    }
}
