"""Equations: their linear text in each notation of PowerPoint, and changes in them."""

from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from tests.each_case import each_case

from pptarena.decks.slide_variants import TextRange, with_transparent_text
from pptarena.rewards import diff_decks, read_deck

Wrap = Callable[[str], str]


def run(text: str, properties: str = "") -> str:
    return f"<m:r>{properties}<m:t>{text}</m:t></m:r>"


def part(name: str, *inside: str) -> str:
    return f"<m:{name}>{''.join(inside)}</m:{name}>"


def setting(name: str, **values: str) -> str:
    attributes = "".join(f'<m:{key} m:val="{value}"/>' for key, value in values.items())
    return f"<m:{name}Pr>{attributes}<m:ctrlPr/></m:{name}Pr>"


X, Y, TWO = (part("e", run(each)) for each in ("x", "y", "2"))
SUM_LIMITS = part("sub", run("i=1")), part("sup", run("n"))

FORMS = [
    (run("x+1"), "x+1"),
    (run("x") + run("2"), "x2"),
    (part("sSup", X, part("sup", run("2"))), "x^2"),
    (part("sSup", part("e", run("ab")), part("sup", run("n+1"))), "(ab)^(n+1)"),
    (part("sSup", X, part("sup", run("12"))), "x^(12)"),
    (part("sSup", X, part("sup", run("1"))) + run("2"), "x^12"),
    (part("sSub", X, part("sub", run("i"))), "x_i"),
    (part("sSubSup", X, part("sub", run("i")), part("sup", run("2"))), "x_i^2"),
    (part("sPre", part("sub", run("a")), part("sup", run("b")), X), "(_a^b)x"),
    (part("f", part("num", run("a")), part("den", run("b"))), "a/b"),
    (part("f", part("num", run("a+b")), part("den", run("2"))), "(a+b)/2"),
    (part("f", setting("f", type="noBar"), part("num", run("n")), part("den", run("k"))), "n¦k"),
    (part("f", setting("f", type="lin"), part("num", run("a")), part("den", run("b"))), "a\u2215b"),
    (part("rad", setting("rad", degHide="1"), part("deg"), X), "√(x)"),
    (part("rad", part("deg", run("3")), X), "√(3&x)"),
    (part("d", X), "(x)"),
    (part("d", setting("d", begChr="[", endChr="]", sepChr=";"), X, Y), "[x;y]"),
    (part("d", setting("d", begChr="{", endChr=""), X), "{x"),
    (part("nary", setting("nary", chr="∑"), *SUM_LIMITS, X), "∑_(i=1)^n▒x"),
    (part("nary", *SUM_LIMITS, X), "∫_(i=1)^n▒x"),
    (part("nary", setting("nary", subHide="1", supHide="1"), *SUM_LIMITS, X), "∫▒x"),
    (part("func", part("fName", run("sin")), X), "sin x"),
    (
        part(
            "func",
            part("fName", part("limLow", part("e", run("lim")), part("lim", run("n→∞")))),
            X,
        ),
        "(lim)┬(n→∞) x",
    ),
    (part("acc", setting("acc", chr="\u0303"), X), "x\u0303"),
    (part("bar", setting("bar", pos="top"), X), "¯(x)"),
    (part("groupChr", X), "⏟(x)"),
    (part("borderBox", X), "▭(x)"),
    (part("box", X), "x"),
    (part("m", part("mr", X, Y), part("mr", Y, TWO)), "■(x&y@y&2)"),
    (part("eqArr", X, Y), "█(x@y)"),
    (
        part(
            "f",
            part("num", part("sSup", X, part("sup", run("2")))),
            part("den", part("rad", part("deg"), Y)),
        ),
        "(x^2)/(√(y))",
    ),
]


def in_paragraph(inside: str) -> str:
    return f"<a14:m><m:oMath>{inside}</m:oMath></a14:m>"


def in_alternatives(inside: str) -> str:
    return (
        f'<mc:AlternateContent><mc:Choice Requires="a14">{in_paragraph(inside)}</mc:Choice>'
        "<mc:Fallback><a:r><a:t> </a:t></a:r></mc:Fallback></mc:AlternateContent>"
    )


def on_its_own(inside: str) -> str:
    return f"<a14:m><m:oMathPara><m:oMathParaPr/><m:oMath>{inside}</m:oMath></m:oMathPara></a14:m>"


def _body(inside: str, wrap: Wrap = in_paragraph) -> str:
    before, after = ("<a:r><a:t>" + each + "</a:t></a:r>" for each in ("It is ", "."))
    return f"<a:bodyPr/><a:p>{before}{wrap(inside)}{after}</a:p>"


@pytest.mark.slow
@each_case("wrap", [in_paragraph, in_alternatives, on_its_own])
@each_case("inside, expected", FORMS)
def test_equations_are_read_as_linear_text(
    stage: Any, inside: str, expected: str, wrap: Wrap
) -> None:
    assert stage.box(body=_body(inside, wrap)).text == f"It is {expected}."


