"""Rewriting and rounding at save are no change; anything beyond is."""

from dataclasses import replace
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.decks import Box, Effect, Layout, Master, Shape, Slide
from pptarena.decks.diff.fields import same_effects
from pptarena.decks.facts.content import Embedded
from pptarena.decks.facts.paint import NO_PAINT
from pptarena.rewards import Deck, diff_decks

_BOX = Box(914_400, 914_400, 1_828_800, 914_400)


def _shape(index: int = 0, **values: Any) -> Shape:
    defaults: dict[str, Any] = {"name": f"Shape {index}", "kind": "shape", "geometry": "rect"}
    return Shape(index, placeholder="", box=values.pop("box", _BOX), **{**defaults, **values})


def _deck(*shapes: Shape, **values: Any) -> Deck:
    master = values.pop("master", Master((), ("", ""), NO_PAINT))
    slide = Slide(0, 256, shapes, **values)
    return Deck((slide,), 9_144_000, 6_858_000, masters=(master,))


def _texts(before: Deck, after: Deck) -> list[str]:
    return [change.text for change in diff_decks(before, after)]


def _effect(kind: Any, color: str, measures: str) -> Effect:
    parts = [part.partition("=") for part in measures.split()]
    if not all(value for _, _, value in parts):
        return Effect(kind, color, detail=measures)
    return Effect(kind, color, tuple((name, float(value)) for name, _, value in parts))


@each_case(
    "before, after, is_same",
    [
        ("blur=4 distance=1.2 direction=76", "blur=4 distance=1.1 direction=77", True),
        ("blur=1 distance=1.1 direction=77", "blur=1 distance=1.1 direction=78.1", True),
        ("blur=4 distance=3 direction=45", "blur=4.3 distance=3.1 direction=45.2", True),
        ("distance=0.1 direction=10", "", True),
        ("opacity=40", "opacity=41", True),
        ("blur=4 distance=3 direction=45", "blur=5 distance=3 direction=45", False),
        ("distance=3 direction=45", "distance=4 direction=45", False),
        ("distance=3 direction=45", "distance=3 direction=60", False),
        ("opacity=40", "opacity=45", False),
        ("opacity=40", "", False),
        ("top circle 6x6", "top circle 6x7", False),
    ],
)
def test_tolerances_of_effects(before: str, after: str, is_same: bool) -> None:
    effects = [(_effect("shadow", "#336699", measures),) for measures in (before, after)]
    assert same_effects(*effects) is is_same
    assert same_effects(*effects[::-1]) is is_same
    colored = (_effect("shadow", "#FF6699", after),)
    assert not same_effects(effects[0], colored)


def test_order_of_effects_is_ignored() -> None:
    shadow, glow = _effect("shadow", "#336699", "blur=4"), _effect("glow", "#AA3366", "radius=5")
    assert same_effects((shadow, glow), (replace(glow, measures=(("radius", 5.1),)), shadow))
    assert not same_effects((shadow, glow), (shadow, shadow))


def _connected(adjustments: dict[str, int], box: Box = _BOX, glued: bool = True) -> Deck:
    ends = (0, 1) if glued else (None, None)
    line = _shape(
        2, kind="line", geometry="bentConnector3", box=box, connects=ends,
        adjustments=tuple(adjustments.items()),
    )  # fmt: skip
    return _deck(_shape(0), _shape(1, box=replace(_BOX, left=5_000_000)), line)


def test_only_the_route_of_a_glued_connector_is_ignored() -> None:
    before = _connected({"adj1": 50_013})
    assert _texts(before, _connected({"adj1": -2_056})) == []
    assert _texts(before, _connected({"adj1": 50_013}, replace(_BOX, height=1_400_000)))
    free = (_connected({"adj1": bend}, glued=False) for bend in (50_013, -2_056))
    assert len(_texts(*free)) == 1


@pytest.mark.parametrize("kind", ["video", "audio", "cmd"])
def test_playback_settings_follow_their_shape(kind: str) -> None:
    shapes = [_shape(i, box=replace(_BOX, top=i * 1_000_000)) for i in range(3)]
    before = _deck(*shapes, fingerprint=((f"{kind} 2", "abc"),))
    remaining = [replace(shapes[1], index=0), replace(shapes[2], index=1)]
    assert [
        c.kind for c in diff_decks(before, _deck(*remaining, fingerprint=((f"{kind} 1", "abc"),)))
    ] == ["shape_removed"]
    changed = diff_decks(before, _deck(*shapes, fingerprint=((f"{kind} 2", "xyz"),)))
    assert [(c.what, c.shape_index) for c in changed] == [(kind, 2)]
    removed = diff_decks(before, _deck(*shapes))
    assert [(c.what, c.shape_index, c.after) for c in removed] == [(kind, 2, "")]


def test_embedded_file_is_reported_once_in_plain_text() -> None:
    old = _shape(kind="graphic", embedded=Embedded("Excel.Sheet.12", "a" * 64))
    new = replace(old, embedded=Embedded("Excel.Sheet.12", "b" * 64))
    texts = _texts(_deck(old), _deck(new))
    assert len(texts) == 1
    assert "Embedded(" not in texts[0]


def _deck_with_master(
    on_master: tuple[Shape, ...], on_layout: tuple[Shape, ...], kind: str = ""
) -> Deck:
    layout = Layout("Title Only", kind, shapes=on_layout)
    master = Master((), ("", ""), NO_PAINT, shapes=on_master, layouts=(layout,))
    return _deck(_shape(), master=master, layout="Title Only", layout_index=0)


def test_shape_moved_between_master_and_layout_is_unchanged() -> None:
    band = _shape(0, name="Band")
    assert _texts(_deck_with_master((band,), ()), _deck_with_master((), (band,))) == []
    assert _texts(_deck_with_master((), (band,)), _deck_with_master((band,), ())) == []
    other = replace(band, box=replace(_BOX, top=3_000_000, height=200_000), geometry="oval")
    assert _texts(_deck_with_master((band,), ()), _deck_with_master((), (other,)))
    assert _texts(_deck_with_master((band,), ()), _deck_with_master((), ()))


def test_layout_type_is_ignored() -> None:
    assert _texts(_deck_with_master((), (), "mediaAndTx"), _deck_with_master((), (), "blank")) == []
