"""Checkpoints of any machine release their resources."""

import gc
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pptarena.envs.machines import MachineCheckpoint
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ConfigError, MachineLostError, MachineStartError, MachineTimeoutError


def test_close_releases_once() -> None:
    releases: list[str] = []
    with MachineCheckpoint("fake", lambda: releases.append("now")) as checkpoint:
        assert not checkpoint.closed
    checkpoint.close()
    assert checkpoint.closed
    assert releases == ["now"]


@pytest.mark.slow
def test_garbage_collection_releases() -> None:
    releases: list[str] = []
    checkpoint = MachineCheckpoint("fake", lambda: releases.append("now"))
    del checkpoint
    gc.collect()
    assert releases == ["now"]


@pytest.mark.slow
def test_interpreter_exit_releases(tmp_path: Path) -> None:
    file = tmp_path / "state"
    file.touch()
    program = (
        "import pathlib, sys\n"
        "from pptarena.envs.machines import MachineCheckpoint\n"
        "checkpoint = MachineCheckpoint('fake', pathlib.Path(sys.argv[1]).unlink)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(file)], check=True, timeout=60)
    assert not file.exists()


@pytest.mark.slow
def test_forked_process_does_not_release_the_checkpoint_of_its_parent(tmp_path: Path) -> None:
    file = tmp_path / "state"
    file.touch()
    program = (
        "import os, pathlib, sys\n"
        "from pptarena.envs.machines import MachineCheckpoint\n"
        "checkpoint = MachineCheckpoint('fake', pathlib.Path(sys.argv[1]).unlink)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    checkpoint.close()\n"
        "    sys.exit()\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert pathlib.Path(sys.argv[1]).exists()\n"
    )
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(file)], check=True, timeout=60
    )
    assert not file.exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_checkpoint_cannot_be_pickled(protocol: int) -> None:
    checkpoint = MachineCheckpoint("fake", list)
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        pickle.dumps(checkpoint, protocol)


def test_fake_machine_simulates_checkpoint_failures(deck: bytes) -> None:
    machine = FakeMachine()
    machine.load(deck, "garden.pptx")
    checkpoint = machine.checkpoint()
    machine.fail_next("start", on="fork")
    with pytest.raises(MachineStartError, match="start on fork"):
        machine.fork(checkpoint)
    assert machine.save(), "a fork that failed took its parent down"
    machine.fail_next("timeout", on="restore")
    with pytest.raises(MachineTimeoutError, match="timeout on restore"):
        machine.restore(checkpoint)
    with pytest.raises(MachineLostError, match="no deck is loaded"):
        machine.save()
    assert machine.restore(checkpoint).document.slide_count == 3
    machine.fail_next("lost", on="checkpoint")
    with pytest.raises(MachineLostError, match="lost on checkpoint"):
        machine.checkpoint()
    with pytest.raises(ConfigError, match="cannot fail with 'garbage' on 'fork'"):
        machine.fail_next("garbage", on="fork")


def test_unloaded_machine_restores_and_forks(deck: bytes) -> None:
    with FakeMachine() as first:
        first.load(deck, "garden.pptx")
        checkpoint = first.checkpoint()
    other = FakeMachine()
    assert other.fork(checkpoint).save() == other.fork(checkpoint).save()
    assert other.restore(checkpoint).document.slide_count == 3
    other.close()
    with pytest.raises(MachineLostError, match="the machine is closed"):
        other.fork(checkpoint)
