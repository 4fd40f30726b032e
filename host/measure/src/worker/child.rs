//! The side of the worker: a child process that receives batches and measures them.

use std::io::{self, Write};
use std::os::unix::net::UnixStream;

use assay_base::error::reason;
use assay_load::plugin::Failure;
use assay_load::process::{bind_to_cpu, end_with_parent, receive, receive_file, send};

use super::bench::Bench;
use super::conditions::BlockStart;
use super::heartbeat::Heartbeat;
use super::protocol::{BatchEnd, ToHost, ToWorker};

/// Measures the batches that the host sends, until it closes the connection.
///
/// # Errors
/// If the connection breaks.
pub fn serve(mut host: UnixStream) -> io::Result<()> {
    let Some(ToWorker::Setup(mut setup)) = receive(&mut host)? else { return Ok(()) };
    let heartbeat = receive_file(&host)?;
    for text in &mut setup.texts {
        text.arrived(receive_file(&host)?);
    }
    // First of all, so that everything is loaded, allocated and measured on this CPU.
    if let Some(cpu) = setup.cpu {
        bind_to_cpu(cpu);
    }
    let ready = Heartbeat::open(&heartbeat)
        .map_err(|error| Failure::Error(format!("its worker can't be watched: {}", reason(&error))).into())
        .and_then(|heartbeat| Bench::new(&setup, &heartbeat).map(|bench| (heartbeat, bench)));
    let (heartbeat, mut bench) = match ready {
        Ok(ready) => ready,
        Err(halt) => return send(&mut host, &ToHost::Halted(halt)),
    };
    // What happened before may have killed the parent. Nothing is reported then, so that the host sees how
    // the parent ended.
    end_with_parent();
    send(&mut host, &ToHost::Ready)?;
    while let Some(ToWorker::Batch(batch)) = receive(&mut host)? {
        let begun = BlockStart::now();
        let mut sent = Ok(());
        let result = bench.run(&batch, &heartbeat, |rows| {
            sent = send(&mut host, &ToHost::Rows(rows));
            sent.is_ok()
        });
        sent?;
        end_with_parent();
        // In one piece, because each piece wakes the host.
        let mut answer = Vec::new();
        let closing_record = match result {
            Ok((rows, end)) => {
                send(&mut answer, &ToHost::Rows(rows))?;
                match end {
                    BatchEnd::Done => ToHost::Done,
                    BatchEnd::TimeUp => ToHost::TimeUp,
                }
            }
            Err(halt) => ToHost::Halted(halt),
        };
        let noise = begun.end(bench.floor_ns(), bench.pauses(), bench.together(), bench.take_start());
        send(&mut answer, &ToHost::Noise(noise))?;
        send(&mut answer, &ToHost::WarmedUp(bench.take_warmup_ns()))?;
        send(&mut answer, &closing_record)?;
        host.write_all(&answer)?;
    }
    Ok(())
}
