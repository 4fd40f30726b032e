//! The atlas: a static site about all algorithms, made from saved runs. It needs no server and no other file.
//!
//! [`Atlas`] holds what the pages show, and [`Atlas::files`] makes them: `home` is the first page, `algorithm`
//! the page of one algorithm. Each page is complete without its script, which only sorts and searches. All
//! texts are escaped by the templates, because those of plugins may contain anything. [`publish`] puts the
//! files into a folder, all of them or none.

#![warn(unreachable_pub)]

mod algorithm;
mod best_set;
mod choose;
mod compare;
mod counts;
mod downloads;
mod entry;
mod example;
mod folder;
mod frame;
mod home;
mod map;
mod rank_table;
mod runs;
#[cfg(test)]
mod testing;
mod timeline;
mod trace_page;

use std::collections::HashMap;

use assay_base::error::Result;

pub use algorithm::IN_RUST;
pub use entry::{AtlasEntry, Relative};
pub use example::TracedExample;
pub use folder::{check_place, publish};
pub use runs::{AtlasRun, check_runs};

/// What an atlas shows.
#[derive(Debug)]
pub struct Atlas {
    /// The algorithms, in the order in which they are listed.
    pub entries: Vec<AtlasEntry>,
    /// The runs with times: at least one.
    pub timed: Vec<AtlasRun>,
    /// The runs of instrumented twins.
    pub counted: Vec<AtlasRun>,
    /// The references of all algorithms as BibTeX.
    pub bibtex: String,
    /// The command that makes the atlas.
    pub command: String,
}

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Its place in the folder of the site, with slashes.
    pub path: String,
    /// Its content.
    pub content: String,
}

impl SiteFile {
    /// A file with this place and content.
    pub(crate) fn new(path: impl Into<String>, content: impl Into<String>) -> Self {
        SiteFile { path: path.into(), content: content.into() }
    }
}

impl Atlas {
    /// All files of the site.
    ///
    /// # Errors
    /// If the measurements of a run can't be read again.
    pub fn files(&self) -> Result<Vec<SiteFile>> {
        let mut files = frame::shared_files();
        files.push(SiteFile::new(frame::HOME, home::page(self)));
        files.push(SiteFile::new(frame::MAP, map::page(self)?));
        files.push(SiteFile::new(frame::CHOOSE, choose::page(self)));
        files.push(SiteFile::new(frame::TIMELINE, timeline::page(self)));
        files.extend(self.entries.iter().map(|entry| {
            SiteFile::new(format!("{}/{}", frame::ALGORITHMS, entry.file()), algorithm::page(self, entry))
        }));
        files.extend(compare::files(self));
        files.extend(trace_page::files(self));
        files.extend(downloads::files(self));
        Ok(files)
    }

    /// The entries by their ids.
    pub(crate) fn by_id(&self) -> HashMap<&str, &AtlasEntry> {
        self.entries.iter().map(|entry| (entry.id.as_str(), entry)).collect()
    }
}
