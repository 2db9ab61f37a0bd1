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
from pptarena.rewards.render_check.rendered_deck import (
    RenderedDeck,
    SlideVariant,
    UndrawableError,
    render_current,
)
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office import shared_office

__all__ = ["IMAGE_SIZE_PX", "SlideImages", "SlideImagesState", "SlideView"]

IMAGE_SIZE_PX: Final = (640, 360)
"""Width and height of an image in pixels; slides of another aspect ratio have gray margins."""

_IMAGES_MAX = 64
_MARGIN_GRAY = 128
_ID_MAX = 2**32 - 1
_NO_KEYS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SlideImagesState:
    """The slide images of a document.

    Attributes:
        ids: The slides whose images are shown, in order.
        changed: The slides that are new or whose rendering may differ from the previous one.
        problem: Why there are no images; empty if there are.
        keys: By slide id, a key that is equal as long as the slide renders the same.
        pixels: The images; read-only.
        capacity: The number of images that fit.
        revision: Revision of the document.
    """

    ids: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    problem: str = ""
    keys: Mapping[int, str] = field(default_factory=lambda: _NO_KEYS)
    pixels: tuple[NDArray[np.uint8], ...] = ()
    capacity: int = 0
    revision: int = -1

    def to_json(self) -> dict[str, Any]:
        """Return the entry of ``info`` about the images."""
        return {"shown": list(self.ids), "changed": list(self.changed), "problem": self.problem}


class SlideImages:
    """Renders slides of documents for observations.

    Args:
        count: Number of images in an observation, from 1 to 64.
        renderer: Renders slides; by default the application of the machine image, shared by the
            process.

    Raises:
        ConfigError: If `count` is out of range.
        ImageError: If there is no machine image.
    """

    def __init__(self, count: int, renderer: SlideRenderer | None = None) -> None:
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _IMAGES_MAX:
            raise ConfigError(f"slides: expected a number from 0 to {_IMAGES_MAX}, got {count!r}")
        if renderer is None:
            require_image()
        self.count = count
        self._renderer = renderer or shared_office()

    def space(self) -> dict[str, spaces.Space[Any]]:
        """Return new spaces of the entries that `observation` returns."""
        width, height = IMAGE_SIZE_PX
        return {
            "slides": spaces.Box(0, 255, (self.count, height, width, 3), np.uint8),
            "slide_ids": spaces.Box(0, _ID_MAX, (self.count,), np.int64),
        }

    def render(
        self,
        original: bytes,
        document: Document,
        revision: int,
        previous: SlideImagesState,
        first_slide: object,
    ) -> SlideImagesState:
        """Render the slides to show of a document.

        The slide named by the last call and changed slides come first, then the others in
        presentation order, as far as they fit.

        Args:
            original: The .pptx file at the start of the episode.
            document: The current document.
            revision: Number of changes of the document.
            previous: The images of the previous observation.
            first_slide: The id of a slide to show first; other values are ignored.

        Raises:
            MachineError: If slides cannot be rendered on this computer; never because of the
                document.
        """
        current, ids = document.to_bytes(), document.slide_ids()
        empty = SlideImagesState(capacity=self.count, revision=revision)
        try:
            drawing = RenderedDeck(self._renderer, current)
            keys = {slide: drawing.key(index) for index, slide in enumerate(ids)}
        except DeckError as error:
            return replace(empty, problem=f"the slides cannot be rendered: {error}"[:500])
        previous_keys = previous.keys or keys
        changed = tuple(
            slide_id for slide_id in ids if keys[slide_id] != previous_keys.get(slide_id)
        )
        state = replace(empty, changed=changed, keys=MappingProxyType(keys))
        named = [slide_id for slide_id in ids if slide_id == first_slide]
        selected = tuple(dict.fromkeys((*named, *changed, *ids)))[: self.count]
        shots = {slide_id: SlideVariant(ids.index(slide_id)) for slide_id in selected}
        try:
            render_current(
                RenderedDeck(self._renderer, original), drawing, list(shots.values()), shared=True
            )
        except UndrawableError as error:
            return replace(state, problem=f"the slides cannot be rendered: {error}"[:500])
        except MachineError:
            raise
        except PPTArenaError as error:
            raise MachineError(f"the slides cannot be rendered: {error}") from error
        pixels = tuple(_fit(drawing.get(shot).astype(np.uint8)) for shot in shots.values())
        return replace(state, ids=selected, pixels=pixels)

    def observation(self, state: SlideImagesState) -> dict[str, Any]:
        """Return new arrays for the entries of an observation; missing images are 0."""
        width, height = IMAGE_SIZE_PX
        slides = np.zeros((self.count, height, width, 3), np.uint8)
        ids = np.zeros((self.count,), np.int64)
        for index, (slide, pixels) in enumerate(zip(state.ids, state.pixels, strict=True)):
            slides[index], ids[index] = pixels, slide
        return {"slides": slides, "slide_ids": ids}


class SlideView:
    """The slide images of one episode; empty if the environment shows none.

    Args:
        images: Renders the images.
        original: Returns the .pptx file at the start of the episode.
        state: The last images of a continued episode.

    Attributes:
        current: The current images.
    """

    def __init__(
        self,
        images: SlideImages | None,
        original: Callable[[], bytes],
        state: SlideImagesState | None = None,
    ) -> None:
        self._images = images
        self._original = original
        self.current = state or SlideImagesState()

    def render(self, document: Document, revision: int, first_slide: object = None) -> None:
        """Render the slides to show after a call; see `SlideImages.render`."""
        images, previous = self._images, self.current
        if images is None:
            return
        is_unchanged = (previous.revision, previous.capacity) == (revision, images.count)
        if is_unchanged and (first_slide is None or first_slide in previous.ids[:1]):
            self.current = replace(previous, changed=())
            return
        self.current = images.render(self._original(), document, revision, previous, first_slide)

    def render_if_resized(self, document: Document, revision: int) -> None:
        """Render the slides of a continued episode if the number of images differs."""
        if self._images is not None and self.current.capacity != self._images.count:
            self.render(document, revision)

    def observation(self) -> dict[str, Any]:
        """Return new arrays for the entries of an observation."""
        return {} if self._images is None else self._images.observation(self.current)

    def info(self) -> dict[str, Any]:
        """Return the entries of ``info``."""
        return {} if self._images is None else {"slides": self.current.to_json()}


def _fit(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an image scaled to fit the standard size."""
    width, height = IMAGE_SIZE_PX
    if pixels.shape[:2] == (height, width):
        return pixels
    scale = min(width / pixels.shape[1], height / pixels.shape[0])
    size = max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale))
    scaled = np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS))
    canvas = np.full((height, width, 3), _MARGIN_GRAY, np.uint8)
    top, left = (height - size[1]) // 2, (width - size[0]) // 2
    canvas[top : top + size[1], left : left + size[0]] = scaled
    return canvas