def test_different_equations_have_different_texts() -> None:
    texts = [text for _, text in FORMS]
    assert len(set(texts)) == len(texts)


def _shape(body: str) -> str:
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="900" name="Rate"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm>'
        f'<a:prstGeom prst="rect"/></p:spPr><p:txBody>{body}</p:txBody></p:sp>'
    )


def _alternative_shape(inside: str) -> str:
    """Return an alternative with an entire shape, as PowerPoint writes it."""
    blank = "<a:bodyPr/><a:p><a:r><a:t> </a:t></a:r></a:p>"
    return (
        f'<mc:AlternateContent><mc:Choice Requires="a14">{_shape(_body(inside))}</mc:Choice>'
        f"<mc:Fallback>{_shape(blank)}</mc:Fallback></mc:AlternateContent>"
    )


_CHANGES = [
    (run("x+1"), run("x+2")),
    (run("x") + run("2"), part("sSup", X, part("sup", run("2")))),
    (part("sSup", X, part("sup", run("2"))), part("sSub", X, part("sub", run("2")))),
    (
        part("f", part("num", run("a")), part("den", run("b"))),
        part("f", setting("f", type="noBar"), part("num", run("a")), part("den", run("b"))),
    ),
    (part("d", X), part("d", setting("d", begChr="[", endChr="]"), X)),
    (part("rad", part("deg"), X), part("rad", part("deg", run("3")), X)),
    (part("acc", X), part("acc", setting("acc", chr="\u0303"), X)),
    (part("m", part("mr", X, Y)), part("m", part("mr", X), part("mr", Y))),
]


@pytest.mark.slow
@each_case("wrap", [_alternative_shape, lambda i: _shape(_body(i, in_alternatives))])
@each_case("old, new", _CHANGES)
def test_edited_equation_is_one_change(stage: Any, wrap: Wrap, old: str, new: str) -> None:
    before, after = (read_deck(stage.deck_bytes(wrap(each))) for each in (old, new))
    assert [each.kind for each in diff_decks(before, after)] == ["text_changed"]
    assert list(diff_decks(before, before)) == []


_RED = '<a:rPr i="1"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:rPr>'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (run("x"), run("x", _RED), ["italic", "color"]),
        (run("x") + run("y"), run("x") + run("y", _RED), ["detail"]),
        (run("x"), run("x", '<m:rPr><m:scr m:val="double-struck"/></m:rPr>'), ["detail"]),
        (run("x"), run("x", '<a:rPr lang="de-DE" dirty="0"/>'), []),
    ],
)
def test_equation_style_changes_are_reported(
    stage: Any, old: str, new: str, expected: list[str]
) -> None:
    before, after = (read_deck(stage.deck_bytes(_alternative_shape(each))) for each in (old, new))
    assert sorted(each.what for each in diff_decks(before, after)) == sorted(expected)


def test_supported_alternative_text_is_read(stage: Any) -> None:
    def branch(name: str, text: str) -> str:
        needs = ' Requires="a14"' if name == "Choice" else ""
        return f"<mc:{name}{needs}>{text}</mc:{name}>"

    supported, other = ("<a:r><a:t>" + each + "</a:t></a:r>" for each in ("supported", "other"))
    for choice, expected in ((supported, "supported"), ("<a14:unknown/>", "other"), ("", "other")):
        branches = branch("Choice", choice) + branch("Fallback", other)
        paragraph = f"<mc:AlternateContent>{branches}</mc:AlternateContent>"
        body = f"<a:bodyPr/><a:p>{paragraph}</a:p>"
        assert stage.box(body=body).text == expected


def test_unsupported_alternative_text_is_ignored(stage: Any) -> None:
    hidden, visible = ("<a:r><a:t>" + each + "</a:t></a:r>" for each in ("hidden", "visible"))
    unknown = f'<mc:Choice xmlns:x="urn:unknown" Requires="x">{hidden}</mc:Choice>'
    for fallback, expected in ((f"<mc:Fallback>{visible}</mc:Fallback>", "visible"), ("", "")):
        paragraph = f"<mc:AlternateContent>{unknown}{fallback}</mc:AlternateContent>"
        assert stage.box(body=f"<a:bodyPr/><a:p>{paragraph}</a:p>").text == expected


def test_text_after_an_equation_is_addressed_by_position(stage: Any) -> None:
    shape = _shape(_body(run("x+1")))
    root = etree.fromstring(
        stage.with_namespaces(f"<p:sld><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:sld>")
    )
    start = len("It is x+1")
    with_transparent_text([TextRange(0, None, 0, start, None)])(root)
    properties: list[Any] = list(root.iter("{*}rPr"))
    transparent = [each.getparent().find(".//{*}t").text for each in properties]
    assert transparent == ["."]


@pytest.mark.parametrize("depth", [20, 100])
def test_deeply_nested_equations_are_read(stage: Any, depth: int) -> None:
    inside = run("x")
    for _ in range(depth):
        inside = part("sSup", part("e", run("a")), part("sup", inside))
    text = stage.box(body=_body(inside)).text
    assert text.startswith("It is a^(a^(")
    assert text.count("a") == depth
