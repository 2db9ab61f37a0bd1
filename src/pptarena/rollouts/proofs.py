"""Proofs of a task from its recorded episodes.

Six proofs are derived from three types of episodes (no work, the demonstration, its replays):

- ``no work``: an episode of only ``done`` scores 0, and so does the deck saved again.
- ``demonstration``: the demonstration, or without one the task's macros, ends by itself within the
  step budget with score 1. A task without either gets a warning.
- ``curve``: the score stays in [0, 1] along the demonstration. A drop of more than `FALL_TOLERANCE`
  below the highest earlier score is a warning: the solution may contain a detour that a dense
  reward punishes, but the end is right.
- ``replay``: the recorded actions, aimed at pixels, always end with the same score.
- ``same twice``: reading and scoring the demonstration's decks twice gives the same tree and, for
  tasks of one turn, the score of the episode.
- ``blind to saving``: the unedited deck shows no change after saving, nor after loading and saving.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pptarena.decks.package.files import read_bytes
from pptarena.envs.image_office import save_in_image
from pptarena.envs.machines.registry import machine_class
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.errors import DeckError, MachineError
from pptarena.rewards import Deck, ScoredNode, diff_decks, read_deck
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.replay import SAME_SCORE, Replay
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task
from pptarena.tasks.scorer import Scorer, Services
from pptarena.tasks.solution_macros import has_macros

__all__ = ["FALL_TOLERANCE", "PROOFS", "Proof", "prove"]

PROOFS = ("no work", "demonstration", "curve", "replay", "same twice", "blind to saving")
"""The names of the proofs, in order."""

FALL_TOLERANCE = 0.05
"""Largest drop of the score that is ignored: a side effect that a later action reverts."""

_SHOWN_CHANGES = 3
_FILES = ("original.pptx", "final.pptx")


@dataclass(frozen=True, slots=True)
class Proof:
    """One proof of a task.

    Attributes:
        name: One of `PROOFS`.
        status: ``"pass"``, ``"warn"`` or ``"fail"``.
        value: The result in a few characters; ``"-"`` if there is none.
        reason: Why the proof did not pass; ``""`` if it did.
    """

    name: str
    status: str
    value: str
    reason: str = ""


def prove(
    task: Task, idle: StoredEpisode, shown: StoredEpisode, replays: Sequence[Replay | str]
) -> tuple[Proof, ...]:
    """Return the proofs of a task, in the order of `PROOFS`.

    Args:
        task: The task.
        idle: An episode without any edit.
        shown: An episode of the demonstration.
        replays: Comparison of each replay with the demonstration; a string explains why there is
            none.
    """
    judges: tuple[Callable[[], tuple[str, str]], ...] = (
        lambda: _no_work(task, idle),
        lambda: _demonstration(task, shown),
        lambda: _curve(shown),
        lambda: _replays(replays),
        lambda: _same_twice(task, shown),
        lambda: _blind(idle, shown),
    )
    return tuple(_prove(name, judge) for name, judge in zip(PROOFS, judges, strict=True))


def _prove(name: str, judge: Callable[[], tuple[str, str]]) -> Proof:
    """Return the proof for the value and failure reason returned by `judge`."""
    try:
        value, reason = judge()
    except _Doubt as doubt:
        return Proof(name, "warn", doubt.value, str(doubt))
    except (DeckError, MachineError) as error:
        return Proof(name, "fail", "-", str(error))
    return Proof(name, "fail" if reason else "pass", value, reason)


class _Doubt(Exception):
    """Raised for a result that is a warning, not a failure."""

    def __init__(self, value: str, reason: str) -> None:
        super().__init__(reason)
        self.value = value


def _no_work(task: Task, idle: StoredEpisode) -> tuple[str, str]:
    _require_whole(idle)
    found = [("the episode", idle.meta.score)]
    if task.feasible:  # infeasible tasks are not scored by their rubric
        again = _scored(task, idle)
        found.append(("the deck saved again", again.score))
    for what, value in found:
        if value is None or value > SAME_SCORE:
            return _shown(value), f"{what} scores {_shown(value)} instead of 0"
    return _shown(idle.meta.score), ""


def _demonstration(task: Task, shown: StoredEpisode) -> tuple[str, str]:
    meta = shown.meta
    _require_whole(shown)
    if not task.demonstration and not has_macros(task):
        shown_so_far = "its gold deck shows the goal, " if task.gold is not None else ""
        reason = f"{shown_so_far}no solution shows that an agent can reach the target"
        raise _Doubt("none", f"the task has no demonstration: {reason}")
    if meta.agent_error is not None:
        return _shown(meta.score), meta.agent_error
    if meta.end == "budget":
        return _shown(meta.score), f"it does not end within {meta.max_steps} steps"
    if meta.score is None or meta.score < 1 - SAME_SCORE:
        why = "" if task.turns or not task.feasible else f": {_scored(task, shown).reason}"
        return _shown(meta.score), f"it ends at {_shown(meta.score)} instead of 1{why}"
    return f"{_shown(meta.score)} in {meta.steps}", ""


def _curve(shown: StoredEpisode) -> tuple[str, str]:
    _require_whole(shown)
    judged = [(step, step.score) for step in read_steps(shown.folder) if step.score is not None]
    levels = [_shown(value) for _, value in judged]
    value = " ".join(level for level, _ in groupby(levels)) or "-"
    highest, fall, doubt = 0.0, FALL_TOLERANCE, ""
    for step, now in judged:
        action = f"action {step.step + 1} ({step.action.kind})"
        if not 0 <= now <= 1:
            return value, f"{action} scores {now}, which is not in [0, 1]"
        if highest - now > fall:
            fall = highest - now
            doubt = f"the score falls from {_shown(highest)} to {_shown(now)} at {action}"
        highest = max(highest, now)
    if doubt:
        raise _Doubt(value, doubt)
    return value, "" if judged else "no action was scored"


def _replays(replays: Sequence[Replay | str]) -> tuple[str, str]:
    reasons = []
    for number, replay in enumerate(replays, 1):
        if isinstance(replay, str):
            reasons.append(f"replay {number}: {replay}")
        elif not replay.same_score:
            what = f"{_shown(replay.score)} instead of {_shown(replay.recorded_score)}"
            reasons.append(f"replay {number} ends at {what}{_first_difference(replay)}")
    same = len(replays) - len(reasons)
    return f"{same} of {len(replays)}", "; ".join(reasons)


def _first_difference(replay: Replay) -> str:
    first = replay.first_score_difference
    return "" if first is None else f", first different after action {first + 1}"


def _same_twice(task: Task, shown: StoredEpisode) -> tuple[str, str]:
    if not task.feasible:
        return "no rubric", ""
    # Read the decks again each time: reading must be repeatable too.
    one, two = (_scored(task, shown) for _ in range(2))
    if one != two:
        return "differs", f"first {_shown(one.score)}, then {_shown(two.score)}, or other reasons"
    if one.score is None or shown.meta.score is None:
        return "-", "the decks of the demonstration could not be judged"
    if task.turns:  # the episode's score is the mean over the turns' own decks
        return "same", ""
    if abs(one.score - shown.meta.score) > SAME_SCORE:
        found = f"{_shown(one.score)}, the episode {_shown(shown.meta.score)}"
        return "differs", f"the stored decks of the demonstration score {found}"
    return "same", ""


def _blind(idle: StoredEpisode, shown: StoredEpisode) -> tuple[str, str]:
    original, again = _decks(idle)
    reloaded, _ = _decks(shown)
    for what, deck in (("saving again", again), ("loading and saving again", reloaded)):
        if changes := diff_decks(original, deck):
            texts = "; ".join(change.text for change in changes[:_SHOWN_CHANGES])
            return f"{len(changes)} changes", f"{what} changes the deck: {texts}"
    return "no change", ""


def _scored(task: Task, episode: StoredEpisode) -> ScoredNode:
    _require_whole(episode)
    original, final = (read_bytes(episode.folder / name) for name in _FILES)
    saved = machine_class(episode.meta.machine).runs_office
    services = Services(save=save_in_image if saved else None, programs=PythonLeaves)
    return Scorer(task, services, original=original).score(final)


def _decks(episode: StoredEpisode) -> tuple[Deck, Deck]:
    _require_whole(episode)
    original, final = (read_deck(episode.folder / name) for name in _FILES)
    return original, final


def _require_whole(episode: StoredEpisode) -> None:
    if episode.meta.infra_error is not None:
        raise MachineError(f"the machine failed: {episode.meta.infra_error}")


def _shown(value: float | None) -> str:
    return "not judged" if value is None else f"{value:.2f}"
