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
from pptarena.vm_images.guest.property_differences import apply_text, attempt, items_of, set_all
from pptarena.vm_images.guest.table_differences import apply_table

__all__ = ["apply_differences"]

_Signature = tuple[tuple[str, str], ...]

_GROUP = "com.sun.star.drawing.GroupShape"
_TEXT_BOX = "com.sun.star.drawing.TextShape"
_TEXT_TYPES = frozenset(
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
    attempt(_apply, document, other, origins, slides)


def _apply(
    document: Any, other: Any, origins: Sequence[int | None], slides: Sequence[int] | None
) -> None:
    for key in _ATTRIBUTES:
        attempt(_set_attribute, document, other, key)
    set_all(document.getPresentation(), other.getPresentation())
    masters, target_masters = items_of(document.getMasterPages()), items_of(other.getMasterPages())
    if slides is None:
        attempt(_apply_styles, document, other)
        for mine, theirs in zip(masters, target_masters, strict=False):
            _apply_page(document, mine, theirs)
    _order_pages(document, other, origins)
    pages = zip(items_of(document.getDrawPages()), items_of(other.getDrawPages()), strict=False)
    for index, (mine, theirs) in enumerate(pages):
        if slides is not None and index not in slides:
            continue
        master = target_masters.index(theirs.MasterPage)  # several may have one name
        if master < len(masters) and mine.MasterPage != masters[master]:
            mine.MasterPage = masters[master]
        _apply_page(document, mine, theirs)
        _apply_shapes(document, mine.getNotesPage(), theirs.getNotesPage())
        attempt(_apply_comments, mine, theirs)


def _set_attribute(document: Any, other: Any, key: str) -> None:
    value = getattr(other.DocumentProperties, key)
    if getattr(document.DocumentProperties, key) != value:
        setattr(document.DocumentProperties, key, value)


def _apply_styles(document: Any, other: Any) -> None:
    families, target_families = document.getStyleFamilies(), other.getStyleFamilies()
    for family in target_families.getElementNames():
        if not families.hasByName(family):
            continue
        mine, theirs = families.getByName(family), target_families.getByName(family)
        for name in theirs.getElementNames():
            if mine.hasByName(name):
                set_all(mine.getByName(name), theirs.getByName(name))


def _signature(page: Any) -> _Signature:
    """Return a fingerprint of a slide: the types and texts of its shapes."""
    shapes = items_of(page)
    return tuple((shape.ShapeType, _text(shape)) for shape in shapes)


def _text(shape: Any) -> str:
    has_text = hasattr(shape, "getString") and not shape.ShapeType.endswith("TableShape")
    return str(shape.getString()) if has_text else ""


def _order_pages(document: Any, other: Any, origins: Sequence[int | None]) -> None:
    """Delete, move, duplicate and insert slides until they match those of the other document."""
    pages = document.getDrawPages()
    current: list[int | None] = list(range(pages.getCount()))
    # Deleting first minimizes moves: moving a slide makes its charts lose number formats. A deck
    # cannot be empty, so one slide stays until others are inserted.
    for index in range(len(current) - 1, -1, -1):
        if index not in origins and len(current) > 1:
            pages.remove(pages.getByIndex(index))
            current.pop(index)
    for index, origin in enumerate(origins):
        if origin is not None:
            source = current.index(origin, index)
            _move(document, source, index)
        elif (
            template := _find_template(pages, other.getDrawPages().getByIndex(index), index)
        ) is not None:
            document.duplicate(pages.getByIndex(template))
            source = template + 1
            current.insert(source, None)
            _move(document, source, index)
        else:
            pages.insertNewByIndex(index - 1)
            source = index
            current.insert(source, None)
        current.insert(index, current.pop(source))
    for index in range(len(current) - 1, len(origins) - 1, -1):
        pages.remove(pages.getByIndex(index))


def _find_template(pages: Any, target_page: Any, index: int) -> int | None:
    """Return the index of the slide to duplicate for a new slide; None to insert an empty slide.

    The last slide with equal texts is preferred, then the last one with shapes of equal types. If
    the new slide contains only text, earlier slides are ignored: duplicating one would require
    moving others, and an empty slide is as good.
    """
    signature = _signature(target_page)
    signatures = [_signature(page) for page in items_of(pages)]
    types = [shape_type for shape_type, _ in signature]
    equal = [position for position, other in enumerate(signatures) if other == signature]
    similar = [
        position
        for position, other in enumerate(signatures)
        if [shape_type for shape_type, _ in other] == types
    ]
    if not equal and all(shape_type.rpartition(".")[2] in _TEXT_TYPES for shape_type in types):
        similar = [position for position in similar if position >= index - 1]
    matches = equal or similar
    return matches[-1] if signature and matches else None


def _move(document: Any, source: int, destination: int) -> None:
    """Move a slide, or the slides after it, up by one position at a time with a command."""
    controller = document.getCurrentController()
    is_up = destination < source
    for index in range(source, destination, -1) if is_up else range(source + 1, destination + 1):
        controller.setCurrentPage(document.getDrawPages().getByIndex(index))
        _dispatch(document, ".uno:MovePageUp")


def _dispatch(document: Any, command: str, **arguments: Any) -> None:
    frame = document.getCurrentController().getFrame()
    url = uno.createUnoStruct("com.sun.star.util.URL")
    url.Complete, url.Protocol, url.Path = command, ".uno:", command[5:]
    properties = []
    for name, value in {"SynchronMode": True, **arguments}.items():
        properties.append(uno.createUnoStruct("com.sun.star.beans.PropertyValue"))
        properties[-1].Name, properties[-1].Value = name, value
    frame.queryDispatch(url, "_self", 0).dispatch(url, tuple(properties))


def _insert_media(document: Any, page: Any, target: Any) -> Any:
    """Insert a sound or film with the application's command, which embeds the file."""
    stream = target.PrivateStream
    _, content = stream.readBytes(None, stream.available())
    document.getCurrentController().setCurrentPage(page)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, Path(target.MediaURL).name)
        path.write_bytes(content.value)
        address = uno.systemPathToFileUrl(str(path))
        _dispatch(document, ".uno:InsertAVMedia", URL=address, IsLink=False)
    return page.getByIndex(page.getCount() - 1)


