"""Growing tasks on one deck."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from pptarena.decks import read_deck
from pptarena.errors import DeckError
from pptarena.tasks.grow.compose import Composer
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.grow.ground import Ground
from pptarena.tasks.grow.operators import OPERATORS
from pptarena.tasks.grow.proving import SaveDecks, prove
from pptarena.tasks.grow.splits import is_held_out_deck, is_held_out_operator

__all__ = ["DeckGrower", "Grown"]

_TRIES = 6
_WORDS_SHARE = 0.12
_OPERATOR_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class Grown:
    """What was grown in one go.

    Attributes:
        rows: Tasks as lines of a suite, each with the key of what it asks for.
        rejected: How many drafts were thrown away, by operator and reason.
    """

    rows: tuple[tuple[str, dict[str, Any]], ...]
    rejected: Counter[tuple[str, str]]


class DeckGrower:
    """Grows tasks on a deck.

    Args:
        file: The .pptx file.
        label: What a task file calls it: the name of a packaged deck, or a path.
        save: The application in which tasks are played; without one, tasks are proven on files as
            python-pptx writes them, which says nothing of what the application keeps.
        operators: Names of the operators to draw from; all of them by default.

    Raises:
        DeckError: If the deck cannot be read, or the application refuses it.
        MachineError: If the application fails.
    """

    def __init__(
        self,
        file: bytes,
        label: str,
        save: SaveDecks | None = None,
        operators: Sequence[str] = tuple(OPERATORS),
    ) -> None:
        self._save = save
        base = file
        if save is not None:
            (answer,) = save([file])
            if isinstance(answer, Exception):
                raise answer
            base = answer
        deck = read_deck(base)
        if not deck.slides:
            raise DeckError("the deck has no slides")
        self.ground = Ground(label, hashlib.sha256(file).hexdigest(), base, deck)
        self._operators = [OPERATORS[name] for name in operators]

    @cached_property
    def composer(self) -> Composer:
        """What draws on the deck."""
        return Composer(self.ground, self._operators)

    def grow(self, seed: int, block: int, size: int = 32) -> Grown:
        """Return tasks of the deck; the same ones for the same arguments.

        Args:
            seed: Of everything that is drawn.
            block: Which part of the endless row of tasks.
            size: How many drafts are drawn for it.
        """
        rng = Random(f"{seed}/{self.ground.sha256}/{block}")
        drafts: dict[str, Draft] = {}
        for _ in range(size):
            draft = self._draft(rng)
            if draft is not None:
                drafts.setdefault(draft.key, draft)
        found = prove(self.ground, list(drafts.values()), self._save)
        rows = tuple((draft.key, draft.row(seed)) for draft in found.kept)
        return Grown(rows, found.rejected)

    def _draft(self, rng: Random) -> Draft | None:
        known = sorted(self.composer.operators)
        for _ in range(_TRIES):
            split, names = self._drawn_split(known, rng)
            if not names:
                continue
            operator = self.composer.operators[rng.choice(names)]
            draft = self.composer.one(operator, rng, held_out_words=split == "test-words")
            if draft is not None:
                return replace(draft, split=split)
        return None

    def _drawn_split(self, known: Sequence[str], rng: Random) -> tuple[str, list[str]]:
        """Return a split, and the operators that its tasks are made of."""
        seen = [name for name in known if not is_held_out_operator(name)]
        if is_held_out_deck(self.ground.sha256):
            return "test-deck", seen
        drawn = rng.random()
        if drawn < _OPERATOR_SHARE:
            return "test-operator", [name for name in known if name not in seen]
        return ("test-words" if drawn < _OPERATOR_SHARE + _WORDS_SHARE else "train"), seen
