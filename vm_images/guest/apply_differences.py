"""Apply the differences between two open documents over UNO, property by property.

This reproduces inside the application an edit made to a file, as far as UNO exposes the changed
properties. Anything without a UNO property stays unchanged.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import uno

from pptarena.vm_images.guest.animation_differences import apply_animations
from pptarena.vm_images.guest.chart_differences import apply_chart
from pptarena.vm_images.guest.property_differences import all_of, apply_text, set_all, tried
from pptarena.vm_images.guest.table_differences import apply_table

__all__ = ["apply_differences"]

_Sign = tuple[tuple[str, str], ...]

_OF_GROUP = "com.sun.star.drawing.GroupShape"
_TEXT_BOX = "com.sun.star.drawing.TextShape"
_OF_TEXT = frozenset(
    (
        *("DateTimeShape", "FooterShape", "OutlinerShape", "SlideNumberShape", "SubtitleShape"),
        *("TextShape", "TitleTextShape"),
    )
)
_ATTRIBUTES = ("Title", "Subject", "Author", "Description", "Keywords")


def apply_differences(
    document: Any, other: Any, origins: Sequence[int | None], slides: Sequence[int] | None
) -> None:
    """Set all properties that differ from another open document; skip those that cannot be set.

    Args:
        document: The document to edit.
        other: The document to match.
        origins: For each slide of `other` the index, from 0, of the same slide in `document`; None
            for a new slide.
        slides: Indices, from 0, of the slides of `other` to include; None for all, and for masters
            and styles, which is slow.
    """
    tried(_apply, document, other, origins, slides)


def _apply(
    document: Any, other: Any, origins: Sequence[int | None], slides: Sequence[int] | None
) -> None:
    for key in _ATTRIBUTES:
        tried(_set_attribute, document, other, key)
    set_all(document.getPresentation(), other.getPresentation())
    own, wanted = all_of(document.getMasterPages()), all_of(other.getMasterPages())
    if slides is None:
        tried(_styles, document, other)
        for mine, theirs in zip(own, wanted, strict=False):
            _page(document, mine, theirs)
    _order_pages(document, other, origins)
    pages = zip(all_of(document.getDrawPages()), all_of(other.getDrawPages()), strict=False)
    for place, (mine, theirs) in enumerate(pages):
        if slides is not None and place not in slides:
            continue
        master = wanted.index(theirs.MasterPage)  # several may have one name
        if master < len(own) and mine.MasterPage != own[master]:
            mine.MasterPage = own[master]
        _page(document, mine, theirs)
        _shapes(document, mine.getNotesPage(), theirs.getNotesPage())
        tried(_comments, mine, theirs)


def _set_attribute(document: Any, other: Any, key: str) -> None:
    value = getattr(other.DocumentProperties, key)
    if getattr(document.DocumentProperties, key) != value:
        setattr(document.DocumentProperties, key, value)


def _styles(document: Any, other: Any) -> None:
    families, wanted = document.getStyleFamilies(), other.getStyleFamilies()
    for family in wanted.getElementNames():
        if not families.hasByName(family):
            continue
        mine, theirs = families.getByName(family), wanted.getByName(family)
        for name in theirs.getElementNames():
            if mine.hasByName(name):
                set_all(mine.getByName(name), theirs.getByName(name))


def _sign(page: Any) -> _Sign:
    """Return a fingerprint of a slide: the types and texts of its shapes."""
    shapes = all_of(page)
    return tuple((each.ShapeType, _words(each)) for each in shapes)


def _words(shape: Any) -> str:
    has_words = hasattr(shape, "getString") and not shape.ShapeType.endswith("TableShape")
    return str(shape.getString()) if has_words else ""


def _order_pages(document: Any, other: Any, origins: Sequence[int | None]) -> None:
    """Delete, move, duplicate and insert slides until they match those of the other document."""
    pages = document.getDrawPages()
    now: list[int | None] = list(range(pages.getCount()))
    # Deleted first, so that few slides move: a chart on a slide that moves loses number formats.
    # One slide has to stay until there are others.
    for place in range(len(now) - 1, -1, -1):
        if place not in origins and len(now) > 1:
            pages.remove(pages.getByIndex(place))
            now.pop(place)
    for place, origin in enumerate(origins):
        if origin is not None:
            start = now.index(origin, place)
            _move(document, start, place)
        elif (model := _model(pages, other.getDrawPages().getByIndex(place), place)) is not None:
            document.duplicate(pages.getByIndex(model))
            start = model + 1
            now.insert(start, None)
            _move(document, start, place)
        else:
            pages.insertNewByIndex(place - 1)
            start = place
            now.insert(start, None)
        now.insert(place, now.pop(start))
    for place in range(len(now) - 1, len(origins) - 1, -1):
        pages.remove(pages.getByIndex(place))


def _model(pages: Any, wanted: Any, place: int) -> int | None:
    """Return the index of the slide that a new slide is a copy of; None if it is an empty slide.

    That is the last slide with equal texts, else the last one with shapes of equal types. The copy
    of an earlier slide gets to its place by moving others, which is avoided for one that has only
    texts: an empty one is as good.
    """
    sign = _sign(wanted)
    signs = [_sign(page) for page in all_of(pages)]
    kinds = [kind for kind, _ in sign]
    same = [index for index, each in enumerate(signs) if each == sign]
    alike = [index for index, each in enumerate(signs) if [kind for kind, _ in each] == kinds]
    if not same and all(kind.rpartition(".")[2] in _OF_TEXT for kind in kinds):
        alike = [index for index in alike if index >= place - 1]
    found = same or alike
    return found[-1] if sign and found else None


def _move(document: Any, start: int, to: int) -> None:
    """Move a slide, or those after it, up, one position at a time, with the command for it."""
    controller = document.getCurrentController()
    for place in range(start, to, -1) if to < start else range(start + 1, to + 1):
        controller.setCurrentPage(document.getDrawPages().getByIndex(place))
        _dispatch(document, ".uno:MovePageUp")


def _dispatch(document: Any, command: str, **arguments: Any) -> None:
    frame = document.getCurrentController().getFrame()
    parsed = uno.createUnoStruct("com.sun.star.util.URL")
    parsed.Complete, parsed.Protocol, parsed.Path = command, ".uno:", command[5:]
    given = []
    for name, value in {"SynchronMode": True, **arguments}.items():
        given.append(uno.createUnoStruct("com.sun.star.beans.PropertyValue"))
        given[-1].Name, given[-1].Value = name, value
    frame.queryDispatch(parsed, "_self", 0).dispatch(parsed, tuple(given))


def _insert_media(document: Any, page: Any, wanted: Any) -> Any:
    """Insert a sound or film with the application's command, which embeds the file."""
    stream = wanted.PrivateStream
    _, content = stream.readBytes(None, stream.available())
    document.getCurrentController().setCurrentPage(page)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, Path(wanted.MediaURL).name)
        path.write_bytes(content.value)
        address = uno.systemPathToFileUrl(str(path))
        _dispatch(document, ".uno:InsertAVMedia", URL=address, IsLink=False)
    return page.getByIndex(page.getCount() - 1)


