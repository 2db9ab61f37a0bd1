"""Build the machine image: mmdebstrap makes a root filesystem, a folder keeps it.

The finished image appears by one rename, so an interrupted build leaves none. As root the files
belong to root; without root they are made in a user namespace and kept under the caller's own id.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pptarena.errors import HostError, ImageError
from pptarena.vm_images.image import Image, find_image, image_folder, remove_tree, write_manifest
from pptarena.vm_images.recipe import Recipe, load_recipe

__all__ = ["build_image"]

NEEDED_BYTES = 4 * 2**30
_TOOLS = {"mmdebstrap": "mmdebstrap", "tar": "tar", "newuidmap": "uidmap"}
_STAGE = re.compile(r"^I: (.+)$")

Progress = Callable[[str], None]


def build_image(progress: Progress, *, force: bool = False) -> Image:
    """Build the image of the present recipe unless it is there.

    Args:
        progress: Called with one line for each stage.
        force: Build it again even if it is there.

    Raises:
        HostError: If a tool or disk space is missing; the message says what to do.
        ImageError: If a stage fails; the message holds the end of its output.
    """
    recipe = load_recipe()
    folder = image_folder()
    _require_tools()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder, progress):
            existing = None if force else find_image()
            return existing or _build(recipe, folder, progress)
    except OSError as error:
        raise ImageError(f"cannot write the image to {folder}: {error}") from error


def _build(recipe: Recipe, folder: Path, progress: Progress) -> Image:
    for stale in folder.glob(".building-*"):
        remove_tree(stale)
    _require_space(folder)
    work = Path(tempfile.mkdtemp(prefix=".building-", dir=folder))
    try:
        os.chmod(work, 0o755)
        root = work / "root"
        root.mkdir()
        progress("Python packages of the guest program")
        site = work / "site"
        for wheel in _wheels(recipe, work / "wheels"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(site)
        _debootstrap(recipe, root, site, progress)
        remove_tree(work / "wheels")
        remove_tree(site)
        write_manifest(work, _manifest(recipe, root))
        target = folder / recipe.hash
        if target.exists():
            target.rename(work / "replaced")
        with_old = work / "replaced"
        final = folder / f".building-final-{os.getpid()}"
        _move_without(work, final, with_old)
        final.rename(target)
    finally:
        if work.exists():
            remove_tree(work)
    image = find_image()
    assert image is not None
    return image


def _move_without(work: Path, final: Path, left: Path) -> None:
    """Move a build to its last name but one, leaving the image it replaces behind."""
    final.mkdir()
    for entry in work.iterdir():
        if entry != left:
            entry.rename(final / entry.name)


def _require_tools() -> None:
    needed = dict(_TOOLS)
    if os.geteuid() == 0:
        del needed["newuidmap"]
    missing = [package for tool, package in needed.items() if shutil.which(tool) is None]
    if missing:
        raise HostError(
            f"missing programs for the image build; install them with: "
            f"sudo apt-get install {' '.join(missing)}"
        )


def _require_space(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < NEEDED_BYTES:
        raise HostError(
            f"the image build needs {NEEDED_BYTES / 2**30:.0f} GiB free in {folder}, "
            f"there are {free / 2**30:.1f}; free some or set PPTARENA_HOME to another disk"
        )


@contextmanager
def _locked(folder: Path, progress: Progress) -> Iterator[None]:
    """Let one build run at a time; the others wait and find the image done."""
    with open(folder / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another build to end")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _wheels(recipe: Recipe, folder: Path) -> list[Path]:
    folder.mkdir()
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, "--no-deps", "--wheel-dir", str(folder), *recipe.python_packages],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ImageError(f"pip could not fetch the guest's packages:\n{done.stderr[-2000:]}")
    return sorted(folder.glob("*-none-any.whl"))


def _debootstrap(recipe: Recipe, root: Path, site: Path, progress: Progress) -> None:
    """Run mmdebstrap and unpack its tar stream as the calling user."""
    with tempfile.NamedTemporaryFile("w", suffix=".sh", prefix="pptarena-") as script:
        script.write(recipe.customize)
        script.flush()
        os.chmod(script.name, 0o644)
        command = [
            *("mmdebstrap", "--variant=minbase", "--format=tar"),
            f"--mode={'root' if os.geteuid() == 0 else 'unshare'}",
            '--aptopt=Apt::Install-Recommends "false"',
            *(f"--dpkgopt=path-exclude={pattern}" for pattern in recipe.excluded),
            f"--include={','.join(recipe.packages)}",
            f"--customize-hook=copy-in {script.name} {site} /tmp",
            f'--customize-hook=chroot "$1" sh /tmp/{Path(script.name).name}',
            f'--customize-hook=rm "$1"/tmp/{Path(script.name).name}',
            *(recipe.suite, "-"),
        ]
        owner = [] if os.geteuid() == 0 else ["--no-same-owner"]
        unpack = ["tar", "-x", "-C", str(root), "--exclude=./dev/*", "-p", *owner]
        _pipe(command, unpack, progress)


def _pipe(command: list[str], unpack: list[str], progress: Progress) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=False,
        env=environment,
        start_new_session=True,
    ) as maker:
        assert maker.stderr is not None
        lines: list[str] = []
        reader = threading.Thread(target=_follow, args=(maker.stderr, lines, progress))
        reader.start()
        try:
            unpacked = subprocess.run(
                unpack, stdin=maker.stdout, capture_output=True, text=True, check=False
            )
            code = maker.wait()
        except BaseException:
            maker.terminate()
            raise
        finally:
            reader.join()
    tail = "\n".join(lines[-15:])
    if code != 0:
        raise ImageError(f"mmdebstrap failed with code {code}; the end of its output:\n{tail}")
    if unpacked.returncode != 0:
        raise ImageError(f"unpacking the root filesystem failed:\n{unpacked.stderr[-2000:]}")


def _follow(stream: object, lines: list[str], progress: Progress) -> None:
    for raw in stream:  # type: ignore[attr-defined]
        line = raw.decode("utf-8", "replace").rstrip()
        lines.append(line)
        stage = _STAGE.match(line)
        if stage:
            progress(stage[1])


def _manifest(recipe: Recipe, root: Path) -> dict[str, object]:
    size = sum(entry.lstat().st_blocks * 512 for entry in root.rglob("*") if not entry.is_symlink())
    versions = _debian_versions(root, recipe.packages)
    versions |= dict(pin.split("==") for pin in recipe.python_packages)
    return {
        "hash": recipe.hash,
        "suite": recipe.suite,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "size_bytes": size,
        "versions": versions,
    }


def _debian_versions(root: Path, packages: tuple[str, ...]) -> dict[str, str]:
    wanted, versions, name = set(packages), {}, ""
    for line in (root / "var/lib/dpkg/status").read_text(errors="replace").splitlines():
        if line.startswith("Package: "):
            name = line.removeprefix("Package: ")
        elif line.startswith("Version: ") and name in wanted:
            versions[name] = line.removeprefix("Version: ")
    return versions
