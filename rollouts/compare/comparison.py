"""Agents and runs side by side, on the tasks that all of them have a score of.

Differences are paired by task: the mean score on a task of one contender less that of the other,
and tasks drawn again for the interval (`pptarena.rollouts.report.intervals`). A hard task is hard
for both, so this tells smaller differences apart than two intervals side by side.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pptarena.errors import ConfigError
from pptarena.rollouts.compare.contenders import Contender
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.model_costs import ModelCosts, model_costs
from pptarena.rollouts.play_document import DOCUMENT
from pptarena.rollouts.report.figures import FigureRow, difficulties, figure_rows
from pptarena.rollouts.report.intervals import SEED, Estimate, clustered_mean
from pptarena.rollouts.summary import SUCCESS_SCORE

__all__ = ["Comparison", "Difference", "Standing", "compare"]


@dataclass(frozen=True)
class Standing:
    """What one contender reached on the common tasks.

    Attributes:
        name: Name of the contender.
        run: Folder of its run.
        rows: Its figures: over all tasks first, then by difficulty and edit type.
        costs: Tokens, money and seconds of its model; None if no model played.
        unscored: Its episodes that could not be judged, those of other tasks included.
        infra_failed: Attempts that the infrastructure failed, likewise.
        missing: Tasks of others that it has no scored episode of.
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
    """By how much one contender differs from the first on a group of tasks.

    Attributes:
        name: Name of the contender.
        baseline: Name of the one that is subtracted.
        kind: What the group is made by: ``"all"``, ``"difficulty"`` or ``"edit type"``.
        value: Which difficulty or edit type; empty for all.
        tasks: How many tasks.
        score, success: Mean differences over tasks, in [-1, 1].
        better, worse: Tasks on which its mean score is higher, and lower.
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
    """Contenders side by side.

    Attributes:
        tasks: The tasks that all of them have a score of.
        standings: One per contender.
        differences: Of each but the first from the first.
        notes: What else differs, in words.
        seed: Of the draws of the intervals.
    """

    tasks: tuple[str, ...]
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        return dataclasses.asdict(self)


def compare(contenders: Sequence[Contender], seed: int = SEED) -> Comparison:
    """Compare agents and runs.

    Args:
        contenders: As `read_contenders` finds them; the first is what others are compared with.
        seed: Of the draws of the intervals.

    Raises:
        ConfigError: If no task has a score of all of them.
        StoreError: If the record of a model is malformed.
    """
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
    )


def _standing(contender: Contender, common: set[str], everything: set[str], seed: int) -> Standing:
    own = [episode for episode in contender.episodes if episode.meta.task in common]
    costs = model_costs(own)
    return Standing(
        contender.name,
        str(contender.run),
        figure_rows((replace(each.meta, agent=contender.name) for each in own), seed),
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
    """Say which of the circumstances differ that may account for a difference."""

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
