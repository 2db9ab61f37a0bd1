"""Which edits may stand together."""

from typing import Any

import pytest

from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import OPERATORS, DeckGrower
from pptarena.tasks.grow.draft import Edit
from pptarena.tasks.grow.ground import Site
from pptarena.tasks.grow.parts import may_share_place


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [("link-text", "fill-shape", False), ("fill-shape", "link-text", False),
     ("link-to-slide", "fill-shape", False), ("link-text", "bold-words", False),
     ("bold-words", "link-to-slide", False), ("link-text", "bold-text", True)],
)  # fmt: skip
def test_a_link_is_not_filled_behind_nor_set_in_parts(
    first: str, second: str, together: bool
) -> None:
    ground = DeckGrower(read_deck_file("meridian"), "meridian").ground
    shape = next(shape for shape in ground.deck.slides[0].shapes if shape.text)
    site = Site(ground, 0, shape.index)
    params: dict[str, Any] = {}
    edits = [Edit(OPERATORS[name], site, params) for name in (first, second)]
    assert may_share_place(*edits) is together
