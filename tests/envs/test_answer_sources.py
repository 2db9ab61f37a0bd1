"""The action `ask`: answers of the task, a function, a person, or the default answer."""

import io
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import ask
from pptarena.errors import ConfigError, TaskError
from pptarena.tasks import Answer, Task
from pptarena.tasks.answers import NO_ANSWER, answer_to, load_answers

ANSWERS = (Answer("colour logo", "Dark green."), Answer("logo", "The one on the last slide."))


def ask_in_episode(task: Task, question: str, **arguments: Any) -> dict[str, Any]:
    with closing(PPTArenaEnv(task=task, machine="fake", **arguments)) as env:
        env.reset(seed=0)
        _, reward, terminated, truncated, info = env.step(ask(question))
        assert (reward, terminated, truncated, info["action_error"]) == (0.0, False, False, None)
        return dict(info["command"])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which COLOUR has the logo?", "Dark green."),
        ("The logo: which?", "The one on the last slide."),
        ("Which colour?", NO_ANSWER),
        ("logos", NO_ANSWER),
    ],
)
def test_first_matching_answer_is_returned(question: str, answer: str) -> None:
    assert answer_to(question, ANSWERS) == answer


def test_answers_of_the_task(bold_task: Task) -> None:
    task = replace(bold_task, answers=ANSWERS)
    assert ask_in_episode(task, "Which logo?") == {
        "kind": "ask",
        "text": "Which logo?",
        "answer": "The one on the last slide.",
    }
    assert ask_in_episode(bold_task, "Which logo?")["answer"] == NO_ANSWER


def test_answers_of_a_function(bold_task: Task) -> None:
    command = ask_in_episode(
        bold_task, "Why?", answer=lambda task, question: f"{task.id}: {question}"
    )
    assert command["answer"] == "make-title-bold: Why?"
    with pytest.raises(ConfigError, match="return a text"):
        ask_in_episode(bold_task, "Why?", answer=lambda task, question: None)
    with pytest.raises(ConfigError, match="expected None, 'person' or a function"):
        PPTArenaEnv(task=bold_task, machine="fake", answer="nobody")


def test_answers_of_a_person(
    bold_task: Task, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("The left one. \n\n"))
    assert ask_in_episode(bold_task, "Which?", answer="person")["answer"] == "The left one."
    assert ask_in_episode(bold_task, "Which?", answer="person")["answer"] == NO_ANSWER
    assert "make-title-bold: the agent asks: Which?" in capsys.readouterr().err


def test_answers_are_loaded_from_task_files(tmp_path: Path) -> None:
    assert load_answers([{"about": "logo", "answer": " Left. "}]) == (Answer("logo", "Left."),)
    for malformed in ("logo", {"about": "logo"}, {"about": "?", "answer": "x"}):
        with pytest.raises(TaskError, match="answers/0"):
            load_answers([malformed])
