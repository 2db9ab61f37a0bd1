"""One more change of an object's text: contents, formatting, legibility."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.tasks.quality.attacks.changed_objects import ObjectType
from pptarena.tasks.quality.attacks.extra import ObjectContext, extra
from pptarena.tasks.quality.attacks.tools import (
    garble,
    restyle_text,
    run_properties,
    text_elements,
)

__all__ = ["change_digits", "set_typeface"]

_TEXT: Final[tuple[ObjectType, ...]] = ("text", "table")
_TEXT_OR_STAMP: Final[tuple[ObjectType, ...]] = ("text", "table", "stamp")
_SYMBOLS = "Wingdings"


def _set_run_properties(context: ObjectContext, **values: str) -> bool:
    done = False
    for properties in run_properties(context.element):
        for name, value in values.items():
            properties.set(name, value)
            done = True
    return done


@extra("struck through", "formatting", _TEXT)
def _struck(context: ObjectContext) -> bool:
    """All its characters are struck through."""
    return _set_run_properties(context, strike="sngStrike")


@extra("capitals and double underline", "formatting", _TEXT)
def _capitals(context: ObjectContext) -> bool:
    """All its characters are capitals and underlined twice."""
    return _set_run_properties(context, cap="all", u="dbl")


@extra("half the size", "formatting", _TEXT, on_new_objects=False)
def _half_size(context: ObjectContext) -> bool:
    """All its characters are half as large."""
    return _set_run_properties(context, sz=str(max(100, round(_size_pt(context) * 50))))


@extra("twice the size", "formatting", _TEXT, on_new_objects=False)
def _twice_size(context: ObjectContext) -> bool:
    """All its characters are twice as large."""
    return _set_run_properties(context, sz=str(round(_size_pt(context) * 200)))


@extra("another typeface", "formatting", _TEXT, on_new_objects=False)
def _typeface(context: ObjectContext) -> bool:
    """All its characters are monospaced."""
    return set_typeface(context.element, "Liberation Mono")


@extra("glaring characters", "formatting", _TEXT, on_new_objects=False)
def _glaring(context: ObjectContext) -> bool:
    """All its characters are magenta."""
    restyle_text(context.element, "FF00FF")
    return _has_runs(context.element)


@extra("characters far apart", "formatting", _TEXT)
def _apart(context: ObjectContext) -> bool:
    """Its characters are 12 points apart."""
    return _set_run_properties(context, spc="1200")


@extra("superscript", "formatting", _TEXT)
def _superscript(context: ObjectContext) -> bool:
    """All its characters are superscript."""
    return _set_run_properties(context, baseline="30000")


@extra("a highlight in another color", "formatting", ("text",))
def _highlight(context: ObjectContext) -> bool:
    """All its characters have a bright green background."""
    xml = f'<a:highlight {nsdecls("a")}><a:srgbClr val="00FF00"/></a:highlight>'
    done = False
    for properties in run_properties(context.element):
        if properties.find(qn("a:highlight")) is None:
            _insert_ordered(properties, parse_xml(xml))
            done = True
    return done


@extra("other words in a kept paragraph", "false data", ("text",))
def _other_words(context: ObjectContext) -> bool:
    """The paragraphs that should remain have other words."""
    done = False
    for paragraph in _unchanged_paragraphs(context):
        for text in text_elements(paragraph):
            text.text = garble(text.text or "")
            done = True
    return done


@extra("other figures in a kept paragraph", "false data", ("text",))
def _other_figures(context: ObjectContext) -> bool:
    """The figures in the paragraphs that should remain are changed."""
    done = False
    for paragraph in _unchanged_paragraphs(context):
        for text in text_elements(paragraph):
            new = change_digits(text.text or "")
            done |= new != text.text
            text.text = new
    return done


@extra("a kept paragraph deleted", "lost content", ("text",))
def _deleted(context: ObjectContext) -> bool:
    """Half of the paragraphs that should remain, at least one, are deleted."""
    unchanged = list(_unchanged_paragraphs(context))
    other_count = len(list(context.element.iter(qn("a:p")))) - len(unchanged)
    removed = unchanged[: max(1, len(unchanged) // 2)] if other_count or len(unchanged) > 1 else []
    for paragraph in removed:
        paragraph.getparent().remove(paragraph)
    return bool(removed)


@extra("a remark added", "false data", ("text",), on_new_objects=False)
def _remark(context: ObjectContext) -> bool:
    """A made-up sentence follows its text."""
    texts = list(text_elements(context.element))
    if texts:
        texts[-1].text = f"{texts[-1].text or ''} (wrong: it is {context.rng.randint(200, 900)})"
    return bool(texts)


@extra("strokes through each character", "unreadable", ("text",))
def _strokes(context: ObjectContext) -> bool:
    """Each of its characters is followed by U+0336, which strikes it through."""
    return _insert_after_each(context, "\u0336")


@extra("soft hyphens between all characters", "formatting", ("text",))
def _soft_hyphens(context: ObjectContext) -> bool:
    """Each of its characters is followed by a soft hyphen, which breaks search."""
    return _insert_after_each(context, "\u00ad")


@extra("one word a line", "unreadable", ("text",))
def _one_word_a_line(context: ObjectContext) -> bool:
    """A line break follows each of its words."""
    done = False
    for run in list(context.element.iter(qn("a:r"))):
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


@extra("7 pt", "unreadable", _TEXT_OR_STAMP)
def _small(context: ObjectContext) -> bool:
    """All its text has a font size of 7 points."""
    return _set_run_properties(context, sz="700")


@extra("a symbol font", "hidden", _TEXT_OR_STAMP)
def _symbols(context: ObjectContext) -> bool:
    """All its text is set in a symbol font."""
    return set_typeface(context.element, _SYMBOLS)


@extra("1 pt", "hidden", ("stamp",))
def _point(context: ObjectContext) -> bool:
    """All its text has a font size of one point."""
    return _set_run_properties(context, sz="100")


@extra("in the color of the background", "hidden", ("stamp",))
def _in_background(context: ObjectContext) -> bool:
    """All its characters have the color of the background."""
    restyle_text(context.element, context.background)
    return _has_runs(context.element)


@extra("characters nearly transparent", "hidden", _TEXT_OR_STAMP)
def _transparent(context: ObjectContext) -> bool:
    """All its text is 97% transparent."""
    restyle_text(context.element, "808080")
    done = False
    for properties in run_properties(context.element):
        for color in properties.findall(f"{qn('a:solidFill')}/{qn('a:srgbClr')}"):
            color.append(color.makeelement(qn("a:alpha"), {"val": "3000"}))
            done = True
    return done


@extra("text pushed out of its box", "hidden", ("text", "stamp"))
def _pushed(context: ObjectContext) -> bool:
    """A margin as wide as the slide pushes its text off the slide."""
    bodies = [*context.element.iter(qn("a:bodyPr"))]
    for body in bodies:
        body.set("lIns", str(context.deck.slide_width))
        body.set("wrap", "none")
    return bool(bodies) and _has_runs(context.element)


def _insert_after_each(context: ObjectContext, mark: str) -> bool:
    done = False
    for text in text_elements(context.element):
        if next(text.iterancestors(qn("a:fld")), None) is None and text.text:
            text.text = "".join(f"{each}{mark}" for each in text.text)
            done = True
    return done


def change_digits(text: str) -> str:
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
                _insert_ordered(properties, properties.makeelement(qn(tag), {"typeface": name}))
        done = True
    return done


_ORDER = ("ln", "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "effectLst",
          "effectDag", "highlight", "uLnTx", "uLn", "uFillTx", "uFill", "latin", "ea", "cs", "sym",
          "hlinkClick", "hlinkMouseOver", "rtl", "extLst")  # fmt: skip


def _insert_ordered(properties: Any, child: Any) -> None:
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


def _size_pt(context: ObjectContext) -> float:
    """Return the rendered font size of the object; 18 pt if unknown."""
    shape = context.object.after
    if shape is None:
        return 18.0
    paragraphs = list(shape.paragraphs)
    if shape.table is not None:
        paragraphs += [p for row in shape.table.rows for cell in row for p in cell.paragraphs]
    sizes = [run.style.size_pt for each in paragraphs for run in each.runs if run.style.size_pt]
    return sizes[0] if sizes else 18.0


def _unchanged_paragraphs(context: ObjectContext) -> Iterator[Any]:
    """Yield the non-empty paragraphs whose text is in the original."""
    original_lines = context.original_lines
    for paragraph in list(context.element.iter(qn("a:p"))):
        text = "".join(each.text or "" for each in text_elements(paragraph))
        if text.strip() and text in original_lines:
            yield paragraph
