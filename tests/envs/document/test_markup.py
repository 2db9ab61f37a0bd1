"""Reading and replacing the XML of parts."""

import pytest

from pptarena.envs.document import PPTArenaDocEnv, ToolCall

SLIDE = "ppt/slides/slide1.xml"


def test_parts_are_listed_read_and_replaced(env: PPTArenaDocEnv) -> None:
    listing = env.step(ToolCall.of("list_parts", under="ppt/slides/"))[0]["result"]
    assert [line.split()[0] for line in listing.splitlines()][:2] == [
        SLIDE,
        "ppt/slides/_rels/slide1.xml.rels",
    ]
    read = env.step(ToolCall.of("read_part", name=SLIDE))[0]["result"]
    assert "<a:t>Tents</a:t>" in read
    call = ToolCall.of("replace_in_part", name=SLIDE, old=">Tents<", new=">Yurts<")
    observation, _, _, _, info = env.step(call)
    assert info["action_error"] is None
    assert "[2] title 'Yurts'" in observation["outline"]
    new_xml = read.replace("Tents", "Huts")
    observation = env.step(ToolCall.of("replace_part", name=SLIDE, xml=new_xml))[0]
    assert "[2] title 'Huts'" in observation["outline"]


def test_long_parts_are_read_in_pages(env: PPTArenaDocEnv) -> None:
    name = "ppt/slideMasters/slideMaster1.xml"
    first = env.step(ToolCall.of("read_part", name=name))[0]["result"]
    assert first.endswith("continue at offset 6000")
    second = env.step(ToolCall.of("read_part", name=name, offset=6000))[0]["result"]
    assert second[:100] not in first


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        (SLIDE, ">Tents<", "><b>", "is not XML"),
        (SLIDE, "<p:sld ", "<!DOCTYPE x><p:sld ", "document type"),
        (SLIDE, "<p:nvSpPr>", "x", "found 2 occurrences"),
        (SLIDE, "no such passage", "x", "found 0 occurrences"),
        ("ppt/slides/_rels/slide1.xml.rels", "slideLayout2.xml", "none.xml", "refused"),
        ("ppt/slides/slide9.xml", "x", "y", "no XML part"),
        ("[Content_Types].xml", "x", "y", "no XML part"),
    ],
)
def test_replacement_that_damages_the_deck_is_rejected(
    env: PPTArenaDocEnv, name: str, old: str, new: str, reason: str
) -> None:
    before = env.deck_bytes()
    _, _, _, _, info = env.step(ToolCall.of("replace_in_part", name=name, old=old, new=new))
    assert reason in info["action_error"]
    assert env.deck_bytes() == before


def test_other_root_element_is_rejected(env: PPTArenaDocEnv) -> None:
    _, _, _, _, info = env.step(ToolCall.of("replace_part", name=SLIDE, xml="<x/>"))
    assert "expected a root" in info["action_error"]
