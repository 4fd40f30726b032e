//! Programs and libraries from elsewhere that some parts of assay use, and the packages that bring them.

use std::path::PathBuf;

use super::finding::{Finding, Remedy};
use super::system::System;

const NAME: &str = "optional programs";

/// A program or library that a part of assay uses.
struct OptionalProgram {
    name: &'static str,
    /// What is impossible without it.
    purpose: &'static str,
    /// Its package in Debian, Ubuntu and others of their kind.
    debian: &'static str,
    /// Its package in Fedora and others of its kind.
    fedora: &'static str,
    /// Where it is: a command, the beginning of the name of a library, or one of these files.
    place: ProgramPlace,
}

enum ProgramPlace {
    Command(&'static str),
    Library(&'static str),
    Files(&'static [&'static str]),
}

const PROGRAMS: [OptionalProgram; 3] = [
    OptionalProgram {
        name: "valgrind",
        purpose: "simulated counts",
        debian: "valgrind",
        fedora: "valgrind",
        place: ProgramPlace::Command("valgrind"),
    },
    OptionalProgram {
        name: "libpapi",
        purpose: "PAPI's events",
        debian: "libpapi7.0",
        fedora: "papi",
        place: ProgramPlace::Library("libpapi.so"),
    },
    OptionalProgram {
        name: "pmcd",
        purpose: "metrics of Performance Co-Pilot",
        debian: "pcp",
        fedora: "pcp",
        place: ProgramPlace::Files(&["/usr/lib/pcp/bin/pmcd", "/usr/libexec/pcp/bin/pmcd"]),
    },
];

/// Folders in which the dynamic loader looks for libraries on the usual distributions.
const LIBRARIES: [&str; 6] = [
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
];

/// How this system installs packages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Debian,
    Fedora,
}

/// Which of the optional programs are installed. `path` is the folders in which commands are looked up.
pub fn optional_programs(system: &System, path: &[PathBuf]) -> Finding {
    let is_there = |program: &&OptionalProgram| match program.place {
        ProgramPlace::Command(command) => path
            .iter()
            .any(|folder| folder.is_absolute() && system.has(&folder.join(command).to_string_lossy())),
        ProgramPlace::Library(start) => {
            LIBRARIES.iter().any(|folder| system.entries(folder).iter().any(|name| name.starts_with(start)))
        }
        ProgramPlace::Files(files) => files.iter().any(|file| system.has(file)),
    };
    let (there, missing): (Vec<&OptionalProgram>, Vec<&OptionalProgram>) =
        PROGRAMS.iter().partition(is_there);
    let names = |programs: &[&OptionalProgram], name: fn(&OptionalProgram) -> &'static str, between: &str| {
        programs.iter().map(|program| name(program)).collect::<Vec<_>>().join(between)
    };
    let name = |program: &OptionalProgram| program.name;
    if missing.is_empty() {
        return Finding::ok(NAME, names(&there, name, ", "));
    }
    let installed = if there.is_empty() { String::new() } else { format!("{}; ", names(&there, name, ", ")) };
    let found = format!("{installed}missing: {}", names(&missing, name, ", "));
    let effect = format!(
        "not available: {}; times are not affected",
        names(&missing, |program| program.purpose, ", ")
    );
    let (debian, fedora) =
        (names(&missing, |program| program.debian, " "), names(&missing, |program| program.fedora, " "));
    let remedy = match family(system) {
        Some(Family::Debian) => Remedy::command(
            format!("sudo apt-get install {debian}"),
            Some(format!("sudo apt-get remove {debian}")),
        ),
        Some(Family::Fedora) => {
            Remedy::command(format!("sudo dnf install {fedora}"), Some(format!("sudo dnf remove {fedora}")))
        }
        None => {
            Remedy::advice(format!("install the packages that Debian calls {debian} and Fedora {fedora}"))
        }
    };
    Finding::warning(NAME, found, effect, remedy)
}

/// The family of this distribution, if it is one of the two that we know packages of.
fn family(system: &System) -> Option<Family> {
    let release = system.text("/etc/os-release")?;
    let value = |key: &str| {
        let line = release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    let ids = format!("{} {}", value("ID"), value("ID_LIKE"));
    let is = |families: &[&str]| ids.split(' ').any(|id| families.contains(&id));
    if is(&["debian", "ubuntu"]) {
        Some(Family::Debian)
    } else if is(&["fedora", "rhel"]) {
        Some(Family::Fedora)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Warning};
    use crate::testing::FakeSystem;

    #[test]
    fn a_missing_program_is_named_with_its_package() {
        let path = [PathBuf::from("/usr/bin"), PathBuf::from("relative")];
        let finding = |files| optional_programs(FakeSystem::new(files).system(), &path);
        let debian = finding(&[("/usr/bin/valgrind", ""), ("/etc/os-release", "NAME=x\nID=debian\n")]);
        assert_eq!((debian.outcome, debian.found.as_str()), (Warning, "valgrind; missing: libpapi, pmcd"));
        assert_eq!(debian.remedy.unwrap().commands, ["sudo apt-get install libpapi7.0 pcp"]);
        let fedora = finding(&[
            ("/usr/lib64/libpapi.so.7.1", ""),
            ("/etc/os-release", "ID=rocky\nID_LIKE=\"rhel centos fedora\"\n"),
        ]);
        assert_eq!(fedora.remedy.unwrap().commands, ["sudo dnf install valgrind pcp"]);
        assert!(finding(&[]).remedy.unwrap().commands.is_empty());
        let all = [("/usr/bin/valgrind", ""), ("/usr/lib/libpapi.so.7", ""), ("/usr/lib/pcp/bin/pmcd", "")];
        assert_eq!(finding(&all).outcome, Ok);
    }
}
