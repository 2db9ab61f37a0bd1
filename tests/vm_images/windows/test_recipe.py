"""Checks of the Windows recipe that need no Windows."""

import re
from pathlib import Path
from xml.etree import ElementTree

FOLDER = Path(__file__).parents[3] / "vm_images/windows"
NAMESPACE = "{urn:schemas-microsoft-com:unattend}"


def test_answer_file_is_well_formed_and_complete() -> None:
    root = ElementTree.parse(FOLDER / "autounattend.xml").getroot()
    assert root.tag == f"{NAMESPACE}unattend"
    assert [part.get("pass") for part in root.iter(f"{NAMESPACE}settings")] == [
        *("windowsPE", "specialize", "oobeSystem")
    ]
    user = root.findtext(f".//{NAMESPACE}LocalAccount/{NAMESPACE}Name")
    assert user == root.findtext(f".//{NAMESPACE}AutoLogon/{NAMESPACE}Username")
    commands = [node.text or "" for node in root.iter(f"{NAMESPACE}CommandLine")]
    assert any("setup.ps1" in command for command in commands)


def test_setup_installs_the_imported_packages() -> None:
    requirements = (FOLDER / "requirements.txt").read_text()
    names = {re.split("[=>]", line)[0] for line in requirements.splitlines() if line[:1].isalpha()}
    assert names == {"comtypes", "mss", "pillow", "psutil", "pyautogui", "pywin32"}
    script = (FOLDER / "setup.ps1").read_text()
    assert "requirements.txt" in script
    assert "-m pptarena.vm_images.windows --listen" in script


def test_untested_files_are_labeled() -> None:
    for name in ("setup.ps1", "autounattend.xml", "requirements.txt", "README.md"):
        assert "untested" in (FOLDER / name).read_text("utf-8").casefold(), name
