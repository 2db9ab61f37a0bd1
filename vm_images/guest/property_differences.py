"""Apply differences of properties and text between two documents."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import uno

__all__ = [
    "apply_text",
    "attempt",
    "elements_of",
    "items_of",
    "set_all",
    "set_always",
    "set_differing",
]

_READ_ONLY = 16  # com.sun.star.beans.PropertyAttribute.READONLY
# Objects of another document that can be assigned directly.
_ASSIGNABLE = ("Graphic", "FillBitmap", "NumberingRules", "TextColumns", "Theme")
_EXCLUDED = frozenset(
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
        "PresentationOrder",  # animations are applied as nodes; setting it can crash
    )
)
# Types that Python passes as wider numbers. A chart stores the wider type and then cannot be saved.
_NARROW_TYPES = frozenset(("byte", "short", "unsigned short", "unsigned long", "float"))
# Character properties. Other properties of a cursor belong to the paragraph or undo these.
_CHARACTER_PROPERTIES = (
    *("CharWeight", "CharPosture", "CharUnderline", "CharStrikeout", "CharColor", "CharHeight"),
    *("CharComplexColor", "CharFontName", "CharBackColor", "CharBackTransparent", "CharCaseMap"),
    *("CharKerning", "CharLocale", "CharTransparence", "CharShadowed", "CharContoured"),
    *("CharEscapement", "CharEscapementHeight", "CharFontNameAsian", "CharFontNameComplex"),
)
_LINK = "com.sun.star.text.TextField.URL"


def attempt(edit: Callable[..., Any], *arguments: Any) -> None:
    """Run an edit; ignore any error of the application."""
    try:
        edit(*arguments)
    except Exception:  # noqa: BLE001 - UNO raises many types; the property stays unchanged
        return


def set_all(mine: Any, theirs: Any) -> None:
    """Set all writable properties that differ."""
    own_names = {property_.Name for property_ in mine.getPropertySetInfo().getProperties()}
    set_differing(
        mine,
        theirs,
        sorted(
            property_.Name
            for property_ in theirs.getPropertySetInfo().getProperties()
            if property_.Name not in _EXCLUDED
            and not property_.Attributes & _READ_ONLY
            and property_.Name in own_names
        ),
    )


def set_always(mine: Any, theirs: Any, names: Sequence[str]) -> None:
    """Set the named properties, even if the values compare equal."""
    for name in names:
        attempt(_set, mine, name, theirs.getPropertyValue(name))


def set_differing(mine: Any, theirs: Any, names: Sequence[str]) -> None:
    """Set the named properties that differ, twice, because some of them change others."""
    for _ in range(2):
        values = zip(names, _values(mine, names), _values(theirs, names), strict=True)
        differing = [
            (name, target)
            for name, current, target in values
            if current != target and _comparable(current) != _comparable(target)
        ]
        if not differing:
            return
        for name, target in differing:
            attempt(_set, mine, name, target)


def _values(properties: Any, names: Sequence[str]) -> Sequence[Any]:
    """Return property values, in one call where the application supports that."""
    if hasattr(properties, "getPropertyValues"):
        with suppress(Exception):
            return tuple(properties.getPropertyValues(tuple(names)))
    values = []
    for name in names:
        value = None
        with suppress(Exception):
            value = properties.getPropertyValue(name)
        values.append(value)
    return values


def _comparable(value: Any) -> Any:
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
        return [_comparable_element(value.getByIndex(index)) for index in range(value.getCount())]
    return ""


def _comparable_element(value: Any) -> Any:
    if isinstance(value, tuple):
        return [
            (property_.Name, "" if hasattr(property_.Value, "queryInterface") else property_.Value)
            for property_ in value
            if hasattr(property_, "Name")
        ]
    return ""


def _set(mine: Any, name: str, value: Any) -> None:
    if value is None and name == "NumberingLevel":
        uno.invoke(mine, "setPropertyValue", (name, uno.Any("short", -1)))  # no list
    elif value is None:
        mine.setPropertyToDefault(name)
    elif hasattr(value, "queryInterface"):
        if name in _ASSIGNABLE or name.endswith("ComplexColor"):
            mine.setPropertyValue(name, value)
    elif isinstance(value, tuple) and value and hasattr(value[0], "Name"):
        typed_values = uno.Any("[]com.sun.star.beans.PropertyValue", value)
        uno.invoke(mine, "setPropertyValue", (name, typed_values))
    elif (
        type_name := mine.getPropertySetInfo().getPropertyByName(name).Type.typeName
    ) in _NARROW_TYPES:
        uno.invoke(mine, "setPropertyValue", (name, uno.Any(type_name, value)))
    else:
        mine.setPropertyValue(name, value)


def items_of(container: Any) -> list[Any]:
    """Return the elements of an indexed container."""
    return [container.getByIndex(index) for index in range(container.getCount())]


def elements_of(enumerable: Any) -> Iterator[Any]:
    """Yield the elements of an enumeration."""
    enumeration = enumerable.createEnumeration()
    while enumeration.hasMoreElements():
        yield enumeration.nextElement()


def apply_text(document: Any, mine: Any, theirs: Any) -> None:
    """Apply the differences of a text: characters, their and the paragraphs' formatting, links."""
    own_text, text = _cursor_over(mine), _cursor_over(theirs).getString()
    if own_text.getString() != text:
        own_text.setString(text)
    for paragraph, target_paragraph in zip(
        list(elements_of(mine)), list(elements_of(theirs)), strict=False
    ):
        set_all(paragraph, target_paragraph)
        offset, portions = 0, list(elements_of(target_paragraph))
        own_links = [
            _hyperlink(portion_) for portion_ in elements_of(paragraph) if _hyperlink(portion_)
        ]
        if own_links and own_links != [
            _hyperlink(portion_) for portion_ in portions if _hyperlink(portion_)
        ]:
            cursor = mine.createTextCursorByRange(paragraph.getStart())
            cursor.gotoRange(paragraph.getEnd(), True)
            cursor.setString("".join(portion_.getString() for portion_ in portions))
            own_links = []
        for portion in portions:
            text = portion.getString()
            cursor = mine.createTextCursorByRange(paragraph.getStart())
            cursor.goRight(offset, False)
            cursor.goRight(len(text), True)
            is_field = portion.TextPortionType == "TextField"
            if _hyperlink(portion):
                if not own_links:
                    attempt(_insert_link, document, mine, cursor, portion)
                offset += 1  # a field counts as one character
                continue
            attempt(set_differing, cursor, portion, _CHARACTER_PROPERTIES)
            offset += 1 if is_field else len(text)


def _cursor_over(text: Any) -> Any:
    """Return a cursor over an entire text; the text object of a cell does not return its text."""
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    return cursor


def _hyperlink(portion: Any) -> tuple[str, ...]:
    """Return target and text of a hyperlink; empty for anything else."""
    field = portion.TextField if portion.TextPortionType == "TextField" else None
    if field is None or not field.supportsService(_LINK):
        return ()
    return field.URL, field.Representation


def _insert_link(document: Any, text: Any, cursor: Any, portion: Any) -> None:
    field = document.createInstance(_LINK)
    for name in ("URL", "Representation", "TargetFrame"):
        field.setPropertyValue(name, portion.TextField.getPropertyValue(name))
    text.insertTextContent(cursor, field, True)
