"""The edits of a grown task, made again from its row of a suite."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pptarena.decks import Slide, read_deck
from pptarena.decks.selectors import find_shape
from pptarena.errors import TaskError
from pptarena.tasks.grow.draft import Draft, Edit
from pptarena.tasks.grow.edits import EDIT_ERRORS, opened, saved
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operators import OPERATORS
from pptarena.tasks.grow.repairs import REPAIRS

__all__ = ["edited", "edits_of", "on_ground"]

_PLACE = ("slide", "shape", "other_shape")


def edited(grown: Mapping[str, Any], file: bytes) -> bytes:
    """Return a deck after the edits that a grown task asks for.

    Args:
        grown: The key ``grown`` of the task's row.
        file: The .pptx file that the task begins with, as it came or as the application saves it.

    Raises:
        DeckError: If the deck cannot be read, or python-pptx cannot edit it.
        TaskError: If the row does not tell its edits, or the deck does not allow them.
    """
    ground = Ground("", hashlib.sha256(file).hexdigest(), file, read_deck(file))
    presentation = opened(file)
    for edit in edits_of(grown, ground):
        try:
            edit.apply(presentation)
        except EDIT_ERRORS as error:
            raise TaskError(
                f"{edit.operator.name}: the deck does not allow it: {error!r}"
            ) from error
    return saved(presentation)


def edits_of(grown: Mapping[str, Any], ground: Ground) -> tuple[Edit, ...]:
    """Return the edits that make a grown task's goal, at their places on its deck.

    Raises:
        TaskError: If the row does not tell them, or the deck has no such place.
    """
    rows = grown.get("edits")
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise TaskError(
            "expected a grown task whose row tells its edits, got one without: "
            "grow the suite again with this version"
        )
    return tuple(_edit(row, ground) for row in rows)


@dataclass(frozen=True)
class _Again(Draft):
    """A task whose edits are made on another file of its deck, judged as the task is."""

    model: Draft

    def rubric(self) -> dict[str, Any]:
        return self.model.rubric()

    def scope(self) -> dict[str, Any]:
        return self.model.scope()


def on_ground(draft: Draft, ground: Ground) -> Draft:
    """Return a draft with its edits as its row tells them, at their places on another file.

    Raises:
        TaskError: If the file has no such place.
    """
    rows = json.loads(json.dumps([edit.to_json() for edit in draft.edits]))
    known = {each.name: getattr(draft, each.name) for each in fields(Draft)}
    edits = edits_of({"edits": rows}, ground)
    return _Again(**known | {"ground": ground, "edits": edits}, model=draft)


def _edit(row: Mapping[str, Any], ground: Ground) -> Edit:
    name, site = row["op"], _site(row["site"], ground)
    if name in OPERATORS:
        return Edit(OPERATORS[name], site, row["params"])
    if name in REPAIRS:
        return Edit(REPAIRS[name].mend(site), site, row["params"])
    raise TaskError(f"expected an operator of this version, got {name!r}")


def _site(row: Mapping[str, Any], ground: Ground) -> Site:
    detail = {key: value for key, value in row.items() if key not in _PLACE}
    if "slide" not in row:
        return Site(ground, detail=detail)
    number, slides = row["slide"], ground.deck.slides
    if not 1 <= number <= len(slides):
        raise TaskError(f"expected a deck with a slide {number}, got one of {len(slides)}")
    shape, other = (_shape_index(slides[number - 1], row.get(key)) for key in _PLACE[1:])
    return Site(ground, number - 1, shape, detail, other)


def _shape_index(slide: Slide, spec: str | None) -> int | None:
    if spec is None:
        return None
    found = find_shape(slide, spec)
    if found is None:
        raise TaskError(f"expected a slide with a shape {spec!r}, there is none")
    return next(index for index, shape in enumerate(slide.shapes) if shape is found)
