"""What all exporters read: the complete episodes of a store."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pptarena.errors import StoreError
from pptarena.rollouts.episode import EpisodeMeta, StepRecord
from pptarena.rollouts.exporters.filters import Keep
from pptarena.rollouts.messages import Message, ModelRecord, read_messages, read_model
from pptarena.rollouts.reading import (
    FINAL_PICTURE,
    FINAL_TREE,
    read_picture,
    read_pixels,
    read_tree,
)
from pptarena.rollouts.store import find_episodes, read_meta, read_steps

__all__ = ["SourceEpisode", "episodes_of"]


@dataclass(frozen=True)
class SourceEpisode:
    """A stored episode that is exported.

    Attributes:
        folder: Where it lies.
        id: Agent, task and seed as one name, unique in its store.
        meta: Its facts.
    """

    folder: Path
    id: str
    meta: EpisodeMeta

    @cached_property
    def steps(self) -> tuple[StepRecord, ...]:
        """Its actions.

        Raises:
            StoreError: If they cannot be read.
        """
        return read_steps(self.folder)

    @cached_property
    def model(self) -> ModelRecord | None:
        """Which model played; None if none did.

        Raises:
            StoreError: If the record is malformed.
        """
        return read_model(self.folder)

    @cached_property
    def messages(self) -> dict[int, Message]:
        """The answers of the model, by the step that each began with.

        Raises:
            StoreError: If they cannot be read.
        """
        if self.model is None:
            return {}
        return {each.first: each for each in read_messages(self.folder, self.steps) if each.steps}

    def thought(self, step: int) -> str:
        """Return what the model thought before a step; empty if that is not known.

        Raises:
            StoreError: If its answers cannot be read.
        """
        return self.messages[step].reasoning if step in self.messages else ""

    def screenshot_file(self, step: int) -> str:
        """Return the name of the picture before a step; after the last step for ``len(steps)``."""
        return self.steps[step].screenshot_file if step < len(self.steps) else FINAL_PICTURE

    def screenshot(self, step: int) -> bytes:
        """Return the PNG file of the screen before a step, likewise.

        Raises:
            StoreError: If it is missing, or no picture.
        """
        return read_picture(self.folder, self.screenshot_file(step))

    def pixels(self, step: int) -> NDArray[np.uint8]:
        """Return the screen before a step, likewise: uint8 (height, width, 3), RGB.

        Raises:
            StoreError: If it is missing, or no picture.
        """
        return read_pixels(self.folder, self.screenshot_file(step))

    def tree(self, step: int) -> dict[str, Any]:
        """Return the accessibility tree before a step; after the last one for ``len(steps)``.

        Raises:
            StoreError: If it cannot be read.
        """
        name = self.steps[step].a11y_file if step < len(self.steps) else FINAL_TREE
        return read_tree(self.folder, name)


def episodes_of(
    root: Path, min_score: float = 0.0, keep: Keep = lambda meta: True
) -> Iterator[SourceEpisode]:
    """Yield the scored episodes at or below a folder, in order of their names.

    Attempts that the infrastructure failed, and episodes that could not be judged, are no data.

    Args:
        root: A store, or an episode.
        min_score: Lowest final score, in [0, 1].
        keep: Which of them, as `parse_filter` makes it.

    Raises:
        StoreError: If there is none, or one cannot be read.
    """
    found = False
    for folder in find_episodes(root):
        meta = read_meta(folder)
        if meta.infra_error is not None or meta.score is None or meta.score < min_score:
            continue
        if not keep(meta):
            continue
        found = True
        yield SourceEpisode(folder, f"{meta.agent}__{meta.task}__seed-{meta.seed}", meta)
    if not found:
        more = f" with a score of {min_score} or more" if min_score else ""
        raise StoreError(f"{root}: there is no scored episode{more} to be exported")
