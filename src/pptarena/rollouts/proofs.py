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
"""Largest ignored drop of the score: side effects that a later action reverts."""

_MAX_CHANGES = 3
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
    task: Task, idle: StoredEpisode, demo: StoredEpisode, replays: Sequence[Replay | str]
) -> tuple[Proof, ...]:
    """Return the proofs of a task, in the order of `PROOFS`.

    Args:
        task: The task.
        idle: An episode without any edit.
        demo: An episode of the demonstration.
        replays: Comparison of each replay with the demonstration; a string explains why there is
            none.
    """
    checks: tuple[Callable[[], tuple[str, str]], ...] = (
        lambda: _no_work(task, idle),
        lambda: _demonstration(task, demo),
        lambda: _curve(demo),
        lambda: _replays(replays),
        lambda: _same_twice(task, demo),
        lambda: _blind_to_saving(idle, demo),
    )
    return tuple(_prove(name, check) for name, check in zip(PROOFS, checks, strict=True))


def _prove(name: str, check: Callable[[], tuple[str, str]]) -> Proof:
    """Return the proof for the value and failure reason returned by `check`."""
    try:
        value, reason = check()
    except _ProofWarning as doubt:
        return Proof(name, "warn", doubt.value, str(doubt))
    except (DeckError, MachineError) as error:
        return Proof(name, "fail", "-", str(error))
    return Proof(name, "fail" if reason else "pass", value, reason)


class _ProofWarning(Exception):
    """Raised for a result that is a warning, not a failure."""

    def __init__(self, value: str, reason: str) -> None:
        super().__init__(reason)
        self.value = value


def _no_work(task: Task, idle: StoredEpisode) -> tuple[str, str]:
    _require_no_failure(idle)
    scores = [("the episode", idle.meta.score)]
    if task.feasible:  # infeasible tasks are not scored by their rubric
        rescored = _score_episode(task, idle)
        scores.append(("the deck saved again", rescored.score))
    for subject, value in scores:
        if value is None or value > SAME_SCORE:
            return _score_text(value), f"{subject} scores {_score_text(value)} instead of 0"
    return _score_text(idle.meta.score), ""


def _demonstration(task: Task, demo: StoredEpisode) -> tuple[str, str]:
    meta = demo.meta
    _require_no_failure(demo)
    if not task.demonstration and not has_macros(task):
        context = "its gold deck shows the target, " if task.gold is not None else ""
        reason = f"{context}no solution shows that an agent can reach the target"
        raise _ProofWarning("none", f"the task has no demonstration: {reason}")
    if meta.agent_error is not None:
        return _score_text(meta.score), meta.agent_error
    if meta.end == "budget":
        return _score_text(meta.score), f"not finished within {meta.max_steps} steps"
    if meta.score is None or meta.score < 1 - SAME_SCORE:
        detail = "" if task.turns or not task.feasible else f": {_score_episode(task, demo).reason}"
        return _score_text(meta.score), f"it ends at {_score_text(meta.score)} instead of 1{detail}"
    return f"{_score_text(meta.score)} in {meta.steps}", ""


def _curve(demo: StoredEpisode) -> tuple[str, str]:
    _require_no_failure(demo)
    scored = [(step, step.score) for step in read_steps(demo.folder) if step.score is not None]
    levels = [_score_text(value) for _, value in scored]
    value = " ".join(level for level, _ in groupby(levels)) or "-"
    highest, max_drop, warning = 0.0, FALL_TOLERANCE, ""
    for step, score in scored:
        action = f"action {step.step + 1} ({step.action.kind})"
        if not 0 <= score <= 1:
            return value, f"{action} scores {score}, which is not in [0, 1]"
        if highest - score > max_drop:
            max_drop = highest - score
            warning = (
                f"the score falls from {_score_text(highest)} to {_score_text(score)} at {action}"
            )
        highest = max(highest, score)
    if warning:
        raise _ProofWarning(value, warning)
    return value, "" if scored else "no action was scored"


def _replays(replays: Sequence[Replay | str]) -> tuple[str, str]:
    reasons = []
    for number, replay in enumerate(replays, 1):
        if isinstance(replay, str):
            reasons.append(f"replay {number}: {replay}")
        elif not replay.same_score:
            scores = f"{_score_text(replay.score)} instead of {_score_text(replay.recorded_score)}"
            reasons.append(f"replay {number} ends at {scores}{_first_difference(replay)}")
    same = len(replays) - len(reasons)
    return f"{same} of {len(replays)}", "; ".join(reasons)


def _first_difference(replay: Replay) -> str:
    first = replay.first_score_difference
    return "" if first is None else f", first different after action {first + 1}"


def _same_twice(task: Task, demo: StoredEpisode) -> tuple[str, str]:
    if not task.feasible:
        return "no rubric", ""
    # Read the decks again each time: reading must be repeatable too.
    first, second = (_score_episode(task, demo) for _ in range(2))
    if first != second:
        return (
            "differs",
            f"first {_score_text(first.score)}, then {_score_text(second.score)}, or other reasons",
        )
    if first.score is None or demo.meta.score is None:
        return "-", "the decks of the demonstration could not be scored"
    if task.turns:  # the episode's score is the mean over the turns' own decks
        return "same", ""
    if abs(first.score - demo.meta.score) > SAME_SCORE:
        scores = f"{_score_text(first.score)}, the episode {_score_text(demo.meta.score)}"
        return "differs", f"the stored decks of the demonstration score {scores}"
    return "same", ""


def _blind_to_saving(idle: StoredEpisode, demo: StoredEpisode) -> tuple[str, str]:
    original, resaved = _decks(idle)
    reloaded, _ = _decks(demo)
    for operation, deck in (("saving again", resaved), ("loading and saving again", reloaded)):
        if changes := diff_decks(original, deck):
            texts = "; ".join(change.text for change in changes[:_MAX_CHANGES])
            return f"{len(changes)} changes", f"{operation} changes the deck: {texts}"
    return "no change", ""


def _score_episode(task: Task, episode: StoredEpisode) -> ScoredNode:
    _require_no_failure(episode)
    original, final = (read_bytes(episode.folder / name) for name in _FILES)
    has_office = machine_class(episode.meta.machine).runs_office
    services = Services(save=save_in_image if has_office else None, programs=PythonLeaves)
    return Scorer(task, services, original=original).score(final)


def _decks(episode: StoredEpisode) -> tuple[Deck, Deck]:
    _require_no_failure(episode)
    original, final = (read_deck(episode.folder / name) for name in _FILES)
    return original, final


def _require_no_failure(episode: StoredEpisode) -> None:
    if episode.meta.infra_error is not None:
        raise MachineError(f"the machine failed: {episode.meta.infra_error}")


def _score_text(value: float | None) -> str:
    return "unscored" if value is None else f"{value:.2f}"
