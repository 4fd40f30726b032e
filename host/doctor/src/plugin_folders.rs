//! The folders of plugin libraries: who may put code into them.

use std::path::PathBuf;

use assay_load::plugin::exposure::{self, Exposure};

use super::finding::{Finding, Remedy};

const NAME: &str = "plugin folders";

/// Whether others than this user and root may change the folders of plugin libraries, or the libraries, by the
/// rules by which libraries are refused.
pub fn plugin_folders(folders: &[PathBuf], libraries: &[PathBuf]) -> Finding {
    let of_folders = folders.iter().map(|folder| exposure::of_folder(folder));
    let of_libraries = libraries.iter().map(|library| exposure::of_library(library));
    let mut exposures: Vec<Exposure> = Vec::new();
    for exposure in of_folders.chain(of_libraries).filter_map(|exposure| exposure.ok().flatten()) {
        if exposures.iter().all(|other| other.place != exposure.place) {
            exposures.push(exposure);
        }
    }
    let Some(first) = exposures.first() else {
        let count = folders.iter().filter(|folder| folder.is_dir()).count();
        let count = if count == 1 { "1 folder".to_owned() } else { format!("{count} folders") };
        return Finding::ok(NAME, format!("{count}, to which only you and root may write"));
    };
    let others = match exposures.len() - 1 {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    let effect = "libraries there are refused, because others can replace the code that is measured";
    let (commands, undo) =
        exposures.iter().map(|exposure| (exposure.command.clone(), exposure.undo.clone())).unzip();
    Finding::problem(NAME, format!("{first}{others}"), effect, Remedy { commands, undo, advice: None })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::CheckOutcome::{Ok, Problem};

    #[test]
    fn a_folder_that_others_may_change_is_named_with_its_mode_to_go_back_to() {
        let folder = tempfile::tempdir().unwrap();
        let finding = |mode| {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
            plugin_folders(&[folder.path().to_owned(), PathBuf::from("/no/such/folder")], &[])
        };
        for mode in [0o755, 0o1777] {
            let finding = finding(mode);
            assert_eq!(finding.outcome, Ok, "{mode:o}");
            assert_eq!(finding.found, "1 folder, to which only you and root may write");
        }
        let problem = finding(0o757);
        assert_eq!(problem.outcome, Problem);
        let name = folder.path().display();
        assert_eq!(problem.found, format!("others may write to `{name}`"));
        let remedy = problem.remedy.unwrap();
        assert_eq!(
            (remedy.commands, remedy.undo),
            (vec![format!("chmod o-w {name}")], vec![format!("chmod 757 {name}")])
        );
    }
}
