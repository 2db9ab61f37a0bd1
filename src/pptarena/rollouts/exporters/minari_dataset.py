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
from pptarena.rollouts.exporters.export_format import ExportFormat, why_no_screen
from pptarena.rollouts.exporters.index import INDEX, index_line
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["FORMAT", "SCREENSHOT_PX", "export_minari"]

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
    out_folder = OutFolder(out)
    out_folder.require_no_links(dataset_id)
    folder = out / dataset_id
    if folder.exists():
        raise StoreError(f"{folder}: a data set of this name exists")
    source_episodes = list(episodes)
    for episode in source_episodes:
        episode.require_screen("minari")
    screens = {episode.meta.screen for episode in source_episodes}
    if len(screens) != 1:
        raise StoreError(f"expected screens of one size, found {sorted(screens)}")
    buffers = [
        _buffer(EpisodeBuffer, each, n, screenshot_px) for n, each in enumerate(source_episodes)
    ]
    # Minari resolves relative paths twice; the path of the temporary folder is absolute.
    with out_folder, _datasets_in(out_folder.partial), warnings.catch_warnings():
        # Minari warns about the missing author and links, which only the user knows.
        warnings.filterwarnings("ignore", ".* is set to None", UserWarning)
        create_dataset_from_buffers(
            dataset_id,
            buffers,
            env=gym.spec("PPTArena-v0"),
            observation_space=_with_used_characters(
                _space(next(iter(screens)), screenshot_px), [each.observations for each in buffers]
            ),
            action_space=_with_used_characters(action_space(), [each.actions for each in buffers]),
            algorithm_name=", ".join(sorted({episode.meta.agent for episode in source_episodes})),
            description="Episodes of editing slide decks in an office application.",
            data_format="hdf5",
            requirements=["pptarena"],
            jpeg_encoding=False,
        )
        with out_folder.file(f"{dataset_id}/{INDEX}") as index:
            for number, episode in enumerate(source_episodes):
                index.write(index_line(episode, minari_episode=number))
    return folder


@contextmanager
def _datasets_in(folder: Path) -> Iterator[None]:
    # Minari has no other way to set the location of a data set.
    previous = os.environ.get("MINARI_DATASETS_PATH")
    os.environ["MINARI_DATASETS_PATH"] = str(folder)
    try:
        yield
    finally:
        if previous is None:
            del os.environ["MINARI_DATASETS_PATH"]
        else:
            os.environ["MINARI_DATASETS_PATH"] = previous


def _space(screen: tuple[int, int], screenshot_px: tuple[int, int] | None) -> spaces.Dict:
    parts = dict(observation_space(*screen).spaces)
    if screenshot_px is None:
        del parts["screenshot"]
    else:
        width, height = screenshot_px
        parts["screenshot"] = spaces.Box(0, 255, (height, width, 3), np.uint8)
    return spaces.Dict(parts)


def _with_used_characters(space: spaces.Dict, values: list[Any]) -> spaces.Dict:
    """Return a space whose texts allow only common characters and those in the data set.

    Minari writes and prints every character of a space, and all of Unicode takes 13 MB. Texts
    therefore allow the characters of European languages, plus those that occur.
    """
    parts = dict(space.spaces)
    for name, part in parts.items():
        if isinstance(part, WideText):
            used = {text for value in values if value for text in value[name]}
            characters = _EUROPEAN.union(*used)
            parts[name] = spaces.Text(part.max_length, min_length=0, charset=characters)
    return spaces.Dict(parts)


def _buffer(
    buffer_class: Any, episode: SourceEpisode, number: int, screenshot_px: tuple[int, int] | None
) -> Any:
    steps = episode.steps
    observations = [_observation(episode, index, screenshot_px) for index in range(len(steps) + 1)]
    actions = [_space_action(step.action) for step in steps]
    return buffer_class(
        id=number,
        seed=episode.meta.seed,
        options={"task": episode.meta.task},
        observations={name: [each[name] for each in observations] for name in observations[0]},
        actions={name: [each[name] for each in actions] for name in actions[0]} if actions else {},
        rewards=[step.reward for step in steps],
        terminations=[step.terminated for step in steps],
        truncations=[step.truncated for step in steps],
    )


def _space_action(action: Action) -> dict[str, Any]:
    """Return an action for the data set; a refused action outside the space becomes a wait of 0."""
    try:
        return to_space(action)
    except ActionError:
        return to_space(wait(0))


def _observation(
    episode: SourceEpisode, index: int, screenshot_px: tuple[int, int] | None
) -> dict[str, Any]:
    elements = episode.elements(index)
    pixels = np.zeros((0, 0, 3), np.uint8)
    if screenshot_px is not None:
        image = Image.fromarray(episode.pixels(index))
        if image.size != screenshot_px:
            image = image.resize(screenshot_px, Image.Resampling.BOX)
        pixels = np.array(image, np.uint8)
    values = make_observation(pixels, elements, episode.meta.instruction)
    if screenshot_px is None:
        del values["screenshot"]
    return values


def _loading_code(path: str) -> str:
    return (
        f"import minari  # with MINARI_DATASETS_PATH set to this folder\n\n"
        f"minari.load_dataset({path!r})\n\n"
        "import datasets  # reads only the list of episodes\n\n"
        'datasets.load_dataset(".")'
    )


FORMAT = ExportFormat("minari", export_minari, f"*/*/{INDEX}", _loading_code, why_no_screen)
