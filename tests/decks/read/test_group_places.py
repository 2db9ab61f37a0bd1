"""Members of groups that are mirrored, turned and scaled: where they are seen."""

import io
import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from lxml import etree
from numpy.typing import NDArray
from pptx import Presentation
from tests.each_case import each_case

from pptarena.decks import Box, Deck, Shape
from pptarena.decks.package.names import A_NS
from pptarena.rewards import diff_decks, load_rubric, read_deck, score

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_TOLERANCE_EMU = 3.0  # every group on the way rounds to EMU

Places = NDArray[np.float64]


@dataclass(frozen=True)
class Placed:
    """A shape as it stands in the file; a group if it has `inner` (left, top, width, height)."""

    name: str
    left: int = 1_000_000
    top: int = 1_000_000
    width: int = 2_000_000
    height: int = 1_000_000
    rotation_deg: float = 0
    flip_h: bool = False
    flip_v: bool = False
    inner: tuple[int, int, int, int] | None = None
    members: tuple["Placed", ...] = ()

    def xml(self, number: int) -> str:
        turned = f'rot="{round(self.rotation_deg * 60_000)}"' if self.rotation_deg else ""
        turned += ' flipH="1"' * self.flip_h + ' flipV="1"' * self.flip_v
        places = (
            f'<a:off x="{self.left}" y="{self.top}"/><a:ext cx="{self.width}" cy="{self.height}"/>'
        )
        named = f'<p:cNvPr id="{number}" name="{self.name}"/>'
        if self.inner is None and not self.members:
            return (
                f"<p:sp><p:nvSpPr>{named}<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm {turned}>"
                f'{places}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
                f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{self.name}</a:t></a:r></a:p></p:txBody></p:sp>"
            )
        if self.inner is not None:
            x, y, width, height = self.inner
            places += f'<a:chOff x="{x}" y="{y}"/><a:chExt cx="{width}" cy="{height}"/>'
        inside = "".join(each.xml(10 * number + i) for i, each in enumerate(self.members))
        return (
            f"<p:grpSp><p:nvGrpSpPr>{named}<p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>"
            f"<a:xfrm {turned}>{places}</a:xfrm></p:grpSpPr>{inside}</p:grpSp>"
        )

    def matrix(self) -> Places:
        """Return what takes the unit square around zero to the shape's place."""
        middle = self.left + self.width / 2, self.top + self.height / 2
        return _moved(*middle) @ self._turn() @ _scaled(self.width, self.height)

    def inside(self) -> Places:
        """Return what takes a place in the group to one outside."""
        x, y, width, height = self.inner or (self.left, self.top, self.width, self.height)
        middle = self.left + self.width / 2, self.top + self.height / 2
        scale = _scaled(self.width / width, self.height / height)
        return _moved(*middle) @ self._turn() @ scale @ _moved(-x - width / 2, -y - height / 2)

    def _turn(self) -> Places:
        angle = np.radians(self.rotation_deg)
        turn = np.eye(3)
        turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        return turn @ _scaled(-1 if self.flip_h else 1, -1 if self.flip_v else 1)


def _moved(x: float, y: float) -> Places:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], float)


def _scaled(x: float, y: float) -> Places:
    return np.diag([x, y, 1.0])


def _deck(*shapes: Placed) -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Title"
    for number, each in enumerate(shapes, 3):
        head, _, tail = each.xml(number).partition(">")
        head = head.replace("<p:grpSp", f'<p:grpSp xmlns:p="{_P}" xmlns:a="{A_NS}"')
        head = head.replace("<p:sp", f'<p:sp xmlns:p="{_P}" xmlns:a="{A_NS}"')
        slide.shapes._spTree.append(etree.fromstring(f"{head}>{tail}"))
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def _named(deck: Deck, name: str) -> Shape:
    return next(each for each in deck.slides[0].shapes if each.name == name)


def _box(data: bytes, name: str) -> Box:
    return _named(read_deck(data), name).box


_CORNERS = np.array([[-0.5, 0.5, 0.5, -0.5], [-0.5, -0.5, 0.5, 0.5], [1, 1, 1, 1]])


def _corners_of(box: Box) -> Places:
    values = box.left, box.top, box.width, box.height, box.rotation_deg, box.flip_h, box.flip_v
    corners: Places = Placed("", *values).matrix() @ _CORNERS
    return corners[:2]


_LEFT, _RIGHT = Placed("Low", 1_000_000), Placed("High", 5_000_000, 1_500_000, 1_000_000, 500_000)
_WHOLE = (1_000_000, 1_000_000, 6_000_000, 2_000_000)
_GROUP = Placed(
    "Pair",
    *_WHOLE,
    inner=_WHOLE,
    members=(_LEFT, _RIGHT),
)


