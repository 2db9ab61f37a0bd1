"""The virtual computer: what it is made of, as QEMU's command line says it.

Every machine of one image has the same parts, or a kept state of one would not fit another. There
is no network card, no graphics card (the screen is Xvfb's, inside) and no disk that can be written:
what a guest writes lies in its memory, and goes with it.
"""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Hardware"]

GUEST_PORT = "org.pptarena.guest"
WATCH_PORT = "org.pptarena.watch"
_CPU = {
    # Emulation is a quarter faster without the wide vector instructions of newer models, which
    # programs then do not choose.
    "tcg": "Nehalem",
    "kvm": "host",
}
_ACCELERATOR = {"tcg": "tcg,thread=multi,tb-size=256", "kvm": "kvm"}
_KERNEL_LINE = (
    "console=ttyS0 quiet panic=-1 mitigations=off nowatchdog random.trust_cpu=on "
    "transparent_hugepage=never"  # a large page that is written to is copied whole, in every fork
)


@dataclass(frozen=True, slots=True)
class Hardware:
    """One virtual computer.

    Attributes:
        program: The QEMU program.
        accelerator: ``"kvm"`` or ``"tcg"``.
        disk: Read-only root filesystem, a raw squashfs.
        memory_bytes: Size of its memory.
        cpus: Number of processors.
    """

    program: str
    accelerator: str
    disk: Path
    memory_bytes: int
    cpus: int

    def facts(self) -> tuple[str, ...]:
        """Return what a kept state depends on, besides the contents of the disk."""
        command = self.command(Path("memory"), guest=0, monitor=0)
        return tuple(word.replace(str(self.disk), "disk") for word in (*command, _KERNEL_LINE))

    def command(
        self, memory: Path, guest: int, monitor: int, watch: int | None = None
    ) -> list[str]:
        """Return the command line.

        Args:
            memory: File that holds its memory; it is mapped privately and never written.
            guest: Descriptor of the socket to the guest program.
            monitor: Descriptor of the socket of QEMU's monitor.
            watch: Descriptor of the socket to viewers of the screen, if any may look.
        """
        size = self.memory_bytes
        backend = f"memory-backend-file,id=ram,mem-path={_escaped(memory)},size={size},share=off"
        return [
            *(self.program, "-nodefaults", "-no-user-config", "-name", "pptarena"),
            *("-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny"),
            *("-display", "none", "-vga", "none", "-nic", "none", "-no-reboot"),
            *("-accel", _ACCELERATOR[self.accelerator], "-cpu", _CPU[self.accelerator]),
            *("-smp", str(self.cpus), "-m", f"{size // 2**20}M", "-object", backend),
            *("-machine", "q35,memory-backend=ram,usb=off,smm=off,vmport=off,suppress-vmdesc=on"),
            *("-rtc", "base=utc,clock=vm", "-global", "migration.send-configuration=off"),
            *("-drive", f"if=none,id=root,file={_escaped(self.disk)},format=raw,readonly=on"),
            *("-device", "virtio-blk-pci,drive=root", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=guest,fd={guest}"),
            *("-device", f"virtserialport,chardev=guest,name={GUEST_PORT}"),
            *("-chardev", _watch_channel(watch)),
            *("-device", f"virtserialport,chardev=watch,name={WATCH_PORT}"),
            *("-chardev", f"socket,id=monitor,fd={monitor}", "-mon", "monitor,mode=control"),
        ]

    @staticmethod
    def boot(kernel: Path, initrd: Path, console: Path) -> list[str]:
        """Return what the command line has besides when the computer is switched on.

        Args:
            kernel: The kernel.
            initrd: Its initial file system, with the guest program.
            console: File for what kernel and guest program say.
        """
        return [
            *("-kernel", str(kernel), "-initrd", str(initrd), "-append", _KERNEL_LINE),
            *("-serial", f"file:{_escaped(console)}"),
        ]

    @staticmethod
    def resume(devices: Path) -> list[str]:
        """Return what the command line has besides when the computer goes on from a kept state.

        Args:
            devices: File with the state of its devices.
        """
        return ["-serial", "null", "-incoming", f"file:{devices}"]  # commas are not special here


def _watch_channel(watch: int | None) -> str:
    return "null,id=watch" if watch is None else f"socket,id=watch,fd={watch}"


def _escaped(path: Path) -> str:
    return str(path).replace(",", ",,")
