"""What can be said here of a recipe that needs Windows to run."""

import re
from pathlib import Path
from xml.etree import ElementTree

FOLDER = Path(__file__).parents[3] / "vm_images/windows"
NAMESPACE = "{urn:schemas-microsoft-com:unattend}"


def test_the_answer_file_is_well_formed_and_complete() -> None:
    root = ElementTree.parse(FOLDER / "autounattend.xml").getroot()
    assert root.tag == f"{NAMESPACE}unattend"
    assert [part.get("pass") for part in root.iter(f"{NAMESPACE}settings")] == [
        *("windowsPE", "specialize", "oobeSystem")
    ]
    user = root.findtext(f".//{NAMESPACE}LocalAccount/{NAMESPACE}Name")
    assert user == root.findtext(f".//{NAMESPACE}AutoLogon/{NAMESPACE}Username")
    commands = [node.text or "" for node in root.iter(f"{NAMESPACE}CommandLine")]
    assert any("setup.ps1" in command for command in commands)


def test_set_up_installs_what_the_program_imports() -> None:
    wanted = (FOLDER / "requirements.txt").read_text()
    names = {re.split("[=>]", line)[0] for line in wanted.splitlines() if line[:1].isalpha()}
    assert names == {"comtypes", "mss", "pillow", "psutil", "pyautogui", "pywin32"}
    script = (FOLDER / "setup.ps1").read_text()
    assert "requirements.txt" in script
    assert "-m pptarena.vm_images.windows --listen" in script


def test_what_was_never_run_says_so() -> None:
    for name in ("setup.ps1", "autounattend.xml", "requirements.txt", "README.md"):
        assert "untested" in (FOLDER / name).read_text("utf-8").casefold(), name
