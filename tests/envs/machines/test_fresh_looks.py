"""Looks of fresh machines are remembered by deck, and compared whole."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pptarena.envs.machines.base import Node, Observed, Tree
from pptarena.envs.machines.sandbox.reference_observations import ReferenceObservations
from pptarena.vm_images.guest.protocol import DocumentState


def look(value: int = 0, **changes: Any) -> Observed:
    node = Node(0, -1, "panel", "Title", "", "", (1, 2, 3, 4), frozenset({"showing"}))
    observed = Observed(
        screenshot=np.full((2, 3, 3), value, np.uint8),
        tree=Tree((node,)),
        window_titles=("deck",),
        clipboard="",
        document=DocumentState(open=True, revision=3, slide=1, slide_count=2),
    )
    return replace(observed, **changes)


def test_a_look_is_known_by_deck_and_name() -> None:
    looks = ReferenceObservations()
    assert not looks.knows(b"a", "x")
    assert not looks.same(b"a", "x", look())
    looks.keep(b"a", "x", look())
    assert looks.knows(b"a", "x")
    assert not looks.knows(b"a", "y")
    assert not looks.knows(b"b", "x")
    assert looks.same(b"a", "x", look())
    assert not looks.same(b"b", "x", look())


@pytest.mark.parametrize(
    "changes",
    [
        {"clipboard": "left behind"},
        {"window_titles": ("deck", "Styles")},
        {"tree": Tree(())},
        {"document": DocumentState(open=True, revision=3, slide=2, slide_count=2)},
        {"screenshot": np.zeros((2, 3, 3), np.uint8) + np.eye(2, 3, dtype=np.uint8)[..., None]},
    ],
)
def test_any_difference_counts_but_the_revision(changes: dict[str, Any]) -> None:
    looks = ReferenceObservations()
    looks.keep(b"a", "x", look())
    assert not looks.same(b"a", "x", look(**changes))
    later = DocumentState(open=True, revision=9, slide=1, slide_count=2)
    assert looks.same(b"a", "x", look(document=later))


def test_a_deck_has_one_look_and_another_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    looks = ReferenceObservations()
    looks.keep(b"a", "x", look(0))
    looks.keep(b"a", "x", look(0))
    assert not caplog.records
    looks.keep(b"a", "x", look(1))
    assert [value for value in range(3) if looks.same(b"a", "x", look(value))] == [1]
    assert "do not look alike" in caplog.text
