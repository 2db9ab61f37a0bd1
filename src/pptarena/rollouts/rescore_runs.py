"""Score all episodes of runs again, several times, and measure how much the scores vary."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, median, pvariance
from typing import Any

from pptarena.errors import PPTArenaError
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.report.figures import FigureRow, figure_rows
from pptarena.rollouts.report.intervals import SEED, Estimate
from pptarena.rollouts.rescore import Rescoring, rescore_episode
from pptarena.tasks import Task, find_task

__all__ = ["EpisodeScores", "RescoredRow", "rescore_episodes", "rescored_rows"]

_VARYING_CHECKS = ("judge", "visual_judge", "edit_judge", "python")


@dataclass(frozen=True, slots=True)
class EpisodeScores:
    """The new scores of one episode.

    Attributes:
        episode: The episode.
        scores: One score in [0, 1] per repetition; empty if it is unscored.
        judged: Whether the score can vary, because a model or a program contributes to it.
        reason: The reason for the last score, or why the episode is unscored.
    """

    episode: StoredEpisode
    scores: tuple[float, ...]
    judged: bool
    reason: str

    @property
    def score(self) -> float | None:
        """The mean of the scores; None if it is unscored."""
        return fmean(self.scores) if self.scores else None

    @property
    def variance(self) -> float:
        """The population variance of the scores; exactly 0 if they are equal."""
        return 0.0 if len(set(self.scores)) < 2 else pvariance(self.scores)

    @property
    def variation(self) -> float:
        """The coefficient of variation: standard deviation by mean; 0 if all scores are 0."""
        return self.variance**0.5 / self.score if self.score else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the scores as a JSON object."""
        meta = self.episode.meta
        return {
            "agent": meta.agent,
            "task": meta.task,
            "seed": meta.seed,
            "stored": meta.score,
            "score": self.score,
            "scores": list(self.scores),
            "judged": self.judged,
            "variance": self.variance,
            "coefficient_of_variation": self.variation,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RescoredRow:
    """The new scores of one agent on a group of tasks.

    Attributes:
        agent: Name of the agent.
        kind: ``"all"`` or ``"difficulty"``.
        value: The difficulty; empty for all.
        episodes: Number of episodes with a stored and a new score; the means include only these.
        stored: Mean of the stored scores.
        score, success: Mean of the new scores, and share of those that are 1.
        higher, lower: Number of episodes whose new score is higher, and lower.
        unscored: Number of episodes without a new score.
        judged: Number of episodes whose score can vary; the variances include only these.
        variance_mean, variance_median: Mean and median of the variances; None without any.
        variation_mean, variation_median: The same for the coefficients of variation.
    """

    agent: str
    kind: str
    value: str
    episodes: int
    stored: Estimate
    score: Estimate
    success: Estimate
    higher: int
    lower: int
    unscored: int
    judged: int
    variance_mean: float | None
    variance_median: float | None
    variation_mean: float | None
    variation_median: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return asdict(self)


def rescore_episodes(
    episodes: Iterable[StoredEpisode],
    settings: Rescoring,
    repeats: int = 1,
    find: Callable[[str, str], Task] = find_task,
) -> Iterator[EpisodeScores]:
    """Score episodes again, except those with an infrastructure failure.

    Args:
        episodes: The episodes.
        settings: How to score. For independent repetitions, the judge must not cache.
        repeats: How often episodes with varying scores are scored; others are scored once.
        find: Returns a task by its id and its path in the record.
    """
    for episode in episodes:
        meta = episode.meta
        if meta.infra_error is not None:
            continue
        scores: list[float] = []
        judged, reason = False, ""
        try:
            task = find(meta.task, meta.task_place)
            rubrics = (task.rubric, *(turn.rubric for turn in task.turns))
            judged = any(rubric.root.uses(name) for rubric in rubrics for name in _VARYING_CHECKS)
            for _ in range(repeats if judged else 1):
                tree = rescore_episode(episode.folder, meta, task, settings)
                reason = str(tree["reason"])
                if tree["score"] is None:
                    scores.clear()
                    break
                scores.append(float(tree["score"]))
        except PPTArenaError as error:
            scores.clear()
            reason = str(error).removeprefix(f"{episode.folder}/")
        yield EpisodeScores(episode, tuple(scores), judged, reason)


def rescored_rows(
    episode_scores: Sequence[EpisodeScores], seed: int = SEED
) -> tuple[RescoredRow, ...]:
    """Return for every agent the row of all its episodes, then one per difficulty.

    Args:
        episode_scores: The result of `rescore_episodes`.
        seed: Seed of the bootstrap intervals.
    """
    comparable = [
        each for each in episode_scores if each.scores and each.episode.meta.score is not None
    ]
    stored = figure_rows((each.episode.meta for each in comparable), seed)
    rescored = figure_rows(
        (replace(each.episode.meta, score=each.score) for each in comparable), seed
    )
    rows = [
        _row(old, new, episode_scores)
        for old, new in zip(stored, rescored, strict=True)
        if old.kind in ("all", "difficulty")
    ]
    return tuple(rows)


def _row(old: FigureRow, new: FigureRow, episode_scores: Sequence[EpisodeScores]) -> RescoredRow:
    group = [each for each in episode_scores if each.episode.meta.agent == old.agent]
    if old.kind == "difficulty":
        group = [each for each in group if each.episode.meta.difficulty == old.value]
    pairs = [
        (each.episode.meta.score, each.score)
        for each in group
        if each.episode.meta.score is not None and each.score is not None
    ]
    varying = [each for each in group if each.judged and each.scores]
    variances = [each.variance for each in varying]
    variations = [each.variation for each in varying]
    return RescoredRow(
        agent=old.agent,
        kind=old.kind,
        value=old.value,
        episodes=len(pairs),
        stored=old.score,
        score=new.score,
        success=new.success,
        higher=sum(after - before > 1e-9 for before, after in pairs),
        lower=sum(before - after > 1e-9 for before, after in pairs),
        unscored=sum(not each.scores for each in group),
        judged=len(varying),
        variance_mean=fmean(variances) if variances else None,
        variance_median=median(variances) if variances else None,
        variation_mean=fmean(variations) if variations else None,
        variation_median=median(variations) if variations else None,
    )
