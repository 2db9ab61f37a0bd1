"""Virtual computers of a few bytes: real QEMU, no machine image."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pptarena.envs.machines.qemu.hardware import Hardware
from pptarena.envs.machines.qemu.kept import KeptState
from pptarena.envs.machines.qemu.memory_file import new_memory
from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.qemu.program import find_qemu
from pptarena.errors import HostError

MEMORY_BYTES = 64 * 2**20
PATTERN_AT, PATTERN = 0x1000, b"\xef\xbe" * 0x4000
COUNTER_AT, LOOP_AT = 0x500, 0x600
START_SEC = 30.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """Keep snapshots and checkpoints away from the user's own, where no image is needed."""
    if request.node.get_closest_marker("image") is None:
        monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def qemu() -> str:
    """A QEMU that is new enough."""
    try:
        return find_qemu()
    except HostError as error:
        pytest.skip(str(error))


def counting_rom() -> bytes:
    """Return a ROM that fills 32 KiB of memory with a pattern, and then counts for ever.

    It counts by a program in memory: after a restore, the ROM is empty.
    """
    counter = COUNTER_AT.to_bytes(2, "little")
    loop = (0x66, 0xFF, 0x06, *counter, 0xEB, 0xF9)  # inc dword [counter]; jmp to the inc
    code = [
        *(0x31, 0xC0, 0x8E, 0xD8, 0x8E, 0xC0),  # ax, ds, es = 0
        *(0xBF, *PATTERN_AT.to_bytes(2, "little"), 0xB9, 0x00, 0x40),  # mov di, cx
        *(0xB8, *PATTERN[:2], 0xF3, 0xAB),  # mov ax; rep stosw
    ]
    for place, byte in enumerate(loop, LOOP_AT):
        code += (0xC6, 0x06, *place.to_bytes(2, "little"), byte)  # mov byte [place], byte
    code += (0xEA, *LOOP_AT.to_bytes(2, "little"), 0x00, 0x00)  # jmp 0:loop
    rom = bytearray(b"\xf4" * 0x10000)
    rom[0xFF00 : 0xFF00 + len(code)] = bytes(code)
    rom[0xFFF0:0xFFF3] = bytes((0xE9, *((0xFF00 - 0xFFF3) % 2**16).to_bytes(2, "little")))
    return bytes(rom)


class Bare:
    """Makes virtual computers that have a ROM, an empty disk and nothing else.

    Args:
        program: QEMU.
        folder: For their files.
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

    def boot(self, *more: str, timeout_sec: float = START_SEC) -> VirtualMachine:
        """Start one from nothing; it is stopped at the end of the test."""
        memory = self.folder / f"memory-{len(list(self.folder.iterdir()))}"
        new_memory(memory, MEMORY_BYTES)
        words = ["-bios", str(self.rom), "-serial", "null", *more]
        machine = VirtualMachine(self.hardware, memory, words, timeout_sec)
        self.stack.callback(machine.stop)
        return machine

    def resume(self, state: KeptState) -> VirtualMachine:
        """Start one from a kept state; it is stopped at the end of the test."""
        words = ["-bios", str(self.rom), *Hardware.resume(state.devices)]
        machine = VirtualMachine(self.hardware, state.memory, words, START_SEC)
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
