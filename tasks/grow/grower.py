"""Generate tasks on one deck."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

from pptarena.decks import read_deck
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits import Solution, edit_presentation
from pptarena.errors import DeckError, EditError, MachineError
from pptarena.tasks.grow.compose import Composer
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.grow.ground import Ground
from pptarena.tasks.grow.operators import OPERATORS
from pptarena.tasks.grow.parts import Part, composition_of, is_composed, kind_of, may_follow
from pptarena.tasks.grow.proving import SaveDecks, prove
from pptarena.tasks.grow.repairs import REPAIRS
from pptarena.tasks.grow.splits import (
    is_held_out_composition,
    is_held_out_deck,
    is_held_out_operator,
)
from pptarena.tasks.grow.wording import REASONS, REGISTERS, in_register

__all__ = ["MAX_DEPTH", "DeckGrower", "Grown"]

_TRIES = 6
_NOT_SPOILT = ("repair", "the deck cannot be spoilt so")
_WORDS_SHARE = 0.12
_OPERATOR_SHARE = 0.12
_DEPTHS = {1: 0.6, 2: 0.2, 3: 0.1, 4: 0.06, 5: 0.04}
MAX_DEPTH = max(_DEPTHS)
"""Maximum number of edits of a task."""
# Part kinds with their minimum depth.
_KINDS = {"one": 1, "both": 2, "for_each": 2, "copy_of": 2, "if": 3}


@dataclass(frozen=True, slots=True)
class Grown:
    """Result of generating one block of tasks.

    Attributes:
        rows: Tasks as rows of a suite file, each with its key.
        rejected: Number of rejected drafts by operator and reason.
        decks: Damaged decks of cleanup tasks, by their label in the rows.
    """

    rows: tuple[tuple[str, dict[str, Any]], ...]
    rejected: Counter[tuple[str, str]]
    decks: dict[str, bytes] = field(default_factory=dict)


class DeckGrower:
    """Generates tasks on a deck.

    Args:
        file: The .pptx file.
        label: Name of the deck in task files: a packaged deck's name, or a path.
        save: The application that tasks are played in. Without it, tasks are proven on files
            written by python-pptx, which does not show what the application preserves.
        operators: Names of the operators to sample from; all of them by default.
        depth: Maximum number of edits of a task, 1 to 5.

    Raises:
        DeckError: If the deck cannot be read or edited, or the application rejects it.
        MachineError: If the application fails.
    """

    def __init__(
        self,
        file: bytes,
        label: str,
        save: SaveDecks | None = None,
        operators: Sequence[str] = tuple(OPERATORS),
        depth: int = MAX_DEPTH,
    ) -> None:
        self._save = save
        self._depths = {each: share for each, share in _DEPTHS.items() if each <= depth}
        base = file
        if save is not None:
            (answer,) = save([file])
            if isinstance(answer, Exception):
                raise answer
            base = answer
        deck = read_deck(base)
        came = read_deck(file)
        if not came.slides:  # the application adds a slide to an empty deck
            raise DeckError("the deck has no slides")
        for each in {file, base}:
            open_presentation(
                each
            )  # reject a deck that python-pptx cannot edit early, with the reason
        names = tuple(tuple(shape.name for shape in slide.shapes) for slide in came.slides)
        sha256 = hashlib.sha256(file).hexdigest()
        first = None if save is None else Ground(label, sha256, file, came)
        self.ground = Ground(label, sha256, base, deck, names, first)
        self._operators = [OPERATORS[name] for name in operators]

    @cached_property
    def composer(self) -> Composer:
        """Sampler of parts on the deck."""
        return Composer(self.ground, self._operators)

    def grow(self, seed: int, block: int, size: int = 32, *, repairs: bool = False) -> Grown:
        """Return generated tasks; deterministic in its arguments.

        Args:
            seed: Random seed.
            block: Index of the block in the endless sequence of tasks.
            size: Number of drafts to sample.
            repairs: Whether to include a cleanup task, which has a deck of its own.
        """
        rng = Random(f"{seed}/{self.ground.sha256}/{block}")
        drafts: dict[str, Draft] = {}
        for _ in range(size):
            draft = self.draft(rng)
            if draft is not None:
                drafts.setdefault(draft.key, draft)
        found = prove(self.ground, list(drafts.values()), self._save)
        rows = tuple((draft.key, draft.row(seed)) for draft in found.kept)
        return (
            self._with_repair(Grown(rows, found.rejected), seed, rng)
            if repairs
            else Grown(rows, found.rejected)
        )

    def _with_repair(self, grown: Grown, seed: int, rng: Random) -> Grown:
        """Return the tasks with one cleanup task added if possible."""
        repair = REPAIRS[rng.choice(sorted(REPAIRS))]
        sites = list(repair.sites(self.ground))
        held_out = is_held_out_deck(self.ground.sha256)
        if not sites:
            return grown
        site = rng.choice(sites)
        try:
            spoilt = self._spoilt(repair.spoil(site, rng))
        except (EditError, DeckError, MachineError):
            return replace(grown, rejected=grown.rejected + Counter({_NOT_SPOILT: 1}))
        operator = repair.mend(site)
        composer = Composer(spoilt, [operator])
        names = sorted(composer.operators)
        part = names and composer.part("one", names, rng, held_out_words=False, plain=False)
        if not part:
            return grown
        part = replace(part, kind="repair", tree={"repair": part.tree}, depth=2)
        split = self._split([part], held_out_words=False)
        if not split or (held_out and split != "test-deck"):
            return grown
        draft = replace(self.said([part], split, rng), ground=spoilt)
        found = prove(spoilt, [draft], self._save)
        rows = tuple((each.key, each.row(seed)) for each in found.kept)
        decks = {spoilt.label: spoilt.file} if rows else {}
        return Grown(grown.rows + rows, grown.rejected + found.rejected, decks)

    def _spoilt(self, damage: Solution) -> Ground:
        presentation = open_presentation(self.ground.file)
        edit_presentation(presentation, damage)
        file = save_presentation(presentation)
        if self._save is not None:
            (answer,) = self._save([file])
            if isinstance(answer, Exception):
                raise answer
            file = answer
        label = f"sha256:{hashlib.sha256(file).hexdigest()}"
        # It counts as the deck it was derived from, and shares its split.
        return Ground(label, self.ground.sha256, file, read_deck(file))

    def draft(self, rng: Random) -> Draft | None:
        """Sample an unproven task, or None if sampling fails."""
        for _ in range(_TRIES):
            held_out_words = rng.random() < _WORDS_SHARE
            names = sorted(self.composer.operators)
            if rng.random() < _OPERATOR_SHARE:
                fresh = [name for name in names if is_held_out_operator(name)]
                # One held-out operator makes the task held-out.
                names = fresh or names
            else:
                names = [name for name in names if not is_held_out_operator(name)]
            if not names:
                continue
            parts = self._parts(names, rng, held_out_words=held_out_words)
            if not parts:
                continue
            split = self._split(parts, held_out_words=held_out_words)
            if split:
                return self.said(parts, split, rng)
        return None

    def _parts(
        self, names: Sequence[str], rng: Random, *, held_out_words: bool
    ) -> tuple[Part, ...]:
        """Sample parts of a total depth; empty if that fails."""
        left = rng.choices(list(self._depths), list(self._depths.values()))[0]
        found: list[Part] = []
        for _ in range(_TRIES * left):
            edits = [edit for part in found for edit in part.edits]
            plain = any("text" in edit.operator.aspects for edit in edits)
            kind = rng.choice([kind for kind, depth in _KINDS.items() if depth <= left])
            part = self.composer.part(kind, names, rng, held_out_words=held_out_words, plain=plain)
            if part is None or part.depth > left or (part.is_whole and part.depth < left):
                continue
            if found and not may_follow(edits, part.edits):
                continue
            found.append(part)
            left -= part.depth
            if not left:
                return tuple(found)
        return ()

    def _split(self, parts: Sequence[Part], *, held_out_words: bool) -> str:
        """Return the split of a task; empty if it combines several held-out properties."""
        operators = [name for part in parts for name in part.operators]
        composed = is_composed(parts) and is_held_out_composition(composition_of(parts))
        held_out = {
            "test-deck": is_held_out_deck(self.ground.sha256),
            "test-operator": any(map(is_held_out_operator, operators)),
            "test-composition": composed,
            "test-words": held_out_words,
        }
        which = [split for split, is_so in held_out.items() if is_so]
        return "" if len(which) > 1 else (which or ["train"])[0]

    def said(self, parts: Sequence[Part], split: str, rng: Random) -> Draft:
        """Return a task of these parts in a sampled tone."""
        register = rng.choice(REGISTERS)
        items = [item for part in parts for item in part.items]
        tree = parts[0].tree if len(parts) == 1 else {"then": [part.tree for part in parts]}
        return Draft(
            self.ground,
            kind_of(parts),
            tree,
            tuple(edit for part in parts for edit in part.edits),
            tuple(name for part in parts for name in part.operators),
            tuple(items),
            sum(part.depth for part in parts),
            register,
            in_register(register, rng.choice(REASONS), items),
            split,
            composition_of(parts),
        )
