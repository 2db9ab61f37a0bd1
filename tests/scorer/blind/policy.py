"""The type of a blind policy, and helpers to find targets in a deck."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pptx.oxml.ns import qn

from pptarena.tasks.quality.attacks.uncompressed import edit_uncompressed

__all__ = ["Edit", "Policy", "bodies", "every_shape", "policy", "runs_of", "title_of"]

Edit = Callable[[Any], None]
"""Edits a python-pptx presentation in place."""

_SMALL = frozenset(("sldNum", "ftr", "dt"))
_TITLES = frozenset(("title", "ctrTitle"))


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy that reads no instruction.

    Attributes:
        name: Short description.
        edits: Edits applied one after the other.
        is_safe: Whether it removes nothing and so combines with all other policies.
    """

    name: str
    edits: tuple[Edit, ...]
    is_safe: bool = True

    def run(self, deck: bytes) -> bytes:
        """Return the deck edited by the policy."""
        return edit_uncompressed(deck, *self.edits)


def policy(name: str, registry: list[Policy], *, is_safe: bool = True) -> Callable[[Edit], Edit]:
    """Register a function as a policy."""

    def register(edit: Edit) -> Edit:
        registry.append(Policy(name, (edit,), is_safe))
        return edit

    return register


def every_shape(shapes: Any) -> Iterator[Any]:
    """Yield shapes and the members of groups."""
    for shape in shapes:
        yield shape
        if shape._element.tag == qn("p:grpSp"):
            yield from every_shape(shape.shapes)


def runs_of(element: Any) -> Iterator[Any]:
    """Yield the properties of all runs of an element; missing ones are created."""
    for run in element.iter(qn("a:r")):
        yield run.get_or_add_rPr()


def title_of(slide: Any) -> str:
    """Return the title of a slide; empty if it has none."""
    shape = slide.shapes.title
    return "" if shape is None else str(shape.text_frame.text).strip()


def bodies(slide: Any) -> Iterator[Any]:
    """Yield the text placeholders of a slide, except titles, footers, dates and slide numbers."""
    for shape in slide.placeholders:
        kind = shape._element.find(f".//{qn('p:ph')}").get("type", "obj")
        if shape.has_text_frame and kind not in _SMALL | _TITLES | {"subTitle"}:
            yield shape
