"""Repeat the stored calls of an episode on a document and compare the results."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena import tasks
from pptarena.decks.package.archive import Archive
from pptarena.envs.charset import sanitize
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.toolbox import ASK
from pptarena.errors import ActionError, DeckError, MachineLostError, StoreError
from pptarena.rollouts.episode import MAX_RESULT, StepRecord
from pptarena.rollouts.episode_files import read_deck_bytes
from pptarena.rollouts.replay import SAME_SCORE, read_replayable

__all__ = ["DocumentReplay", "replay_document"]


@dataclass(frozen=True)
class DocumentReplay:
    """The comparison of a replay on a document with the record.

    Attributes:
        recorded_score: Final score of the record.
        score: Final score of the replay.
        first_score_difference: First call after which the scores differ, from 0; None if none.
        first_result_difference: First call whose results differ, from 0; None if none. Answers to
            questions are not compared.
        same_deck: Whether the final decks have the same parts with the same content.
    """

    recorded_score: float
    score: float
    first_score_difference: int | None
    first_result_difference: int | None
    same_deck: bool

    @property
    def same_score(self) -> bool:
        """Whether the final scores are equal."""
        return abs(self.recorded_score - self.score) < SAME_SCORE

    @property
    def identical(self) -> bool:
        """Whether every score, every result and the final deck are equal."""
        return not self.first_difference

    @property
    def first_difference(self) -> str:
        """The first difference, such as ``"step 3: result"``; or ``""``."""
        firsts = {"score": self.first_score_difference, "result": self.first_result_difference}
        steps = [step for step in firsts.values() if step is not None]
        if not steps:
            return "" if self.same_deck else "end: deck"
        parts = [name for name, step in firsts.items() if step == min(steps)]
        return f"step {min(steps)}: {', '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        return {
            **dataclasses.asdict(self),
            "same_score": self.same_score,
            "identical": self.identical,
            "first_difference": self.first_difference,
        }


def replay_document(env: gym.Env[Any, Any], folder: Path) -> DocumentReplay:
    """Repeat the calls of an episode.

    Args:
        env: A document environment with the step budget and the tools of the record.
        folder: Folder of the episode.

    Raises:
        StoreError: If the episode cannot be read, or the environment ends it earlier.
        UnknownTaskError: If the task no longer exists.
        MachineError: If the infrastructure fails.
    """
    assert isinstance(env.unwrapped, PPTArenaDocEnv), "replay_episode is for other environments"
    meta, steps = read_replayable(folder)
    task = tasks.find_task(meta.task, meta.task_place)
    _, info = env.reset(seed=meta.seed, options={"task": task, "wording": meta.wording})
    first_score: int | None = None
    first_result: int | None = None
    is_over = False
    for step in steps:
        if is_over:
            raise StoreError(f"{folder}: the episode ended before call {step.step}")
        _, _, terminated, truncated, info = env.step(_env_input(step))
        if info["infra_error"]:
            raise MachineLostError(f"{folder}: call {step.step}: {info['infra_error']}")
        if step.score is not None and abs(step.score - info["score"]) >= SAME_SCORE:
            first_score = step.step if first_score is None else first_score
        if first_result is None and not _same_result(step, info):
            first_result = step.step
        is_over = terminated or truncated
    assert meta.score is not None, "read_replayable checks it"
    recorded = read_deck_bytes(folder, "final.pptx")
    parts = _parts(recorded)
    same_deck = parts is not None and parts == _parts(env.unwrapped.deck_bytes())
    return DocumentReplay(meta.score, float(info["score"]), first_score, first_result, same_deck)


def _env_input(step: StepRecord) -> ToolCall | ActionError:
    """Return the environment's input: the call, or the error of a refused call."""
    call = step.call or {}
    if step.action_error is not None or "tool" not in call:
        return ActionError(step.action_error or "")
    return ToolCall(call["tool"], call["arguments"])


def _same_result(step: StepRecord, info: dict[str, Any]) -> bool:
    call = step.call or {}
    if step.action_error is not None or call.get("tool") == ASK:
        return True
    return bool(call.get("result") == sanitize(info["result"], MAX_RESULT))


def _parts(deck: bytes) -> dict[str, bytes] | None:
    """Return the content of every part; None if the deck cannot be read."""
    try:
        archive = Archive(deck)
        return {name: archive.read(entry) for name, entry in archive.entries.items()}
    except DeckError:
        return None
