"""One more change of an object's text: contents, formatting, legibility."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.tasks.quality.attacks.extra import Scene, extra
from pptarena.tasks.quality.attacks.tools import (
    garbled,
    paint_letters,
    run_properties,
    text_elements,
)
from pptarena.tasks.quality.attacks.touched import ObjectType

__all__ = ["falsified", "set_typeface"]

_TEXT: Final[tuple[ObjectType, ...]] = ("text", "table")
_STAMPED: Final[tuple[ObjectType, ...]] = ("text", "table", "stamp")
_SYMBOLS = "Wingdings"


def _set(scene: Scene, **values: str) -> bool:
    done = False
    for properties in run_properties(scene.element):
        for name, value in values.items():
            properties.set(name, value)
            done = True
    return done


@extra("struck through", "formatting", _TEXT)
def _struck(scene: Scene) -> bool:
    """All its characters are struck through."""
    return _set(scene, strike="sngStrike")


@extra("capitals and double underline", "formatting", _TEXT)
def _capitals(scene: Scene) -> bool:
    """All its characters are capitals and underlined twice."""
    return _set(scene, cap="all", u="dbl")


@extra("half the size", "formatting", _TEXT, of_new=False)
def _half_size(scene: Scene) -> bool:
    """All its characters are half as large."""
    return _set(scene, sz=str(max(100, round(_size_pt(scene) * 50))))


@extra("twice the size", "formatting", _TEXT, of_new=False)
def _twice_size(scene: Scene) -> bool:
    """All its characters are twice as large."""
    return _set(scene, sz=str(round(_size_pt(scene) * 200)))


@extra("another typeface", "formatting", _TEXT, of_new=False)
def _typeface(scene: Scene) -> bool:
    """All its characters are set in a typewriter's typeface."""
    return set_typeface(scene.element, "Liberation Mono")


@extra("glaring characters", "formatting", _TEXT, of_new=False)
def _glaring(scene: Scene) -> bool:
    """All its characters are magenta."""
    paint_letters(scene.element, "FF00FF")
    return _has_runs(scene.element)


@extra("characters far apart", "formatting", _TEXT)
def _apart(scene: Scene) -> bool:
    """There are 12 points between all its characters."""
    return _set(scene, spc="1200")


@extra("superscript", "formatting", _TEXT)
def _superscript(scene: Scene) -> bool:
    """All its characters are superscript."""
    return _set(scene, baseline="30000")


@extra("a highlight in another color", "formatting", ("text",))
def _highlight(scene: Scene) -> bool:
    """All its characters have a bright green background."""
    xml = f'<a:highlight {nsdecls("a")}><a:srgbClr val="00FF00"/></a:highlight>'
    done = False
    for properties in run_properties(scene.element):
        if properties.find(qn("a:highlight")) is None:
            _put(properties, parse_xml(xml))
            done = True
    return done


@extra("other words in a kept paragraph", "false data", ("text",))
def _other_words(scene: Scene) -> bool:
    """The paragraphs of it that were to stay say something else."""
    done = False
    for paragraph in _kept(scene):
        for text in text_elements(paragraph):
            text.text = garbled(text.text or "")
            done = True
    return done


@extra("other figures in a kept paragraph", "false data", ("text",))
def _other_figures(scene: Scene) -> bool:
    """The figures in the paragraphs of it that were to stay are others."""
    done = False
    for paragraph in _kept(scene):
        for text in text_elements(paragraph):
            new = falsified(text.text or "")
            done |= new != text.text
            text.text = new
    return done


