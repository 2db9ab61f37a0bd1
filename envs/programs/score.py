"""Score an imported rubric, whose leaves are programs, in one call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pptarena.decks import Deck, read_deck
from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.errors import ConfigError
from pptarena.rewards.judges.protocol import Judge, SlideRenderer, TextModel
from pptarena.rewards.looks import Looks
from pptarena.rewards.rubric import Rubric
from pptarena.rewards.scope.scope import Scope
from pptarena.rewards.scored import ScoredNode
from pptarena.rewards.scoring import score

__all__ = ["score_imported"]


def score_imported(
    rubric: Rubric,
    original: bytes,
    current: bytes,
    *,
    scope: Scope | None = None,
    judge: Judge | None = None,
    model: TextModel | None = None,
    renderer: SlideRenderer | None = None,
    limits: LeafLimits | None = None,
    quirks: bool = False,
    on_leaf_error: Literal["unscored", "zero_task"] = "unscored",
    looks: Looks | None = None,
    gold: Deck | None = None,
    targets: Sequence[Deck] = (),
) -> ScoredNode:
    """Return the scored tree of a rubric whose leaves may be Python programs.

    Args:
        rubric: The rubric.
        original: The original .pptx file, as the application saves it unchanged.
        current: The current .pptx file.
        scope: The part of the deck that may change, for leaves that are checks.
        judge: Answers judged leaves.
        model: Answers ``llm_call`` and ``vlm_call`` of Python leaves.
        renderer: Renders slides for them.
        limits: Resource limits of a leaf.
        quirks: Whether ``ppt_diff`` and the evaluator of leaves have the faults of the published
            ones; see `PythonLeaves`.
        on_leaf_error: Result of a leaf that fails through its own fault: ``"unscored"``, or
            ``"zero_task"`` to score the entire task 0, as published by PPT-Eval. A failure with
            another cause (no bubblewrap, no model, no slide images) leaves it unscored either way.
        looks: Renderer-based checks of these two files.
        gold: The gold deck, saved by the same application, for checks that compare with it.
        targets: Target decks, saved by the same application; see `score`.

    Raises:
        ConfigError: If `on_leaf_error` has another value.
        DeckError: If a file cannot be read.
    """
    if on_leaf_error not in ("unscored", "zero_task"):
        raise ConfigError(
            f"on_leaf_error: expected 'unscored' or 'zero_task', got {on_leaf_error!r}"
        )
    before, now = read_deck(original), read_deck(current)
    with PythonLeaves(
        original, current, model=model, renderer=renderer, limits=limits, quirks=quirks
    ) as leaves:
        options = (scope, judge, leaves, looks, gold)
        tree = score(rubric, before, now, *options, targets=targets)
    if on_leaf_error == "zero_task" and leaves.failures:
        return replace(tree, score=0.0, reason=f"verification error: {leaves.failures[0]}")
    return tree
