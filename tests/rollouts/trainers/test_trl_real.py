"""TRL itself trains on the environment; ``make test-trl`` makes an environment that has it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs TRL: make test-trl")

EXAMPLE = Path(__file__).parents[3] / "examples" / "train_grpo.py"


def test_transformers_describe_every_tool() -> None:
    from transformers.utils import get_json_schema

    from pptarena.envs.document.toolbox import FAMILIES, toolbox
    from pptarena.rollouts.trainers.trl import trl_environment

    environment = trl_environment(FAMILIES, judge=None)()
    for name, tool in toolbox(FAMILIES).items():
        found = get_json_schema(getattr(environment, name))["function"]
        ours = tool.to_json()
        assert found["name"] == name
        assert found["description"] == ours["description"]
        assert set(found["parameters"]["properties"]) == set(
            ours["parameters"].get("properties", {})
        )
        assert set(found["parameters"].get("required", ())) == set(
            ours["parameters"].get("required", ())
        )


def test_two_updates_of_grpo(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            str(EXAMPLE),
            "--out",
            str(tmp_path),
            "--updates",
            "2",
            "--group",
            "4",
            "--groups",
            "2",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert (summary["updates"], summary["rollouts"], summary["tasks"]) == (2, 16, 4)
    assert 0 <= summary["last_10"] <= 1
    assert "'tools/call_frequency'" in done.stdout
