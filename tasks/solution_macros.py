"""Macros that carry out a solution by mouse and keyboard.

`EDIT_MACROS` lists the edits that have macros. A macro refers to slides by their current positions
and to shapes by the names on the screen, so each edit is also applied to the deck.
"""

import inspect
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any

from PIL import Image
from pptx.oxml.ns import qn

from pptarena.decks import Deck, Master, read_deck
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits import Edit, OpenDeck, Solution
from pptarena.edits.signature import address_in
from pptarena.edits.solution import apply_edit, bind_entry
from pptarena.errors import EditError, TaskError
from pptarena.tasks.macros import MacroCall
from pptarena.tasks.task import Task

__all__ = ["EDIT_MACROS", "has_macros", "macros_of"]

_EMU_PER_CM = 360_000
_TOLERANCE_CM = 0.005
_IMAGE_DPI = 96  # of image files without a resolution, in LibreOffice
_OUTLINES = {
    "rectangle": "rect",
    "ellipse": "ellipse",
    "triangle": "triangle",
    "diamond": "diamond",
    "right_arrow": "rightArrow",
}
_EFFECTS = {
    "appear": "Appear",
    "fade": "Fade In",
    "wipe": "Wipe",
    "fly_in": "Fly In",
    "box": "Box",
}
_TABLE, _MEDIA = "TableShape", "Media object 1"
_SIZE_NAMES, _POSITION_NAMES = ("width_cm", "height_cm"), ("left_cm", "top_cm")
_CONNECTION_TAGS = ("a:stCxn", "a:endCxn")
_PLACEHOLDERS = {
    "TITLE": "title",
    "CENTER_TITLE": "title",
    "SUBTITLE": "subtitle",
    "BODY": "body",
    "OBJECT": "body",
}
_LIST_MENU_ITEMS = {"number": "Ordered List", "bullet": "Unordered List"}
_LAYOUT_PLACEHOLDERS = {
    ("title", "body"): "Title, Content",
    ("title", "body", "body"): "Title and 2 Content",
    ("title", "subtitle"): "Title Slide",
}
"""LibreOffice's layouts of empty placeholders, by the roles of the placeholders."""

Calls = Iterator[tuple[str, dict[str, Any]]]
"""Macros as names with arguments."""


def has_macros(task: Task) -> bool:
    """Return whether the agent ``macro`` can play a task, by its macros or by those of its edits.

    The deck is not read. `macros_of` also detects arguments that no macro supports.
    """
    if task.macros is not None:
        return bool(task.macros)
    solutions = (task.solution, *(turn.solution for turn in task.turns))
    return all(
        solution and all(entry["edit"] in EDIT_MACROS for entry in solution)
        for solution in solutions
    )


def macros_of(task: Task) -> tuple[MacroCall, ...]:
    """Return the macros for all turns: those of the task, or else those of its solution.

    Empty if the task has neither.

    Raises:
        DeckError: If the deck cannot be read.
        TaskError: If an edit of the solution has no macro.

    Example:
        >>> from pptarena.tasks import get_task
        >>> [call] = macros_of(get_task("meridian-hide-backup"))
        >>> call.to_json()
        {'macro': 'hide_slide', 'slide': 17}
    """
    if task.macros is not None:
        return task.macros
    solutions = (task.solution, *(turn.solution for turn in task.turns))
    if not all(solutions):
        return ()
    session = _DeckSession(OpenDeck(open_presentation(task.deck_bytes()), task.files_bytes()))
    calls: list[MacroCall] = []
    for number, solution in enumerate(solutions, 1):
        try:
            calls += [MacroCall("next_turn")] if number > 1 else []
            calls += _merge_placements(session.play(solution))
        except EditError as error:
            prefix = "" if number == 1 else f"turns/{number - 2}/"
            raise TaskError(f"{task.id}: {prefix}{error}") from error
    return tuple(calls)


def _merge_placements(calls: Iterable[MacroCall]) -> Iterator[MacroCall]:
    """Yield macros, with consecutive moves and resizes of the same shape merged."""
    for shape, group in groupby(calls, _target_of_placement):
        if shape is None:
            yield from group
            continue
        by_name: dict[str, dict[str, Any]] = {}
        for call in group:
            by_name.setdefault(call.name, {}).update(call.arguments)
        yield from (MacroCall(name, arguments) for name, arguments in by_name.items())


