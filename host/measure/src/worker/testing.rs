//! Answers of workers as bytes, for tests.

use assay_load::process::send;

use super::BatchResult;
use super::inbox::Inbox;
use super::protocol::{BatchEnd, Halt, Portion, ToHost};

/// The answer to a batch of `most` repetitions whose worker sends these bytes, which arrive in pieces. `None`
/// if they are no messages.
pub fn answer(bytes: &[u8], piece: usize, most: usize) -> Option<BatchResult> {
    let (mut inbox, mut portion) = (Inbox::default(), Portion::default());
    for piece in bytes.chunks(piece.max(1)) {
        inbox.push(piece);
        let (_, Some(closing)) = inbox.take(&mut portion, most).ok()? else { continue };
        let ended = closing.as_ref().err().and_then(|halt| match halt {
            Halt::Ended(ended) | Halt::Unusable(ended) | Halt::Orphaned(ended) => Some(ended.clone()),
            Halt::Backend(_) => None,
        });
        let Portion { rows, faults } = portion;
        let (noise, time_up) = (inbox.noise.take(), closing == Ok(BatchEnd::TimeUp));
        return Some(BatchResult { rows, ended, time_up, noise, faults, ..BatchResult::default() });
    }
    None
}

/// The messages with which a worker answers a batch with this result.
pub fn messages(result: BatchResult) -> Vec<u8> {
    let BatchResult { rows, ended, noise, faults, time_up, .. } = result;
    let closing = match ended {
        Some(ended) => ToHost::Halted(Halt::Ended(ended)),
        None if time_up => ToHost::TimeUp,
        None => ToHost::Done,
    };
    let noise = ToHost::Noise(noise.unwrap_or_default());
    let mut bytes = Vec::new();
    for message in [ToHost::Rows(Portion { rows, faults }), noise, closing] {
        send(&mut bytes, &message).expect("memory can be written");
    }
    bytes
}
