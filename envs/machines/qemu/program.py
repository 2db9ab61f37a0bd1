"""The QEMU program of this computer, and whether it can use hardware virtualization."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pptarena.errors import ConfigError, HostError
from pptarena.spawner import parent_death_prefix

__all__ = [
    "INSTALL_QEMU",
    "MIN_QEMU",
    "Accelerator",
    "choose_accelerator",
    "find_qemu",
    "kvm_works",
    "qemu_version",
]

MIN_QEMU = (10, 0)
"""Oldest version of QEMU that emulates this image's kernel correctly."""

_PROGRAM = "qemu-system-x86_64"
INSTALL_QEMU = (
    "sudo apt-get install qemu-system-x86 (Debian 12: sudo apt-get install -t bookworm-backports "
    "qemu-system-x86)"
)
"""The command that installs a recent enough QEMU."""

_INSTALL_HINT = f"install it with: {INSTALL_QEMU}"
_KVM = Path("/dev/kvm")
_VERSION_SEC = 20.0
_PROBE_SEC = 3.0
_PROBE_PORT = 0xF4
_PROBE_VALUE = 0x10
_PROBE_ITERATIONS = 200_000_000  # a tenth of a second on hardware, minutes in KVM's own emulator
_ROM_BYTES = 64 * 1024
_CODE_OFFSET = 0xFF00
_RESET_VECTOR = 0xFFF0  # x86 CPUs start 16 bytes below the end of the ROM


@dataclass(frozen=True, slots=True)
class Accelerator:
    """The accelerator of guests.

    Attributes:
        name: ``"kvm"`` or ``"tcg"`` (emulation).
        reason: Why it was selected.
    """

    name: str
    reason: str


def find_qemu() -> str:
    """Return the path of a recent enough QEMU.

    It is ``$PPTARENA_QEMU``, by default ``qemu-system-x86_64`` on the search path.

    Raises:
        HostError: If QEMU is missing or too old; the message describes how to install it.
    """
    name = os.environ.get("PPTARENA_QEMU") or _PROGRAM
    program = shutil.which(name)
    if program is None:
        raise HostError(f"{name} is missing; {_INSTALL_HINT}")
    version = qemu_version(program)
    if version < MIN_QEMU:
        raise HostError(
            f"expected QEMU {MIN_QEMU[0]}.{MIN_QEMU[1]} or newer, {program} is "
            f"{'.'.join(map(str, version))}; {_INSTALL_HINT}"
        )
    return program


@cache
def qemu_version(program: str) -> tuple[int, ...]:
    """Return the version of a QEMU program, such as ``(10, 0, 2)``.

    Raises:
        HostError: If its version cannot be determined.
    """
    try:
        output = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_VERSION_SEC,
            check=True,
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError) as error:
        raise HostError(f"{program} does not run: {error}; {_INSTALL_HINT}") from error
    match = re.search(r"version (\d+(?:\.\d+)*)", output)
    if match is None:
        raise HostError(
            f"expected {program} to be QEMU, got the output {output[:80]!r}; {_INSTALL_HINT}"
        )
    return tuple(int(part) for part in match[1].split("."))


def choose_accelerator(requested: str, program: str) -> Accelerator:
    """Return the accelerator for guests on this computer.

    Args:
        requested: ``"auto"``, ``"kvm"`` or ``"tcg"``.
        program: The QEMU program.

    Raises:
        HostError: If KVM is requested and does not work here.
        ConfigError: If the accelerator is unknown.
    """
    if requested == "tcg":
        return Accelerator("tcg", "requested")
    if requested not in ("auto", "kvm"):
        raise ConfigError(f"expected accelerator to be 'auto', 'kvm' or 'tcg', got {requested!r}")
    works, reason = kvm_works(program)
    if works:
        return Accelerator("kvm", reason)
    if requested == "kvm":
        raise HostError(f"KVM does not work here: {reason}; use accelerator='tcg', or 'auto'")
    return Accelerator("tcg", reason)


@cache
def kvm_works(program: str) -> tuple[bool, str]:
    """Run a tiny guest under KVM; return whether it worked and, if not, why.

    Even if ``/dev/kvm`` can be opened and creates virtual machines, guests may not run, or may be
    emulated instruction by instruction. The result is cached for this process.
    """
    if not _KVM.exists():
        return False, "there is no /dev/kvm"
    if not os.access(_KVM, os.R_OK | os.W_OK):
        return False, "/dev/kvm may not be opened; add this user to the group kvm"
    try:
        with tempfile.TemporaryDirectory(prefix="pptarena-kvm-") as folder:
            rom = Path(folder, "rom")
            rom.write_bytes(_probe_rom())
            result = subprocess.run(
                [*parent_death_prefix(), *_probe_command(program, rom)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PROBE_SEC,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return (
            False,
            f"a probe did not end within {_PROBE_SEC:g} s under KVM, although /dev/kvm exists",
        )
    except (OSError, HostError) as error:
        return False, f"the probe of KVM cannot be run: {error}"
    if result.returncode == (
        _PROBE_VALUE << 1 | 1
    ):  # isa-debug-exit's encoding of the written value
        return True, "a probe ran under KVM"
    errors = result.stderr.decode("utf-8", "replace").strip().splitlines()
    return False, errors[-1] if errors else f"the probe ended with code {result.returncode}"


def _probe_command(program: str, rom: Path) -> list[str]:
    return [
        *(program, "-nodefaults", "-no-user-config", "-display", "none", "-vga", "none"),
        *("-nic", "none", "-M", "pc", "-accel", "kvm", "-m", "16", "-bios", str(rom)),
        *("-no-reboot", "-device", f"isa-debug-exit,iobase={_PROBE_PORT:#x},iosize=4"),
    ]


def _probe_rom() -> bytes:
    """Return a ROM that counts down and then writes the value that makes QEMU exit."""
    code = (
        *(0x66, 0xB9, *_PROBE_ITERATIONS.to_bytes(4, "little")),  # mov ecx, turns
        *(0x66, 0x49, 0x75, 0xFC),  # dec ecx; jnz to the dec
        *(0xB0, _PROBE_VALUE, 0xE6, _PROBE_PORT, 0xF4),  # mov al, value; out port, al; hlt
    )
    rom = bytearray(b"\xf4" * _ROM_BYTES)
    rom[_CODE_OFFSET : _CODE_OFFSET + len(code)] = bytes(code)
    jump = (_CODE_OFFSET - (_RESET_VECTOR + 3)) % 2**16
    rom[_RESET_VECTOR : _RESET_VECTOR + 3] = bytes((0xE9, *jump.to_bytes(2, "little")))  # jmp
    return bytes(rom)
