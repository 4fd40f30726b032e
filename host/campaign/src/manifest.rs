//! The manifest of a campaign: its tasks, and by their SHA-256 everything that decides what they measure. It
//! holds no date and nothing random, so the same experiment gives the same manifest, byte by byte. A checksum
//! over its content shows whether it was edited.

use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::text_file;
use assay_load::plugin::printable::line;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version of this form.
pub(crate) const SCHEMA: u32 = 2;
/// Greatest size of a manifest: a task takes some 300 bytes, so this is 200,000 tasks.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// The version of a form, whatever else the file has.
#[derive(Deserialize)]
struct Version {
    schema: u64,
}

/// The manifest of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignManifest {
    /// Version of this form.
    pub schema: u32,
    /// SHA-256 of the manifest in which this field is empty.
    #[serde(default)]
    pub sha256: String,
    /// SHA-256 of the experiment that was cut, with its seed.
    pub experiment_sha256: String,
    /// SHA-256 of the program.
    pub assay_sha256: String,
    /// The seed, which all tasks share.
    pub seed: u64,
    /// How many minutes a task should take.
    pub minutes: f64,
    /// How many bytes of text an algorithm was assumed to search in a second.
    pub rate: u64,
    /// The algorithm that ties tasks and machines together.
    pub reference: String,
    /// SHA-256 of the experiment that each task measures first.
    pub reference_sha256: String,
    /// The libraries of algorithms, counter backends and corpora.
    #[serde(rename = "library", default)]
    pub libraries: Vec<ManifestLibrary>,
    /// The texts.
    #[serde(rename = "text", default)]
    pub texts: Vec<ManifestText>,
    /// The tasks, from number 1 on.
    #[serde(rename = "task", default)]
    pub tasks: Vec<CampaignTask>,
}

/// A plugin library of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestLibrary {
    /// The name of its file. Its folder may be another on each machine.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// A text of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestText {
    /// Its files, its corpus, `data` or `embedded`.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of these bytes.
    pub sha256: String,
}

/// A task: what one job measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignTask {
    /// Its number.
    pub number: u32,
    /// SHA-256 of the file of its experiment.
    pub sha256: String,
    /// The text, in the words of the experiment.
    pub text: String,
    /// The pattern lengths, or the other values of the range.
    pub values: Vec<u64>,
    /// The number of algorithms.
    pub algorithms: usize,
    /// The number of the group of algorithms and the number of groups, if one value was too long for a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<[usize; 2]>,
    /// How many seconds it is assumed to take.
    pub seconds: f64,
}

