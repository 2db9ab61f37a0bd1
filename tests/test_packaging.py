"""What is installed is what is in the folders."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pptarena

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/pptarena"
LINKED = ("envs", "rewards", "tasks", "vm_images", "wrappers")  # these are at the top
FOLDERS = (SOURCE, *(ROOT / name for name in LINKED))


def package_of(folder: Path) -> str:
    top = SOURCE if folder.is_relative_to(SOURCE) else ROOT
    return ".".join(("pptarena", *folder.relative_to(top).parts))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_every_sub_package_is_listed() -> None:
    found = {package_of(file.parent) for folder in FOLDERS for file in folder.rglob("__init__.py")}
    assert set(project()["tool"]["setuptools"]["packages"]) == found


def test_every_folder_is_mapped_and_linked() -> None:
    mapped = project()["tool"]["setuptools"]["package-dir"]
    top = {"": "src", "pptarena": "src/pptarena"}
    assert mapped == top | {f"pptarena.{name}": name for name in LINKED}
    for name in LINKED:
        assert (SOURCE / name).resolve() == ROOT / name
    assert {path.name for path in SOURCE.iterdir() if path.is_symlink()} == set(LINKED)


def test_data_files_are_packaged() -> None:
    globs = project()["tool"]["setuptools"]["package-data"]
    left_out = []
    for folder in FOLDERS:
        for file in folder.rglob("*"):
            kept = file.is_file() and "__pycache__" not in file.parts
            kept &= file.suffix not in (".py", ".pyc") and file.name != "README.md"
            if kept and not _packaged(file, globs):
                left_out.append(str(file.relative_to(ROOT)))
    assert left_out == []


def test_versions_agree() -> None:
    assert project()["project"]["version"] == pptarena.__version__
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert headings[0] == "Unreleased"
    assert headings[1:2] in ([], [pptarena.__version__])
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    assert cited is not None
    assert cited[1] == pptarena.__version__


def _packaged(file: Path, globs: dict[str, list[str]]) -> bool:
    """Return whether a glob of a package at or above the file's folder takes it."""
    for folder in (file.parent, *file.parent.parents):
        if folder in (ROOT, SOURCE.parent):
            return False
        package = package_of(folder)
        name = file.relative_to(folder).as_posix()
        for pattern in globs.get(package, []):
            if fnmatch(name, pattern) or fnmatch(name, pattern.replace("**/", "")):
                return True
    return False
