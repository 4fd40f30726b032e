//! Each attempt is made in a process of its own, because a forbidden call ends it: this test program, started
//! again for the one test that makes the attempt.

use std::env;
use std::fs::{self, File};
use std::hint::black_box;
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, abort};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
use rustix::process::{
    Resource, Rlimit, Signal, getpid, getppid, kill_process, setpriority_process, setrlimit,
};
use rustix::time::{ClockId, clock_gettime, clock_settime};

use super::*;
use crate::process::bind_to_cpu;

/// Names the attempt in the process that makes it.
const ATTEMPT: &str = "ASSAY_TEST_ATTEMPT";

/// The memory of the processes.
const MEMORY: u64 = 256 << 20;

fn permissions(attempt: &str) -> Permissions {
    let mut permissions = Permissions::to_load([env::current_exe().unwrap()]);
    permissions.memory = Some(MEMORY);
    permissions.binds_threads = attempt == "bind a thread";
    permissions.access.network = attempt == "use the network";
    if attempt == "read a declared file" {
        permissions.access.files.push("/etc/passwd".into());
    }
    permissions
}

/// Maps memory without a file, and returns the error.
fn map(flags: MapFlags, protection: ProtFlags) -> Option<Errno> {
    // SAFETY: the system chooses the place.
    unsafe { mmap_anonymous(std::ptr::null_mut(), 4096, protection, flags) }.err()
}

/// Makes an attempt, and returns whether its outcome is right.
fn attempt(name: &str) -> bool {
    let refused =
        |file: io::Result<File>| file.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied);
    match name {
        "open a socket" => UnixDatagram::unbound().is_err(),
        "use the network" => UnixDatagram::unbound().is_ok(),
        "start a program" => Command::new("/bin/true").status().is_err(),
        "signal the parent" => kill_process(getppid().unwrap(), Signal::CONT).is_err(),
        "signal the process group" => rustix::process::kill_current_process_group(Signal::CONT).is_err(),
        "signal itself" => kill_process(getpid(), Signal::CONT).is_ok(),
        "raise the priority" => setpriority_process(None, -5).is_err(),
        "change the CPU" => !bind_to_cpu(0),
        "bind a thread" => {
            let cpus = rustix::thread::sched_getaffinity(None).unwrap();
            rustix::thread::sched_setaffinity(None, &cpus).is_ok()
        }
        "change a limit" => {
            setrlimit(Resource::Cpu, Rlimit { current: Some(60), maximum: Some(60) }).is_err()
        }
        "delete a file" => fs::remove_file("/tmp/assay-that-does-not-exist").is_err(),
        "change the rights of a file" => {
            fs::set_permissions("/tmp", fs::metadata("/tmp").unwrap().permissions()).is_err()
        }
        "set the clock" => clock_settime(ClockId::Realtime, clock_gettime(ClockId::Realtime)).is_err(),
        "abort" => abort(),
        "start a thread" => std::thread::spawn(|| 7).join().unwrap() == 7,
        "read a file" => refused(File::open("/etc/passwd")),
        "read a declared file" => File::open("/etc/passwd").is_ok() && refused(File::open("/etc/group")),
        "read about another process" => refused(File::open("/proc/1/status")),
        "read about itself" => fs::read("/proc/self/status").is_ok() && fs::read("/proc/cpuinfo").is_ok(),
        "write to its memory" => refused(File::options().write(true).open("/proc/self/mem")),
        "write a file" => refused(File::create(env::temp_dir().join("assay-sandbox-test"))),
        "change the attributes of a file" => {
            let library = File::open(env::current_exe().unwrap()).unwrap();
            let flags = rustix::fs::ioctl_getflags(&library);
            flags.is_err_and(|error| error == Errno::NOSYS)
        }
        "keep the rights of root" => {
            let few = rustix::thread::CapabilitySet::DAC_READ_SEARCH;
            few.contains(rustix::thread::capabilities(None).unwrap().permitted)
        }
        "read its library" => File::open(env::current_exe().unwrap()).is_ok(),
        "make a file in memory" => {
            memfd_create("test", MemfdFlags::CLOEXEC).is_err_and(|error| error == Errno::NOSYS)
        }
        "share memory" => map(MapFlags::SHARED, ProtFlags::READ) == Some(Errno::NOSYS),
        "make code" => map(MapFlags::PRIVATE, ProtFlags::READ | ProtFlags::EXEC).is_none(),
        "use all memory" => {
            let mut large: Vec<u8> = Vec::new();
            let most = black_box(MEMORY as usize);
            large.try_reserve_exact(most).is_err() && large.try_reserve_exact(most / 4).is_ok()
        }
        "use all descriptors" => {
            let open: Vec<File> = (0..1000).map_while(|_| File::open("/proc/self/status").ok()).collect();
            (100..300).contains(&open.len())
        }
        _ => unreachable!("{name}"),
    }
}

/// The attempts, with the signal that ends those which are forbidden.
const ATTEMPTS: [(&str, Option<Signal>); 29] = [
    ("open a socket", Some(Signal::SYS)),
    ("use the network", None),
    ("start a program", Some(Signal::SYS)),
    ("signal the parent", Some(Signal::SYS)),
    ("signal the process group", Some(Signal::SYS)),
    ("signal itself", None),
    ("raise the priority", Some(Signal::SYS)),
    ("change the CPU", Some(Signal::SYS)),
    ("bind a thread", None),
    ("change a limit", Some(Signal::SYS)),
    ("delete a file", Some(Signal::SYS)),
    ("change the rights of a file", Some(Signal::SYS)),
    ("set the clock", Some(Signal::SYS)),
    ("abort", Some(Signal::ABORT)),
    ("start a thread", None),
    ("read a file", None),
    ("read a declared file", None),
    ("read about another process", None),
    ("read about itself", None),
    ("write to its memory", None),
    ("write a file", None),
    ("change the attributes of a file", None),
    ("keep the rights of root", None),
    ("read its library", None),
    ("make a file in memory", None),
    ("share memory", None),
    ("make code", None),
    ("use all memory", None),
    ("use all descriptors", None),
];

#[test]
fn what_a_library_must_not_do_is_stopped_and_the_rest_works() {
    const TEST: &str = "process::sandbox::tests::what_a_library_must_not_do_is_stopped_and_the_rest_works";
    if let Ok(name) = env::var(ATTEMPT) {
        let permissions = permissions(&name);
        expect(permissions.filled_in());
        enter().unwrap();
        // Not by a return, because the test harness does what the sandbox forbids.
        std::process::exit(if attempt(&name) { 0 } else { 3 });
    }
    let support = Support::here();
    if support.missing().is_some() {
        assay_plugin_api::testing::skip("this kernel lacks Landlock or seccomp");
        return;
    }
    for (name, signal) in ATTEMPTS {
        let mut again = Command::new(env::current_exe().unwrap());
        let ended = again.args([TEST, "--exact", "--nocapture"]).env(ATTEMPT, name).output().unwrap();
        let text = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.signal(), signal.map(Signal::as_raw), "{name}: {:?} {text}", ended.status);
        assert!(signal.is_some() || ended.status.success(), "{name}: {:?} {text}", ended.status);
    }
}
