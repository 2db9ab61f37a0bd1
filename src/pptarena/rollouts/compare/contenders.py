"""The contenders of a comparison: every agent of every run."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.store import read_meta, stored_episodes

__all__ = ["Contender", "Contenders", "read_contenders"]


@dataclass(frozen=True)
class Contender:
    """The episodes of one agent in one run.

    Attributes:
        name: Its unique name: the agent, with its run if necessary.
        run: Folder of the run.
        agent: Name of the agent.
        episodes: All of its episodes, failed attempts included.
    """

    name: str
    run: Path
    agent: str
    episodes: tuple[StoredEpisode, ...]

    @cached_property
    def scored(self) -> dict[str, list[StoredEpisode]]:
        """The scored episodes by task."""
        by_task: dict[str, list[StoredEpisode]] = {}
        for episode in self.episodes:
            if episode.meta.infra_error is None and episode.meta.score is not None:
                by_task.setdefault(episode.meta.task, []).append(episode)
        return by_task

    @property
    def is_helped(self) -> bool:
        """Whether these are the episodes with help."""
        return all(each.meta.help for each in self.episodes)

    @property
    def unscored(self) -> int:
        """The number of unscored episodes."""
        played = [each.meta for each in self.episodes if each.meta.infra_error is None]
        return sum(meta.score is None for meta in played)

    @property
    def infra_failed(self) -> int:
        """The number of attempts with an infrastructure failure."""
        return sum(each.meta.infra_error is not None for each in self.episodes)


@dataclass(frozen=True)
class Contenders:
    """The contenders of one or more runs.

    Attributes:
        contenders: The contenders, in the order of the runs.
        unreadable: Folders of episodes that could not be read, with the reason.
    """

    contenders: tuple[Contender, ...]
    unreadable: tuple[tuple[Path, str], ...]


def read_contenders(
    runs: Sequence[Path], on_episode: Callable[[Path], None] = lambda folder: None
) -> Contenders:
    """Return the agents of runs.

    Args:
        runs: Folders of episodes.
        on_episode: Called with the folder of every episode before it is read.

    Raises:
        ConfigError: If a run is listed twice.
        StoreError: If a run has no episode that can be read.
    """
    for run, count in Counter(run.resolve() for run in runs).items():
        if count > 1:
            raise ConfigError(f"{run} is listed {count} times; list every run once")
    groups: dict[tuple[Path, str], list[StoredEpisode]] = {}
    unreadable: list[tuple[Path, str]] = []
    for run in runs:
        counts_before = len(groups), len(unreadable)
        for folder in stored_episodes(run):
            on_episode(folder)
            try:
                episode = StoredEpisode(folder, read_meta(folder))
            except StoreError as error:
                unreadable.append((folder, str(error)))
            else:
                groups.setdefault((run, episode.meta.contender), []).append(episode)
        if len(groups) == counts_before[0]:
            error_text = f": {unreadable[-1][1]}" if len(unreadable) > counts_before[1] else ""
            hint = error_text or "; choose a folder that `pptarena run` wrote"
            raise StoreError(f"{run}: no readable episode{hint}")
    names = _names(list(groups))
    return Contenders(
        tuple(
            Contender(name, run, agent, tuple(episodes))
            for name, ((run, agent), episodes) in zip(names, groups.items(), strict=True)
        ),
        tuple(unreadable),
    )


def _names(keys: Sequence[tuple[Path, str]]) -> list[str]:
    """Return the shortest names that distinguish the contenders."""
    agents = Counter(agent for _, agent in keys)
    short = [agent if agents[agent] == 1 else f"{run.name}: {agent}" for run, agent in keys]
    counts = Counter(short)
    return [
        name if counts[name] == 1 else f"{run}: {agent}"
        for name, (run, agent) in zip(short, keys, strict=True)
    ]
