"""All wordings of a packaged task request the same."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.tasks import Task, Turn, list_tasks

pytestmark = pytest.mark.slow

TASKS = {task.id: task for task in list_tasks("all")}

_QUOTED = re.compile(r'"([^"]+)"|«([^»]+)»|「([^」]+)」')
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_COUNT = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|forty|fifty)\b", re.I)
_FILE = re.compile(r"\b[\w-]+\.(?:avi|csv|gif|mp4|ods|pdf|png|pptx|txt|wav|xlsx)\b")
_COLOR = re.compile(r"#?\b[0-9A-F]{6}\b|\b(?:black|blue|gray|green|orange|red|sand|teal|white)\b")
_ADDRESS = re.compile(r"\b\w+://[\w./-]*\w")
_FOREIGN = re.compile(r"[^\x00-\u024f\u2018-\u201d\u20ac\u2026]+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z]\w+")
_BRITISH = re.compile(r"\b(?:colour|favourite|grey|centre|litre|metre|neighbour)", re.I)
_GENERIC = {"all", "title", "text", "body", "notes", "other", "none", "picture", "table", "left"}


def _leaves(value: Any) -> Iterator[str]:
    """Yield the texts and numbers in the arguments of a rubric, or in a solution."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in ("name", "check", "edit"):
                yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, str):
        yield value


def _literals(text: str) -> set[str]:
    """Return the literals that every wording of an instruction must contain."""
    literals = {next(filter(None, groups)) for groups in _QUOTED.findall(text)}
    for pattern in (_NUMBER, _COUNT, _FILE, _COLOR, _ADDRESS):
        literals |= set(pattern.findall(text))
    foreign = "".join(_FOREIGN.findall(text))
    if 2 * len(foreign) < len(text):  # the rest is English
        literals |= {each.strip() for each in _FOREIGN.findall(text) if each.strip()}
    return literals


def _scored_words(part: Task | Turn) -> set[str]:
    """Return the words of the instruction that the rubric or the solution needs."""
    values = {*_leaves(part.rubric.to_json()), *_leaves(part.solution)}
    names = set(_NAME.findall(part.instruction))
    words = {name for name in names if any(re.search(rf"\b{name}\b", each) for each in values)}
    for value in values:
        is_word = len(value) > 2 and not value.startswith("@") and value.lower() not in _GENERIC
        if is_word and re.search(rf"\b{re.escape(value)}\b", part.instruction):
            words.add(value)
    return words


PARTS = {
    f"{task.id}-{number}": part
    for task in TASKS.values()
    for number, part in enumerate((task, *task.turns), start=1)
}


@each_case("part", PARTS.values(), ids=PARTS)
def test_every_wording_contains_the_same_literals(part: Task | Turn) -> None:
    instruction = part.instruction
    assert len({instruction, *part.paraphrases}) == 4
    required = _literals(instruction) | _scored_words(part)
    for wording in part.paraphrases:
        missing_literals = {each for each in required if each.casefold() not in wording.casefold()}
        assert not missing_literals, wording
        added_literals = {
            n for n in _literals(wording) if n.casefold() not in instruction.casefold()
        }
        assert not added_literals, wording
        assert len(instruction) / 4 <= len(wording) <= 60 + 1.6 * len(instruction)
        assert wording == wording.strip()
        assert wording[-1] in '.!?。؟»」"'
        assert not _BRITISH.search(_QUOTED.sub("", wording)), wording


def test_wordings_are_numbered() -> None:
    for task in TASKS.values():
        assert task.wordings == 4
        for number, wording in enumerate((task.instruction, *task.paraphrases), start=1):
            worded = task.worded(number)
            assert (worded.instruction, worded.wording) == (wording, number)
            assert [turn.instruction for turn in worded.turns] == [
                (turn.instruction, *turn.paraphrases)[number - 1] for turn in task.turns
            ]
            assert (
                worded.worded(1 + number % 4).instruction == task.worded(1 + number % 4).instruction
            )
            assert worded.worded(1) == task
