from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pptarena.vm_images.guest.leftovers import Leftovers
from pptarena.vm_images.windows.clean import Cleaner
from pptarena.vm_images.windows.profile import Profile
from pptarena.vm_images.windows.system import Window

System = Any  # the stand-in of conftest


def test_what_came_since_is_ended_and_the_rest_stays(system: System, tmp_path: Path) -> None:
    (tmp_path / "from before.txt").touch()
    restored: list[bool] = []
    cleaner = Cleaner(system, Leftovers([tmp_path]), lambda: restored.append(not cleaner.office()))
    system.running |= {3: "powerpnt.exe", 4: "notepad.exe", 5: "svchost.exe"}
    system.shown += [
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
    assert system.done == [("end", 3), ("end", 4), ("close", 13)]
    assert system.text is None
    assert [path.name for path in tmp_path.iterdir()] == ["from before.txt"]
    assert restored == [True], "settings were restored while PowerPoint could still write them"


def test_a_powerpoint_that_was_there_before_is_ended_too(system: System, tmp_path: Path) -> None:
    system.running[9] = "powerpnt.exe"
    cleaner = Cleaner(system, Leftovers([]), lambda: None)
    cleaner.clean()
    assert 9 not in system.running


def test_settings_are_copied_once_and_put_back(tmp_path: Path) -> None:
    ran: list[list[str]] = []

    def run(command: Sequence[str]) -> None:
        ran.append(list(command[:2]))
        if command[1] == "export":
            Path(command[3]).write_text("settings")

    copy = tmp_path / "own" / "powerpoint.reg"
    Profile(copy, run)
    profile = Profile(copy, run)  # the guest starts again: the copy is from before
    assert ran == [["reg.exe", "export"]]
    profile.restore()
    assert ran[1:] == [["reg.exe", "delete"], ["reg.exe", "import"]]
