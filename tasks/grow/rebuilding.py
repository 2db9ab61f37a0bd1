"""Rebuild the edits of a generated task from its row in a suite file."""

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
    """Return a deck after the edits of a generated task.

    Args:
        grown: The field ``grown`` of the task's row.
        file: The task's initial .pptx file, as received or as saved by the application.

    Raises:
        DeckError: If the deck cannot be read, or python-pptx cannot edit it.
        TaskError: If the row contains no edits, or they do not fit the deck.
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
    """Return the edits of a generated task, at their sites on its deck.

    Raises:
        TaskError: If the row contains no edits, or the deck lacks a site.
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
    """A draft with its edits on another file of its deck, scored like the original draft."""

    model: Draft

    def rubric(self) -> dict[str, Any]:
        return self.model.rubric()

    def scope(self) -> dict[str, Any]:
        return self.model.scope()


def on_ground(draft: Draft, ground: Ground) -> Draft:
    """Return a draft with its edits rebuilt on another file, as from its row.

    Raises:
        TaskError: If the file lacks a site.
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
