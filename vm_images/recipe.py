"""The ingredients of the machine image, as data, and the hash that names it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pptarena.vm_images.locked import locked_layer

__all__ = ["Recipe", "load_recipe", "recipe_lines"]

_FOLDER = Path(__file__).parent / "recipe"
_NATIVE = Path(__file__).parent / "native"
_FORMAT = "1"  # increase it when the builder itself changes its result


@dataclass(frozen=True, slots=True)
class Recipe:
    """The image's ingredients.

    Attributes:
        suite: Debian release.
        packages: Debian packages, without recommended ones.
        python_packages: Pinned pure-Python packages for the guest program.
        excluded: dpkg path patterns left out of every package.
        locked: Layer of the application's registry with the locked settings.
        customize: Shell script run inside the finished root filesystem.
        compilers: Debian packages that compile `native`; none of them is in the image.
        native: Sources of the image's own libraries and ``build.sh``: name and text.
    """

    suite: str
    packages: tuple[str, ...]
    python_packages: tuple[str, ...]
    excluded: tuple[str, ...]
    locked: str
    customize: str
    compilers: tuple[str, ...] = ()
    native: tuple[tuple[str, str], ...] = ()

    @property
    def hash(self) -> str:
        """Twelve hex digits that change with every ingredient."""
        parts = (
            _FORMAT,
            self.suite,
            *self.packages,
            *self.python_packages,
            *self.excluded,
            self.locked,
            self.customize,
            *self.compilers,
            *(part for source in self.native for part in source),
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def load_recipe() -> Recipe:
    """Return the recipe of the package."""
    return Recipe(
        suite="trixie",
        packages=recipe_lines(_FOLDER / "packages.txt"),
        python_packages=recipe_lines(_FOLDER / "python.txt"),
        excluded=recipe_lines(_FOLDER / "exclude.txt"),
        locked=locked_layer(
            recipe_lines(_FOLDER / "settings.txt"), recipe_lines(_FOLDER / "commands.txt")
        ),
        customize=(_FOLDER / "customize.sh").read_text(),
        compilers=recipe_lines(_FOLDER / "compilers.txt"),
        native=tuple(
            (source.name, source.read_text())
            for source in sorted(_NATIVE.iterdir())
            if source.suffix in (".c", ".h", ".sh")
        ),
    )


def recipe_lines(file: Path) -> tuple[str, ...]:
    """Return the lines of a list of ingredients, without comments and empty lines."""
    lines = (line.strip() for line in file.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
