//! What the attacks of a test are aimed at: a home folder with a key, a cache, saved runs, servers, and a
//! process that has nothing to do with assay.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use assay_tests::processes::{MARK, marked};
use assay_tests::{assay, c_library, fixture, repository};
use tempfile::TempDir;

/// The world around a run. It ends with the value.
pub struct World {
    folder: TempDir,
    bystander: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    home: BTreeMap<PathBuf, Entry>,
}

/// What a file or folder is and holds, with everything that an attack could change of it.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    mode: u32,
    owner: u32,
    modified: i64,
    content: Vec<u8>,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for inner in ["home/.ssh", "cache", "out", "plugins"] {
            fs::create_dir_all(path.join(inner)).unwrap();
        }
        fs::write(path.join("home/.ssh/id_ed25519"), "a private key").unwrap();
        fs::write(path.join("home/.profile"), "export NAME=value\n").unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        let unix = UnixListener::bind(path.join("socket")).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        let bystander = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().unwrap();
        let home = entries(&path.join("home"));
        World { folder, bystander, tcp, udp, unix, home }
    }

    /// Puts the attacking library into the plugin folder, once for each of these names.
    pub fn add_attacks<'a>(&self, names: impl IntoIterator<Item = &'a str>) {
        let source = fs::read_to_string(repository().join("tests/fixtures/attacks/attacks.c")).unwrap();
        let built = c_library(self.folder.path(), "attacks", &source, &["-O1"]);
        for name in names {
            fs::copy(&built, self.plugins().join(format!("{name}.so"))).unwrap();
        }
        fs::remove_file(built).unwrap();
    }

    /// Puts the library of plugins of each kind into the plugin folder.
    pub fn add_intruder(&self) {
        fs::copy(fixture("intruder"), self.plugins().join("libintruder.so")).unwrap();
    }

    /// A command in this world. A shell starts it and then becomes it, so that it knows its own number, which
    /// attacks need.
    pub fn command(&self, words: &[&str]) -> Command {
        let program = assay();
        let mut command = Command::new("sh");
        command.args(["-c", "export ATTACK_HOST=$$; exec \"$0\" \"$@\""]).arg(program.get_program());
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.args(words).arg("--plugin-dir").arg(self.plugins()).current_dir(self.path());
        command
            .stdin(Stdio::null())
            .env(MARK, self.path())
            .env("HOME", self.path().join("home"))
            .env("ASSAY_CACHE_DIR", self.path().join("cache"))
            // An attack that takes all memory takes its time.
            .env("ASSAY_PATIENCE_MS", "60000")
            .env("ATTACK_FOLDER", self.path())
            .env("ATTACK_PORT", self.tcp.local_addr().unwrap().port().to_string())
            .env("ATTACK_BYSTANDER", self.bystander.id().to_string());
        command
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn plugins(&self) -> PathBuf {
        self.path().join("plugins")
    }

    /// What an attack has changed.
    pub fn damage(&mut self) -> Vec<String> {
        let mut damage = Vec::new();
        let now = entries(&self.path().join("home"));
        if now != self.home {
            damage.push(format!("the home folder was {:#?} and is {now:#?}", self.home));
        }
        if let Some(status) = self.bystander.try_wait().unwrap() {
            damage.push(format!("the bystander has ended: {status}"));
        }
        let is_stopped = || {
            let stat = fs::read_to_string(format!("/proc/{}/stat", self.bystander.id())).unwrap_or_default();
            stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with(['T', 't']))
        };
        if is_stopped() {
            damage.push("the bystander was stopped".to_owned());
        }
        let silent = |kind: Option<ErrorKind>| kind == Some(ErrorKind::WouldBlock);
        for (server, heard) in [
            ("TCP port", self.tcp.accept().map(drop).err().map(|error| error.kind())),
            ("UDP port", self.udp.recv(&mut [0; 9]).map(drop).err().map(|error| error.kind())),
            ("socket", self.unix.accept().map(drop).err().map(|error| error.kind())),
        ] {
            if !silent(heard) {
                damage.push(format!("somebody has connected to the {server}"));
            }
        }
        for folder in ["/dev/shm", "/tmp"] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_name().to_str().is_some_and(|name| name.starts_with("assay-attack-")) {
                    damage.push(format!("there is {}", entry.path().display()));
                    fs::remove_file(entry.path()).unwrap();
                }
            }
        }
        if self.path().join("out/forged").exists() {
            damage.push("there is a file among the saved runs".to_owned());
        }
        let cache = fs::read(self.path().join("cache/plugins.json")).unwrap();
        if serde_json::from_slice::<serde_json::Value>(&cache).is_err() {
            damage.push("the cache was written to".to_owned());
        }
        let left = marked(self.path().to_str().unwrap());
        if !left.is_empty() {
            damage.push(format!("processes are left: {left:?}"));
        }
        damage
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
    }
}

/// Everything below a folder.
fn entries(folder: &Path) -> BTreeMap<PathBuf, Entry> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = fs::symlink_metadata(&path).unwrap();
        let content = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        if metadata.is_dir() {
            found.extend(entries(&path));
        }
        let (mode, owner, modified) = (metadata.mode(), metadata.uid(), metadata.mtime());
        found.insert(path, Entry { mode, owner, modified, content });
    }
    found
}
