"""Memory files: copies with holes, and the pages that a process has written since."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.envs.machines.qemu import memory_file
from pptarena.envs.machines.qemu.memory_file import (
    clone_memory,
    new_memory,
    require_space,
    write_own_pages,
)
from pptarena.errors import HostError, MachineLostError

PAGE = os.sysconf("SC_PAGE_SIZE")
PAGES = 1024
OWN = (0, 3, 4, 5, 700, PAGES - 1)

CHILD = textwrap.dedent(
    """
    import mmap, os, signal, sys
    path, page, own = sys.argv[1], int(sys.argv[2]), [int(n) for n in sys.argv[3].split()]
    with open(path, "r+b") as file:
        view = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE)
    assert view[10 * page] == 10       # a page that is only read stays the file's
    for number in own:
        view[number * page + 7] = 0xEE
    print("ready", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
    """
)


def original() -> bytearray:
    """Return what the file holds: the first 64 pages have data, the rest is a hole."""
    data = bytearray(PAGES * PAGE)
    for number in range(64):
        data[number * PAGE : (number + 1) * PAGE] = bytes([number]) * PAGE
    return data


def now() -> bytes:
    """Return what the memory of the process holds."""
    data = original()
    for number in OWN:
        data[number * PAGE + 7] = 0xEE
    return bytes(data)


def make_source(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    new_memory(path, PAGES * PAGE)
    with open(path, "r+b") as file:
        file.write(original()[: 64 * PAGE])
    return path


def start(path: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", CHILD, str(path), str(PAGE), " ".join(map(str, OWN))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.waitpid(process.pid, os.WUNTRACED)
    return process


@pytest.fixture(params=["memory", "two words/a,b", "ü\nbreak\r/(deleted)"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return make_source(tmp_path / str(request.param))


@pytest.fixture
def process(source: Path) -> Iterator["subprocess.Popen[str]"]:
    with start(source) as process:
        yield process
        process.kill()


@pytest.fixture
def opened(source: Path) -> Iterator[int]:
    descriptor = os.open(source, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def allocated(path: Path) -> int:
    return path.stat().st_blocks * 512


@pytest.mark.parametrize("deleted", [False, True])
def test_file_and_own_pages_are_the_memory(
    source: Path, opened: int, process: "subprocess.Popen[str]", tmp_path: Path, deleted: bool
) -> None:
    if deleted:
        source.unlink()
    target = tmp_path / "copy"
    clone_memory(opened, target)
    assert target.read_bytes() == original()
    assert write_own_pages(process.pid, opened, target) == len(OWN) * PAGE
    assert target.read_bytes() == now()
    assert target.stat().st_mode & 0o777 == 0o600
    assert allocated(target) <= (64 + len(OWN) + 8) * PAGE, "a hole was filled"


def test_the_machine_s_own_file_can_take_them(
    source: Path, opened: int, process: "subprocess.Popen[str]"
) -> None:
    write_own_pages(process.pid, opened, source)
    assert source.read_bytes() == now()


def test_the_way_to_the_file_may_be_a_link(tmp_path: Path) -> None:
    source = make_source(tmp_path / "real/memory")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    target = tmp_path / "copy"
    descriptor = os.open(tmp_path / "link/memory", os.O_RDONLY)
    with start(tmp_path / "link/memory") as process:
        clone_memory(descriptor, target)
        write_own_pages(process.pid, descriptor, target)
        process.kill()
    os.close(descriptor)
    assert target.read_bytes() == now()
    assert source.read_bytes() == original()


def test_a_process_that_is_gone_or_maps_something_else(tmp_path: Path) -> None:
    source = make_source(tmp_path / "memory")
    target = tmp_path / "copy"
    new_memory(target, PAGES * PAGE)
    descriptor = os.open(source, os.O_RDONLY)
    with pytest.raises(MachineLostError, match="does not map"):
        write_own_pages(os.getpid(), descriptor, target)
    with start(source) as process:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, not reaped
        with pytest.raises(MachineLostError):
            write_own_pages(process.pid, descriptor, target)
    with pytest.raises(MachineLostError):
        write_own_pages(process.pid, descriptor, target)
    os.close(descriptor)


def test_a_process_that_dies_meanwhile_is_noticed(tmp_path: Path) -> None:
    source = make_source(tmp_path / "memory")
    descriptor = os.open(source, os.O_RDONLY)
    with start(source) as process:
        mapping = memory_file._mappings(process.pid, descriptor)[0]
        with (
            open(f"/proc/{process.pid}/pagemap", "rb", buffering=0) as pagemap,
            open(f"/proc/{process.pid}/mem", "rb", buffering=0) as memory,
        ):
            process.kill()
            process.wait()
            with pytest.raises(MachineLostError, match="went away"):
                list(memory_file._own_runs(pagemap.fileno(), mapping))
            with pytest.raises(MachineLostError):
                memory_file._transfer(
                    memory.fileno(), mapping.start, mapping.start + PAGE, descriptor, mapping
                )
    os.close(descriptor)


@pytest.mark.parametrize("problem", [errno.EXDEV, errno.EOPNOTSUPP])
def test_between_two_file_systems_it_copies_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: int
) -> None:
    def refuse(*_: int) -> int:
        raise OSError(problem, os.strerror(problem))

    monkeypatch.setattr(memory_file, "_FICLONE", 0)
    monkeypatch.setattr(os, "copy_file_range", refuse)
    descriptor = os.open(make_source(tmp_path / "memory"), os.O_RDONLY)
    clone_memory(descriptor, tmp_path / "copy")
    os.close(descriptor)
    assert (tmp_path / "copy").read_bytes() == original()
    assert allocated(tmp_path / "copy") <= 72 * PAGE


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    descriptor = os.open(make_source(tmp_path / "memory"), os.O_RDONLY)
    with pytest.raises(HostError, match=r"cannot write .*PPTARENA_HOME"):
        clone_memory(descriptor, tmp_path / "none/copy")
    with pytest.raises(HostError, match="cannot write"):
        new_memory(tmp_path / "memory", PAGE)
    os.close(descriptor)
    require_space(tmp_path, 1)
    with pytest.raises(HostError, match="no space left"):
        require_space(tmp_path, 2**62)


def test_stopping_is_no_dying(tmp_path: Path) -> None:
    """A process in the stopped state answers; only that it is gone counts."""
    source = make_source(tmp_path / "memory")
    descriptor = os.open(source, os.O_RDONLY)
    with start(source) as process:
        for number in range(2):
            target = tmp_path / f"copy-{number}"
            clone_memory(descriptor, target)
            write_own_pages(process.pid, descriptor, target)
            assert target.read_bytes() == now()
        process.send_signal(signal.SIGKILL)
    os.close(descriptor)
