"""Signatures of the table macros."""

from collections.abc import Mapping

from pptarena.tasks.macro_arguments import (
    ON,
    SLIDE,
    Argument,
    MacroWords,
    count_argument,
    is_rows,
    text_argument,
)

__all__ = ["TABLE_MACROS"]

TABLE_MACROS: Mapping[str, MacroWords] = {
    "edit_cell": MacroWords(
        "A cell of a table reads so; rows and columns from 1.",
        {**ON, "row": count_argument(), "column": count_argument(), "text": text_argument()},
    ),
    "insert_table": MacroWords(
        "A table is on a slide, where the application puts it; cells are its rows of texts.",
        {"slide": SLIDE, "cells": Argument("a list of rows of texts, equally long", is_rows)},
    ),
    "delete_column": MacroWords("A column of a table is gone.", {**ON, "column": count_argument()}),
    "insert_row": MacroWords(
        "A new row of a table follows another, empty.", {**ON, "after": count_argument()}
    ),
}
"""Signature of each table macro by name."""