def _apply_page(document: Any, mine: Any, theirs: Any) -> None:
    set_all(mine, theirs)
    attempt(_apply_background, document, mine, theirs)
    partners = _apply_shapes(document, mine, theirs)
    attempt(apply_animations, mine, theirs, partners)


def _apply_background(document: Any, mine: Any, theirs: Any) -> None:
    target = theirs.Background
    if target is None:
        if mine.Background is not None:
            mine.Background = None
        return
    background = mine.Background or document.createInstance("com.sun.star.drawing.Background")
    set_all(background, target)
    mine.Background = background


def _apply_shapes(document: Any, mine: Any, theirs: Any) -> list[tuple[Any, Any]]:
    """Make the shapes of a page or group match those of another; return the pairs."""
    unmatched, pairs = items_of(mine), []
    for target in items_of(theirs):
        partner = _partner(unmatched, target)
        if partner is None:
            partner = _create_shape(document, mine, target)
        else:
            unmatched.remove(partner)
        if partner is not None:
            pairs.append((partner, target))
    for shape in unmatched:
        attempt(mine.remove, shape)
    for index, (partner, target) in enumerate(pairs):
        _apply_shape(document, partner, target)
        if partner.ZOrder != index and target.ZOrder == index:
            attempt(_set_order, partner, index)
    for partner, target in pairs:
        attempt(_connect_ends, partner, target, pairs)
    return pairs


def _set_order(shape: Any, index: int) -> None:
    shape.ZOrder = index


def _partner(shapes: Sequence[Any], target: Any) -> Any:
    """Return the most similar shape of the same type, compared by name and text, then by either."""
    candidates = [shape for shape in shapes if shape.ShapeType == target.ShapeType]
    criteria: tuple[Callable[[Any], bool], ...] = (
        lambda shape: shape.Name == target.Name and _text(shape) == _text(target),
        lambda shape: bool(target.Name) and shape.Name == target.Name,
        lambda shape: bool(_text(target)) and _text(shape) == _text(target),
        lambda shape: not shape.Name and not target.Name,
    )
    for matches in criteria:
        matching = [shape for shape in candidates if matches(shape)]
        if matching:
            return matching[0]
    return None


def _create_shape(document: Any, page: Any, target: Any) -> Any:
    created = []

    def create() -> None:
        if target.ShapeType.endswith("MediaShape"):
            created.append(_insert_media(document, page, target))
            return
        # Of the two types of text boxes, only the application's own keeps its bounds.
        shape = document.createInstance(_TEXT_BOX if _resizes_to_text(target) else target.ShapeType)
        page.add(shape)
        shape.setPosition(target.getPosition())
        shape.setSize(target.getSize())
        if hasattr(target, "CLSID") and target.CLSID:
            shape.CLSID = target.CLSID
        created.append(shape)

    attempt(create)
    return created[0] if created else None


