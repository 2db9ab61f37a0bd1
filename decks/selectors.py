"""Finding a shape of a slide by the words of a rubric."""

import re
from collections.abc import Callable

from pptarena.decks import Shape, Slide
from pptarena.decks.text_match import folded

__all__ = ["KINDS", "find_shape", "is_kind", "require_spec"]

_PLACEHOLDERS = {
    "title": ("title", "ctrTitle"),
    "subtitle": ("subTitle",),
    "body": ("body", "obj"),
    "footer": ("ftr",),
    "date": ("dt",),
    "number": ("sldNum",),
}
_PLAIN = ("picture", "table", "chart", "group", "line", "media", "graphic", "shape", "placeholder")
_CONTENT = ("diagram", "video", "audio")
KINDS = (*_PLACEHOLDERS, *_PLAIN, *_CONTENT, "text_box")
"""Words that may stand behind ``@``."""

_KIND_SPEC = re.compile(r"@([a-z_]+)(?::([1-9][0-9]*))?")


def is_kind(shape: Shape, kind: str) -> bool:
    """Return whether a shape is of a kind, one of `KINDS`."""
    if kind in _PLACEHOLDERS:
        return shape.placeholder in _PLACEHOLDERS[kind]
    if kind == "picture":
        return shape.picture is not None and shape.kind != "media"
    if kind == "diagram":
        return shape.smart_art is not None
    if kind in ("video", "audio"):
        return shape.picture is not None and shape.picture.media_kind == kind
    return shape.kind == kind


def require_spec(spec: str | None) -> None:
    """Raise ValueError for words that can mean no shape: empty, or an unknown ``@kind``."""
    if spec is None:
        return
    match = _KIND_SPEC.fullmatch(spec)
    if not spec.strip() or (spec.startswith("@") and (match is None or match[1] not in KINDS)):
        raise ValueError(f"expected a name, a text or one of @{', @'.join(KINDS)}; got {spec!r}")


def find_shape(slide: Slide, spec: str) -> Shape | None:
    """Return the shape that a rubric's words mean, or None.

    Args:
        slide: Where to look.
        spec: ``@kind`` or ``@kind:n``; else a name, a whole text, a part of the text of only one
            shape, or an alternative text.
    """
    match = _KIND_SPEC.fullmatch(spec)
    if match is not None and match[1] in KINDS:
        found = [shape for shape in slide.shapes if is_kind(shape, match[1])]
        position = int(match[2] or 1) - 1
        return found[position] if position < len(found) else None
    wanted = folded(spec)
    named = [shape for shape in slide.shapes if shape.name == spec]
    if named:
        return named[0]
    tests: tuple[Callable[[Shape], bool], ...] = (
        lambda shape: folded(shape.name) == wanted,
        lambda shape: folded(shape.text) == wanted,
    )
    for test in tests:
        first = next((shape for shape in slide.shapes if test(shape)), None)
        if first is not None:
            return first
    parts: tuple[Callable[[Shape], bool], ...] = (
        lambda shape: wanted in folded(shape.all_text),
        lambda shape: folded(shape.alt_text) == wanted,
    )
    for part in parts:
        several = [shape for shape in slide.shapes if part(shape)]
        if len(several) == 1:
            return several[0]
    return None
