from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pptarena.vm_images.guest.leftovers import Leftovers
from pptarena.vm_images.windows.cleaner import Cleaner
from pptarena.vm_images.windows.profile import Profile
from pptarena.vm_images.windows.system import Window

System = Any  # the stand-in of conftest


def test_only_new_programs_windows_and_files_are_removed(system: System, tmp_path: Path) -> None:
    (tmp_path / "old.txt").touch()
    restored: list[bool] = []
    cleaner = Cleaner(system, Leftovers([tmp_path]), lambda: restored.append(not cleaner.office()))
    system.running |= {3: "powerpnt.exe", 4: "notepad.exe", 5: "svchost.exe"}
    system.open_windows += [
        Window(30, 3, "plan.pptx - PowerPoint", "PPTFrameClass"),
        Window(40, 4, "notes.txt", "Notepad"),
        Window(13, 1, "Downloads", "CabinetWClass"),
    ]
    system.text = "of the last episode"
    (tmp_path / "saved by the agent.pptx").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/within").touch()
    cleaner.clean()
    assert system.running == {1: "explorer.exe", 2: "python.exe", 5: "svchost.exe"}
    assert system.calls == [("end", 3), ("end", 4), ("close", 13)]
    assert system.text is None
    assert [path.name for path in tmp_path.iterdir()] == ["old.txt"]
    assert restored == [True], "settings were restored while PowerPoint could still write them"


def test_earlier_powerpoint_is_ended_too(system: System, tmp_path: Path) -> None:
    system.running[9] = "powerpnt.exe"
    cleaner = Cleaner(system, Leftovers([]), lambda: None)
    cleaner.clean()
    assert 9 not in system.running


def test_settings_are_exported_once_and_restored(tmp_path: Path) -> None:
    commands: list[list[str]] = []

    def run(command: Sequence[str]) -> None:
        commands.append(list(command[:2]))
        if command[1] == "export":
            Path(command[3]).write_text("settings")

    copy = tmp_path / "own" / "powerpoint.reg"
    Profile(copy, run)
    profile = Profile(copy, run)  # a restarted guest keeps the first copy
    assert commands == [["reg.exe", "export"]]
    profile.restore()
    assert commands[1:] == [["reg.exe", "delete"], ["reg.exe", "import"]]
