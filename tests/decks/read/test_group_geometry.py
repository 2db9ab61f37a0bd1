"""Positions of the members of mirrored, rotated and scaled groups."""

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
from pptarena.decks.package_writer import write_package
from pptarena.rewards import diff_decks, load_rubric, read_deck, score

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_TOLERANCE_EMU = 3.0  # each level of groups rounds to EMU

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class PlacedShape:
    """A shape as written to a file; `inner` is a group's child (left, top, width, height)."""

    name: str
    left: int = 1_000_000
    top: int = 1_000_000
    width: int = 2_000_000
    height: int = 1_000_000
    rotation_deg: float = 0
    flip_h: bool = False
    flip_v: bool = False
    inner: tuple[int, int, int, int] | None = None
    members: tuple["PlacedShape", ...] = ()

    def xml(self, number: int) -> str:
        orientation = f'rot="{round(self.rotation_deg * 60_000)}"' if self.rotation_deg else ""
        orientation += ' flipH="1"' * self.flip_h + ' flipV="1"' * self.flip_v
        position = (
            f'<a:off x="{self.left}" y="{self.top}"/><a:ext cx="{self.width}" cy="{self.height}"/>'
        )
        properties = f'<p:cNvPr id="{number}" name="{self.name}"/>'
        if self.inner is None and not self.members:
            return (
                f"<p:sp><p:nvSpPr>{properties}<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>"
                f'<a:xfrm {orientation}>{position}</a:xfrm><a:prstGeom prst="rect"/></p:spPr>'
                f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{self.name}</a:t></a:r></a:p></p:txBody></p:sp>"
            )
        if self.inner is not None:
            x, y, width, height = self.inner
            position += f'<a:chOff x="{x}" y="{y}"/><a:chExt cx="{width}" cy="{height}"/>'
        member_xml = "".join(each.xml(10 * number + i) for i, each in enumerate(self.members))
        return (
            f"<p:grpSp><p:nvGrpSpPr>{properties}<p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>"
            f"<a:xfrm {orientation}>{position}</a:xfrm></p:grpSpPr>{member_xml}</p:grpSp>"
        )

    def matrix(self) -> Matrix:
        """Return the transformation of the unit square around zero to the shape's position."""
        center = self.left + self.width / 2, self.top + self.height / 2
        return _translation(*center) @ self._rotation() @ _scaling(self.width, self.height)

    def group_transform(self) -> Matrix:
        """Return the transformation from coordinates in the group to those outside."""
        x, y, width, height = self.inner or (self.left, self.top, self.width, self.height)
        center = self.left + self.width / 2, self.top + self.height / 2
        scale = _scaling(self.width / width, self.height / height)
        return (
            _translation(*center)
            @ self._rotation()
            @ scale
            @ _translation(-x - width / 2, -y - height / 2)
        )

    def _rotation(self) -> Matrix:
        angle = np.radians(self.rotation_deg)
        matrix = np.eye(3)
        matrix[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        return matrix @ _scaling(-1 if self.flip_h else 1, -1 if self.flip_v else 1)


def _translation(x: float, y: float) -> Matrix:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], float)


def _scaling(x: float, y: float) -> Matrix:
    return np.diag([x, y, 1.0])


def _deck(*shapes: PlacedShape) -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Title"
    for number, each in enumerate(shapes, 3):
        head, _, tail = each.xml(number).partition(">")
        head = head.replace("<p:grpSp", f'<p:grpSp xmlns:p="{_P}" xmlns:a="{A_NS}"')
        head = head.replace("<p:sp", f'<p:sp xmlns:p="{_P}" xmlns:a="{A_NS}"')
        slide.shapes._spTree.append(etree.fromstring(f"{head}>{tail}"))
    return write_package(presentation)


def _named(deck: Deck, name: str) -> Shape:
    return next(each for each in deck.slides[0].shapes if each.name == name)


def _box(data: bytes, name: str) -> Box:
    return _named(read_deck(data), name).box


_CORNERS = np.array([[-0.5, 0.5, 0.5, -0.5], [-0.5, -0.5, 0.5, 0.5], [1, 1, 1, 1]])


def _corners_of(box: Box) -> Matrix:
    values = box.left, box.top, box.width, box.height, box.rotation_deg, box.flip_h, box.flip_v
    corners: Matrix = PlacedShape("", *values).matrix() @ _CORNERS
    return corners[:2]


_LEFT, _RIGHT = (
    PlacedShape("Low", 1_000_000),
    PlacedShape("High", 5_000_000, 1_500_000, 1_000_000, 500_000),
)
_WHOLE = (1_000_000, 1_000_000, 6_000_000, 2_000_000)
_GROUP = PlacedShape(
    "Pair",
    *_WHOLE,
    inner=_WHOLE,
    members=(_LEFT, _RIGHT),
)


