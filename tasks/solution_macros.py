"""Macros that carry out a solution: its edits by mouse and keyboard.

`EDIT_MACROS` lists the edits that have macros. A macro refers to slides by their current positions
and to shapes by what the screen shows, so the edits are made on the deck too, one after the other.
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
_SAME_CM = 0.005
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
_SIZE, _CORNER = ("width_cm", "height_cm"), ("left_cm", "top_cm")
_ENDS = ("a:stCxn", "a:endCxn")
_PLACEHOLDERS = {
    "TITLE": "title",
    "CENTER_TITLE": "title",
    "SUBTITLE": "subtitle",
    "BODY": "body",
    "OBJECT": "body",
}
_LISTS = {"number": "Ordered List", "bullet": "Unordered List"}
_BOXES = {
    ("title", "body"): "Title, Content",
    ("title", "body", "body"): "Title and 2 Content",
    ("title", "subtitle"): "Title Slide",
}
"""LibreOffice's sets of empty boxes, by the placeholders of a layout."""

Calls = Iterator[tuple[str, dict[str, Any]]]
"""Macros as names with arguments."""


def has_macros(task: Task) -> bool:
    """Return whether the agent ``macro`` can play a task: it has macros or edits that have some.

    The deck is not read, so a rare argument that no macro supports is found by `macros_of` only.
    """
    if task.macros is not None:
        return bool(task.macros)
    solutions = (task.solution, *(turn.solution for turn in task.turns))
    return all(
        solution and all(entry["edit"] in EDIT_MACROS for entry in solution)
        for solution in solutions
    )


