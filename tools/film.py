"""An animated GIF of a stored episode: pointer, actions and score, for README and documentation.

The film of the README is made by::

    pptarena run --agent demonstration --task meridian-retitle-products --out runs/film
    python -m tools.film runs/film/demonstration/meridian-retitle-products/seed-0 hero.gif
"""

import argparse
import textwrap
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from pptarena.rollouts.episode import StepRecord
from pptarena.rollouts.store import read_meta, read_steps

__all__ = ["film"]

_WIDTH_PX = 960
_BAR_PX = 76
_COLORS = 128
_RED = (220, 60, 30)
_MOVE_FRAMES = 4
_MOVE_MS = 60
_SHOW_MS = 900
_LAST_MS = 3500
_POINTER = ((0, 0), (0, 21), (5, 17), (9, 25), (13, 23), (9, 15), (15, 15))
_Frame = tuple[Image.Image, int]


def film(folder: Path) -> list[_Frame]:
    """Return the frames of a stored episode, each with its duration in milliseconds.

    Args:
        folder: Folder of the episode.

    Raises:
        StoreError: If it cannot be read.
    """
    instruction = read_meta(folder).instruction
    steps = list(read_steps(folder))
    frames: list[_Frame] = []
    place, score = (640, 360), 0.0
    for step in steps:
        screen = Image.open(folder / (step.screenshot_file or "")).convert("RGB")
        told = _words(step)
        target = step.aim.point
        if target is not None:
            for between in _path(place, target):
                frames.append((_frame(screen, between, instruction, told, score), _MOVE_MS))
            place = target
        shown = _frame(screen, place, instruction, told, score, pressed=target is not None)
        frames.append((shown, _SHOW_MS))
        score = step.score or 0.0
    last = Image.open(folder / "final.png").convert("RGB")
    frames.append((_frame(last, place, instruction, "done", score), _LAST_MS))
    return frames


def _path(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for number in range(1, _MOVE_FRAMES + 1):
        part = number / _MOVE_FRAMES
        yield (
            round(start[0] + (end[0] - start[0]) * part),
            round(start[1] + (end[1] - start[1]) * part),
        )


def _words(step: StepRecord) -> str:
    action = step.action
    if action.kind == "type":
        return f'type "{action.text}"'
    if action.kind == "key":
        return f"key {action.keys}"
    words = action.kind.replace("_", " ")
    if action.element:
        words += f" [{action.element}] {(step.aim.target or {}).get('name', '')}"
    return words


def _frame(
    screen: Image.Image,
    pointer: tuple[int, int],
    instruction: str,
    told: str,
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
    whole = Image.new("RGB", (_WIDTH_PX, height + _BAR_PX), (28, 32, 38))
    whole.paste(picture, (0, _BAR_PX))
    draw = ImageDraw.Draw(whole)
    lines = "\n".join(textwrap.wrap(instruction, 120)[:2])
    draw.multiline_text((14, 6), lines, fill="white", font=ImageFont.load_default(15), spacing=3)
    draw.text((14, 50), told, fill=(140, 200, 255), font=ImageFont.load_default(16))
    where = (_WIDTH_PX - 310, 50)
    draw.text(where, f"score {score:.2f}", fill="white", font=ImageFont.load_default(16))
    draw.rectangle((_WIDTH_PX - 214, 53, _WIDTH_PX - 14, 67), outline=(120, 130, 140))
    draw.rectangle(
        (_WIDTH_PX - 214, 53, _WIDTH_PX - 214 + round(200 * score), 67), fill=(70, 180, 110)
    )
    return whole


def _palette(pictures: list[Image.Image]) -> Image.Image:
    """Return an image whose palette suits all frames."""
    height = pictures[0].height
    together = Image.new("RGB", (_WIDTH_PX, height * len(pictures)))
    for number, picture in enumerate(pictures):
        together.paste(picture, (0, height * number))
    together.paste(_RED, (0, 0, 200, 200))
    return together.quantize(_COLORS)


def main() -> None:
    """Write the film given on the command line."""
    parser = argparse.ArgumentParser(description="Make an animated GIF of a stored episode.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    frames = film(options.folder)
    palette = _palette([picture for picture, _ in frames])
    first, *others = [
        picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture, _ in frames
    ]
    times = [time for _, time in frames]
    first.save(
        options.out, save_all=True, append_images=others, duration=times, loop=0, optimize=True
    )


if __name__ == "__main__":
    main()
