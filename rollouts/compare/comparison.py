"""Compare agents and runs on the tasks that all of them have a score for.

Differences are paired by task: the mean score of one contender on a task minus that of the other.
The interval comes from resampled tasks (`pptarena.rollouts.report.intervals`). A hard task is hard
for both, so this detects smaller differences than two separate intervals.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pptarena.errors import ConfigError
from pptarena.rollouts.compare.contenders import Contender
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.help_summary import HelpRow, help_rows
from pptarena.rollouts.model_costs import ModelCosts, model_costs
from pptarena.rollouts.play_document import DOCUMENT
from pptarena.rollouts.report.figures import FigureRow, difficulties, figure_rows
from pptarena.rollouts.report.intervals import SEED, Estimate, clustered_mean
from pptarena.rollouts.summary import SUCCESS_SCORE

__all__ = ["Comparison", "Difference", "Standing", "compare"]


@dataclass(frozen=True)
class Standing:
    """The results of one contender on the common tasks.

    Attributes:
        name: Name of the contender.
        run: Folder of its run.
        rows: Its figures: over all tasks first, then by difficulty and edit type.
        costs: Tokens, money and seconds of its model; None without a model.
        unscored: Its unscored episodes, including those of other tasks.
        infra_failed: Attempts with an infrastructure failure, including those of other tasks.
        missing: Tasks of others for which it has no scored episode.
        played_on: ``"screen"``, ``"document"``, or both.
    """

    name: str
    run: str
    rows: tuple[FigureRow, ...]
    costs: ModelCosts | None
    unscored: int
    infra_failed: int
    missing: tuple[str, ...]
    played_on: str = "screen"

    @property
    def total(self) -> FigureRow:
        """Its figures over all tasks."""
        return self.rows[0]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The difference between one contender and the first on a group of tasks.

    Attributes:
        name: Name of the contender.
        baseline: Name of the contender that is subtracted.
        kind: How the group is formed: ``"all"``, ``"difficulty"`` or ``"edit type"``.
        value: The difficulty or edit type; empty for all.
        tasks: Number of tasks.
        score, success: Mean differences over tasks, in [-1, 1].
        better, worse: Number of tasks on which its mean score is higher, and lower.
    """

    name: str
    baseline: str
    kind: str
    value: str
    tasks: int
    score: Estimate
    success: Estimate
    better: int
    worse: int


@dataclass(frozen=True)
class Comparison:
    """A comparison of contenders.

    Attributes:
        tasks: The tasks that all of them have a score for.
        standings: One per contender.
        differences: The difference of each other contender from the first.
        notes: Other differences, as text.
        seed: Seed of the bootstrap.
        help: The help that agents got from persons. Episodes with help are in no other figure,
            unless there are no others.
    """

    tasks: tuple[str, ...]
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    seed: int
    help: tuple[HelpRow, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        return dataclasses.asdict(self)


def compare(contenders: Sequence[Contender], seed: int = SEED) -> Comparison:
    """Compare agents and runs.

    Args:
        contenders: The result of `read_contenders`; the first is the baseline.
        seed: Seed of the bootstrap.

    Raises:
        ConfigError: If there is no task with a score of all of them.
        StoreError: If the record of a model is malformed.
    """
    metas = [episode.meta for each in contenders for episode in each.episodes]
    contenders = [each for each in contenders if not each.is_helped] or contenders
    everything = {task for each in contenders for task in each.scored}
    shared = {task for task in everything if all(task in each.scored for each in contenders)}
    others = {task for task in shared if len(_instructions(contenders, task)) > 1}
    common = shared - others
    if not common:
        counts = ", ".join(f"{each.name} {len(each.scored)}" for each in contenders)
        raise ConfigError(
            f"expected runs with scored episodes of the same tasks, got none in common ({counts})"
        )
    first = contenders[0]
    notes = list(_notes(contenders))
    if others:
        notes.append(f"left out, as their instructions differ: {', '.join(sorted(others))}")
    return Comparison(
        tuple(sorted(common)),
        tuple(_standing(each, common, everything, seed) for each in contenders),
        tuple(row for each in contenders[1:] for row in _differences(first, each, common, seed)),
        tuple(notes),
        seed,
        help_rows(metas),
    )


def _standing(contender: Contender, common: set[str], everything: set[str], seed: int) -> Standing:
    own = [episode for episode in contender.episodes if episode.meta.task in common]
    costs = model_costs(own)
    return Standing(
        contender.name,
        str(contender.run),
        figure_rows((replace(each.meta, agent=contender.name, help={}) for each in own), seed),
        replace(costs[0], agent=contender.name) if costs else None,
        contender.unscored,
        contender.infra_failed,
        tuple(sorted(everything - set(contender.scored))),
        ", ".join(sorted({_played_on(each.meta) for each in own})),
    )


def _played_on(meta: EpisodeMeta) -> str:
    return DOCUMENT if meta.machine == DOCUMENT else "screen"


def _differences(
    first: Contender, other: Contender, common: set[str], seed: int
) -> Iterator[Difference]:
    metas = {task: first.scored[task][0].meta for task in sorted(common)}
    groups = [("all", "", list(metas))]
    for value in difficulties(metas.values()):
        own = [task for task, meta in metas.items() if meta.difficulty == value]
        groups.append(("difficulty", value, own))
    for value in sorted({kind for meta in metas.values() for kind in meta.edit_types}):
        own = [task for task, meta in metas.items() if value in meta.edit_types]
        groups.append(("edit type", value, own))
    for kind, value, tasks in groups:
        pairs = [(_scores(other, task), _scores(first, task)) for task in tasks]
        scores = [_mean(mine) - _mean(its) for mine, its in pairs]
        solved = [_mean(map(_is_solved, mine)) - _mean(map(_is_solved, its)) for mine, its in pairs]
        yield Difference(
            name=other.name,
            baseline=first.name,
            kind=kind,
            value=value,
            tasks=len(tasks),
            score=clustered_mean(scores, tasks, seed),
            success=clustered_mean(solved, tasks, seed),
            better=sum(score > 1e-9 for score in scores),
            worse=sum(score < -1e-9 for score in scores),
        )


def _scores(contender: Contender, task: str) -> list[float]:
    metas = (episode.meta for episode in contender.scored[task])
    return [meta.score for meta in metas if meta.score is not None]


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _is_solved(score: float) -> float:
    return float(score >= SUCCESS_SCORE)


def _instructions(contenders: Sequence[Contender], task: str) -> set[str]:
    return {each.meta.instruction for one in contenders for each in one.scored[task]}


def _notes(contenders: Sequence[Contender]) -> Iterator[str]:
    """Return the differences in settings that may explain a difference in scores."""

    def facts(meta: EpisodeMeta) -> dict[str, str]:
        return {
            "machine": meta.machine,
            "application": meta.application,
            "screen": "" if meta.machine == DOCUMENT else "x".join(map(str, meta.screen)),
            "version of pptarena": meta.versions.get("pptarena", ""),
        }

    found = [facts(each.meta) for one in contenders for each in one.episodes]
    for name in found[0]:
        values = dict.fromkeys(each[name] for each in found if each[name])
        if len(values) > 1:
            yield f"not the same everywhere: {name}: {', '.join(values)[:300]}"
    budgets: dict[str, set[int]] = {}
    for one in contenders:
        for each in one.episodes:
            budgets.setdefault(each.meta.task, set()).add(each.meta.max_steps)
    if any(len(steps) > 1 for steps in budgets.values()):
        yield "not the same everywhere: the step budgets of tasks"
