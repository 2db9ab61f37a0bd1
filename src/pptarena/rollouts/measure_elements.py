"""Measure elements from pixels on stored screens, with the accessibility trees as ground truth."""

import hashlib
import random
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from pptarena.envs.pixels.detection import Box, Detection, area, intersection, iou
from pptarena.envs.pixels.merging import SAME_IOU, merged
from pptarena.envs.pixels.pixel_tree import open_detector
from pptarena.errors import StoreError
from pptarena.rollouts.reading import read_picture, read_pixels, read_tree
from pptarena.rollouts.store import find_episodes, read_steps

__all__ = ["ElementFigures", "RoleFigures", "StoredScreen", "measure_elements", "stored_screens"]

_PLACE_SHARE_MAX = 0.25  # of the screen; the area of a slide is not a target


@dataclass
class RoleFigures:
    """How many elements of one role of the tree were found.

    Attributes:
        elements: Number of elements.
        clickable: Those in which the center of a detection lies, and in no smaller element.
        boxed: Those whose box is that of a detection, with an IoU of at least `SAME_IOU`.
        named: Number of boxed elements with a visible name or text.
        read: Those of them whose detection has that name, apart from case, spaces and accents.
    """

    elements: int = 0
    clickable: int = 0
    boxed: int = 0
    named: int = 0
    read: int = 0


@dataclass
class ElementFigures:
    """Figures of one detector, or of all together.

    Attributes:
        detections: Number of detections.
        on_element: Those whose center lies in an element of at most a quarter of the screen.
        boxed: Those whose box is that of an element, with an IoU of at least `SAME_IOU`.
        roles: Figures by role of the tree.
        aims: Number of stored pointer actions at elements.
        reached: Those whose element has the center of a detection inside, and in no smaller
            element: an agent that knows the element only from pixels can aim at it.
        cpu_sec: Seconds of CPU time per screen.
    """

    detections: int = 0
    on_element: int = 0
    boxed: int = 0
    roles: dict[str, RoleFigures] = field(default_factory=dict)
    aims: int = 0
    reached: int = 0
    cpu_sec: list[float] = field(default_factory=list)

    @property
    def total(self) -> RoleFigures:
        """The figures of all roles together."""
        names = RoleFigures.__dataclass_fields__
        return RoleFigures(
            **{name: sum(getattr(each, name) for each in self.roles.values()) for name in names}
        )

    def to_json(self) -> dict[str, Any]:
        """Return shares in [0, 1] (None without a case), seconds, and the figures by role."""
        total = self.total
        ordered = sorted(self.roles.items(), key=lambda item: (-item[1].elements, item[0]))
        return {
            "detections": self.detections,
            "elements": total.elements,
            "precision_click": _share(self.on_element, self.detections),
            "precision_box": _share(self.boxed, self.detections),
            "recall_click": _share(total.clickable, total.elements),
            "recall_box": _share(total.boxed, total.elements),
            "names_read": _share(total.read, total.named),
            "aims": self.aims,
            "aims_reached": _share(self.reached, self.aims),
            "cpu_sec_median": round(median(self.cpu_sec), 3) if self.cpu_sec else None,
            "cpu_sec_max": round(max(self.cpu_sec), 3) if self.cpu_sec else None,
            "roles": {
                role: {
                    "elements": each.elements,
                    "recall_click": _share(each.clickable, each.elements),
                    "recall_box": _share(each.boxed, each.elements),
                    "names_read": _share(each.read, each.named),
                }
                for role, each in ordered
            },
        }


@dataclass(frozen=True)
class StoredScreen:
    """A screen of an episode.

    Attributes:
        folder: The episode.
        picture: Name of its screenshot.
        tree: Name of its accessibility tree.
        element: The element that the action on this screen aims at; 0 for none.
    """

    folder: Path
    picture: str
    tree: str
    element: int


def stored_screens(root: Path, count: int, seed: int = 0) -> list[StoredScreen]:
    """Return different screens of the episodes at or below a folder, drawn at random.

    Args:
        root: A store, or an episode.
        count: Most screens to return.
        seed: Seed of the draw.

    Raises:
        StoreError: If there is no screen, or a file cannot be read.
    """
    different: dict[bytes, StoredScreen] = {}
    for folder in find_episodes(root):
        for step in read_steps(folder):
            if step.screenshot_file and step.a11y_file:
                picture = read_picture(folder, step.screenshot_file)
                key = hashlib.sha1(picture, usedforsecurity=False).digest()
                files = (step.screenshot_file, step.a11y_file)
                different.setdefault(key, StoredScreen(folder, *files, step.action.element))
    if not different:
        raise StoreError(f"{root}: expected episodes with screens, found none")
    screens = list(different.values())
    return random.Random(seed).sample(screens, min(count, len(screens)))


