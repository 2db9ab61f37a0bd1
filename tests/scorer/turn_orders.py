"""Multi-turn tasks played on files in other orders: the scores of early and late work.

The work of each turn is known as edits of the packaged deck. A play assigns the work of every turn
to one of the turns, and may damage the deck.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from tests.scorer.turn_damage import RENAMED, SPOILS, Ground, Spoil

from pptarena.envs.baseline import KnownBaseline
from pptarena.envs.grader import score_held
from pptarena.envs.grading import Grading
from pptarena.rewards import read_deck
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.tasks import Task
from pptarena.tasks.goals.editing import edited
from pptarena.tasks.goals.registry import goals_of_turns, turn_edits

__all__ = ["OrderResult", "TurnPlay", "play_task", "plays_of"]

Edit = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class TurnPlay:
    """One way to play a multi-turn task.

    Attributes:
        name: Short description.
        work: For each turn, the numbers (from 1) of the turns whose work is done in it.
        spoil: Damage done in the first turn, in addition to the work.
        repaired: Whether the damage is reverted in the last turn.
    """

    name: str
    work: tuple[tuple[int, ...], ...]
    spoil: Spoil | None = None
    repaired: bool = False

    @property
    def is_honest(self) -> bool:
        """Whether only work is done, so the play should score what its order deserves."""
        return self.spoil is None


@dataclass(frozen=True, slots=True)
class OrderResult:
    """The result of a play.

    Attributes:
        task: Task id.
        play: The play.
        score: Score of the episode.
        fair: The score deserved by the order: each turn counts if its work is done when it ends,
            and kept work counts once more.
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
    each = tuple((number,) for number in numbers)
    nothing: tuple[tuple[int, ...], ...] = ((),) * (count - 1)
    yield TurnPlay("each in its turn", each)
    yield TurnPlay("all in the first turn", (numbers, *nothing))
    yield TurnPlay("the second first", ((2,), (1,), *each[2:]))
    yield TurnPlay("all in the last turn", (*nothing, numbers))
    rng = Random(f"{task.id} {seed}")
    at = [rng.choice(numbers) for _ in numbers]
    drawn = tuple(tuple(n for n in numbers if at[n - 1] == turn) for turn in numbers)
    yield TurnPlay("drawn: " + " ".join(map(str, at)), drawn)
    for name, work in (("each in its turn", each), ("all in the first turn", (numbers, *nothing))):
        for spoil in (RENAMED, *SPOILS):
            yield TurnPlay(f"{name}; {spoil.name}", work, spoil)
            yield TurnPlay(f"{name}; {spoil.name}, taken back", work, spoil, repaired=True)


def play_task(task: Task, plays: Sequence[TurnPlay]) -> list[OrderResult]:
    """Return the results of plays of a task, skipping plays that its deck does not allow."""
    return list(_Player(task).results(plays))


class _Player:
    """Plays a task whose edits are known on the decks that other orders produce."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._chain = [task.deck_bytes(), *goals_of_turns(task)]
        self._grading = Grading(KnownBaseline(self._chain[0]))
        self._ids = [_slide_ids(deck) for deck in self._chain]
        self._ground = Ground(self._chain)
        self._with_works: dict[tuple[int, ...], bytes] = {(): self._chain[0]}
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
        done: tuple[int, ...] = ()
        found = []
        for turn, work in enumerate(play.work, 1):
            for number in work:
                done = (*done, number)
                if done not in self._with_works:
                    self._with_works[done] = self._with_work(done)
            deck = self._with_works[done]
            is_spoilt = play.spoil is not None and not (play.repaired and turn == len(play.work))
            left = play.spoil.apply(deck, self._ground) if play.spoil and is_spoilt else deck
            if left is None:
                return None
            found.append(left)
        return found

    def _with_work(self, done: tuple[int, ...]) -> bytes:
        deck, number = self._with_works[done[:-1]], done[-1]
        turn = self._task.at(number)
        edits = turn_edits(turn) if turn.feasible else ()
        return edited(deck, partial(_in_order, self._ids[number - 1], edits)) if edits else deck

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
        found = {}
        for number in range(1, len(decks)):
            rubric = self._task.at(number).rubric
            for later in range(number + 1, len(decks)):
                held = score_held(rubric, decks[number - 1], decks[later])
                if held is not None and held < ALMOST_ONE:
                    found[number] = later
                    break
        return found

    def _fair(self, play: TurnPlay) -> float:
        count = len(play.work)
        done: set[int] = set()
        paid = {}
        for turn, work in enumerate(play.work, 1):
            for number in work:
                done.add(number)
                # If two turns change the same thing, the last one wins.
                done -= {a for pair in self._replaced_by.items() if number in pair for a in pair}
                done.add(number)
            paid[turn] = float(turn in done)
        kept = [paid[turn] for turn in paid if self._task.at(turn).kept]
        return (sum(paid.values()) + sum(kept) / len(kept)) / (count + 1)


def _slide_ids(deck: bytes) -> list[int]:
    found: list[int] = []
    edited(deck, lambda opened: found.extend(slide.slide_id for slide in opened.slides))
    return found


def _in_order(ids: Sequence[int], edits: Sequence[Edit], deck: Any) -> None:
    """Apply edits that number slides as in another deck with the same slides.

    Deleted slides are restored as stand-ins so that positions match, and removed afterwards.
    """
    entries = deck.slides._sldIdLst
    before = [entry.id for entry in entries]
    stand_ins = {id: deepcopy(entries[0]) for id in ids if id not in before}
    for id, entry in stand_ins.items():
        entry.id = id
        entries.append(entry)
    _sort(entries, [*ids, *(id for id in before if id not in ids)])
    arranged = [entry.id for entry in entries]
    for edit in edits:
        edit(deck)
    after = [entry.id for entry in entries]
    for id, entry in stand_ins.items():
        if id in after:
            entries.remove(entry)
    left = [id for id in arranged if id in after]
    if left == [id for id in after if id in arranged]:  # nothing was moved
        new = [id for id in after if id not in arranged]
        _sort(entries, [*(id for id in before if id in after), *new])


def _sort(entries: Any, ids: Sequence[int]) -> None:
    at = {id: place for place, id in enumerate(ids)}
    for entry in sorted(entries, key=lambda each: at[each.id]):
        entries.remove(entry)
        entries.append(entry)
