//! The folder of a campaign: where each of its files is.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::shell::quoted;

use crate::manifest::CampaignManifest;

/// The file that lists the tasks. A folder is a campaign if it holds this.
pub const MANIFEST: &str = "campaign.toml";
/// The file of the experiment that was cut.
pub const EXPERIMENT: &str = "experiment.toml";
/// The file of the experiment that each task measures first.
pub const REFERENCE: &str = "reference.toml";
/// The folder of the experiments of all tasks.
pub(crate) const TASKS: &str = "tasks";

/// The folder of the attempts at all tasks.
const ATTEMPTS: &str = "attempts";

/// The folder of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignFolder {
    path: PathBuf,
}

impl CampaignFolder {
    /// The folder at this path, whether or not it holds a campaign yet.
    ///
    /// # Errors
    /// If the path can't be made absolute, or is no text: job scripts and files hold it.
    pub fn at(path: &Path) -> Result<Self> {
        let absolute = path
            .canonicalize()
            .or_else(|_| std::path::absolute(path))
            .map_err(|error| Error::io("find", path, &error))?;
        if absolute.to_str().is_none() {
            return Err(Error::new(format!("the path `{}` is not in UTF-8", absolute.display()))
                .remedy("choose a folder whose path is"));
        }
        Ok(CampaignFolder { path: absolute })
    }

    /// Opens a campaign, and checks that its manifest and all files that it lists are as they were planned.
    ///
    /// # Errors
    /// If the folder holds none, or a file is missing, can't be read or was edited.
    pub fn open_checked(path: &Path) -> Result<(Self, CampaignManifest)> {
        let (folder, manifest) = CampaignFolder::open(path)?;
        manifest.check(&folder, None)?;
        Ok((folder, manifest))
    }

    /// Opens a campaign, whose manifest may have been edited.
    ///
    /// # Errors
    /// If the folder holds none, or its manifest can't be read.
    pub fn open(path: &Path) -> Result<(Self, CampaignManifest)> {
        let folder = CampaignFolder::at(path)?;
        if let Err(error) = fs::metadata(folder.manifest())
            && error.kind() == io::ErrorKind::PermissionDenied
        {
            return Err(Error::io("read", &folder.manifest(), &error));
        }
        if !folder.holds_campaign() {
            let (what, remedy) = if path.is_file() {
                ("is a file, and a campaign is a folder".to_owned(), "name the folder that the file is in")
            } else if path.exists() {
                (
                    format!("holds no campaign: it has no {MANIFEST}"),
                    "`assay campaign plan EXPERIMENT.toml --out DIR` plans one",
                )
            } else {
                (
                    "does not exist".to_owned(),
                    "name the folder of a campaign. If it was moved, `assay campaign submit DIR --on script` writes scripts \
                     with its new path",
                )
            };
            return Err(Error::new(format!("`{}` {what}", path.display())).remedy(remedy));
        }
        let manifest = CampaignManifest::read(&folder.manifest())?;
        Ok((folder, manifest))
    }

    /// Whether a campaign was planned here.
    pub fn holds_campaign(&self) -> bool {
        self.manifest().is_file()
    }

    /// The folder itself, as an absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder itself, as text.
    pub fn text(&self) -> &str {
        self.path.to_str().expect("it was checked when the folder was opened")
    }

    /// A command for the campaign, as a message shows it: `assay campaign resume c`.
    pub fn command(&self, words: &str) -> String {
        let (name, options) = words
            .split_once(' ')
            .map_or((words, String::new()), |(name, options)| (name, format!(" {options}")));
        format!("`assay campaign {name} {}{options}`", quoted(self.text()))
    }

    /// The file that lists the tasks.
    pub fn manifest(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    /// The file of the reference experiment.
    pub fn reference(&self) -> PathBuf {
        self.path.join(REFERENCE)
    }

    /// The file of a task's experiment.
    pub fn task(&self, number: u32) -> PathBuf {
        self.path.join(task_name(number))
    }

    /// The folder of the attempts at a task.
    pub fn attempts(&self, number: u32) -> PathBuf {
        self.path.join(ATTEMPTS).join(four_digits(number))
    }

    /// The folder that says what was submitted.
    pub fn submissions(&self) -> PathBuf {
        self.path.join("submissions")
    }

    /// The folder of job scripts.
    pub fn scripts(&self) -> PathBuf {
        self.path.join("scripts")
    }

    /// Whether this is the name of one of its folders. That of gathered runs is not among them.
    pub fn is_own_folder(&self, name: &OsStr) -> bool {
        let paths = [
            self.path.join(TASKS),
            self.path.join(ATTEMPTS),
            self.submissions(),
            self.scripts(),
            self.logs(),
        ];
        paths.contains(&self.path.join(name))
    }

    /// The folder of what jobs print.
    pub fn logs(&self) -> PathBuf {
        self.path.join("logs")
    }
}

/// The path of a task's experiment, relative to the campaign.
pub(crate) fn task_name(number: u32) -> String {
    format!("{TASKS}/{}.toml", four_digits(number))
}

/// A number as names of files have it, so that they sort.
pub(crate) fn four_digits(number: u32) -> String {
    format!("{number:04}")
}

/// Makes a folder with all above it.
pub(crate) fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))
}
