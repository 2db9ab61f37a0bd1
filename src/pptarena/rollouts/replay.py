"""Repeat the stored actions of an episode and compare the results."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from pptarena import tasks
from pptarena.errors import ActionError, MachineLostError, StoreError
from pptarena.rollouts.aim import without_element
from pptarena.rollouts.episode import IMPORTED, EpisodeMeta, StepRecord
from pptarena.rollouts.episode_files import FINAL_PICTURE, FINAL_TREE, read_pixels, read_tree
from pptarena.rollouts.store import read_meta, read_steps
from pptarena.tasks import Task

__all__ = ["SAME_SCORE", "Replay", "read_replayable", "replay_episode", "tree_similarity"]

SAME_SCORE = 1e-9
"""Scores with a smaller difference are equal, as floats may be summed in another order."""


@dataclass(frozen=True)
class Replay:
    """The comparison of a replay with the record.

    Attributes:
        recorded_score: Final score of the record.
        score: Final score of the replay.
        tree_similarity: Similarity of the accessibility trees for every step and after the last, in
            [0, 1].
        same_trees: Whether these trees are equal in every respect, including positions and states.
        pixel_difference: Share of pixels that differ on these screens, in [0, 1].
        first_score_difference: First step after which the scores differ, from 0; None if none.
        first_tree_difference: First step before which the trees differ, from 0; None if none.
        first_pixel_difference: First step before which the pixels differ, from 0; None if none.
    """

    recorded_score: float
    score: float
    tree_similarity: tuple[float, ...]
    same_trees: tuple[bool, ...]
    pixel_difference: tuple[float, ...]
    first_score_difference: int | None
    first_tree_difference: int | None
    first_pixel_difference: int | None

    @property
    def same_score(self) -> bool:
        """Whether the final scores are equal."""
        return abs(self.recorded_score - self.score) < SAME_SCORE

    @property
    def identical(self) -> bool:
        """Whether every score, tree node and pixel is equal at every step."""
        return not self.first_difference

    @property
    def first_difference(self) -> str:
        """The first difference and its parts, such as ``"step 3: tree, pixels"``; or ``""``."""
        firsts = {
            "score": self.first_score_difference,
            "tree": self.first_tree_difference,
            "pixels": self.first_pixel_difference,
        }
        steps = [step for step in firsts.values() if step is not None]
        if not steps:
            return ""
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


def read_replayable(folder: Path) -> tuple[EpisodeMeta, tuple[StepRecord, ...]]:
    """Return the metadata and the actions of an episode that can be replayed.

    Raises:
        StoreError: If the folder has no episode, or the episode has no score or actions.
    """
    meta = read_meta(folder)
    if meta.score is None:
        reason = meta.infra_error or "the final deck is unscored"
        raise StoreError(f"{folder}: no score to compare with: {reason}")
    if meta.machine == IMPORTED:
        raise StoreError(f"{folder}: an imported result has no actions to repeat")
    return meta, read_steps(folder)


def replay_episode(
    env: gym.Env[Any, Any],
    folder: Path,
    find_task: Callable[[str], Task] | None = None,
    on_step: Callable[[StepRecord], None] = lambda step: None,
) -> Replay:
    """Repeat the actions of an episode, with elements replaced by their recorded pixels.

    Args:
        env: A pptarena environment with the screen size and the step budget of the record.
        folder: Folder of the episode.
        find_task: Returns the task with an id; None reads it from the path in the record.
        on_step: Called after every step.

    Raises:
        StoreError: If the episode cannot be read, or the environment ends it earlier.
        UnknownTaskError: If the task no longer exists.
        MachineError: If the machine fails.
    """
    meta, steps = read_replayable(folder)
    if find_task is None:
        task = tasks.find_task(meta.task, meta.task_place)
    else:
        task = find_task(meta.task)
    options = {"task": task, "wording": meta.wording}
    observation, info = env.reset(seed=meta.seed, options=options)
    comparisons: list[_StepComparison] = []
    scores, is_over = [float(info["score"])], False
    for step in steps:
        if is_over:
            raise StoreError(f"{folder}: the episode ended before action {step.step}")
        recorded = read_tree(folder, step.a11y_file), read_pixels(folder, step.screenshot_file)
        comparisons.append(_compare_step(recorded, info["a11y"], observation["screenshot"]))
        action: Any = without_element(step.action, step.aim, meta.screen)
        if step.is_refused_by_helper:
            action = ActionError(step.action_error or "")
        observation, _, terminated, truncated, info = env.step(action)
        if info["infra_error"]:
            raise MachineLostError(f"{folder}: action {step.step}: {info['infra_error']}")
        scores.append(float(info["score"]))
        is_over = terminated or truncated
        on_step(step)
    recorded = read_tree(folder, FINAL_TREE), read_pixels(folder, FINAL_PICTURE)
    comparisons.append(_compare_step(recorded, info["a11y"], observation["screenshot"]))
    return _build_replay(meta, steps, scores, comparisons)


class _StepComparison(NamedTuple):
    """The comparison of one step with its replay."""

    tree_similarity: float
    same_tree: bool
    pixel_difference: float


def _compare_step(
    recorded: tuple[Mapping[str, Any], NDArray[np.uint8]],
    tree: Mapping[str, Any],
    screenshot: NDArray[np.uint8],
) -> _StepComparison:
    recorded_tree, recorded_pixels = recorded
    return _StepComparison(
        round(tree_similarity(recorded_tree, tree), 4),
        recorded_tree["nodes"] == tree["nodes"],
        round(_pixel_difference(recorded_pixels, screenshot), 9),
    )


def _build_replay(
    meta: EpisodeMeta,
    steps: Sequence[StepRecord],
    scores: Sequence[float],
    comparisons: Sequence[_StepComparison],
) -> Replay:
    assert meta.score is not None
    return Replay(
        recorded_score=meta.score,
        score=scores[-1],
        tree_similarity=tuple(each.tree_similarity for each in comparisons),
        same_trees=tuple(each.same_tree for each in comparisons),
        pixel_difference=tuple(each.pixel_difference for each in comparisons),
        first_score_difference=_first_true(
            step.score is not None and abs(step.score - score) >= SAME_SCORE
            for step, score in zip(steps, scores[1:], strict=True)
        ),
        first_tree_difference=_first_true(not each.same_tree for each in comparisons),
        first_pixel_difference=_first_true(each.pixel_difference > 0.0 for each in comparisons),
    )


def tree_similarity(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    """Return the similarity of two accessibility trees, in [0, 1].

    It is the share of nodes (Dice coefficient) with a partner of the same role, name, text and
    depth in the other tree. Positions and states are ignored, because caret and pointer change
    them.
    """
    counts = [Counter(_features(tree)) for tree in (first, second)]
    total = sum(count.total() for count in counts)
    return 2 * (counts[0] & counts[1]).total() / total if total else 1.0


def _features(tree: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    depths: dict[int, int] = {}
    features = []
    for node in tree["nodes"]:
        depths[node["index"]] = depth = depths.get(node["parent"], -1) + 1
        features.append((node["role"], node["name"], node["text"], depth))
    return features


def _pixel_difference(recorded: NDArray[np.uint8], screenshot: NDArray[np.uint8]) -> float:
    """Return the share of pixels that differ from a stored screen; 1 if the sizes differ."""
    if recorded.shape != screenshot.shape:
        return 1.0
    return float((recorded != screenshot).any(-1).mean())


def _first_true(flags: Iterable[bool]) -> int | None:
    return next((number for number, flag in enumerate(flags) if flag), None)
