//! The texts of a worker: mapped from shared memory, and fitted to the needs of an algorithm.

use std::rc::Rc;

use assay_load::plugin::{Failure, FittedText, Needs, TextBuffer};

use super::protocol::Setup;
use super::shared_text::{MappedText, TextPlace};

/// Returns a text as an algorithm needs it: the shared one, or a copy if the algorithm needs a greater
/// alignment than the shared text has.
pub(super) fn fit<'a>(
    map: &'a MappedText,
    needs: &Needs,
    copy: &'a mut Option<TextBuffer>,
) -> Result<FittedText<'a>, Failure> {
    let memory = map.memory();
    if memory.is_aligned(needs) {
        return memory.fit(needs).map_err(Failure::CannotSearch);
    }
    let copied = TextBuffer::new(map.bytes(), needs).map_err(Failure::CannotSearch)?;
    copy.insert(copied).fit(needs).map_err(Failure::CannotSearch)
}

/// Maps the texts of a setup. `writes` says whether the bytes before them, and those after them, can be
/// written to.
pub(super) fn open_texts(setup: &Setup, writes: [bool; 2]) -> Result<Vec<Rc<MappedText>>, Failure> {
    let open = |place: &TextPlace| {
        let text = MappedText::open(place, writes)
            .map_err(|reason| Failure::Error(format!("the text can't be mapped: {reason}")))?;
        Ok(Rc::new(text))
    };
    setup.texts.iter().map(open).collect()
}
