"""Find shapes by the selectors used in rubrics."""

import re
from collections.abc import Iterator, Sequence

from pptarena.decks import Shape, Slide
from pptarena.decks.text_match import folded

__all__ = [
    "KINDS",
    "PLACEHOLDERS",
    "find_new",
    "find_shape",
    "is_kind",
    "means_new",
    "require_spec",
    "spec_of",
]

PLACEHOLDERS = {
    "title": ("title", "ctrTitle"),
    "subtitle": ("subTitle",),
    "body": ("body", "obj"),
    "footer": ("ftr",),
    "date": ("dt",),
    "number": ("sldNum",),
}
"""Placeholder types by the kind that follows ``@``."""

_PLAIN = ("picture", "table", "chart", "group", "line", "media", "graphic", "shape", "placeholder")
_CONTENT = ("diagram", "video", "audio")
KINDS = (*PLACEHOLDERS, *_PLAIN, *_CONTENT, "text_box")
"""Kinds that may follow ``@``."""

_KIND_SPEC = re.compile(r"@([a-z_]+)(?::([1-9][0-9]*))?")
_NEW_SPEC = re.compile(r"@new(?:_([a-z_]+))?(?::([1-9][0-9]*)| +(\S.*))?", re.DOTALL)


def is_kind(shape: Shape, kind: str) -> bool:
    """Return whether a shape is of a kind (one of `KINDS`)."""
    if kind in PLACEHOLDERS:
        return shape.placeholder in PLACEHOLDERS[kind]
    if kind == "picture":
        return shape.picture is not None and shape.kind != "media"
    if kind == "diagram":
        return shape.smart_art is not None
    if kind in ("video", "audio"):
        return shape.picture is not None and shape.picture.media_kind == kind
    return shape.kind == kind


def means_new(spec: str | None) -> bool:
    """Return whether a selector refers to an added shape: ``@new``, ``@new_picture:2``."""
    match = None if spec is None else _NEW_SPEC.fullmatch(spec)
    return match is not None and (match[1] is None or match[1] in KINDS)


def require_spec(spec: str | None, *, new: bool = False) -> None:
    """Check that a selector is not empty and has no unknown ``@kind``.

    Args:
        spec: The selector; None refers to no shape.
        new: Whether the selector may refer to an added shape.

    Raises:
        ValueError: If the selector is invalid.
    """
    if spec is None or (new and means_new(spec)):
        return
    match = _KIND_SPEC.fullmatch(spec)
    if not spec.strip() or (spec.startswith("@") and (match is None or match[1] not in KINDS)):
        known = f"@{', @'.join(KINDS)}"
        more = ", @new, @new:2, @new_<kind>, '@new <name or text>'" if new else ""
        raise ValueError(f"expected a name, a text or one of {known}{more}; got {spec!r}")


def find_new(shapes: Sequence[Shape], spec: str) -> Shape | None:
    """Return the shape for a selector accepted by `means_new`; None if not found.

    Args:
        shapes: The added shapes of a slide, in z-order.
        spec: ``@new``, ``@new:2``, ``@new_picture``, ``@new_picture:2``: by position among the
            added shapes, or ``@new Start``, ``@new_shape Start``: by name, entire text, or a part
            of the text that is unique among the added shapes.
    """
    match = _NEW_SPEC.fullmatch(spec)
    if match is None:
        return None
    kind, number, words = match.groups()
    found = [shape for shape in shapes if kind is None or is_kind(shape, kind)]
    if words is None:
        position = int(number or 1) - 1
        return found[position] if position < len(found) else None
    wanted = folded(words)
    for test in (lambda s: folded(s.name) == wanted, lambda s: folded(s.all_text) == wanted):
        first = next(filter(test, found), None)
        if first is not None:
            return first
    several = [shape for shape in found if wanted in folded(shape.all_text)]
    return several[0] if len(several) == 1 else None


def find_shape(slide: Slide, spec: str) -> Shape | None:
    """Return the shape for a selector; None if not found.

    Args:
        slide: Slide with the shape.
        spec: ``@kind`` or ``@kind:n``; else a name, an entire text, a part of the text that only
            one shape has, or an alternative text.
    """
    match = _KIND_SPEC.fullmatch(spec)
    if match is not None and match[1] in KINDS:
        found = [shape for shape in slide.shapes if is_kind(shape, match[1])]
        position = int(match[2] or 1) - 1
        return found[position] if position < len(found) else None
    wanted = folded(spec)
    for test in (
        lambda shape: shape.name == spec,
        lambda shape: folded(shape.name) == wanted,
        lambda shape: folded(shape.text) == wanted,
    ):
        first = next(filter(test, slide.shapes), None)
        if first is not None:
            return first
    for test in (
        lambda shape: wanted in folded(shape.all_text),
        lambda shape: folded(shape.alt_text) == wanted,
    ):
        several = list(filter(test, slide.shapes))
        if len(several) == 1:
            return several[0]
    return None


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