@pytest.mark.slow
@each_case(
    "turn, expected",
    [
        ({}, Box(5_000_000, 1_500_000, 1_000_000, 500_000)),
        ({"flip_h": True}, Box(2_000_000, 1_500_000, 1_000_000, 500_000, 0, True)),
        ({"flip_v": True}, Box(5_000_000, 2_000_000, 1_000_000, 500_000, 0, False, True)),
        (
            {"flip_h": True, "flip_v": True},
            Box(2_000_000, 2_000_000, 1_000_000, 500_000, 0, True, True),
        ),
        ({"rotation_deg": 180}, Box(2_000_000, 2_000_000, 1_000_000, 500_000, 180)),
        ({"rotation_deg": 90}, Box(3_750_000, 3_250_000, 1_000_000, 500_000, 90)),
        ({"rotation_deg": 270}, Box(3_250_000, 250_000, 1_000_000, 500_000, 270)),
        (
            {"rotation_deg": 90, "flip_h": True},
            Box(3_750_000, 250_000, 1_000_000, 500_000, 90, True),
        ),
        ({"left": 3_000_000}, Box(7_000_000, 1_500_000, 1_000_000, 500_000)),
        ({"width": 3_000_000}, Box(3_000_000, 1_500_000, 500_000, 500_000)),
    ],
)
def test_a_member_is_where_its_group_puts_it(turn: dict[str, Any], expected: Box) -> None:
    assert _box(_deck(replace(_GROUP, **turn)), "High") == expected


@pytest.mark.parametrize(
    ("own", "group", "expected"),
    [
        ({"rotation_deg": 30}, {"flip_h": True}, (330, True, False)),
        ({"rotation_deg": 30}, {"flip_v": True}, (330, False, True)),
        ({"rotation_deg": 30}, {"flip_h": True, "flip_v": True}, (30, True, True)),
        ({"rotation_deg": 30}, {"rotation_deg": 45}, (75, False, False)),
        ({"rotation_deg": 30}, {"rotation_deg": 350}, (20, False, False)),
        ({"rotation_deg": 30}, {"rotation_deg": 45, "flip_h": True}, (15, True, False)),
        ({"flip_h": True}, {"flip_h": True}, (0, False, False)),
        ({"flip_h": True}, {"flip_v": True}, (0, True, True)),
        ({"rotation_deg": 12.34}, {"rotation_deg": 0.01}, (12.35, False, False)),
    ],
)
def test_turns_and_flips_add_up(
    own: dict[str, Any], group: dict[str, Any], expected: tuple[float, bool, bool]
) -> None:
    member = replace(_LEFT, **own)
    box = _box(_deck(replace(_GROUP, members=(member,), **group)), "Low")
    assert (box.rotation_deg, box.flip_h, box.flip_v) == expected


@pytest.mark.parametrize("angle", [45, 60, 90, 134, 225, 270, 314])
def test_a_member_that_lies_is_scaled_as_it_lies(angle: int) -> None:
    member = replace(_LEFT, rotation_deg=angle)
    box = _box(_deck(replace(_GROUP, members=(member,), width=12_000_000)), "Low")
    assert (box.width, box.height) == (2_000_000, 2_000_000)


@pytest.mark.parametrize("angle", [0, 44, 135, 180, 224, 315])
def test_one_that_stands_is_scaled_as_it_stands(angle: int) -> None:
    member = replace(_LEFT, rotation_deg=angle)
    box = _box(_deck(replace(_GROUP, members=(member,), width=12_000_000)), "Low")
    assert (box.width, box.height) == (4_000_000, 1_000_000)


def test_a_group_without_coordinates_of_its_own_turns_its_members() -> None:
    group = replace(_GROUP, inner=None, flip_h=True)
    assert _box(_deck(group), "High").left == 2_000_000


def _drawn(random_: random.Random, depth: int, *, evenly: bool) -> Placed:
    """Return a group in groups; if not `evenly` scaled, all is turned by right angles."""

    def number(least: int = 500_000) -> int:
        return random_.randrange(least, 6_000_000)

    def turned() -> dict[str, Any]:
        angle = random_.randrange(3600) / 10 if evenly else random_.choice((0, 90, 180, 270))
        flips = {name: random_.random() < 0.5 for name in ("flip_h", "flip_v")}
        return {"rotation_deg": angle, **flips}

    found = Placed("Member", number(), number(), number(), number(), **turned())
    for level in range(depth):
        inner = number(0), number(0), number(), number()
        factor = random_.choice((0.5, 1.5, 2.0))
        size = (
            (round(inner[2] * factor), round(inner[3] * factor)) if evenly else (number(), number())
        )
        found = Placed(
            f"Group {level}", number(0), number(0), *size, **turned(), inner=inner, members=(found,)
        )
    return found


