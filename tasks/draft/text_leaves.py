"""Leaves for text: shape text, notes, cells, alt text, links, comments."""

import re
from collections.abc import Iterator, Sequence

from pptarena.decks import Comment, Link
from pptarena.decks.diff.change import Change
from pptarena.tasks.draft.leaf import Leaf, PartContext

__all__ = ["alt_text_leaves", "comment_leaves", "link_leaves", "note_leaves", "table_leaves",
           "text_leaves"]  # fmt: skip

_CELL = re.compile(r"row (\d+) column (\d+)")
_ROW_OR_COLUMN = re.compile(r"(row|column) (\d+)")


def text_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for the text of a shape."""
    text = change.value_after
    if not isinstance(text, str) or not text.strip():
        return
    if context.at.get("shape") == "@title":
        yield Leaf("title_is", {"slide": context.part.slide, "text": text})
    if "\n" in text:
        yield Leaf("paragraphs_are", {**context.at, "paragraphs": text.split("\n")})
    yield Leaf("shape_text_is", {**context.at, "text": text})


def note_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for the speaker notes."""
    if isinstance(change.value_after, str) and change.value_after.strip():
        yield Leaf("notes_are", {**context.at, "text": change.value_after})


def table_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for the text of a cell, or for an added or removed row or column."""
    cell, line = _CELL.fullmatch(change.what), _ROW_OR_COLUMN.fullmatch(change.what)
    if cell is not None and isinstance(change.value_after, str):
        cell_position = {"row": int(cell[1]), "column": int(cell[2])}
        yield Leaf("table_cell_is", {**context.at, **cell_position, "text": change.value_after})
    if line is not None and isinstance(change.value_after, tuple):
        cells = {"cells": list(change.value_after), "at": int(line[2])}
        yield Leaf(f"table_has_{line[1]}", {**context.at, **cells})
    if line is not None and isinstance(change.value_before, tuple) and change.value_before:
        yield Leaf(f"table_lacks_{line[1]}", {**context.at, "label": change.value_before[0]})


def alt_text_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for an alt text."""
    if isinstance(change.value_after, str) and change.value_after.strip():
        yield Leaf("alt_text_is", {**context.at, "text": change.value_after.strip()})


def link_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a link of a shape, or for one new link of its text."""
    after, before = change.value_after, change.value_before
    if isinstance(after, Link):
        hover = {"hover": True} if change.what == "on hovering" else {}
        yield Leaf("hyperlink_is", {**context.at, **_target(after), **hover})
    elif after is None:
        yield Leaf("hyperlink_none", context.at)
    elif isinstance(after, tuple) and isinstance(before, tuple):
        new = [each for each in after if each not in before]
        if not after:
            yield Leaf("hyperlink_none", context.at)
        if len(new) == 1 and len(after) >= len(before):
            text, link, *_ = new[0]
            yield Leaf("hyperlink_is", {**context.at, "text": text, **_target(link)})


def comment_leaves(context: PartContext, changes: Sequence[Change]) -> Iterator[Leaf]:
    """Yield leaves for one added or removed comment."""
    if len(changes) != 1:
        return
    change = changes[0]
    new, old = change.value_after, change.value_before
    if change.kind == "comment_added" and isinstance(new, Comment):
        yield Leaf("comment_exists", {**context.at, "text": new.text})
    if change.kind == "comment_removed" and isinstance(old, Comment):
        yield Leaf("comment_none", {**context.at, "text": old.text})


def _target(link: Link) -> dict[str, object]:
    return {"url": link.address} if link.slide is None else {"to_slide": link.slide}
