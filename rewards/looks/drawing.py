"""Pictures of the slides of two decks, each drawn once."""

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

# Originals are drawn for one episode after the other; pictures weigh what they take in memory.
_drawn: Recent[Hashable, Pixels] = Recent(200 * 2**20)

_Pairs = Sequence[tuple[Shape, Shape]]


class UndrawableError(Exception):
    """The deck as it is now cannot be drawn, though the original can."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A slide, perhaps with something left out.

    Attributes:
        slide: Its index.
        shape: Index of the shape that is left out; None for none.
        ink: Letters whose ink is left out.
    """

    slide: int
    shape: int | None = None
    ink: tuple[Spot, ...] = ()

    @property
    def edit(self) -> Callable[[_Element], None] | None:
        """What is done to the slide."""
        if self.shape is not None:
            return without_shape(self.shape)
        return without_ink(self.ink) if self.ink else None


class Drawing:
    """Draws the slides of one deck.

    Args:
        maker: Draws.
        data: The .pptx file.

    Raises:
        DeckError: If the file cannot be read.
    """

    def __init__(self, maker: SlideRenderer, data: bytes) -> None:
        self._maker = maker
        self._pages = Pages(data)
        self._own: dict[Shot, Pixels] = {}

    def turn_back(self, match: DeckMatch) -> None:
        """Draw the gradients that saving alone turned as they were; first of all.

        Raises:
            UndrawableError: If a part cannot be read.
        """
        try:
            _turn_back(match, self._pages)
        except DeckError as error:
            raise UndrawableError(str(error)) from error

    def key(self, slide: int) -> str:
        """Return what is equal for two slides only if they look the same."""
        return self._pages.key(slide)

    def draw(self, shots: Sequence[Shot], *, keep: bool) -> None:
        """Draw what is not drawn yet, so that `get` has it; with `keep`, for others too.

        Raises:
            DeckError, MachineError: As the renderer does.
            UnscoredError: If what came back are not pictures.
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
        """Return a picture that `draw` made."""
        return self._own[shot]

    def ink(self, slide: int, shape: int) -> float:
        """Return how much a shape adds to the picture of its slide; `draw` made both pictures."""
        return float(changed_pixels(self.get(Shot(slide)), self.get(Shot(slide, shape))).sum())

    def can_be_drawn(self) -> None:
        """Draw the first slide again, whatever is stored; raises as `draw` does."""
        self._maker.render(self._pages.excerpt([(0, None)]))

    def _key_of(self, shot: Shot) -> Hashable:
        return self._maker, self._pages.key(shot.slide), shot.shape, shot.ink


def drawn_now(
    original: Drawing, current: Drawing, shots: Sequence[Shot], *, keep: bool = False
) -> None:
    """Draw slides of the deck as it is now; tell its faults from those of whatever draws.

    Args:
        original: A deck that can be drawn where anything can.
        current: The deck as it is now.
        shots: Which of its slides.
        keep: Whether the pictures are kept for others, too.

    Raises:
        UndrawableError: If it cannot be drawn twice, but the original can.
        DeckError: If the original cannot be drawn either.
        MachineError: Likewise.
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
    """Turn gradients back, on slides as well as on their layouts and masters.

    LibreOffice turns those of mirrored shapes each time that it opens a deck. Facts forgive that;
    pictures of a deck that was opened once more than the original would not.

    Args:
        match: Which slide and shape is which.
        pages: The slides of the deck as it is now, of which nothing was drawn yet.

    Raises:
        DeckError: If a part that has to be changed cannot be read.
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
    """Yield the shapes before and now of a slide, of its layout and of its master."""
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
