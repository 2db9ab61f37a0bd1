"""Slide images rendered by the office application: a bounded number, each rendered once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from PIL import Image

from pptarena.envs.document.document import Document
from pptarena.errors import ConfigError, DeckError, MachineError, PPTArenaError
from pptarena.rewards.judges import SlideRenderer
from pptarena.rewards.looks.drawing import Drawing, Shot, UndrawableError, drawn_now
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office import shared_office

__all__ = ["PICTURE_SIZE_PX", "Shown", "SlidePictures", "SlideView"]

PICTURE_SIZE_PX: Final = (640, 360)
"""Width and height of an image in pixels; slides of another aspect ratio have gray margins."""

_MOST = 64
_BESIDE = 128  # gray
_MOST_ID = 2**32 - 1
_NO_KEYS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Shown:
    """The slide images of a document.

    Attributes:
        ids: The slides whose images are shown, in order.
        changed: The slides that are new or whose rendering may differ from the previous one.
        problem: Why there are no images; empty if there are.
        keys: By slide id, a key that is equal as long as the slide renders the same.
        pixels: The images; read-only.
        room: The number of images that fit.
        revision: Revision of the document.
    """

    ids: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    problem: str = ""
    keys: Mapping[int, str] = field(default_factory=lambda: _NO_KEYS)
    pixels: tuple[NDArray[np.uint8], ...] = ()
    room: int = 0
    revision: int = -1

    def to_json(self) -> dict[str, Any]:
        """Return the entry of ``info`` about the images."""
        return {"shown": list(self.ids), "changed": list(self.changed), "problem": self.problem}


class SlidePictures:
    """Renders slides of documents for observations.

    Args:
        count: Number of images in an observation, from 1 to 64.
        maker: Renders slides; by default the application of the machine image, shared by the
            process.

    Raises:
        ConfigError: If `count` is out of range.
        ImageError: If there is no machine image.
    """

    def __init__(self, count: int, maker: SlideRenderer | None = None) -> None:
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST:
            raise ConfigError(f"slides: expected a number from 0 to {_MOST}, got {count!r}")
        if maker is None:
            require_image()
        self.count = count
        self._maker = maker or shared_office()

    def space(self) -> dict[str, spaces.Space[Any]]:
        """Return new spaces of the entries that `observation` returns."""
        width, height = PICTURE_SIZE_PX
        return {
            "slides": spaces.Box(0, 255, (self.count, height, width, 3), np.uint8),
            "slide_ids": spaces.Box(0, _MOST_ID, (self.count,), np.int64),
        }

    def see(
        self, original: bytes, document: Document, revision: int, before: Shown, named: object
    ) -> Shown:
        """Render the slides to show of a document.

        The slide named by the last call and changed slides come first, then the others in
        presentation order, as far as they fit.

        Args:
            original: The .pptx file at the start of the episode.
            document: The current document.
            revision: Number of changes of the document.
            before: The images shown last.
            named: The id of a slide to show first; other values are ignored.

        Raises:
            MachineError: If slides cannot be rendered on this computer; never because of the
                document.
        """
        current, ids = document.to_bytes(), document.slide_ids()
        blank = Shown(room=self.count, revision=revision)
        try:
            drawing = Drawing(self._maker, current)
            keys = {slide: drawing.key(at) for at, slide in enumerate(ids)}
        except DeckError as error:
            return replace(blank, problem=f"the slides cannot be drawn: {error}"[:500])
        old = before.keys or keys
        changed = tuple(each for each in ids if keys[each] != old.get(each))
        shown = replace(blank, changed=changed, keys=MappingProxyType(keys))
        first = [each for each in ids if each == named]
        chosen = tuple(dict.fromkeys((*first, *changed, *ids)))[: self.count]
        shots = {each: Shot(ids.index(each)) for each in chosen}
        try:
            drawn_now(Drawing(self._maker, original), drawing, list(shots.values()), keep=True)
        except UndrawableError as error:
            return replace(shown, problem=f"the slides cannot be drawn: {error}"[:500])
        except MachineError:
            raise
        except PPTArenaError as error:
            raise MachineError(f"the slides cannot be drawn: {error}") from error
        pixels = tuple(_fitted(drawing.get(shot).astype(np.uint8)) for shot in shots.values())
        return replace(shown, ids=chosen, pixels=pixels)

    def observation(self, shown: Shown) -> dict[str, Any]:
        """Return new arrays for the entries of an observation; missing images are 0."""
        width, height = PICTURE_SIZE_PX
        slides = np.zeros((self.count, height, width, 3), np.uint8)
        ids = np.zeros((self.count,), np.int64)
        for at, (slide, pixels) in enumerate(zip(shown.ids, shown.pixels, strict=True)):
            slides[at], ids[at] = pixels, slide
        return {"slides": slides, "slide_ids": ids}


class SlideView:
    """The slide images of one episode; empty if the environment shows none.

    Args:
        pictures: Renders the images.
        original: Returns the .pptx file at the start of the episode.
        shown: The images shown last in a continued episode.

    Attributes:
        shown: The current images.
    """

    def __init__(
        self,
        pictures: SlidePictures | None,
        original: Callable[[], bytes],
        shown: Shown | None = None,
    ) -> None:
        self._pictures = pictures
        self._original = original
        self.shown = shown or Shown()

    def look(self, document: Document, revision: int, named: object = None) -> None:
        """Render the slides to show after a call; see `SlidePictures.see`."""
        pictures, last = self._pictures, self.shown
        if pictures is None:
            return
        same = (last.revision, last.room) == (revision, pictures.count)
        if same and (named is None or named in last.ids[:1]):
            self.shown = replace(last, changed=())
            return
        self.shown = pictures.see(self._original(), document, revision, last, named)

    def look_again(self, document: Document, revision: int) -> None:
        """Render the slides of a continued episode if the number of images differs."""
        if self._pictures is not None and self.shown.room != self._pictures.count:
            self.look(document, revision)

    def observation(self) -> dict[str, Any]:
        """Return new arrays for the entries of an observation."""
        return {} if self._pictures is None else self._pictures.observation(self.shown)

    def info(self) -> dict[str, Any]:
        """Return the entries of ``info``."""
        return {} if self._pictures is None else {"slides": self.shown.to_json()}


def _fitted(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an image scaled to fit the standard size."""
    width, height = PICTURE_SIZE_PX
    if pixels.shape[:2] == (height, width):
        return pixels
    share = min(width / pixels.shape[1], height / pixels.shape[0])
    size = max(1, round(pixels.shape[1] * share)), max(1, round(pixels.shape[0] * share))
    small = np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS))
    whole = np.full((height, width, 3), _BESIDE, np.uint8)
    top, left = (height - size[1]) // 2, (width - size[0]) // 2
    whole[top : top + size[1], left : left + size[0]] = small
    return whole
