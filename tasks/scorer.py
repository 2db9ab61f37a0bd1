"""Score decks for a task by its rubric, scope, original, gold deck and targets."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from pptarena.decks.package.files import DeckFile, file_bytes
from pptarena.errors import (
    ConfigError,
    DeckError,
    HostError,
    ImageError,
    MachineError,
    TaskError,
)
from pptarena.rewards import Deck, Rubric, Scope, ScoredNode, read_deck, score
from pptarena.rewards.context import CollectedFiles, TurnContext
from pptarena.rewards.judges.protocol import Judge, LeafRunner, SlideRenderer
from pptarena.rewards.render_check import RenderCheck
from pptarena.tasks.targets import SaveDeck, deck_facts, target_decks
from pptarena.tasks.task import Task

__all__ = ["MakePrograms", "Scorer", "Services", "has_programs"]

_log = logging.getLogger(__name__)


class MakePrograms(Protocol):
    """Creates the runner of a rubric's Python leaves for a pair of decks."""

    def __call__(self, original: bytes, current: bytes, /) -> AbstractContextManager[LeafRunner]:
        """Return the runner for these two .pptx files, to be used in a ``with`` statement."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """What scoring may use besides files; each service is optional.

    Attributes:
        save: Saves a .pptx file as the application does that saves the scored decks. It saves the
            task's deck, gold deck and targets. Without it, they are compared as they are.
        renderer: Renders slides for the render check. Without it, visibility is estimated.
        judge: Returns the judge of an original and a current .pptx file. Without it, leaves that
            need one are unscored.
        programs: Creates the runner of Python leaves. Without it, they are unscored.
        zero_on_leaf_error: Whether a program that fails through its own fault scores the entire
            task 0, as published by PPT-Eval, instead of leaving its leaf unscored. A failure with
            another cause (no bubblewrap, no model, no slide images) leaves it unscored either way.
    """

    save: SaveDeck | None = None
    renderer: SlideRenderer | None = None
    judge: Callable[[bytes, bytes], Judge] | None = None
    programs: MakePrograms | None = None
    zero_on_leaf_error: bool = False


class Scorer:
    """Scores .pptx files for a task.

    The original, the gold deck and the targets are read and saved on first use, and cached.

    Args:
        task: The task, or a turn of one as `Task.at` returns it; None for a rubric without a task.
        services: What scoring may use besides files.
        original: The deck before the edit, saved by the program that saves the scored decks; None
            for the task's deck.
        facts: The facts of `original` if they are known.
        rubric: Replaces the rubric of the task, together with `scope`.
        scope: The part of the deck that may change; only used with `rubric`.
        targets: Returns target decks that replace those of the task.

    Raises:
        ConfigError: If there is neither a task nor a rubric and an original.

    Example::

        scorer = Scorer(get_task("meridian-hide-backup"))
        print(scorer.score(Path("done.pptx").read_bytes()).score)
    """

    def __init__(
        self,
        task: Task | None,
        services: Services | None = None,
        *,
        original: bytes | None = None,
        facts: Deck | None = None,
        rubric: Rubric | None = None,
        scope: Scope | None = None,
        targets: Callable[[], Sequence[Deck]] | None = None,
    ) -> None:
        if task is None and (rubric is None or original is None):
            raise ConfigError("expected a task, or a rubric with the deck before the edit")
        self._task = task
        self._services = services or Services()
        self._original = original
        self._facts = facts
        if rubric is None and task is not None:
            rubric, scope = task.rubric, task.scope
        assert rubric is not None
        self.rubric: Rubric = rubric
        self.scope = scope
        self._targets = targets

    @cached_property
    def original_file(self) -> bytes:
        """The .pptx file before the edit.

        Raises:
            DeckError: If the application refuses the task's deck.
            HostError, ImageError, MachineError: If the application cannot save it.
        """
        if self._original is not None:
            return self._original
        assert self._task is not None
        file, save = self._task.deck_bytes(), self._services.save
        return file if save is None else save(file)

    @cached_property
    def original(self) -> Deck:
        """The facts of `original_file`.

        Raises:
            DeckError: If it cannot be read.
        """
        return self._facts or read_deck(self.original_file)

    @cached_property
    def gold(self) -> Deck | None:
        """The facts of the task's gold deck; None if it is absent, unneeded or unavailable.

        It is unneeded if the rubric does not compare with it and the task has its own scope. If the
        application cannot save it, a warning is issued, and leaves that need it are unscored.

        Raises:
            TaskError: If the gold deck does not exist or cannot be read.
        """
        task = self._task
        if task is None or (task.scope is not None and not task.rubric.root.uses("gold_match")):
            return None
        file = task.gold_bytes()
        if file is None:
            return None
        try:
            return deck_facts(file, self._services.save)
        except DeckError as error:
            raise TaskError(f"{task.id}: the gold deck cannot be read: {error}") from error
        except (HostError, ImageError, MachineError) as error:
            _log.warning(
                "the gold deck of %s cannot be saved by the application: %s", task.id, error
            )
            return None

    def targets(self) -> Sequence[Deck]:
        """Return the facts of the target decks; blocks until they are computed."""
        if self._targets is not None:
            return self._targets()
        return () if self._task is None else target_decks(self._task, self._services.save)

    def score(
        self,
        file: DeckFile,
        *,
        deck: Deck | None = None,
        services: Services | None = None,
        files: CollectedFiles | None = None,
        turn: TurnContext | None = None,
    ) -> ScoredNode:
        """Return the scored tree of a deck.

        Args:
            file: The .pptx file, or its parts.
            deck: Its facts if they are known.
            services: Services that replace those of the scorer in this call.
            files: Collected attachments.
            turn: Context of one turn of a multi-turn task.

        Raises:
            DeckError: If a file cannot be read.
            TaskError: If the gold deck cannot be read.
            PPTArenaError: If the original cannot be rendered.
        """
        services = services or self._services
        if deck is None:
            deck = self.original if file is self.original_file else read_deck(file)
        is_original = deck is self.original
        judge = looks = None
        if services.judge is not None:
            judge = services.judge(self.original_file, file_bytes(file))
        if services.renderer is not None:
            looks = RenderCheck(services.renderer, self.original_file, file_bytes(file))
        with self._leaves(services, file) as leaves:
            tree = score(
                self.rubric,
                self.original,
                deck,
                self.scope,
                judge=judge,
                leaves=leaves,
                render_check=looks,
                gold=self.gold,
                files=files,
                targets=() if is_original else self.targets(),
                turn=turn,
            )
        failures: Sequence[str] = getattr(leaves, "failures", ())
        if services.zero_on_leaf_error and failures:
            return replace(tree, score=0.0, reason=f"verification error: {failures[0]}")
        return tree

    @contextmanager
    def _leaves(self, services: Services, file: DeckFile) -> Iterator[LeafRunner | None]:
        if services.programs is None or not has_programs(self.rubric):
            yield None
            return
        with services.programs(self.original_file, file_bytes(file)) as runner:
            yield runner


def has_programs(rubric: Rubric) -> bool:
    """Return whether a rubric has Python leaves."""
    return rubric.root.uses("python")
