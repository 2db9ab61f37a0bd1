"""The proof that every leaf of a rubric can be earned, and is not earned by doing nothing.

A rubric scores 1.0 on its goal even if some of its leaves were never judged: those are left out of
the mean. So every leaf is looked at by itself, on the original and on the goal.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from pptarena.decks import Deck, read_deck
from pptarena.errors import DeckError, MachineError
from pptarena.rewards import Rubric, Scope, ScoredNode, score
from pptarena.rewards.rubric import RubricNode
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.tasks import Task
from pptarena.tasks.goals import goals_of_turns, has_goal
from pptarena.tasks.never_saved import why_never_saved
from pptarena.tasks.turn import Turn

__all__ = ["LeafProof", "SaveDecks", "Verdict", "judge_leaves", "prove_leaves"]

SaveDecks = Callable[[Sequence[bytes]], Sequence[bytes | DeckError | MachineError]]
"""Saves .pptx files as the machine's application does; `OfficeSaver.save_all` is one."""

Verdict = Literal["ok", "dead", "idle", "unsaved", "other", "open"]
"""What is found of a leaf.

- ``ok``: it is 1 on the goal, and less on the original where its parents hang on it.
- ``dead``: it is not judged, or less than 1, on the goal: nobody can earn it.
- ``idle``: all hangs on it, and the original has it already: it says nothing.
- ``unsaved``: it is 1 on the goal as it was brought, and less once the machine's application has
  saved it: it asks for something that is never written, or not in that way.
- ``other``: it is a part of a way that this goal does not take; another way of the same node is 1.
- ``open``: a model or a program judges it, which was not asked here.
"""

_ASKED = frozenset(("judge", "visual_judge", "edit_judge", "python"))


@dataclass(frozen=True, slots=True)
class LeafProof:
    """What a leaf scores on a task's original and on its goal.

    Attributes:
        place: Where it stands, such as ``root/children/1``.
        name: As in the rubric.
        check: Name of its check.
        critical: Whether it is critical, and so are all its parents.
        on_original: Its score there; None if it was not judged.
        on_goal: The same on the goal.
        verdict: What that means.
        reason: Why its score on the goal is what it is; for an idle leaf, on the original; for an
            unsaved one, what became of it.
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
        """Whether nothing is wrong with it; nobody knows of an open one."""
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
    """Return what each leaf of a rubric scores, in the order of the rubric.

    Args:
        rubric: Whose leaves.
        scope: The part of the deck that may change.
        original: The deck before.
        goal: A deck on which the task is done.
        gold: The task's gold deck, for checks that compare with it; usually the goal itself.
        targets: The task's targets, for damage; usually the goal alone.

    Raises:
        UnscoredError: If the original lacks what a ``for_each`` of the rubric is about.
    """
    rubric = rubric.on(original)
    start, end = (
        score(rubric, original, deck, scope, gold=gold, targets=targets)
        for deck in (original, goal)
    )
    critical = dict(_critical(rubric.root, "root", is_critical=True))
    not_taken = tuple(_not_taken(end, "root"))
    return tuple(
        _proof(place, before, after, critical[place], f"{place}/".startswith(not_taken))
        for (place, before), (_, after) in zip(start.walk(), end.walk(), strict=True)
        if before.check
    )


def prove_leaves(task: Task, save: SaveDecks | None = None) -> tuple[LeafProof, ...] | None:
    """Return what the leaves of a task score on its goal; None if no goal is known.

    The goal is the task's gold deck, or what `pptarena.tasks.goals` makes. Later turns, as far as
    their goals are known, are proven from the goal of the turn before; their places begin with
    ``turn 2/`` and so on.

    Args:
        task: The task.
        save: Saves decks as the application does in which the task is played. With it every leaf
            is judged a second time, on both decks as saved: what an application does not write,
            nobody can earn there.

    Raises:
        DeckError: If a deck cannot be read, or the application refuses it.
        MachineError: If the application fails.
        TaskError: If its deck or gold cannot be found.
    """
    if not task.feasible or not has_goal(task):
        return None
    files = task.deck_bytes(), *goals_of_turns(task)
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
        found = _judged(turn, *files[number : number + 2])
        if saved:
            leaves = dict(_nodes(turn.rubric.on(read_deck(files[number])).root, "root"))
            after = _judged(turn, *saved[number : number + 2])
            pairs = zip(found, after, strict=True)
            found = tuple(_after_saving(leaves[one.place], one, two) for one, two in pairs)
        prefix = f"turn {number + 1}/" if number else ""
        proofs += (replace(each, place=f"{prefix}{each.place}") for each in found)
    return tuple(proofs)


def _judged(turn: Task | Turn, original: bytes, goal: bytes) -> tuple[LeafProof, ...]:
    gold = read_deck(goal)
    return judge_leaves(turn.rubric, turn.scope, read_deck(original), gold, gold, (gold,))


def _after_saving(leaf: RubricNode, brought: LeafProof, saved: LeafProof) -> LeafProof:
    """Return what holds of a leaf both before and after the application saved the decks."""
    if brought.verdict != "ok" or saved.verdict in ("ok", "other", "open"):
        return brought
    if saved.verdict == "idle":
        return saved
    now = "not judged" if saved.on_goal is None else f"{saved.on_goal:.2f}"
    why = "" if leaf.check is None else why_never_saved(leaf.check.name, leaf.args)
    reason = f"{brought.on_goal:.2f} on the goal, {now} once the application has saved it: "
    return replace(brought, verdict="unsaved", reason=reason + (why or saved.reason))


def _nodes(node: RubricNode, place: str) -> Iterator[tuple[str, RubricNode]]:
    """Yield a node and all below it, each by its place."""
    yield place, node
    for index, child in enumerate(node.children):
        yield from _nodes(child, f"{place}/children/{index}")


def _critical(node: RubricNode, place: str, *, is_critical: bool) -> Iterator[tuple[str, bool]]:
    """Yield for each node whether all hangs on it."""
    # A lone child, or one among equals, makes the mean whether it is called critical or not; but
    # only what is called so is a goal.
    mine = is_critical and node.critical
    yield place, mine
    for index, child in enumerate(node.children):
        yield from _critical(child, f"{place}/children/{index}", is_critical=mine)


def _not_taken(node: ScoredNode, place: str) -> Iterator[str]:
    """Yield where the ways begin that a deck does not take, while it is at the goal by another."""
    reached = node.is_any and (node.score or 0.0) >= ALMOST_ONE
    for index, child in enumerate(node.children):
        there = f"{place}/children/{index}"
        if reached and (child.score or 0.0) < ALMOST_ONE:
            yield f"{there}/"
        yield from _not_taken(child, there)


def _proof(
    place: str, before: ScoredNode, after: ScoredNode, critical: bool, not_taken: bool
) -> LeafProof:
    verdict: Verdict = "ok"
    reason = after.reason
    if after.check in _ASKED and after.score is None:
        verdict = "open"
    elif after.score is None or after.score < ALMOST_ONE:
        verdict = "other" if not_taken else "dead"
    elif critical and before.score is not None and before.score >= ALMOST_ONE:
        verdict, reason = "idle", before.reason
    scores = before.score, after.score
    return LeafProof(place, before.name, before.check, critical, *scores, verdict, reason)