def macros_of(task: Task) -> tuple[MacroCall, ...]:
    """Return the macros of a task, or else those that carry out its solution, for all turns.

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
    stage = _Stage(OpenDeck(open_presentation(task.deck_bytes()), task.files_bytes()))
    calls: list[MacroCall] = []
    for number, solution in enumerate(solutions, 1):
        try:
            calls += [MacroCall("next_turn")] if number > 1 else []
            calls += _placed_once(stage.play(solution))
        except EditError as error:
            place = "" if number == 1 else f"turns/{number - 2}/"
            raise TaskError(f"{task.id}: {place}{error}") from error
    return tuple(calls)


def _placed_once(calls: Iterable[MacroCall]) -> Iterator[MacroCall]:
    """Yield macros; several in a row that place the same shape become one of each kind."""
    for shape, group in groupby(calls, _shape_placed):
        if shape is None:
            yield from group
            continue
        last: dict[str, dict[str, Any]] = {}
        for call in group:
            last.setdefault(call.name, {}).update(call.arguments)
        yield from (MacroCall(name, arguments) for name, arguments in last.items())


def _shape_placed(call: MacroCall) -> tuple[int, str] | None:
    """Return slide and name of the shape that a macro moves or resizes; None for other macros."""
    if call.name not in ("resize", "position"):
        return None
    return call.arguments["slide"], call.arguments["shape"]


class _Stage:
    """A deck while its edits are made.

    Attributes:
        deck: The deck.
        given: The arguments of the edit that is made now, without those at their default.
    """

    def __init__(self, deck: OpenDeck) -> None:
        self.deck = deck
        self.given: dict[str, Any] = {}
        self._new: dict[tuple[int, int], str] = {}
        self._bare: set[int] = set()

    def play(self, solution: Solution) -> Iterator[MacroCall]:
        """Make edits, and yield the macros of each."""
        for number, entry in enumerate(solution):
            try:
                slides = range(1, len(self.deck.presentation.slides) + 1)
                bound = bind_entry(entry, slides)
                if entry.get("slides") == "all" and self._copies_alike(entry["edit"]):
                    found = [_on_all(each) for each in self._make(*bound[0])]
                    for edit, arguments in bound[1:]:
                        apply_edit(edit, arguments, self.deck)
                else:
                    found = [call for each in bound for call in self._make(*each)]
            except EditError as error:
                raise EditError(f"solution/{number}: {error}") from error
            yield from found

    def target(self) -> Any:
        """Return the shape that the edit changes."""
        return self.deck.shape(self.given["slide"], self.given["shape"])

    def facts(self) -> Deck:
        """Return the facts about the deck as it is now."""
        return read_deck(save_presentation(self.deck.presentation))

    def name(self, slide: int | str, shape: str) -> str:
        """Return how macros refer to a shape."""
        found = self.deck.shape(slide, shape)
        new = self._new.get((self.deck.slide(slide).slide_id, found.shape_id))
        if new is not None:
            return new
        if not shape.startswith("id:"):
            return shape
        names = [each.name for each in self.deck.slide(slide).shapes]
        if names.count(found.name) != 1:
            raise EditError(f"no macro can refer to the shape {shape!r}: its name is not unique")
        return str(found.name)

    def master(self) -> Master:
        """Return the facts about the master of the slide that the edit changes."""
        deck = self.facts()
        found = deck.master_of(deck.slides[self.deck.slide_index(self.given["slide"])])
        if found is None:
            raise EditError("the slide has no master")
        return found

    def _make(self, edit: Edit, arguments: dict[str, Any]) -> list[MacroCall]:
        """Make an edit and return its macros."""
        rule = EDIT_MACROS.get(edit.name)
        if rule is None:
            raise EditError(f"{edit.name}: no macro makes this edit")
        defaults = {each.name: each.default for each in edit.signature.parameters}
        self.given = {key: each for key, each in arguments.items() if each != defaults[key]}
        try:
            told = {key: self._resolve(edit, key) for key in self.given if key not in rule.ignored}
            states = {} if rule.read is None else {"before": rule.read(self), "after": None}
            rule.require(told)
            found = [] if rule.read is not None else list(rule.calls(self, **told))
            boxes = list(self._boxes())
            new = apply_edit(edit, arguments, self.deck)
            if rule.read is not None:
                states["after"] = rule.read(self)
                found = list(rule.calls(self, **told, **states))
            if rule.new is not None:
                slide = self.deck.slide(self.given["slide"])
                self._new[slide.slide_id, new] = rule.new(self.given)
            if edit.name == "add_slide" and "layout" in told:
                self._bare.add(new)
        except EditError as error:
            place = f"{edit.name}: "
            raise EditError(place + str(error).removeprefix(place)) from error
        return [MacroCall(name, _plain(call)) for name, call in (*boxes, *found)]

    def _boxes(self) -> Calls:
        """Yield the macro that adds the placeholders of a new slide, before one is edited.

        The application inserts a slide of another layout without them.
        """
        if "shape" not in self.given:
            return
        slide = self.deck.slide(self.given["slide"])
        types = [each.placeholder_format.type.name for each in slide.slide_layout.placeholders]
        kinds = tuple(_PLACEHOLDERS[each] for each in types if each in _PLACEHOLDERS)
        if slide.slide_id in self._bare and kinds in _BOXES:
            number = self.deck.slide_index(self.given["slide"]) + 1
            yield "slide_boxes", {"slide": number, "boxes": _BOXES[kinds]}
        self._bare.discard(slide.slide_id)

    def _resolve(self, edit: Edit, key: str) -> Any:
        """Return an argument of the edit as macros take it."""
        value = self.given[key]
        kinds = {each.name: each.annotation for each in edit.signature.parameters}
        address = address_in(kinds[key])
        if address is not None and address.to == "slide":
            return self.deck.slide_index(value) + 1
        if address is not None:
            several = value if isinstance(value, list) else [value]
            names = [self.name(self.given["slide"], each) for each in several]
            return names if isinstance(value, list) else names[0]
        if key != "color" or value is None:
            return value
        if not value.startswith("#"):
            value = self.master().colors.get(value, "#")
        return value[1:]

    def _copies_alike(self, edit: str) -> bool:
        """Return whether the application may copy one slide's transition to all others.

        It copies the effect and the timing, so one of them has to be equal on all slides.
        """
        found = [each.transition for each in self.facts().slides]
        if edit == "set_transition":
            return len({(each.on_click, each.advance_after_sec, each.sound) for each in found}) == 1
        kinds = {(each.type, each.on_click, each.sound) for each in found}
        return edit == "set_advance" and len(kinds) == 1


@dataclass(frozen=True)
class _Rule:
    """How an edit is made by macros.

    Attributes:
        calls: Returns the macros. It takes the stage, the arguments and, with `read`, the state of
            the deck before and after the edit.
        read: Returns the state of the deck that the edit changes.
        ignored: Arguments that the application decides by itself.
        new: Returns what the screen shows of the shape that the edit adds, from its arguments.
    """

    calls: Callable[..., Calls]
    read: Callable[[_Stage], Any] | None = None
    ignored: tuple[str, ...] = ()
    new: Callable[[Mapping[str, Any]], str] | None = None

    def require(self, told: Mapping[str, Any]) -> None:
        """Require that `calls` takes these arguments.

        Raises:
            EditError: If it does not.
        """
        known = inspect.signature(self.calls).parameters
        unknown = [name for name in told if name not in known]
        if unknown and not any(each.kind is each.VAR_KEYWORD for each in known.values()):
            raise EditError(f"no macro supports the argument {', '.join(unknown)}")


def _on_all(call: MacroCall) -> MacroCall:
    """Return a macro that also applies to all other slides."""
    return replace(call, arguments={**call.arguments, "all": True})


def _plain(value: Any) -> Any:
    """Return a JSON value with whole numbers as integers."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _like(
    macro: str,
    renamed: Mapping[str, str] = MappingProxyType({}),
    ignored: tuple[str, ...] = (),
    **more: Any,
) -> _Rule:
    """Return the rule of an edit that a macro makes with the same arguments, some renamed."""

    def calls(stage: _Stage, **told: Any) -> Calls:
        yield macro, {**{renamed.get(key, key): each for key, each in told.items()}, **more}

    return _Rule(calls, ignored=ignored)


