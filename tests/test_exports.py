"""Every module lists its public names in `__all__`, and other modules import nothing else."""

import ast
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
FOLDERS = ("envs", "rewards", "tasks", "vm_images", "wrappers", "src")
FILES = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if path.resolve() == path  # src has links to the other folders
)
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))


@cache
def parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def exported(file: Path) -> list[str] | None:
    for node in parse(file).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return None


def bound_names(file: Path) -> set[str]:
    """Return the names that the top level of a module binds."""
    names: set[str] = set()
    body = list(parse(file).body)
    # Lazily provided names are imported for type checkers only.
    body += [each for node in body if isinstance(node, ast.If) for each in node.body]
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                part.id
                for target in targets
                for part in ast.walk(target)
                if isinstance(part, ast.Name)
            }
    return names


def imports(file: Path) -> list[tuple[str, str]]:
    """Return module and name of everything a file imports from this package."""
    return [
        (node.module, alias.name)
        for node in ast.walk(parse(file))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "pptarena"
        for alias in node.names
        if node.module is not None
    ]


def module_file(module: str) -> Path:
    path = ROOT.joinpath("src", *module.split("."))
    file = path.with_suffix(".py")
    return file if file.exists() else path / "__init__.py"


def relative_name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def test_all_lists_existing_names_once() -> None:
    wrong = {}
    for file in FILES:
        public = exported(file) or []
        if len(public) != len(set(public)) or set(public) - bound_names(file):
            wrong[relative_name(file)] = public
    assert wrong == {}


def test_only_public_names_are_imported() -> None:
    private = [
        f"{relative_name(file)}: {module}.{name}"
        for file in [*FILES, *EXAMPLES]
        for module, name in imports(file)
        if not module_file(f"{module}.{name}").exists()  # a module, not a name in one
        and name not in (exported(module_file(module)) or ())
    ]
    assert private == []
