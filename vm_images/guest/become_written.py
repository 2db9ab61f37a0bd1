"""Properties and texts of a document made like those of another one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import uno

__all__ = ["all_of", "become_written", "listed", "set_all", "set_anyway", "set_some", "tried"]

_READ_ONLY = 16  # com.sun.star.beans.PropertyAttribute.READONLY
# Objects that may be set as they are, though they come from another document.
_SHARED = ("Graphic", "FillBitmap", "NumberingRules", "Theme")
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
        ),
        "ExternalData",  # where a chart's book lies in the other file
    )
)
# What Python hands over as a wider number than the property has. Charts keep it as it comes, and
# then they cannot be saved.
_NARROW = frozenset(("byte", "short", "unsigned short", "unsigned long", "float"))
# The look of letters; what else a cursor has is that of their paragraph, or undone by them.
_LETTERS = (
    *("CharWeight", "CharPosture", "CharUnderline", "CharStrikeout", "CharColor", "CharHeight"),
    *("CharComplexColor", "CharFontName", "CharBackColor", "CharBackTransparent", "CharCaseMap"),
    *("CharKerning", "CharLocale", "CharTransparence", "CharShadowed", "CharContoured"),
    *("CharEscapement", "CharFontNameAsian", "CharFontNameComplex"),
)
_LINK = "com.sun.star.text.TextField.URL"


def tried(edit: Callable[..., Any], *arguments: Any) -> None:
    """Do what the application may refuse; then it stays undone."""
    try:
        edit(*arguments)
    except Exception:  # noqa: BLE001 - whatever UNO raises: what cannot be set is left
        return


def set_all(mine: Any, theirs: Any) -> None:
    """Set all properties that differ and can be set."""
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
    """Set some properties, also where both say that they do not differ."""
    for name in names:
        tried(_set, mine, name, theirs.getPropertyValue(name))


def set_some(mine: Any, theirs: Any, names: Sequence[str]) -> None:
    """Set those of some properties that differ."""
    for name, now, wanted in zip(names, _values(mine, names), _values(theirs, names), strict=True):
        if _told(now) != _told(wanted):
            tried(_set, mine, name, wanted)


def _values(properties: Any, names: Sequence[str]) -> Sequence[Any]:
    """Return the values of properties, all at once where the application can do that."""
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
    """Return what says whether two values are the same; objects say it by what is in them."""
    if not hasattr(value, "queryInterface"):
        return value
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
    if wanted is None:
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
    """Return what a container has, by its places."""
    return [container.getByIndex(place) for place in range(container.getCount())]


def listed(enumerable: Any) -> Iterator[Any]:
    """Yield what an enumeration has."""
    found = enumerable.createEnumeration()
    while found.hasMoreElements():
        yield found.nextElement()


def become_written(document: Any, mine: Any, theirs: Any) -> None:
    """Make a text like another one: its words, the look of letters and paragraphs, its links."""
    whole, words = _whole(mine), _whole(theirs).getString()
    if whole.getString() != words:
        whole.setString(words)
    for line, wanted in zip(list(listed(mine)), list(listed(theirs)), strict=False):
        set_all(line, wanted)
        place = 0
        for portion in listed(wanted):
            words = portion.getString()
            cursor = mine.createTextCursorByRange(line.getStart())
            cursor.goRight(place, False)
            cursor.goRight(len(words), True)
            is_field = portion.TextPortionType == "TextField"
            if is_field and portion.TextField.supportsService(_LINK):
                tried(_link, document, mine, cursor, portion)
                place += 1  # a field is one letter to a cursor
                continue
            tried(set_some, cursor, portion, _LETTERS)
            place += 1 if is_field else len(words)


def _whole(text: Any) -> Any:
    """Return a cursor over a text: of cells, the application cannot tell the text itself."""
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    return cursor


def _link(document: Any, text: Any, cursor: Any, portion: Any) -> None:
    field = document.createInstance(_LINK)
    for name in ("URL", "Representation", "TargetFrame"):
        field.setPropertyValue(name, portion.TextField.getPropertyValue(name))
    text.insertTextContent(cursor, field, True)
