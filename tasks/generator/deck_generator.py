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
from pptarena.tasks.generator.cleanups import CLEANUPS
from pptarena.tasks.generator.compose import Composer
from pptarena.tasks.generator.deck_context import DeckContext
from pptarena.tasks.generator.draft import Draft
from pptarena.tasks.generator.operators import OPERATORS
from pptarena.tasks.generator.parts import (
    Part,
    composition_kind,
    composition_of,
    is_composed,
    may_follow,
)
from pptarena.tasks.generator.proving import SaveDecks, prove
from pptarena.tasks.generator.splits import (
    is_held_out_composition,
    is_held_out_deck,
    is_held_out_operator,
)
from pptarena.tasks.generator.wording import REASONS, TONES, apply_tone

__all__ = ["MAX_DEPTH", "DeckGenerator", "GeneratedBlock"]

_TRIES = 6
_NOT_DAMAGED = ("repair", "the deck cannot be damaged this way")
_WORDING_SHARE = 0.12
_OPERATOR_SHARE = 0.12
_DEPTHS = {1: 0.6, 2: 0.2, 3: 0.1, 4: 0.06, 5: 0.04}
MAX_DEPTH = max(_DEPTHS)
"""Maximum number of edits of a task."""
# Part kinds with their minimum depth.
_KINDS = {"one": 1, "both": 2, "for_each": 2, "copy_of": 2, "if": 3}


@dataclass(frozen=True, slots=True)
class GeneratedBlock:
    """Result of generating one block of tasks.

    Attributes:
        rows: Tasks as rows of a suite file, each with its key.
        rejected: Number of rejected drafts by operator and reason.
        decks: Damaged decks of cleanup tasks, by their label in the rows.
    """

    rows: tuple[tuple[str, dict[str, Any]], ...]
    rejected: Counter[tuple[str, str]]
    decks: dict[str, bytes] = field(default_factory=dict)


