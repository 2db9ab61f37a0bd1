"""Operators for tables."""

from collections.abc import Iterator
from random import Random
from typing import Any

from pptarena.decks import Table
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import as_edit, chosen, paint
from pptarena.tasks.grow.references import quotable
from pptarena.tasks.grow.slots import COLOR, COLORS, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_WORDS = ("Kappa", "none", "to be checked", "Delta", "42", "17", "9.5", "Sigma", "open", "done")
_ALIGN = ("left", "center", "right")


def _tables(ground: Ground, *, whole: bool = False) -> Iterator[tuple[Site, Table]]:
    """Yield the tables of a deck; with `whole`, only those without merged cells."""
    for slide in ground.deck.slides:
        for shape in slide.shapes:
            table = shape.table
            if table is None or shape.group is not None or len(table.rows) < 2:
                continue
            if not whole or all(cell.spans == (1, 1) for row in table.rows for cell in row):
                yield Site(ground, slide.index, shape.index), table


def _cells(ground: Ground) -> Iterator[Site]:
    for site, table in _tables(ground):
        for row, cells in enumerate(table.rows, start=1):
            for column, cell in enumerate(cells, start=1):
                if cell.spans == (1, 1):
                    where = {"row": row, "column": column}
                    yield Site(ground, site.slide_index, site.shape_index, where)


def _rows(ground: Ground) -> Iterator[Site]:
    for site, table in _tables(ground, whole=True):
        labels = [cells[0].text for cells in table.rows]
        for label in labels[1:]:
            if quotable(label) and labels.count(label) == 1 and len(labels) > 2:
                yield Site(ground, site.slide_index, site.shape_index, {"label": label})


def _columns(ground: Ground) -> Iterator[Site]:
    for site, table in _tables(ground, whole=True):
        labels = [cell.text for cell in table.rows[0]]
        for label in labels[1:]:
            if quotable(label) and labels.count(label) == 1 and len(labels) > 2:
                yield Site(ground, site.slide_index, site.shape_index, {"label": label})


def _whole(ground: Ground) -> Iterator[Site]:
    return (site for site, _ in _tables(ground, whole=True))


def _facts(site: Site) -> Table:
    assert site.shape.table is not None
    return site.shape.table


def _row(site: Site) -> int:
    """Return the row index of a site."""
    return [cells[0].text for cells in _facts(site).rows].index(site.detail["label"])


def _column(site: Site) -> int:
    return [cell.text for cell in _facts(site).rows[0]].index(site.detail["label"])


def _draw_word(site: Site, rng: Random) -> Params:
    now = _facts(site).rows[site.detail["row"] - 1][site.detail["column"] - 1].text
    return {"text": rng.choice([each for each in _WORDS if each != now])}


def _draw_row(site: Site, rng: Random) -> Params | None:
    count = len(_facts(site).rows[0])
    if not 2 <= count <= 4:
        return None
    return {"cells": " | ".join(rng.sample(_WORDS, count))}


def _new_cells(params: Params) -> list[str]:
    return str(params["cells"]).split(" | ")


def _one_cell(site: Site, params: Params) -> dict[str, Any]:
    return {"cells": [[site.detail["row"], site.detail["column"]]]}


OPERATORS = (
    Operator(
        "set-cell",
        "tables",
        "shape",
        _cells,
        lambda site, params: [as_edit(site, "set_cell", **site.detail, text=params["text"])],
        lambda site, params: [
            leaf("table_cell_is", **site.args, **site.detail, text=params["text"])
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
        params=_draw_word,
        slots={"row": NUMBER, "column": NUMBER, "text": TEXT},
        playable=always,
        scope=_one_cell,
    ),
    Operator(
        "fill-cell",
        "tables",
        "shape",
        _cells,
        lambda site, params: [as_edit(site, "set_cell_format", **site.detail, fill=paint(params))],
        lambda site, params: [
            leaf("table_cell_format", **site.args, **site.detail, fill=params["color"])
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
        params=chosen("color", *COLORS),
        slots={"row": NUMBER, "column": NUMBER, "color": COLOR},
        scope=_one_cell,
    ),
    Operator(
        "delete-row",
        "tables",
        "shape",
        _rows,
        lambda site, params: [as_edit(site, "delete_row", position=_row(site) + 1)],
        lambda site, params: [leaf("table_lacks_row", **site.args, label=site.detail["label"])],
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
        lambda site, params: [as_edit(site, "delete_column", position=_column(site) + 1)],
        lambda site, params: [leaf("table_lacks_column", **site.args, label=site.detail["label"])],
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
        _whole,
        lambda site, params: [
            as_edit(
                site,
                "add_row",
                cells=_new_cells(params),
                position=len(_facts(site).rows) + 1,
            )
        ],
        lambda site, params: [
            leaf(
                "table_has_row",
                **site.args,
                cells=_new_cells(params),
                at=len(_facts(site).rows) + 1,
            ),
            leaf("table_size", **site.args, rows=len(_facts(site).rows) + 1),
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
        params=_draw_row,
        slots={"cells": TEXT},
        level=2,
    ),
    Operator(
        "bold-row",
        "tables",
        "shape",
        _rows,
        lambda site, params: [as_edit(site, "set_cell_format", row=_row(site) + 1, bold=True)],
        lambda site, params: [
            leaf("table_cell_format", **site.args, row=site.detail["label"], bold=True)
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
        scope=lambda site, params: {
            "cells": [[_row(site) + 1, n] for n in range(1, len(_facts(site).rows[0]) + 1)],
            "properties": ["bold"],
        },
    ),
    Operator(
        "align-column",
        "tables",
        "shape",
        _columns,
        lambda site, params: [
            as_edit(site, "set_cell_format", column=_column(site) + 1, align=params["align"])
        ],
        lambda site, params: [
            leaf(
                "table_cell_format",
                **site.args,
                column=site.detail["label"],
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
        params=chosen("align", *_ALIGN),
        slots={
            "label": TEXT,
            "align": choice({each: each for each in _ALIGN}),
        },
        scope=lambda site, params: {
            "cells": [[n, _column(site) + 1] for n in range(1, len(_facts(site).rows) + 1)],
            "properties": ["align"],
        },
    ),
)
"""The operators of this module."""
