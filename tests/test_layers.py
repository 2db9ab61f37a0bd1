"""Imports point one way, as the architecture has it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Folder -> the packages it may import besides itself, `pptarena.errors`, `.files` and `.paths`.
ALLOWED = {
    "decks": set(),
    "rewards": {"decks"},
    "tasks": {"decks", "rewards"},
    "benchmarks": {"decks", "rewards", "tasks"},
    "vm_images": set(),
    "envs": {"decks", "rewards", "tasks", "vm_images"},
    "wrappers": {"envs"},
    "agents": {"decks", "rewards", "tasks", "envs", "wrappers"},
    "rollouts": {"decks", "rewards", "tasks", "envs", "wrappers", "agents"},
    "audits": {
        "decks",
        "rewards",
        "tasks",
        "benchmarks",
        "vm_images",
        "envs",
        "wrappers",
        "agents",
        "rollouts",
    },
}
GUEST_ONLY = {"pyautogui", "uno", "unohelper", "gi", "Xlib", "mss"}
ANY_PACKAGE = {"errors", "files", "paths", ""}
FILES = sorted(path for name in ALLOWED for path in (ROOT / name).rglob("*.py"))
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


def package_of(module: str) -> str:
    """Return the folder a module of ours belongs to; ``""`` for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and not parts[1].startswith("__") else ""


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


def test_the_files_are_found() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(ALLOWED)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_point_down(file: Path) -> None:
    own = file.relative_to(ROOT).parts[0]
    ours = {module for module in imported(file) if module.split(".")[0] == "pptarena"}
    wrong = {
        module for module in ours if package_of(module) not in ALLOWED[own] | ANY_PACKAGE | {own}
    }
    assert not wrong


@pytest.mark.parametrize("file", [*FILES, *CLI_FILES], ids=name_of)
def test_nothing_imports_examples_or_tests(file: Path) -> None:
    assert not {"examples", "tests"} & {module.split(".")[0] for module in imported(file)}


@pytest.mark.parametrize("file", HOST_FILES, ids=name_of)
def test_only_the_guest_imports_what_exists_only_there(file: Path) -> None:
    assert not GUEST_ONLY & {module.split(".")[0] for module in imported(file)}


@pytest.mark.parametrize("file", GUEST_FILES, ids=name_of)
def test_the_guest_imports_nothing_of_the_rest(file: Path) -> None:
    ours = {module for module in imported(file) if module.split(".")[0] == "pptarena"}
    assert all(module.startswith("pptarena.vm_images.guest") for module in ours), ours


@pytest.mark.parametrize(
    "file",
    sorted(path for room in ("decks", "rewards") for path in (ROOT / room).rglob("*.py")),
    ids=name_of,
)
def test_rewards_know_no_environment(file: Path) -> None:
    assert "gymnasium" not in {module.split(".")[0] for module in imported(file)}
