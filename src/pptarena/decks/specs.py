"""Build a selector for a shape: the inverse of `find_shape`."""

from collections.abc import Iterator

from pptarena.decks import Shape, Slide
from pptarena.decks.selectors import KINDS, find_shape, is_kind, require_spec

__all__ = ["spec_of"]

_MAX_WORDS = 60


def spec_of(slide: Slide, shape: Shape) -> str | None:
    """Return a selector by which `find_shape` finds a shape on its slide; None if there is none.

    Placeholders are selected by kind, because applications choose their names. Other shapes are
    selected by name, else by kind and position, else by text.
    """
    for spec in _candidates(slide, shape):
        try:
            require_spec(spec)
        except ValueError:
            continue
        if find_shape(slide, spec) is shape:
            return spec
    return None


def _candidates(slide: Slide, shape: Shape) -> Iterator[str]:
    kinds = [kind for kind in KINDS if is_kind(shape, kind)]
    by_kind = []
    for kind in kinds:
        alike = [each for each in slide.shapes if is_kind(each, kind)]
        at = next(i for i, each in enumerate(alike) if each is shape)
        by_kind.append(f"@{kind}" if at == 0 else f"@{kind}:{at + 1}")
    if shape.placeholder:
        yield from by_kind
    if shape.name.strip() and not shape.name.startswith("@"):
        yield shape.name
    yield from by_kind
    if shape.text.strip() and len(shape.text) <= _MAX_WORDS:
        yield shape.text
