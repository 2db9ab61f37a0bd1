"""Visibility of deck content: slides without text that a viewer cannot read.

The estimate uses deck facts only; nothing is rendered. Text counts as invisible if

- its shape, or a group around it, is hidden;
- less than 60 % of its lines are on the slide and not covered by fills, thick lines, cells, or
  characters that form blocks; several semitransparent covers add up (line positions are estimated
  by `pptarena.decks.visibility.text_extent`);
- it has a contrast ratio below 1.6 and an RGB distance below 120 to its background, at every
  sampled point with a known background;
- its opacity is below 10 %, its size below 6 pt, its character spacing larger than its height or so
  negative that characters overlap, or it is off its baseline or runs backward;
- its shape leaves the slide without a click, or appears only after ten seconds.

In case of doubt text counts as visible: on pictures, charts and patterns, behind shapes that
animations show or hide, and under pictures that may be transparent.
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
    """Return the visibility of a deck; the last few decks are cached."""
    return Visibility(deck)


class Visibility:
    """Visible content of a deck, computed per slide on first access.

    Args:
        deck: The deck.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def _of(self, index: int) -> SlideVisibility:
        deck, slide = self._deck, self._deck.slides[index]
        # The result depends on the slide, its master and layout, and the slide size.
        master, width, height = deck.master_of(slide), deck.width_emu, deck.height_emu
        by_size = _known.get((slide, master), dict)
        found = by_size.get((width, height))
        if found is None:
            found = by_size[width, height] = SlideVisibility(deck, slide)
        return found

    def slide(self, index: int) -> Slide:
        """Return a slide without invisible text, by its index."""
        return self._of(index).visible

    def shape(self, slide: int, shape: int) -> Shape:
        """Return a shape without invisible text, by the indexes of slide and shape."""
        return self._of(slide).visible.shapes[shape]

    def why_hidden(self, slide: int, shape: int) -> str:
        """Return why some text of a shape is invisible; empty if all of it is visible."""
        return self._of(slide).reasons.get(shape, "")

    def hidden(self, slide: int) -> dict[int, str]:
        """Return the indexes of shapes with invisible text, with the reasons."""
        return dict(self._of(slide).reasons)

    def share(self, slide: int, shape: int) -> float:
        """Return the visible share of a shape's box, 0 to 1; 0 if the shape draws nothing."""
        return self._of(slide).share(shape)

    def is_visible(self, slide: int, shape: int) -> bool:
        """Return whether a shape draws something and enough of it is visible."""
        return self.share(slide, shape) >= LEAST_SHARE

    def is_in_view(self, slide: int, shape: int) -> bool:
        """Return whether enough of a shape's box is visible, even if the shape draws nothing."""
        return self._of(slide).place_share(shape) >= LEAST_SHARE

    def laid_over(self, slide: int, shape: int, by: Collection[int]) -> float:
        """Return the share of a shape's visible content that other shapes cover, 0 to 1.

        Shapes with entrance or exit animations count, whatever they show.
        """
        return self._of(slide).laid_over(shape, frozenset(by))

    def backdrops(self, slide: int, shape: int) -> Iterator[tuple[Run, frozenset[str] | None]]:
        """Yield the runs of a shape's text with the colors behind them; None if unknown."""
        yield from self._of(slide).backdrops(shape)