impl CampaignManifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// If it can't be read, or a later version has written it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = text_file::read(path, MOST_BYTES)?;
        // The version comes first, because another one may have other fields.
        if let Ok(Version { schema }) = toml::from_str(&text)
            && schema != u64::from(SCHEMA)
        {
            let other = if schema > u64::from(SCHEMA) { "a later" } else { "an earlier" };
            return Err(Error::new(format!(
                "{other} version of assay has written `{}`: its form is {schema}, and this version knows {SCHEMA}",
                path.display()
            ))
            .remedy("use the version of assay that planned the campaign"));
        }
        let manifest: CampaignManifest = toml::from_str(&text).map_err(|error| {
            Error::new(format!("`{}` is no manifest of a campaign: {}", path.display(), error.message()))
                .remedy("plan the campaign again into another folder, with this version of assay")
        })?;
        // Anyone may have written the file, and we print the names.
        Ok(manifest.printable())
    }

    /// The manifest with its checksum, and with names as [`read`](Self::read) returns them.
    pub(crate) fn sealed(self) -> Self {
        let manifest = self.printable();
        CampaignManifest { sha256: manifest.content_sha256(), ..manifest }
    }

    /// SHA-256 of everything but this hash.
    pub(crate) fn content_sha256(&self) -> String {
        let content = CampaignManifest { sha256: String::new(), ..self.clone() };
        sha256(content.to_toml().as_bytes())
    }

    /// The manifest with each name as one line.
    fn printable(mut self) -> Self {
        let texts = self.texts.iter_mut().map(|text| &mut text.name);
        for name in texts.chain(self.tasks.iter_mut().map(|task| &mut task.text)) {
            *name = line(name);
        }
        self
    }

    /// The manifest as the text of its file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a manifest has a TOML form")
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        Output::create(path)?.write(|file| file.write_all(self.to_toml().as_bytes()))
    }

    /// The task of this number.
    ///
    /// # Errors
    /// If there is no such task.
    pub fn task(&self, number: u32) -> Result<&CampaignTask> {
        let task = self.tasks.iter().find(|task| task.number == number);
        task.ok_or_else(|| {
            Error::new(format!("the campaign has no task {number}"))
                .remedy(format!("name one from 1 to {}", self.tasks.len()))
        })
    }

    /// Checks that a library is one of this campaign.
    ///
    /// # Errors
    /// If it is another, with both hashes.
    pub fn check_library(&self, path: &Path, sha256: &str) -> Result<()> {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let planned = self.libraries.iter().find(|library| library.file == file);
        let expected = planned.map_or("no library of this name", |library| &library.sha256);
        same(&format!("the library `{}`", path.display()), expected, sha256)
    }

    /// Checks that this is the program with which the campaign was planned.
    ///
    /// # Errors
    /// If it is another, with both hashes.
    pub fn check_program(&self, sha256: &str) -> Result<()> {
        same("the program `assay`", &self.assay_sha256, sha256)
    }

    /// What differs in another manifest, in words.
    pub fn differences(&self, other: &CampaignManifest) -> Vec<&'static str> {
        let same = [
            (self.experiment_sha256 == other.experiment_sha256, "the experiment"),
            (self.assay_sha256 == other.assay_sha256, "the program `assay`"),
            (self.libraries == other.libraries, "the plugin libraries"),
            (self.texts == other.texts, "the texts"),
            (self.minutes == other.minutes, "--minutes"),
            (self.rate == other.rate, "--rate"),
            (self.reference == other.reference, "--reference"),
        ];
        same.into_iter().filter(|(same, _)| !same).map(|(_, what)| what).collect()
    }
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Checks that two hashes are the same.
pub(crate) fn same(what: &str, expected: &str, found: &str) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::new(format!(
        "{what} is not the one with which this campaign was planned\n  planned: {expected}\n  found:   {found}"
    ))
    .remedy("bring the planned one back, or plan a campaign with what is there now into another folder"))
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A manifest with this number of tasks, and with its checksum.
    pub(crate) fn manifest(tasks: u32) -> CampaignManifest {
        let task = |number| CampaignTask {
            number,
            sha256: String::new(),
            text: "embedded".to_owned(),
            values: vec![8, 16],
            algorithms: 3,
            group: None,
            seconds: 600.0,
        };
        CampaignManifest {
            schema: SCHEMA,
            sha256: String::new(),
            experiment_sha256: "aa".to_owned(),
            assay_sha256: "bb".to_owned(),
            seed: 1,
            minutes: 10.0,
            rate: 1_000_000_000,
            reference: "hor".to_owned(),
            reference_sha256: "cc".to_owned(),
            libraries: vec![ManifestLibrary { file: "libx.so".to_owned(), sha256: "dd".to_owned() }],
            texts: Vec::new(),
            tasks: (1..=tasks).map(task).collect(),
        }
        .sealed()
    }
}

#[cfg(test)]
mod tests {
    use super::testing::manifest;
    use super::*;

    #[test]
    fn a_manifest_survives_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaign.toml");
        manifest(2).write(&path).unwrap();
        assert_eq!(CampaignManifest::read(&path).unwrap(), manifest(2));
        let later = CampaignManifest { schema: SCHEMA + 1, ..manifest(1) };
        later.write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("of_a_later_version = 1\n{text}")).unwrap();
        let error = CampaignManifest::read(&path).unwrap_err().to_string();
        assert!(error.starts_with("a later version of assay has written `"), "{error}");
        let mut named = manifest(1);
        named.tasks[0].text = "a\x1b[31m\nb".to_owned();
        named.write(&path).unwrap();
        assert_eq!(CampaignManifest::read(&path).unwrap().tasks[0].text, "a b");
        std::fs::write(&path, "x = 1").unwrap();
        assert!(CampaignManifest::read(&path).unwrap_err().to_string().contains("is no manifest"));
    }

    #[test]
    fn what_is_another_is_named_with_both_hashes() {
        let manifest = manifest(1);
        assert_eq!(manifest.check_library(Path::new("/far/libx.so"), "dd"), Ok(()));
        let error = manifest.check_library(Path::new("/far/libx.so"), "ee").unwrap_err().to_string();
        assert!(error.contains("planned: dd\n  found:   ee"), "{error}");
        assert!(manifest.check_library(Path::new("liby.so"), "dd").is_err());
        assert!(manifest.check_program("bb").is_ok() && manifest.check_program("b").is_err());
        assert_eq!(manifest.task(1).unwrap().number, 1);
        assert!(manifest.task(2).is_err());
        let other = CampaignManifest { minutes: 5.0, ..manifest.clone() };
        assert_eq!(manifest.differences(&other), ["--minutes"]);
    }
}
