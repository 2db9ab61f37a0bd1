"""Compile the image's own libraries (``native/``) with the compiler of the image's Debian.

Compiler and headers are in a temporary root filesystem; neither the image nor the host needs them.
"""

import shutil
from pathlib import Path

from pptarena.errors import ImageError
from pptarena.vm_images.debian import unpack_debian
from pptarena.vm_images.pipeline import Job
from pptarena.vm_images.recipe import Recipe

__all__ = ["NATIVE_LIBRARIES", "add_native_libraries"]

NATIVE_LIBRARIES = ("clock.so", "observer.so", "style.so")
_LIBRARY_FOLDER = "usr/lib/pptarena"  # path in the image, used by vm_images/guest/clock.py


def add_native_libraries(recipe: Recipe, root: Path, work: Path, job: Job) -> None:
    """Compile the libraries and install them in a root filesystem.

    Args:
        recipe: Contains the sources and the compiler packages.
        root: The root filesystem of the image.
        work: The build's own folder.
        job: The build this is part of.

    Raises:
        ImageError: If a stage fails; the message contains the output of the compiler.
    """
    job.progress("compiling the image's own libraries")
    sources, compiled = work / "native", work / "compiled"
    for folder in (sources, compiled):
        folder.mkdir()
    for name, text in recipe.native:
        (sources / name).write_text(text)
        (sources / name).chmod(0o644)
    sources.chmod(0o755)
    options = [
        "--variant=essential",
        '--aptopt=Apt::Install-Recommends "false"',
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in recipe.excluded),
        f"--include={','.join(recipe.compilers)}",
        f"--customize-hook=copy-in {sources} /tmp",
        f'--customize-hook=chroot "$1" sh /tmp/{sources.name}/build.sh /{_LIBRARY_FOLDER} >&2',
    ]
    unpack_debian(recipe.suite, options, compiled, [f"./{_LIBRARY_FOLDER}"], work, job)
    target = root / _LIBRARY_FOLDER
    target.mkdir(parents=True, exist_ok=True)
    for name in NATIVE_LIBRARIES:
        library = compiled / _LIBRARY_FOLDER / name
        if not library.is_file():
            raise ImageError(f"the build of the image's own libraries produced no {name}")
        shutil.copyfile(library, target / name)
        (target / name).chmod(0o644)
    target.chmod(0o755)
