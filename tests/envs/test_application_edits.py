"""Edits inside the application: which slides are compared."""

from collections.abc import Mapping
from typing import Any

import pytest

from pptarena.edits import apply_solution
from pptarena.envs.application_edits import changed_slides
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
    assert changed_slides(DECK, apply_solution(DECK, [edit])) == slides
