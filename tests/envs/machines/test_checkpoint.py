"""What a kept state does with what it holds, whatever the machine."""

import gc
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pptarena.envs.machines import MachineCheckpoint
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ConfigError, MachineLostError, MachineStartError, MachineTimeoutError


def test_it_is_freed_once() -> None:
    freed: list[str] = []
    with MachineCheckpoint("fake", lambda: freed.append("now")) as kept:
        assert not kept.closed
    kept.close()
    assert kept.closed
    assert freed == ["now"]


@pytest.mark.slow
def test_forgetting_it_frees_it() -> None:
    freed: list[str] = []
    kept = MachineCheckpoint("fake", lambda: freed.append("now"))
    del kept
    gc.collect()
    assert freed == ["now"]


@pytest.mark.slow
def test_the_end_of_the_interpreter_frees_it(tmp_path: Path) -> None:
    file = tmp_path / "state"
    file.touch()
    program = (
        "import pathlib, sys\n"
        "from pptarena.envs.machines import MachineCheckpoint\n"
        "kept = MachineCheckpoint('fake', pathlib.Path(sys.argv[1]).unlink)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(file)], check=True, timeout=60)
    assert not file.exists()


@pytest.mark.slow
def test_a_forked_process_does_not_free_its_parents(tmp_path: Path) -> None:
    file = tmp_path / "state"
    file.touch()
    program = (
        "import os, pathlib, sys\n"
        "from pptarena.envs.machines import MachineCheckpoint\n"
        "kept = MachineCheckpoint('fake', pathlib.Path(sys.argv[1]).unlink)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    kept.close()\n"
        "    sys.exit()\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert pathlib.Path(sys.argv[1]).exists()\n"
    )
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(file)], check=True, timeout=60
    )
    assert not file.exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_it_stays_in_its_process(protocol: int) -> None:
    kept = MachineCheckpoint("fake", list)
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        pickle.dumps(kept, protocol)


def test_the_fake_fails_where_it_is_told_to(deck: bytes) -> None:
    machine = FakeMachine()
    machine.load(deck, "garden.pptx")
    kept = machine.checkpoint()
    machine.fail_next("start", on="fork")
    with pytest.raises(MachineStartError, match="start on fork"):
        machine.fork(kept)
    assert machine.save(), "a fork that failed took its parent down"
    machine.fail_next("timeout", on="restore")
    with pytest.raises(MachineTimeoutError, match="timeout on restore"):
        machine.restore(kept)
    with pytest.raises(MachineLostError, match="no deck is loaded"):
        machine.save()
    assert machine.restore(kept).document.slide_count == 3
    machine.fail_next("lost", on="checkpoint")
    with pytest.raises(MachineLostError, match="lost on checkpoint"):
        machine.checkpoint()
    with pytest.raises(ConfigError, match="cannot fail with 'garbage' on 'fork'"):
        machine.fail_next("garbage", on="fork")


def test_a_machine_that_never_loaded_restores_and_forks(deck: bytes) -> None:
    with FakeMachine() as first:
        first.load(deck, "garden.pptx")
        kept = first.checkpoint()
    other = FakeMachine()
    assert other.fork(kept).save() == other.fork(kept).save()
    assert other.restore(kept).document.slide_count == 3
    other.close()
    with pytest.raises(MachineLostError, match="the machine is closed"):
        other.fork(kept)
