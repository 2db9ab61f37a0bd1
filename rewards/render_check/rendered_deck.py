"""Rendered slides of two decks, each rendered once."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from lxml.etree import _Element

from pptarena.decks import Shape
from pptarena.decks.excerpt import Pages
from pptarena.decks.match.decks import DeckMatch, match_shapes
from pptarena.decks.read.caches import LruCache
from pptarena.decks.slide_variants import (
    TextRange,
    with_rotated_gradients,
    with_transparent_text,
    without_shape,
)
from pptarena.decks.visibility.slide_images import Pixels, changed_pixels, decode_png
from pptarena.errors import DeckError, MachineError, UnscoredError
from pptarena.rewards.judges.protocol import SlideRenderer

__all__ = ["RenderedDeck", "SlideVariant", "UndrawableError", "render_current"]

_BATCH_SIZE = 60

# Originals are rendered for every episode, so they are shared; the limit is in bytes.
_shared_images: LruCache[Hashable, Pixels] = LruCache(200 * 2**20)

_Pairs = Sequence[tuple[Shape, Shape]]


class UndrawableError(Exception):
    """The current deck cannot be rendered, although the original can."""


@dataclass(frozen=True, slots=True)
class SlideVariant:
    """A slide to render, optionally without some content.

    Attributes:
        slide: Index of the slide.
        omitted_shape: Index of a shape to leave out; None for none.
        omitted_text: Text to leave out.
    """

    slide: int
    omitted_shape: int | None = None
    omitted_text: tuple[TextRange, ...] = ()

    @property
    def edit(self) -> Callable[[_Element], None] | None:
        """The edit applied to the slide before rendering."""
        if self.omitted_shape is not None:
            return without_shape(self.omitted_shape)
        return with_transparent_text(self.omitted_text) if self.omitted_text else None


class RenderedDeck:
    """Renders the slides of one deck.

    Args:
        renderer: The renderer.
        data: The .pptx file.

    Raises:
        DeckError: If the file cannot be read.
    """

    def __init__(self, renderer: SlideRenderer, data: bytes) -> None:
        self._renderer = renderer
        self._pages = Pages(data)
        self._images: dict[SlideVariant, Pixels] = {}

    def restore_gradients(self, match: DeckMatch) -> None:
        """Restore gradients that saving alone turned; call this before rendering.

        Raises:
            UndrawableError: If a part cannot be read.
        """
        try:
            _restore_gradients(match, self._pages)
        except DeckError as error:
            raise UndrawableError(str(error)) from error

    def key(self, slide: int) -> str:
        """Return a key that is equal for two slides only if they render equally."""
        return self._pages.key(slide)

    def render(self, variants: Sequence[SlideVariant], *, shared: bool) -> None:
        """Render the missing variants for `get`; with `shared`, share them with other instances.

        Raises:
            DeckError, MachineError: As raised by the renderer.
            UnscoredError: If the renderer does not return the expected images.
        """
        for variant in variants if shared else ():
            image = _shared_images.get(self._cache_key(variant))
            if image is not None:
                self._images.setdefault(variant, image)
        missing = [variant for variant in dict.fromkeys(variants) if variant not in self._images]
        for at in range(0, len(missing), _BATCH_SIZE):
            batch = missing[at : at + _BATCH_SIZE]
            images = self._renderer.render(self._pages.excerpt([(v.slide, v.edit) for v in batch]))
            if len(images) != len(batch):
                raise UnscoredError(f"expected {len(batch)} pictures, got {len(images)}")
            for variant, png in zip(batch, images, strict=True):
                self._images[variant] = decode_png(png)
                if shared:
                    _shared_images.put(
                        self._cache_key(variant),
                        self._images[variant],
                        self._images[variant].nbytes,
                    )

    def get(self, variant: SlideVariant) -> Pixels:
        """Return an image rendered by `render`."""
        return self._images[variant]

    def ink(self, slide: int, shape: int) -> float:
        """Return the ink that a shape adds to its rendered slide; `render` both variants first."""
        return float(
            changed_pixels(
                self.get(SlideVariant(slide)), self.get(SlideVariant(slide, shape))
            ).sum()
        )

    def require_renderable(self) -> None:
        """Render the first slide again, ignoring stored images; raises like `render`."""
        self._renderer.render(self._pages.excerpt([(0, None)]))

    def _cache_key(self, variant: SlideVariant) -> Hashable:
        return (
            self._renderer,
            self._pages.key(variant.slide),
            variant.omitted_shape,
            variant.omitted_text,
        )


def render_current(
    original: RenderedDeck,
    current: RenderedDeck,
    variants: Sequence[SlideVariant],
    *,
    shared: bool = False,
) -> None:
    """Render slides of the current deck, and tell its faults from those of the renderer.

    Args:
        original: A deck that renders if the renderer works.
        current: The current deck.
        variants: Slides of the current deck.
        shared: Whether the images are shared with other instances.

    Raises:
        UndrawableError: If the current deck fails twice, but the original renders.
        DeckError: If the original fails as well.
        MachineError: If the original fails as well.
    """
    for is_last in (False, True):
        try:
            current.render(variants, shared=shared)
            return
        except (DeckError, MachineError, UnscoredError) as error:
            if is_last:
                original.require_renderable()
                raise UndrawableError(str(error)) from error


def _restore_gradients(match: DeckMatch, pages: Pages) -> None:
    """Restore turned gradients on slides and on their layouts and masters.

    LibreOffice turns gradients of mirrored shapes each time it opens a deck. The diff ignores this,
    but a deck that was opened once more than the original would render differently.

    Args:
        match: The matching of slides and shapes.
        pages: The slides of the current deck, before any rendering.

    Raises:
        DeckError: If a part to change cannot be read.
    """
    done: set[str] = set()
    for before, now in match.pairs:
        for part, pairs in zip(
            pages.chain(now), _shape_pairs_by_level(match, before, now), strict=False
        ):
            if part in done:
                continue
            done.add(part)
            if turned := [new.index for old, new in pairs if _has_turned_gradient(match, old, new)]:
                pages.change(part, with_rotated_gradients(turned))


def _shape_pairs_by_level(match: DeckMatch, before: int, now: int) -> Iterator[_Pairs]:
    """Yield the (original, current) shape pairs of a slide, of its layout and of its master."""
    old, new = match.original.slides[before], match.current.slides[now]
    yield [(old.shapes[i], new.shapes[j]) for i, j in match.shapes(before).pairs]
    if old.layout_index is None or new.layout_index is None:
        return
    master_before, master_now = (
        match.original.masters[old.master],
        match.current.masters[new.master],
    )
    yield _gradient_pairs(
        master_before.layouts[old.layout_index].shapes, master_now.layouts[new.layout_index].shapes
    )
    yield _gradient_pairs(master_before.shapes, master_now.shapes)


def _gradient_pairs(before: Sequence[Shape], now: Sequence[Shape]) -> _Pairs:
    if not any(shape.fill.kind == "gradient" for shape in now):
        return ()
    return [(before[i], now[j]) for i, j in match_shapes(before, now).pairs]


def _has_turned_gradient(match: DeckMatch, old: Shape, new: Shape) -> bool:
    if old.fill == new.fill or not old.fill.kind == new.fill.kind == "gradient":
        return False
    return match.saving.restore_shape(old, new).fill == old.fill
