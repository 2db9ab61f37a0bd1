"""The training example, from the first episode to the film, on the fake machine."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

pytestmark = pytest.mark.slow

pytest.importorskip("sb3_contrib")
pytest.importorskip("matplotlib")

EXAMPLES = Path(__file__).parents[2] / "examples"


def _run(home: Path, script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / script), *arguments],
        env={**os.environ, "PPTARENA_HOME": str(home), "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _train(home: Path, out: Path, *arguments: str) -> tuple[dict[str, Any], list[dict[str, str]]]:
    settings = ("--machine", "fake", "--machines", "1", "--random-episodes", "3")
    _run(home, "train_ppo.py", "--out", str(out), *settings, *arguments)
    summary = json.loads((out / "summary.json").read_text())
    with (out / "episodes.csv").open() as lines:
        return summary, list(csv.DictReader(lines))


def test_ppo_trains_resumes_and_starts_from_a_model(tmp_path: Path) -> None:
    first = tmp_path / "ppo-0"
    summary, rows = _train(tmp_path, first, "--minutes", "0.1")
    assert summary["episodes"] == len(rows) > 0
    assert [int(row["episode"]) for row in rows] == list(range(1, len(rows) + 1))
    assert 0 <= summary["random_mean_score"] <= 1
    assert len(summary["filmed_scores"]) == 4
    for name in ("curve.png", "agent.gif"):
        with Image.open(first / name) as picture:
            assert picture.width > 300
    repeated, more = _train(tmp_path, first, "--minutes", "0.2", "--resume")
    assert more[: len(rows)] == rows
    assert repeated["episodes"] == len(more) > len(rows)
    assert repeated["steps"] > summary["steps"]

    second = tmp_path / "ppo-1"
    model = str(first / "model.zip")
    longer, tasks = _train(
        tmp_path, second, "--minutes", "0.1", "--suite", "all#two-steps", "--model", model
    )
    assert longer["suite"] == "all#two-steps"
    assert {row["task"].rsplit("-steps-")[0] for row in tasks} == {"two"}

    out = tmp_path / "curves.png"
    output = _run(tmp_path, "plot_curves.py", str(first), str(second), "--out", str(out))
    assert f"ppo-0: {len(more)} episodes" in output
    with Image.open(out) as picture:
        assert picture.format == "PNG"

    suites = ("--suites", "all#first-steps", "all#first-steps-unseen", "--episodes", "4")
    output = _run(
        tmp_path, "evaluate_ppo.py", str(first), *suites, "--machine", "fake", "--machines", "1"
    )
    assert output.count("4 episodes") == 6
    held_out = json.loads((first / "held_out.json").read_text("utf-8"))
    for ways in held_out.values():
        tasks_of = [[task for task, _ in results] for results in ways.values()]
        assert tasks_of[0] == tasks_of[1] == tasks_of[2]  # all meet the same tasks
        assert all(0 <= score <= 1 for results in ways.values() for _, score in results)


def test_cloned_expert_initializes_training(tmp_path: Path) -> None:
    suite = tmp_path / "grown.jsonl"
    grow = [
        sys.executable,
        "-c",
        "from pptarena.cli import main; main()",
        "generate",
        "--decks",
        "meridian",
    ]
    kinds = ("--operators", "set-title,bold-text,delete-slide", "--depth", "1", "--count", "12")
    subprocess.run(
        [*grow, *kinds, "--prove", "file", "--workers", "1", "--out", str(suite)],
        env={**os.environ, "PPTARENA_HOME": str(tmp_path)},
        check=True,
        timeout=120,
    )
    cloned, train = tmp_path / "cloned", f"{suite}#train"
    settings = ("--suite", train, "--out", str(cloned), "--episodes", "3", "--epochs", "12")
    output = _run(tmp_path, "clone_expert.py", *settings)
    assert "'kept': 3" in output
    summary = json.loads((cloned / "summary.json").read_text("utf-8"))
    likelihood = summary["likelihood"]
    assert likelihood[-1] > 2 * likelihood[0]
    with np.load(cloned / "demos.npz") as demos:
        steps, masks, numbers = len(demos["_numbers"]), demos["_masks"], demos["_numbers"]
        assert summary["steps_of_the_expert"] == steps >= 6
        assert masks[np.arange(steps), numbers].all(), "the expert does what can be done"
        assert demos["_returns"].max() == pytest.approx(1.0), "it ends at 1"

    model = str(cloned / "model.zip")
    out = tmp_path / "ppo"
    more = ("--suite", train, "--model", model, "--max-steps", "8", "--rate", "1e-4")
    summary, rows = _train(tmp_path, out, "--minutes", "0.05", *more)
    assert summary["episodes"] == len(rows)

    ways = ("--models", f"cloned={model}", "--no-chance", "--name", "cloned.json")
    play = ("--suites", train, "--episodes", "2", "--machine", "fake", "--machines", "1")
    output = _run(tmp_path, "evaluate_ppo.py", str(out), *ways, *play, "--max-steps", "8")
    assert output.count("2 episodes") == 1
    assert list(json.loads((out / "cloned.json").read_text("utf-8"))[train]) == ["cloned"]
