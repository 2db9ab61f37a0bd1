"""Operators for tables."""

from collections.abc import Iterator
from random import Random
from typing import Any

from pptarena.decks import Table
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import hex_color, make_edit, sample_from
from pptarena.tasks.generator.references import quotable
from pptarena.tasks.generator.slots import COLOR, COLORS, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_CELL_TEXTS = (
    "Kappa",
    "none",
    "to be checked",
    "Delta",
    "42",
    "17",
    "9.5",
    "Sigma",
    "open",
    "done",
)
_ALIGNMENTS = ("left", "center", "right")


def _tables(
    context: DeckContext, *, without_merged: bool = False
) -> Iterator[tuple[Target, Table]]:
    """Yield the tables of a deck; with `without_merged`, only those without merged cells."""
    for slide in context.deck.slides:
        for shape in slide.shapes:
            table = shape.table
            if table is None or shape.group is not None or len(table.rows) < 2:
                continue
            if not without_merged or all(
                cell.spans == (1, 1) for row in table.rows for cell in row
            ):
                yield Target(context, slide.index, shape.index), table


def _cells(context: DeckContext) -> Iterator[Target]:
    for target, table in _tables(context):
        for row, cells in enumerate(table.rows, start=1):
            for column, cell in enumerate(cells, start=1):
                if cell.spans == (1, 1):
                    detail = {"row": row, "column": column}
                    yield Target(context, target.slide_index, target.shape_index, detail)


def _rows(context: DeckContext) -> Iterator[Target]:
    for target, table in _tables(context, without_merged=True):
        labels = [cells[0].text for cells in table.rows]
        for label in labels[1:]:
            if quotable(label) and labels.count(label) == 1 and len(labels) > 2:
                yield Target(context, target.slide_index, target.shape_index, {"label": label})


def _columns(context: DeckContext) -> Iterator[Target]:
    for target, table in _tables(context, without_merged=True):
        labels = [cell.text for cell in table.rows[0]]
        for label in labels[1:]:
            if quotable(label) and labels.count(label) == 1 and len(labels) > 2:
                yield Target(context, target.slide_index, target.shape_index, {"label": label})


def _regular_tables(context: DeckContext) -> Iterator[Target]:
    return (target for target, _ in _tables(context, without_merged=True))


def _table(target: Target) -> Table:
    assert target.shape.table is not None
    return target.shape.table


def _row_index(target: Target) -> int:
    """Return the row index of a target."""
    return [cells[0].text for cells in _table(target).rows].index(target.detail["label"])


def _column_index(target: Target) -> int:
    return [cell.text for cell in _table(target).rows[0]].index(target.detail["label"])


def _sample_text(target: Target, rng: Random) -> Params:
    current = _table(target).rows[target.detail["row"] - 1][target.detail["column"] - 1].text
    return {"text": rng.choice([each for each in _CELL_TEXTS if each != current])}


def _sample_row(target: Target, rng: Random) -> Params | None:
    count = len(_table(target).rows[0])
    if not 2 <= count <= 4:
        return None
    return {"cells": " | ".join(rng.sample(_CELL_TEXTS, count))}


def _new_cells(params: Params) -> list[str]:
    return str(params["cells"]).split(" | ")


def _single_cell_scope(target: Target, params: Params) -> dict[str, Any]:
    return {"cells": [[target.detail["row"], target.detail["column"]]]}


