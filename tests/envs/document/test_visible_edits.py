"""Visible results of tools: fonts of any script, and members of rotated groups."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE, MSO_SHAPE_TYPE
from pptx.util import Cm

from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.rewards import diff_decks, read_deck

SLIDE = 256

Make = Callable[[bytes], PPTArenaDocEnv]


def _deck(fill: Callable[[Any], None]) -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Title"
    fill(slide)
    stream = BytesIO()
    presentation.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    "text",
    ["市场战略", "売上", "매출", "תקציב", "الميزانية", "ยอดขาย", "市场 Market الميزانية", "Größe"],
)
def test_font_is_set_for_every_script(make_env: Make, text: str) -> None:
    def fill(slide: Any) -> None:
        slide.shapes.title.text = text

    env = make_env(_deck(fill))
    call = ToolCall.of("set_run_format", slide=SLIDE, shape=2, font="KaiTi")
    _, _, _, _, info = env.step(call)
    assert info["action_error"] is None
    title = read_deck(env.deck_bytes()).slides[0].shapes[0]
    assert title.text == text
    assert {run.style.font for each in title.paragraphs for run in each.runs} == {"KaiTi"}


@pytest.mark.parametrize(
    ("group", "member"),
    [
        ({}, {}),
        ({"flipH": "1"}, {}),
        ({"flipV": "1"}, {"rot": "1800000"}),
        ({"flipH": "1", "flipV": "1"}, {"flipH": "1"}),
        ({"rot": "2700000"}, {}),
        ({"rot": "5400000", "flipH": "1"}, {"rot": "1800000", "flipV": "1"}),
        ({"rot": "21000000"}, {"rot": "5400000"}),
    ],
)
@pytest.mark.parametrize("wider", [1, 2])
def test_ungrouped_members_keep_their_visible_position(
    make_env: Make, group: dict[str, str], member: dict[str, str], wider: int
) -> None:
    def fill(slide: Any) -> None:
        kinds = MSO_SHAPE.RECTANGLE, MSO_SHAPE.OVAL
        members = [
            slide.shapes.add_shape(kind, Cm(3 + 5 * at), Cm(6 + at), Cm(3), Cm(2))
            for at, kind in enumerate(kinds)
        ]
        for name, value in member.items():
            members[0]._element.spPr.xfrm.set(name, value)
        new_group = slide.shapes.add_group_shape(members)
        frame = new_group._element.grpSpPr.xfrm
        for name, value in group.items():
            frame.set(name, value)
        frame.ext.cx *= wider

    before = _deck(fill)
    (grouped,) = [
        each
        for each in Presentation(BytesIO(before)).slides[0].shapes
        if each.shape_type == MSO_SHAPE_TYPE.GROUP
    ]
    env = make_env(before)
    _, _, _, _, info = env.step(ToolCall.of("ungroup_shape", slide=SLIDE, shape=grouped.shape_id))
    assert info["action_error"] is None
    changes = diff_decks(read_deck(before), read_deck(env.deck_bytes()))
    assert [each.kind for each in changes] == ["ungrouped"]
