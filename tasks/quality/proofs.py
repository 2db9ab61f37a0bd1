"""Proofs of tasks on files: rubric leaves, drafts and scopes.

A proof shows that each leaf of a rubric can be earned, and that the original does not earn it.

A rubric can score 1.0 on the target deck even if some leaves are unscored, since the mean ignores
them. Each leaf is therefore scored by itself, on the original and on the target deck.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from pptarena.decks import Deck, read_deck
from pptarena.decks.match.decks import match_decks
from pptarena.errors import DeckError, MachineError, UnscoredError
from pptarena.rewards import Rubric, Scope, ScoredNode, load_rubric, score
from pptarena.rewards.rubric import RubricNode
from pptarena.rewards.scope.damage import measure_damage
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks import Task
from pptarena.tasks.goals import goal_decks, has_goal
from pptarena.tasks.never_saved import never_saved_reason
from pptarena.tasks.turn import Turn

__all__ = [
    "DraftProof",
    "LeafProof",
    "SaveDecks",
    "Verdict",
    "goal_outside_scope",
    "judge_leaves",
    "prove_draft",
    "prove_leaves",
]

_MAX_CHANGES_SHOWN = 3  # changes

SaveDecks = Callable[[Sequence[bytes]], Sequence[bytes | DeckError | MachineError]]
"""Saves .pptx files as the machine's application does, for example `Office.save_all`."""

Verdict = Literal["ok", "dead", "idle", "unsaved", "other", "open"]
"""Result of the proof of one leaf.

- ``ok``: 1 on the target, and below 1 on the original if the leaf and all its parents are critical.
- ``dead``: unscored or below 1 on the target; the leaf cannot be earned.
- ``idle``: critical, but already 1 on the original; the leaf tests nothing.
- ``unsaved``: 1 on the target, but below 1 after the machine's application has saved it; the
  application writes the property differently or not at all.
- ``other``: belongs to an alternative that this target does not take; another alternative of the
  node scores 1.
- ``open``: scored by a model or a program, which the proof does not run.
"""

_UNPROVABLE_CHECKS = frozenset(("judge", "visual_judge", "edit_judge", "python"))


@dataclass(frozen=True, slots=True)
class LeafProof:
    """Scores of a leaf on a task's original and target decks.

    Attributes:
        place: Path of the leaf, such as ``root/children/1``.
        name: Name in the rubric.
        check: Name of its check.
        critical: Whether the leaf and all its parents are critical.
        on_original: Score on the original; None if unscored.
        on_goal: Score on the target; None if unscored.
        verdict: The result.
        reason: Explanation of the score on the target. For an idle leaf, of the score on the
            original; for an unsaved leaf, of the effect of saving.
    """

    place: str
    name: str
    check: str
    critical: bool
    on_original: float | None
    on_goal: float | None
    verdict: Verdict
    reason: str

    @property
    def ok(self) -> bool:
        """Whether no problem was found; ``open`` leaves count as ok."""
        return self.verdict in ("ok", "other", "open")

    def to_json(self) -> dict[str, Any]:
        """Return the proof as a JSON object."""
        return asdict(self)


def judge_leaves(
    rubric: Rubric,
    scope: Scope | None,
    original: Deck,
    goal: Deck,
    gold: Deck | None = None,
    targets: Sequence[Deck] = (),
) -> tuple[LeafProof, ...]:
    """Return the proof of each leaf, in rubric order.

    Args:
        rubric: The rubric.
        scope: The part of the deck that may change.
        original: The original deck.
        goal: The target deck.
        gold: The task's gold deck, for checks that compare with it; usually `goal`.
        targets: The task's target decks, for the damage score; usually `goal` alone.

    Raises:
        UnscoredError: If the original lacks the targets of a ``for_each`` node.
    """
    rubric = rubric.resolve(original)
    start, end = (
        score(rubric, original, deck, scope, gold=gold, targets=targets)
        for deck in (original, goal)
    )
    critical = dict(_critical_flags(rubric.root, "root", is_critical=True))
    not_taken = tuple(_alternatives_not_taken(end, "root"))
    return tuple(
        _proof(place, before, after, critical[place], f"{place}/".startswith(not_taken))
        for (place, before), (_, after) in zip(start.walk(), end.walk(), strict=True)
        if before.check
    )


