"""The labels of imported tasks, and what the two checkers say of decks that were made for them."""

import dataclasses
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pptarena.benchmarks.pptc.calls import parse_label
from pptarena.benchmarks.pptc.importing import DECKS, LABELS
from pptarena.benchmarks.pptc.pptx_match import (
    MatchResult,
    Mismatch,
    PositionRelation,
    check_relation,
    match_session,
    match_turn,
)
from pptarena.benchmarks.pptc.settings import SEEK, setting_of
from pptarena.decks import Deck, read_deck
from pptarena.errors import TaskError
from pptarena.files import read_text

__all__ = [
    "PLAIN",
    "Conduct",
    "Label",
    "Verdicts",
    "judge_session",
    "judge_turn",
    "labels_of",
    "setting_name",
]

_ID = re.compile(r"(.+?)(?:-turn-(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Conduct:
    """What an agent did in a turn that its deck does not show.

    Attributes:
        helped: Whether it asked for help, or said that the turn cannot be done.
        spoiled: Whether the benchmark would have spoiled the deck; see `Setting.spoils`.
    """

    helped: bool = False
    spoiled: bool = False


PLAIN: Final = Conduct()
"""Neither."""


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
        setting: Which APIs there are; empty for the plain ones.
        wording: A word for the instructions, where they are not the benchmark's own.
    """

    instruction: str
    prelude: str
    calls: str
    relations: tuple[PositionRelation, ...]
    base: bytes | Path | Deck
    gold: bytes | Path | Deck
    setting: str = ""
    wording: str = ""

    @property
    def seeks(self) -> bool:
        """Whether the label asks for help."""
        return any(call.name == SEEK for call in parse_label(self.calls))


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
    folder, number = _folder(id, place)
    try:
        facts = json.loads(read_text(folder / LABELS))
        # Folders of older imports do not have them.
        kind = {name: str(facts.get(name, "")) for name in ("setting", "wording")}
        setting_of(kind["setting"])
        found = [_label(each, folder, at, kind) for at, each in enumerate(facts["asked"], start=1)]
        return tuple(found if number is None else [found[number - 1]])
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise TaskError(
            f"{id}: expected a task of 'pptarena tasks import pptc', with {folder / LABELS}: "
            f"{error!r}"
        ) from error


def setting_name(id: str, place: str | Path) -> str | None:
    """Return the setting that a task was imported for; None if it is no task of PPTC.

    Raises:
        TaskError: If what lies beside it is malformed.
    """
    if not place or not (_folder(id, place)[0] / LABELS).is_file():
        return None
    return labels_of(id, place)[0].setting


def judge_turn(prediction: bytes | Path | Deck, label: Label, conduct: Conduct = PLAIN) -> Verdicts:
    """Judge the deck after a turn that began with the label's deck before.

    Where the label asks for help, `strict` wants that, too, and relations only as far as the
    label keeps them.

    Args:
        prediction: The deck.
        label: The label.
        conduct: What the deck does not show; it counts in the setting that the label is of.

    Raises:
        DeckError: If a deck cannot be read.
    """
    deck, gold = _deck(prediction), _deck(label.gold)
    seeks = label.seeks
    relations = _kept(label, gold) if seeks else label.relations
    strict = match_turn(deck, gold, relations, strict=True, base=None if seeks else label.base)
    published = match_turn(deck, gold, label.relations, quirks=True)
    return Verdicts(
        _with(published, _spoiled(label.setting, conduct)),
        _with(strict, _conduct(label, conduct)),
    )


def judge_session(
    prediction: bytes | Path | Deck,
    labels: Sequence[Label],
    conducts: Sequence[Conduct] | None = None,
) -> Verdicts:
    """Judge the deck after all turns.

    Args:
        prediction: The deck.
        labels: One a turn.
        conducts: What the deck does not show, one a turn; None for nothing.

    Raises:
        DeckError: If a deck cannot be read.
    """
    deck, gold = _deck(prediction), _deck(labels[-1].gold)
    relations = [label.relations for label in labels]
    kept = [_kept(each, _deck(each.gold)) if each.seeks else each.relations for each in labels]
    both = list(zip(labels, conducts or [PLAIN] * len(labels), strict=True))
    spoiled = [each for label, conduct in both for each in _spoiled(label.setting, conduct)]
    wrong = [each for label, conduct in both for each in _conduct(label, conduct)]
    return Verdicts(
        _with(match_session(deck, gold, relations, quirks=True), spoiled),
        _with(match_session(deck, gold, kept, strict=True), wrong),
    )


def _folder(id: str, place: str | Path) -> tuple[Path, int | None]:
    """Return where the decks of a task's session lie, and the turn that the task is."""
    match = _ID.fullmatch(id)
    assert match is not None, "the pattern takes every id"
    return Path(place).parent / DECKS / match[1], None if match[2] is None else int(match[2])


def _with(result: MatchResult, more: Sequence[Mismatch]) -> MatchResult:
    return dataclasses.replace(result, mismatches=(*result.mismatches, *more))


def _spoiled(setting: str, conduct: Conduct) -> list[Mismatch]:
    if not setting or not conduct.spoiled:
        return []
    return [Mismatch(None, "", f"API that '{setting}' spoils", "none called", "one called")]


def _conduct(label: Label, conduct: Conduct) -> list[Mismatch]:
    """Return what was wrong in how a deck came about.

    What a further API would have done to the deck is not known, so it cannot be right; one that is
    not there does nothing.
    """
    found = _spoiled(label.setting, conduct) if label.setting == "update" else []
    if label.setting == "lack" and label.seeks != conduct.helped:
        words = ("no help", "asked for")
        found.append(Mismatch(None, "", "help", words[label.seeks], words[conduct.helped]))
    return found


def _kept(label: Label, gold: Deck) -> tuple[PositionRelation, ...]:
    """Return the relations that a label keeps which could not do all that was asked for."""
    return tuple(each for each in label.relations if check_relation(gold, each).status == "holds")


def _deck(source: bytes | Path | Deck) -> Deck:
    return source if isinstance(source, Deck) else read_deck(source)


def _label(value: Any, folder: Path, number: int, kind: dict[str, str]) -> Label:
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
        **kind,
    )
