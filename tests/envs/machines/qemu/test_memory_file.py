"""Memory files: sparse copies, and the pages that a process has written."""

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
    write_private_pages,
)
from pptarena.errors import HostError, MachineLostError

PAGE = os.sysconf("SC_PAGE_SIZE")
PAGES = 1024
WRITTEN_PAGES = (0, 3, 4, 5, 700, PAGES - 1)

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


def file_content() -> bytearray:
    """Return the content of the file: 64 pages of data, and a hole."""
    data = bytearray(PAGES * PAGE)
    for number in range(64):
        data[number * PAGE : (number + 1) * PAGE] = bytes([number]) * PAGE
    return data


def process_memory() -> bytes:
    """Return the memory of the process."""
    data = file_content()
    for number in WRITTEN_PAGES:
        data[number * PAGE + 7] = 0xEE
    return bytes(data)


def make_source(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    new_memory(path, PAGES * PAGE)
    with open(path, "r+b") as file:
        file.write(file_content()[: 64 * PAGE])
    return path


def start(path: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", CHILD, str(path), str(PAGE), " ".join(map(str, WRITTEN_PAGES))]
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
def source_fd(source: Path) -> Iterator[int]:
    descriptor = os.open(source, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def allocated(path: Path) -> int:
    return path.stat().st_blocks * 512


@pytest.mark.parametrize("deleted", [False, True])
def test_copy_with_private_pages_equals_the_memory(
    source: Path, source_fd: int, process: "subprocess.Popen[str]", tmp_path: Path, deleted: bool
) -> None:
    if deleted:
        source.unlink()
    target = tmp_path / "copy"
    clone_memory(source_fd, target)
    assert target.read_bytes() == file_content()
    assert write_private_pages(process.pid, source_fd, target) == len(WRITTEN_PAGES) * PAGE
    assert target.read_bytes() == process_memory()
    assert target.stat().st_mode & 0o777 == 0o600
    assert allocated(target) <= (64 + len(WRITTEN_PAGES) + 8) * PAGE, "a hole was filled"


def test_private_pages_can_be_written_to_the_source(
    source: Path, source_fd: int, process: "subprocess.Popen[str]"
) -> None:
    write_private_pages(process.pid, source_fd, source)
    assert source.read_bytes() == process_memory()


def test_source_path_may_contain_a_symlink(tmp_path: Path) -> None:
    source = make_source(tmp_path / "real/memory")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    target = tmp_path / "copy"
    descriptor = os.open(tmp_path / "link/memory", os.O_RDONLY)
    with start(tmp_path / "link/memory") as process:
        clone_memory(descriptor, target)
        write_private_pages(process.pid, descriptor, target)
        process.kill()
    os.close(descriptor)
    assert target.read_bytes() == process_memory()
    assert source.read_bytes() == file_content()


def test_dead_or_unrelated_process_is_lost(tmp_path: Path) -> None:
    source = make_source(tmp_path / "memory")
    target = tmp_path / "copy"
    new_memory(target, PAGES * PAGE)
    descriptor = os.open(source, os.O_RDONLY)
    with pytest.raises(MachineLostError, match="does not map"):
        write_private_pages(os.getpid(), descriptor, target)
    with start(source) as process:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # exited, not reaped
        with pytest.raises(MachineLostError):
            write_private_pages(process.pid, descriptor, target)
    with pytest.raises(MachineLostError):
        write_private_pages(process.pid, descriptor, target)
    os.close(descriptor)


def test_process_dying_during_the_copy_is_detected(tmp_path: Path) -> None:
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
            with pytest.raises(MachineLostError, match="was lost"):
                list(memory_file._private_ranges(pagemap.fileno(), mapping))
            with pytest.raises(MachineLostError):
                memory_file._transfer(
                    memory.fileno(), mapping.start, mapping.start + PAGE, descriptor, mapping
                )
    os.close(descriptor)


@pytest.mark.parametrize("problem", [errno.EXDEV, errno.EOPNOTSUPP])
def test_copy_between_file_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: int
) -> None:
    def refuse(*_: int) -> int:
        raise OSError(problem, os.strerror(problem))

    monkeypatch.setattr(memory_file, "_FICLONE", 0)
    monkeypatch.setattr(os, "copy_file_range", refuse)
    descriptor = os.open(make_source(tmp_path / "memory"), os.O_RDONLY)
    clone_memory(descriptor, tmp_path / "copy")
    os.close(descriptor)
    assert (tmp_path / "copy").read_bytes() == file_content()
    assert allocated(tmp_path / "copy") <= 72 * PAGE


def test_write_errors_are_reported(tmp_path: Path) -> None:
    descriptor = os.open(make_source(tmp_path / "memory"), os.O_RDONLY)
    with pytest.raises(HostError, match=r"cannot write .*PPTARENA_HOME"):
        clone_memory(descriptor, tmp_path / "none/copy")
    with pytest.raises(HostError, match="cannot write"):
        new_memory(tmp_path / "memory", PAGE)
    os.close(descriptor)
    require_space(tmp_path, 1)
    with pytest.raises(HostError, match="no space left"):
        require_space(tmp_path, 2**62)


def test_stopped_process_is_not_lost(tmp_path: Path) -> None:
    """Memory of a stopped process can be read; only an exited process is lost."""
    source = make_source(tmp_path / "memory")
    descriptor = os.open(source, os.O_RDONLY)
    with start(source) as process:
        for number in range(2):
            target = tmp_path / f"copy-{number}"
            clone_memory(descriptor, target)
            write_private_pages(process.pid, descriptor, target)
            assert target.read_bytes() == process_memory()
        process.send_signal(signal.SIGKILL)
    os.close(descriptor)
