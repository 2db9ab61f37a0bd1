"""Changes of an episode's deck: as text, and as pictures of slides before and after."""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from pptarena.decks.match.decks import match_decks
from pptarena.errors import DeckError, HostError, ImageError, MachineError, StoreError
from pptarena.rewards import Change, Deck, diff_decks, read_deck
from pptarena.rollouts.episode_files import read_deck_bytes
from pptarena.rollouts.report.pictures import PicturePool

__all__ = ["Renderer", "SlideComparer", "belongs_to_slide"]

Renderer = Callable[[bytes], Sequence[bytes]]
"""Renders every slide of a deck as PNG; raises the errors of `Office.render`."""

_MAX_CHANGES = 200

# Of 255. Renderings of an unchanged slide with a scaled picture differ by up to 29.
_MAX_NOISE = 48


@dataclass
class SlideComparer:
    """Compares the decks of episodes.

    Attributes:
        pool: The pool of pictures.
        render: Renders slides; None for text only.
        all_slides: Whether to include unchanged slides.
        not_rendered: Why there are no pictures; empty while rendering works.
    """

    pool: PicturePool
    render: Renderer | None
    all_slides: bool = False
    not_rendered: str = ""
    _originals: dict[tuple[str, ...], list[tuple[Deck, Sequence[bytes]]]] = field(
        default_factory=dict
    )

    def compare(self, folder: Path) -> dict[str, Any]:
        """Return ``{"changes", "more_changes", "slides", "total", "missing"}`` of an episode.

        ``slides`` has for each slide its changes, and its positions and pictures before and after
        (None without one); ``missing`` is the reason for missing data, or empty.
        """
        names = "original.pptx", "final.pptx"
        absent = [name for name in names if not os.path.lexists(folder / name)]
        if absent:
            return _empty_comparison() | {"missing": f"{' and '.join(absent)} not stored"}
        try:
            files = [read_deck_bytes(folder, name) for name in names]
        except StoreError as error:
            return _empty_comparison() | {"missing": str(error)}
        return self.compare_files(*files)

    def compare_files(self, before_file: bytes, after_file: bytes) -> dict[str, Any]:
        """Return the result of `compare` for two .pptx files."""
        comparison = _empty_comparison()
        try:
            original, final = read_deck(before_file), read_deck(after_file)
        except DeckError as error:
            return comparison | {"missing": str(error)}
        changes = diff_decks(original, final)
        comparison["changes"] = [change.text for change in changes[:_MAX_CHANGES]]
        comparison["more_changes"] = max(0, len(changes) - _MAX_CHANGES)
        comparison["total"] = len(final.slides)
        if not changes and not self.all_slides:
            return comparison
        before = self._pictures(original, before_file, is_original=True)
        after = self._pictures(final, after_file, is_original=False) if before is not None else None
        if before is None or after is None:
            return comparison | {"missing": self.not_rendered or "a deck could not be rendered"}
        if len(before) != len(original.slides) or len(after) != len(final.slides):
            return comparison | {"missing": "the application rendered a different number of slides"}
        comparison["slides"] = list(self._slides(original, final, changes, before, after))
        return comparison

    def _pictures(self, deck: Deck, file: bytes, is_original: bool) -> Sequence[bytes] | None:
        # Originals of one task differ in ids and times only; they are rendered once.
        titles = tuple(slide.title for slide in deck.slides)
        candidates = self._originals.setdefault(titles, [])
        for original, pictures in candidates:
            if not diff_decks(original, deck):
                return pictures
        if self.render is None or self.not_rendered:
            self.not_rendered = self.not_rendered or "slides were not requested"
            return None
        try:
            pictures = self.render(file)
        except (ImageError, HostError) as error:
            self.not_rendered = str(error)
            return None
        except (DeckError, MachineError, OSError):
            return None
        if is_original:
            candidates.append((deck, pictures))
        return pictures

    def _slides(
        self,
        original: Deck,
        final: Deck,
        changes: Sequence[Change],
        before: Sequence[bytes],
        after: Sequence[bytes],
    ) -> Iterator[dict[str, Any]]:
        match = match_decks(original, final)
        pairs: list[tuple[int | None, int | None]] = [(index, None) for index in match.removed]
        pairs += [(match.to_original.get(now), now) for now in range(len(final.slides))]
        for old, new in sorted(pairs, key=_slide_order):
            positions = None if old is None else old + 1, None if new is None else new + 1
            slide_changes = [
                change.sentence for change in changes if belongs_to_slide(change, *positions)
            ]
            changed = bool(slide_changes) or old is None or new is None
            # Slides after a new slide differ in their slide numbers, which is not a change.
            if old is not None and old == new and not changed:
                changed = _differs_visibly(before[old], after[new])
            if changed or self.all_slides:
                yield {
                    "before": positions[0],
                    "after": positions[1],
                    "changed": changed,
                    "changes": slide_changes[:_MAX_CHANGES],
                    "before_picture": None if old is None else self.pool.add_slide(before[old]),
                    "after_picture": None if new is None else self.pool.add_slide(after[new]),
                }


def _empty_comparison() -> dict[str, Any]:
    return {"changes": [], "more_changes": 0, "slides": [], "total": 0, "missing": ""}


def belongs_to_slide(change: Change, before: int | None, after: int | None) -> bool:
    """Return whether a change belongs to a slide; a new slide is identified by its position now.

    Args:
        change: The change.
        before: Position of the slide in the deck before, from 1; None for a new one.
        after: Its position now, from 1; None if it was deleted.
    """
    if before is not None:
        return change.slide == before
    return after is not None and change.slide is None and change.slide_now == after


def _differs_visibly(before: bytes, after: bytes) -> bool:
    """Return whether two pictures differ in more than rendering noise."""
    if before == after:
        return False
    first, second = (
        np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.int16) for png in (before, after)
    )
    return first.shape != second.shape or int(np.abs(first - second).max()) > _MAX_NOISE


def _slide_order(pair: tuple[int | None, int | None]) -> tuple[float, int]:
    # A deleted slide keeps its old position.
    old, new = pair
    return (float(old or 0) - 0.5, 0) if new is None else (float(new), 1)
