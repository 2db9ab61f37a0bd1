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
from pptarena.envs.pixels.merging import SAME_IOU, merge_detections
from pptarena.envs.pixels.pixel_tree import open_detector
from pptarena.errors import StoreError
from pptarena.rollouts.episode_files import read_picture, read_pixels, read_tree
from pptarena.rollouts.store import find_episodes, read_steps

__all__ = ["ElementFigures", "RoleFigures", "StoredScreen", "measure_elements", "stored_screens"]

_MAX_TARGET_SHARE = 0.25  # of the screen; the slide area itself is not a target


@dataclass
class RoleFigures:
    """Detection counts for the tree elements of one role.

    Attributes:
        elements: Number of elements.
        clickable: Elements that contain the center of a detection, which no smaller element does.
        boxed: Elements whose box matches a detection, with an IoU of at least `SAME_IOU`.
        named: Boxed elements with a visible name or text.
        read: Named elements whose detection has the same name, ignoring case, spaces and accents.
    """

    elements: int = 0
    clickable: int = 0
    boxed: int = 0
    named: int = 0
    read: int = 0


@dataclass
class ElementFigures:
    """Figures of one detector, or of all detectors combined.

    Attributes:
        detections: Number of detections.
        on_element: Detections whose center is in an element of at most a quarter of the screen.
        boxed: Detections whose box matches an element, with an IoU of at least `SAME_IOU`.
        roles: Figures by role of the tree.
        aims: Number of stored pointer actions at elements.
        reached: Aims whose element contains the center of a detection, which no smaller element
            does: an agent that detects elements from pixels can click it.
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
        """The sums over all roles."""
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
    """Return a random sample of the distinct screens of the episodes at or below a folder.

    Args:
        root: A store, or an episode.
        count: Maximum number of screens.
        seed: Seed of the sample.

    Raises:
        StoreError: If there is no screen, or a file cannot be read.
    """
    by_digest: dict[bytes, StoredScreen] = {}
    for folder in find_episodes(root):
        for step in read_steps(folder):
            if step.screenshot_file and step.a11y_file:
                picture = read_picture(folder, step.screenshot_file)
                key = hashlib.sha1(picture, usedforsecurity=False).digest()
                files = (step.screenshot_file, step.a11y_file)
                by_digest.setdefault(key, StoredScreen(folder, *files, step.action.element))
    if not by_digest:
        raise StoreError(f"{root}: expected episodes with screens, found none")
    screens = list(by_digest.values())
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
        Figures by detector; the key ``"all"`` has those of all detectors combined.

    Raises:
        ConfigError: If a detector is unknown, or its package or file is missing.
        StoreError: If a screen cannot be read.
    """
    detectors_by_name = {name: open_detector(name) for name in detectors}
    figures = {name: ElementFigures() for name in (*detectors_by_name, "all")}
    for screen in screens:
        pixels = read_pixels(screen.folder, screen.picture)
        tree = read_tree(screen.folder, screen.tree)
        size_px = (pixels.shape[1], pixels.shape[0])
        elements = [node for node in tree["nodes"] if node["element"]]
        detections_by_name: dict[str, list[Detection]] = {}
        cpu_sec: dict[str, float] = {}
        for name, detector in detectors_by_name.items():
            start_sec = time.process_time()
            detections_by_name[name] = list(detector.detect(pixels))
            cpu_sec[name] = time.process_time() - start_sec
        detections_by_name["all"] = [
            each for name in detectors_by_name for each in detections_by_name[name]
        ]
        cpu_sec["all"] = sum(cpu_sec.values())
        for name, detections in detections_by_name.items():
            start_sec = time.process_time()
            merged_detections = merge_detections(detections)
            figures[name].cpu_sec.append(cpu_sec[name] + time.process_time() - start_sec)
            _add(figures[name], elements, merged_detections, screen.element, size_px)
        on_screen()
    return figures


def _add(
    figures: ElementFigures,
    elements: Sequence[dict[str, Any]],
    detections: Sequence[Detection],
    aim: int,
    size_px: tuple[int, int],
) -> None:
    boxes = [_clip_box(node["box"], size_px) for node in elements]
    hits = Counter(_target_index(each.box, boxes, size_px) for each in detections)
    pairs = _match_boxes([each.box for each in detections], boxes)
    figures.detections += len(detections)
    figures.on_element += len(detections) - hits[None]
    figures.boxed += len(pairs)
    partner = {element: detections[index] for index, element in pairs}
    for index, node in enumerate(elements):
        role = figures.roles.setdefault(node["role"], RoleFigures())
        role.elements += 1
        role.clickable += index in hits
        role.boxed += index in partner
        name = _normalize(node["name"] or node["text"])
        if index in partner and name:
            role.named += 1
            role.read += _normalize(partner[index].name) == name
        if aim and node["element"] == aim:
            figures.aims += 1
            figures.reached += index in hits


def _target_index(box: Box, boxes: Sequence[Box], size_px: tuple[int, int]) -> int | None:
    """Return the index of the smallest box around a box's center; None if absent or too large."""
    center = (box[0] + box[2] // 2, box[1] + box[3] // 2, 1, 1)
    containing = [index for index, each in enumerate(boxes) if intersection(each, center)]
    smallest = min(containing, key=lambda index: area(boxes[index]), default=None)
    if smallest is None or area(boxes[smallest]) > _MAX_TARGET_SHARE * size_px[0] * size_px[1]:
        return None
    return smallest


def _match_boxes(first_boxes: Sequence[Box], second_boxes: Sequence[Box]) -> list[tuple[int, int]]:
    """Return a one-to-one matching of boxes by index, most similar pairs first."""
    similar = sorted(
        (-similarity, first, second)
        for first, box in enumerate(first_boxes)
        for second, each in enumerate(second_boxes)
        if (similarity := iou(box, each)) >= SAME_IOU
    )
    pairs: dict[int, int] = {}
    for _, first, second in similar:
        if first not in pairs and second not in pairs.values():
            pairs[first] = second
    return list(pairs.items())


def _clip_box(box: Sequence[int], size_px: tuple[int, int]) -> Box:
    left, top = max(box[0], 0), max(box[1], 0)
    right, bottom = min(box[0] + box[2], size_px[0]), min(box[1] + box[3], size_px[1])
    return left, top, right - left, bottom - top


def _normalize(name: str) -> str:
    split = unicodedata.normalize("NFKD", name.casefold())
    return "".join(each for each in split if each.isalnum())


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
