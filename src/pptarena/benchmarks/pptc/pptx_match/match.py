"""PPTX-Match: compare a prediction's content and object positions with the label."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pptarena.benchmarks.pptc.pptx_match.compare import Mismatch, compare_content, compare_geometry
from pptarena.benchmarks.pptc.pptx_match.relations import (
    PositionRelation,
    RelationOutcome,
    check_relation,
)
from pptarena.decks import Deck, read_deck

__all__ = ["TOLERANCE_EMU", "MatchResult", "accuracy", "match_session", "match_turn"]

TOLERANCE_EMU: Final = 45_720
"""Largest ignored difference of positions and sizes in EMU: 0.05 inch."""

Source = Deck | bytes | Path


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Result of a comparison.

    Attributes:
        mode: ``turn`` or ``session``.
        mismatches: Attributes that differ from the label.
        relations: Outcomes of all position relations.
        pointless: Whether the label equals the base deck, so that doing nothing would pass.
    """

    mode: Literal["turn", "session"]
    mismatches: tuple[Mismatch, ...]
    relations: tuple[RelationOutcome, ...]
    pointless: bool = False

    @property
    def verdict(self) -> Literal["match", "mismatch", "unjudged"]:
        """``mismatch`` if anything is wrong, ``unjudged`` if a relation is, otherwise ``match``."""
        statuses = {outcome.status for outcome in self.relations}
        if self.mismatches or "violated" in statuses:
            return "mismatch"
        return "unjudged" if self.pointless or "unjudged" in statuses else "match"

    @property
    def matched(self) -> bool:
        """Whether the verdict is ``match``."""
        return self.verdict == "match"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Everything that prevents a match, one sentence each."""
        failures = (part.reason for part in self.relations if part.status != "holds")
        pointless_reason = ("the label changes nothing that is compared",) if self.pointless else ()
        return (*(part.reason for part in self.mismatches), *failures, *pointless_reason)


def match_turn(
    prediction: Source,
    label: Source,
    relations: Iterable[PositionRelation] = (),
    *,
    strict: bool = False,
    quirks: bool = False,
    tolerance_emu: int = TOLERANCE_EMU,
    base: Source | None = None,
) -> MatchResult:
    """Compare the deck after one turn with the turn's label.

    A relation that the label itself violates neither passes nor fails. With `base`, the same holds
    for a turn whose label equals the base deck.

    Args:
        prediction: The deck to judge.
        label: The deck produced by the label.
        relations: Required positions after the turn.
        strict: Also compare positions, sizes and picture files.
        quirks: Judge like the original; the package's docstring lists the differences.
        tolerance_emu: For `strict`: largest ignored difference in EMU.
        base: The deck before the turn; None to judge any label.

    Raises:
        DeckError: If a deck cannot be read.
    """
    predicted, expected = _deck(prediction), _deck(label)

    def differences(deck: Deck) -> tuple[Mismatch, ...]:
        content = compare_content(deck, expected, quirks=quirks)
        return content + (compare_geometry(deck, expected, tolerance_emu) if strict else ())

    outcomes = tuple(_outcome(predicted, expected, relation, quirks) for relation in relations)
    pointless = base is not None and not differences(_deck(base))
    return MatchResult("turn", differences(predicted), outcomes, pointless)


def match_session(
    prediction: Source,
    label: Source,
    relations: Sequence[Iterable[PositionRelation]],
    *,
    strict: bool = False,
    quirks: bool = False,
    tolerance_emu: int = TOLERANCE_EMU,
) -> MatchResult:
    """Compare the deck at the end of a session with the label of its last turn.

    An object that is moved twice can only be at its last position, so relations of a later turn
    replace earlier ones of the same object; `quirks` requires all of them.

    Args:
        prediction: The deck after all turns.
        label: The deck produced by all labels.
        relations: Required positions after each turn.
        strict: As for `match_turn`.
        quirks: As for `match_turn`.
        tolerance_emu: As for `match_turn`.

    Raises:
        DeckError: If a deck cannot be read.
    """
    numbered = [(index, relation) for index, turn in enumerate(relations) for relation in turn]
    if not quirks:
        last = {_subject(relation): index for index, relation in numbered}
        numbered = [entry for entry in numbered if last[_subject(entry[1])] == entry[0]]
    final = [relation for _, relation in numbered]
    result = match_turn(
        prediction, label, final, strict=strict, quirks=quirks, tolerance_emu=tolerance_emu
    )
    return MatchResult("session", result.mismatches, result.relations)


def accuracy(results: Iterable[MatchResult]) -> float | None:
    """Return the share of matches among the judged results.

    Returns:
        A share in [0, 1]; None if no result was judged.
    """
    matches = [result.matched for result in results if result.verdict != "unjudged"]
    return sum(matches) / len(matches) if matches else None


def _subject(relation: PositionRelation) -> tuple[int, str]:
    return relation.slide, relation.subject.lower()


def _outcome(
    prediction: Deck, label: Deck, relation: PositionRelation, quirks: bool
) -> RelationOutcome:
    outcome = check_relation(prediction, relation, quirks=quirks)
    if quirks or outcome.status == "unjudged":
        return outcome
    intended = check_relation(label, relation)
    if intended.status == "holds":
        return outcome
    return RelationOutcome(relation, "unjudged", f"the label violates it too: {intended.reason}")


def _deck(source: Source) -> Deck:
    return source if isinstance(source, Deck) else read_deck(source)
