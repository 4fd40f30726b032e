//! Virtual machines and containers. They hide facts, and share the machine with others.

use super::finding::{Finding, Remedy};
use super::system::System;

const NAME: &str = "machine";

/// Words in the names of vendor and product by which firmware of virtual machines is known.
const VIRTUAL_FIRMWARE: [&str; 11] = [
    "qemu",
    "kvm",
    "vmware",
    "virtualbox",
    "innotek",
    "xen",
    "bochs",
    "parallels",
    "virtual machine",
    "openstack",
    "google compute engine",
];

/// Files that container engines make, with the name of the engine.
const ENGINES: [(&str, &str); 3] =
    [("/.dockerenv", "Docker"), ("/run/.containerenv", "Podman"), ("/run/systemd/container", "systemd")];

/// Parts of the paths of control groups by which containers are known, with the name of the engine.
const GROUPS: [(&str, &str); 4] =
    [("docker", "Docker"), ("libpod", "Podman"), ("kubepods", "Kubernetes"), ("lxc", "LXC")];

/// Whether this is a virtual machine: `None` if nothing says so, but nothing could.
pub(crate) fn is_virtual(system: &System) -> Option<bool> {
    hypervisor(system).map(|hypervisor| hypervisor.is_some())
}

/// What the hypervisor is known by, or `None` inside if there is none; `None` if nothing could tell.
fn hypervisor(system: &System) -> Option<Option<String>> {
    if let Some(kind) = system.text("/sys/hypervisor/type").filter(|kind| !kind.is_empty()) {
        return Some(Some(kind));
    }
    if let Some(kind) = system.text("/proc/device-tree/hypervisor/compatible") {
        return Some(Some(kind.trim_matches('\0').to_owned()));
    }
    let firmware =
        ["sys_vendor", "product_name"].map(|name| system.text(&format!("/sys/class/dmi/id/{name}")));
    let known = firmware.iter().flatten().find(|name| {
        let name = name.to_lowercase();
        VIRTUAL_FIRMWARE.iter().any(|word| name.contains(word))
    });
    if let Some(name) = known {
        return Some(Some(name.clone()));
    }
    // Only x86 has a flag, so its absence means something only there.
    let flags = system.value("/proc/cpuinfo", "flags");
    if let Some(flags) = &flags {
        let is_guest = flags.split_whitespace().any(|flag| flag == "hypervisor");
        return Some(is_guest.then(|| "the CPU's flag `hypervisor`".to_owned()));
    }
    firmware.iter().any(Option::is_some).then_some(None)
}

/// The engine of the container in which this runs.
fn container(system: &System) -> Option<&'static str> {
    let made = ENGINES.iter().find(|(file, _)| system.has(file)).map(|(_, engine)| *engine);
    let in_group = || {
        let groups = system.text("/proc/self/cgroup")?;
        GROUPS.iter().find(|(part, _)| groups.contains(part)).map(|(_, engine)| *engine)
    };
    made.or_else(in_group)
}

/// Whether this is a machine of its own.
pub(crate) fn machine(system: &System) -> Finding {
    let container = container(system);
    let inside = container.map_or_else(String::new, |engine| format!(", in a container of {engine}"));
    match hypervisor(system) {
        Some(Some(kind)) => Finding::warning(
            NAME,
            format!("a virtual machine ({kind}){inside}"),
            "other guests share the CPU and its caches, and siblings and counters may be hidden",
            Remedy::advice("for figures to publish, measure on a machine of your own"),
        ),
        Some(None) => Finding::ok(NAME, format!("no virtual machine{inside}")),
        None => Finding::unknown(NAME, format!("not known whether it is a virtual machine{inside}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{AMD_SERVER, ARM, CONTAINER, FakeSystem, INTEL_LAPTOP};

    #[test]
    fn virtual_machines_and_containers_are_recognised() {
        let found = |files| machine(FakeSystem::new(files).system()).found;
        assert_eq!(found(INTEL_LAPTOP), "no virtual machine");
        assert_eq!(found(AMD_SERVER), "no virtual machine");
        assert_eq!(
            found(CONTAINER),
            "a virtual machine (the CPU's flag `hypervisor`), in a container of Docker"
        );
        assert_eq!(found(ARM), "not known whether it is a virtual machine");
        assert_eq!(found(&[("/sys/class/dmi/id/sys_vendor", "QEMU\n")]), "a virtual machine (QEMU)");
        assert_eq!(
            found(&[("/proc/self/cgroup", "0::/kubepods/x\n"), ("/sys/hypervisor/type", "xen\n")]),
            "a virtual machine (xen), in a container of Kubernetes"
        );
    }
}
