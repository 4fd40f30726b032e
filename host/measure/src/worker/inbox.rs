//! The messages of a worker, as they arrive. Code of a library shares the worker's process, so it can send
//! anything.

use std::io;

use assay_load::process::Assembler;
use assay_store::noise::BlockNoise;

use super::protocol::{BatchEnd, Halt, Portion, ToHost};

/// The messages that have arrived.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    messages: Assembler,
    /// The conditions during the last batch.
    pub noise: Option<BlockNoise>,
    /// Time of the warm-up repetitions of the last batch, in nanoseconds.
    pub warmup_ns: u64,
}

/// What a closing record says.
pub(super) type Closing = Result<BatchEnd, Halt>;

impl Inbox {
    /// Appends bytes that have arrived.
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.messages.push(piece);
    }

    /// Takes messages up to a closing record, and adds their repetitions to the portion. Returns the number
    /// of messages, and the closing record if it was among them.
    ///
    /// # Errors
    /// If the bytes are no messages, or bring the portion to more than `most` repetitions: the host would
    /// otherwise run out of memory before the batch is closed.
    pub(super) fn take(
        &mut self,
        portion: &mut Portion,
        most: usize,
    ) -> io::Result<(usize, Option<Closing>)> {
        let mut count = 0;
        while let Some(message) = self.messages.take()? {
            count += 1;
            let closing = match message {
                ToHost::Rows(more) if more.rows.len() > most.saturating_sub(portion.rows.len()) => {
                    return Err(io::Error::other("more repetitions than were asked for"));
                }
                ToHost::Rows(more) => {
                    portion.extend(more);
                    continue;
                }
                ToHost::Noise(noise) => {
                    self.noise = Some(noise);
                    continue;
                }
                ToHost::WarmedUp(ns) => {
                    self.warmup_ns = ns;
                    continue;
                }
                ToHost::Ready | ToHost::Done => Ok(BatchEnd::Done),
                ToHost::TimeUp => Ok(BatchEnd::TimeUp),
                ToHost::Halted(halt) => Err(halt),
            };
            return Ok((count, Some(closing)));
        }
        Ok((count, None))
    }
}

#[cfg(test)]
mod tests {
    use assay_load::process::send;
    use assay_store::Row;

    use super::*;

    /// What the host hears of these messages, if it has asked for two repetitions.
    fn heard(messages: &[ToHost]) -> io::Result<(usize, Option<Closing>)> {
        let mut bytes = Vec::new();
        messages.iter().for_each(|message| send(&mut bytes, message).unwrap());
        let mut inbox = Inbox::default();
        inbox.push(&bytes);
        inbox.take(&mut Portion::default(), 2)
    }

    fn rows(count: usize) -> ToHost {
        ToHost::Rows(Portion { rows: vec![Row::default(); count], faults: Vec::new() })
    }

    #[test]
    fn messages_are_taken_up_to_a_closing_record() {
        assert_eq!(heard(&[]).unwrap(), (0, None));
        assert_eq!(heard(&[rows(1), rows(0), rows(1)]).unwrap(), (3, None));
        assert_eq!(heard(&[rows(2), ToHost::TimeUp, rows(9)]).unwrap(), (2, Some(Ok(BatchEnd::TimeUp))));
    }

    #[test]
    fn more_repetitions_than_were_asked_for_are_nonsense() {
        assert!(heard(&[rows(3)]).is_err() && heard(&[rows(2), rows(1), ToHost::Done]).is_err());
    }
}
