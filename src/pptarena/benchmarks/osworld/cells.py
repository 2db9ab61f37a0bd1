"""Compare table cells as OSWorld does: by style, not by text."""

from collections.abc import Iterator
from typing import Any

from pptarena.benchmarks.osworld.paragraphs import (
    color_differs,
    runs_of,
    switch_differs,
    underline_differs,
)

__all__ = ["cells_differ"]


def cells_differ(first: Any, second: Any, examined: frozenset[str]) -> Iterator[str]:
    """Yield the differences of two tables: rows, columns, paragraphs, runs and some styles.

    Only ``run_count`` and ``color_rgb`` can be disabled.
    """
    sizes = [(len(table.rows), len(table.columns)) for table in (first, second)]
    if sizes[0] != sizes[1]:
        yield f"a table of {sizes[0]} rows and columns instead of {sizes[1]}"
        return
    for row in range(sizes[0][0]):
        for column in range(sizes[0][1]):
            one, other = (table.cell(row, column).text_frame for table in (first, second))
            for reason in _of_cells(one, other, examined):
                yield f"row {row + 1}, column {column + 1}: {reason}"


def _of_cells(first: Any, second: Any, examined: frozenset[str]) -> Iterator[str]:
    paragraphs, others = list(first.paragraphs), list(second.paragraphs)
    if len(paragraphs) != len(others):
        yield f"{len(paragraphs)} paragraphs instead of {len(others)}"
    for one, other in zip(paragraphs, others, strict=False):
        runs, counterparts = runs_of(one, other)
        if "run_count" in examined and len(runs) != len(counterparts):
            yield f"{len(runs)} runs instead of {len(counterparts)}"
        for run, counterpart in zip(runs, counterparts, strict=False):
            font, wanted = run.font, counterpart.font
            if "color_rgb" in examined and color_differs(font, wanted):
                yield "the colour differs"
            if switch_differs(font.bold, wanted.bold):
                yield "bold differs"
            if switch_differs(font.italic, wanted.italic):
                yield "italic differs"
            if underline_differs(font.underline, wanted.underline):
                yield "the underline differs"
