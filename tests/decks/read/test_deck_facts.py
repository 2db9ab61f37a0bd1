"""Facts of decks: comments, sections, properties, show settings, masters, fingerprints."""

import io
from typing import Any

import pytest
from pptx import Presentation

from pptarena.decks import Comment, Deck, Properties, Section, read_deck

PRESENTATION = "ppt/presentation.xml"
MASTER = "ppt/slideMasters/slideMaster1.xml"


def _read(stage: Any, parts: dict[str, Any], **rels: str) -> Deck:
    """Return the deck with changed parts and more relationships of package or presentation."""
    changed = dict(parts)
    for part, relationships in rels.items():
        name = {"deck": "", "presentation": PRESENTATION}[part]
        path, text = stage.with_relationships(name, relationships)
        changed[path] = text
    return read_deck(stage.forge.with_parts(changed))


def test_legacy_comments(stage: Any) -> None:
    authors = (
        stage.with_namespaces("<p:cmAuthorLst>")
        + '<p:cmAuthor id="0" name="Ann"/><p:cmAuthor id="3" name="Bo"/></p:cmAuthorLst>'
    )
    answer = (
        '<p:extLst><p:ext uri="{1}"><q:threadingInfo xmlns:q="u:q"><q:parentCm authorId="0" '
        'idx="1"/></q:threadingInfo></p:ext></p:extLst>'
    )
    comment_list = (
        stage.with_namespaces("<p:cmLst>")
        + '<p:cm authorId="0" dt="2026-01-01" idx="1"><p:pos x="1" y="2"/><p:text>Why?</p:text>'
        f'</p:cm><p:cm authorId="3" idx="1"><p:text>Because</p:text>{answer}</p:cm>'
        '<p:cm authorId="3" idx="2"><p:text>Next</p:text></p:cm></p:cmLst>'
    )
    path, rels = stage.with_relationships(
        stage.slide_part, stage.rel("rId85", "comments", "/ppt/comments/c.xml")
    )
    parts = {"ppt/comments/c.xml": comment_list, "ppt/authors.xml": authors, path: rels}
    relationships = stage.rel("rId86", "commentAuthors", "/ppt/authors.xml")
    comments = _read(stage, parts, presentation=relationships).slides[4].comments
    assert comments == (
        Comment("Ann", "Why?", 1, False, ("Because",)),
        Comment("Bo", "Next"),
    )


def test_modern_comments(stage: Any) -> None:
    def body(text: str) -> str:
        content = f"<a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
        return f"<p188:txBody>{content}</p188:txBody>"

    authors = (
        stage.with_namespaces("<p188:authorLst>")
        + '<p188:author id="{A}" name="Ann"/></p188:authorLst>'
    )
    comments = (
        stage.with_namespaces("<p188:cmLst>")
        + f'<p188:cm id="1" authorId="{{A}}" status="resolved"><p188:replyLst><p188:reply id="2">'
        f"{body('Done')}</p188:reply></p188:replyLst>{body('Do it')}</p188:cm></p188:cmLst>"
    )
    path, rels = stage.with_relationships(
        stage.slide_part, stage.rel("rId85", "comments", "/ppt/comments/c.xml")
    )
    parts = {"ppt/comments/c.xml": comments, "ppt/authors.xml": authors, path: rels}
    relationships = stage.rel("rId86", "authors", "/ppt/authors.xml")
    deck = _read(stage, parts, presentation=relationships)
    assert deck.slides[4].comments == (Comment("Ann", "Do it", 1, True, ("Done",)),)
    assert deck.slides[3].comments == ()


