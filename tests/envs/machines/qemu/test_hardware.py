"""The command line of a virtual machine."""

from pathlib import Path

import pytest

from pptarena.envs.machines.qemu.hardware import Hardware


def hardware(disk: str = "/images/root.squashfs", accelerator: str = "tcg") -> Hardware:
    return Hardware("/usr/bin/qemu", accelerator, Path(disk), 2**30, 2)


def test_no_network_and_no_writable_disk() -> None:
    command = hardware().command(Path("/memory"), 3, 4)
    assert command[command.index("-nic") + 1] == "none"
    assert command[command.index("-sandbox") + 1].startswith("on,")
    joined = " ".join(command)
    assert "tcp" not in joined
    assert "share=off" in joined
    assert all("readonly=on" in argument for argument in command if argument.startswith("if=none"))


def test_state_dependencies_exclude_paths() -> None:
    facts = hardware().state_dependencies()
    assert facts == hardware("/elsewhere/root.squashfs").state_dependencies()
    assert facts != hardware(accelerator="kvm").state_dependencies()
    bigger = Hardware("/usr/bin/qemu", "tcg", Path("/images/root.squashfs"), 2**31, 2)
    assert facts != bigger.state_dependencies()


@pytest.mark.parametrize("name", ["a,b", "ü", "two words"])
def test_commas_in_paths_are_escaped(name: str) -> None:
    folder = Path("/x", name)
    arguments = Hardware("q", "tcg", folder, 2**30, 1).command(folder / "m", 3, 4)
    escaped = str(folder).replace(",", ",,")
    assert sum(escaped in argument for argument in arguments) == 2
    assert Hardware.resume(folder / "devices")[-1] == f"file:{folder}/devices"
    assert Hardware.boot(folder, folder, folder)[1] == str(folder)