def _set_text(
    stage: _Stage, slide: int, shape: str, text: str, paragraph: int | None = None
) -> Calls:
    # A click into a paragraph may miss it, so the only one is replaced as a whole.
    several = paragraph is not None and len(stage.target().text_frame.paragraphs) > 1
    one = {"paragraph": paragraph} if several else {}
    yield "edit_text", {"slide": slide, "shape": shape, "text": text, **one}


def _hide_slide(stage: _Stage, slide: int, hidden: bool = True) -> Calls:
    if hidden:
        yield "hide_slide", {"slide": slide}
    else:
        yield "show_slide", {"slide": slide}
        yield "menu", {"path": ["Slide", "Show Slide"]}


def _add_slide(stage: _Stage, layout: str | None = None, position: int | None = None) -> Calls:
    after = (position or len(stage.deck.presentation.slides) + 1) - 1
    if layout is None:
        yield "insert_slide", {"after": after}
        return
    yield "insert_layout_slide", {"after": after, "layout": layout}


def _set_run_format(
    stage: _Stage,
    slide: int,
    shape: str,
    paragraph: int | None = None,
    run: int | None = None,
    text: str | None = None,
    font: str | None = None,
    script: str | None = None,
    **more: Any,
) -> Calls:
    on = {"slide": slide, "shape": shape}
    for piece in _pieces(stage.target().text_frame, paragraph, run, text):
        if more:
            yield "format_text", {**on, **piece, **more}
        if font is not None:
            fonts = dict(zip(("+mj-lt", "+mn-lt"), stage.master().fonts, strict=True))
            yield "typeface", {**on, "font": fonts.get(font, font), **piece}
        if script is not None:
            yield "script", {**on, **piece, "place": script.replace("normal", "line")}


def _pieces(
    frame: Any, paragraph: int | None, run: int | None, text: str | None
) -> Iterator[dict[str, Any]]:
    """Yield the parts of a text as macros refer to them: by their words and which of several."""
    if paragraph is None and run is None and text is None:
        yield {}
        return
    whole, start = "\n".join(each.text for each in frame.paragraphs), 0
    for number, line in enumerate(frame.paragraphs, 1):
        runs = [each.text for each in line.runs]
        at = start
        start += len(line.text) + 1
        if paragraph not in (None, number):
            continue
        if "".join(runs) != line.text:
            raise EditError(f"paragraph {number} has a field or a line break")
        if run is None and text is None:
            runs, run = [line.text], None
        for place, words in enumerate(runs, 1):
            if run in (None, place):
                for match in re.finditer(re.escape(text or words), words):
                    yield _piece(whole, at + match.start(), match[0])
            at += len(words)


def _piece(whole: str, start: int, words: str) -> dict[str, Any]:
    number = sum(whole.startswith(words, at) for at in range(start + 1))
    return {"words": words, **({"occurrence": number} if number > 1 else {})}


