//! A daemon of Performance Co-Pilot of one's own: on a socket in a folder of its own, with the agents of
//! Debian's package.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::skip;

/// A running daemon, which ends with the value.
#[derive(Debug)]
pub struct Pmcd {
    daemon: Child,
    folder: TempDir,
}

const PROGRAM: &str = "/usr/lib/pcp/bin/pmcd";
const AGENTS: &str = "/var/lib/pcp/pmdas";
const NAMES: &str = "/var/lib/pcp/pmns/root_linux";

/// It answers in less than a second, on any machine that does not sleep.
const PATIENCE: Duration = Duration::from_secs(60);

impl Pmcd {
    /// Starts a daemon; none, with the package that is missing printed, where there is no daemon.
    pub fn start() -> Option<Self> {
        if !Path::new(PROGRAM).exists() || !Path::new(NAMES).exists() {
            skip("package pcp is missing");
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path();
        for inner in ["run", "log", "tmp"] {
            fs::create_dir(path.join(inner)).expect("the folder is ours");
        }
        let agents = format!(
            "pmcd 2 dso pmcd_init {AGENTS}/pmcd/pmda_pmcd.so\nlinux 60 dso linux_init {AGENTS}/linux/pmda_linux.so\n"
        );
        fs::write(path.join("pmcd.conf"), agents).expect("the folder is ours");
        let mut command = Command::new(PROGRAM);
        command.env("PCP_RUN_DIR", path.join("run")).env("PCP_LOG_DIR", path.join("log"));
        command.env("PCP_TMP_DIR", path.join("tmp")).env("PCP_TMPFILE_DIR", path.join("tmp"));
        // On loopback alone, where a port is needed although nobody uses it.
        command.args(["-f", "-A", "-i", "127.0.0.1", "-n", NAMES, "-p", &free_port().to_string()]);
        command.arg("-s").arg(path.join("run/socket")).arg("-c").arg(path.join("pmcd.conf"));
        command.arg("-l").arg(path.join("log/pmcd.log"));
        if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
            // It would become the user `pcp`, who may not write to the folder.
            command.args(["-U", "root"]);
        }
        let daemon = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut pmcd = Pmcd { daemon: daemon.expect("pmcd starts"), folder };
        pmcd.wait();
        Some(pmcd)
    }

    /// Where it answers, as `PCP_HOST` says it.
    pub fn host(&self) -> String {
        format!("unix://{}", self.folder.path().join("run/socket").display())
    }

    fn wait(&mut self) {
        let begin = Instant::now();
        while !self.folder.path().join("run/socket").exists() {
            let ended = self.daemon.try_wait().expect("it is our child");
            let log = || fs::read_to_string(self.folder.path().join("log/pmcd.log")).unwrap_or_default();
            assert!(
                ended.is_none() && begin.elapsed() < PATIENCE,
                "pmcd does not answer: {ended:?}\n{}",
                log()
            );
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Pmcd {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a port");
    listener.local_addr().expect("it is bound").port()
}