@pytest.mark.slow
@each_case("seed", range(40))
def test_places_are_those_of_the_matrices(seed: int) -> None:
    group = _drawn(random.Random(seed), depth=1 + seed % 3, evenly=seed % 2 == 0)
    deck = read_deck(_deck(group))
    frame, at = np.eye(3), group
    while at.members:
        frame, at = frame @ at.inside(), at.members[0]
        expected = (frame @ at.matrix() @ _CORNERS)[:2]
        found = _corners_of(_named(deck, at.name).box)
        # The reader keeps angles in hundredths of a degree.
        room = _TOLERANCE_EMU + np.hypot(at.width, at.height) * 8 * np.radians(0.005)
        assert np.abs(found - expected).max() < room


def _changes(before: bytes, after: bytes) -> list[tuple[str, str]]:
    return [(each.shape, each.what) for each in diff_decks(read_deck(before), read_deck(after))]


_GROUP_LABEL, _LOW_LABEL = "the group 'Pair'", "the text box 'Low'"


@pytest.mark.slow
@each_case("own", [{}, {"rotation_deg": 30}, {"flip_h": True, "rotation_deg": 90}])
@each_case(
    "turn, expected",
    [
        ({"flip_h": True}, ["flip"]),
        ({"flip_v": True}, ["flip"]),
        ({"rotation_deg": 33}, ["rotation"]),
        ({"rotation_deg": 90, "flip_h": True}, ["rotation", "flip"]),
        ({"left": 2_000_000}, ["place"]),
        ({"width": 3_000_000, "height": 1_000_000}, ["size"]),
        ({"left": 2_000_000, "rotation_deg": 90}, ["place", "rotation"]),
    ],
)
def test_members_go_with_their_group(
    turn: dict[str, Any], expected: list[str], own: dict[str, Any]
) -> None:
    group = replace(_GROUP, members=(replace(_LEFT, **own), _RIGHT))
    for before in (group, replace(group, rotation_deg=20), replace(group, flip_v=True)):
        after = replace(before, **turn)
        whats = [] if before == after else expected
        found = _changes(_deck(before), _deck(after))
        assert found == [(_GROUP_LABEL, what) for what in whats]


def test_a_member_that_turns_in_a_group_that_turns_is_named() -> None:
    turned = replace(_LEFT, rotation_deg=10)
    after = replace(_GROUP, rotation_deg=40, members=(turned, _RIGHT))
    assert _changes(_deck(_GROUP), _deck(after)) == [
        (_GROUP_LABEL, "rotation"),
        (_LOW_LABEL, "rotation"),
    ]


def test_a_member_that_moves_in_a_group_that_is_mirrored_is_named() -> None:
    moved = replace(_LEFT, left=2_500_000)
    after = replace(_GROUP, flip_h=True, members=(moved, _RIGHT))
    assert _changes(_deck(_GROUP), _deck(after)) == [(_GROUP_LABEL, "flip"), (_LOW_LABEL, "place")]


def _scored(check: str, before: bytes, after: bytes, **args: Any) -> float | None:
    leaf = {"name": "leaf", "check": check, "args": {"slide": 1, **args}}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    return score(rubric, read_deck(before), read_deck(after)).score


@pytest.mark.parametrize(
    ("turn", "relation"),
    [
        ({"flip_h": True}, "left_of"),
        ({"rotation_deg": 180}, "left_of"),
        ({"rotation_deg": 90}, "below"),
        ({"rotation_deg": 270}, "above"),
    ],
)
def test_relations_are_those_that_are_seen(turn: dict[str, Any], relation: str) -> None:
    args = {"shape": "High", "other": "Low", "relation": relation}
    before, after = _deck(_GROUP), _deck(replace(_GROUP, **turn))
    assert _scored("shape_relation", before, after, **args) == 1
    assert _scored("shape_relation", before, before, **args) != 1


@pytest.mark.slow
@each_case("angle", [0, 30, 150, 330])
@each_case("flip_h, flip_v", [(False, False), (True, False), (True, True)])
def test_both_flips_and_a_half_turn_are_no_change(angle: int, flip_h: bool, flip_v: bool) -> None:
    before = replace(_LEFT, rotation_deg=angle, flip_h=flip_h, flip_v=flip_v)
    turned = (angle + 180) % 360
    after = replace(before, rotation_deg=turned, flip_h=not flip_h, flip_v=not flip_v)
    assert _changes(_deck(before), _deck(after)) == []
    half = replace(before, rotation_deg=turned)
    assert _changes(_deck(before), _deck(half)) == [(_LOW_LABEL, "rotation")]
