//! Corpora.

use std::io::{Read, Seek, SeekFrom};
use std::rc::Rc;

use assay_base::error::{Error, Result};
use assay_plugin_api::Request;

use super::call::RemoteCall;
use super::guarded_text::{InitialContent, place};
use super::{CallMemory, Service};
use crate::plugin::contents::{Kind, Listing};

/// A corpus that a library brings.
#[derive(Clone, Debug)]
pub struct Corpus {
    id: String,
    service: Rc<Service>,
}

impl Corpus {
    pub(in crate::plugin) fn new(listing: &Listing, service: Rc<Service>) -> Self {
        Corpus { id: listing.id.clone(), service }
    }

    /// Makes a text, in memory that holds something before.
    ///
    /// # Errors
    /// What the corpus says, or what it did; if there is no memory.
    pub fn generate(&self, request: Request, length: usize, before: InitialContent) -> Result<Vec<u8>> {
        let no_memory = || {
            Error::new(format!("there is no memory for a text of {length} bytes"))
                .remedy("give a smaller --text-size")
        };
        let (start, all) = place(length).ok_or_else(no_memory)?;
        let mut text = Vec::new();
        text.try_reserve_exact(length).map_err(|_| no_memory())?;
        let mut memory = CallMemory::new()?;
        memory.output.set_len(all as u64).map_err(|_| no_memory())?;
        let Request { seed, parameter } = request;
        let call = (RemoteCall::Generate { seed, parameter, length, before }, length);
        self.service.call((Kind::Corpus, &self.id), &memory, call, &|_| true)?;
        let file = &mut memory.output;
        let read = file.seek(SeekFrom::Start(start as u64)).and_then(|_| file.read_to_end(&mut text));
        read.map_err(|error| self.service.garbled((Kind::Corpus, &self.id), &error))?;
        Ok(text)
    }
}