def test_sections(stage: Any) -> None:
    text = stage.forge.part(PRESENTATION)
    ids = [piece.partition('"')[0] for piece in text.split('<p:sldId id="')[1:]]
    if not ids:
        ids = [entry.slide_id for entry in Presentation(io.BytesIO(stage.forge.base)).slides]

    def section(name: str, members: list[Any]) -> str:
        listed = "".join(f'<p14:sldId id="{each}"/>' for each in members)
        inside = f"<p14:sldIdLst>{listed}</p14:sldIdLst>"
        return f'<p14:section name="{name}" id="{{1}}">{inside}</p14:section>'

    inside = section("Start", ids[:2]) + section("Empty", []) + section("Rest", ids[2:])
    listed = stage.with_namespaces("<p:extLst>") + '<p:ext uri="{5}"><p14:sectionLst>'
    extension = f"{listed}{inside}</p14:sectionLst></p:ext></p:extLst>"
    head, mark, tail = text.partition("</p:presentation>")
    if "<p:extLst>" in head:
        head = head[: head.index("<p:extLst>")] + head[head.index("</p:extLst>") + 11 :]
    deck = _read(stage, {PRESENTATION: head + extension + mark + tail})
    assert deck.sections == (
        Section("Start", (0, 1)),
        Section("Empty"),
        Section("Rest", (2, 3, 4, 5)),
    )
    assert [slide.section for slide in deck.slides] == ["Start"] * 2 + ["Rest"] * 4
    assert deck.fingerprint == ()


def test_properties(lab: Any) -> None:
    def edit(deck: Any) -> None:
        core = deck.core_properties
        core.title, core.author, core.subject = "Plan", "Ann", "Money"
        core.keywords, core.comments, core.category = "a, b", "Words", "Kind"
        core.content_status = "Final"
        core.last_modified_by, core.revision = "Someone", 99

    expected = Properties("Plan", "Money", "Ann", "a, b", "Words", "Kind", "Final")
    assert lab.edited(edit).properties == expected


def test_custom_properties(stage: Any) -> None:
    custom = (
        '<Properties xmlns="u:p" xmlns:vt="u:v"><property pid="2" name="Client"><vt:lpwstr>Acme'
        '</vt:lpwstr></property><property pid="3" name="Age"><vt:i4>7</vt:i4></property>'
        '<property pid="4" name="Slides"><vt:i4>6</vt:i4></property>'
        "</Properties>"
    )
    relationships = stage.rel("rId87", "custom-properties", "docProps/custom.xml")
    deck = _read(stage, {"docProps/custom.xml": custom}, deck=relationships)
    assert deck.properties.custom == (("Age", "7"), ("Client", "Acme"))


def test_slide_show_settings(stage: Any, lab: Any) -> None:
    assert lab.original.show == ()
    props = (
        stage.with_namespaces("<p:presentationPr>")
        + '<p:showPr loop="1" useTimings="0" showNarration="1">'
        '<p:kiosk/><p:sldRg st="2" end="3"/></p:showPr></p:presentationPr>'
    )
    text = stage.forge.part(PRESENTATION).replace(
        "<p:presentation ", '<p:presentation firstSlideNum="5" '
    )
    deck = _read(stage, {"ppt/presProps.xml": props, PRESENTATION: text})
    assert deck.show == (
        ("first_slide_number", "5"),
        ("kind", "kiosk"),
        ("loop", "yes"),
        ("slides", "2-3"),
        ("use_timings", "no"),
    )


def test_footers_dates_and_numbers(lab: Any) -> None:
    def edit(deck: Any) -> None:
        from copy import deepcopy

        for placeholder in deck.slides[1].slide_layout.placeholders:
            if placeholder.placeholder_format.idx in (10, 11, 12):
                deck.slides[1].shapes._spTree.append(deepcopy(placeholder._element))
        for shape in deck.slides[1].placeholders:
            if shape.placeholder_format.idx == 11:
                shape.text_frame.text = "Acme 2026"

    slide = lab.edited(edit).slides[1]
    assert (slide.footer, slide.number_shown) == ("Acme 2026", True)
    assert slide.date
    plain = lab.original.slides[1]
    assert (plain.footer, plain.date, plain.number_shown) == ("", "", False)


def test_masters_and_layouts(lab: Any) -> None:
    (master,) = lab.original.masters
    assert (master.name, master.theme_name) == ("Office Theme", "Office Theme")
    assert [layout.name for layout in master.layouts][:2] == ["Title Slide", "Title and Content"]
    assert [layout.type for layout in master.layouts][:2] == ["title", "obj"]
    assert len(master.layouts) == len(lab.original.layouts) == 11
    assert [shape.placeholder for shape in master.shapes] == [
        "title",
        "body",
        "dt",
        "ftr",
        "sldNum",
    ]
    slide = lab.original.slides[1]
    assert slide.layout_index is not None
    assert master.layouts[slide.layout_index].name == slide.layout
    assert slide.master == 0


