"""Rate the edits of stored runs with judge models, and compare the judges.

Instruction following (IF) and visual quality (VQ) are the two scores of UIUC's PPTArena, each from
0 to 5. A rater is a judge model with its evidence (`pptarena.benchmarks.pptarena_uiuc.EVIDENCE`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Any, Protocol

from pptarena.benchmarks.pptarena_uiuc import DualVerdict
from pptarena.decks.package.markup import isolate_xml_names
from pptarena.decks.validity import new_problems
from pptarena.errors import ConfigError, PPTArenaError
from pptarena.rewards import RubricNode
from pptarena.rollouts.agreement import kendall_tau_b
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.episode_files import read_deck_bytes
from pptarena.rollouts.report.figures import difficulties
from pptarena.rollouts.report.intervals import SEED, Estimate, clustered_mean
from pptarena.rollouts.rescore import is_saved_by_office
from pptarena.tasks import Task, find_task
from pptarena.tasks.goals import goal_deck, has_goal

__all__ = [
    "Agreement",
    "JudgedRow",
    "RatedEpisode",
    "Rater",
    "agreements",
    "judged_rows",
    "rate_episodes",
]

CATEGORY = "category"
_EQUAL_WITHIN = 0.5  # half a point: the same whole number, if both are whole


class _EditJudge(Protocol):
    def judge(
        self,
        instruction: str,
        original: bytes,
        current: bytes,
        *,
        style_target: str = "",
        reference: bytes | None = None,
    ) -> DualVerdict: ...


Describe = Callable[[str, bytes, bytes | None], str]
"""Returns a description of a correct result from instruction, original and target deck."""


@dataclass(frozen=True, slots=True)
class Rater:
    """A judge with a name.

    Attributes:
        name: The model, with its evidence unless it is ``"dual"``.
        judge: The judge.
    """

    name: str
    judge: _EditJudge


@dataclass(frozen=True, slots=True)
class RatedEpisode:
    """The ratings of one episode.

    Attributes:
        episode: The episode.
        labels: `Task.labels` of its task.
        verdicts: The verdict of each rater by name; raters without a valid reply are absent.
        problem: The first reason why a verdict is absent; empty if none is.
        valid: Whether the deck can be read and has no validity problems beyond those of the
            original.
    """

    episode: StoredEpisode
    labels: Mapping[str, tuple[str, ...]]
    verdicts: Mapping[str, DualVerdict]
    problem: str = ""
    valid: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        meta = self.episode.meta
        return {
            "agent": meta.agent,
            "task": meta.task,
            "seed": meta.seed,
            "labels": {name: list(values) for name, values in self.labels.items()},
            "verdicts": {name: verdict.to_json() for name, verdict in self.verdicts.items()},
            "problem": self.problem,
            "valid": self.valid,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRow:
    """The ratings that one rater gave one agent on a group of tasks.

    Attributes:
        agent: Name of the agent.
        rater: Name of the rater.
        kind: How the group is formed: ``"all"``, ``"category"`` or ``"difficulty"``.
        value: The category or difficulty; empty for all.
        episodes: Number of rated episodes.
        instruction: Mean of IF, from 0 to 5.
        visual: Mean of VQ, from 0 to 5, over episodes with a visible change or no change at all.
        score: Mean of `DualVerdict.score`, from 0 to 1.
        published: Mean of `DualVerdict.published_score`, from 0 to 1.
        unrated: Number of episodes without a verdict.
        valid: Share of all episodes with a valid deck.
        seconds: Mean duration of an episode, the reset included; 0 for imported results.
    """

    agent: str
    rater: str
    kind: str
    value: str
    episodes: int
    instruction: Estimate
    visual: Estimate
    score: Estimate
    published: Estimate
    unrated: int
    valid: float
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The agreement of two raters on the episodes that both rated.

    Attributes:
        first, second: Names of the raters.
        score: ``"IF"`` or ``"VQ"``.
        episodes: Number of episodes.
        difference: Mean of the second's score minus the first's, in points of 5.
        distance: Mean of the absolute differences, in points of 5.
        equal: Share of episodes with scores that differ by at most half a point.
        tau_b: Kendall's tau-b; None if a rater gave all episodes the same score.
    """

    first: str
    second: str
    score: str
    episodes: int
    difference: float
    distance: float
    equal: float
    tau_b: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the agreement as a JSON object."""
        return asdict(self)


def rate_episodes(
    episodes: Sequence[StoredEpisode],
    raters: Sequence[Rater],
    *,
    save: Callable[[bytes], bytes],
    references: bool = True,
    describe: Describe | None = None,
    workers: int = 1,
    find: Callable[[str, str], Task] = find_task,
) -> Iterator[RatedEpisode]:
    """Rate the stored decks of episodes; episodes with an infrastructure failure are left out.

    Args:
        episodes: The episodes.
        raters: The raters.
        save: Saves a target deck with the application that saved the decks of a run.
        references: Whether judges get the target deck of a task as a reference.
        describe: Describes a correct result for tasks without such a description; None to omit
            it.
        workers: Number of episodes that are rated concurrently.
        find: Returns a task by its id and the place in the record.
    """

    def rate(episode: StoredEpisode) -> RatedEpisode:
        return _rate(episode, raters, save if references else None, describe, find)

    played = [candidate for candidate in episodes if candidate.meta.infra_error is None]
    with ThreadPoolExecutor(workers, "pptarena-judge", isolate_xml_names) as pool:
        yield from pool.map(rate, played)


def _rate(
    episode: StoredEpisode,
    raters: Sequence[Rater],
    save: Callable[[bytes], bytes] | None,
    describe: Describe | None,
    find: Callable[[str, str], Task],
) -> RatedEpisode:
    meta, verdicts, problem = episode.meta, {}, ""
    labels: Mapping[str, tuple[str, ...]] = {}
    valid = False
    try:
        task = find(meta.task, meta.task_place).worded(meta.wording)
        labels = task.labels
        original = read_deck_bytes(episode.folder, "original.pptx")
        current = read_deck_bytes(episode.folder, "final.pptx")
        valid = not new_problems(original, current)
        reference = None
        if save is not None and not task.turns and has_goal(task):
            reference = save(goal_deck(task)) if is_saved_by_office(meta) else goal_deck(task)
        instruction = "\n".join((task.instruction, *(turn.instruction for turn in task.turns)))
        style = _style(task.rubric.root)
        if not style and describe is not None:
            style = describe(instruction, original, reference)
    except PPTArenaError as error:
        return RatedEpisode(
            episode, labels, {}, str(error).removeprefix(f"{episode.folder}/"), valid
        )
    for rater in raters:
        try:
            verdicts[rater.name] = rater.judge.judge(
                instruction, original, current, style_target=style, reference=reference
            )
        except PPTArenaError as error:
            problem = problem or f"{rater.name}: {error}"
    return RatedEpisode(episode, labels, verdicts, problem, valid)


def _style(node: RubricNode) -> str:
    """Return the description of a correct result in a rubric; empty if it has none."""
    if node.check is not None and node.check.name == "edit_judge":
        return str(node.args.get("style", ""))
    return next(filter(None, map(_style, node.children)), "")


def judged_rows(rated: Sequence[RatedEpisode], seed: int = SEED) -> tuple[JudgedRow, ...]:
    """Return the rows: for every agent and group of tasks, one per rater.

    An episode with several categories counts in the row of each.

    Args:
        rated: The result of `rate_episodes`.
        seed: Seed of the bootstrap intervals.
    """
    raters = dict.fromkeys(name for episode in rated for name in episode.verdicts)
    rows = []
    for agent in dict.fromkeys(episode.episode.meta.agent for episode in rated):
        agent_episodes = [episode for episode in rated if episode.episode.meta.agent == agent]
        groups = [("all", "", agent_episodes)]
        for value in dict.fromkeys(
            v for episode in agent_episodes for v in episode.labels.get(CATEGORY, ())
        ):
            group = [
                episode for episode in agent_episodes if value in episode.labels.get(CATEGORY, ())
            ]
            groups.append((CATEGORY, value, group))
        for value in difficulties(episode.episode.meta for episode in agent_episodes):
            group = [
                episode for episode in agent_episodes if episode.episode.meta.difficulty == value
            ]
            groups.append(("difficulty", value, group))
        for grouping, value, group in groups:
            rows += [_row(agent, rater, grouping, value, group, seed) for rater in raters]
    return tuple(rows)


def _row(
    agent: str, rater: str, grouping: str, value: str, group: Sequence[RatedEpisode], seed: int
) -> JudgedRow:
    rated = [
        (episode.episode.meta.task, episode.verdicts[rater])
        for episode in group
        if rater in episode.verdicts
    ]

    def mean(score: Callable[[DualVerdict], float | None]) -> Estimate:
        pairs = [(task, score(verdict)) for task, verdict in rated]
        scored = [(task, number) for task, number in pairs if number is not None]
        return clustered_mean([number for _, number in scored], [task for task, _ in scored], seed)

    return JudgedRow(
        agent=agent,
        rater=rater,
        kind=grouping,
        value=value,
        episodes=len(rated),
        instruction=mean(_following),
        visual=mean(_visual),
        score=mean(lambda verdict: verdict.score),
        published=mean(lambda verdict: verdict.published_score),
        unrated=len(group) - len(rated),
        valid=fmean(episode.valid for episode in group),
        seconds=fmean(
            episode.episode.meta.reset_sec + episode.episode.meta.run_sec for episode in group
        ),
    )


def agreements(rated: Sequence[RatedEpisode]) -> tuple[Agreement, ...]:
    """Return the agreement of every two raters, for IF and for VQ."""
    raters = list(dict.fromkeys(name for episode in rated for name in episode.verdicts))
    rows = []
    for first, second in combinations(raters, 2):
        shared = [
            (episode.verdicts[first], episode.verdicts[second])
            for episode in rated
            if first in episode.verdicts and second in episode.verdicts
        ]
        for name, score in (("IF", _following), ("VQ", _visual)):
            pairs = [(score(one), score(two)) for one, two in shared]
            scored = [(one, two) for one, two in pairs if one is not None and two is not None]
            if scored:
                rows.append(_agreement(first, second, name, scored))
    return tuple(rows)


def _agreement(
    first: str, second: str, name: str, pairs: Sequence[tuple[float, float]]
) -> Agreement:
    gaps = [two - one for one, two in pairs]
    try:
        tau_b = kendall_tau_b([one for one, _ in pairs], [two for _, two in pairs])
    except ConfigError:  # all scores of a rater are the same
        tau_b = None
    return Agreement(
        first=first,
        second=second,
        score=name,
        episodes=len(pairs),
        difference=fmean(gaps),
        distance=fmean(map(abs, gaps)),
        equal=fmean(abs(gap) <= _EQUAL_WITHIN for gap in gaps),
        tau_b=tau_b,
    )


def _following(verdict: DualVerdict) -> float | None:
    return verdict.instruction.score


def _visual(verdict: DualVerdict) -> float | None:
    return None if verdict.visual is None else verdict.visual.score
