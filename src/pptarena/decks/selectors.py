"""Find shapes by the selectors used in rubrics."""

import re
from collections.abc import Iterator, Sequence

from pptarena.decks import Shape, Slide
from pptarena.decks.text_match import normalize_caseless

__all__ = [
    "KINDS",
    "PLACEHOLDERS",
    "find_new",
    "find_shape",
    "is_kind",
    "is_new_spec",
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


def is_new_spec(spec: str | None) -> bool:
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
    if spec is None or (new and is_new_spec(spec)):
        return
    match = _KIND_SPEC.fullmatch(spec)
    if not spec.strip() or (spec.startswith("@") and (match is None or match[1] not in KINDS)):
        options = f"@{', @'.join(KINDS)}"
        new_options = ", @new, @new:2, @new_<kind>, '@new <name or text>'" if new else ""
        raise ValueError(f"expected a name, a text or one of {options}{new_options}; got {spec!r}")


def find_new(shapes: Sequence[Shape], spec: str) -> Shape | None:
    """Return the shape for a selector accepted by `is_new_spec`; None if not found.

    Args:
        shapes: The added shapes of a slide, in z-order.
        spec: ``@new``, ``@new:2``, ``@new_picture``, ``@new_picture:2``: by position among the
            added shapes, or ``@new Start``, ``@new_shape Start``: by name, entire text, or a part
            of the text that is unique among the added shapes.
    """
    match = _NEW_SPEC.fullmatch(spec)
    if match is None:
        return None
    kind, number, text = match.groups()
    candidates = [shape for shape in shapes if kind is None or is_kind(shape, kind)]
    if text is None:
        position = int(number or 1) - 1
        return candidates[position] if position < len(candidates) else None
    target = normalize_caseless(text)
    for test in (
        lambda s: normalize_caseless(s.name) == target,
        lambda s: normalize_caseless(s.all_text) == target,
    ):
        match_by_text = next(filter(test, candidates), None)
        if match_by_text is not None:
            return match_by_text
    matches = [shape for shape in candidates if target in normalize_caseless(shape.all_text)]
    return matches[0] if len(matches) == 1 else None


def find_shape(slide: Slide, spec: str) -> Shape | None:
    """Return the shape for a selector; None if not found.

    Args:
        slide: Slide with the shape.
        spec: ``@kind`` or ``@kind:n``; else a name, an entire text, a part of the text that only
            one shape has, or an alternative text.
    """
    match = _KIND_SPEC.fullmatch(spec)
    if match is not None and match[1] in KINDS:
        candidates = [shape for shape in slide.shapes if is_kind(shape, match[1])]
        position = int(match[2] or 1) - 1
        return candidates[position] if position < len(candidates) else None
    target = normalize_caseless(spec)
    for test in (
        lambda shape: shape.name == spec,
        lambda shape: normalize_caseless(shape.name) == target,
        lambda shape: normalize_caseless(shape.text) == target,
    ):
        first_match = next(filter(test, slide.shapes), None)
        if first_match is not None:
            return first_match
    for test in (
        lambda shape: target in normalize_caseless(shape.all_text),
        lambda shape: normalize_caseless(shape.alt_text) == target,
    ):
        matches = list(filter(test, slide.shapes))
        if len(matches) == 1:
            return matches[0]
    return None


_MAX_TEXT_CHARS = 60


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
        same_kind = [each for each in slide.shapes if is_kind(each, kind)]
        position = next(i for i, each in enumerate(same_kind) if each is shape)
        by_kind.append(f"@{kind}" if position == 0 else f"@{kind}:{position + 1}")
    if shape.placeholder:
        yield from by_kind
    if shape.name.strip() and not shape.name.startswith("@"):
        yield shape.name
    yield from by_kind
    if shape.text.strip() and len(shape.text) <= _MAX_TEXT_CHARS:
        yield shape.text