def test_layouts_inherit_from_their_master(lab: Any) -> None:
    layout = lab.original.masters[0].layouts[1]
    title = layout.shapes[0]
    assert title.placeholder == "title"
    assert (title.box.left, title.box.width) == (457_200, 8_229_600)
    assert title.paragraphs[0].runs[0].style.size_pt == 44
    assert layout.background.color == "#FFFFFF"


def test_master_text_styles(lab: Any) -> None:
    def edit(deck: Any) -> None:
        from pptx.oxml.ns import qn

        styles = deck.slide_master._element.find(qn("p:txStyles"))
        second = styles.find(f"{qn('p:bodyStyle')}/{qn('a:lvl2pPr')}")
        second.set("algn", "r")
        second.find(qn("a:defRPr")).set("sz", "1400")

    styles = dict(lab.original.masters[0].text_styles)
    assert len(styles) == 19
    assert styles["title 1"].runs[0].style.size_pt == 44
    assert styles["title 1"].align == "center"
    assert [styles[f"body {n}"].runs[0].style.size_pt for n in (1, 2, 3)] == [32, 28, 24]
    assert styles["other 1"].text == "other 1"
    after = dict(lab.edited(edit).masters[0].text_styles)
    assert (after["body 2"].runs[0].style.size_pt, after["body 2"].align) == (14, "right")
    changed = [name for name in styles if styles[name] != after[name]]
    assert changed == ["body 2"]


def test_master_shapes_can_be_hidden(lab: Any) -> None:
    deck = lab.edited(lambda deck: deck.slides[0]._element.set("showMasterSp", "0"))
    assert [slide.show_master_shapes for slide in deck.slides] == [False] + [True] * 5


def test_unknown_parts_change_the_fingerprint(stage: Any) -> None:
    def fingerprint(name: str, content: str, rel_id: str) -> tuple[tuple[str, str], ...]:
        relationships = stage.rel(rel_id, "customXml", f"/{name}")
        return _read(stage, {name: content}, presentation=relationships).fingerprint

    first = fingerprint("customXml/item1.xml", '<a x="1" y="2"><b>t</b></a>', "rId90")
    same = fingerprint("customXml/item9.xml", '<a y="2"  x="1">\n <b>t</b>\n</a>', "rId91")
    other = fingerprint("customXml/item1.xml", '<a x="1" y="2"><b>u</b></a>', "rId90")
    assert [name for name, _ in first] == ["part customXml"]
    assert first == same != other


def test_cyclic_unknown_parts_are_read(stage: Any) -> None:
    rels = stage.rel("rId1", "customXml", "/customXml/item1.xml")
    path, text = stage.with_relationships("customXml/item1.xml", rels)
    parts = {"customXml/item1.xml": stage.with_namespaces('<a r:id="rId1"/>'), path: text}
    relationships = stage.rel("rId90", "customXml", "/customXml/item1.xml")
    assert len(_read(stage, parts, presentation=relationships).fingerprint) == 1


@pytest.mark.parametrize("part", [PRESENTATION, MASTER, "ppt/slides/slide5.xml"])
def test_unknown_elements_change_the_fingerprint(stage: Any, part: str) -> None:
    def fingerprint(value: str) -> Any:
        root = stage.forge.part(part)
        head, _, tail = root.rpartition("</p:")
        deck = _read(stage, {part: f'{head}<odd xmlns="u:o" v="{value}" id="{value}"/></p:{tail}'})
        owners: dict[str, Any] = {PRESENTATION: deck, MASTER: deck.masters[0]}
        return owners.get(part, deck.slides[4]).fingerprint

    (entry,) = fingerprint("1")
    assert entry[0].endswith("odd")
    assert fingerprint("1") != fingerprint("2")