def measure_elements(
    screens: Iterable[StoredScreen],
    detectors: Sequence[str],
    on_screen: Callable[[], None] = lambda: None,
) -> dict[str, ElementFigures]:
    """Compare detections with the elements of the accessibility tree.

    Args:
        screens: The screens, recorded with elements of the tree.
        detectors: Names of detectors; see `pptarena.envs.pixels.pixel_tree.open_detector`.
        on_screen: Called after each screen.

    Returns:
        Figures by detector, and those of all together under ``"all"``.

    Raises:
        ConfigError: If a detector is unknown, or its package or file is missing.
        StoreError: If a screen cannot be read.
    """
    opened = {name: open_detector(name) for name in detectors}
    figures = {name: ElementFigures() for name in (*opened, "all")}
    for screen in screens:
        pixels = read_pixels(screen.folder, screen.picture)
        tree = read_tree(screen.folder, screen.tree)
        size_px = (pixels.shape[1], pixels.shape[0])
        elements = [node for node in tree["nodes"] if node["element"]]
        found: dict[str, list[Detection]] = {}
        spent: dict[str, float] = {}
        for name, detector in opened.items():
            started = time.process_time()
            found[name] = list(detector.detect(pixels))
            spent[name] = time.process_time() - started
        found["all"] = [each for name in opened for each in found[name]]
        spent["all"] = sum(spent.values())
        for name, detections in found.items():
            started = time.process_time()
            kept = merged(detections)
            figures[name].cpu_sec.append(spent[name] + time.process_time() - started)
            _add(figures[name], elements, kept, screen.element, size_px)
        on_screen()
    return figures


def _add(
    figures: ElementFigures,
    elements: Sequence[dict[str, Any]],
    detections: Sequence[Detection],
    aim: int,
    size_px: tuple[int, int],
) -> None:
    boxes = [_clipped(node["box"], size_px) for node in elements]
    hit = Counter(_place(each.box, boxes, size_px) for each in detections)
    pairs = _pairs([each.box for each in detections], boxes)
    figures.detections += len(detections)
    figures.on_element += len(detections) - hit[None]
    figures.boxed += len(pairs)
    partner = {element: detections[at] for at, element in pairs}
    for at, node in enumerate(elements):
        role = figures.roles.setdefault(node["role"], RoleFigures())
        role.elements += 1
        role.clickable += at in hit
        role.boxed += at in partner
        name = _plain(node["name"] or node["text"])
        if at in partner and name:
            role.named += 1
            role.read += _plain(partner[at].name) == name
        if aim and node["element"] == aim:
            figures.aims += 1
            figures.reached += at in hit


def _place(box: Box, boxes: Sequence[Box], size_px: tuple[int, int]) -> int | None:
    """Return the smallest box with the center of another; None for none, or a large one."""
    center = (box[0] + box[2] // 2, box[1] + box[3] // 2, 1, 1)
    around = [at for at, each in enumerate(boxes) if intersection(each, center)]
    smallest = min(around, key=lambda at: area(boxes[at]), default=None)
    if smallest is None or area(boxes[smallest]) > _PLACE_SHARE_MAX * size_px[0] * size_px[1]:
        return None
    return smallest


def _pairs(ones: Sequence[Box], others: Sequence[Box]) -> list[tuple[int, int]]:
    """Pair boxes one to one, the most similar first."""
    similar = sorted(
        (-likeness, one, other)
        for one, box in enumerate(ones)
        for other, each in enumerate(others)
        if (likeness := iou(box, each)) >= SAME_IOU
    )
    pairs: dict[int, int] = {}
    for _, one, other in similar:
        if one not in pairs and other not in pairs.values():
            pairs[one] = other
    return list(pairs.items())


def _clipped(box: Sequence[int], size_px: tuple[int, int]) -> Box:
    left, top = max(box[0], 0), max(box[1], 0)
    right, bottom = min(box[0] + box[2], size_px[0]), min(box[1] + box[3], size_px[1])
    return left, top, right - left, bottom - top


def _plain(name: str) -> str:
    split = unicodedata.normalize("NFKD", name.casefold())
    return "".join(each for each in split if each.isalnum())


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
