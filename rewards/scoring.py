"""Scoring: compute a scored tree from a rubric and two decks.

Scoring is pure: it uses no clock, files or network. Only the judge passed by the caller may query a
model, and only the leaf runner and the renderer may start processes.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pptarena.decks import Deck
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.decks.selectors import find_shape
from pptarena.errors import DeckError, UnscoredError
from pptarena.rewards.checking.registry import CheckSpec
from pptarena.rewards.checking.result import pluralize
from pptarena.rewards.checking.view import View
from pptarena.rewards.context import FILE_CHECK, CollectedFiles, TurnContext
from pptarena.rewards.fitness import NO_FAULTS, measure_fitness
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.judges.protocol import Judge, LeafRunner
from pptarena.rewards.render_check.check import RenderCheck
from pptarena.rewards.rubric import Rubric, RubricNode
from pptarena.rewards.scope.damage import measure_damage
from pptarena.rewards.scope.scope import Scope
from pptarena.rewards.scored_tree import (
    ALMOST_ONE,
    ScoredNode,
    combine,
    summary,
    unscored_reason,
    value_of,
)

__all__ = ["ScoredNode", "score"]


@dataclass(frozen=True, slots=True)
class _LeafDecks:
    """The decks that leaves compare.

    Attributes:
        starts: Decks at the start of the work; anything present in one of them earns nothing.
        now: The current deck.
        files: Attachments collected from the machine.
        guard_decks: Decks for leaves that measure no goal; None to use these decks.
    """

    starts: tuple[View, ...]
    now: View
    files: CollectedFiles | None
    guard_decks: "_LeafDecks | None" = None


def score(
    rubric: Rubric,
    original: Deck,
    current: Deck,
    scope: Scope | None = None,
    judge: Judge | None = None,
    leaves: LeafRunner | None = None,
    render_check: RenderCheck | None = None,
    gold: Deck | None = None,
    files: CollectedFiles | None = None,
    targets: Sequence[Deck] = (),
    turn: TurnContext | None = None,
) -> ScoredNode:
    """Return the scored tree of a rubric.

    Args:
        rubric: The rubric to score.
        original: The deck as saved unchanged by the application.
        current: The deck as saved by the application now.
        scope: The part of the deck that may change. None stands for the changes of the gold deck,
            or for nothing without one. If the scope selects a slide, by title or layout, that the
            original lacks, the entire tree is unscored.
        judge: Scores leaves that no program can check; without it they are unscored.
        leaves: Runs Python leaves of imported rubrics; without it they are unscored.
        render_check: Render check; without it visibility is computed from the files alone. A deck
            that scores 0 without it, and without models and Python leaves, is not rendered.
        gold: The gold deck, saved by the same application; without it, checks that compare with it
            are unscored.
        files: Collected attachments; without them, leaves about attachments are unscored.
        targets: Target decks, saved by the same application; the one that explains most counts. A
            change that the scope allows and no target explains is damage. Without targets
            everything in the scope is free. A gold deck is a target.
        turn: Context of one turn of a multi-turn task; `scope` refers to `original` then.

    Raises:
        PPTArenaError: If the original cannot be rendered; nothing is scored then.
    """
    if scope is None and gold is not None:
        scope = scope_of(original, gold)
    targets = targets or ((gold,) if gold is not None else ())
    try:
        scope = None if scope is None else scope.resolve(original)
    except UnscoredError as error:
        return _unscored(rubric.root, f"unscored: scope: {error}")
    before = View(match_decks(original, original), scope, judge, leaves, gold)
    is_unchanged = current is original
    match = before.match if is_unchanged else match_decks(original, current)
    others = () if turn is None else turn.targets
    now = before if is_unchanged else View(match, scope, judge, leaves, gold, targets, others)
    if render_check is not None and not is_unchanged:
        if judge is None and leaves is None:
            file_decks = _LeafDecks(
                (before,), View(match, scope, None, None, gold, targets, others), files
            )
            tree = _score_by_best_start(rubric, original, file_decks, turn, gold)
            if tree.score == 0:
                return replace(tree, looked=True)  # rendering can only lower a score
        now.render_result = render_check.run(now.match, diff_matched(now.match), now.unrequested)
    tree = _score_by_best_start(rubric, original, _LeafDecks((before,), now, files), turn, gold)
    if not is_unchanged and scope is not None:
        tree = _apply_penalties(tree, rubric, before, now)
    return tree if render_check is None else _mark_rendered(tree, now)


def _score_by_best_start(
    rubric: Rubric, original: Deck, decks: _LeafDecks, turn: TurnContext | None, gold: Deck | None
) -> ScoredNode:
    """Score against the start of the turn and against its reference; return the higher score."""
    tree = _score_tree(rubric, original, decks)
    if turn is None or turn.reference is None or _is_full(tree):
        return tree
    by_reference = _score_tree(rubric, turn.reference, _reference_decks(turn, decks, gold))
    return max(tree, by_reference, key=_score_or_minus_one)


def _score_tree(rubric: Rubric, original: Deck, decks: _LeafDecks) -> ScoredNode:
    try:
        rubric = rubric.resolve(original)
    except UnscoredError as error:
        return _unscored(rubric.root, f"unscored: {error}")
    return _score(rubric.root, rubric, decks)


def _reference_decks(turn: TurnContext, turn_decks: _LeafDecks, gold: Deck | None) -> _LeafDecks:
    """Return the current deck compared with the deck that a turn's rubric was written for.

    Only this comparison shows work of the turn that was done before it began.
    """
    reference = turn.reference or turn.first
    starts = (reference, turn.first)
    scope = turn_decks.now.scope
    views = tuple(View(match_decks(reference, deck), scope, gold=gold) for deck in starts)
    now = View(match_decks(reference, turn_decks.now.current), scope, gold=gold)
    now.render_result = turn_decks.now.render_result
    return _LeafDecks(views, now, turn_decks.files, turn_decks)


def _score_or_minus_one(node: ScoredNode) -> float:
    return -1.0 if node.score is None else node.score


def _unscored(node: RubricNode, reason: str) -> ScoredNode:
    return _node(node, None, reason, tuple(_unscored(child, reason) for child in node.children))


def _node(
    node: RubricNode, value: float | None, reason: str, children: tuple[ScoredNode, ...] = ()
) -> ScoredNode:
    check = "" if node.check is None else node.check.name
    return ScoredNode(
        node.name,
        node.critical,
        value,
        reason,
        children,
        check,
        weight=node.weight,
        is_any=node.is_any,
    )


def _mark_rendered(tree: ScoredNode, now: View) -> ScoredNode:
    """Mark the tree as checked by rendering; its score is 0 if the deck could not be rendered."""
    if now.render_result is not None and now.render_result.failure and tree.score is not None:
        tree = replace(tree, score=0.0, reason=f"{now.render_result.failure}; {tree.reason}")
    return replace(tree, looked=True)


def _apply_penalties(tree: ScoredNode, rubric: Rubric, before: View, now: View) -> ScoredNode:
    """Lower the root's score by damage or by lack of fitness, whichever is worse.

    Both often share a cause, so they are not multiplied. Damage that a leaf already charges is not
    charged again. Changed formatting of the task's own objects sets a ceiling for the same reason.
    """
    if not tree.score:
        return tree
    damage = measure_damage(
        now.match,
        now.scope,
        now.unrequested,
        now.render_result,
        now.unexplained,
        touched=now.target_changes,
        targets=now.targets,
    )
    # Only targets show whether the task itself asks for small, pale or rotated text.
    fitness = NO_FAULTS
    if now.targets:
        changes = diff_matched(now.match)
        fitness = measure_fitness(
            now.match, changes, now.out_of_scope, now.targets, now.render_result
        )
        if fitness.share < 1 and now.other_targets:
            targets = (*now.targets, *now.other_targets)
            fitness = measure_fitness(
                now.match, changes, now.out_of_scope, targets, now.render_result
            )
    factor = min(damage.retained, fitness.share)
    if factor >= 1 and damage.ceiling >= 1:
        return tree
    undamaged_score = _score_without_harm(tree, rubric, before, now)
    value = min(tree.score, factor * undamaged_score, damage.ceiling)
    kept_share = value / tree.score
    if kept_share >= ALMOST_ONE:
        return tree
    reasons = [fitness.reason] if fitness.share < 1 else []
    reasons.insert(0 if damage.retained <= fitness.share else 1, damage.reason)
    explanation = "; ".join(reason for reason in reasons if reason)
    reason = f"{explanation}, which leaves {kept_share:.0%} of the score; {tree.reason}"
    return replace(tree, score=value, reason=reason, kept=kept_share)


def _score_without_harm(tree: ScoredNode, rubric: Rubric, before: View, now: View) -> float:
    """Return the score of a tree if no leaf charged for damage, so that each harm costs once.

    A guard is a leaf that the original deck passes and the submission fails. It requests no edit,
    so breaking it is damage, and damage has its own price. The same applies to the missing part of
    a nearly fulfilled leaf whose shape was harmed.
    """
    score = tree.score or 0.0
    try:
        rubric = rubric.resolve(now.original)
    except UnscoredError:  # only the reference deck of the turn has these objects
        return score
    harmed = {(c.slide, c.shape_index) for c in now.unrequested if c.slide is not None}
    undamaged_score = _score_if_unharmed(rubric.root, tree, rubric, before, harmed)
    return score if undamaged_score is None else undamaged_score


def _score(node: RubricNode, rubric: Rubric, decks: _LeafDecks) -> ScoredNode:
    if node.file and node.check is not None:
        return _node(node, *_score_file_leaf(node.check, node, decks.now.original, decks.files))
    if node.check is not None:
        return _node(node, *_score_leaf(node.check, node.args, decks))
    children = tuple(_score(child, rubric, decks) for child in node.children)
    if node.is_any:
        return _node(node, *_best_alternative(children), children)
    scores = [(child.critical, child.score) for child in children]
    weights = [child.weight for child in children]
    value = combine(rubric.strategy, scores, weights=weights, penalty=rubric.penalty)
    reason = summary(children) if value is not None else unscored_reason(children)
    return _node(node, value, reason, children)


def _best_alternative(children: tuple[ScoredNode, ...]) -> tuple[float | None, str]:
    """Return the score and reason of the best of several alternatives.

    An unscored alternative counts as not chosen. Otherwise a submission that fulfills none of them
    would have the entire node excluded, and gain by that.
    """
    scored = [child for child in children if child.score is not None]
    if not scored:
        return None, summary(children)
    best = max(scored, key=value_of)
    unscored_count = len(children) - len(scored)
    more = (
        f"; {pluralize(unscored_count, 'alternative')} could not be scored"
        if unscored_count and not _is_full(best)
        else ""
    )
    return best.score, f"{best.name}: {best.reason}{more}"


def _is_full(child: ScoredNode) -> bool:
    return value_of(child) >= ALMOST_ONE


def _score_file_leaf(
    check: CheckSpec, node: RubricNode, original: Deck, files: CollectedFiles | None
) -> tuple[float | None, str]:
    """Score a leaf about an attachment; a missing or unreadable file scores 0."""
    if files is None:
        return None, f"unscored: {node.file} was not collected from any machine"
    try:
        now = files.view(node.file, original, of_deck=check.name != FILE_CHECK)
    except DeckError as error:
        return 0.0, str(error)
    before = files.view_at_start(node.file, of_deck=check.name != FILE_CHECK)
    if before is None:  # the file is new, so all of its content is the agent's work
        try:
            result = check.run(now, node.args)
        except UnscoredError as error:
            return None, f"unscored: {error}"
        return _clamp(result.score), f"{node.file}: {result.reason}"
    value, reason = _score_leaf(check, node.args, _LeafDecks((before,), now, files))
    return value, f"{node.file}: {reason}"


def _score_leaf(
    check: CheckSpec, args: Mapping[str, Any], decks: _LeafDecks
) -> tuple[float | None, str]:
    if decks.guard_decks is not None and not check.is_goal:
        decks = decks.guard_decks
    now = decks.now
    try:
        result = check.run(now, args)
        if not check.is_goal or result.score <= 0.0:
            return _clamp(result.score), result.reason
        start = max(
            _clamp(result.score if now is before else check.run(before, args).score)
            for before in decks.starts
        )
    except UnscoredError as error:
        return None, f"unscored: {error}"
    value = _clamp(result.score)
    if start <= 0.0 or start >= ALMOST_ONE:
        return value, result.reason
    progress = max(0.0, (value - start) / (1.0 - start))
    if value >= ALMOST_ONE:
        return 1.0, result.reason
    return progress, f"{result.reason} (the original was at {start:.0%}; progress counts)"


def _clamp(value: float) -> float:
    return 1.0 if value >= ALMOST_ONE else max(0.0, value)


_NEARLY_FULFILLED = 0.75

_Location = tuple[int, int | None]
"""Slide of the original (1-based) and shape index; None as index stands for the slide itself."""


def _score_if_unharmed(
    node: RubricNode,
    scored: ScoredNode,
    rubric: Rubric,
    before: View,
    harmed: Collection[_Location],
) -> float | None:
    if scored.score is None or node.file:
        return scored.score
    if node.check is not None:
        is_harm = _is_guard(node, scored.score, before) or (
            scored.score >= _NEARLY_FULFILLED and _location_of(node, before.original) in harmed
        )
        return 1.0 if is_harm else scored.score
    values = [
        _score_if_unharmed(child, scored_child, rubric, before, harmed)
        for child, scored_child in zip(node.children, scored.children, strict=True)
    ]
    if node.is_any:
        return max((value for value in values if value is not None), default=None)
    scores = [(child.critical, value) for child, value in zip(node.children, values, strict=True)]
    weights = [child.weight for child in node.children]
    return combine(rubric.strategy, scores, weights=weights, penalty=rubric.penalty)


def _is_guard(node: RubricNode, value: float, before: View) -> bool:
    if node.check is None or value >= ALMOST_ONE:
        return False
    if not node.check.is_goal:
        return True
    try:
        return node.check.run(before, node.args).score >= ALMOST_ONE
    except UnscoredError:
        return False


def _location_of(node: RubricNode, original: Deck) -> _Location | None:
    """Return the place of the original that a leaf refers to, or None if it is not a single one."""
    slide, selector = node.args.get("slide"), node.args.get("shape")
    if not isinstance(slide, int) or not 1 <= slide <= len(original.slides):
        return None
    if selector is None:
        return slide, None
    shape = find_shape(original.slides[slide - 1], selector)
    return None if shape is None else (slide, shape.index)