class DeckGenerator:
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
        saved_file = file
        if save is not None:
            (saved,) = save([file])
            if isinstance(saved, Exception):
                raise saved
            saved_file = saved
        deck = read_deck(saved_file)
        input_deck = read_deck(file)
        if not input_deck.slides:  # the application adds a slide to an empty deck
            raise DeckError("the deck has no slides")
        for each in {file, saved_file}:
            open_presentation(each)  # fail early if python-pptx cannot edit the deck
        names = tuple(tuple(shape.name for shape in slide.shapes) for slide in input_deck.slides)
        sha256 = hashlib.sha256(file).hexdigest()
        received = None if save is None else DeckContext(label, sha256, file, input_deck)
        self.context = DeckContext(label, sha256, saved_file, deck, names, received)
        self._operators = [OPERATORS[name] for name in operators]

    @cached_property
    def composer(self) -> Composer:
        """Sampler of parts on the deck."""
        return Composer(self.context, self._operators)

    def generate(
        self, seed: int, block: int, size: int = 32, *, cleanups: bool = False
    ) -> GeneratedBlock:
        """Return generated tasks; deterministic in its arguments.

        Args:
            seed: Random seed.
            block: Index of the block in the endless sequence of tasks.
            size: Number of drafts to sample.
            cleanups: Whether to include a cleanup task, which has a deck of its own.
        """
        rng = Random(f"{seed}/{self.context.sha256}/{block}")
        drafts: dict[str, Draft] = {}
        for _ in range(size):
            draft = self.sample_draft(rng)
            if draft is not None:
                drafts.setdefault(draft.key, draft)
        result = prove(self.context, list(drafts.values()), self._save)
        rows = tuple((draft.key, draft.row(seed)) for draft in result.proven)
        generated = GeneratedBlock(rows, result.rejected)
        return self._add_cleanup(generated, seed, rng) if cleanups else generated

    def _add_cleanup(self, block: GeneratedBlock, seed: int, rng: Random) -> GeneratedBlock:
        """Return the tasks with one cleanup task added if possible."""
        cleanup = CLEANUPS[rng.choice(sorted(CLEANUPS))]
        targets = list(cleanup.targets(self.context))
        held_out = is_held_out_deck(self.context.sha256)
        if not targets:
            return block
        target = rng.choice(targets)
        try:
            damaged = self._damage_deck(cleanup.damage(target, rng))
        except (EditError, DeckError, MachineError):
            return replace(block, rejected=block.rejected + Counter({_NOT_DAMAGED: 1}))
        operator = cleanup.restore(target)
        composer = Composer(damaged, [operator])
        names = sorted(composer.operators)
        part = names and composer.sample_part(
            "one", names, rng, held_out_wording=False, plain=False
        )
        if not part:
            return block
        part = replace(part, kind="repair", tree={"repair": part.tree}, depth=2)
        split = self._split_of([part], held_out_wording=False)
        if not split or (held_out and split != "test-deck"):
            return block
        draft = replace(self.make_draft([part], split, rng), context=damaged)
        result = prove(damaged, [draft], self._save)
        rows = tuple((each.key, each.row(seed)) for each in result.proven)
        decks = {damaged.label: damaged.file} if rows else {}
        return GeneratedBlock(block.rows + rows, block.rejected + result.rejected, decks)

    def _damage_deck(self, damage: Solution) -> DeckContext:
        presentation = open_presentation(self.context.file)
        edit_presentation(presentation, damage)
        file = save_presentation(presentation)
        if self._save is not None:
            (saved,) = self._save([file])
            if isinstance(saved, Exception):
                raise saved
            file = saved
        label = f"sha256:{hashlib.sha256(file).hexdigest()}"
        # The damaged deck keeps the hash of the deck it is derived from, and so shares its split.
        return DeckContext(label, self.context.sha256, file, read_deck(file))

    def sample_draft(self, rng: Random) -> Draft | None:
        """Sample an unproven task, or None if sampling fails."""
        for _ in range(_TRIES):
            held_out_wording = rng.random() < _WORDING_SHARE
            names = sorted(self.composer.operators)
            if rng.random() < _OPERATOR_SHARE:
                held_out = [name for name in names if is_held_out_operator(name)]
                # One held-out operator makes the task held-out.
                names = held_out or names
            else:
                names = [name for name in names if not is_held_out_operator(name)]
            if not names:
                continue
            parts = self._sample_parts(names, rng, held_out_wording=held_out_wording)
            if not parts:
                continue
            split = self._split_of(parts, held_out_wording=held_out_wording)
            if split:
                return self.make_draft(parts, split, rng)
        return None

    def _sample_parts(
        self, names: Sequence[str], rng: Random, *, held_out_wording: bool
    ) -> tuple[Part, ...]:
        """Sample parts of a total depth; empty if that fails."""
        remaining_depth = rng.choices(list(self._depths), list(self._depths.values()))[0]
        parts: list[Part] = []
        for _ in range(_TRIES * remaining_depth):
            edits = [edit for part in parts for edit in part.edits]
            plain = any("text" in edit.operator.aspects for edit in edits)
            kind = rng.choice([kind for kind, depth in _KINDS.items() if depth <= remaining_depth])
            part = self.composer.sample_part(
                kind, names, rng, held_out_wording=held_out_wording, plain=plain
            )
            if (
                part is None
                or part.depth > remaining_depth
                or (part.is_deck_wide and part.depth < remaining_depth)
            ):
                continue
            if parts and not may_follow(edits, part.edits):
                continue
            parts.append(part)
            remaining_depth -= part.depth
            if not remaining_depth:
                return tuple(parts)
        return ()

    def _split_of(self, parts: Sequence[Part], *, held_out_wording: bool) -> str:
        """Return the split of a task; empty if it combines several held-out properties."""
        operators = [name for part in parts for name in part.operators]
        has_held_out_composition = is_composed(parts) and is_held_out_composition(
            composition_of(parts)
        )
        held_out = {
            "test-deck": is_held_out_deck(self.context.sha256),
            "test-operator": any(map(is_held_out_operator, operators)),
            "test-composition": has_held_out_composition,
            "test-words": held_out_wording,
        }
        splits = [split for split, applies in held_out.items() if applies]
        return "" if len(splits) > 1 else (splits or ["train"])[0]

    def make_draft(self, parts: Sequence[Part], split: str, rng: Random) -> Draft:
        """Return a task of these parts in a sampled tone."""
        tone = rng.choice(TONES)
        items = [item for part in parts for item in part.items]
        tree = parts[0].tree if len(parts) == 1 else {"then": [part.tree for part in parts]}
        return Draft(
            self.context,
            composition_kind(parts),
            tree,
            tuple(edit for part in parts for edit in part.edits),
            tuple(name for part in parts for name in part.operators),
            tuple(items),
            sum(part.depth for part in parts),
            tone,
            apply_tone(tone, rng.choice(REASONS), items),
            split,
            composition_of(parts),
        )
