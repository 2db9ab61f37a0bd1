"""``pptarena runs judge``: a run rated by judge models."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pptarena.decks import read_deck
from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
from pptarena.tasks import list_tasks
from pptarena.tasks.goals import goal_deck

pytestmark = pytest.mark.slow

Here = Callable[..., tuple[object, str, str]]
TASKS = list_tasks("starter")[:2]


class Painter:
    """Draws a slide as a shade of its text."""

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        made = []
        for slide in read_deck(deck).slides:
            stream = io.BytesIO()
            shade = sum(slide.text.encode()) % 256
            Image.new("RGB", (64, 36), (shade, shade, shade)).save(stream, "PNG")
            made.append(stream.getvalue())
        return tuple(made)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Any) -> Path:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PPTARENA_JUDGE_URL", server.url)
    monkeypatch.delenv("PPTARENA_JUDGE_MODEL", raising=False)
    monkeypatch.setattr("pptarena.vm_images.office.Office", Painter)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    for task in TASKS:
        (tmp_path / "results" / f"{task.id}.pptx").write_bytes(goal_deck(task))
    results = find_submissions(tmp_path / "results", TASKS)
    list(DeckImporter(tmp_path / "run", "product").run(results.submissions))
    return tmp_path / "run"


def answer(request: dict[str, Any]) -> str:
    """Answer the question of either judge; the model ``strict`` gives a point less."""
    content = request["messages"][1]["content"]
    score = 3 if request["model"] == "strict" else 4
    if isinstance(content, str):
        return json.dumps({"score": score, "reason": "done"})
    texts = [part["text"] for part in content if part["type"] == "text"]
    labels = [text.split('"')[1] for text in texts if text.endswith("(judge this one):")]
    slides = [{"slide": label, "score": score, "reason": "neat"} for label in labels]
    return json.dumps({"slides": slides})


def test_two_judges_side_by_side(here: Here, run: Path, server: Any) -> None:
    server.default = answer
    judges = ("--judge", "kind", "--judge", f"strict@{server.url}", "--no-references")
    code, out, errors = here("runs", "judge", "run", *judges, "--json")
    assert code == 0, errors
    results = json.loads(out)
    means = {row["rater"]: row["instruction"]["mean"] for row in results["rows"][:2]}
    assert means == {"kind": 4.0, f"strict@{server.url}": 3.0}
    pair = results["agreement"][0]
    assert (pair["score"], pair["difference"], pair["equal"]) == ("IF", -1.0, 0.0)
    assert [each["task"] for each in results["episodes"]] == sorted(task.id for task in TASKS)
    code, out, _ = here("runs", "judge", "run", "--judge", "kind", "--no-references")
    assert code == 0
    assert "4.00" in out
    assert "Agreement" not in out


def test_one_judge_with_different_evidence(here: Here, run: Path, server: Any) -> None:
    server.default = '{"instruction": 2, "visual": 5, "reason": "fine"}'
    code, out, _ = here("runs", "judge", "run", "--judge", "m", "--evidence", "single", "--json")
    assert code == 0
    row = json.loads(out)["rows"][0]
    assert (row["rater"], row["instruction"]["mean"]) == ("m, single", 2.0)


def test_judge_describes_correct_results_first(here: Here, run: Path, server: Any) -> None:
    def told(request: dict[str, Any]) -> str:
        if "You write down" in request["messages"][0]["content"]:
            return json.dumps({"target": "The title must be short."})
        return answer(request)

    server.default = told
    options = ("--judge", "m", "--style-targets", "--no-references")
    code, _, errors = here("runs", "judge", "run", *options)
    assert code == 0, errors
    requests = [json.dumps(request["messages"]) for request in server.requests]
    described = [text for text in requests if "You write down" in text]
    assert len(described) == len(TASKS)
    rated = [text for text in requests if "You write down" not in text]
    assert rated
    assert all("The title must be short." in text for text in rated)


def test_usage_errors(here: Here, run: Path, server: Any) -> None:
    code, _, errors = here("runs", "judge", "run")
    assert (code, "no judge model is configured" in errors) == (2, True)
    code, _, errors = here("runs", "judge", "run", "--judge", "m", "--evidence", "singel")
    assert (code, "Did you mean 'single'?" in errors) == (2, True)
    server.default = "no JSON"
    code, _, errors = here("runs", "judge", "run", "--judge", "m", "--no-references")
    assert code == 1
    assert "no valid answer" in errors


def test_published_prompts_next_to_our_prompts(here: Here, run: Path, server: Any) -> None:
    def reply(request: dict[str, Any]) -> str:
        system = request["messages"][0]["content"]
        for name in ("instruction_following", "visual_quality"):
            if f'"{name}_score"' in system:
                return json.dumps({f"{name}_score": 2, f"{name}_reason": "compared"})
        return answer(request)

    server.default = reply
    both = ("--judge-prompt", "uiuc", "--judge-prompt", "pptarena")
    code, out, errors = here("runs", "judge", "run", "--judge", "m", *both, "--json")
    assert code == 0, errors
    results = json.loads(out)
    means = {
        row["rater"]: (row["instruction"]["mean"], row["visual"]["mean"])
        for row in results["rows"]
        if row["kind"] == "all"
    }
    # The results are the target decks: no difference, and the painter draws them alike.
    assert means["m, uiuc"] == (5.0, 5.0)
    assert set(means) == {"m", "m, uiuc"}
    wrong = ("--judge-prompt", "uiuc", "--evidence", "single")
    code, _, errors = here("runs", "judge", "run", "--judge", "m", *wrong)
    assert (code, "one kind of evidence" in errors) == (2, True)
    code, _, errors = here("runs", "judge", "run", "--judge", "m", "--judge-prompt", "uiu")
    assert (code, "Did you mean 'uiuc'?" in errors) == (2, True)
