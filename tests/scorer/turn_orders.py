"""Play multi-turn tasks on files with the work in other orders.

The work of each turn is known as edits of the packaged deck. A play assigns the work of every turn
to one of the turns, and may damage the deck.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from tests.scorer.turn_damage import DAMAGES, RENAMED, Damage, UnchangedParts

from pptarena.envs.baseline import FixedBaseline
from pptarena.envs.grader import score_without_damage
from pptarena.envs.grading import Grading
from pptarena.rewards import read_deck
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks import Task
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.goals.registry import goal_decks, turn_edits

__all__ = ["OrderResult", "TurnPlay", "play_task", "plays_of"]

Edit = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class TurnPlay:
    """An assignment of work and damage to the turns of a task.

    Attributes:
        name: Short description.
        work: For each turn, the numbers (from 1) of the turns whose work is done in it.
        damage: Damage done in the first turn, in addition to the work.
        repaired: Whether the damage is reverted in the last turn.
    """

    name: str
    work: tuple[tuple[int, ...], ...]
    damage: Damage | None = None
    repaired: bool = False

    @property
    def is_honest(self) -> bool:
        """Whether the play does no damage, so that it should get the score its order deserves."""
        return self.damage is None


@dataclass(frozen=True, slots=True)
class OrderResult:
    """The result of a play.

    Attributes:
        task: Task id.
        play: The play.
        score: Score of the episode.
        fair: The score deserved by the order: each turn counts if its work is done when it ends,
            and work that is kept counts once more.
        turns: Score of each turn at its own end.
    """

    task: str
    play: TurnPlay
    score: float
    fair: float
    turns: tuple[float, ...]


def plays_of(task: Task, seed: int = 0) -> Iterator[TurnPlay]:
    """Yield the plays of a task: honest ones in several orders, then plays with damage."""
    count = len(task.turns) + 1
    numbers = tuple(range(1, count + 1))
    in_turn = tuple((number,) for number in numbers)
    nothing: tuple[tuple[int, ...], ...] = ((),) * (count - 1)
    yield TurnPlay("each in its turn", in_turn)
    yield TurnPlay("all in the first turn", (numbers, *nothing))
    yield TurnPlay("the second first", ((2,), (1,), *in_turn[2:]))
    yield TurnPlay("all in the last turn", (*nothing, numbers))
    rng = Random(f"{task.id} {seed}")
    turns_of_work = [rng.choice(numbers) for _ in numbers]
    random_order = tuple(
        tuple(n for n in numbers if turns_of_work[n - 1] == turn) for turn in numbers
    )
    yield TurnPlay("random: " + " ".join(map(str, turns_of_work)), random_order)
    for name, work in (
        ("each in its turn", in_turn),
        ("all in the first turn", (numbers, *nothing)),
    ):
        for damage in (RENAMED, *DAMAGES):
            yield TurnPlay(f"{name}; {damage.name}", work, damage)
            yield TurnPlay(f"{name}; {damage.name}, taken back", work, damage, repaired=True)


def play_task(task: Task, plays: Sequence[TurnPlay]) -> list[OrderResult]:
    """Return the results of plays of a task, skipping plays that its deck does not allow."""
    return list(_Player(task).results(plays))


class _Player:
    """Plays a task whose edits are known on the decks that other orders produce."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._chain = [task.deck_bytes(), *goal_decks(task)]
        self._grading = Grading(FixedBaseline(self._chain[0]))
        self._ids = [_slide_ids(deck) for deck in self._chain]
        self._unchanged = UnchangedParts(self._chain)
        self._decks_by_work: dict[tuple[int, ...], bytes] = {(): self._chain[0]}
        self._replaced_by = self._replacements()

    def results(self, plays: Sequence[TurnPlay]) -> Iterator[OrderResult]:
        for play in plays:
            decks = self._decks(play)
            if decks is None:
                continue
            score, turns = self._score(decks)
            yield OrderResult(self._task.id, play, score, self._fair(play), turns)

    def _decks(self, play: TurnPlay) -> list[bytes] | None:
        """Return the deck at the end of each turn; None if there is nothing to damage."""
        completed: tuple[int, ...] = ()
        decks = []
        for turn, work in enumerate(play.work, 1):
            for number in work:
                completed = (*completed, number)
                if completed not in self._decks_by_work:
                    self._decks_by_work[completed] = self._with_work(completed)
            deck = self._decks_by_work[completed]
            is_damaged = play.damage is not None and not (play.repaired and turn == len(play.work))
            result = (
                play.damage.apply(deck, self._unchanged) if play.damage and is_damaged else deck
            )
            if result is None:
                return None
            decks.append(result)
        return decks

    def _with_work(self, completed: tuple[int, ...]) -> bytes:
        deck, number = self._decks_by_work[completed[:-1]], completed[-1]
        turn = self._task.at(number)
        edits = turn_edits(turn) if turn.feasible else ()
        return edit_deck(deck, partial(_in_order, self._ids[number - 1], edits)) if edits else deck

    def _score(self, decks: Sequence[bytes]) -> tuple[float, tuple[float, ...]]:
        grader = self._grading.grader(self._task, self._chain[0], "", self._original)
        turns = []
        for number, deck in enumerate(decks, 1):
            grader.grade(deck)
            turns.append(grader.turn_score)
            grader.end_turn(infeasible=not self._task.at(number).feasible)
            if number < len(decks):
                grader.next_turn()
        return grader.score, tuple(turns)

    def _original(self) -> bytes:
        return self._chain[0]

    def _replacements(self) -> dict[int, int]:
        """Return, for each turn whose work is overwritten later, the turn that overwrites it."""
        decks = [read_deck(deck) for deck in self._chain]
        replaced_by = {}
        for number in range(1, len(decks)):
            rubric = self._task.at(number).rubric
            for later in range(number + 1, len(decks)):
                score = score_without_damage(rubric, decks[number - 1], decks[later])
                if score is not None and score < ALMOST_ONE:
                    replaced_by[number] = later
                    break
        return replaced_by

    def _fair(self, play: TurnPlay) -> float:
        count = len(play.work)
        completed: set[int] = set()
        earned = {}
        for turn, work in enumerate(play.work, 1):
            for number in work:
                completed.add(number)
                # If two turns change the same thing, the last one wins.
                completed -= {
                    a for pair in self._replaced_by.items() if number in pair for a in pair
                }
                completed.add(number)
            earned[turn] = float(turn in completed)
        persistent = [earned[turn] for turn in earned if self._task.at(turn).kept]
        return (sum(earned.values()) + sum(persistent) / len(persistent)) / (count + 1)


