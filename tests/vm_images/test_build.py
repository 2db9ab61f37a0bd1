"""Builds with stand-ins for mmdebstrap and pip; see conftest.py."""

import os
import signal
from pathlib import Path

import pytest
from tests.vm_images.programs import Programs, ends_soon, ignore, names, python, wait_for_pid

from pptarena.errors import HostError, ImageError
from pptarena.files import MARK, Folder
from pptarena.vm_images import build, find_image, require_image
from pptarena.vm_images.guest import clock
from pptarena.vm_images.native_libraries import NATIVE_LIBRARIES
from pptarena.vm_images.recipe import load_recipe

pytestmark = pytest.mark.slow

CODE = """
from pptarena.vm_images import build
build.IMAGE_BYTES = build.SCRATCH_BYTES = 0
print(build.build_image(lambda stage: print(stage, flush=True)).hash)
"""
HANG = 'echo $$ > "$FAKES/pid"\nsleep 300\ntrue'


def test_build_creates_the_image_and_reports_its_stages(fakes: Programs, home: Path) -> None:
    stages: list[str] = []
    image = build.build_image(stages.append)
    assert image == require_image()
    assert "unpacking packages" in stages
    assert names(home) == {load_recipe().hash}
    assert {entry.name for entry in image.folder.iterdir()} == {MARK, "root", "manifest.json"}
    assert image.versions["libreoffice-impress"] == "1.0"
    assert image.versions["pyautogui"] == "0.9.54"
    assert image.size_bytes > 0
    assert image.created.endswith("+00:00")
    libraries = image.root / clock.NATIVE.relative_to("/")
    assert {entry.name for entry in libraries.iterdir()} == set(NATIVE_LIBRARIES)


def test_padding_after_the_archive_is_read(fakes: Programs) -> None:
    # Without a reader, the late bytes would end mmdebstrap by a broken pipe.
    fakes.write("mmdebstrap", 'tar -C "$FAKES/tree" -c .\nsleep 0.3\nhead -c 1000000 /dev/zero')
    assert build.build_image(ignore) == require_image()


def test_existing_image_is_rebuilt_only_by_force(fakes: Programs) -> None:
    first = build.build_image(ignore)
    assert build.build_image(ignore) == first
    assert fakes.runs() == 2  # the root filesystem, and that of the compiler
    build.build_image(ignore, force=True)
    assert fakes.runs() == 4


def test_damaged_image_is_rebuilt(fakes: Programs, home: Path) -> None:
    image = build.build_image(ignore)
    (image.folder / "manifest.json").unlink()
    (image.folder / "old").touch()
    stages: list[str] = []
    build.build_image(stages.append)
    assert any("damaged" in stage for stage in stages)
    assert not (image.folder / "old").exists()
    assert names(home) == {load_recipe().hash}


FAILURES = {
    "end of output": (
        "seq 100 >&2; echo 'E: broken' >&2; exit 25",
        ["code 25", "100", "E: broken"],
    ),
    "no network": (
        "echo \"Err:1 Temporary failure resolving 'mirror.example'\" >&2; exit 1",
        ["no network", "http_proxy"],
    ),
    "disk full": (
        'echo "E: You don\'t have enough free space in /var/cache/apt" >&2; exit 1',
        ["disk is full"],
    ),
    "no user ids": (
        "echo 'E: no entry in /etc/subuid for nobody' >&2; exit 1",
        ["usermod --add-subuids"],
    ),
    "no keys": ("echo 'E: The repository is not signed.' >&2; exit 1", ["debian-archive-keyring"]),
    "half a stream": ('tar -C "$FAKES/tree" -c . | head -c 1500', ["lacks"]),
    "no stream": ("exit 0", ["tar"]),
    "no packages": ('mkdir "$FAKES/none"; tar -C "$FAKES/none" -c .', ["lacks", "xvfb"]),
}


@pytest.mark.parametrize(("script", "messages"), FAILURES.values(), ids=FAILURES)
def test_failure_is_explained_and_leaves_no_files(
    fakes: Programs, home: Path, script: str, messages: list[str]
) -> None:
    fakes.write("mmdebstrap", script)
    with pytest.raises(ImageError) as caught:
        build.build_image(ignore)
    assert [text for text in messages if text not in str(caught.value)] == []
    assert "\n42\n" not in str(caught.value)  # the end of the output, not all of it
    assert names(home) == set()


