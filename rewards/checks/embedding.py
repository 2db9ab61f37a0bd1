"""Checks of embedded and linked content: pictures and files of other programs."""

from typing import Literal

from pptarena.decks import Shape
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.arguments import Count
from pptarena.rewards.checking.pairs import ShapePair, SlidePair
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import CheckResult, needed, verdict

_PROGRAMS = {
    # How files name them, and the id by which LibreOffice names its own.
    "formula": ("equation", "math", "078b7aba-54fc-457f-8551-6147e776a997"),
    "spreadsheet": ("excel", "calc", "sheet", "47bbb4cb-ce4c-4e80-a591-42d9ae74950f"),
    "document": ("word", "writer", "8bc6b165-b1b2-4edd-aa47-dae2ee689dd6"),
}


@shape_check("images", "media", is_binary=True, shape="@picture")
def picture_embedded(pair: ShapePair, embedded: bool = True) -> CheckResult:
    """Measure whether a picture is embedded in the deck, or only linked."""
    picture = needed(pair.after.picture, f"{pair.label} is not a picture")
    is_in = bool(picture.sha256) and not picture.linked
    how = "in the deck" if is_in else f"linked to {picture.linked}" if picture.linked else "missing"
    right = is_in if embedded else bool(picture.linked)
    return verdict(right, f"{pair.label} is {how}", f"{pair.label} is {how}")


@slide_check("media")
def embedded_present(
    pair: SlidePair,
    kind: Literal["any", "formula", "spreadsheet", "document"] = "any",
    program: str | None = None,
    count: Count = 1,
    new: bool = True,
) -> CheckResult:
    """Measure how many of `count` files of other programs a slide has, such as formulas.

    Args:
        program: Part of the program's name in the file, such as `Excel.Sheet`.
        new: Whether only files count that the original slide lacks.
    """
    shapes = pair.new_shapes if new else pair.after.shapes
    found = sum(_fits(shape, kind, program) and pair.counts(shape) for shape in shapes)
    name = "embedded object" if kind == "any" else kind
    return CheckResult(min(1.0, found / count), f"{pair.label}: {name}s {found} of {count}")


def _fits(shape: Shape, kind: str, program: str | None) -> bool:
    if shape.embedded is None or not shape.embedded.sha256:
        return False
    name = folded(shape.embedded.program)
    if kind != "any" and not any(each in name for each in _PROGRAMS[kind]):
        return False
    return program is None or folded(program) in name