def _slide_ids(deck: bytes) -> list[int]:
    ids: list[int] = []
    edit_deck(deck, lambda open_deck: ids.extend(slide.slide_id for slide in open_deck.slides))
    return ids


def _in_order(ids: Sequence[int], edits: Sequence[Edit], deck: Any) -> None:
    """Apply edits that number slides as in another deck with the same slides.

    Deleted slides are restored as stand-ins so that positions match, and removed afterwards.
    """
    entries = deck.slides._sldIdLst
    original_ids = [entry.id for entry in entries]
    stand_ins = {id: deepcopy(entries[0]) for id in ids if id not in original_ids}
    for id, entry in stand_ins.items():
        entry.id = id
        entries.append(entry)
    _sort(entries, [*ids, *(id for id in original_ids if id not in ids)])
    sorted_ids = [entry.id for entry in entries]
    for edit in edits:
        edit(deck)
    after = [entry.id for entry in entries]
    for id, entry in stand_ins.items():
        if id in after:
            entries.remove(entry)
    remaining = [id for id in sorted_ids if id in after]
    if remaining == [id for id in after if id in sorted_ids]:  # nothing was moved
        new = [id for id in after if id not in sorted_ids]
        _sort(entries, [*(id for id in original_ids if id in after), *new])


def _sort(entries: Any, ids: Sequence[int]) -> None:
    positions = {id: position for position, id in enumerate(ids)}
    for entry in sorted(entries, key=lambda each: positions[each.id]):
        entries.remove(entry)
        entries.append(entry)