def _set_text_link(
    stage: _Stage,
    slide: int,
    shape: str,
    address: str | None = None,
    paragraph: int | None = None,
    run: int | None = None,
) -> Calls:
    if address is None:
        raise EditError("no macro removes a link of text or makes one to a slide")
    frame = stage.target().text_frame
    for number in [paragraph] if paragraph else range(1, len(frame.paragraphs) + 1):
        for piece in _pieces(frame, number, run, None):
            yield "link", {"slide": slide, "shape": shape, **piece, "url": address}


def _set_paragraph_format(
    stage: _Stage,
    slide: int,
    shape: str,
    paragraph: int | None = None,
    align: str | None = None,
    level: int | None = None,
    right_to_left: bool | None = None,
) -> Calls:
    on = {"slide": slide, "shape": shape}
    one = {} if paragraph is None else {"paragraph": paragraph}
    if right_to_left is not None:
        yield "paragraph_direction", {**on, "direction": "rtl" if right_to_left else "ltr", **one}
    if align is not None:
        yield "paragraph_align", {**on, "align": align, **one}
    if level is not None:
        for number, line in enumerate(stage.target().text_frame.paragraphs, 1):
            if paragraph in (None, number) and line.level != level:
                by = level - line.level
                yield "paragraph_level", {**on, "paragraph": number, "by": by}


def _set_bullets(stage: _Stage, slide: int, shape: str, style: str) -> Calls:
    if style not in _LISTS:
        raise EditError(f"no macro makes bullets of the style {style!r}")
    yield "select_shape", {"slide": slide, "shape": shape}
    yield "menu", {"path": ["Format", "Lists", _LISTS[style]]}


def _add_animation(
    stage: _Stage, slide: int, shape: str, effect: str, start: str = "on_click"
) -> Calls:
    on = {"slide": slide, "shape": shape}
    timing = {} if start == "on_click" else {"start": start}
    yield "animation", {**on, "effect": _EFFECTS[effect], **timing}


def _add_text_box(stage: _Stage, slide: int, text: str, **box: float) -> Calls:
    yield "insert_shape", {"slide": slide, "kind": "text_box", "text": text, **box, "exact": True}


def _add_shape(stage: _Stage, slide: int, outline: str, text: str = "", **box: float) -> Calls:
    kind = _OUTLINES.get(outline, outline)
    yield "insert_shape", {"slide": slide, "kind": kind, "text": text, **box, "exact": True}


def _add_connector(
    stage: _Stage, slide: int, start: str, end: str, kind: str = "straight", **sides: str
) -> Calls:
    if kind != "elbow" or set(sides) != {"start_side", "end_side"}:
        raise EditError("a macro makes elbow connectors from side to side only")
    on = {"slide": slide, "shape": start, "to": end}
    yield "connector", {**on, "leaves": sides["start_side"], "enters": sides["end_side"]}


def _add_row(stage: _Stage, slide: int, shape: str, cells: list[str], position: int) -> Calls:
    on = {"slide": slide, "shape": shape}
    yield "insert_row", {**on, "after": position - 1}
    texts: list[str | None] = [text or None for text in cells]
    yield from _edit_row({**on, "row": position}, texts)


def _edit_row(on: Mapping[str, Any], texts: list[str | None]) -> Calls:
    """Yield the macro that replaces texts of a row of cells; None keeps a text."""
    changed = [number for number, text in enumerate(texts) if text is not None]
    if changed:
        first, last = changed[0], changed[-1]
        yield "edit_cells", {**on, "column": first + 1, "texts": texts[first : last + 1]}


def _add_table(stage: _Stage, slide: int, cells: list[list[str]], **box: float) -> Calls:
    yield "insert_table", {"slide": slide, "cells": cells}
    yield from _placed({"slide": slide, "shape": _TABLE}, box)


def _add_media(stage: _Stage, slide: int, file: str, **box: float) -> Calls:
    yield "insert_media", {"slide": slide, "file": file}
    yield from _placed({"slide": slide, "shape": _MEDIA}, box)


def _placed(on: Mapping[str, Any], box: Mapping[str, float]) -> Calls:
    """Yield the macros that set size and position of a shape, as far as given, in centimeters."""
    for macro, names in (("resize", _SIZE), ("position", _CORNER)):
        if given := {key: box[key] for key in names if key in box}:
            yield macro, {**on, **given}


