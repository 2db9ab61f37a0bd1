"""The wordings of packaged tasks: all of them ask for the same."""

import re
from collections.abc import Iterator
from typing import Any

from tests.each_case import each_case

from pptarena.tasks import Task, Turn, list_tasks

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
    """Return what any wording of an instruction has to contain, whatever it is scored by."""
    found = {next(filter(None, groups)) for groups in _QUOTED.findall(text)}
    for pattern in (_NUMBER, _COUNT, _FILE, _COLOR, _ADDRESS):
        found |= set(pattern.findall(text))
    foreign = "".join(_FOREIGN.findall(text))
    if 2 * len(foreign) < len(text):  # the rest is English
        found |= {each.strip() for each in _FOREIGN.findall(text) if each.strip()}
    return found


def _scored(part: Task | Turn) -> set[str]:
    """Return the words of the instruction that the rubric or the solution needs."""
    values = {*_leaves(part.rubric.to_json()), *_leaves(part.solution)}
    names = set(_NAME.findall(part.instruction))
    found = {name for name in names if any(re.search(rf"\b{name}\b", each) for each in values)}
    for value in values:
        is_word = len(value) > 2 and not value.startswith("@") and value.lower() not in _GENERIC
        if is_word and re.search(rf"\b{re.escape(value)}\b", part.instruction):
            found.add(value)
    return found


def _parts(task: Task) -> tuple[Task | Turn, ...]:
    return (task, *task.turns)


PARTS = {
    f"{task.id}-{number}": part
    for task in TASKS.values()
    for number, part in enumerate(_parts(task), start=1)
}


@each_case("part", PARTS.values(), ids=PARTS)
def test_every_wording_asks_for_the_same(part: Task | Turn) -> None:
    instruction = part.instruction
    assert len({instruction, *part.paraphrases}) == 4
    required = _literals(instruction) | _scored(part)
    for wording in part.paraphrases:
        lacking = {each for each in required if each.casefold() not in wording.casefold()}
        assert not lacking, wording
        added = {n for n in _literals(wording) if n.casefold() not in instruction.casefold()}
        assert not added, wording
        assert len(instruction) / 4 <= len(wording) <= 60 + 1.6 * len(instruction)
        assert wording == wording.strip()
        assert wording[-1] in '.!?。؟»」"'
        assert not _BRITISH.search(_QUOTED.sub("", wording)), wording


def test_a_task_has_its_wordings_by_number() -> None:
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