def _apply_shape(document: Any, mine: Any, theirs: Any) -> None:
    if theirs.ShapeType == _GROUP:
        _apply_shapes(document, mine, theirs)
    _set_bounds(mine, theirs)
    attempt(_register_markers, document, theirs)
    set_all(mine, theirs)
    if theirs.ShapeType.endswith("TableShape"):  # their text is not available
        attempt(apply_table, document, mine.Model, theirs.Model)
    elif theirs.ShapeType.endswith(("OLE2Shape", "ChartShape")):
        attempt(apply_chart, mine, theirs)
    elif hasattr(theirs, "createTextCursor"):
        attempt(apply_text, document, mine, theirs)
        if _resizes_to_text(theirs) and mine.ShapeType == _TEXT_BOX:
            attempt(_keep_size, mine, theirs.getSize())
        else:  # its size may follow its text, or it was rotated
            _set_bounds(mine, theirs)
            attempt(_keep_height, mine, theirs)


def _set_bounds(mine: Any, theirs: Any) -> None:
    if (mine.getSize(), mine.getPosition()) != (theirs.getSize(), theirs.getPosition()):
        attempt(mine.setSize, theirs.getSize())
        attempt(mine.setPosition, theirs.getPosition())


def _keep_height(mine: Any, theirs: Any) -> None:
    """Keep a shape that shrinks to fit its text at the height in the file.

    Setting the size again would remove the minimum height of the text.
    """
    height = theirs.getSize().Height
    if mine.TextAutoGrowHeight and mine.getSize().Height < height:
        margins = mine.TextUpperDistance + mine.TextLowerDistance
        mine.TextMinimumFrameHeight = height - margins
        if mine.getPosition() != theirs.getPosition():
            mine.setPosition(theirs.getPosition())


def _register_markers(document: Any, theirs: Any) -> None:
    """Register the arrowheads of a line with the document, which refers to them by name."""
    markers = document.createInstance("com.sun.star.drawing.MarkerTable")
    for key in ("LineStart", "LineEnd"):
        name = theirs.getPropertyValue(f"{key}Name")
        if name and not markers.hasByName(name):
            markers.insertByName(name, theirs.getPropertyValue(key))


def _resizes_to_text(shape: Any) -> bool:
    """Return whether a text box resizes to fit its text as soon as text is written."""
    return (
        shape.ShapeType.endswith("CustomShape")
        and bool(shape.TextAutoGrowHeight)
        and not shape.TextWordWrap
    )


def _keep_size(shape: Any, size: Any) -> None:
    """Keep a text box at a size regardless of its text, like the bounds in a file."""
    shape.TextAutoGrowWidth = True
    shape.TextMinimumFrameWidth = shape.TextMaximumFrameWidth = size.Width
    shape.TextMinimumFrameHeight = size.Height
    shape.TextMaximumFrameHeight = size.Height - shape.TextUpperDistance - shape.TextLowerDistance
    shape.setSize(size)


def _connect_ends(mine: Any, theirs: Any, pairs: Sequence[tuple[Any, Any]]) -> None:
    """Glue a connector to the counterparts of the shapes that the other connector is glued to."""
    if not theirs.ShapeType.endswith("ConnectorShape"):
        return
    for key in ("StartShape", "EndShape"):
        for partner, target in pairs:
            end = theirs.getPropertyValue(key)
            if end is not None and end == target:
                mine.setPropertyValue(key, partner)
    set_all(mine, theirs)


def _apply_comments(mine: Any, theirs: Any) -> None:
    current, targets = list(_annotations(mine)), list(_annotations(theirs))
    if [_comment_fields(comment) for comment in current] == [
        _comment_fields(comment) for comment in targets
    ]:
        return
    for comment in current:
        mine.removeAnnotation(comment)
    for comment in targets:
        annotation = mine.createAndInsertAnnotation()
        for key in ("Author", "Initials", "Position", "DateTime"):
            setattr(annotation, key, getattr(comment, key))
        annotation.TextRange.setString(comment.TextRange.getString())


def _annotations(page: Any) -> Iterator[Any]:
    enumeration = page.createAnnotationEnumeration()
    while enumeration.hasMoreElements():
        yield enumeration.nextElement()


def _comment_fields(comment: Any) -> Mapping[str, str]:
    return {"author": comment.Author, "text": comment.TextRange.getString()}
