"""The host imports some modules of the guest; they must need nothing of the image."""

import subprocess
import sys

import pytest
from tests.each_case import each_case

pytestmark = pytest.mark.slow

ON_THE_HOST = ("protocol", "errors", "limits", "settings", "tree_shape", "observer")
CODE = """
import importlib, sys
for name in ("Xlib", "gi", "uno", "pyautogui", "mss"):
    sys.modules[name] = None  # an import of it fails
importlib.import_module(sys.argv[1])
"""


@each_case("name", ON_THE_HOST)
def test_imports_without_the_packages_of_the_image(name: str) -> None:
    module = f"pptarena.vm_images.guest.{name}"
    done = subprocess.run(
        [sys.executable, "-c", CODE, module], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
