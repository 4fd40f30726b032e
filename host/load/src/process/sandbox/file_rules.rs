//! The files that a child can open: its libraries, and what the dynamic loader and the C library read.
//!
//! No rule lets a child write, because nothing that a library computes needs a file. The exception is a child
//! whose counter backend declares `programs`: it can write to `/dev/null` and to the folder for temporary files.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::Permissions;
use super::loader_files;

/// The version of Landlock whose rights are asked for: the latest one that our tests have run on. An older
/// kernel grants what it knows.
const VERSION: ABI = ABI::V7;

/// Folders of the system in which the dynamic loader looks, and in which the C library keeps locales and
/// converters.
const SYSTEM_FOLDERS: [&str; 8] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/lib32",
    "/etc/ld.so.conf.d",
];

/// Further files: the loader's list of libraries, and facts about the CPU, by which libraries choose their
/// code.
const FILES: [&str; 4] =
    ["/etc/ld.so.cache", "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/filesystems"];

/// What the kernel says about the process itself, and its program.
const OWN_FILES: [&str; 2] = ["/proc/self", "/proc/self/exe"];

/// Programs that a backend starts are here, with what they read. What is said about processes outside of the
/// sandbox stays closed where it would show their memory or files.
const PROGRAM_FOLDERS: [&str; 7] = ["/bin", "/sbin", "/usr", "/opt", "/nix/store", "/proc", "/sys"];

/// The folders and files of the system that every child can read, without those that do not exist or lie below
/// others, because the kernel takes some time for each.
pub(super) fn of_system() -> Vec<PathBuf> {
    let paths = SYSTEM_FOLDERS.into_iter().chain(FILES).map(PathBuf::from).chain(loader_folders());
    let mut paths: Vec<PathBuf> = paths.filter_map(|path| path.canonicalize().ok()).collect();
    paths.sort_unstable();
    // In this order, a folder comes before what lies below it.
    paths.dedup_by(|path, before| path.starts_with(before));
    paths
}

/// Restricts the files that this thread and its later threads can open.
pub(super) fn restrict(permissions: &Permissions) -> io::Result<()> {
    let rules = rules(permissions).map_err(io::Error::other)?;
    rules.restrict_self().map_err(io::Error::other)?;
    Ok(())
}

fn rules(
    Permissions { libraries, system, access, .. }: &Permissions,
) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(VERSION))?
        .scope(Scope::Signal)?;
    if !access.network {
        rules = rules.handle_access(AccessNet::from_all(VERSION))?.scope(Scope::AbstractUnixSocket)?;
    }
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let mut rules = rules.create()?;
    let own = OWN_FILES.map(PathBuf::from);
    for path in system.iter().chain(&own).chain(&access.files) {
        rules = allow(rules, path, read)?;
    }
    for path in libraries.iter().flat_map(|library| loader_files::needed_by(library)) {
        rules = allow(rules, &path, AccessFs::ReadFile.into())?;
    }
    if access.programs {
        for path in PROGRAM_FOLDERS.into_iter().chain(SYSTEM_FOLDERS).map(Path::new) {
            rules = allow(rules, path, read | AccessFs::Execute)?;
        }
        rules = allow(rules, Path::new("/dev/null"), AccessFs::ReadFile | AccessFs::WriteFile)?;
        rules = allow(rules, &env::temp_dir(), AccessFs::from_all(VERSION))?;
    }
    Ok(rules)
}

/// Allows access to a file, or below a folder. Files that do not exist need no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    match PathFd::new(path) {
        Ok(opened) => rules.add_rule(PathBeneath::new(opened, access)),
        Err(_) => Ok(rules),
    }
}

/// Folders in which the user or the administrator lets the dynamic loader look.
fn loader_folders() -> Vec<PathBuf> {
    let given = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    // An empty entry stands for the current folder, which may be the home folder.
    let given = env::split_paths(&given).filter(|folder| folder.is_absolute());
    given.chain(configured_folders()).collect()
}

/// The folders of `/etc/ld.so.conf.d`, from which the administrator makes `/etc/ld.so.cache`.
fn configured_folders() -> Vec<PathBuf> {
    let files = fs::read_dir("/etc/ld.so.conf.d").into_iter().flatten().flatten();
    let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    let mut folders = Vec::new();
    for text in texts {
        folders.extend(text.lines().map(str::trim).filter(|line| line.starts_with('/')).map(PathBuf::from));
    }
    folders
}
