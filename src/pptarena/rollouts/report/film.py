"""Films of stored episodes: screen, pointer, marks, captions and score as an animated picture."""

import io
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from pptarena.errors import ConfigError, StoreError
from pptarena.files import atomic_write
from pptarena.rollouts.episode import PERSON, StepRecord
from pptarena.rollouts.episode_files import FINAL_PICTURE, read_picture
from pptarena.rollouts.store import read_meta, read_steps, stored_episodes
from pptarena.untrusted import escape_invisible

__all__ = ["FORMATS", "film", "write_film"]

FORMATS = (".gif", ".webp", ".png")
"""Suffixes of films: GIF has 128 colors, WebP and PNG have all."""

_WIDTH_PX = 960
_BAR_PX = 76
_COLORS = 128
_MAX_CAPTION = 76  # characters
_RED = (220, 60, 30)
_MOVE_FRAMES = 4
_MOVE_STEPS = 40  # longer films do not animate the pointer
_MOVE_MS = 60
_SHOW_MS = 900
_LAST_MS = 3500
_POINTER = ((0, 0), (0, 21), (5, 17), (9, 25), (13, 23), (9, 15), (15, 15))
_Frame = tuple[Image.Image, int]


def write_film(folder: Path, out: Path) -> Path:
    """Write the film of an episode and return the folder of the episode.

    Args:
        folder: The episode, or a folder with exactly one.
        out: The file; its suffix is one of `FORMATS`.

    Raises:
        ConfigError: If the suffix is not supported.
        StoreError: If there is not exactly one episode, it has no screen, or cannot be read.
        OSError: If the film cannot be written.
    """
    if out.suffix.lower() not in FORMATS:
        raise ConfigError(
            f"{out}: a film is a file that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        )
    episodes = list(stored_episodes(folder))
    if len(episodes) != 1:
        raise StoreError(
            f"{folder}: expected one episode, found {len(episodes)}; choose its folder"
        )
    with atomic_write(out) as file:
        file.write(_animation(episodes[0], out.suffix.lower()))
    return episodes[0]


def film(folder: Path) -> Iterator[_Frame]:
    """Yield the frames of a stored episode, each with its duration in milliseconds.

    Args:
        folder: Folder of the episode.

    Raises:
        StoreError: If it cannot be read, or has no screen.
    """
    meta = read_meta(folder)
    instruction, steps = escape_invisible(meta.instruction), read_steps(folder)
    if not all(step.screenshot_file for step in steps):
        raise StoreError(f"{folder}: a film needs an episode on a screen")
    animates_pointer = len(steps) <= _MOVE_STEPS
    pointer, score = (meta.screen[0] // 2, meta.screen[1] // 2), 0.0
    for step in steps:
        screen = _mark_target(_screen(folder, step.screenshot_file), step)
        caption = escape_invisible(_caption(step))
        target = step.aim.point
        if target is not None:
            for point in _pointer_path(pointer, target) if animates_pointer else ():
                yield _frame(screen, point, instruction, caption, score), _MOVE_MS
            pointer = target
        frame = _frame(screen, pointer, instruction, caption, score, pressed=target is not None)
        yield frame, _SHOW_MS
        score = score if step.score is None else step.score
    last = _frame(_screen(folder, FINAL_PICTURE), pointer, instruction, meta.end, score)
    yield last, _LAST_MS


def _screen(folder: Path, name: str) -> Image.Image:
    with Image.open(io.BytesIO(read_picture(folder, name)), formats=("PNG",)) as picture:
        return picture.convert("RGB")


def _mark_target(screen: Image.Image, step: StepRecord) -> Image.Image:
    """Return the screen with the mark of the element that the action aims at."""
    if step.aim.target is None:
        return screen
    left, top, width, height = step.aim.target["box"]
    draw, number = ImageDraw.Draw(screen), str(step.action.element)
    draw.rectangle((left, top, left + max(width, 1), top + max(height, 1)), outline=_RED, width=2)
    font = ImageFont.load_default(14)
    label_box = draw.textbbox((left, max(top - 18, 0)), number, font=font)
    draw.rectangle(
        (label_box[0] - 3, label_box[1] - 3, label_box[2] + 3, label_box[3] + 3), fill=_RED
    )
    draw.text((left, max(top - 18, 0)), number, fill="white", font=font)
    return screen


def _pointer_path(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for number in range(1, _MOVE_FRAMES + 1):
        part = number / _MOVE_FRAMES
        yield (
            round(start[0] + (end[0] - start[0]) * part),
            round(start[1] + (end[1] - start[1]) * part),
        )


def _caption(step: StepRecord) -> str:
    action = step.action
    text_ = action.kind.replace("_", " ")
    if action.keys:
        text_ += f" {action.keys}"
    if action.text:
        text_ += f' "{action.text}"'
    if action.element:
        target = step.aim.target or {}
        text_ += f" [{action.element}] {target.get('name') or target.get('role', '')}"
    text_ = f"person: {text_}" if step.by == PERSON else text_
    text_ += f" (refused: {step.action_error})" if step.action_error else ""
    return text_ if len(text_) <= _MAX_CAPTION else f"{text_[: _MAX_CAPTION - 1]}\u2026"


def _frame(
    screen: Image.Image,
    pointer: tuple[int, int],
    instruction: str,
    caption: str,
    score: float,
    pressed: bool = False,
) -> Image.Image:
    picture = screen.copy()
    draw = ImageDraw.Draw(picture)
    x, y = pointer
    if pressed:
        draw.ellipse((x - 20, y - 20, x + 20, y + 20), outline=_RED, width=4)
    draw.polygon([(x + dx, y + dy) for dx, dy in _POINTER], fill="white", outline="black")
    height = round(picture.height * _WIDTH_PX / picture.width)
    picture = picture.resize((_WIDTH_PX, height), Image.Resampling.LANCZOS)
    frame = Image.new("RGB", (_WIDTH_PX, height + _BAR_PX), (28, 32, 38))
    frame.paste(picture, (0, _BAR_PX))
    draw = ImageDraw.Draw(frame)
    lines = "\n".join(textwrap.wrap(instruction, 140)[:2])
    draw.multiline_text((14, 6), lines, fill="white", font=ImageFont.load_default(15), spacing=3)
    draw.text((14, 50), caption, fill=(140, 200, 255), font=ImageFont.load_default(16))
    score_xy = (_WIDTH_PX - 310, 50)
    draw.text(score_xy, f"score {score:.2f}", fill="white", font=ImageFont.load_default(16))
    draw.rectangle((_WIDTH_PX - 214, 53, _WIDTH_PX - 14, 67), outline=(120, 130, 140))
    draw.rectangle(
        (_WIDTH_PX - 214, 53, _WIDTH_PX - 214 + round(200 * score), 67), fill=(70, 180, 110)
    )
    return frame


def _animation(folder: Path, suffix: str) -> bytes:
    """Return the film of an episode as an endless loop.

    For GIF, the frames are drawn twice, because they would not all fit into memory in full color.
    """
    options: dict[str, Any] = {"save_all": True, "loop": 0}
    times: list[int] = []
    palette = _palette(picture for picture, _ in film(folder)) if suffix == ".gif" else None
    options |= {".gif": {"optimize": True}, ".webp": {"lossless": True}}.get(suffix, {})

    def pictures() -> Iterator[Image.Image]:
        for picture, time in film(folder):
            times.append(time)
            if palette is None:
                yield picture
            else:
                yield picture.quantize(palette=palette, dither=Image.Dither.NONE)

    first, *others = pictures()
    out = io.BytesIO()
    first.save(out, suffix[1:].upper(), append_images=others, duration=times, **options)
    return out.getvalue()


def _palette(pictures: Iterable[Image.Image]) -> Image.Image:
    """Return an image whose palette suits all frames."""
    thumbnails = [each.resize((_WIDTH_PX // 4, each.height // 4)) for each in pictures]
    height = thumbnails[0].height
    combined = Image.new("RGB", (_WIDTH_PX // 4, height * len(thumbnails)))
    for number, picture in enumerate(thumbnails):
        combined.paste(picture, (0, height * number))
    combined.paste(_RED, (0, 0, 50, 50))
    return combined.quantize(_COLORS)