OPERATORS = (
    Operator(
        "set-cell",
        "tables",
        "shape",
        _cells,
        lambda target, params: [
            make_edit(target, "set_cell", **target.detail, text=params["text"])
        ],
        lambda target, params: [
            leaf("table_cell_is", **target.args, **target.detail, text=params["text"])
        ],
        ("tables",),
        (
            "write {text} into row {row}, column {column} of {it}",
            "change the cell in row {row} and column {column} of {it} to {text}",
            "set row {row}, column {column} in {it} to {text}",
            "replace the text in row {row}, column {column} of {it} with {text}",
            "enter {text} in {it}, row {row}, column {column}",
        ),
        (
            "row {row}, column {column} of {it} should read {text}",
            "in {it}, the cell in row {row} and column {column} should say {text}",
        ),
        params=_sample_text,
        slots={"row": NUMBER, "column": NUMBER, "text": TEXT},
        playable=always,
        scope=_single_cell_scope,
    ),
    Operator(
        "fill-cell",
        "tables",
        "shape",
        _cells,
        lambda target, params: [
            make_edit(target, "set_cell_format", **target.detail, fill=hex_color(params))
        ],
        lambda target, params: [
            leaf("table_cell_format", **target.args, **target.detail, fill=params["color"])
        ],
        ("style",),
        (
            "fill row {row}, column {column} of {it} with {color}",
            "give the cell in row {row} and column {column} of {it} a {color} background",
            "color row {row}, column {column} in {it} {color}",
            "make the cell in row {row}, column {column} of {it} {color}",
            "shade row {row}, column {column} of {it} in {color}",
        ),
        (
            "row {row}, column {column} of {it} should be filled with {color}",
            "the cell in row {row} and column {column} of {it} should be {color}",
        ),
        params=sample_from("color", *COLORS),
        slots={"row": NUMBER, "column": NUMBER, "color": COLOR},
        scope=_single_cell_scope,
    ),
    Operator(
        "delete-row",
        "tables",
        "shape",
        _rows,
        lambda target, params: [make_edit(target, "delete_row", position=_row_index(target) + 1)],
        lambda target, params: [
            leaf("table_lacks_row", **target.args, label=target.detail["label"])
        ],
        ("tables", "geometry", "style"),
        (
            "delete the row {label} from {it}",
            "take the row that begins with {label} out of {it}",
            "remove the row {label} in {it}",
            "drop the line for {label} from {it}",
            "cut the row {label} from {it}",
        ),
        (
            "the row {label} should be removed from {it}",
            "{it} should no longer have the row {label}",
        ),
        slots={"label": TEXT},
    ),
    Operator(
        "delete-column",
        "tables",
        "shape",
        _columns,
        lambda target, params: [
            make_edit(target, "delete_column", position=_column_index(target) + 1)
        ],
        lambda target, params: [
            leaf("table_lacks_column", **target.args, label=target.detail["label"])
        ],
        ("tables", "geometry"),
        (
            "delete the column {label} from {it}",
            "take the column headed {label} out of {it}",
            "remove the column {label} in {it}",
            "drop the {label} column from {it}",
            "cut the column {label} from {it}",
        ),
        (
            "the column {label} should be removed from {it}",
            "{it} should no longer have the column {label}",
        ),
        slots={"label": TEXT},
    ),
    Operator(
        "add-row",
        "tables",
        "shape",
        _regular_tables,
        lambda target, params: [
            make_edit(
                target,
                "add_row",
                cells=_new_cells(params),
                position=len(_table(target).rows) + 1,
            )
        ],
        lambda target, params: [
            leaf(
                "table_has_row",
                **target.args,
                cells=_new_cells(params),
                at=len(_table(target).rows) + 1,
            ),
            leaf("table_size", **target.args, rows=len(_table(target).rows) + 1),
        ],
        ("tables", "geometry", "style"),
        (
            "add a row {cells} at the end of {it}",
            "append the row {cells} to {it}",
            "put a last row with {cells} in {it}",
            "extend {it} with the row {cells}",
            "end {it} with a new row {cells}",
        ),
        (
            "{it} should have a new last row {cells}",
            "below the last row of {it} there should be {cells}",
        ),
        params=_sample_row,
        slots={"cells": TEXT},
        level=2,
    ),
    Operator(
        "bold-row",
        "tables",
        "shape",
        _rows,
        lambda target, params: [
            make_edit(target, "set_cell_format", row=_row_index(target) + 1, bold=True)
        ],
        lambda target, params: [
            leaf("table_cell_format", **target.args, row=target.detail["label"], bold=True)
        ],
        ("formatting",),
        (
            "make the row {label} of {it} bold",
            "set the row {label} of {it} in bold",
            "bold the row for {label} in {it}",
            "emphasize the row {label} in {it} with bold",
            "put all cells of the row {label} of {it} in bold",
        ),
        ("the row {label} of {it} should be bold", "in {it}, the row {label} should be in bold"),
        slots={"label": TEXT},
        scope=lambda target, params: {
            "cells": [
                [_row_index(target) + 1, n] for n in range(1, len(_table(target).rows[0]) + 1)
            ],
            "properties": ["bold"],
        },
    ),
    Operator(
        "align-column",
        "tables",
        "shape",
        _columns,
        lambda target, params: [
            make_edit(
                target, "set_cell_format", column=_column_index(target) + 1, align=params["align"]
            )
        ],
        lambda target, params: [
            leaf(
                "table_cell_format",
                **target.args,
                column=target.detail["label"],
                align=params["align"],
            )
        ],
        ("formatting",),
        (
            "align the column {label} of {it} to the {align}",
            "set the alignment of the column {label} of {it} to {align}",
            "align the heading {label} and the cells below it in {it} to the {align}",
            "align the text of the column {label} in {it} to the {align}",
            "make the {label} column of {it} {align}-aligned",
        ),
        (
            "the column {label} of {it} should be aligned to the {align}",
            "in {it}, the column {label} should be {align}-aligned",
        ),
        params=sample_from("align", *_ALIGNMENTS),
        slots={
            "label": TEXT,
            "align": choice({each: each for each in _ALIGNMENTS}),
        },
        scope=lambda target, params: {
            "cells": [
                [n, _column_index(target) + 1] for n in range(1, len(_table(target).rows) + 1)
            ],
            "properties": ["align"],
        },
    ),
)
"""The operators of this module."""
