"""Replies of the simulated user to the action ``ask``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.problems import Problems
from pptarena.tasks.fields import Fields

__all__ = ["NO_ANSWER", "Answer", "answer_to", "load_answers"]

NO_ANSWER = "I cannot tell you more about that. Please decide yourself."
"""Reply to a question that no answer matches."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer.

    Attributes:
        about: Words that a question must contain, in any order and case.
        answer: The reply.
    """

    about: str
    answer: str


def answer_to(question: str, answers: Sequence[Answer]) -> str:
    """Return the first matching answer, or `NO_ANSWER`."""
    words = _words(question)
    return next((each.answer for each in answers if _words(each.about) <= words), NO_ANSWER)


def load_answers(value: Sequence[Any], location: str = "answers") -> tuple[Answer, ...]:
    """Read answers from JSON.

    Raises:
        TaskError: If some are malformed; each problem begins with its location.
    """
    problems = Problems(TaskError)
    answers = problems.read_each(value, lambda index, each: _answer(each, f"{location}/{index}"))
    problems.finish()
    return answers


def _answer(value: Any, location: str) -> Answer:
    fields, problems = Fields(value, location), Problems(TaskError)
    answer = Answer(
        about=problems.read(lambda: fields.take("about", str)),
        answer=problems.read(lambda: fields.take("answer", str).strip()),
    )
    problems.read(fields.finish)
    problems.finish()
    if not _words(answer.about) or not answer.answer:
        raise TaskError(f"{location}: expected words in 'about' and a text in 'answer'")
    return answer


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
