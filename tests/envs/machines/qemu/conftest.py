"""Tiny virtual machines: real QEMU without the machine image."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pptarena.envs.machines.qemu.hardware import Hardware
from pptarena.envs.machines.qemu.memory_file import new_memory
from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.qemu.program import find_qemu
from pptarena.envs.machines.qemu.vm_state import VmState
from pptarena.errors import HostError

MEMORY_BYTES = 64 * 2**20
PATTERN_AT, PATTERN = 0x1000, b"\xef\xbe" * 0x4000
COUNTER_AT, LOOP_AT = 0x500, 0x600
START_SEC = 30.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """Set a private cache folder, unless the test needs the image."""
    if request.node.get_closest_marker("image") is None:
        monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def qemu() -> str:
    """The path of a supported QEMU."""
    try:
        return find_qemu()
    except HostError as error:
        pytest.skip(str(error))


def counting_rom() -> bytes:
    """Return a ROM that fills 32 KiB of memory with a pattern and then counts forever.

    The counting program runs in memory because the ROM is empty after a restore.
    """
    counter = COUNTER_AT.to_bytes(2, "little")
    loop = (0x66, 0xFF, 0x06, *counter, 0xEB, 0xF9)  # inc dword [counter]; jmp to the inc
    code = [
        *(0x31, 0xC0, 0x8E, 0xD8, 0x8E, 0xC0),  # ax, ds, es = 0
        *(0xBF, *PATTERN_AT.to_bytes(2, "little"), 0xB9, 0x00, 0x40),  # mov di, cx
        *(0xB8, *PATTERN[:2], 0xF3, 0xAB),  # mov ax; rep stosw
    ]
    for address, byte in enumerate(loop, LOOP_AT):
        code += (0xC6, 0x06, *address.to_bytes(2, "little"), byte)  # mov byte [address], byte
    code += (0xEA, *LOOP_AT.to_bytes(2, "little"), 0x00, 0x00)  # jmp 0:loop
    rom = bytearray(b"\xf4" * 0x10000)
    rom[0xFF00 : 0xFF00 + len(code)] = bytes(code)
    rom[0xFFF0:0xFFF3] = bytes((0xE9, *((0xFF00 - 0xFFF3) % 2**16).to_bytes(2, "little")))
    return bytes(rom)


class Bare:
    """Boots virtual machines with a ROM and an empty disk.

    Args:
        program: The path of QEMU.
        folder: The folder for their files.
    """

    def __init__(self, program: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.rom = folder / "rom"
        self.rom.write_bytes(counting_rom())
        disk = folder / "disk"
        disk.write_bytes(bytes(2**20))
        self.hardware = Hardware(program, "tcg", disk, MEMORY_BYTES, 1)
        self.stack = ExitStack()

    def boot(self, *options: str, timeout_sec: float = START_SEC) -> VirtualMachine:
        """Boot a machine, which is stopped at the end of the test."""
        memory = self.folder / f"memory-{len(list(self.folder.iterdir()))}"
        new_memory(memory, MEMORY_BYTES)
        arguments = ["-bios", str(self.rom), "-serial", "null", *options]
        machine = VirtualMachine(self.hardware, memory, arguments, timeout_sec)
        self.stack.callback(machine.stop)
        return machine

    def resume(self, state: VmState) -> VirtualMachine:
        """Resume a machine from a saved state; it is stopped at the end of the test."""
        arguments = ["-bios", str(self.rom), *Hardware.resume(state.devices)]
        machine = VirtualMachine(self.hardware, state.memory, arguments, START_SEC)
        self.stack.callback(machine.stop)
        return machine


@pytest.fixture
def make_bare(qemu: str, tmp_path: Path) -> Iterator[Callable[[str], Bare]]:
    """Return a function that returns `Bare` in a folder of that name."""
    with ExitStack() as stack:

        def make(name: str) -> Bare:
            bare = Bare(qemu, tmp_path / name)
            stack.enter_context(bare.stack)
            return bare

        yield make


@pytest.fixture
def bare(make_bare: Callable[[str], Bare]) -> Bare:
    """`Bare` in an ordinary folder."""
    return make_bare("bare")