def _page(document: Any, mine: Any, theirs: Any) -> None:
    set_all(mine, theirs)
    tried(_background, document, mine, theirs)
    partners = _shapes(document, mine, theirs)
    tried(apply_animations, mine, theirs, partners)


def _background(document: Any, mine: Any, theirs: Any) -> None:
    wanted = theirs.Background
    if wanted is None:
        if mine.Background is not None:
            mine.Background = None
        return
    made = mine.Background or document.createInstance("com.sun.star.drawing.Background")
    set_all(made, wanted)
    mine.Background = made


def _shapes(document: Any, mine: Any, theirs: Any) -> list[tuple[Any, Any]]:
    """Make the shapes of a page or group match those of another; return the pairs."""
    left, pairs = all_of(mine), []
    for wanted in all_of(theirs):
        partner = _partner(left, wanted)
        if partner is None:
            partner = _made(document, mine, wanted)
        else:
            left.remove(partner)
        if partner is not None:
            pairs.append((partner, wanted))
    for shape in left:
        tried(mine.remove, shape)
    for place, (partner, wanted) in enumerate(pairs):
        _shape(document, partner, wanted)
        if partner.ZOrder != place and wanted.ZOrder == place:
            tried(_set_order, partner, place)
    for partner, wanted in pairs:
        tried(_ends, partner, wanted, pairs)
    return pairs


def _set_order(shape: Any, place: int) -> None:
    shape.ZOrder = place


def _partner(shapes: Sequence[Any], wanted: Any) -> Any:
    """Return the most similar shape of the same type, compared by name and text, then by either."""
    fitting = [each for each in shapes if each.ShapeType == wanted.ShapeType]
    tests: tuple[Callable[[Any], bool], ...] = (
        lambda each: each.Name == wanted.Name and _words(each) == _words(wanted),
        lambda each: bool(wanted.Name) and each.Name == wanted.Name,
        lambda each: bool(_words(wanted)) and _words(each) == _words(wanted),
        lambda each: not each.Name and not wanted.Name,
    )
    for fits in tests:
        found = [each for each in fitting if fits(each)]
        if found:
            return found[0]
    return None


