"""Shapes of a slide that are read again when something else on the slide has changed."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.facts.paint import Paint
from pptarena.decks.facts.shape import Shape
from pptarena.decks.package.dependencies import Seen
from pptarena.decks.read.source import PartSource

__all__ = ["KnownShapes"]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Shapes by the digest of their XML, and what else they rest on that is no part of the file.

    Contexts are equal if they are the same object: one that is taken over from the state before
    is made of parts that did not change.
    """

    rest: tuple[object, ...]
    shapes: dict[bytes, tuple[Shape, Seen]]


class KnownShapes:
    """The shapes that stand on a slide by themselves, each read once for as long as it stays.

    Args:
        source: What the readers of the slide share.
        background: Fill of shapes that show the slide's background.
    """

    def __init__(self, source: PartSource, background: Paint) -> None:
        self._package, self._part = source.package, source.name
        rest = source.context, background, source.deck.main, source.deck.table_styles.part
        before = self._package.pieces_before(self._part)
        alike = isinstance(before, _Kept) and before.rest == rest
        self._before = before.shapes if alike else {}
        self._now = _Kept(rest, {})
        self._package.pieces[self._part] = self._now

    def get(self, element: _Element, make: Callable[[], Shape]) -> Shape:
        """Return what `make` returns, or returned for an equal element in the state before.

        Args:
            element: The shape.
            make: Reads it; it looks at nothing of the slide but this element.
        """
        digest = hashlib.sha256(etree.tostring(element, with_tail=False)).digest()
        known = self._before.get(digest)
        if known is not None and self._package.answers_alike(known[1]):
            self._package.use_again_here(known[1])
        else:
            with self._package.watch() as seen:
                self._package.rels(self._part)  # readers of text hold them from the beginning
                known = make(), seen
            self._package.note(seen)
        self._now.shapes[digest] = known
        return known[0]
