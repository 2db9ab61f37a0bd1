"""Prove on a machine that a task holds together: its scores, its demonstration, its deck.

Six proofs per task, from three kinds of runs (no work, the demonstration, its replays):

- ``no work``: an episode of nothing but ``done`` scores 0, and so does the deck saved again.
- ``demonstration``: it ends by itself, within the budget, at 1.
- ``curve``: the score stays in [0, 1] along the demonstration. A fall of more than `FALL_TOLERANCE`
  below the highest score before is a warning: the way to a goal may lead through a detour that a
  dense reward punishes, but the end is right.
- ``replay``: the recorded actions, aimed at pixels, end at the same score every time.
- ``same twice``: the decks of the demonstration, read and scored twice, give the same tree, and the
  score of the episode.
- ``blind to saving``: saved again, and loaded and saved again, the unedited deck shows no change.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium as gym

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import DeckError, MachineError, StoreError, TaskError
from pptarena.rewards import Deck, diff_decks, read_deck, score
from pptarena.rollouts.agent import Agent
from pptarena.rollouts.episode import StepRecord, StoredEpisode
from pptarena.rollouts.play import play
from pptarena.rollouts.replay import SAME_SCORE, Replay, replay_episode
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task

__all__ = ["FALL_TOLERANCE", "PROOFS", "Proof", "TaskCheck", "check_task", "runs_per_task"]

PROOFS = ("no work", "demonstration", "curve", "replay", "same twice", "blind to saving")
"""The proofs by name, in this order."""

FALL_TOLERANCE = 0.05
"""A fall of the score by this much is none: a side effect that a later action takes back."""

_SHOWN_CHANGES = 3
_SEED = 0


@dataclass(frozen=True, slots=True)
class Proof:
    """One proof of a task.

    Attributes:
        name: One of `PROOFS`.
        status: ``"pass"``, ``"warn"`` or ``"fail"``.
        value: What was found, in a few characters; ``"-"`` if nothing could be.
        reason: Why it did not pass, ``""`` if it did.
    """

    name: str
    status: str
    value: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """All proofs of one task.

    Attributes:
        task: Its id.
        curve: The score after every action of the demonstration; None where it was not judged.
        replays: How every replay compares with the record; a text says why there is none.
        proofs: In the order of `PROOFS`; only the first when the deck cannot be opened.
    """

    task: str
    curve: tuple[float | None, ...]
    replays: tuple[Replay | str, ...]
    proofs: tuple[Proof, ...]

    @property
    def ok(self) -> bool:
        """Whether no proof failed; warnings do not count."""
        return all(proof.status != "fail" for proof in self.proofs)

    def to_json(self) -> dict[str, Any]:
        """Return the check as a JSON object."""
        return {
            "task": self.task,
            "ok": self.ok,
            "curve": list(self.curve),
            "replays": [
                {"error": replay} if isinstance(replay, str) else replay.to_json()
                for replay in self.replays
            ],
            "proofs": [asdict(proof) for proof in self.proofs],
        }


def runs_per_task(times: int) -> int:
    """Return how many episodes `check_task` plays with so many replays."""
    return 2 + times


def check_task(
    env: gym.Env[Any, Any],
    task: Task,
    demonstrator: Agent,
    times: int = 1,
    on_run: Callable[[str], None] = lambda run: None,
) -> TaskCheck:
    """Check one task; nothing is kept on the disk.

    A failure of the machine is not retried: it fails the proof it happens in.

    Args:
        env: A pptarena environment in which tasks have their own step budget.
        task: What is checked.
        demonstrator: The agent that plays the task's demonstration.
        times: How many replays there are, 1 or more.
        on_run: Called with its name before each of `runs_per_task` episodes.

    Raises:
        HostError: If the machine can never come up on this computer.
        ImageError: If the machine image is missing or broken.
        StoreError: If the episodes cannot be written to the temporary folder.
    """
    with TemporaryDirectory(prefix="pptarena-check-") as folder:
        record = partial(_record, env, task, Path(folder))
        try:
            on_run("no work")
            idle = record(_Idle(), "idle")
            on_run("demonstration")
            shown = record(demonstrator, "demonstration")
        except (DeckError, TaskError) as error:
            return TaskCheck(task.id, (), (), (Proof(PROOFS[0], "fail", "-", str(error)),))
        steps = read_steps(shown.folder)
        replays = _replay(env, task, shown, times, on_run)
        proofs = (
            _prove("no work", lambda: _no_work(task, idle)),
            _prove("demonstration", lambda: _demonstration(shown)),
            _prove("curve", lambda: _curve(shown, steps)),
            _prove("replay", lambda: _replays(replays, times)),
            _prove("same twice", lambda: _same_twice(task, shown)),
            _prove("blind to saving", lambda: _blind(idle, shown)),
        )
    return TaskCheck(task.id, tuple(step.score for step in steps), replays, proofs)


class _Idle:
    """Does nothing but end the episode."""

    def reset(self, info: object, seed: int) -> None:
        """Need nothing."""

    def act(self, observation: object, info: object) -> Action:
        """End the episode."""
        return actions.done()


def _record(
    env: gym.Env[Any, Any], task: Task, root: Path, agent: Agent, name: str
) -> StoredEpisode:
    places = root / name, root / f"{name}.failed"
    return play(
        env,
        agent,
        agent_name=name,
        task=task,
        seed=_SEED,
        place=places[0],
        failed_place=places[1],
    )


def _replay(
    env: gym.Env[Any, Any],
    task: Task,
    episode: StoredEpisode,
    times: int,
    on_run: Callable[[str], None],
) -> tuple[Replay | str, ...]:
    if episode.meta.score is None:
        return ("the demonstration has no score to compare with",)
    replays: list[Replay | str] = []
    for number in range(1, times + 1):
        on_run(f"replay {number} of {times}")
        try:
            replays.append(replay_episode(env, episode.folder, lambda _: task))
        except (MachineError, StoreError) as error:
            replays.append(f"{type(error).__name__}: {error}")
    return tuple(replays)


def _prove(name: str, judge: Callable[[], tuple[str, str]]) -> Proof:
    """Return the proof for what `judge` finds: a value, and a reason if it is wrong."""
    try:
        value, reason = judge()
    except _Doubt as doubt:
        return Proof(name, "warn", doubt.value, str(doubt))
    except (DeckError, MachineError) as error:
        return Proof(name, "fail", "-", str(error))
    return Proof(name, "fail" if reason else "pass", value, reason)


class _Doubt(Exception):
    """What was found is no failure, but worth a look."""

    def __init__(self, value: str, reason: str) -> None:
        super().__init__(reason)
        self.value = value


def _no_work(task: Task, idle: StoredEpisode) -> tuple[str, str]:
    original, final = _decks(idle)
    found = [("the episode", idle.meta.score)]
    if task.feasible:  # the rubric of a task that cannot be done counts for nothing
        again = score(task.rubric, original, final, task.scope)
        found.append(("the deck saved again", again.score))
    for what, value in found:
        if value is None or value > SAME_SCORE:
            return _shown(value), f"{what} scores {_shown(value)} instead of 0"
    return _shown(idle.meta.score), ""


def _demonstration(shown: StoredEpisode) -> tuple[str, str]:
    meta = shown.meta
    _require_whole(shown)
    if meta.agent_error is not None:
        return _shown(meta.score), meta.agent_error
    if meta.end == "budget":
        return _shown(meta.score), f"it does not end within {meta.max_steps} steps"
    if meta.score is None or meta.score < 1 - SAME_SCORE:
        return _shown(meta.score), f"it ends at {_shown(meta.score)} instead of 1"
    return f"{_shown(meta.score)} in {meta.steps}", ""


def _curve(shown: StoredEpisode, steps: Sequence[StepRecord]) -> tuple[str, str]:
    _require_whole(shown)
    judged = [(step, step.score) for step in steps if step.score is not None]
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


def _replays(replays: Sequence[Replay | str], times: int) -> tuple[str, str]:
    reasons = []
    for number, replay in enumerate(replays, 1):
        if isinstance(replay, str):
            reasons.append(f"replay {number}: {replay}")
        elif not replay.same_score:
            what = f"{_shown(replay.score)} instead of {_shown(replay.recorded_score)}"
            reasons.append(f"replay {number} ends at {what}{_first_difference(replay)}")
    same = len(replays) - len(reasons)
    return f"{same} of {times}", "; ".join(reasons)


def _first_difference(replay: Replay) -> str:
    first = replay.first_score_difference
    return "" if first is None else f", first different after action {first + 1}"


def _same_twice(task: Task, shown: StoredEpisode) -> tuple[str, str]:
    if not task.feasible:
        return "no rubric", ""
    # Read afresh each time: reading is part of what must be repeatable.
    one, two = (score(task.rubric, *_decks(shown), task.scope) for _ in range(2))
    if one != two:
        return "differs", f"first {_shown(one.score)}, then {_shown(two.score)}, or other reasons"
    if one.score is None or shown.meta.score is None:
        return "-", "the decks of the demonstration could not be judged"
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


def _decks(episode: StoredEpisode) -> tuple[Deck, Deck]:
    _require_whole(episode)
    original, final = (read_deck(episode.folder / name) for name in ("original.pptx", "final.pptx"))
    return original, final


def _require_whole(episode: StoredEpisode) -> None:
    if episode.meta.infra_error is not None:
        raise MachineError(f"the machine failed: {episode.meta.infra_error}")


def _shown(value: float | None) -> str:
    return "not judged" if value is None else f"{value:.2f}"
