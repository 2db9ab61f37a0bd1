"""Apply differences of properties and text between two documents."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import uno

__all__ = ["all_of", "apply_text", "listed", "set_all", "set_anyway", "set_some", "tried"]

_READ_ONLY = 16  # com.sun.star.beans.PropertyAttribute.READONLY
# Objects of another document that can be assigned directly.
_SHARED = ("Graphic", "FillBitmap", "NumberingRules", "TextColumns", "Theme")
_NEVER = frozenset(
    (
        *(
            "MasterPage",
            "Background",
            "Style",
            "AnimationNode",
            "ZOrder",
            "Model",
            "Number",
            "BuildId",
            "ThemeUnoRepresentation",  # the theme without its fonts
        ),
        *("ExternalData", "MediaURL"),  # locations within the other file
        *("NumberFormat", "PercentageNumberFormat"),  # positions in the document's own list
        "PresentationOrder",  # animations are applied as nodes; it crashes without any left
    )
)
# Types that Python passes as wider numbers. A chart stores the wider type and then cannot be saved.
_NARROW = frozenset(("byte", "short", "unsigned short", "unsigned long", "float"))
# Character properties. Other properties of a cursor belong to the paragraph or undo these.
_LETTERS = (
    *("CharWeight", "CharPosture", "CharUnderline", "CharStrikeout", "CharColor", "CharHeight"),
    *("CharComplexColor", "CharFontName", "CharBackColor", "CharBackTransparent", "CharCaseMap"),
    *("CharKerning", "CharLocale", "CharTransparence", "CharShadowed", "CharContoured"),
    *("CharEscapement", "CharEscapementHeight", "CharFontNameAsian", "CharFontNameComplex"),
)
_LINK = "com.sun.star.text.TextField.URL"


def tried(edit: Callable[..., Any], *arguments: Any) -> None:
    """Run an edit; ignore any error of the application."""
    try:
        edit(*arguments)
    except Exception:  # noqa: BLE001 - whatever UNO raises: what cannot be set is left
        return


def set_all(mine: Any, theirs: Any) -> None:
    """Set all writable properties that differ."""
    known = {each.Name for each in mine.getPropertySetInfo().getProperties()}
    set_some(
        mine,
        theirs,
        sorted(
            each.Name
            for each in theirs.getPropertySetInfo().getProperties()
            if each.Name not in _NEVER and not each.Attributes & _READ_ONLY and each.Name in known
        ),
    )


def set_anyway(mine: Any, theirs: Any, names: Sequence[str]) -> None:
    """Set the named properties, even if the values compare equal."""
    for name in names:
        tried(_set, mine, name, theirs.getPropertyValue(name))


def set_some(mine: Any, theirs: Any, names: Sequence[str]) -> None:
    """Set those of the named properties that differ; again, because some change others."""
    for _ in range(2):
        values = zip(names, _values(mine, names), _values(theirs, names), strict=True)
        differing = [
            (name, wanted)
            for name, now, wanted in values
            if now != wanted and _told(now) != _told(wanted)
        ]
        if not differing:
            return
        for name, wanted in differing:
            tried(_set, mine, name, wanted)


def _values(properties: Any, names: Sequence[str]) -> Sequence[Any]:
    """Return property values, in one call where the application supports that."""
    if hasattr(properties, "getPropertyValues"):
        with suppress(Exception):
            return tuple(properties.getPropertyValues(tuple(names)))
    found = []
    for name in names:
        value = None
        with suppress(Exception):
            value = properties.getPropertyValue(name)
        found.append(value)
    return found


def _told(value: Any) -> Any:
    """Return a comparable form of a value; objects are compared by their contents."""
    if isinstance(value, str | int | float | tuple) or not hasattr(value, "queryInterface"):
        return value
    if hasattr(value, "getDIB"):
        return value.getSize(), value.getDIB()
    if hasattr(value, "getColorSet"):
        return value.getName(), value.getColorSet()
    if hasattr(value, "getColumnCount"):
        return value.getColumnCount()
    if hasattr(value, "getThemeColorType"):
        return value.getType(), value.getThemeColorType()
    if hasattr(value, "getByIndex") and hasattr(value, "getCount"):
        return [_plain(value.getByIndex(place)) for place in range(value.getCount())]
    return ""


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [
            (each.Name, "" if hasattr(each.Value, "queryInterface") else each.Value)
            for each in value
            if hasattr(each, "Name")
        ]
    return ""


def _set(mine: Any, name: str, wanted: Any) -> None:
    if wanted is None and name == "NumberingLevel":
        uno.invoke(mine, "setPropertyValue", (name, uno.Any("short", -1)))  # no list
    elif wanted is None:
        mine.setPropertyToDefault(name)
    elif hasattr(wanted, "queryInterface"):
        if name in _SHARED or name.endswith("ComplexColor"):
            mine.setPropertyValue(name, wanted)
    elif isinstance(wanted, tuple) and wanted and hasattr(wanted[0], "Name"):
        values = uno.Any("[]com.sun.star.beans.PropertyValue", wanted)
        uno.invoke(mine, "setPropertyValue", (name, values))
    elif (kind := mine.getPropertySetInfo().getPropertyByName(name).Type.typeName) in _NARROW:
        uno.invoke(mine, "setPropertyValue", (name, uno.Any(kind, wanted)))
    else:
        mine.setPropertyValue(name, wanted)


def all_of(container: Any) -> list[Any]:
    """Return the elements of an indexed container."""
    return [container.getByIndex(place) for place in range(container.getCount())]


def listed(enumerable: Any) -> Iterator[Any]:
    """Yield the elements of an enumeration."""
    found = enumerable.createEnumeration()
    while found.hasMoreElements():
        yield found.nextElement()


def apply_text(document: Any, mine: Any, theirs: Any) -> None:
    """Apply the differences of a text: characters, their and the paragraphs' formatting, links."""
    whole, words = _whole(mine), _whole(theirs).getString()
    if whole.getString() != words:
        whole.setString(words)
    for line, wanted in zip(list(listed(mine)), list(listed(theirs)), strict=False):
        set_all(line, wanted)
        place, portions = 0, list(listed(wanted))
        own = [_link_of(each) for each in listed(line) if _link_of(each)]
        if own and own != [_link_of(each) for each in portions if _link_of(each)]:
            cursor = mine.createTextCursorByRange(line.getStart())
            cursor.gotoRange(line.getEnd(), True)
            cursor.setString("".join(each.getString() for each in portions))
            own = []
        for portion in portions:
            words = portion.getString()
            cursor = mine.createTextCursorByRange(line.getStart())
            cursor.goRight(place, False)
            cursor.goRight(len(words), True)
            is_field = portion.TextPortionType == "TextField"
            if _link_of(portion):
                if not own:
                    tried(_link, document, mine, cursor, portion)
                place += 1  # a field counts as one character
                continue
            tried(set_some, cursor, portion, _LETTERS)
            place += 1 if is_field else len(words)


def _whole(text: Any) -> Any:
    """Return a cursor over a text; for cells the application does not return the text itself."""
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    return cursor


def _link_of(portion: Any) -> tuple[str, ...]:
    """Return target and text of a hyperlink; empty for anything else."""
    field = portion.TextField if portion.TextPortionType == "TextField" else None
    if field is None or not field.supportsService(_LINK):
        return ()
    return field.URL, field.Representation


def _link(document: Any, text: Any, cursor: Any, portion: Any) -> None:
    field = document.createInstance(_LINK)
    for name in ("URL", "Representation", "TargetFrame"):
        field.setPropertyValue(name, portion.TextField.getPropertyValue(name))
    text.insertTextContent(cursor, field, True)