def _target_of_placement(call: MacroCall) -> tuple[int, str] | None:
    """Return slide and name of the shape that a macro moves or resizes; None for other macros."""
    if call.name not in ("resize", "position"):
        return None
    return call.arguments["slide"], call.arguments["shape"]


class _DeckSession:
    """A deck to which edits are applied one after the other.

    Attributes:
        deck: The deck.
        arguments: The arguments of the current edit, without those at their default.
    """

    def __init__(self, deck: OpenDeck) -> None:
        self.deck = deck
        self.arguments: dict[str, Any] = {}
        self._new: dict[tuple[int, int], str] = {}
        self._without_placeholders: set[int] = set()

    def play(self, solution: Solution) -> Iterator[MacroCall]:
        """Apply edits, and yield the macros of each."""
        for number, entry in enumerate(solution):
            try:
                slides = range(1, len(self.deck.presentation.slides) + 1)
                bound = bind_entry(entry, slides)
                if entry.get("slides") == "all" and self._can_apply_to_all(entry["edit"]):
                    calls = [_for_all_slides(each) for each in self._apply(*bound[0])]
                    for edit, arguments in bound[1:]:
                        apply_edit(edit, arguments, self.deck)
                else:
                    calls = [call for each in bound for call in self._apply(*each)]
            except EditError as error:
                raise EditError(f"solution/{number}: {error}") from error
            yield from calls

    def target(self) -> Any:
        """Return the shape that the edit changes."""
        return self.deck.shape(self.arguments["slide"], self.arguments["shape"])

    def facts(self) -> Deck:
        """Return the facts about the current deck."""
        return read_deck(save_presentation(self.deck.presentation))

    def name(self, slide: int | str, shape: str) -> str:
        """Return how macros refer to a shape."""
        target = self.deck.shape(slide, shape)
        new_name = self._new.get((self.deck.slide(slide).slide_id, target.shape_id))
        if new_name is not None:
            return new_name
        if not shape.startswith("id:"):
            return shape
        names = [each.name for each in self.deck.slide(slide).shapes]
        if names.count(target.name) != 1:
            raise EditError(f"no macro can refer to the shape {shape!r}: its name is not unique")
        return str(target.name)

    def master(self) -> Master:
        """Return the facts about the master of the slide that the edit changes."""
        deck = self.facts()
        master = deck.master_of(deck.slides[self.deck.slide_index(self.arguments["slide"])])
        if master is None:
            raise EditError("the slide has no master")
        return master

    def _apply(self, edit: Edit, arguments: dict[str, Any]) -> list[MacroCall]:
        """Apply an edit and return its macros."""
        rule = EDIT_MACROS.get(edit.name)
        if rule is None:
            raise EditError(f"{edit.name}: no macro makes this edit")
        defaults = {each.name: each.default for each in edit.signature.parameters}
        self.arguments = {key: each for key, each in arguments.items() if each != defaults[key]}
        try:
            values = {
                key: self._resolve(edit, key) for key in self.arguments if key not in rule.ignored
            }
            states = {} if rule.read is None else {"before": rule.read(self), "after": None}
            rule.require(values)
            calls = [] if rule.read is not None else list(rule.calls(self, **values))
            placeholder_calls = list(self._placeholder_calls())
            new_id = apply_edit(edit, arguments, self.deck)
            if rule.read is not None:
                states["after"] = rule.read(self)
                calls = list(rule.calls(self, **values, **states))
            if rule.new is not None:
                slide = self.deck.slide(self.arguments["slide"])
                self._new[slide.slide_id, new_id] = rule.new(self.arguments)
            if edit.name == "add_slide" and "layout" in values:
                self._without_placeholders.add(new_id)
        except EditError as error:
            prefix = f"{edit.name}: "
            raise EditError(prefix + str(error).removeprefix(prefix)) from error
        return [
            MacroCall(name, _with_whole_numbers(call))
            for name, call in (*placeholder_calls, *calls)
        ]

    def _placeholder_calls(self) -> Calls:
        """Yield the macro that adds the placeholders of a new slide, before one is edited.

        The application inserts a slide of another layout without them.
        """
        if "shape" not in self.arguments:
            return
        slide = self.deck.slide(self.arguments["slide"])
        types = [each.placeholder_format.type.name for each in slide.slide_layout.placeholders]
        roles = tuple(_PLACEHOLDERS[each] for each in types if each in _PLACEHOLDERS)
        if slide.slide_id in self._without_placeholders and roles in _LAYOUT_PLACEHOLDERS:
            number = self.deck.slide_index(self.arguments["slide"]) + 1
            yield "slide_boxes", {"slide": number, "boxes": _LAYOUT_PLACEHOLDERS[roles]}
        self._without_placeholders.discard(slide.slide_id)

    def _resolve(self, edit: Edit, key: str) -> Any:
        """Return an argument of the edit in the form that macros expect."""
        value = self.arguments[key]
        annotations = {each.name: each.annotation for each in edit.signature.parameters}
        address = address_in(annotations[key])
        if address is not None and address.to == "slide":
            return self.deck.slide_index(value) + 1
        if address is not None:
            shapes = value if isinstance(value, list) else [value]
            names = [self.name(self.arguments["slide"], each) for each in shapes]
            return names if isinstance(value, list) else names[0]
        if key != "color" or value is None:
            return value
        if not value.startswith("#"):
            value = self.master().colors.get(value, "#")
        return value[1:]

    def _can_apply_to_all(self, edit: str) -> bool:
        """Return whether the application may copy one slide's transition to all others.

        It copies both the effect and the timing, so the other one must be equal on all slides.
        """
        transitions = [each.transition for each in self.facts().slides]
        if edit == "set_transition":
            return (
                len({(each.on_click, each.advance_after_sec, each.sound) for each in transitions})
                == 1
            )
        kinds = {(each.type, each.on_click, each.sound) for each in transitions}
        return edit == "set_advance" and len(kinds) == 1


