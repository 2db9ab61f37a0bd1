"""Build the machine image: mmdebstrap creates a root filesystem, stored in a folder.

The finished image appears by one rename, so an interrupted build leaves none. As root the files
belong to root; without root they are created in a user namespace and stored under the caller's own
id.
"""

import os
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from pptarena.errors import ImageError
from pptarena.files import Folder
from pptarena.vm_images.children import ChildGroup
from pptarena.vm_images.debian import DEBIAN_TOOLS, require_space, require_tools, unpack_debian
from pptarena.vm_images.image import (
    IMAGE_KIND,
    Image,
    find_image,
    image_folder,
    is_image,
    lock_images,
    require_image,
    write_manifest,
)
from pptarena.vm_images.native_libraries import add_native_libraries
from pptarena.vm_images.pipeline import TAIL_LINES, Job, Progress, build_failure
from pptarena.vm_images.recipe import Recipe, load_recipe
from pptarena.vm_images.workspace import build_workspace, install

__all__ = ["build_image"]

IMAGE_BYTES = 2 * 2**30
SCRATCH_BYTES = 3 * 2**30


def build_image(progress: Progress, *, force: bool = False) -> Image:
    """Build the image of the current recipe unless it exists.

    Args:
        progress: Called with one line for each stage.
        force: Build it even if it exists.

    Raises:
        HostError: If a tool or disk space is missing; the message explains what to do.
        ImageError: If a stage fails; the message contains the end of its output.
    """
    recipe = load_recipe()
    folder = image_folder()
    require_tools(DEBIAN_TOOLS, "image")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with lock_images(lambda: progress("waiting for another build to end")) as lock:
            _require_free(folder / recipe.hash)
            return _existing_image(force, progress) or _build(recipe, folder, lock, progress)
    except OSError as error:
        raise ImageError(f"cannot write the image to {folder}: {error}") from error


def _require_free(path: Path) -> None:
    """Refuse to replace a folder that is not an image of pptarena, intact or damaged."""
    if os.path.lexists(path):
        with Folder(path) as folder:
            if any(path.iterdir()) and not is_image(folder):
                raise ImageError(f"{path} is not an image of pptarena; move it, then build again")


def _existing_image(force: bool, progress: Progress) -> Image | None:
    if force:
        return None
    try:
        return find_image()
    except ImageError:
        progress("the existing image is damaged and is built again")
        return None


def _build(recipe: Recipe, folder: Path, lock: int, progress: Progress) -> Image:
    with build_workspace() as work:
        require_space(folder, IMAGE_BYTES, SCRATCH_BYTES, "image")
        staging, site_packages = work / "image", work / "site"
        (staging / "root").mkdir(parents=True)
        with ChildGroup() as group:
            job = Job("image", group, lock, progress)
            progress("Python packages of the guest program")
            _unpack_wheels(_wheels(recipe, work / "wheels", job), site_packages)
            _debootstrap(recipe, staging / "root", site_packages, job)
            manifest = _manifest(recipe, staging / "root")
            add_native_libraries(recipe, staging / "root", work, job)
        write_manifest(staging, manifest)
        with Folder(staging) as staging_folder:
            staging_folder.mark(IMAGE_KIND)
        install(staging, folder / recipe.hash, work)
    return require_image()


def _wheels(recipe: Recipe, folder: Path, job: Job) -> list[Path]:
    folder.mkdir()
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    # Isolated builds: the environment need not have setuptools and wheel itself.
    command += ["--no-deps", "--use-pep517", "--retries", "2", "--wheel-dir", str(folder)]
    pip = job.group.start(
        [*command, *recipe.python_packages],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(job.lock,),
    )
    output = pip.communicate()[1].decode("utf-8", "replace").strip()
    if pip.returncode != 0:
        tail = output.splitlines()[-TAIL_LINES:]
        raise build_failure(job.product, f"pip ended with code {pip.returncode}", tail)
    wheels = sorted(folder.glob("*.whl"))
    if len(wheels) != len(recipe.python_packages) or not all(
        wheel.name.endswith("-none-any.whl") for wheel in wheels
    ):
        names = ", ".join(wheel.name for wheel in wheels) or "nothing"
        raise ImageError(f"expected a pure Python wheel of each package, pip built {names}")
    return wheels


def _unpack_wheels(wheels: list[Path], target: Path) -> None:
    for wheel in wheels:
        try:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(target)
        except zipfile.BadZipFile as error:
            raise ImageError(f"pip built a damaged wheel, {wheel.name}: {error}") from error
    for entry in (target, *target.rglob("*")):  # readable in the image whatever the umask is
        entry.chmod(0o755 if entry.is_dir() else 0o644)


def _debootstrap(recipe: Recipe, root: Path, site_packages: Path, job: Job) -> None:
    script = site_packages.parent / "customize.sh"
    script.write_text(recipe.customize)
    script.chmod(0o644)
    locked = site_packages.parent / "locked.xcd"
    locked.write_text(recipe.locked)
    locked.chmod(0o644)
    options = [
        "--variant=minbase",
        '--aptopt=Apt::Install-Recommends "false"',
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in recipe.excluded),
        f"--include={','.join(recipe.packages)}",
        f"--customize-hook=copy-in {script} {locked} {site_packages} /tmp",
        f'--customize-hook=chroot "$1" sh /tmp/{script.name}',
        f'--customize-hook=rm "$1"/tmp/{script.name}',
    ]
    unpack_debian(recipe.suite, options, root, ["--exclude=./dev/*"], site_packages.parent, job)


def _manifest(recipe: Recipe, root: Path) -> dict[str, object]:
    size = sum(entry.lstat().st_blocks * 512 for entry in root.rglob("*"))
    versions = _debian_versions(root, recipe.packages)
    if missing := set(recipe.packages) - set(versions):
        raise ImageError(f"the root filesystem lacks {', '.join(sorted(missing))}")
    versions |= dict(pin.split("==") for pin in recipe.python_packages)
    return {
        "hash": recipe.hash,
        "suite": recipe.suite,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "size_bytes": size,
        "versions": versions,
    }


def _debian_versions(root: Path, packages: tuple[str, ...]) -> dict[str, str]:
    names, versions, name = set(packages), {}, ""
    status = root / "var/lib/dpkg/status"
    for line in status.read_text(errors="replace").splitlines() if status.exists() else ():
        if line.startswith("Package: "):
            name = line.removeprefix("Package: ")
        elif line.startswith("Version: ") and name in names:
            versions[name] = line.removeprefix("Version: ")
    return versions
