"""The guest modules that the host imports need no package of the image."""

import subprocess
import sys

import pytest
from tests.each_case import each_case

pytestmark = pytest.mark.slow

HOST_MODULES = ("protocol", "errors", "limits", "settings", "tree_shape", "observer")
CODE = """
import importlib, sys
for name in ("Xlib", "gi", "uno", "pyautogui", "mss"):
    sys.modules[name] = None  # an import of it fails
importlib.import_module(sys.argv[1])
"""


@each_case("name", HOST_MODULES)
def test_module_imports_without_the_packages_of_the_image(name: str) -> None:
    module = f"pptarena.vm_images.guest.{name}"
    result = subprocess.run(
        [sys.executable, "-c", CODE, module], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