def _made(document: Any, page: Any, wanted: Any) -> Any:
    found = []

    def make() -> None:
        if wanted.ShapeType.endswith("MediaShape"):
            found.append(_insert_media(document, page, wanted))
            return
        # Of the two types of text boxes, only the application's own keeps its bounds.
        shape = document.createInstance(_TEXT_BOX if _is_loose(wanted) else wanted.ShapeType)
        page.add(shape)
        shape.setPosition(wanted.getPosition())
        shape.setSize(wanted.getSize())
        if hasattr(wanted, "CLSID") and wanted.CLSID:
            shape.CLSID = wanted.CLSID
        found.append(shape)

    tried(make)
    return found[0] if found else None


def _shape(document: Any, mine: Any, theirs: Any) -> None:
    if theirs.ShapeType == _OF_GROUP:
        _shapes(document, mine, theirs)
    _set_bounds(mine, theirs)
    tried(_markers, document, theirs)
    set_all(mine, theirs)
    if theirs.ShapeType.endswith("TableShape"):  # their text is not available
        tried(apply_table, document, mine.Model, theirs.Model)
    elif theirs.ShapeType.endswith(("OLE2Shape", "ChartShape")):
        tried(apply_chart, mine, theirs)
    elif hasattr(theirs, "createTextCursor"):
        tried(apply_text, document, mine, theirs)
        if _is_loose(theirs) and mine.ShapeType == _TEXT_BOX:
            tried(_hold, mine, theirs.getSize())
        else:  # it has grown or shrunk with its text, or was turned
            _set_bounds(mine, theirs)
            tried(_keep_height, mine, theirs)


def _set_bounds(mine: Any, theirs: Any) -> None:
    if (mine.getSize(), mine.getPosition()) != (theirs.getSize(), theirs.getPosition()):
        tried(mine.setSize, theirs.getSize())
        tried(mine.setPosition, theirs.getPosition())


def _keep_height(mine: Any, theirs: Any) -> None:
    """Keep a shape that shrinks to fit its text at the height in the file.

    Setting the size again would remove the least height of the text.
    """
    height = theirs.getSize().Height
    if mine.TextAutoGrowHeight and mine.getSize().Height < height:
        margins = mine.TextUpperDistance + mine.TextLowerDistance
        mine.TextMinimumFrameHeight = height - margins
        if mine.getPosition() != theirs.getPosition():
            mine.setPosition(theirs.getPosition())


def _markers(document: Any, theirs: Any) -> None:
    """Make the arrowheads of a line known to the document, which refers to them by name."""
    known = document.createInstance("com.sun.star.drawing.MarkerTable")
    for key in ("LineStart", "LineEnd"):
        name = theirs.getPropertyValue(f"{key}Name")
        if name and not known.hasByName(name):
            known.insertByName(name, theirs.getPropertyValue(key))


def _is_loose(shape: Any) -> bool:
    """Return whether a text box resizes to fit its text as soon as text is written."""
    return (
        shape.ShapeType.endswith("CustomShape")
        and bool(shape.TextAutoGrowHeight)
        and not shape.TextWordWrap
    )


def _hold(shape: Any, size: Any) -> None:
    """Keep a text box at a size regardless of its text, like the bounds in a file."""
    shape.TextAutoGrowWidth = True
    shape.TextMinimumFrameWidth = shape.TextMaximumFrameWidth = size.Width
    shape.TextMinimumFrameHeight = size.Height
    shape.TextMaximumFrameHeight = size.Height - shape.TextUpperDistance - shape.TextLowerDistance
    shape.setSize(size)


def _ends(mine: Any, theirs: Any, pairs: Sequence[tuple[Any, Any]]) -> None:
    """Glue a connector to the counterparts of the shapes that the other connector is glued to."""
    if not theirs.ShapeType.endswith("ConnectorShape"):
        return
    for key in ("StartShape", "EndShape"):
        for partner, wanted in pairs:
            end = theirs.getPropertyValue(key)
            if end is not None and end == wanted:
                mine.setPropertyValue(key, partner)
    set_all(mine, theirs)


def _comments(mine: Any, theirs: Any) -> None:
    now, wanted = list(_notes(mine)), list(_notes(theirs))
    if [_said(each) for each in now] == [_said(each) for each in wanted]:
        return
    for each in now:
        mine.removeAnnotation(each)
    for each in wanted:
        made = mine.createAndInsertAnnotation()
        for key in ("Author", "Initials", "Position", "DateTime"):
            setattr(made, key, getattr(each, key))
        made.TextRange.setString(each.TextRange.getString())


def _notes(page: Any) -> Iterator[Any]:
    found = page.createAnnotationEnumeration()
    while found.hasMoreElements():
        yield found.nextElement()


def _said(comment: Any) -> Mapping[str, str]:
    return {"author": comment.Author, "text": comment.TextRange.getString()}
