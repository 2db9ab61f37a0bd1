"""Build the machine image: mmdebstrap makes a root filesystem, a folder keeps it.

The finished image appears by one rename, so an interrupted build leaves none. As root the files
belong to root; without root they are made in a user namespace and kept under the caller's own id.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from pptarena.errors import HostError, ImageError
from pptarena.vm_images.children import ChildGroup
from pptarena.vm_images.image import (
    Image,
    find_image,
    image_folder,
    lock_images,
    remove_tree,
    require_image,
    write_manifest,
)
from pptarena.vm_images.recipe import Recipe, load_recipe

__all__ = ["build_image"]

IMAGE_BYTES = 2 * 2**30
SCRATCH_BYTES = 2 * 2**30
_TAIL_LINES = 15
_LAST_WORDS_SEC = 5.0
_TOOLS = {"mmdebstrap": "mmdebstrap", "tar": "tar", "newuidmap": "uidmap"}
_STAGE = re.compile(r"^I: (.+)$")
_CAUSES = (  # what a message in the output of mmdebstrap, apt, tar or pip comes down to
    (r"[Nn]o space left|enough free space|Disk quota", "the disk is full"),
    (
        r"Could not resolve|failure in name resolution|Temporary failure resolving|Name or service"
        r"|[Uu]nable to connect|[Cc]ould not connect|unreachable|NewConnectionError",
        "no network: the build fetches Debian packages and Python packages; a proxy is taken "
        "from http_proxy and https_proxy",
    ),
    (
        r"NO_PUBKEY|is not signed|Missing key",
        "Debian's keys are missing; install them with: sudo apt-get install debian-archive-keyring",
    ),
    (
        r"subuid|subgid|newuidmap|newgidmap",
        "this user has no range of user ids; give it one with: "
        "sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER",
    ),
    (
        r"unshare\(|unshare.*(fail|not permitted)",
        "this host does not allow user namespaces; see: pptarena doctor",
    ),
    (r"No module named pip", "install pip into this Python with: python -m ensurepip"),
)

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
        with lock_images(lambda: progress("waiting for another build to end")) as lock:
            return _present(force, progress) or _build(recipe, folder, lock, progress)
    except OSError as error:
        raise ImageError(f"cannot write the image to {folder}: {error}") from error


def _present(force: bool, progress: Progress) -> Image | None:
    if force:
        return None
    try:
        return find_image()
    except ImageError:
        progress("the image there is damaged and is built again")
        return None


def _build(recipe: Recipe, folder: Path, lock: int, progress: Progress) -> Image:
    for stale in folder.glob(".building-*"):
        remove_tree(stale)
    _require_space(folder)
    work = Path(tempfile.mkdtemp(prefix=".building-", dir=folder))
    try:
        made, site = work / "image", work / "site"
        (made / "root").mkdir(parents=True)
        with ChildGroup() as group:
            progress("Python packages of the guest program")
            _unpack_wheels(_wheels(recipe, work / "wheels", group, lock), site)
            _debootstrap(recipe, made / "root", site, group, lock, progress)
        write_manifest(made, _manifest(recipe, made / "root"))
        target = folder / recipe.hash
        if target.exists():
            target.rename(work / "replaced")
        made.rename(target)
    finally:
        remove_tree(work)
    return require_image()


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


def _scratch(work: Path) -> Path:
    """Return where mmdebstrap works: for root, where the next build clears what is left."""
    # Without root it has to be a folder that the user ids of the namespace can enter.
    return work if os.geteuid() == 0 else Path(tempfile.gettempdir())


def _require_space(folder: Path) -> None:
    scratch = _scratch(folder)
    if folder.stat().st_dev == scratch.stat().st_dev:
        needs = {folder: (IMAGE_BYTES + SCRATCH_BYTES, "PPTARENA_HOME")}
    else:
        needs = {folder: (IMAGE_BYTES, "PPTARENA_HOME"), scratch: (SCRATCH_BYTES, "TMPDIR")}
    for place, (needed, variable) in needs.items():
        free = shutil.disk_usage(place).free
        if free < needed:
            raise HostError(
                f"the image build needs {needed / 2**30:.0f} GiB free in {place}, "
                f"there are {free / 2**30:.1f}; free some or set {variable} to another disk"
            )


def _wheels(recipe: Recipe, folder: Path, group: ChildGroup, lock: int) -> list[Path]:
    folder.mkdir()
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    # Isolated builds: the environment need not have setuptools and wheel itself.
    command += ["--no-deps", "--use-pep517", "--retries", "2", "--wheel-dir", str(folder)]
    pip = group.start(
        [*command, *recipe.python_packages],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(lock,),
    )
    said = pip.communicate()[1].decode("utf-8", "replace").strip()
    if pip.returncode != 0:
        raise _failure(f"pip ended with code {pip.returncode}", said.splitlines()[-_TAIL_LINES:])
    wheels = sorted(folder.glob("*.whl"))
    if len(wheels) != len(recipe.python_packages) or not all(
        wheel.name.endswith("-none-any.whl") for wheel in wheels
    ):
        names = ", ".join(wheel.name for wheel in wheels) or "nothing"
        raise ImageError(f"expected a pure Python wheel of each package, pip made {names}")
    return wheels


def _unpack_wheels(wheels: list[Path], site: Path) -> None:
    for wheel in wheels:
        try:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(site)
        except zipfile.BadZipFile as error:
            raise ImageError(f"pip made a damaged wheel, {wheel.name}: {error}") from error
    for entry in (site, *site.rglob("*")):  # readable in the image whatever the umask is
        entry.chmod(0o755 if entry.is_dir() else 0o644)


def _debootstrap(
    recipe: Recipe, root: Path, site: Path, group: ChildGroup, lock: int, progress: Progress
) -> None:
    """Run mmdebstrap and unpack its tar stream as the calling user."""
    script = site.parent / "customize.sh"
    script.write_text(recipe.customize)
    script.chmod(0o644)
    command = [
        *_own_mounts(),
        *("mmdebstrap", "--variant=minbase", "--format=tar"),
        f"--mode={'root' if os.geteuid() == 0 else 'unshare'}",
        '--aptopt=Apt::Install-Recommends "false"',
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in recipe.excluded),
        f"--include={','.join(recipe.packages)}",
        f"--customize-hook=copy-in {script} {site} /tmp",
        f'--customize-hook=chroot "$1" sh /tmp/{script.name}',
        f'--customize-hook=rm "$1"/tmp/{script.name}',
        *(recipe.suite, "-"),
    ]
    owner = [] if os.geteuid() == 0 else ["--no-same-owner"]
    unpack = ["tar", "-x", "-C", str(root), "--exclude=./dev/*", "-p", *owner]
    _pipe(command, unpack, group, lock, {"TMPDIR": str(_scratch(site.parent))}, progress)


def _own_mounts() -> list[str]:
    """Return what keeps root's mounts in a namespace that ends with the build, if it can be."""
    prefix = ["unshare", "--mount", "--"]
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return []
    tried = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if tried.returncode == 0 else []