def _crop_picture(
    stage: _Stage,
    slide: int,
    shape: str,
    left: float = 0.0,
    top: float = 0.0,
    right: float = 0.0,
    bottom: float = 0.0,
) -> Calls:
    on = {"slide": slide, "shape": shape}
    picture = stage.target()
    with Image.open(io.BytesIO(picture.image.blob)) as image:
        dpi = image.info.get("dpi", (_IMAGE_DPI, _IMAGE_DPI))
        width, height = (2.54 * size / each for size, each in zip(image.size, dpi, strict=True))
    shares = {"left": (left, width), "right": (right, width), "top": (top, height)}
    shares["bottom"] = (bottom, height)
    changed = {
        f"{side}_cm": round(share * whole, 3)
        for side, (share, whole) in shares.items()
        if not math.isclose(share, getattr(picture, f"crop_{side}"), abs_tol=1e-5)
    }
    yield "crop", {**on, **changed}
    yield from _placed(on, _box(picture))  # cropping keeps the scale instead of the frame


def _box(shape: Any) -> dict[str, float]:
    """Return position and size of a shape in centimeters."""
    names = ("left", "top", "width", "height")
    return {f"{name}_cm": round((getattr(shape, name) or 0) / _EMU_PER_CM, 3) for name in names}


def _read_boxes(stage: _Stage) -> list[tuple[str, dict[str, float], float]]:
    """Return names, boxes and rotations of the shapes of an edit."""
    slide, given = stage.given["slide"], stage.given
    found = []
    for each in given["shapes"] if "shapes" in given else [given["shape"]]:
        shape = stage.deck.shape(slide, each)
        rotation = float(getattr(shape, "rotation", 0.0))
        found.append((stage.name(slide, each), _box(shape), rotation))
    return found


def _move(stage: _Stage, slide: int, before: Any, after: Any, **told: Any) -> Calls:
    for (name, old, was), (_, new, turned) in zip(before, after, strict=True):
        on = {"slide": slide, "shape": name}
        moved = {key: each for key, each in new.items() if abs(each - old[key]) > _SAME_CM}
        yield from _placed(on, moved)
        if turned != was:
            yield "rotate", {**on, "degrees": turned}


def _read_ends(stage: _Stage) -> list[dict[str, str]]:
    """Return what a connector is attached to."""
    element = stage.target()._element
    return [dict(each.attrib) for tag in _ENDS for each in element.iter(qn(tag))]


def _attach_connector(stage: _Stage, slide: int, before: Any, after: Any, **told: Any) -> Calls:
    if before != after:
        raise EditError("a macro cannot attach a connector to something else")
    yield from ()  # in the application, it stays with its shapes


def _read_cells(stage: _Stage) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in stage.target().table.rows]


def _sort_rows(
    stage: _Stage, slide: int, shape: str, before: Any, after: Any, **told: Any
) -> Calls:
    for row, (old, new) in enumerate(zip(before, after, strict=True), 1):
        texts = [text if text != was else None for was, text in zip(old, new, strict=True)]
        yield from _edit_row({"slide": slide, "shape": shape, "row": row}, texts)


def _read_chart(stage: _Stage) -> tuple[list[str], dict[str, tuple[float | None, ...]]]:
    """Return the categories of a chart, and its values by series."""
    plots = list(stage.target().chart.plots)
    series = {each.name: tuple(each.values) for plot in plots for each in plot.series}
    return list(map(str, plots[0].categories)), series


def _set_chart_data(
    stage: _Stage, slide: int, shape: str, before: Any, after: Any, **told: Any
) -> Calls:
    on = {"slide": slide, "shape": shape}
    (categories, old), (new_categories, new) = before, after
    kept = [name for name in new if name in old]
    if new_categories != categories or kept != list(old) or next(iter(new)) not in old:
        raise EditError("macros change values, and insert series after others, only")
    for name, values in new.items():
        for row, value in enumerate(values, 1):
            if name in old and value != old[name][row - 1]:
                yield "chart_value", {**on, "series": name, "row": row, "value": value}
    for after_name, name in pairwise(new):
        if name not in old:
            told = {"series": name, "values": list(new[name]), "after": after_name}
            yield "insert_series", {**on, **told}


def _set_chart_axis(
    stage: _Stage,
    slide: int,
    shape: str,
    axis: str = "value",
    title: str | None = None,
    **ends: float,
) -> Calls:
    letter = "y" if axis == "value" else "x"
    on = {"slide": slide, "shape": shape}
    if ends:
        yield "chart_axis", {**on, "axis": letter, **ends}
    if title is not None:
        yield "chart_titles", {**on, f"{letter}_axis": title}


