"""Edits inside the application: which slides are compared, and their origins."""

from collections.abc import Mapping
from typing import Any

import pytest

from pptarena.decks import read_deck
from pptarena.edits import apply_solution
from pptarena.envs.application_edits import changed_slides, slide_origins
from pptarena.tasks import get_task

DECK = get_task("meridian-hide-backup").deck_bytes()


@pytest.mark.parametrize(
    ("edit", "slides"),
    [
        ({"edit": "hide_slide", "slide": 17}, (16,)),
        ({"edit": "set_text", "slide": 3, "shape": "@title", "text": "Tents"}, (2,)),
        ({"edit": "duplicate_slide", "slide": 2}, (2,)),
        ({"edit": "delete_slide", "slide": 2}, ()),
        ({"edit": "set_master_background", "color": "#FF0000"}, None),
    ],
)
def test_only_changed_slides_are_compared(
    edit: Mapping[str, Any], slides: tuple[int, ...] | None
) -> None:
    target = read_deck(apply_solution(DECK, [edit]))
    assert changed_slides(read_deck(DECK), target) == slides


@pytest.mark.parametrize(
    ("edit", "origins"),
    [
        ({"edit": "duplicate_slide", "slide": 2}, (0, 1, None, 2)),
        ({"edit": "delete_slide", "slide": 2}, (0, 2, 3, 4)),
        ({"edit": "move_slide", "slide": 3, "position": 1}, (2, 0, 1, 3)),
    ],
)
def test_slides_are_identified_by_their_ids(
    edit: Mapping[str, Any], origins: tuple[int | None, ...]
) -> None:
    target = read_deck(apply_solution(DECK, [edit]))
    assert slide_origins(read_deck(DECK), target)[:4] == origins
