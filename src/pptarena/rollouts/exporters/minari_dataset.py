"""A Minari data set, for offline reinforcement learning.

Observations and actions are those of the environment, with two exceptions that limit the size.
``screenshot`` is scaled down by default, because Minari writes the bounds of every pixel into its
metadata (26 MB at 1280 x 720). Pixels are never compressed as JPEG.
"""

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from PIL import Image

from pptarena.envs.actions import Action, action_space, to_space, wait
from pptarena.envs.observations import make_observation, observation_space
from pptarena.envs.wide_text import WideText
from pptarena.errors import ActionError, StoreError, missing_package
from pptarena.rollouts.exporters.index import INDEX, index_line
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["SCREENSHOT_PX", "export_minari"]

SCREENSHOT_PX = (320, 180)
"""Default width and height of the screenshots."""

# Tab, newline, Latin letters, punctuation such as dashes and quotation marks, the euro sign.
_EUROPEAN = frozenset(
    chr(code)
    for low, high in ((0x09, 0x0A), (0x20, 0x7E), (0xA0, 0x17F), (0x2010, 0x2027), (0x20AC, 0x20AC))
    for code in range(low, high + 1)
)


def export_minari(
    episodes: Iterable[SourceEpisode],
    out: Path,
    dataset_id: str = "pptarena/episodes-v0",
    screenshot_px: tuple[int, int] | None = SCREENSHOT_PX,
) -> Path:
    """Create a Minari data set, with ``episodes.jsonl`` in it; return its folder.

    Args:
        episodes: All with the same screen size.
        out: Folder of data sets, the ``MINARI_DATASETS_PATH`` of its readers.
        dataset_id: Id in Minari's format, such as ``"pptarena/episodes-v0"``.
        screenshot_px: Width and height of screenshots; None leaves them out; the size of the screen
            keeps every pixel.

    Raises:
        ConfigError: If Minari is missing.
        StoreError: If the data set exists, or the screens differ in size.
    """
    try:
        from minari import create_dataset_from_buffers
        from minari.data_collector import EpisodeBuffer
    except ImportError as error:
        raise missing_package("the format minari", "minari", "minari") from error
    place = OutFolder(out)
    place.require_no_links(dataset_id)
    folder = out / dataset_id
    if folder.exists():
        raise StoreError(f"{folder}: there is a data set of this name already")
    found = list(episodes)
    for episode in found:
        episode.require_screen("minari")
    screens = {episode.meta.screen for episode in found}
    if len(screens) != 1:
        raise StoreError(f"expected episodes with one size of screen, found {sorted(screens)}")
    buffers = [_buffer(EpisodeBuffer, each, n, screenshot_px) for n, each in enumerate(found)]
    # Minari joins relative paths to themselves; the temporary folder is absolute.
    with place, _datasets_in(place.partial), warnings.catch_warnings():
        # It warns about a missing author, link and so on, which only the user can know.
        warnings.filterwarnings("ignore", ".* is set to None", UserWarning)
        create_dataset_from_buffers(
            dataset_id,
            buffers,
            env=gym.spec("PPTArena-v0"),
            observation_space=_listed(
                _space(next(iter(screens)), screenshot_px), [each.observations for each in buffers]
            ),
            action_space=_listed(action_space(), [each.actions for each in buffers]),
            algorithm_name=", ".join(sorted({episode.meta.agent for episode in found})),
            description="Episodes of editing slide decks in an office application.",
            data_format="hdf5",
            requirements=["pptarena"],
            jpeg_encoding=False,
        )
        with place.file(f"{dataset_id}/{INDEX}") as index:
            for number, episode in enumerate(found):
                index.write(index_line(episode, minari_episode=number))
    return folder


@contextmanager
def _datasets_in(folder: Path) -> Iterator[None]:
    # Minari has no other way to set the location of a data set.
    before = os.environ.get("MINARI_DATASETS_PATH")
    os.environ["MINARI_DATASETS_PATH"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["MINARI_DATASETS_PATH"]
        else:
            os.environ["MINARI_DATASETS_PATH"] = before


def _space(screen: tuple[int, int], screenshot_px: tuple[int, int] | None) -> spaces.Dict:
    parts = dict(observation_space(*screen).spaces)
    if screenshot_px is None:
        del parts["screenshot"]
    else:
        width, height = screenshot_px
        parts["screenshot"] = spaces.Box(0, 255, (height, width, 3), np.uint8)
    return spaces.Dict(parts)


def _listed(space: spaces.Dict, values: list[Any]) -> spaces.Dict:
    """Return a space without the characters that no text of the data set has.

    Minari writes every character of a space into the metadata and prints all of them, and all of
    Unicode takes 13 MB. Texts therefore have the characters of European languages, and those that
    occur.
    """
    parts = dict(space.spaces)
    for name, part in parts.items():
        if isinstance(part, WideText):
            used = {text for value in values if value for text in value[name]}
            characters = _EUROPEAN.union(*used)
            parts[name] = spaces.Text(part.max_length, min_length=0, charset=characters)
    return spaces.Dict(parts)


def _buffer(
    kind: Any, episode: SourceEpisode, number: int, screenshot_px: tuple[int, int] | None
) -> Any:
    steps = episode.steps
    seen = [_observation(episode, index, screenshot_px) for index in range(len(steps) + 1)]
    done = [_in_space(step.action) for step in steps]
    return kind(
        id=number,
        seed=episode.meta.seed,
        options={"task": episode.meta.task},
        observations={name: [each[name] for each in seen] for name in seen[0]},
        actions={name: [each[name] for each in done] for name in done[0]} if done else {},
        rewards=[step.reward for step in steps],
        terminations=[step.terminated for step in steps],
        truncations=[step.truncated for step in steps],
    )


def _in_space(action: Action) -> dict[str, Any]:
    """Return an action for the data set; a refused action outside the space becomes a wait of 0."""
    try:
        return to_space(action)
    except ActionError:
        return to_space(wait(0))


def _observation(
    episode: SourceEpisode, index: int, screenshot_px: tuple[int, int] | None
) -> dict[str, Any]:
    elements = episode.elements(index)
    small = np.zeros((0, 0, 3), np.uint8)
    if screenshot_px is not None:
        image = Image.fromarray(episode.pixels(index))
        if image.size != screenshot_px:
            image = image.resize(screenshot_px, Image.Resampling.BOX)
        small = np.array(image, np.uint8)
    found = make_observation(small, elements, episode.meta.instruction)
    if screenshot_px is None:
        del found["screenshot"]
    return found