def _set_bar_direction(stage: _Stage, slide: int, shape: str, direction: str) -> Calls:
    kind = "bar" if direction == "horizontal" else "column"
    yield "chart_type", {"slide": slide, "shape": shape, "type": kind}


def _of_series(macro: str, renamed: Mapping[str, str] = MappingProxyType({})) -> _Rule:
    """Return the rule of an edit of a series, which macros refer to by its name."""

    def calls(stage: _Stage, series: int | str, **told: Any) -> Calls:
        if isinstance(series, int):
            names = [each.name for plot in stage.target().chart.plots for each in plot.series]
            if series > len(names):
                raise EditError(f"expected a series from 1 to {len(names)}, got {series}")
            series = names[series - 1]
        more = {renamed.get(key, key): each for key, each in told.items()}
        yield macro, {**more, "series": series}

    return _Rule(calls)


EDIT_MACROS: Mapping[str, _Rule] = MappingProxyType({
    "set_text": _Rule(_set_text),
    "replace_text": _like("find_replace", {"old": "find", "new": "replace"}),
    "set_run_format": _Rule(_set_run_format),
    "set_paragraph_format": _Rule(_set_paragraph_format),
    "set_bullets": _Rule(_set_bullets, ignored=("indent_cm",)),
    "delete_paragraph": _like("delete_paragraph"),
    "set_notes": _like("notes"),
    "add_slide": _Rule(_add_slide, ignored=("footers",)),
    "duplicate_slide": _like("duplicate_slide", ignored=("without",)),
    "move_slide": _like("move_slide", {"position": "to"}),
    "delete_slide": _like("delete_slide"),
    "hide_slide": _Rule(_hide_slide),
    "set_background": _like("background"),
    "add_text_box": _Rule(_add_text_box, ignored=("wrap",), new=lambda given: given["text"]),
    "move_shape": _Rule(_move, _read_boxes),
    "reset_position": _Rule(_move, _read_boxes),
    "delete_shape": _like("delete_shape"),
    "reorder_shape": _like("order"),
    "set_fill": _like("fill_color"),
    "set_line": _like("outline", {"start_arrow": "start", "end_arrow": "end"}),
    "add_shape": _Rule(_add_shape, new=lambda given: given.get("text") or "Rectangle"),
    "add_connector": _Rule(_add_connector, new=lambda given: "Connector"),
    "attach_connector": _Rule(_attach_connector, _read_ends),
    "group_shapes": _like("group"),
    "align_shapes": _Rule(_move, _read_boxes),
    "distribute_shapes": _Rule(_move, _read_boxes),
    "set_cell": _like("edit_cell"),
    "add_row": _Rule(_add_row),
    "delete_column": _like("delete_column", {"position": "column"}),
    "sort_rows": _Rule(_sort_rows, _read_cells),
    "add_table": _Rule(_add_table, new=lambda given: _TABLE),
    "set_chart_data": _Rule(_set_chart_data, _read_chart, ("number_format",)),
    "set_chart_title": _like("chart_titles", {"text": "title"}),
    "set_chart_color": _of_series("series_color"),
    "set_chart_axis": _Rule(_set_chart_axis),
    "set_bar_direction": _Rule(_set_bar_direction),
    "set_chart_legend": _like("chart_legend"),
    "set_chart_labels": _like("chart_labels"),
    "set_chart_value": _of_series("chart_value", {"point": "row"}),
    "delete_series": _of_series("remove_series"),
    "replace_picture": _like("replace_picture"),
    "crop_picture": _Rule(_crop_picture),
    "set_picture_grayscale": _like("picture_color", mode="gray"),
    "add_media": _Rule(_add_media, new=lambda given: _MEDIA),
    "set_alt_text": _like("alt_text"),
    "set_link": _like("slide_link", {"to_slide": "to"}),
    "set_text_link": _Rule(_set_text_link),
    "set_transition": _like("transition", ignored=("direction",)),
    "set_advance": _like("advance", {"seconds": "after_sec"}),
    "add_animation": _Rule(_add_animation),
    "remove_animations": _like("remove_animation"),
    "set_theme_color": _like("theme_color"),
    "set_layout": _like("change_layout"),
    "add_layout_text_box": _like("stamp_layout", ignored=("name",)),
})  # fmt: skip
"""How each edit is made by mouse and keyboard, by its name; others cannot be."""
