import io
import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from typer.testing import CliRunner

from pptarena.cli import app
from pptarena.errors import (
    ConfigError,
    DeckError,
    ImageError,
    RubricError,
    TaskError,
    UnknownTaskError,
)
from pptarena.tasks import Task, list_tasks


@pytest.fixture
def task() -> Task:
    return list_tasks("starter")[0]


@pytest.fixture
def deck(task: Task, tmp_path: Path) -> Path:
    path = tmp_path / "deck.pptx"
    path.write_bytes(task.deck_bytes())
    return path


def _run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_unedited_deck_scores_0(task: Task, deck: Path) -> None:
    result = _run("score", task.id, deck, "--as-is", "--json")
    assert result.exit_code == 0
    tree = json.loads(result.stdout)
    assert tree["score"] == 0
    assert all(child["reason"] for child in tree["children"])


@pytest.mark.slow
def test_rubric_tree_is_shown_with_marks_and_reasons(task: Task, deck: Path) -> None:
    result = _run("score", task.id, deck, "--original", deck)
    assert result.exit_code == 0
    assert "✗ 0.00" in result.stdout
    assert task.rubric.root.name in result.stdout
    assert "parts are fulfilled" in " ".join(result.stdout.split())  # the reason of the root


def test_unreadable_deck_fails(task: Task, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pptx"
    wrong.write_text("no deck")
    result = _run("score", task.id, wrong)
    assert result.exit_code == 1
    assert isinstance(result.exception, DeckError)


def test_unknown_task_is_a_usage_error(deck: Path) -> None:
    assert isinstance(_run("score", "no-such-task", deck).exception, UnknownTaskError)


def test_task_comes_before_the_deck(task: Task, deck: Path) -> None:
    error = _run("score", deck, task.id).exception
    assert isinstance(error, ConfigError)
    assert str(error) == f"TASK is the deck {deck}: give the task first, then the deck"


def test_missing_image_lists_the_alternatives(
    task: Task, deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    error = _run("score", task.id, deck).exception
    assert isinstance(error, ImageError)
    for alternative in ("pptarena image build", "--original", "--as-is"):
        assert alternative in str(error)


def test_original_and_as_is_exclude_each_other(task: Task, deck: Path) -> None:
    error = _run("score", task.id, deck, "--original", deck, "--as-is").exception
    assert isinstance(error, ConfigError)


@pytest.mark.image
@pytest.mark.slow
@pytest.mark.parametrize("saved", [False, True])
def test_baseline_is_the_deck_saved_by_the_application(
    task: Task, deck: Path, tmp_path: Path, saved: bool
) -> None:
    """A right answer of whatever program scores in full, without a word on the original."""
    from pptarena.tasks.goals import goal_deck
    from pptarena.vm_images.office import Office

    done = goal_deck(task)
    path = tmp_path / "done.pptx"
    path.write_bytes(Office().save(done) if saved else done)
    result = _run("score", task.id, path, "--no-judge", "--json")
    assert json.loads(result.stdout)["score"] == 1.0
    assert "as the application saves it" in result.stderr
    assert ("from another program" in result.stderr) != saved


def test_help_has_an_example() -> None:
    assert "pptarena score" in _run("score", "--help").stdout


def test_deck_is_read_from_its_path(task: Task, tmp_path: Path) -> None:
    presentation = Presentation(io.BytesIO(task.deck_bytes()))
    presentation.slides._sldIdLst.remove(presentation.slides._sldIdLst[0])
    path = tmp_path / "shorter.pptx"
    presentation.save(str(path))
    leaves = {
        c["name"]: c
        for c in json.loads(_run("score", task.id, path, "--as-is", "--json").stdout)["children"]
    }
    assert leaves["nothing else changed"]["score"] < 1


@pytest.fixture
def judged(server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server that is the judge of this test's commands."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PPTARENA_JUDGE_MODEL", "m")
    monkeypatch.setenv("PPTARENA_JUDGE_URL", server.url)
    return server


@pytest.mark.slow
def test_judge_explains_parent_scores(judged: Any, task: Task, deck: Path) -> None:
    judged.default = '{"reasons": [{"place": "root", "reason": "You did nothing at all."}]}'
    plain = json.loads(_run("score", task.id, deck, "--as-is", "--no-judge", "--json").stdout)
    assert judged.requests == []
    explained = json.loads(_run("score", task.id, deck, "--as-is", "--json").stdout)
    assert explained == {**plain, "reason": "You did nothing at all."}
    assert task.instruction in judged.requests[0]["messages"][1]["content"]


def test_failing_judge_only_removes_its_explanation(judged: Any, task: Task, deck: Path) -> None:
    judged.default = {"status": 400, "text": "no"}
    plain = json.loads(_run("score", task.id, deck, "--as-is", "--no-judge", "--json").stdout)
    result = _run("score", task.id, deck, "--as-is", "--json")
    assert json.loads(result.stdout) == plain
    assert "The judge gave no explanation" in result.stderr


PPTEVAL = {
    "root": {
        "name": "backup",
        "description": "The last slide is hidden.",
        "is_critical": True,
        "children": [
            {
                "name": "hidden",
                "description": "",
                "is_critical": True,
                "scorer": {
                    "type": "function",
                    "function_code": "def compute_score():\n"
                    "    from pptx import Presentation\n"
                    "    last = list(Presentation(modified_ppt_path).slides)[-1]\n"
                    "    hidden = last._element.get('show') == '0'\n"
                    "    return 'looked at the last slide', float(hidden)\n",
                },
            }
        ],
    },
    "metadata": {"task": "Hide the backup slide."},
}


def _hidden(deck: Path) -> Path:
    presentation = Presentation(str(deck))
    list(presentation.slides)[-1]._element.set("show", "0")
    path = deck.with_name("hidden.pptx")
    presentation.save(str(path))
    return path


@pytest.mark.slow
def test_ppteval_rubric_is_scored_in_its_sandbox(deck: Path, tmp_path: Path) -> None:
    file = tmp_path / "rubric.json"
    file.write_text(json.dumps(PPTEVAL))
    for edited, expected in ((deck, 0.0), (_hidden(deck), 1.0)):
        result = _run("score", file, edited, "--original", deck, "--json")
        assert result.exit_code == 0, result.output
        tree = json.loads(result.stdout)
        assert (tree["score"], tree["children"][0]["reason"]) == (
            expected,
            "looked at the last slide",
        )


@pytest.mark.slow
def test_task_file_scores_like_the_task(task: Task, deck: Path) -> None:
    spec = Path(__file__).parents[2] / "tasks" / "specs" / "bench" / f"{task.id}.json"
    by_file = _run("score", spec, _hidden(deck), "--original", deck, "--json").stdout
    by_id = _run("score", task.id, _hidden(deck), "--as-is", "--json").stdout
    assert json.loads(by_file) == json.loads(by_id)


@pytest.mark.slow
def test_custom_rubric_is_scored(deck: Path, tmp_path: Path) -> None:
    leaf = {"name": "hidden", "check": "slide_hidden", "args": {"slide": 17}}
    file = tmp_path / "rubric.json"
    file.write_text(json.dumps({"version": 1, "root": leaf}))
    tree = json.loads(_run("score", file, _hidden(deck), "--original", deck, "--json").stdout)
    assert tree["score"] == 1.0


@pytest.mark.parametrize("text", ["{", "[]", '{"root": 1}', '{"version": 1, "root": {"name": ""}}'])
def test_file_without_a_rubric_is_refused(text: str, deck: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(text)
    error = _run("score", file, deck, "--original", deck).exception
    assert isinstance(error, RubricError | TaskError)
    assert str(error).startswith("wrong.json: ")


def test_rubric_requires_the_original_deck(deck: Path, tmp_path: Path) -> None:
    file = tmp_path / "rubric.json"
    file.write_text(json.dumps(PPTEVAL))
    assert isinstance(_run("score", file, deck).exception, ConfigError)
