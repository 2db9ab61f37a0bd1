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
from pptarena.rewards.checking.result import counted
from pptarena.rewards.checking.view import View
from pptarena.rewards.context import FILE_CHECK, CollectedFiles, TurnContext
from pptarena.rewards.fitness import FIT, measure_fitness
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.judges.protocol import Judge, LeafRunner
from pptarena.rewards.looks.looks import Looks
from pptarena.rewards.rubric import Rubric, RubricNode
from pptarena.rewards.scope.damage import measure_damage
from pptarena.rewards.scope.scope import Scope
from pptarena.rewards.scored import ALMOST_ONE, ScoredNode, combine, summary, value_of, why_unjudged

__all__ = ["ScoredNode", "score"]


@dataclass(frozen=True, slots=True)
class _Sides:
    """The decks that leaves compare.

    Attributes:
        starts: Decks that the work began with; anything present in one of them earns nothing.
        now: The current deck.
        files: Attachments collected from the machine.
        unmoved: Decks for leaves that measure no goal; None for the same ones.
    """

    starts: tuple[View, ...]
    now: View
    files: CollectedFiles | None
    unmoved: "_Sides | None" = None


def score(
    rubric: Rubric,
    original: Deck,
    current: Deck,
    scope: Scope | None = None,
    judge: Judge | None = None,
    leaves: LeafRunner | None = None,
    looks: Looks | None = None,
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
        looks: Render check; without it visibility is computed from the files alone. A deck that
            scores 0 without it, and without models and Python leaves, is not rendered.
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
        scope = None if scope is None else scope.on(original)
    except UnscoredError as error:
        return _unscored(rubric.root, f"not judged: scope: {error}")
    before = View(match_decks(original, original), scope, judge, leaves, gold)
    same = current is original
    match = before.match if same else match_decks(original, current)
    others = () if turn is None else turn.targets
    now = before if same else View(match, scope, judge, leaves, gold, targets, others)
    if looks is not None and not same:
        if judge is None and leaves is None:
            unseen = _Sides((before,), View(match, scope, None, None, gold, targets, others), files)
            tree = _by_better_start(rubric, original, unseen, turn, gold)
            if tree.score == 0:
                return replace(tree, looked=True)  # rendering finds faults, which lower scores
        now.looked = looks.look(now.match, diff_matched(now.match), now.outside)
    tree = _by_better_start(rubric, original, _Sides((before,), now, files), turn, gold)
    if not same and scope is not None:
        tree = _less_spoilt(tree, rubric, before, now)
    return tree if looks is None else _looked_at(tree, now)


def _by_better_start(
    rubric: Rubric, original: Deck, sides: _Sides, turn: TurnContext | None, gold: Deck | None
) -> ScoredNode:
    """Score by the start of the turn or by the deck that its rubric refers to: the higher score."""
    tree = _tree(rubric, original, sides)
    if turn is None or turn.reference is None or _is_full(tree):
        return tree
    by_reference = _tree(rubric, turn.reference, _reference_sides(turn, sides, gold))
    return max(tree, by_reference, key=_worth)


def _tree(rubric: Rubric, original: Deck, sides: _Sides) -> ScoredNode:
    try:
        rubric = rubric.on(original)
    except UnscoredError as error:
        return _unscored(rubric.root, f"not judged: {error}")
    return _score(rubric.root, rubric, sides)


def _reference_sides(turn: TurnContext, own: _Sides, gold: Deck | None) -> _Sides:
    """Return the current deck compared with the deck that a turn's rubric was written for.

    Only this comparison shows work of the turn that was done before it began.
    """
    reference = turn.reference or turn.first
    starts = (reference, turn.first)
    scope = own.now.scope
    views = tuple(View(match_decks(reference, deck), scope, gold=gold) for deck in starts)
    now = View(match_decks(reference, own.now.current), scope, gold=gold)
    now.looked = own.now.looked
    return _Sides(views, now, own.files, own)


def _worth(node: ScoredNode) -> float:
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


def _looked_at(tree: ScoredNode, now: View) -> ScoredNode:
    """Mark the tree as checked by rendering; its score is 0 if the deck could not be rendered."""
    if now.looked is not None and now.looked.failed and tree.score is not None:
        tree = replace(tree, score=0.0, reason=f"{now.looked.failed}; {tree.reason}")
    return replace(tree, looked=True)


def _less_spoilt(tree: ScoredNode, rubric: Rubric, before: View, now: View) -> ScoredNode:
    """Lower the root's score by damage or by lack of fitness, whichever is worse.

    Both often share a cause, so they are not multiplied. Damage that a leaf already charges is not
    charged again. Changed formatting of the task's own objects sets a ceiling for the same reason.
    """
    if not tree.score:
        return tree
    damage = measure_damage(
        now.match,
        now.scope,
        now.outside,
        now.looked,
        now.unasked,
        touched=now.touched,
        targets=now.targets,
    )
    # Only targets show whether the task itself asks for small, pale or rotated text.
    fitness = FIT
    if now.targets:
        changes = diff_matched(now.match)
        fitness = measure_fitness(now.match, changes, now.out_of_scope, now.targets, now.looked)
        if fitness.share < 1 and now.other_targets:
            targets = (*now.targets, *now.other_targets)
            fitness = measure_fitness(now.match, changes, now.out_of_scope, targets, now.looked)
    left = min(damage.retained, fitness.share)
    if left >= 1 and damage.ceiling >= 1:
        return tree
    whole = _score_without_harm(tree, rubric, before, now)
    value = min(tree.score, left * whole, damage.ceiling)
    kept = value / tree.score
    if kept >= ALMOST_ONE:
        return tree
    reasons = [fitness.reason] if fitness.share < 1 else []
    reasons.insert(0 if damage.retained <= fitness.share else 1, damage.reason)
    why = "; ".join(reason for reason in reasons if reason)
    reason = f"{why}, which leaves {kept:.0%} of the score; {tree.reason}"
    return replace(tree, score=value, reason=reason, kept=kept)


def _score_without_harm(tree: ScoredNode, rubric: Rubric, before: View, now: View) -> float:
    """Return the score of a tree if no leaf charged for damage, so that each harm costs once.

    A guard is a leaf that the original deck passes and the submission fails. It requests no edit,
    so breaking it is damage, and damage has its own price. The same applies to the missing part of
    a nearly fulfilled leaf whose shape was harmed.
    """
    own = tree.score or 0.0
    try:
        rubric = rubric.on(now.original)
    except UnscoredError:  # only the deck that the turn was written for has its objects
        return own
    harmed = {(c.slide, c.shape_index) for c in now.outside if c.slide is not None}
    whole = _without_harm(rubric.root, tree, rubric, before, harmed)
    return own if whole is None else whole


def _score(node: RubricNode, rubric: Rubric, sides: _Sides) -> ScoredNode:
    if node.file and node.check is not None:
        return _node(node, *_measured_file(node.check, node, sides.now.original, sides.files))
    if node.check is not None:
        return _node(node, *_measured(node.check, node.args, sides))
    children = tuple(_score(child, rubric, sides) for child in node.children)
    if node.is_any:
        return _node(node, *_best_way(children), children)
    scores = [(child.critical, child.score) for child in children]
    weights = [child.weight for child in children]
    value = combine(rubric.strategy, scores, weights=weights, penalty=rubric.penalty)
    reason = summary(children) if value is not None else why_unjudged(children)
    return _node(node, value, reason, children)


def _best_way(children: tuple[ScoredNode, ...]) -> tuple[float | None, str]:
    """Return the score and reason of the best of several alternatives.

    An unscored alternative counts as not chosen. Otherwise a submission that fulfills none of them
    would have the entire node excluded, and gain by that.
    """
    judged = [child for child in children if child.score is not None]
    if not judged:
        return None, summary(children)
    best = max(judged, key=value_of)
    unjudged = len(children) - len(judged)
    more = (
        f"; {counted(unjudged, 'alternative')} could not be scored"
        if unjudged and not _is_full(best)
        else ""
    )
    return best.score, f"{best.name}: {best.reason}{more}"


def _is_full(child: ScoredNode) -> bool:
    return value_of(child) >= ALMOST_ONE


def _measured_file(
    check: CheckSpec, node: RubricNode, original: Deck, files: CollectedFiles | None
) -> tuple[float | None, str]:
    """Score a leaf about an attachment; a missing or unreadable file scores 0."""
    if files is None:
        return None, f"not judged: {node.file} was not collected from any machine"
    try:
        now = files.view(node.file, original, of_deck=check.name != FILE_CHECK)
    except DeckError as error:
        return 0.0, str(error)
    before = files.view_at_start(node.file, of_deck=check.name != FILE_CHECK)
    if before is None:  # the file is new, so all of its content is the agent's work
        try:
            found = check.run(now, node.args)
        except UnscoredError as error:
            return None, f"not judged: {error}"
        return _bounded(found.score), f"{node.file}: {found.reason}"
    value, reason = _measured(check, node.args, _Sides((before,), now, files))
    return value, f"{node.file}: {reason}"


def _measured(check: CheckSpec, args: Mapping[str, Any], sides: _Sides) -> tuple[float | None, str]:
    if sides.unmoved is not None and not check.is_goal:
        sides = sides.unmoved
    now = sides.now
    try:
        found = check.run(now, args)
        if not check.is_goal or found.score <= 0.0:
            return _bounded(found.score), found.reason
        start = max(
            _bounded(found.score if now is before else check.run(before, args).score)
            for before in sides.starts
        )
    except UnscoredError as error:
        return None, f"not judged: {error}"
    value = _bounded(found.score)
    if start <= 0.0 or start >= ALMOST_ONE:
        return value, found.reason
    progress = max(0.0, (value - start) / (1.0 - start))
    if value >= ALMOST_ONE:
        return 1.0, found.reason
    return progress, f"{found.reason} (the original was at {start:.0%}; progress counts)"


def _bounded(value: float) -> float:
    return 1.0 if value >= ALMOST_ONE else max(0.0, value)


_NEARLY = 0.75

_Place = tuple[int, int | None]
"""Slide of the original (1-based) and shape index; None as index stands for the slide itself."""


def _without_harm(
    node: RubricNode, scored: ScoredNode, rubric: Rubric, before: View, harmed: Collection[_Place]
) -> float | None:
    if scored.score is None or node.file:
        return scored.score
    if node.check is not None:
        is_harm = _is_guard(node, scored.score, before) or (
            scored.score >= _NEARLY and _place_of(node, before.original) in harmed
        )
        return 1.0 if is_harm else scored.score
    values = [
        _without_harm(child, found, rubric, before, harmed)
        for child, found in zip(node.children, scored.children, strict=True)
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


def _place_of(node: RubricNode, original: Deck) -> _Place | None:
    """Return the place of the original that a leaf refers to, or None if it is not a single one."""
    slide, selector = node.args.get("slide"), node.args.get("shape")
    if not isinstance(slide, int) or not 1 <= slide <= len(original.slides):
        return None
    if selector is None:
        return slide, None
    shape = find_shape(original.slides[slide - 1], selector)
    return None if shape is None else (slide, shape.index)