def test_missing_compiler_output_fails_the_build(fakes: Programs, home: Path) -> None:
    (fakes.folder / "tree/usr/lib/pptarena/observer.so").unlink()
    with pytest.raises(ImageError, match=r"produced no observer\.so"):
        build.build_image(ignore)
    assert names(home) == set()


def test_failed_rebuild_keeps_the_image(fakes: Programs) -> None:
    image = build.build_image(ignore)
    fakes.write("mmdebstrap", "exit 1")
    with pytest.raises(ImageError):
        build.build_image(ignore, force=True)
    assert find_image() == image


def test_full_disk_while_unpacking_fails_the_build(fakes: Programs, home: Path) -> None:
    # tar ends immediately; mmdebstrap still has megabytes to write and must not wait forever.
    fakes.write("mmdebstrap", "head -c 5000000 /dev/zero")
    fakes.write("tar", "echo 'tar: ./usr/x: Cannot write: No space left on device' >&2; exit 2")
    with pytest.raises(ImageError, match="disk is full"):
        build.build_image(ignore)
    assert names(home) == set()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("NewConnectionError: Failed to establish a new connection", "no network"),
        ("No module named pip", "ensurepip"),
        ("ERROR: something else", "something else"),
    ],
)
def test_pip_failure_is_explained(
    fakes: Programs, home: Path, monkeypatch: pytest.MonkeyPatch, error: str, message: str
) -> None:
    monkeypatch.setenv("FAKE_PIP_ERROR", error)
    with pytest.raises(ImageError, match=message):
        build.build_image(ignore)
    assert fakes.runs() == 0
    assert names(home) == set()


def test_binary_wheel_is_rejected(fakes: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_TAG", "cp311-cp311-linux_x86_64")
    with pytest.raises(ImageError, match="pure Python"):
        build.build_image(ignore)


def test_missing_programs_are_named_with_an_install_command(
    fakes: Programs, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match="sudo apt-get install mmdebstrap tar"):
        build.build_image(ignore)
    assert not home.exists()


@pytest.mark.parametrize("limit", ["IMAGE_BYTES", "SCRATCH_BYTES"])
def test_insufficient_disk_space_is_an_error(
    fakes: Programs, home: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(build, limit, 2**70)
    with pytest.raises(HostError, match=r"GiB free in .*; free some or set (PPTARENA_HOME|TMPDIR)"):
        build.build_image(ignore)
    assert fakes.runs() == 0
    assert names(home) == set()


def test_unwritable_home_is_an_error(
    fakes: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "file"))
    with pytest.raises(ImageError, match=r"cannot write the image to .*file"):
        build.build_image(ignore)


def test_concurrent_builds_build_once(fakes: Programs) -> None:
    fakes.write("mmdebstrap", 'sleep 1; exec tar -C "$FAKES/tree" -c .')
    with python(CODE) as one, python(CODE) as two:
        outputs = sorted((one.communicate(timeout=60)[0], two.communicate(timeout=60)[0]))
    assert (one.returncode, two.returncode) == (0, 0)
    assert fakes.runs() == 2
    assert "waiting for another build to end" in "".join(outputs)
    assert [output.split()[-1] for output in outputs] == [load_recipe().hash] * 2


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_build_leaves_no_image_and_no_process(
    fakes: Programs, home: Path, number: signal.Signals
) -> None:
    fakes.write("mmdebstrap", HANG)
    with python(CODE) as interrupted:
        hanging_pid = wait_for_pid(fakes.folder / "pid")
        os.kill(interrupted.pid, number)
        interrupted.communicate(timeout=60)
    assert interrupted.returncode != 0
    assert find_image() is None
    assert ends_soon(hanging_pid)
    if number == signal.SIGINT:
        assert names(home) == set()

    fakes.write("mmdebstrap", 'exec tar -C "$FAKES/tree" -c .')
    assert build.build_image(ignore) == require_image()
    assert names(home) == {load_recipe().hash}


def test_leftovers_of_an_older_build_are_removed(fakes: Programs, home: Path) -> None:
    (home / ".building-old" / "root").mkdir(parents=True)
    (home / ".building-old" / "root").chmod(0o500)
    (home / ".building-foreign" / "thesis").mkdir(parents=True)
    with Folder(home / ".building-old") as old:
        old.mark("build")
    build.build_image(ignore)
    assert names(home) == {load_recipe().hash, ".building-foreign"}
