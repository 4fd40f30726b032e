//! Open files that one process passes to another over their connection. A child in the sandbox can't open a
//! file of the host by a path.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// The byte that carries a file: a connection passes none without data.
const CARRIER: [u8; 1] = [b'F'];

/// Passes files, each in a message of its own. The other side must expect them next.
///
/// # Errors
/// If the other side is gone, or if the system refuses.
pub fn send_files<'a>(to: &UnixStream, files: impl IntoIterator<Item = &'a File>) -> io::Result<()> {
    for file in files {
        let descriptors = [file.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&descriptors));
        let carrier = [IoSlice::new(&CARRIER)];
        retry_on_intr(|| sendmsg(to, &carrier, &mut control, SendFlags::NOSIGNAL))?;
    }
    Ok(())
}

/// Receives the next file.
///
/// # Errors
/// If the other side is gone, or has sent something else.
pub fn receive_file(from: &UnixStream) -> io::Result<File> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    retry_on_intr(|| {
        recvmsg(from, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    let mut files = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    files.next().map(File::from).ok_or_else(|| io::Error::other("there is no file where one is expected"))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::super::memory::memory_file;
    use super::*;

    #[test]
    fn files_arrive_in_their_order_between_messages() {
        let (mut host, mut child) = UnixStream::pair().unwrap();
        let files = ["a", "b"].map(|content| {
            let mut file = memory_file("test").unwrap();
            file.write_all(content.as_bytes()).unwrap();
            file
        });
        host.write_all(b"before").unwrap();
        send_files(&host, &files).unwrap();
        host.write_all(b"after").unwrap();
        child.read_exact(&mut [0; 6]).unwrap();
        for expected in [b"a", b"b"] {
            let mut content = [0];
            let file = receive_file(&child).unwrap();
            std::os::unix::fs::FileExt::read_exact_at(&file, &mut content, 0).unwrap();
            assert_eq!(content, *expected);
        }
        assert!(receive_file(&child).is_err(), "a message without a file");
    }
}
