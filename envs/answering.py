"""Sources of answers to an agent's questions: the task's script, a function or a person."""

import sys
from collections.abc import Callable

from pptarena.errors import ConfigError
from pptarena.plugins import import_object
from pptarena.tasks import Task
from pptarena.tasks.answers import NO_ANSWER, answer_to
from pptarena.untrusted import visible

__all__ = ["Answering", "answering"]

Answering = Callable[[Task, str], str]
"""A function that answers a question of an agent, given the task."""


def answering(who: object) -> Answering:
    """Return the function that answers questions.

    Args:
        who: None for the task's scripted answers, ``"person"`` to prompt on the terminal, or a
            function of the task and the question, also as ``"package.module:function"``.

    Raises:
        ConfigError: If `who` is anything else, or cannot be imported.
    """
    if who is None:
        return _by_script
    if who == "person":
        return _by_person
    if isinstance(who, str) and ":" in who:
        try:
            who = import_object(who)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"answer: cannot import {who!r}: {error}") from error
    if not callable(who):
        raise ConfigError(f"answer: expected None, 'person' or a function, got {who!r}")

    def by_function(task: Task, question: str) -> str:
        answer = who(task, question)
        if not isinstance(answer, str):
            raise ConfigError(f"answer: expected the function to return a text, got {answer!r}")
        return answer

    return by_function


def _by_script(task: Task, question: str) -> str:
    return answer_to(question, task.answers)


def _by_person(task: Task, question: str) -> str:
    asked = visible(f"{task.id}: the agent asks: {question}")
    sys.stderr.write(f"{asked}\nYour answer (empty for none): ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() or NO_ANSWER
