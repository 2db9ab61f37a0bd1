"""The package lists, data files and versions match the repository."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pptarena

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/pptarena"
LINKED = ("envs", "rewards", "tasks", "vm_images", "wrappers")  # folders of the repository root
FOLDERS = (SOURCE, *(ROOT / name for name in LINKED))


def package_of(folder: Path) -> str:
    top = SOURCE if folder.is_relative_to(SOURCE) else ROOT
    return ".".join(("pptarena", *folder.relative_to(top).parts))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_every_sub_package_is_listed() -> None:
    packages = {
        package_of(file.parent) for folder in FOLDERS for file in folder.rglob("__init__.py")
    }
    assert set(project()["tool"]["setuptools"]["packages"]) == packages


def test_every_folder_is_mapped_and_linked() -> None:
    mapped = project()["tool"]["setuptools"]["package-dir"]
    top = {"": "src", "pptarena": "src/pptarena"}
    assert mapped == top | {f"pptarena.{name}": name for name in LINKED}
    for name in LINKED:
        assert (SOURCE / name).resolve() == ROOT / name
    assert {path.name for path in SOURCE.iterdir() if path.is_symlink()} == set(LINKED)


def test_data_files_are_packaged() -> None:
    globs = project()["tool"]["setuptools"]["package-data"]
    missing = []
    for folder in FOLDERS:
        for file in folder.rglob("*"):
            is_data = file.is_file() and "__pycache__" not in file.parts
            is_data &= file.suffix not in (".py", ".pyc") and file.name != "README.md"
            if is_data and not _is_packaged(file, globs):
                missing.append(str(file.relative_to(ROOT)))
    assert missing == []


def test_versions_agree() -> None:
    assert project()["project"]["version"] == pptarena.__version__
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert headings[0] == "Unreleased"
    assert headings[1:2] in ([], [pptarena.__version__])
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    assert cited is not None
    assert cited[1] == pptarena.__version__


def _is_packaged(file: Path, globs: dict[str, list[str]]) -> bool:
    """Return whether a glob of a package at or above the file's folder matches it."""
    for folder in (file.parent, *file.parent.parents):
        if folder in (ROOT, SOURCE.parent):
            return False
        package = package_of(folder)
        name = file.relative_to(folder).as_posix()
        for pattern in globs.get(package, []):
            if fnmatch(name, pattern) or fnmatch(name, pattern.replace("**/", "")):
                return True
    return False
