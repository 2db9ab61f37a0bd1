"""Imports point one way, as the architecture has it; imports for types and by name, too."""

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
# A module, or an attribute of it, that is imported by name.
_NAMED = re.compile(r"(pptarena(?:\.\w+)+)(?::\w+)?")
GUEST_ONLY = {"pyautogui", "uno", "unohelper", "gi", "Xlib", "mss"}
ANY_PACKAGE = {
    *("closing", "docstrings", "errors", "files", "kept_files", "paths", "plugins", "png"),
    *("problems", "sources", "spawner", "suggestions", "untrusted"),
    "",
}
FOLDERS = {name: (ROOT / "src/pptarena" / name).resolve() for name in ALLOWED}
FILES = sorted(path for folder in FOLDERS.values() for path in folder.rglob("*.py"))
CLI_FILES = sorted((ROOT / "src/pptarena/cli").glob("*.py"))
GUEST_FILES = [path for path in FILES if path.is_relative_to(ROOT / "vm_images/guest")]
HOST_FILES = sorted({*FILES, *CLI_FILES} - {*GUEST_FILES})


def imported(file: Path) -> Iterator[str]:
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
        elif (name := named(node)) is not None:
            yield name


def named(node: ast.AST) -> str | None:
    """Return the module of ours that a string names."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    found = _NAMED.fullmatch(node.value)
    # Groups of entry points are named alike.
    return found[1] if found is not None and package_of(found[1]) in {*ALLOWED, "cli"} else None


def package_of(module: str) -> str:
    """Return the folder a module of ours belongs to; ``""`` for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and not parts[1].startswith("__") else ""


@cache
def modules(file: Path) -> frozenset[str]:
    return frozenset(imported(file))


def module_of(file: Path) -> str:
    """Return the name that a file is imported by."""
    path = file.relative_to(ROOT)
    if path.parts[0] == "src":
        path = path.relative_to("src/pptarena")
    parts = [part for part in path.with_suffix("").parts if part != "__init__"]
    return ".".join(("pptarena", *parts))


def folder_of(file: Path) -> str:
    """Return the name in `ALLOWED` of the folder that a file is in."""
    return next(name for name, folder in FOLDERS.items() if file.is_relative_to(folder))


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


def test_the_files_are_found() -> None:
    assert {folder_of(path) for path in FILES} == set(ALLOWED)


def below(file: Path, known: set[str]) -> set[str]:
    """Return the modules of ours that a file imports; of a package, the modules it names."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in known else node.module)
        elif (name := named(node)) is not None:
            found.add(name)
    return found & known


def importing(files: Iterable[Path], names: set[str]) -> list[str]:
    """Return the files that import one of some packages; only those that name one are parsed."""
    named_or_relative = re.compile(rf"\b(?:{'|'.join(names)})\b|^\s*from\s+\.", re.MULTILINE)
    return [
        name_of(file)
        for file in files
        if named_or_relative.search(file.read_text("utf-8"))
        and names & {module.split(".")[0] for module in modules(file)}
    ]


def ours(file: Path) -> set[str]:
    return {module for module in modules(file) if module.split(".")[0] == "pptarena"}


@pytest.mark.slow
def test_imports_point_down() -> None:
    wrong = {}
    for file in FILES:
        own = folder_of(file)
        allowed = ALLOWED[own] | ANY_PACKAGE | {own}
        if up := {module for module in ours(file) if package_of(module) not in allowed}:
            wrong[name_of(file)] = up
    assert wrong == {}


def test_rooms_import_in_one_direction() -> None:
    assert all(room not in ALLOWED[below] for room in ALLOWED for below in ALLOWED[room])


@pytest.mark.slow
def test_no_module_imports_itself_by_a_detour() -> None:
    files = {module_of(file): file for file in HOST_FILES if "windows" not in file.parts}
    edges = {name: below(file, set(files)) - {name} for name, file in files.items()}
    # What imports nothing that is left cannot be part of a circle.
    while free := {name for name, others in edges.items() if not others}:
        edges = {name: others - free for name, others in edges.items() if name not in free}
    assert edges == {}


@pytest.mark.slow
def test_nothing_imports_examples_or_tests() -> None:
    assert importing([*FILES, *CLI_FILES], {"examples", "tests", "tools"}) == []


def test_only_the_guest_imports_what_exists_only_there() -> None:
    assert importing(HOST_FILES, GUEST_ONLY) == []
    assert importing(GUEST_FILES, GUEST_ONLY) != []


def test_the_guest_imports_nothing_of_the_rest() -> None:
    own = "pptarena.vm_images.guest"
    assert {module for file in GUEST_FILES for module in ours(file)} >= {own}
    assert [
        name_of(file)
        for file in GUEST_FILES
        if not all(module.startswith(own) for module in ours(file))
    ] == []


def test_decks_and_rewards_know_no_environment() -> None:
    files = [file for room in ("decks", "rewards") for file in FOLDERS[room].rglob("*.py")]
    assert importing(files, {"gymnasium"}) == []
