"""Labels of imported tasks, and the verdicts of both checkers on decks."""

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
    "MODALITIES",
    "PLAIN",
    "Conduct",
    "Label",
    "Verdicts",
    "judge_session",
    "judge_turn",
    "labels_of",
    "modalities_of",
    "setting_name",
]

MODALITIES: Final = ("chart", "table", "picture", "position", "text")
"""What turns handle, as in the paper; ``text`` is none of the others."""

_PLACING = ("set_left", "set_top", "set_right", "set_bottom", "align_")
_ID = re.compile(r"(.+?)(?:-turn-(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Conduct:
    """What an agent did in a turn that the deck does not show.

    Attributes:
        helped: Whether it asked for help or declared the turn infeasible.
        spoiled: Whether the benchmark would have corrupted the deck; see `Setting.spoils`.
    """

    helped: bool = False
    spoiled: bool = False


PLAIN: Final = Conduct()
"""Neither of both."""


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a turn of an imported task.

    Attributes:
        instruction: The instruction.
        prelude: Calls that restore the selection left by the preceding labels.
        calls: Calls of the label, as text.
        relations: Required positions of objects.
        base: The deck before the turn, according to the labels so far.
        gold: The deck after the turn, according to the label.
        setting: The setting; empty for the default APIs.
        wording: Name of the rewording of the instructions; empty for the original ones.
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
    """Verdicts of both checkers.

    Attributes:
        published: Verdict like the benchmark's, including its bugs.
        strict: Verdict that also compares positions, sizes and picture files, and passes nothing
            for inaction.
    """

    published: MatchResult
    strict: MatchResult


def labels_of(id: str, place: str | Path) -> tuple[Label, ...]:
    """Return the labels of an imported task, one per turn.

    Args:
        id: Task id.
        place: Path of the task file; see `pptarena.tasks.Task.place`.

    Raises:
        TaskError: If the task was not imported from PPTC, or its label file is malformed.
    """
    folder, number = _folder(id, place)
    try:
        facts = json.loads(read_text(folder / LABELS))
        # Older imports lack these fields.
        kind = {name: str(facts.get(name, "")) for name in ("setting", "wording")}
        setting_of(kind["setting"])
        found = [_label(each, folder, at, kind) for at, each in enumerate(facts["asked"], start=1)]
        return tuple(found if number is None else [found[number - 1]])
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise TaskError(
            f"{id}: expected a task of 'pptarena tasks import pptc', with {folder / LABELS}: "
            f"{error!r}"
        ) from error


def modalities_of(label: Label) -> tuple[str, ...]:
    """Return which of `MODALITIES` a turn involves, by the calls and relations of its label.

    The paper does not describe how instructions were assigned.
    """
    names = [call.name or call.text for call in parse_label(label.calls)]
    found = [each for each in MODALITIES[:3] if any(each in name for name in names)]
    if label.relations or any(name.startswith(_PLACING) for name in names):
        found.append("position")
    return tuple(found or ["text"])


def setting_name(id: str, place: str | Path) -> str | None:
    """Return the setting that a task was imported for; None if it is not a PPTC task.

    Raises:
        TaskError: If the task's label file is malformed.
    """
    if not place or not (_folder(id, place)[0] / LABELS).is_file():
        return None
    return labels_of(id, place)[0].setting


def judge_turn(prediction: bytes | Path | Deck, label: Label, conduct: Conduct = PLAIN) -> Verdicts:
    """Judge the deck after a turn that started from the label's base deck.

    If the label asks for help, `strict` requires that too, and checks relations only as far as the
    label satisfies them.

    Args:
        prediction: The deck.
        label: The label.
        conduct: The agent's conduct; it counts in the label's setting.

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
        labels: One label per turn.
        conducts: The agent's conduct, one per turn; None if unknown.

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
    """Return the folder of a task's decks, and the number of its turn; None for a session."""
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
    """Return mismatches in the agent's conduct.

    The effect of an additional API on the deck is unknown, so calling one is a mismatch. A missing
    API has no effect.
    """
    found = _spoiled(label.setting, conduct) if label.setting == "update" else []
    if label.setting == "lack" and label.seeks != conduct.helped:
        words = ("no help", "asked for")
        found.append(Mismatch(None, "", "help", words[label.seeks], words[conduct.helped]))
    return found


def _kept(label: Label, gold: Deck) -> tuple[PositionRelation, ...]:
    """Return the relations that hold in the label's deck, if the label could not do everything."""
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