@dataclass(frozen=True)
class _Rule:
    """The translation of an edit into macros.

    Attributes:
        calls: Returns the macros. Its parameters are the session, the arguments and, with `read`,
            the state of the deck before and after the edit.
        read: Returns the state of the deck that the edit changes.
        ignored: Arguments whose value the application chooses itself.
        new: Returns the name that the screen shows for the shape that the edit adds.
    """

    calls: Callable[..., Calls]
    read: Callable[[_DeckSession], Any] | None = None
    ignored: tuple[str, ...] = ()
    new: Callable[[Mapping[str, Any]], str] | None = None

    def require(self, arguments: Mapping[str, Any]) -> None:
        """Check that `calls` accepts these arguments.

        Raises:
            EditError: If it does not accept one of them.
        """
        parameters = inspect.signature(self.calls).parameters
        unknown = [name for name in arguments if name not in parameters]
        if unknown and not any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
            raise EditError(f"no macro supports the argument {', '.join(unknown)}")


def _for_all_slides(call: MacroCall) -> MacroCall:
    """Return a macro that also applies to all other slides."""
    return replace(call, arguments={**call.arguments, "all": True})


def _with_whole_numbers(value: Any) -> Any:
    """Return a JSON value with whole numbers as integers."""
    if isinstance(value, dict):
        return {key: _with_whole_numbers(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_whole_numbers(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _same_arguments(
    macro: str,
    renamed: Mapping[str, str] = MappingProxyType({}),
    ignored: tuple[str, ...] = (),
    **constants: Any,
) -> _Rule:
    """Return the rule of an edit that one macro makes with the same arguments, some renamed."""

    def calls(session: _DeckSession, **arguments: Any) -> Calls:
        yield (
            macro,
            {**{renamed.get(key, key): each for key, each in arguments.items()}, **constants},
        )

    return _Rule(calls, ignored=ignored)


def _set_text(
    session: _DeckSession, slide: int, shape: str, text: str, paragraph: int | None = None
) -> Calls:
    # A click into a paragraph may miss it, so a single paragraph is replaced entirely.
    has_several = paragraph is not None and len(session.target().text_frame.paragraphs) > 1
    paragraph_argument = {"paragraph": paragraph} if has_several else {}
    yield "edit_text", {"slide": slide, "shape": shape, "text": text, **paragraph_argument}


def _hide_slide(session: _DeckSession, slide: int, hidden: bool = True) -> Calls:
    if hidden:
        yield "hide_slide", {"slide": slide}
    else:
        yield "show_slide", {"slide": slide}
        yield "menu", {"path": ["Slide", "Show Slide"]}


def _add_slide(
    session: _DeckSession, layout: str | None = None, position: int | None = None
) -> Calls:
    after = (position or len(session.deck.presentation.slides) + 1) - 1
    if layout is None:
        yield "insert_slide", {"after": after}
        return
    yield "insert_layout_slide", {"after": after, "layout": layout}


def _set_run_format(
    session: _DeckSession,
    slide: int,
    shape: str,
    paragraph: int | None = None,
    run: int | None = None,
    text: str | None = None,
    font: str | None = None,
    script: str | None = None,
    **formatting: Any,
) -> Calls:
    target = {"slide": slide, "shape": shape}
    for text_range in _text_ranges(session.target().text_frame, paragraph, run, text):
        if formatting:
            yield "format_text", {**target, **text_range, **formatting}
        if font is not None:
            fonts = dict(zip(("+mj-lt", "+mn-lt"), session.master().fonts, strict=True))
            yield "typeface", {**target, "font": fonts.get(font, font), **text_range}
        if script is not None:
            yield "script", {**target, **text_range, "place": script.replace("normal", "line")}


def _text_ranges(
    frame: Any, paragraph: int | None, run: int | None, text: str | None
) -> Iterator[dict[str, Any]]:
    """Yield ranges of a text in the form that macros expect: the words and their occurrence."""
    if paragraph is None and run is None and text is None:
        yield {}
        return
    all_text, start = "\n".join(each.text for each in frame.paragraphs), 0
    for number, line in enumerate(frame.paragraphs, 1):
        runs = [each.text for each in line.runs]
        offset = start
        start += len(line.text) + 1
        if paragraph not in (None, number):
            continue
        if "".join(runs) != line.text:
            raise EditError(f"paragraph {number} has a field or a line break")
        if run is None and text is None:
            runs, run = [line.text], None
        for position, run_text in enumerate(runs, 1):
            if run in (None, position):
                for match in re.finditer(re.escape(text or run_text), run_text):
                    yield _text_range(all_text, offset + match.start(), match[0])
            offset += len(run_text)


def _text_range(all_text: str, start: int, text: str) -> dict[str, Any]:
    number = sum(all_text.startswith(text, offset) for offset in range(start + 1))
    return {"words": text, **({"occurrence": number} if number > 1 else {})}


def _set_text_link(
    session: _DeckSession,
    slide: int,
    shape: str,
    address: str | None = None,
    paragraph: int | None = None,
    run: int | None = None,
) -> Calls:
    if address is None:
        raise EditError("no macro removes a link of text or makes one to a slide")
    frame = session.target().text_frame
    for number in [paragraph] if paragraph else range(1, len(frame.paragraphs) + 1):
        for text_range in _text_ranges(frame, number, run, None):
            yield "link", {"slide": slide, "shape": shape, **text_range, "url": address}


def _set_paragraph_format(
    session: _DeckSession,
    slide: int,
    shape: str,
    paragraph: int | None = None,
    align: str | None = None,
    level: int | None = None,
    right_to_left: bool | None = None,
) -> Calls:
    target = {"slide": slide, "shape": shape}
    paragraph_argument = {} if paragraph is None else {"paragraph": paragraph}
    if right_to_left is not None:
        yield (
            "paragraph_direction",
            {**target, "direction": "rtl" if right_to_left else "ltr", **paragraph_argument},
        )
    if align is not None:
        yield "paragraph_align", {**target, "align": align, **paragraph_argument}
    if level is not None:
        for number, line in enumerate(session.target().text_frame.paragraphs, 1):
            if paragraph in (None, number) and line.level != level:
                change = level - line.level
                yield "paragraph_level", {**target, "paragraph": number, "by": change}


def _set_bullets(session: _DeckSession, slide: int, shape: str, style: str) -> Calls:
    if style not in _LIST_MENU_ITEMS:
        raise EditError(f"no macro makes bullets of the style {style!r}")
    yield "select_shape", {"slide": slide, "shape": shape}
    yield "menu", {"path": ["Format", "Lists", _LIST_MENU_ITEMS[style]]}


def _add_animation(
    session: _DeckSession, slide: int, shape: str, effect: str, start: str = "on_click"
) -> Calls:
    target = {"slide": slide, "shape": shape}
    timing = {} if start == "on_click" else {"start": start}
    yield "animation", {**target, "effect": _EFFECTS[effect], **timing}


def _add_text_box(session: _DeckSession, slide: int, text: str, **box: float) -> Calls:
    yield "insert_shape", {"slide": slide, "kind": "text_box", "text": text, **box, "exact": True}


def _add_shape(
    session: _DeckSession, slide: int, outline: str, text: str = "", **box: float
) -> Calls:
    kind = _OUTLINES.get(outline, outline)
    yield "insert_shape", {"slide": slide, "kind": kind, "text": text, **box, "exact": True}


def _add_connector(
    session: _DeckSession, slide: int, start: str, end: str, kind: str = "straight", **sides: str
) -> Calls:
    if kind != "elbow" or set(sides) != {"start_side", "end_side"}:
        raise EditError("a macro makes elbow connectors from side to side only")
    target = {"slide": slide, "shape": start, "to": end}
    yield "connector", {**target, "leaves": sides["start_side"], "enters": sides["end_side"]}


def _add_row(
    session: _DeckSession, slide: int, shape: str, cells: list[str], position: int
) -> Calls:
    target = {"slide": slide, "shape": shape}
    yield "insert_row", {**target, "after": position - 1}
    texts: list[str | None] = [text or None for text in cells]
    yield from _edit_row({**target, "row": position}, texts)


def _edit_row(target: Mapping[str, Any], texts: list[str | None]) -> Calls:
    """Yield the macro that replaces texts of a row of cells; None keeps a text."""
    changed = [number for number, text in enumerate(texts) if text is not None]
    if changed:
        first, last = changed[0], changed[-1]
        yield "edit_cells", {**target, "column": first + 1, "texts": texts[first : last + 1]}


def _add_table(session: _DeckSession, slide: int, cells: list[list[str]], **box: float) -> Calls:
    yield "insert_table", {"slide": slide, "cells": cells}
    yield from _placement_calls({"slide": slide, "shape": _TABLE}, box)


def _add_media(session: _DeckSession, slide: int, file: str, **box: float) -> Calls:
    yield "insert_media", {"slide": slide, "file": file}
    yield from _placement_calls({"slide": slide, "shape": _MEDIA}, box)


def _placement_calls(target: Mapping[str, Any], box: Mapping[str, float]) -> Calls:
    """Yield the macros that set the size and position of a shape, as far as `box` has them."""
    for macro, names in (("resize", _SIZE_NAMES), ("position", _POSITION_NAMES)):
        if arguments := {key: box[key] for key in names if key in box}:
            yield macro, {**target, **arguments}


def _crop_picture(
    session: _DeckSession,
    slide: int,
    shape: str,
    left: float = 0.0,
    top: float = 0.0,
    right: float = 0.0,
    bottom: float = 0.0,
) -> Calls:
    target = {"slide": slide, "shape": shape}
    picture = session.target()
    with Image.open(io.BytesIO(picture.image.blob)) as image:
        dpi = image.info.get("dpi", (_IMAGE_DPI, _IMAGE_DPI))
        width, height = (2.54 * size / each for size, each in zip(image.size, dpi, strict=True))
    crops = {"left": (left, width), "right": (right, width), "top": (top, height)}
    crops["bottom"] = (bottom, height)
    changed = {
        f"{side}_cm": round(fraction * length, 3)
        for side, (fraction, length) in crops.items()
        if not math.isclose(fraction, getattr(picture, f"crop_{side}"), abs_tol=1e-5)
    }
    yield "crop", {**target, **changed}
    yield from _placement_calls(
        target, _box(picture)
    )  # cropping keeps the scale instead of the frame


def _box(shape: Any) -> dict[str, float]:
    """Return position and size of a shape in centimeters."""
    names = ("left", "top", "width", "height")
    return {f"{name}_cm": round((getattr(shape, name) or 0) / _EMU_PER_CM, 3) for name in names}


def _read_boxes(session: _DeckSession) -> list[tuple[str, dict[str, float], float]]:
    """Return names, boxes and rotations of the shapes of an edit."""
    arguments = session.arguments
    slide = arguments["slide"]
    boxes = []
    for each in arguments["shapes"] if "shapes" in arguments else [arguments["shape"]]:
        shape = session.deck.shape(slide, each)
        rotation = float(getattr(shape, "rotation", 0.0))
        boxes.append((session.name(slide, each), _box(shape), rotation))
    return boxes


def _move_shapes(
    session: _DeckSession, slide: int, before: Any, after: Any, **arguments: Any
) -> Calls:
    for (name, old, old_rotation), (_, new, new_rotation) in zip(before, after, strict=True):
        target = {"slide": slide, "shape": name}
        changes = {key: each for key, each in new.items() if abs(each - old[key]) > _TOLERANCE_CM}
        yield from _placement_calls(target, changes)
        if new_rotation != old_rotation:
            yield "rotate", {**target, "degrees": new_rotation}


def _read_ends(session: _DeckSession) -> list[dict[str, str]]:
    """Return the shapes and sites to which a connector is attached."""
    element = session.target()._element
    return [dict(each.attrib) for tag in _CONNECTION_TAGS for each in element.iter(qn(tag))]


def _attach_connector(
    session: _DeckSession, slide: int, before: Any, after: Any, **arguments: Any
) -> Calls:
    if before != after:
        raise EditError("a macro cannot attach a connector to something else")
    yield from ()  # in the application, the connector follows its shapes


def _read_cells(session: _DeckSession) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in session.target().table.rows]


def _sort_rows(
    session: _DeckSession, slide: int, shape: str, before: Any, after: Any, **arguments: Any
) -> Calls:
    for row, (old, new) in enumerate(zip(before, after, strict=True), 1):
        texts = [
            new_text if new_text != old_text else None
            for old_text, new_text in zip(old, new, strict=True)
        ]
        yield from _edit_row({"slide": slide, "shape": shape, "row": row}, texts)


def _read_chart(session: _DeckSession) -> tuple[list[str], dict[str, tuple[float | None, ...]]]:
    """Return the categories of a chart, and its values by series."""
    plots = list(session.target().chart.plots)
    series = {each.name: tuple(each.values) for plot in plots for each in plot.series}
    return list(map(str, plots[0].categories)), series


def _set_chart_data(
    session: _DeckSession, slide: int, shape: str, before: Any, after: Any, **arguments: Any
) -> Calls:
    target = {"slide": slide, "shape": shape}
    (categories, old), (new_categories, new) = before, after
    retained = [name for name in new if name in old]
    if new_categories != categories or retained != list(old) or next(iter(new)) not in old:
        raise EditError("macros change values, and insert series after others, only")
    for name, values in new.items():
        for row, value in enumerate(values, 1):
            if name in old and value != old[name][row - 1]:
                yield "chart_value", {**target, "series": name, "row": row, "value": value}
    for after_name, name in pairwise(new):
        if name not in old:
            arguments = {"series": name, "values": list(new[name]), "after": after_name}
            yield "insert_series", {**target, **arguments}


def _set_chart_axis(
    session: _DeckSession,
    slide: int,
    shape: str,
    axis: str = "value",
    title: str | None = None,
    **limits: float,
) -> Calls:
    axis_letter = "y" if axis == "value" else "x"
    target = {"slide": slide, "shape": shape}
    if limits:
        yield "chart_axis", {**target, "axis": axis_letter, **limits}
    if title is not None:
        yield "chart_titles", {**target, f"{axis_letter}_axis": title}


def _set_bar_direction(session: _DeckSession, slide: int, shape: str, direction: str) -> Calls:
    kind = "bar" if direction == "horizontal" else "column"
    yield "chart_type", {"slide": slide, "shape": shape, "type": kind}


def _series_rule(macro: str, renamed: Mapping[str, str] = MappingProxyType({})) -> _Rule:
    """Return the rule of an edit of a series, which macros refer to by name."""

    def calls(session: _DeckSession, series: int | str, **arguments: Any) -> Calls:
        if isinstance(series, int):
            names = [each.name for plot in session.target().chart.plots for each in plot.series]
            if series > len(names):
                raise EditError(f"expected a series from 1 to {len(names)}, got {series}")
            series = names[series - 1]
        renamed_arguments = {renamed.get(key, key): each for key, each in arguments.items()}
        yield macro, {**renamed_arguments, "series": series}

    return _Rule(calls)


EDIT_MACROS: Mapping[str, _Rule] = MappingProxyType({
    "set_text": _Rule(_set_text),
    "replace_text": _same_arguments("find_replace", {"old": "find", "new": "replace"}),
    "set_run_format": _Rule(_set_run_format),
    "set_paragraph_format": _Rule(_set_paragraph_format),
    "set_bullets": _Rule(_set_bullets, ignored=("indent_cm",)),
    "delete_paragraph": _same_arguments("delete_paragraph"),
    "set_notes": _same_arguments("notes"),
    "add_slide": _Rule(_add_slide, ignored=("footers",)),
    "duplicate_slide": _same_arguments("duplicate_slide", ignored=("without",)),
    "move_slide": _same_arguments("move_slide", {"position": "to"}),
    "delete_slide": _same_arguments("delete_slide"),
    "hide_slide": _Rule(_hide_slide),
    "set_background": _same_arguments("background"),
    "add_text_box": _Rule(_add_text_box, ignored=("wrap",), new=lambda args: args["text"]),
    "move_shape": _Rule(_move_shapes, _read_boxes),
    "reset_position": _Rule(_move_shapes, _read_boxes),
    "delete_shape": _same_arguments("delete_shape"),
    "reorder_shape": _same_arguments("order"),
    "set_fill": _same_arguments("fill_color"),
    "set_line": _same_arguments("outline", {"start_arrow": "start", "end_arrow": "end"}),
    "add_shape": _Rule(_add_shape, new=lambda args: args.get("text") or "Rectangle"),
    "add_connector": _Rule(_add_connector, new=lambda args: "Connector"),
    "attach_connector": _Rule(_attach_connector, _read_ends),
    "group_shapes": _same_arguments("group"),
    "align_shapes": _Rule(_move_shapes, _read_boxes),
    "distribute_shapes": _Rule(_move_shapes, _read_boxes),
    "set_cell": _same_arguments("edit_cell"),
    "add_row": _Rule(_add_row),
    "delete_column": _same_arguments("delete_column", {"position": "column"}),
    "sort_rows": _Rule(_sort_rows, _read_cells),
    "add_table": _Rule(_add_table, new=lambda args: _TABLE),
    "set_chart_data": _Rule(_set_chart_data, _read_chart, ("number_format",)),
    "set_chart_title": _same_arguments("chart_titles", {"text": "title"}),
    "set_chart_color": _series_rule("series_color"),
    "set_chart_axis": _Rule(_set_chart_axis),
    "set_bar_direction": _Rule(_set_bar_direction),
    "set_chart_legend": _same_arguments("chart_legend"),
    "set_chart_labels": _same_arguments("chart_labels"),
    "set_chart_value": _series_rule("chart_value", {"point": "row"}),
    "delete_series": _series_rule("remove_series"),
    "replace_picture": _same_arguments("replace_picture"),
    "crop_picture": _Rule(_crop_picture),
    "set_picture_grayscale": _same_arguments("picture_color", mode="gray"),
    "add_media": _Rule(_add_media, new=lambda args: _MEDIA),
    "set_alt_text": _same_arguments("alt_text"),
    "set_link": _same_arguments("slide_link", {"to_slide": "to"}),
    "set_text_link": _Rule(_set_text_link),
    "set_transition": _same_arguments("transition", ignored=("direction",)),
    "set_advance": _same_arguments("advance", {"seconds": "after_sec"}),
    "add_animation": _Rule(_add_animation),
    "remove_animations": _same_arguments("remove_animation"),
    "set_theme_color": _same_arguments("theme_color"),
    "set_layout": _same_arguments("change_layout"),
    "add_layout_text_box": _same_arguments("stamp_layout", ignored=("name",)),
})  # fmt: skip
"""The rules by edit name. Other edits cannot be made by mouse and keyboard."""
