"""Combinations of edits on one target."""

from typing import Any

import pytest

from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import OPERATORS, DeckGenerator
from pptarena.tasks.generator.deck_context import Target
from pptarena.tasks.generator.draft import Edit
from pptarena.tasks.generator.parts import may_share_target


@pytest.mark.parametrize(
    ("first", "second", "may_combine"),
    [("link-text", "fill-shape", False), ("fill-shape", "link-text", False),
     ("link-to-slide", "fill-shape", False), ("link-text", "bold-words", False),
     ("bold-words", "link-to-slide", False), ("link-text", "bold-text", True)],
)  # fmt: skip
def test_links_combine_with_neither_fills_nor_partial_formatting(
    first: str, second: str, may_combine: bool
) -> None:
    context = DeckGenerator(read_deck_file("meridian"), "meridian").context
    shape = next(shape for shape in context.deck.slides[0].shapes if shape.text)
    target = Target(context, 0, shape.index)
    params: dict[str, Any] = {}
    edits = [Edit(OPERATORS[name], target, params) for name in (first, second)]
    assert may_share_target(*edits) is may_combine
