import json
import pickle
import subprocess
import sys

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

import pptarena
from pptarena.envs import PPTArenaEnv
from pptarena.tasks import list_tasks


@pytest.mark.slow
def test_every_task_has_an_environment_id() -> None:
    tasks = list_tasks("starter")
    assert tasks
    for task in tasks:
        env = gym.make(f"PPTArena/{task.id}-v0", machine="fake")
        _, info = env.reset(seed=0)
        assert info["task_id"] == task.id
        env.close()


@pytest.mark.slow
def test_the_module_form_works_in_a_fresh_process() -> None:
    code = "import gymnasium; gymnasium.make('pptarena:PPTArena-v0', machine='fake').close()"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)


@pytest.mark.slow
def test_import_loads_no_heavy_package() -> None:
    code = (
        "import sys, pptarena;"
        "heavy = {'pptx', 'lxml', 'PIL', 'typer', 'rich', 'pptarena.envs', 'pptarena.tasks'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("env_id", ["PPTArena-v0", f"PPTArena/{list_tasks('starter')[0].id}-v0"])
def test_spec_round_trip(env_id: str) -> None:
    env = gym.make(env_id, machine="fake", settle_cap_sec=1.0)
    spec = env.spec
    assert spec is not None
    assert spec.nondeterministic
    again = EnvSpec.from_json(spec.to_json())
    assert again.entry_point == spec.entry_point == "pptarena.envs:PPTArenaEnv"
    assert json.loads(spec.to_json())["kwargs"]["settle_cap_sec"] == 1.0
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert isinstance(gym.make(again).unwrapped, PPTArenaEnv)


def test_version_has_three_parts() -> None:
    assert pptarena.__version__.count(".") == 2
