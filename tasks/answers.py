"""What the person who gave a task answers when asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.tasks.fields import Fields

__all__ = ["NO_ANSWER", "Answer", "answer_to", "load_answers"]

NO_ANSWER = "I cannot tell you more about that. Please decide yourself."
"""What is said to a question that no answer is about."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer.

    Attributes:
        about: A question is about this if it has all of these words, in any order and case.
        answer: What is said then.
    """

    about: str
    answer: str


def answer_to(question: str, answers: Sequence[Answer]) -> str:
    """Return the first answer that a question is about; `NO_ANSWER` if there is none."""
    words = _words(question)
    return next((each.answer for each in answers if _words(each.about) <= words), NO_ANSWER)


def load_answers(value: Sequence[Any], place: str = "answers") -> tuple[Answer, ...]:
    """Read answers from JSON.

    Raises:
        TaskError: If one is malformed; the message begins with its place.
    """
    found = []
    for index, each in enumerate(value):
        fields = Fields(each, f"{place}/{index}")
        answer = Answer(fields.take("about", str), fields.take("answer", str).strip())
        fields.finish()
        if not _words(answer.about) or not answer.answer:
            raise TaskError(f"{place}/{index}: expected words in 'about' and a text in 'answer'")
        found.append(answer)
    return tuple(found)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
