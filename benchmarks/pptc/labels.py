"""The labels of imported tasks, and what the two checkers say of decks that were made for them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.benchmarks.pptc.importing import DECKS, LABELS
from pptarena.benchmarks.pptc.pptx_match import (
    MatchResult,
    PositionRelation,
    match_session,
    match_turn,
)
from pptarena.decks import Deck, read_deck
from pptarena.errors import TaskError

__all__ = ["Label", "Verdicts", "judge_session", "judge_turn", "labels_of"]

_ID = re.compile(r"(.+?)(?:-turn-(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Label:
    """What a turn of an imported task asks for.

    Attributes:
        instruction: What the user asks for.
        prelude: Calls that choose what the labels before have chosen, which labels go on from.
        calls: The label, as text.
        relations: Where objects must be afterwards.
        base: The deck before it, by the labels so far.
        gold: The deck after it, by the label.
    """

    instruction: str
    prelude: str
    calls: str
    relations: tuple[PositionRelation, ...]
    base: Path
    gold: Path


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the checkers say.

    Attributes:
        published: As the benchmark judges, with its faults.
        strict: Places, sizes and files of pictures count, too, and nothing passes for nothing.
    """

    published: MatchResult
    strict: MatchResult


def labels_of(id: str, place: str | Path) -> tuple[Label, ...]:
    """Return the labels of an imported task, one for each of its turns.

    Args:
        id: Of the task.
        place: Its file; see `pptarena.tasks.Task.place`.

    Raises:
        TaskError: If it is no task that was imported, or what lies beside it is malformed.
    """
    match = _ID.fullmatch(id)
    assert match is not None, "the pattern takes every id"
    name, number = match[1], match[2]
    folder = Path(place).parent / DECKS / name
    try:
        asked = json.loads((folder / LABELS).read_text("utf-8"))["asked"]
        found = [_label(each, folder, index) for index, each in enumerate(asked, start=1)]
        return tuple(found if number is None else [found[int(number) - 1]])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise TaskError(
            f"{id}: expected a task of 'pptarena import pptc', with {folder / LABELS}: {error!r}"
        ) from error


def judge_turn(prediction: bytes | Path, label: Label) -> Verdicts:
    """Judge the deck after a turn that began with the label's deck before.

    Raises:
        DeckError: If a deck cannot be read.
    """
    deck = read_deck(prediction)
    return Verdicts(
        match_turn(deck, label.gold, label.relations, quirks=True),
        match_turn(deck, label.gold, label.relations, strict=True, base=label.base),
    )


def judge_session(prediction: bytes | Path, labels: Sequence[Label]) -> Verdicts:
    """Judge the deck after all turns.

    Raises:
        DeckError: If a deck cannot be read.
    """
    deck: Deck = read_deck(prediction)
    relations = [label.relations for label in labels]
    gold = read_deck(labels[-1].gold)
    return Verdicts(
        match_session(deck, gold, relations, quirks=True),
        match_session(deck, gold, relations, strict=True),
    )


def _label(value: Any, folder: Path, number: int) -> Label:
    before = "start" if number == 1 else f"label-{number - 1}"
    return Label(
        instruction=str(value["instruction"]),
        prelude=str(value["prelude"]),
        calls=str(value["calls"]),
        relations=tuple(
            PositionRelation(int(slide), str(subject), str(other), str(relation))
            for slide, subject, other, relation in value["relations"]
        ),
        base=folder / f"{before}.pptx",
        gold=folder / f"label-{number}.pptx",
    )
