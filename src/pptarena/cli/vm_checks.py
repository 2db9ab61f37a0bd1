"""What a computer needs for virtual machines besides; without it, the sandbox serves."""

from pptarena.cli.finding import Finding, Status
from pptarena.errors import HostError, ImageError

__all__ = ["disk", "kvm", "qemu"]


def qemu() -> Finding:
    """Look for a QEMU that is new enough."""
    from pptarena.envs.machines.qemu.program import INSTALL_QEMU, find_qemu, qemu_version

    try:
        program = find_qemu()
        version = ".".join(map(str, qemu_version(program)))
    except HostError as error:
        return Finding("qemu", Status.WARNING, f"no virtual machines: {error}", INSTALL_QEMU)
    return Finding("qemu", Status.OK, f"{version}, {program}")


def kvm() -> Finding:
    """Run a tiny guest under KVM."""
    from pptarena.envs.machines.qemu.program import INSTALL_QEMU, find_qemu, kvm_works

    try:
        works, why = kvm_works(find_qemu())
    except HostError:
        return Finding("kvm", Status.WARNING, "cannot be tried without QEMU", INSTALL_QEMU)
    if works:
        return Finding("kvm", Status.OK, why)
    detail = f"{why}; virtual machines are emulated, 10 to 30 times slower"
    return Finding("kvm", Status.WARNING, detail)


def disk() -> Finding:
    """Look for the disk that virtual machines boot."""
    from pptarena.vm_images.disk import find_disk

    mend = "pptarena image build --vm"
    try:
        found = find_disk()
    except ImageError as error:
        return Finding("vm disk", Status.WARNING, str(error), mend)
    if found is None:
        return Finding("vm disk", Status.WARNING, "it is not built", mend)
    detail = f"{found.hash}, {found.size_bytes / 2**20:.0f} MiB, Linux {found.kernel_version}"
    return Finding("vm disk", Status.OK, detail)
