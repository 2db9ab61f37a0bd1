"""What a viewer can see: a slide without the text that nobody could read.

An estimate from the facts of the deck, nothing is rendered. Text does not count as seen if

- its shape, or a group that holds it, is hidden;
- less than six tenths of its lines are on the slide and not under what lies above it (where each
  line stands is estimated by `pptarena.decks.visibility.text_extent`): fills, thick lines, cells,
  letters like blocks, also several that are each half transparent;
- its letters can hardly be told from what is behind them: contrast ratio below 1.6 and RGB distance
  below 120 at every point that was looked at, where what is behind them is known;
- its letters are nearly transparent (opacity below 10 %), below 6 points high, further apart than
  they are high or on top of each other, off their line, or run backwards;
- its shape leaves the slide without a click, or comes only after ten seconds of waiting.

In doubt text is seen: on pictures, charts and patterns, behind shapes that come or go by an
animation, under pictures that may be transparent.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from pptarena.decks import Deck, Run, Shape, Slide
from pptarena.decks.read.recent import SameObjects
from pptarena.decks.visibility.slide_visibility import LEAST_SHARE, SlideVisibility

__all__ = ["LEAST_SHARE", "Visibility", "visibility_of"]

_MAX_KEPT = 8

_known: SameObjects[dict[tuple[int, int], SlideVisibility]] = SameObjects(500)


@lru_cache(maxsize=_MAX_KEPT)
def visibility_of(deck: Deck) -> "Visibility":
    """Return what can be seen of a deck; the last few decks are remembered."""
    return Visibility(deck)


class Visibility:
    """What can be seen of a deck; worked out slide by slide, when asked for.

    Args:
        deck: The deck.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def _of(self, index: int) -> SlideVisibility:
        deck, slide = self._deck, self._deck.slides[index]
        # Of a deck it takes the size of the screen, and master and layout of the slide.
        master, width, height = deck.master_of(slide), deck.width_emu, deck.height_emu
        by_size = _known.get((slide, master), dict)
        found = by_size.get((width, height))
        if found is None:
            found = by_size[width, height] = SlideVisibility(deck, slide)
        return found

    def slide(self, index: int) -> Slide:
        """Return a slide as a viewer sees it, by its index."""
        return self._of(index).visible

    def shape(self, slide: int, shape: int) -> Shape:
        """Return a shape with the text that can be seen, by the indexes of slide and shape."""
        return self._of(slide).visible.shapes[shape]

    def why_hidden(self, slide: int, shape: int) -> str:
        """Return why some text of a shape cannot be seen; empty if all of it can."""
        return self._of(slide).reasons.get(shape, "")

    def hidden(self, slide: int) -> dict[int, str]:
        """Return the indexes of shapes with text that cannot be seen, with the reasons."""
        return dict(self._of(slide).reasons)

    def share(self, slide: int, shape: int) -> float:
        """Return the share of a shape's box that is in sight, 0 to 1; 0 if it draws nothing."""
        return self._of(slide).share(shape)

    def is_visible(self, slide: int, shape: int) -> bool:
        """Return whether enough of a shape is in sight, and there is anything to see of it."""
        return self.share(slide, shape) >= LEAST_SHARE

    def is_in_view(self, slide: int, shape: int) -> bool:
        """Return whether enough of the place where a shape is can be seen, drawn or not."""
        return self._of(slide).place_share(shape) >= LEAST_SHARE

    def laid_over(self, slide: int, shape: int, by: Collection[int]) -> float:
        """Return how far some shapes lie over what there is to see of another one, 0 to 1.

        Shapes that come and go count, and what they show does not matter.
        """
        return self._of(slide).laid_over(shape, frozenset(by))

    def backdrops(self, slide: int, shape: int) -> Iterator[tuple[Run, frozenset[str] | None]]:
        """Yield the runs of a shape's text with the colours behind them, None if not known."""
        yield from self._of(slide).backdrops(shape)
