"""The Windows guest imports no Linux package and no other part of pptarena."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.each_case import each_case

FOLDER = Path(__file__).parents[3] / "vm_images/windows"
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
CODE = """
import importlib, sys, types
sys.path.insert(0, sys.argv[1])
for name in ("Xlib", "gi", "uno", "fcntl", "pwd", "resource", "termios", "numpy", "gymnasium"):
    sys.modules[name] = None  # an import of it fails
class Anything(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})
for name in ("PIL", "comtypes", "comtypes.client", "mss", "psutil", "pyautogui", "pythoncom",
             "pywintypes", "win32api", "win32clipboard", "win32com", "win32com.client", "win32con",
             "win32gui", "win32process"):
    sys.modules[name] = Anything(name)
sys.modules["PIL"].Image = Anything("PIL.Image")
importlib.import_module(sys.argv[2])
"""


@pytest.fixture(scope="module")
def guest_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two folders that set-up copies to a Windows computer."""
    target = tmp_path_factory.mktemp("guest_folders")
    for name in ("guest", "windows"):
        shutil.copytree(FOLDER.parent / name, target / "pptarena/vm_images" / name)
    return target


@pytest.mark.slow
@each_case("name", MODULES)
def test_imports_with_the_packages_of_windows_alone(name: str, guest_folders: Path) -> None:
    command = [sys.executable, "-S", "-E", "-c", CODE, str(guest_folders)]
    result = subprocess.run(
        [*command, f"pptarena.vm_images.windows.{name}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


@each_case("name", MODULES)
def test_only_the_two_guest_folders_are_imported(name: str) -> None:
    """Set-up copies these two folders and nothing else."""
    tree = ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))
    imports = {
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pptarena")
    }
    folders = ("pptarena.vm_images.guest.", "pptarena.vm_images.windows.")
    assert all((module or "").startswith(folders) for module in imports)


@pytest.mark.parametrize("name", ["win32", "uia", "computer", "__main__"])
def test_untested_modules_are_labeled(name: str) -> None:
    assert "UNTESTED" in (ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text())) or "")
