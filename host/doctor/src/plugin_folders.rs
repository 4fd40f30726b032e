//! The folders of plugin libraries: who may put code into them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::finding::{Finding, Remedy, quoted};

const NAME: &str = "plugin folders";

/// Who else may change a file or folder, by the bits of its mode.
const GROUP: u32 = 0o020;
const EVERYBODY: u32 = 0o002;

/// A place that others may change.
#[derive(Debug)]
struct Exposed {
    /// Folder or library.
    place: PathBuf,
    /// Bits of the mode.
    mode: u32,
    /// Number of the user who owns it, if that is neither this user nor the administrator.
    owner: Option<u32>,
}

/// Whether others than this user and the administrator may change the folders of plugin libraries, or the
/// libraries.
pub fn plugin_folders(folders: &[PathBuf], libraries: &[PathBuf]) -> Finding {
    let user = rustix::process::geteuid().as_raw();
    let mut there = 0;
    let mut exposed = Vec::new();
    for place in folders.iter().chain(libraries) {
        let Ok(facts) = fs::metadata(place) else { continue };
        there += usize::from(facts.is_dir());
        let owner = Some(facts.uid()).filter(|owner| *owner != user && *owner != 0);
        if owner.is_some() || facts.mode() & (GROUP | EVERYBODY) != 0 {
            exposed.push(Exposed { place: place.clone(), mode: facts.mode() & 0o7777, owner });
        }
    }
    let Some(worst) = exposed.iter().max_by_key(|one| (one.owner.is_some(), one.mode & EVERYBODY)) else {
        let count = if there == 1 { "1 folder".to_owned() } else { format!("{there} folders") };
        return Finding::ok(NAME, format!("{count}, which only this user or the administrator may change"));
    };
    let others = match exposed.len() - 1 {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    let who = match worst.owner {
        Some(owner) => format!("user {owner} owns it"),
        None if worst.mode & EVERYBODY != 0 => "everybody may change it".to_owned(),
        None => "its group may change it".to_owned(),
    };
    let found = format!("{}: {who}{others}", worst.place.display());
    let effect = "others can replace the code that is measured, and that runs with your rights";
    let (mut commands, mut undo) = (Vec::new(), Vec::new());
    for Exposed { place, mode, owner } in &exposed {
        let word = quoted(&place.to_string_lossy());
        if let Some(owner) = owner {
            commands.push(format!("sudo chown {user} {word}"));
            undo.push(format!("sudo chown {owner} {word}"));
        }
        if mode & (GROUP | EVERYBODY) != 0 {
            commands.push(format!("chmod go-w {word}"));
            undo.push(format!("chmod {mode:o} {word}"));
        }
    }
    let remedy = Remedy { commands, undo, advice: None };
    if worst.owner.is_some() || worst.mode & EVERYBODY != 0 {
        Finding::problem(NAME, found, effect, remedy)
    } else {
        Finding::warning(NAME, found, effect, remedy)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::CheckOutcome::{Ok, Problem, Warning};

    #[test]
    fn a_folder_that_others_may_change_is_named_with_its_mode_to_go_back_to() {
        let folder = tempfile::tempdir().unwrap();
        let finding = |mode| {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
            plugin_folders(&[folder.path().to_owned(), PathBuf::from("/no/such/folder")], &[])
        };
        assert_eq!((finding(0o755).outcome, finding(0o775).outcome), (Ok, Warning));
        let problem = finding(0o1777);
        assert_eq!(problem.outcome, Problem);
        assert!(problem.found.ends_with(": everybody may change it"), "{problem:?}");
        let remedy = problem.remedy.unwrap();
        let name = folder.path().display();
        assert_eq!(
            (remedy.commands, remedy.undo),
            (vec![format!("chmod go-w {name}")], vec![format!("chmod 1777 {name}")])
        );
    }
}
