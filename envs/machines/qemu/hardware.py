"""The virtual hardware, as QEMU's command line.

All machines of one image have the same hardware, since saved states are only compatible with the
same hardware. There is no network card, no graphics card (the screen is Xvfb inside the guest) and
no writable disk: files that a guest writes are in its memory and vanish with it.
"""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Hardware"]

GUEST_PORT = "org.pptarena.guest"
_CPU = {
    # Emulation is a quarter faster if programs cannot select the wide vector instructions of newer
    # CPU models.
    "tcg": "Nehalem",
    "kvm": "host",
}
_ACCELERATOR = {"tcg": "tcg,thread=multi,tb-size=256", "kvm": "kvm"}
_KERNEL_COMMAND_LINE = (
    "console=ttyS0 quiet panic=-1 mitigations=off nowatchdog random.trust_cpu=on "
    "transparent_hugepage=never"  # a write to a huge page would copy all of it in every fork
)


@dataclass(frozen=True, slots=True)
class Hardware:
    """The hardware of one virtual machine.

    Attributes:
        program: The QEMU program.
        accelerator: ``"kvm"`` or ``"tcg"``.
        disk: Read-only root filesystem, a raw squashfs.
        memory_bytes: Memory size.
        cpus: Number of CPUs.
    """

    program: str
    accelerator: str
    disk: Path
    memory_bytes: int
    cpus: int

    def state_dependencies(self) -> tuple[str, ...]:
        """Return everything a saved state depends on, besides the contents of the disk."""
        command = self.command(Path("memory"), guest=0, monitor=0)
        return tuple(
            word.replace(str(self.disk), "disk") for word in (*command, _KERNEL_COMMAND_LINE)
        )

    def command(self, memory: Path, guest: int, monitor: int) -> list[str]:
        """Return the command line.

        Args:
            memory: File that holds the memory; it is mapped privately and never written.
            guest: Descriptor of the socket to the guest program.
            monitor: Descriptor of the socket of QEMU's monitor.
        """
        size = self.memory_bytes
        backend = f"memory-backend-file,id=ram,mem-path={_escape(memory)},size={size},share=off"
        return [
            *(self.program, "-nodefaults", "-no-user-config", "-name", "pptarena"),
            *("-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny"),
            *("-display", "none", "-vga", "none", "-nic", "none", "-no-reboot"),
            *("-accel", _ACCELERATOR[self.accelerator], "-cpu", _CPU[self.accelerator]),
            *("-smp", str(self.cpus), "-m", f"{size // 2**20}M", "-object", backend),
            *("-machine", "q35,memory-backend=ram,usb=off,smm=off,vmport=off,suppress-vmdesc=on"),
            *("-rtc", "base=utc,clock=vm", "-global", "migration.send-configuration=off"),
            *("-drive", f"if=none,id=root,file={_escape(self.disk)},format=raw,readonly=on"),
            *("-device", "virtio-blk-pci,drive=root", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=guest,fd={guest}"),
            *("-device", f"virtserialport,chardev=guest,name={GUEST_PORT}"),
            *("-chardev", f"socket,id=monitor,fd={monitor}", "-mon", "monitor,mode=control"),
        ]

    @staticmethod
    def boot(kernel: Path, initrd: Path, console: Path) -> list[str]:
        """Return the additional arguments to boot a machine.

        Args:
            kernel: The kernel.
            initrd: The initial file system, with the guest program.
            console: Log file of kernel and guest program.
        """
        return [
            *("-kernel", str(kernel), "-initrd", str(initrd), "-append", _KERNEL_COMMAND_LINE),
            *("-serial", f"file:{_escape(console)}"),
        ]

    @staticmethod
    def resume(devices: Path) -> list[str]:
        """Return the additional arguments to resume a saved state.

        Args:
            devices: File with the state of the devices.
        """
        return ["-serial", "null", "-incoming", f"file:{devices}"]  # commas need no escaping here


def _escape(path: Path) -> str:
    return str(path).replace(",", ",,")