def _pipe(
    command: list[str],
    unpack: list[str],
    group: ChildGroup,
    lock: int,
    variables: dict[str, str],
    progress: Progress,
) -> None:
    environment = {**os.environ, **variables, "LC_ALL": "C.UTF-8"}
    pipe = subprocess.PIPE
    maker = group.start(command, stdout=pipe, stderr=pipe, env=environment)
    tar = group.start(unpack, stdin=maker.stdout, stderr=pipe, env=environment, pass_fds=(lock,))
    assert maker.stdout is not None
    maker.stdout.close()  # only tar reads it, so that mmdebstrap notices when tar is gone
    tails, readers = [], []
    for stream in (maker.stderr, tar.stderr):
        assert stream is not None
        tails.append(deque[str](maxlen=_TAIL_LINES))
        arguments = (stream, tails[-1], progress)
        readers.append(threading.Thread(target=_follow, args=arguments, daemon=True))
        readers[-1].start()
    codes = (maker.wait(), tar.wait())
    for reader in readers:
        reader.join(_LAST_WORDS_SEC)
    if codes != (0, 0):
        raise _failure(
            f"mmdebstrap ended with code {codes[0]}, tar with code {codes[1]}",
            [line for tail in tails for line in list(tail)],
        )


def _follow(stream: IO[bytes], tail: deque[str], progress: Progress) -> None:
    with stream:
        for raw in stream:
            line = raw.decode("utf-8", "replace").rstrip()
            tail.append(line)
            stage = _STAGE.match(line)
            if stage:
                progress(stage[1])


def _failure(what: str, tail: list[str]) -> ImageError:
    said = "\n".join(tail)
    cause = next((cause for pattern, cause in _CAUSES if re.search(pattern, said)), "")
    begin = f"{cause}\n" if cause else ""
    return ImageError(f"{begin}the image was not built: {what}; the end of the output:\n{said}")


def _manifest(recipe: Recipe, root: Path) -> dict[str, object]:
    size = sum(entry.lstat().st_blocks * 512 for entry in root.rglob("*"))
    versions = _debian_versions(root, recipe.packages)
    if lacking := set(recipe.packages) - set(versions):
        raise ImageError(f"the root filesystem lacks {', '.join(sorted(lacking))}")
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
    status = root / "var/lib/dpkg/status"
    for line in status.read_text(errors="replace").splitlines() if status.exists() else ():
        if line.startswith("Package: "):
            name = line.removeprefix("Package: ")
        elif line.startswith("Version: ") and name in wanted:
            versions[name] = line.removeprefix("Version: ")
    return versions
