"""Training with TRL; run by ``make test-trl``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs TRL: make test-trl")

EXAMPLE = Path(__file__).parents[3] / "examples" / "train_grpo.py"


def test_transformers_generates_the_schema_of_every_tool() -> None:
    from transformers.utils import get_json_schema

    from pptarena.envs.document.toolbox import FAMILIES, toolbox
    from pptarena.rollouts.trainers.trl import trl_environment

    environment = trl_environment(FAMILIES, judge=None)()
    for name, tool in toolbox(FAMILIES).items():
        schema = get_json_schema(getattr(environment, name))["function"]
        expected = tool.to_json()
        assert schema["name"] == name
        assert schema["description"] == expected["description"]
        parameters, expected_parameters = schema["parameters"], expected["parameters"]
        assert set(parameters["properties"]) == set(expected_parameters.get("properties", {}))
        assert set(parameters.get("required", ())) == set(expected_parameters.get("required", ()))


def test_grpo_example_runs_two_updates(tmp_path: Path) -> None:
    options = ["--updates", "2", "--group", "4", "--groups", "2"]
    command = [sys.executable, str(EXAMPLE), "--out", str(tmp_path), *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert (summary["updates"], summary["rollouts"], summary["tasks"]) == (2, 16, 4)
    assert 0 <= summary["last_10"] <= 1
    assert "'tools/call_frequency'" in result.stdout
