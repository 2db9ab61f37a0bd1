"""Imports follow the layers of the architecture, including imports for types and by name."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Folder -> the packages it may import besides itself and `ANY_PACKAGE`.
ALLOWED = {
    "decks": set(),
    "models": set(),
    "edits": {"decks"},
    "rewards": {"decks", "edits", "models"},
    "tasks": {"decks", "edits", "rewards"},
    "vm_images": set(),
    "envs": {"decks", "edits", "rewards", "tasks", "vm_images"},
    "wrappers": {"envs"},
    "agents": {"decks", "edits", "models", "rewards", "tasks", "envs", "wrappers"},
    "rollouts": {"decks", "edits", "rewards", "tasks", "envs", "wrappers", "agents"},
    "benchmarks": {
        "decks",
        "edits",
        "rewards",
        "tasks",
        "vm_images",
        "envs",
        "wrappers",
        "agents",
        "rollouts",
    },
}
# A module that is imported by name, or an attribute of it.
_NAMED = re.compile(r"(pptarena(?:\.\w+)+)(?::\w+)?")
GUEST_ONLY = {"pyautogui", "uno", "unohelper", "gi", "Xlib", "mss"}
ANY_PACKAGE = {
    *("closeable", "docstrings", "errors", "files", "file_cache", "paths", "plugins", "png"),
    *("problems", "sources", "spawner", "suggestions", "untrusted"),
    "",
}
FOLDERS = {name: (ROOT / "src/pptarena" / name).resolve() for name in ALLOWED}
FILES = sorted(path for folder in FOLDERS.values() for path in folder.rglob("*.py"))
CLI_FILES = sorted((ROOT / "src/pptarena/cli").glob("*.py"))
GUEST_FILES = [path for path in FILES if path.is_relative_to(ROOT / "vm_images/guest")]
HOST_FILES = sorted({*FILES, *CLI_FILES} - {*GUEST_FILES})


def imported_modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: relative import"
            assert node.module is not None
            yield node.module
            # `from pptarena import tasks` imports a package too.
            if node.module == "pptarena":
                yield from (f"pptarena.{alias.name}" for alias in node.names)
        elif (name := module_named_by(node)) is not None:
            yield name


def module_named_by(node: ast.AST) -> str | None:
    """Return the pptarena module that a string names."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    match = _NAMED.fullmatch(node.value)
    # Names of entry point groups have the same form.
    return match[1] if match is not None and package_of(match[1]) in {*ALLOWED, "cli"} else None


def package_of(module: str) -> str:
    """Return the subpackage of a pptarena module; ``""`` for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and not parts[1].startswith("__") else ""


@cache
def modules_in(file: Path) -> frozenset[str]:
    return frozenset(imported_modules(file))


def module_of(file: Path) -> str:
    """Return the name of the module in a file."""
    path = file.relative_to(ROOT)
    if path.parts[0] == "src":
        path = path.relative_to("src/pptarena")
    parts = [part for part in path.with_suffix("").parts if part != "__init__"]
    return ".".join(("pptarena", *parts))


def folder_of(file: Path) -> str:
    """Return the name in `ALLOWED` of the folder that a file is in."""
    return next(name for name, folder in FOLDERS.items() if file.is_relative_to(folder))


def relative_name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def test_every_package_has_files() -> None:
    assert {folder_of(path) for path in FILES} == set(ALLOWED)


def direct_imports(file: Path, module_names: set[str]) -> set[str]:
    """Return the modules that a file imports, out of some modules by name."""
    imports = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                full_name = f"{node.module}.{alias.name}"
                imports.add(full_name if full_name in module_names else node.module)
        elif (name := module_named_by(node)) is not None:
            imports.add(name)
    return imports & module_names


def files_importing(files: Iterable[Path], names: set[str]) -> list[str]:
    """Return the files that import one of some packages; only files that name one are parsed."""
    pattern = re.compile(rf"\b(?:{'|'.join(names)})\b|^\s*from\s+\.", re.MULTILINE)
    return [
        relative_name(file)
        for file in files
        if pattern.search(file.read_text("utf-8"))
        and names & {module.split(".")[0] for module in modules_in(file)}
    ]


def own_imports(file: Path) -> set[str]:
    return {module for module in modules_in(file) if module.split(".")[0] == "pptarena"}


@pytest.mark.slow
def test_imports_point_to_lower_layers() -> None:
    wrong = {}
    for file in FILES:
        own = folder_of(file)
        allowed = ALLOWED[own] | ANY_PACKAGE | {own}
        if upper_imports := {
            module for module in own_imports(file) if package_of(module) not in allowed
        }:
            wrong[relative_name(file)] = upper_imports
    assert wrong == {}


def test_no_two_packages_may_import_each_other() -> None:
    assert all(upper not in ALLOWED[lower] for upper in ALLOWED for lower in ALLOWED[upper])


@pytest.mark.slow
def test_imports_have_no_cycles() -> None:
    files = {module_of(file): file for file in HOST_FILES if "windows" not in file.parts}
    edges = {name: direct_imports(file, set(files)) - {name} for name, file in files.items()}
    # A module that imports none of the remaining ones is not part of a cycle.
    while free := {name for name, others in edges.items() if not others}:
        edges = {name: others - free for name, others in edges.items() if name not in free}
    assert edges == {}


@pytest.mark.slow
def test_package_imports_no_examples_tests_or_tools() -> None:
    assert files_importing([*FILES, *CLI_FILES], {"examples", "tests", "tools"}) == []


def test_only_guest_imports_guest_packages() -> None:
    assert files_importing(HOST_FILES, GUEST_ONLY) == []
    assert files_importing(GUEST_FILES, GUEST_ONLY) != []


def test_guest_imports_only_itself() -> None:
    own = "pptarena.vm_images.guest"
    assert {module for file in GUEST_FILES for module in own_imports(file)} >= {own}
    assert [
        relative_name(file)
        for file in GUEST_FILES
        if not all(module.startswith(own) for module in own_imports(file))
    ] == []


def test_decks_and_rewards_import_no_gymnasium() -> None:
    files = [file for package in ("decks", "rewards") for file in FOLDERS[package].rglob("*.py")]
    assert files_importing(files, {"gymnasium"}) == []