def prove_leaves(task: Task, save: SaveDecks | None = None) -> tuple[LeafProof, ...] | None:
    """Return the proofs of a task's leaves on its target deck; None if no target is known.

    The target is the task's gold deck, or the deck that `pptarena.tasks.goals` builds. Later turns
    with a known target are proven from the target of the preceding turn; their paths begin with
    ``turn 2/`` and so on.

    Args:
        task: The task.
        save: Saves decks as the application of the task's machine does. If given, each leaf is
            scored a second time on the saved decks, which finds properties that the application
            does not write.

    Raises:
        DeckError: If a deck cannot be read, or the application refuses it.
        MachineError: If the application fails.
        TaskError: If the deck or the gold deck cannot be found.
    """
    if not task.feasible or not has_goal(task):
        return None
    files = task.deck_bytes(), *goal_decks(task)
    saved: list[bytes] = []
    for file in () if save is None else save(files):
        if isinstance(file, Exception):
            raise type(file)(f"{task.id}: {file}") from file
        saved.append(file)
    proofs: list[LeafProof] = []
    turns: tuple[Task | Turn, ...] = (task, *task.turns)
    for number, turn in enumerate(turns[: len(files) - 1]):
        if not turn.feasible:
            continue
        turn_proofs = _prove_turn(turn, *files[number : number + 2])
        if saved:
            leaves = dict(turn.rubric.resolve(read_deck(files[number])).root.walk())
            saved_proofs = _prove_turn(turn, *saved[number : number + 2])
            pairs = zip(turn_proofs, saved_proofs, strict=True)
            turn_proofs = tuple(
                _combine_with_saved(leaves[before.place], before, after) for before, after in pairs
            )
        prefix = f"turn {number + 1}/" if number else ""
        proofs += (replace(each, place=f"{prefix}{each.place}") for each in turn_proofs)
    return tuple(proofs)


def _prove_turn(turn: Task | Turn, original: bytes, goal: bytes) -> tuple[LeafProof, ...]:
    gold = read_deck(goal)
    return judge_leaves(turn.rubric, turn.scope, read_deck(original), gold, gold, (gold,))


def _combine_with_saved(leaf: RubricNode, unsaved: LeafProof, saved: LeafProof) -> LeafProof:
    """Combine the proofs of a leaf before and after the application saved the decks."""
    if unsaved.verdict != "ok" or saved.verdict in ("ok", "other", "open"):
        return unsaved
    if saved.verdict == "idle":
        return saved
    score_text = "unscored" if saved.on_goal is None else f"{saved.on_goal:.2f}"
    reason_for_loss = "" if leaf.check is None else never_saved_reason(leaf.check.name, leaf.args)
    reason = (
        f"{unsaved.on_goal:.2f} on the target deck, "
        f"{score_text} once the application has saved it: "
    )
    return replace(unsaved, verdict="unsaved", reason=reason + (reason_for_loss or saved.reason))


def _critical_flags(
    node: RubricNode, place: str, *, is_critical: bool
) -> Iterator[tuple[str, bool]]:
    """Yield the path of each node, and whether the node and all its parents are critical."""
    # An only child, or one among equals, determines the mean even without ``critical``; only nodes
    # marked critical count as required.
    is_node_critical = is_critical and node.critical
    yield place, is_node_critical
    for index, child in enumerate(node.children):
        yield from _critical_flags(child, f"{place}/children/{index}", is_critical=is_node_critical)


def _alternatives_not_taken(node: ScoredNode, place: str) -> Iterator[str]:
    """Yield the path prefixes of alternatives not taken, where another alternative is reached."""
    reached = node.is_any and (node.score or 0.0) >= ALMOST_ONE
    for index, child in enumerate(node.children):
        child_place = f"{place}/children/{index}"
        if reached and (child.score or 0.0) < ALMOST_ONE:
            yield f"{child_place}/"
        yield from _alternatives_not_taken(child, child_place)


