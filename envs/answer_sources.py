"""Sources of answers to an agent's questions: the task's script, a function or a person."""

import sys
from collections.abc import Callable

from pptarena.errors import ConfigError
from pptarena.plugins import import_object
from pptarena.tasks import Task
from pptarena.tasks.answers import NO_ANSWER, answer_to
from pptarena.untrusted import escape_invisible

__all__ = ["AnswerFunction", "answer_function"]

AnswerFunction = Callable[[Task, str], str]
"""A function that answers a question of an agent, given the task."""


def answer_function(source: object) -> AnswerFunction:
    """Return the function that answers questions.

    Args:
        source: None for the task's scripted answers, ``"person"`` to prompt on the terminal, or a
            function of the task and the question, also as ``"package.module:function"``.

    Raises:
        ConfigError: If `source` is anything else, or cannot be imported.
    """
    if source is None:
        return _scripted_answer
    if source == "person":
        return _ask_person
    if isinstance(source, str) and ":" in source:
        try:
            source = import_object(source)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"answer: cannot import {source!r}: {error}") from error
    if not callable(source):
        raise ConfigError(f"answer: expected None, 'person' or a function, got {source!r}")

    def ask_function(task: Task, question: str) -> str:
        answer = source(task, question)
        if not isinstance(answer, str):
            raise ConfigError(f"answer: expected the function to return a text, got {answer!r}")
        return answer

    return ask_function


def _scripted_answer(task: Task, question: str) -> str:
    return answer_to(question, task.answers)


def _ask_person(task: Task, question: str) -> str:
    prompt = escape_invisible(f"{task.id}: the agent asks: {question}")
    sys.stderr.write(f"{prompt}\nYour answer (empty for none): ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() or NO_ANSWER
