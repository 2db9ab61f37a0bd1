"""Videos of stored episodes: the screen after each action."""

import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from pptarena.errors import StoreError
from pptarena.rollouts.reading import FINAL_PICTURE, read_pixels
from pptarena.rollouts.store import read_meta, read_steps, stored_episodes

__all__ = ["film_of", "solved_episodes"]

_WIDTH_PX = 640
_QUALITY = 60
_MOST_FRAMES = 40
_FRAME_MS = 900
_LAST_FRAME_MS = 3000


def solved_episodes(root: Path) -> dict[str, Path]:
    """Return the folder of the shortest episode that scored 1, by task id.

    Unreadable episodes are skipped.

    Raises:
        StoreError: If the folder does not exist.
    """
    if not root.is_dir():
        raise StoreError(f"{root}: expected a folder of episodes, as `pptarena run --out` makes it")
    shortest: dict[str, tuple[int, Path]] = {}
    for folder in stored_episodes(root):
        try:
            meta = read_meta(folder)
        except StoreError:
            continue
        if meta.score != 1:
            continue
        if meta.task not in shortest or meta.steps < shortest[meta.task][0]:
            shortest[meta.task] = meta.steps, folder
    return {task: folder for task, (_, folder) in shortest.items()}


def film_of(folder: Path) -> bytes | None:
    """Return an animated WebP file of an episode; None if no screenshot is stored.

    Long episodes are sampled evenly down to about 40 frames. The last frame is shown longer than
    the others.
    """
    screens = list(_screens(folder))
    if not screens:
        return None
    every = -(-len(screens) // _MOST_FRAMES)
    kept = [*screens[:-1:every], screens[-1]]
    durations = [_FRAME_MS] * (len(kept) - 1) + [_LAST_FRAME_MS]
    stream = io.BytesIO()
    first, *others = kept
    options = {"quality": _QUALITY, "method": 4, "minimize_size": True, "loop": 0}
    first.save(stream, "WEBP", save_all=True, append_images=others, duration=durations, **options)
    return stream.getvalue()


def _screens(folder: Path) -> Iterator[Image.Image]:
    try:
        names = [step.screenshot_file for step in read_steps(folder)]
    except StoreError:
        return
    for name in (*names, FINAL_PICTURE):
        try:
            screen = Image.fromarray(read_pixels(folder, name))
        except StoreError:
            continue
        height_px = max(1, round(screen.height * _WIDTH_PX / screen.width))
        yield screen.resize((_WIDTH_PX, height_px), Image.Resampling.BOX)