def _proof(
    place: str, before: ScoredNode, after: ScoredNode, critical: bool, not_taken: bool
) -> LeafProof:
    verdict: Verdict = "ok"
    reason = after.reason
    if after.check in _UNPROVABLE_CHECKS and after.score is None:
        verdict = "open"
    elif after.score is None or after.score < ALMOST_ONE:
        verdict = "other" if not_taken else "dead"
    elif critical and before.score is not None and before.score >= ALMOST_ONE:
        verdict, reason = "idle", before.reason
    scores = before.score, after.score
    return LeafProof(place, before.name, before.check, critical, *scores, verdict, reason)


@dataclass(frozen=True, slots=True)
class DraftProof:
    """The proof of a drafted task.

    Attributes:
        leaves: The proof of each rubric item.
        original: Score of the original deck; None if it cannot be scored.
        goal: Score of the gold deck; None if it cannot be scored.
    """

    leaves: tuple[LeafProof, ...]
    original: float | None
    goal: float | None

    @property
    def problem(self) -> str:
        """Why the task is not proven; empty if it is."""
        failed = [leaf for leaf in self.leaves if not leaf.ok]
        if failed:
            return "; ".join(f"{leaf.name!r} is {leaf.verdict}: {leaf.reason}" for leaf in failed)
        if (self.original, self.goal) != (0.0, 1.0):
            return (
                "the original must score 0 and the edited deck 1, but they score "
                f"{self.original} and {self.goal}"
            )
        return ""


def prove_draft(rubric: Mapping[str, Any], scope: Scope, original: Deck, goal: Deck) -> DraftProof:
    """Return the proof of a task with a gold deck.

    Args:
        rubric: The rubric, as in a task file.
        scope: The part of the deck that may change.
        original: The original deck.
        goal: The gold deck.
    """
    parsed = load_rubric(dict(rubric))
    leaves = judge_leaves(parsed, scope, original, goal, goal, (goal,))
    start, end = (
        score(parsed, original, deck, scope, gold=goal, targets=(goal,)).score
        for deck in (original, goal)
    )
    return DraftProof(leaves, start, end)


def goal_outside_scope(task: Task) -> tuple[str, ...]:
    """Return why a task's target deck is scored as damage, one reason per affected turn.

    If a target deck has changes that the scope does not allow, even an agent that produces the
    target loses score. Turns without a scope or a known target deck are skipped.

    Args:
        task: The task.

    Raises:
        DeckError: If a deck cannot be read.
        TaskError: If a deck cannot be found.
    """
    if not has_goal(task):
        return ()
    files = task.deck_bytes(), *goal_decks(task)
    turns: tuple[Task | Turn, ...] = (task, *task.turns)
    reasons = []
    for number, turn in enumerate(turns[: len(files) - 1]):
        reason = _changes_outside_scope(turn, *files[number : number + 2])
        prefix = f"turn {number + 1}: " if number else ""
        reasons += [f"{prefix}{reason}"] if reason else []
    return tuple(reasons)


def _changes_outside_scope(turn: Task | Turn, before: bytes, after: bytes) -> str:
    if not turn.feasible or turn.scope is None:
        return ""
    original = read_deck(before)
    try:
        scope = turn.scope.resolve(original)
    except UnscoredError as error:
        return f"its scope does not fit the deck: {error}"
    match = match_decks(original, read_deck(after))
    outside = out_of_scope_changes(match, scope)
    if not outside:
        return ""
    retained = measure_damage(match, scope, outside).retained
    texts = list(dict.fromkeys(change.text for change in outside))
    listed = "; ".join(texts[:_MAX_CHANGES_SHOWN])
    hidden = len(texts) - _MAX_CHANGES_SHOWN
    others = f"; and {hidden} more" if hidden > 0 else ""
    consequence = f", which leaves {retained:.0%} of the score" if retained < 1 else ""
    return (
        f"its target deck has changes that its scope does not allow{consequence}: {listed}"
        f"{others}. Allow these changes in the scope, or leave them out of the target deck"
    )