@pytest.mark.slow
@each_case(
    "changes, expected",
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
def test_group_positions_its_member(changes: dict[str, Any], expected: Box) -> None:
    assert _box(_deck(replace(_GROUP, **changes)), "High") == expected


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
def test_rotations_and_flips_combine(
    own: dict[str, Any], group: dict[str, Any], expected: tuple[float, bool, bool]
) -> None:
    member = replace(_LEFT, **own)
    box = _box(_deck(replace(_GROUP, members=(member,), **group)), "Low")
    assert (box.rotation_deg, box.flip_h, box.flip_v) == expected


@pytest.mark.parametrize(
    ("angles", "size"),
    [
        ((45, 60, 90, 134, 225, 270, 314), (2_000_000, 2_000_000)),
        ((0, 44, 135, 180, 224, 315), (4_000_000, 1_000_000)),
    ],
    ids=["sideways", "upright"],
)
def test_rotated_member_is_scaled_along_the_nearest_axis(
    angles: tuple[int, ...], size: tuple[int, int]
) -> None:
    for angle in angles:
        member = replace(_LEFT, rotation_deg=angle)
        box = _box(_deck(replace(_GROUP, members=(member,), width=12_000_000)), "Low")
        assert (box.width, box.height) == size, angle


def test_group_without_child_coordinates_transforms_its_members() -> None:
    group = replace(_GROUP, inner=None, flip_h=True)
    assert _box(_deck(group), "High").left == 2_000_000


def _random_group(rng: random.Random, depth: int, *, evenly: bool) -> PlacedShape:
    """Return nested groups; if they are not scaled `evenly`, all rotations are right angles."""

    def number(least: int = 500_000) -> int:
        return rng.randrange(least, 6_000_000)

    def orientation() -> dict[str, Any]:
        angle = rng.randrange(3600) / 10 if evenly else rng.choice((0, 90, 180, 270))
        flips = {name: rng.random() < 0.5 for name in ("flip_h", "flip_v")}
        return {"rotation_deg": angle, **flips}

    shape = PlacedShape("Member", number(), number(), number(), number(), **orientation())
    for level in range(depth):
        inner = number(0), number(0), number(), number()
        factor = rng.choice((0.5, 1.5, 2.0))
        size = (
            (round(inner[2] * factor), round(inner[3] * factor)) if evenly else (number(), number())
        )
        shape = PlacedShape(
            f"Group {level}",
            number(0),
            number(0),
            *size,
            **orientation(),
            inner=inner,
            members=(shape,),
        )
    return shape


@pytest.mark.slow
@each_case("seed", range(40))
def test_positions_match_the_matrix_transformations(seed: int) -> None:
    group = _random_group(random.Random(seed), depth=1 + seed % 3, evenly=seed % 2 == 0)
    deck = read_deck(_deck(group))
    transform, member = np.eye(3), group
    while member.members:
        transform, member = transform @ member.group_transform(), member.members[0]
        expected = (transform @ member.matrix() @ _CORNERS)[:2]
        actual = _corners_of(_named(deck, member.name).box)
        # The reader rounds angles to hundredths of a degree.
        tolerance = _TOLERANCE_EMU + np.hypot(member.width, member.height) * 8 * np.radians(0.005)
        assert np.abs(actual - expected).max() < tolerance


def _changes(before: bytes, after: bytes) -> list[tuple[str, str]]:
    return [(each.shape, each.what) for each in diff_decks(read_deck(before), read_deck(after))]


_GROUP_LABEL, _LOW_LABEL = "the group 'Pair'", "the text box 'Low'"


@pytest.mark.slow
@each_case("own", [{}, {"rotation_deg": 30}, {"flip_h": True, "rotation_deg": 90}])
@each_case(
    "changes, expected",
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
def test_group_transformation_is_one_change(
    changes: dict[str, Any], expected: list[str], own: dict[str, Any]
) -> None:
    group = replace(_GROUP, members=(replace(_LEFT, **own), _RIGHT))
    for before in (group, replace(group, rotation_deg=20), replace(group, flip_v=True)):
        after = replace(before, **changes)
        details = [] if before == after else expected
        reported = _changes(_deck(before), _deck(after))
        assert reported == [(_GROUP_LABEL, detail) for detail in details]


@pytest.mark.parametrize(
    ("member_changes", "group_changes", "details"),
    [
        ({"rotation_deg": 10}, {"rotation_deg": 40}, ["rotation", "rotation"]),
        ({"left": 2_500_000}, {"flip_h": True}, ["flip", "place"]),
    ],
)
def test_edited_member_of_a_transformed_group_is_reported(
    member_changes: dict[str, Any], group_changes: dict[str, Any], details: list[str]
) -> None:
    after = replace(_GROUP, **group_changes, members=(replace(_LEFT, **member_changes), _RIGHT))
    expected = list(zip((_GROUP_LABEL, _LOW_LABEL), details, strict=True))
    assert _changes(_deck(_GROUP), _deck(after)) == expected


def _score(check: str, before: bytes, after: bytes, **args: Any) -> float | None:
    leaf = {"name": "leaf", "check": check, "args": {"slide": 1, **args}}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    return score(rubric, read_deck(before), read_deck(after)).score


@pytest.mark.parametrize(
    ("changes", "relation"),
    [
        ({"flip_h": True}, "left_of"),
        ({"rotation_deg": 180}, "left_of"),
        ({"rotation_deg": 90}, "below"),
        ({"rotation_deg": 270}, "above"),
    ],
)
def test_relations_use_visible_positions(changes: dict[str, Any], relation: str) -> None:
    args = {"shape": "High", "other": "Low", "relation": relation}
    before, after = _deck(_GROUP), _deck(replace(_GROUP, **changes))
    assert _score("shape_relation", before, after, **args) == 1
    assert _score("shape_relation", before, before, **args) != 1


@pytest.mark.slow
@each_case("angle", [0, 30, 150, 330])
@each_case("flip_h, flip_v", [(False, False), (True, False), (True, True)])
def test_two_flips_and_a_half_turn_are_no_change(angle: int, flip_h: bool, flip_v: bool) -> None:
    before = replace(_LEFT, rotation_deg=angle, flip_h=flip_h, flip_v=flip_v)
    opposite_deg = (angle + 180) % 360
    after = replace(before, rotation_deg=opposite_deg, flip_h=not flip_h, flip_v=not flip_v)
    assert _changes(_deck(before), _deck(after)) == []
    half_turned = replace(before, rotation_deg=opposite_deg)
    assert _changes(_deck(before), _deck(half_turned)) == [(_LOW_LABEL, "rotation")]
