"""Parts written incrementally equal those of the package written from scratch."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.package import Part as OpcPart
from pptx.opc.packuri import PackURI
from pptx.util import Cm
from tests.each_case import each_case
from tests.envs.document.everything import everything

from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.part_cache import PartCache

_KIND = "http://example.org/relation"


def change_title(presentation: Any) -> list[Any]:
    slide = presentation.slides[0]
    slide.shapes.title.text = "Other title"
    return [slide.part]


def add_slide(presentation: Any) -> list[Any]:
    presentation.slides.add_slide(presentation.slide_layouts[1])
    return []


def drop_slide(presentation: Any) -> list[Any]:
    ids = presentation.slides._sldIdLst
    presentation.part.drop_rel(ids[1].rId)
    ids.remove(ids[1])
    return []


def add_notes(presentation: Any) -> list[Any]:
    slide = presentation.slides[1]
    slide.notes_slide.notes_text_frame.text = "New"
    return [slide.part, slide.notes_slide.part]


def drop_link(presentation: Any) -> list[Any]:
    slide = presentation.slides[0]
    rel = next(each for each in slide.part.rels.values() if each.is_external)
    slide.part.rels.pop(rel.rId)
    return [slide.part]


def relate_package(presentation: Any) -> list[Any]:
    package = presentation.part.package
    part = OpcPart(PackURI("/extra/one.bin"), "application/x-one", package, b"one")
    package.relate_to(part, _KIND)
    return []


def unrelate_package(presentation: Any) -> list[Any]:
    package = presentation.part.package
    props = next(rel for rel in package._rels.values() if "core" in rel.reltype)
    package.drop_rel(props.rId)
    return []


def rename_slides(presentation: Any) -> list[Any]:
    ids = presentation.slides._sldIdLst
    ids.append(ids[0])
    presentation.part.rename_slide_parts([each.rId for each in ids])
    return [slide.part for slide in presentation.slides]


def change_nothing(presentation: Any) -> list[Any]:
    return []


CHANGES = (
    change_title,
    add_slide,
    drop_slide,
    add_notes,
    drop_link,
    relate_package,
    unrelate_package,
    rename_slides,
    change_nothing,
)


def write(cache: PartCache, presentation: Any, parts: list[Any]) -> Any:
    cache.forget([presentation.part, *parts])
    return cache.parts(presentation.part.package)


@pytest.mark.slow
@each_case("change", CHANGES)
def test_changed_parts_equal_a_fresh_write(change: Callable[[Any], list[Any]]) -> None:
    presentation = Presentation(BytesIO(everything()))
    cache = PartCache()
    before = write(cache, presentation, [])
    changed_parts = change(presentation)
    after = write(cache, presentation, changed_parts)
    fresh = PartCache().parts(presentation.part.package)
    assert after == fresh
    assert after.to_bytes() == fresh.to_bytes()
    assert (after == before) is (change is change_nothing)
    again = write(cache, presentation, change_title(presentation))
    assert again == PartCache().parts(presentation.part.package)


def test_parts_are_complete_after_an_interrupted_write(monkeypatch: pytest.MonkeyPatch) -> None:
    presentation = Presentation(BytesIO(everything()))
    cache = PartCache()
    write(cache, presentation, [])
    package, slide = presentation.part.package, presentation.slides[1].part
    new_part = OpcPart(PackURI("/extra/two.bin"), "application/x-two", package, b"two")
    slide.relate_to(new_part, _KIND)
    with monkeypatch.context() as patch:
        patch.setattr(OpcPart, "blob", property(lambda self: 1 / 0))
        with pytest.raises(ZeroDivisionError):
            write(cache, presentation, [slide])
    after = write(cache, presentation, [])
    assert "extra/two.bin" in after.entries
    assert after == PartCache().parts(package)


def test_slides_added_by_a_failed_call_are_discarded(
    monkeypatch: pytest.MonkeyPatch, env: PPTArenaDocEnv
) -> None:
    first = env._require_episode()._document.slide_ids()[0]
    env.step(ToolCall.of("set_text", slide=first, shape=2, text="Kept"))
    before = env.deck_bytes()

    def fail_midway(document: Any) -> str:
        document.presentation.slides.add_slide(document.presentation.slide_layouts[1])
        document.parts()  # caches the parts midway
        raise KeyError("midway")

    document = env._require_episode()._document
    with pytest.raises(Exception, match="midway"):
        document.apply(fail_midway)
    assert env.deck_bytes() == before
    env.step(ToolCall.of("set_text", slide=first, shape=2, text="More"))
    assert env.deck_bytes() == PartCache().parts(document.presentation.part.package).to_bytes()


@pytest.mark.parametrize("id_text", ["7", "07", "+7", " 7", "\u0667"])
def test_shape_ids_are_parsed_in_any_notation(
    id_text: str, make_env: Callable[[bytes], PPTArenaDocEnv]
) -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    for _ in range(2):
        slide.shapes.add_textbox(0, 0, Cm(2), Cm(2))
    group = slide.shapes.add_group_shape([slide.shapes[1]])
    group.shapes[0]._element.nvSpPr.cNvPr.set("id", id_text)
    stream = BytesIO()
    presentation.save(stream)
    env = make_env(stream.getvalue())
    call = ToolCall.of("set_text", slide=slide.slide_id, shape=7, text="Found")
    assert env.step(call)[4]["action_error"] is None
    shapes = env._require_episode()._document.presentation.slides[0].shapes
    assert shapes[1].shapes[0].text_frame.text == "Found"
    call = ToolCall.of("set_text", slide=slide.slide_id, shape=8, text="None")
    assert "no shape with the id 8" in env.step(call)[4]["action_error"]