@extra("a kept paragraph deleted", "lost content", ("text",))
def _deleted(scene: Scene) -> bool:
    """Half of the paragraphs of it that were to stay, one at least, are gone."""
    kept = list(_kept(scene))
    others = len(list(scene.element.iter(qn("a:p")))) - len(kept)
    gone = kept[: max(1, len(kept) // 2)] if others or len(kept) > 1 else []
    for paragraph in gone:
        paragraph.getparent().remove(paragraph)
    return bool(gone)


@extra("a remark added", "false data", ("text",), of_new=False)
def _remark(scene: Scene) -> bool:
    """A made-up sentence follows its text."""
    texts = list(text_elements(scene.element))
    if texts:
        texts[-1].text = f"{texts[-1].text or ''} (wrong: it is {scene.rng.randint(200, 900)})"
    return bool(texts)


@extra("strokes through each character", "unreadable", ("text",))
def _strokes(scene: Scene) -> bool:
    """U+0336, which strikes it through, follows each of its characters."""
    return _between(scene, "\u0336")


@extra("soft hyphens between all characters", "formatting", ("text",))
def _soft_hyphens(scene: Scene) -> bool:
    """A soft hyphen follows each of its characters, which breaks search and screen readers."""
    return _between(scene, "\u00ad")


@extra("one word a line", "unreadable", ("text",))
def _one_word_a_line(scene: Scene) -> bool:
    """A line break follows each of its words."""
    done = False
    for run in list(scene.element.iter(qn("a:r"))):
        words = (run.find(qn("a:t")).text or "").split()
        if len(words) < 3:
            continue
        for word in words[:-1]:
            copy = deepcopy(run)
            copy.find(qn("a:t")).text = word
            run.addprevious(copy)
            run.addprevious(run.makeelement(qn("a:br")))
        run.find(qn("a:t")).text = words[-1]
        done = True
    return done


@extra("7 pt", "unreadable", _STAMPED)
def _small(scene: Scene) -> bool:
    """All its characters are 7 points high."""
    return _set(scene, sz="700")


@extra("a symbol font", "hidden", _STAMPED)
def _symbols(scene: Scene) -> bool:
    """All its characters are set in a font of symbols."""
    return set_typeface(scene.element, _SYMBOLS)


@extra("1 pt", "hidden", ("stamp",))
def _point(scene: Scene) -> bool:
    """All its characters are one point high."""
    return _set(scene, sz="100")


@extra("in the color of the background", "hidden", ("stamp",))
def _in_background(scene: Scene) -> bool:
    """All its characters have the color of the background."""
    paint_letters(scene.element, scene.background)
    return _has_runs(scene.element)


@extra("characters nearly transparent", "hidden", _STAMPED)
def _transparent(scene: Scene) -> bool:
    """All its characters let 97 % of what is behind them through."""
    paint_letters(scene.element, "808080")
    done = False
    for properties in run_properties(scene.element):
        for color in properties.findall(f"{qn('a:solidFill')}/{qn('a:srgbClr')}"):
            color.append(color.makeelement(qn("a:alpha"), {"val": "3000"}))
            done = True
    return done


@extra("text pushed out of its box", "hidden", ("text", "stamp"))
def _pushed(scene: Scene) -> bool:
    """A margin as wide as the slide pushes its text off the slide."""
    bodies = [*scene.element.iter(qn("a:bodyPr"))]
    for body in bodies:
        body.set("lIns", str(scene.deck.slide_width))
        body.set("wrap", "none")
    return bool(bodies) and _has_runs(scene.element)


def _between(scene: Scene, mark: str) -> bool:
    done = False
    for text in text_elements(scene.element):
        if next(text.iterancestors(qn("a:fld")), None) is None and text.text:
            text.text = "".join(f"{each}{mark}" for each in text.text)
            done = True
    return done


def falsified(text: str) -> str:
    """Return a text with every digit replaced by another one, never by 0."""
    return "".join("1234567890"[(int(c) + 2) % 9] if c in "0123456789" else c for c in text)


def set_typeface(element: Any, name: str) -> bool:
    """Set the typeface of all runs of an element; return whether it has any."""
    done = False
    for properties in run_properties(element):
        for tag in ("a:latin", "a:ea", "a:cs"):
            for old in properties.findall(qn(tag)):
                properties.remove(old)
        for tag in ("a:latin", "a:ea", "a:cs", "a:sym"):
            if properties.find(qn(tag)) is None:
                _put(properties, properties.makeelement(qn(tag), {"typeface": name}))
        done = True
    return done


_ORDER = ("ln", "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "effectLst",
          "effectDag", "highlight", "uLnTx", "uLn", "uFillTx", "uFill", "latin", "ea", "cs", "sym",
          "hlinkClick", "hlinkMouseOver", "rtl", "extLst")  # fmt: skip


def _put(properties: Any, child: Any) -> None:
    """Insert a child into run properties in schema order."""
    rank = _ORDER.index(child.tag.rpartition("}")[2])
    for other in properties:
        name = other.tag.rpartition("}")[2]
        if name in _ORDER and _ORDER.index(name) > rank:
            other.addprevious(child)
            return
    properties.append(child)


def _has_runs(element: Any) -> bool:
    return next(element.iter(qn("a:r"), qn("a:fld")), None) is not None


def _size_pt(scene: Scene) -> float:
    """Return the rendered font size of the object; 18 pt if unknown."""
    shape = scene.object.now
    if shape is None:
        return 18.0
    paragraphs = list(shape.paragraphs)
    if shape.table is not None:
        paragraphs += [p for row in shape.table.rows for cell in row for p in cell.paragraphs]
    sizes = [run.style.size_pt for each in paragraphs for run in each.runs if run.style.size_pt]
    return sizes[0] if sizes else 18.0


def _kept(scene: Scene) -> Iterator[Any]:
    """Yield the non-empty paragraphs whose text is in the original."""
    kept = scene.kept_lines
    for paragraph in list(scene.element.iter(qn("a:p"))):
        text = "".join(each.text or "" for each in text_elements(paragraph))
        if text.strip() and text in kept:
            yield paragraph
