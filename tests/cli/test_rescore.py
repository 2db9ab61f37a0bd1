"""``pptarena runs rescore`` with another strategy, lambda or judge."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.rollouts.rescored_runs import EpisodeScores
from pptarena.tasks import list_tasks

Here = Callable[..., tuple[object, str, str]]
SOLVED, IDLE = list_tasks("starter")[:2]


def test_a_run_is_scored_under_another_strategy(here: Here, product_run: Path) -> None:
    options = ("--strategy", "mind2web2_gate", "--repeats", "5")
    code, out, _ = here("runs", "rescore", "run", *options, "--json")
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    assert (found["strategy"], found["lambda"], found["judge"]) == ("mind2web2_gate", None, None)
    assert {each["task"]: each["scores"] for each in found["episodes"]} == {
        SOLVED.id: [1.0],
        IDLE.id: [0.0],
    }
    assert found["rows"][0]["score"]["mean"] == found["rows"][0]["stored"]["mean"] == 0.5
    code, out, _ = here("runs", "rescore", "run", "--lambda", "0")
    assert code == 0
    assert "product" in out
    assert "CV" not in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--strategy", "mind2web"), "Did you mean 'mind2web2_gate'?"),
        (("--judge", "a", "--judge", "b"), "expected one judge"),
        (("--judge", "a", "--judge", "a"), "different names"),
        (("--as", "pptc", "--repeats", "2"), "--as excludes"),
        (("--as", "pptx"), "Did you mean 'pptc'?"),
    ],
)
def test_wrong_use(here: Here, product_run: Path, options: tuple[str, ...], problem: str) -> None:
    code, _, errors = here("runs", "rescore", "run", *options)
    assert code == 2
    assert problem in errors


def test_repeated_scores_have_a_table_of_their_own(
    here: Here, product_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def varied(episodes: Any, how: Any, repeats: int) -> Any:
        for episode in episodes:
            yield EpisodeScores(episode, (0.5, 1.0)[:repeats], True, "varies")

    monkeypatch.setattr("pptarena.rollouts.rescored_runs.rescore_episodes", varied)
    code, out, _ = here("runs", "rescore", "run", "--repeats", "2")
    assert code == 0
    assert "Repeated scores of judged episodes" in out
    assert "0.0625" in out  # the variance of 0.5 and 1
