"""The command line of a virtual computer."""

from pathlib import Path

import pytest

from pptarena.envs.machines.qemu.hardware import Hardware


def hardware(disk: str = "/images/root.squashfs", accelerator: str = "tcg") -> Hardware:
    return Hardware("/usr/bin/qemu", accelerator, Path(disk), 2**30, 2)


def test_nothing_of_it_is_on_the_network_or_can_write() -> None:
    command = hardware().command(Path("/memory"), 3, 4)
    assert command[command.index("-nic") + 1] == "none"
    assert command[command.index("-sandbox") + 1].startswith("on,")
    joined = " ".join(command)
    assert "tcp" not in joined
    assert "share=off" in joined
    assert all("readonly=on" in word for word in command if word.startswith("if=none"))


def test_what_a_state_depends_on_is_not_where_files_lie() -> None:
    facts = hardware().facts()
    assert facts == hardware("/elsewhere/root.squashfs").facts()
    assert facts != hardware(accelerator="kvm").facts()
    bigger = Hardware("/usr/bin/qemu", "tcg", Path("/images/root.squashfs"), 2**31, 2)
    assert facts != bigger.facts()


@pytest.mark.parametrize("name", ["a,b", "ü", "two words"])
def test_commas_are_kept_where_they_would_end_a_value(name: str) -> None:
    folder = Path("/x", name)
    words = Hardware("q", "tcg", folder, 2**30, 1).command(folder / "m", 3, 4)
    escaped = str(folder).replace(",", ",,")
    assert sum(escaped in word for word in words) == 2
    assert Hardware.resume(folder / "devices")[-1] == f"file:{folder}/devices"
    assert Hardware.boot(folder, folder, folder)[1] == str(folder)
