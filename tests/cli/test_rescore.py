"""``pptarena runs rescore`` with another strategy, lambda or judge."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.rollouts.rescore_runs import EpisodeScores
from pptarena.tasks import list_tasks

Here = Callable[..., tuple[object, str, str]]
SOLVED, IDLE = list_tasks("starter")[:2]


def test_run_is_rescored_with_another_strategy(here: Here, product_run: Path) -> None:
    options = ("--strategy", "mind2web2_gate", "--repeats", "5")
    code, out, _ = here("runs", "rescore", "run", *options, "--json")
    assert code == 0
    results: dict[str, Any] = json.loads(out)
    assert (results["strategy"], results["lambda"], results["judge"]) == (
        "mind2web2_gate",
        None,
        None,
    )
    assert {each["task"]: each["scores"] for each in results["episodes"]} == {
        SOLVED.id: [1.0],
        IDLE.id: [0.0],
    }
    assert results["rows"][0]["score"]["mean"] == results["rows"][0]["stored"]["mean"] == 0.5
    code, out, _ = here("runs", "rescore", "run", "--lambda", "0")
    assert code == 0
    assert "product" in out
    assert "CV" not in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--strategy", "mind2web"), "Did you mean 'mind2web2_gate'?"),
        (("--judge", "a", "--judge", "b"), "name one judge"),
        (("--judge", "a", "--judge", "a"), "must be distinct"),
        (("--as", "pptc", "--repeats", "2"), "--as excludes"),
        (("--as", "pptx"), "Did you mean 'pptc'?"),
    ],
)
def test_usage_errors(
    here: Here, product_run: Path, options: tuple[str, ...], problem: str
) -> None:
    code, _, errors = here("runs", "rescore", "run", *options)
    assert code == 2
    assert problem in errors


def test_repeated_scores_have_a_separate_table(
    here: Here, product_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def varied(episodes: Any, how: Any, repeats: int) -> Any:
        for episode in episodes:
            yield EpisodeScores(episode, (0.5, 1.0)[:repeats], True, "varies")

    monkeypatch.setattr("pptarena.rollouts.rescore_runs.rescore_episodes", varied)
    code, out, _ = here("runs", "rescore", "run", "--repeats", "2")
    assert code == 0
    assert "Repeated scores of judged episodes" in out
    assert "0.0625" in out  # the variance of 0.5 and 1
