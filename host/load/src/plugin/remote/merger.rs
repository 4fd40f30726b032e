//! Mergers.

use std::io;
use std::rc::Rc;

use assay_base::error::{Error, Result};
use assay_plugin_api::{Block, Cells, Column, Merged, Options, Sheet, Values};

use super::call::{CallAnswer, RemoteCall};
use super::numbers::ResultMemory;
use super::{CallMemory, Service, no_child, numbers};
use crate::plugin::call::{self, Facts, NumberPlace};
use crate::plugin::contents::{Kind, Listing};

/// A merger that a library brings.
#[derive(Clone, Debug)]
pub struct Merger {
    /// Id and facts.
    pub facts: Facts,
    /// Names of the options that it reads.
    pub options: Vec<String>,
    service: Rc<Service>,
}

impl Merger {
    pub(in crate::plugin) fn new(listing: &Listing, service: Rc<Service>) -> Self {
        Merger { facts: listing.facts(), options: listing.options.clone(), service }
    }

    /// An error that names the merger and its library.
    pub fn at_fault(&self, what: &str) -> Error {
        self.service.at_fault((Kind::Merger, &self.facts.id), what)
    }

    /// Merges blocks. Results that lie in the memory of the blocks are not copied, but lent from there by
    /// `room`.
    ///
    /// # Errors
    /// If the merger reports an error or ends its process.
    pub fn merge<'a>(
        &self,
        blocks: Vec<Block<'_>>,
        options: &Options<'_>,
        room: &'a mut ResultMemory,
    ) -> Result<Merged<'a>> {
        let memory = CallMemory::new()?;
        let mut described = Vec::with_capacity(blocks.len());
        let mut count = 0;
        for Block { source, columns } in blocks {
            let mut lengths = Vec::with_capacity(columns.len());
            for Column { name, values } in columns {
                numbers::write(&memory.input, &values).map_err(|error| no_child(&error))?;
                count += values.len();
                lengths.push((name, values.len()));
            }
            described.push((source, lengths));
        }
        let given = options.given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let call = RemoteCall::Merge { blocks: described, options: given.collect() };
        let call = (call, count * size_of::<f64>());
        let answer = self.service.call((Kind::Merger, &self.facts.id), &memory, call, options.progress)?;
        let CallAnswer::Merged(described) = answer else {
            return Err(Error::new(format!("the merger `{}` answered something else", self.facts.id))
                .remedy("use another merger (`assay list mergers`), and tell the author of its library"));
        };
        let garbled = |error| self.service.garbled((Kind::Merger, &self.facts.id), &error);
        read(described, &memory, room).map_err(garbled)
    }

    /// One that is called in this process: for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn in_process(merger: assay_plugin_api::Merger) -> Self {
        use crate::plugin::{call::merger, catalogue::Catalogue};
        let entry = merger::exported(merger);
        let (facts, options) = (entry.facts.clone(), entry.options.clone());
        let catalogue = Catalogue { mergers: vec![entry], ..Catalogue::default() };
        Merger { facts, options, service: Service::here(catalogue) }
    }
}

/// Reads the numbers of a result to their places.
fn read<'a>(
    described: call::MergeDescription,
    memory: &CallMemory,
    room: &'a mut ResultMemory,
) -> io::Result<Merged<'a>> {
    let columns = described.columns.iter().map(|(_, place)| place);
    let cells = described.tables.iter().flat_map(|(_, columns)| columns);
    let numbers = cells.filter_map(|(_, cells)| match cells {
        call::Cells::Numbers(place) => Some(place),
        call::Cells::Texts(_) => None,
    });
    let given = columns.chain(numbers).filter_map(|place| match place {
        NumberPlace::Given { from, count } => Some((*from, *count)),
        NumberPlace::Made { .. } => None,
    });
    let mut given = room.lists(&memory.input, &given.collect::<Vec<_>>())?.into_iter();
    let mut next = |place| match place {
        NumberPlace::Given { .. } => given.next().ok_or_else(|| io::ErrorKind::InvalidData.into()),
        NumberPlace::Made { count } => numbers::take(&memory.output, count).map(Values::Own),
    };
    let column = |(name, place)| Ok(Column { name, values: next(place)? });
    let columns = described.columns.into_iter().map(column).collect::<io::Result<_>>()?;
    let mut cells = |cells| match cells {
        call::Cells::Numbers(place) => next(place).map(|values| Cells::Numbers(values.to_vec())),
        call::Cells::Texts(texts) => Ok(Cells::Texts(texts)),
    };
    let sheet = |(title, columns): (String, Vec<(String, call::Cells)>)| {
        let columns = columns.into_iter().map(|(name, column)| Ok((name, cells(column)?)));
        Ok(Sheet { title, columns: columns.collect::<io::Result<_>>()? })
    };
    let tables = described.tables.into_iter().map(sheet).collect::<io::Result<_>>()?;
    Ok(Merged { columns, tables, notes: described.notes, warnings: described.warnings })
}
