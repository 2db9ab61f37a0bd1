"""Rendered slides of two decks, each rendered once."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from lxml.etree import _Element

from pptarena.decks import Shape
from pptarena.decks.edits import Spot, with_gradients_turned, without_ink, without_shape
from pptarena.decks.excerpt import Pages
from pptarena.decks.match.decks import DeckMatch, match_shapes
from pptarena.decks.read.recent import Recent
from pptarena.decks.visibility.pictures import Pixels, changed_pixels, decoded
from pptarena.errors import DeckError, MachineError, UnscoredError
from pptarena.rewards.judges.protocol import SlideRenderer

__all__ = ["Drawing", "Shot", "UndrawableError", "drawn_now"]

_MOST_AT_ONCE = 60

# Originals are rendered for every episode, so they are shared; the limit is in bytes.
_drawn: Recent[Hashable, Pixels] = Recent(200 * 2**20)

_Pairs = Sequence[tuple[Shape, Shape]]


class UndrawableError(Exception):
    """The current deck cannot be rendered, although the original can."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A slide to render, optionally without some content.

    Attributes:
        slide: Index of the slide.
        shape: Index of a shape to leave out; None for none.
        ink: Text spots to leave out.
    """

    slide: int
    shape: int | None = None
    ink: tuple[Spot, ...] = ()

    @property
    def edit(self) -> Callable[[_Element], None] | None:
        """The edit applied to the slide before rendering."""
        if self.shape is not None:
            return without_shape(self.shape)
        return without_ink(self.ink) if self.ink else None


class Drawing:
    """Renders the slides of one deck.

    Args:
        maker: The renderer.
        data: The .pptx file.

    Raises:
        DeckError: If the file cannot be read.
    """

    def __init__(self, maker: SlideRenderer, data: bytes) -> None:
        self._maker = maker
        self._pages = Pages(data)
        self._own: dict[Shot, Pixels] = {}

    def turn_back(self, match: DeckMatch) -> None:
        """Restore gradients that saving alone turned; call this before rendering.

        Raises:
            UndrawableError: If a part cannot be read.
        """
        try:
            _turn_back(match, self._pages)
        except DeckError as error:
            raise UndrawableError(str(error)) from error

    def key(self, slide: int) -> str:
        """Return a key that is equal for two slides only if they render equally."""
        return self._pages.key(slide)

    def draw(self, shots: Sequence[Shot], *, keep: bool) -> None:
        """Render the missing shots for `get`; with `keep`, share them with other instances.

        Raises:
            DeckError, MachineError: As raised by the renderer.
            UnscoredError: If the renderer does not return the expected images.
        """
        for shot in shots if keep else ():
            known = _drawn.get(self._key_of(shot))
            if known is not None:
                self._own.setdefault(shot, known)
        left = [shot for shot in dict.fromkeys(shots) if shot not in self._own]
        for at in range(0, len(left), _MOST_AT_ONCE):
            batch = left[at : at + _MOST_AT_ONCE]
            made = self._maker.render(self._pages.excerpt([(v.slide, v.edit) for v in batch]))
            if len(made) != len(batch):
                raise UnscoredError(f"expected {len(batch)} pictures, got {len(made)}")
            for shot, png in zip(batch, made, strict=True):
                self._own[shot] = decoded(png)
                if keep:
                    _drawn.put(self._key_of(shot), self._own[shot], self._own[shot].nbytes)

    def get(self, shot: Shot) -> Pixels:
        """Return an image rendered by `draw`."""
        return self._own[shot]

    def ink(self, slide: int, shape: int) -> float:
        """Return the ink that a shape adds to its rendered slide; needs both shots from `draw`."""
        return float(changed_pixels(self.get(Shot(slide)), self.get(Shot(slide, shape))).sum())

    def can_be_drawn(self) -> None:
        """Render the first slide again, ignoring stored images; raises like `draw`."""
        self._maker.render(self._pages.excerpt([(0, None)]))

    def _key_of(self, shot: Shot) -> Hashable:
        return self._maker, self._pages.key(shot.slide), shot.shape, shot.ink


def drawn_now(
    original: Drawing, current: Drawing, shots: Sequence[Shot], *, keep: bool = False
) -> None:
    """Render slides of the current deck, and tell its faults from those of the renderer.

    Args:
        original: A deck that renders if the renderer works.
        current: The current deck.
        shots: Slides of the current deck.
        keep: Whether the images are shared with other instances.

    Raises:
        UndrawableError: If the current deck fails twice, but the original renders.
        DeckError: If the original fails as well.
        MachineError: If the original fails as well.
    """
    for is_last in (False, True):
        try:
            current.draw(shots, keep=keep)
            return
        except (DeckError, MachineError, UnscoredError) as error:
            if is_last:
                original.can_be_drawn()
                raise UndrawableError(str(error)) from error


def _turn_back(match: DeckMatch, pages: Pages) -> None:
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
        for part, pairs in zip(pages.chain(now), _levels(match, before, now), strict=False):
            if part in done:
                continue
            done.add(part)
            if turned := [new.index for old, new in pairs if _is_turned(match, old, new)]:
                pages.change(part, with_gradients_turned(turned))


def _levels(match: DeckMatch, before: int, now: int) -> Iterator[_Pairs]:
    """Yield the (original, current) shape pairs of a slide, of its layout and of its master."""
    old, new = match.original.slides[before], match.current.slides[now]
    yield [(old.shapes[i], new.shapes[j]) for i, j in match.shapes(before).pairs]
    if old.layout_index is None or new.layout_index is None:
        return
    was, is_now = match.original.masters[old.master], match.current.masters[new.master]
    yield _paired(was.layouts[old.layout_index].shapes, is_now.layouts[new.layout_index].shapes)
    yield _paired(was.shapes, is_now.shapes)


def _paired(before: Sequence[Shape], now: Sequence[Shape]) -> _Pairs:
    if not any(shape.fill.kind == "gradient" for shape in now):
        return ()
    return [(before[i], now[j]) for i, j in match_shapes(before, now).pairs]


def _is_turned(match: DeckMatch, old: Shape, new: Shape) -> bool:
    if old.fill == new.fill or not old.fill.kind == new.fill.kind == "gradient":
        return False
    return match.saving.restored_shape(old, new).fill == old.fill
