"""The input of all exporters: the complete episodes of a store."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pptarena.envs.elements import ElementTable, find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.errors import StoreError
from pptarena.rollouts.episode import DOCUMENT, IMPORTED, EpisodeMeta, StepRecord
from pptarena.rollouts.episode_files import (
    FINAL_PICTURE,
    FINAL_TREE,
    OUTLINE,
    read_picture,
    read_pixels,
    read_text,
    read_tree,
)
from pptarena.rollouts.exporters.filters import Keep
from pptarena.rollouts.messages import Message, ModelRecord, read_messages, read_model
from pptarena.rollouts.store import read_meta, read_steps, stored_episodes

__all__ = ["SourceEpisode", "episodes_of"]


@dataclass(frozen=True)
class SourceEpisode:
    """A stored episode to export.

    Attributes:
        folder: Its location.
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
        """The model of the episode; None without one.

        Raises:
            StoreError: If the record is malformed.
        """
        return read_model(self.folder)

    @cached_property
    def replies(self) -> tuple[Message, ...]:
        """The replies of the model in order; none without a model.

        Raises:
            StoreError: If they cannot be read.
        """
        return () if self.model is None else read_messages(self.folder, self.steps)

    @cached_property
    def messages(self) -> dict[int, Message]:
        """The replies of the model with steps, by the first step of each.

        Raises:
            StoreError: If they cannot be read.
        """
        return {each.first: each for each in self.replies if each.steps}

    @property
    def on_document(self) -> bool:
        """Whether it ran in the document environment, which has no screen."""
        return self.meta.machine == DOCUMENT

    @property
    def outline(self) -> str:
        """The outline of the deck at the start; ``""`` if it was not stored.

        Raises:
            StoreError: If it cannot be read.
        """
        return read_text(self.folder, OUTLINE)

    def require_screen(self, format: str) -> None:
        """Refuse an episode of the document environment.

        Raises:
            StoreError: If it is one.
        """
        if self.on_document:
            raise StoreError(
                f"{self.folder}: {format} contains screenshots, which episodes of the document "
                "environment do not have: export it as chat or atif"
            )

    def tool_call(self, step: int) -> dict[str, Any] | None:
        """Return ``name`` and ``arguments`` of a tool call on a document; None without a call."""
        call = self.steps[step].call or {}
        name, arguments = call.get("tool"), call.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return None
        return {"name": name, "arguments": arguments}

    def refused(self, step: int) -> str:
        """Return the reply of a step on a document without a tool call; ``""`` if there is one."""
        return str((self.steps[step].call or {}).get("refused", ""))

    def result(self, step: int) -> str:
        """Return the result of a call on a document; ``""`` if it was not stored."""
        error = self.steps[step].action_error
        return (
            f"refused: {error}" if error else str((self.steps[step].call or {}).get("result", ""))
        )

    def thought(self, step: int) -> str:
        """Return the reasoning of the model before a step; empty if unknown.

        Raises:
            StoreError: If its replies cannot be read.
        """
        return self.messages[step].reasoning if step in self.messages else ""

    def screenshot_file(self, step: int) -> str:
        """Return the name of the picture before a step; after the last step for ``len(steps)``."""
        return self.steps[step].screenshot_file if step < len(self.steps) else FINAL_PICTURE

    def screenshot(self, step: int) -> bytes:
        """Return the PNG file of the screen before a step; after the last step for ``len(steps)``.

        Raises:
            StoreError: If it is missing, or not a picture.
        """
        return read_picture(self.folder, self.screenshot_file(step))

    def pixels(self, step: int) -> NDArray[np.uint8]:
        """Return the screen before a step as uint8 (height, width, 3), RGB.

        Raises:
            StoreError: If it is missing, or not a picture.
        """
        return read_pixels(self.folder, self.screenshot_file(step))

    def tree(self, step: int) -> dict[str, Any]:
        """Return the accessibility tree before a step; after the last one for ``len(steps)``.

        Raises:
            StoreError: If it cannot be read.
        """
        name = self.steps[step].a11y_file if step < len(self.steps) else FINAL_TREE
        return read_tree(self.folder, name)

    def elements(self, step: int) -> ElementTable:
        """Return the elements before a step; after the last step for ``len(steps)``.

        Raises:
            StoreError: If the tree cannot be read.
        """
        nodes = tuple(
            Node(
                index=node["index"],
                parent=node["parent"],
                role=node["role"],
                name=node["name"],
                text=node["text"],
                description=node["description"],
                box=tuple(node["box"]),
                states=frozenset(node["states"]),
            )
            for node in self.tree(step)["nodes"]
        )
        return find_elements(Tree(nodes), *self.meta.screen)


def episodes_of(
    root: Path, min_score: float = 0.0, keep: Keep = lambda meta: True
) -> Iterator[SourceEpisode]:
    """Yield the scored episodes at or below a folder, sorted by name.

    Attempts with an infrastructure failure, unscored episodes, and imported results, which have no
    actions, are left out.

    Args:
        root: A store, or an episode.
        min_score: Minimum final score, in [0, 1].
        keep: A filter of `parse_filter`.

    Raises:
        StoreError: If there is none, or one cannot be read.
    """
    is_empty = True
    for folder in stored_episodes(root):
        meta = read_meta(folder)
        if meta.infra_error is not None or meta.score is None or meta.score < min_score:
            continue
        if meta.machine == IMPORTED or not keep(meta):
            continue
        is_empty = False
        yield SourceEpisode(folder, f"{meta.agent}__{meta.task}__seed-{meta.seed}", meta)
    if is_empty:
        condition = f" with a score of {min_score} or more" if min_score else ""
        raise StoreError(f"{root}: no scored episode{condition} to export")
