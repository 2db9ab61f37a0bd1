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
from pptarena.benchmarks.pptc.settings import SEEK, get_setting
from pptarena.decks import Deck, read_deck
from pptarena.errors import TaskError
from pptarena.files import read_text

__all__ = [
    "DEFAULT_CONDUCT",
    "MODALITIES",
    "Conduct",
    "Label",
    "Verdicts",
    "judge_session",
    "judge_turn",
    "label_modalities",
    "load_labels",
    "setting_name",
]

MODALITIES: Final = ("chart", "table", "picture", "position", "text")
"""Modalities of turns, as in the paper; ``text`` applies if no other one does."""

_POSITION_CALLS = ("set_left", "set_top", "set_right", "set_bottom", "align_")
_ID = re.compile(r"(.+?)(?:-turn-(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Conduct:
    """Conduct of an agent in a turn that the deck does not show.

    Attributes:
        asked_for_help: Whether it asked for help or declared the turn infeasible.
        corrupted: Whether the benchmark would have corrupted the deck; see `Setting.corrupts`.
    """

    asked_for_help: bool = False
    corrupted: bool = False


DEFAULT_CONDUCT: Final = Conduct()
"""The agent neither asked for help nor made a call that corrupts the deck."""


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


def load_labels(id: str, task_path: str | Path) -> tuple[Label, ...]:
    """Return the labels of an imported task, one per turn.

    Args:
        id: Task id.
        task_path: Path of the task file; see `pptarena.tasks.Task.place`.

    Raises:
        TaskError: If the task was not imported from PPTC, or its label file is malformed.
    """
    folder, number = _folder(id, task_path)
    try:
        record = json.loads(read_text(folder / LABELS))
        # Older imports lack these fields.
        fields = {name: str(record.get(name, "")) for name in ("setting", "wording")}
        get_setting(fields["setting"])
        labels = [
            _label(request, folder, number_, fields)
            for number_, request in enumerate(record["asked"], start=1)
        ]
        return tuple(labels if number is None else [labels[number - 1]])
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise TaskError(
            f"{id}: expected a task of 'pptarena tasks import pptc', with {folder / LABELS}: "
            f"{error!r}"
        ) from error


def label_modalities(label: Label) -> tuple[str, ...]:
    """Return the `MODALITIES` of a turn, by the calls and relations of its label.

    The paper does not describe how instructions were assigned.
    """
    names = [call.name or call.text for call in parse_label(label.calls)]
    modalities = [
        modality for modality in MODALITIES[:3] if any(modality in name for name in names)
    ]
    if label.relations or any(name.startswith(_POSITION_CALLS) for name in names):
        modalities.append("position")
    return tuple(modalities or ["text"])


def setting_name(id: str, task_path: str | Path) -> str | None:
    """Return the setting that a task was imported for; None if it is not a PPTC task.

    Raises:
        TaskError: If the task's label file is malformed.
    """
    if not task_path or not (_folder(id, task_path)[0] / LABELS).is_file():
        return None
    return load_labels(id, task_path)[0].setting


def judge_turn(
    prediction: bytes | Path | Deck, label: Label, conduct: Conduct = DEFAULT_CONDUCT
) -> Verdicts:
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
    relations = _satisfied_relations(label, gold) if seeks else label.relations
    strict = match_turn(deck, gold, relations, strict=True, base=None if seeks else label.base)
    published = match_turn(deck, gold, label.relations, quirks=True)
    return Verdicts(
        _add_mismatches(published, _corruption_mismatches(label.setting, conduct)),
        _add_mismatches(strict, _conduct_mismatches(label, conduct)),
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
    required = [
        _satisfied_relations(each, _deck(each.gold)) if each.seeks else each.relations
        for each in labels
    ]
    pairs = list(zip(labels, conducts or [DEFAULT_CONDUCT] * len(labels), strict=True))
    corruption = [
        each for label, conduct in pairs for each in _corruption_mismatches(label.setting, conduct)
    ]
    misconduct = [each for label, conduct in pairs for each in _conduct_mismatches(label, conduct)]
    return Verdicts(
        _add_mismatches(match_session(deck, gold, relations, quirks=True), corruption),
        _add_mismatches(match_session(deck, gold, required, strict=True), misconduct),
    )


def _folder(id: str, task_path: str | Path) -> tuple[Path, int | None]:
    """Return the folder of a task's decks, and the number of its turn; None for a session."""
    match = _ID.fullmatch(id)
    assert match is not None, "the pattern takes every id"
    return Path(task_path).parent / DECKS / match[1], None if match[2] is None else int(match[2])


def _add_mismatches(result: MatchResult, more: Sequence[Mismatch]) -> MatchResult:
    return dataclasses.replace(result, mismatches=(*result.mismatches, *more))


def _corruption_mismatches(setting: str, conduct: Conduct) -> list[Mismatch]:
    if not setting or not conduct.corrupted:
        return []
    return [Mismatch(None, "", f"API that '{setting}' spoils", "none called", "one called")]


def _conduct_mismatches(label: Label, conduct: Conduct) -> list[Mismatch]:
    """Return mismatches in the agent's conduct.

    Calling an additional API is a mismatch, because its effect on the deck is unknown. A missing
    API has no effect.
    """
    mismatches = _corruption_mismatches(label.setting, conduct) if label.setting == "update" else []
    if label.setting == "lack" and label.seeks != conduct.asked_for_help:
        texts = ("no help", "asked for")
        mismatches.append(
            Mismatch(None, "", "help", texts[label.seeks], texts[conduct.asked_for_help])
        )
    return mismatches


def _satisfied_relations(label: Label, gold: Deck) -> tuple[PositionRelation, ...]:
    """Return the relations that hold in the label's deck, for a label that asks for help."""
    return tuple(
        relation for relation in label.relations if check_relation(gold, relation).status == "holds"
    )


def _deck(source: bytes | Path | Deck) -> Deck:
    return source if isinstance(source, Deck) else read_deck(source)


def _label(value: Any, folder: Path, number: int, fields: dict[str, str]) -> Label:
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
        **fields,
    )
