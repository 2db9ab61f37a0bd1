"""Convert the evaluators of OSWorld's tasks to rubrics."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pptarena.benchmarks.osworld.case import Case, Wanted
from pptarena.benchmarks.osworld.positions import Move, moved, wanted_move
from pptarena.benchmarks.outcome import RefusedError
from pptarena.decks import Deck, Slide, read_deck
from pptarena.decks.diff.change import ASPECTS
from pptarena.decks.selectors import is_kind, spec_of
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.gold.scope_of import scope_of

__all__ = ["COMPARES", "Goal", "goal_of", "require_judged"]

COMPARES: Final = "compare_pptx_files"
_DOCUMENTS = "file:///home/agent/Documents"
_HALF_INCH = 457_200
_COLORS = {"red": "#FF0000", "green": "#00FF00", "blue": "#0000FF", "black": "#000000"}
# The benchmark names a color by its dominant component.
_COLOR_TOLERANCE = 120
_NO_DECK = {
    "check_presenter_console_disable": "judges a setting of the application, not the deck",
    "check_auto_saving_time": "judges a setting of the application, not the deck",
    "check_left_panel": "judges the application's window, not the deck",
    "compare_images": "judges an exported picture, not the deck",
}
_RESIZED: Final = sorted(ASPECTS - {"text", "shapes", "slides", "order", "notes", "pictures"})


@dataclass(frozen=True)
class Goal:
    """What a task requires.

    Attributes:
        fields: Fields of the task file: ``rubric``, ``scope`` or ``feasible``.
        gold: The gold deck as a .pptx file; None if there is none.
        edit_types: Edit types; empty if they follow from the gold deck.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    gold: bytes | None = None
    edit_types: tuple[str, ...] = ()


def require_judged(case: Case) -> None:
    """Refuse a task whose result cannot be determined from a deck.

    Raises:
        RefusedError: If the evaluators do not evaluate the opened deck.
    """
    names = {each.func for each in case.wanted}
    if len(case.wanted) > 1 and not (case.any and names == {COMPARES}):
        why = f"expected one evaluator, or comparisons of which one is enough, got {sorted(names)}"
        raise RefusedError("several evaluators together", why, expected=True)
    wanted = case.wanted[0]
    if wanted.func in _NO_DECK:
        raise RefusedError(_NO_DECK[wanted.func], wanted.func, expected=True)
    if wanted.func not in (COMPARES, "infeasible", *_RULES):
        raise RefusedError("unknown evaluator", repr(wanted.func[:80]))
    if wanted.func != "infeasible" and wanted.judged != case.opened:
        why = f"{wanted.judged!r} and not {case.opened!r}"
        raise RefusedError("judges another file than the one that is opened", why, expected=True)


def goal_of(case: Case, deck: bytes, golds: Sequence[bytes], files: Mapping[str, bytes]) -> Goal:
    """Return what a task requires.

    Args:
        case: A task accepted by `require_judged`.
        deck: The .pptx file that the task starts from.
        golds: Gold decks of the evaluators; of several alternatives, the first is used.
        files: Attachments by name.

    Raises:
        RefusedError: If no rubric can express the task.
    """
    wanted = case.wanted[0]
    if wanted.func == "infeasible":
        return Goal({"feasible": False})
    if wanted.func == COMPARES:
        return _compared(wanted, deck, golds[0])
    return _RULES[wanted.func](wanted, read_deck(deck), files)


def _compared(wanted: Wanted, deck: bytes, gold: bytes) -> Goal:
    original, compared = read_deck(deck), read_deck(gold)
    plan = plan_of(original, compared)
    move = wanted_move(wanted.options, compared)
    if move is not None and not _moves(plan, move):
        return _moved(original, plan, move, gold)
    if not plan.groups:
        raise RefusedError("the gold deck changes nothing", wanted.func)
    return Goal(gold=gold)


def _moves(plan: GoldPlan, move: Move) -> bool:
    """Return whether the gold deck itself moves the shape."""
    return any(
        part.aspect == "geometry" and part.slide_gold == move.slide
        and part.shape_gold == move.shape.index
        for group in plan.groups for part in group.parts
    )  # fmt: skip


def _moved(original: Deck, plan: GoldPlan, move: Move, compared: bytes) -> Goal:
    args = {"slide": move.slide, "shape": move.spec, "region": move.region}
    leaves = [_leaf(f"it stands at the {move.region}", "shape_in_region", args)]
    aspects = sorted({part.aspect for group in plan.groups for part in group.parts})
    if aspects:
        leaves.append(_leaf("the rest of the gold", "gold_match", {"aspects": aspects}))
    gold = moved(compared, move)
    scope = scope_of(original, read_deck(gold)).to_json()
    return Goal(_fields(leaves, scope), gold)


def _transition(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    slide = _slide(deck, wanted.rules.get("slide_idx"), "slide_idx")
    kind = wanted.rules.get("transition_type")
    if not isinstance(kind, str) or not kind.strip():
        raise RefusedError("malformed", f"transition_type: expected a name, got {kind!r}")
    number = slide.index + 1
    leaf = _leaf("it comes in so", "transition_is", {"slide": number, "type": kind})
    scope = {"slides": [number], "aspects": ["transition"]}
    return Goal(_fields([leaf], scope), None, ("transitions",))


def _background(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    rgb = wanted.rules.get("rgb")
    if not isinstance(rgb, list) or len(rgb) != 3 or not all(_is_byte(each) for each in rgb):
        raise RefusedError("malformed", f"rgb: expected three numbers to 255, got {rgb!r}")
    color = "#{:02X}{:02X}{:02X}".format(*rgb)
    leaf = _leaf("every background", "slide_background", {"slides": "all", "color": color})
    scope = {"slides": "all", "aspects": ["background", "master"]}
    return Goal(_fields([leaf], scope), None, ("themes",))


def _is_byte(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= 255


def _portrait(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    args = {"width_emu": deck.height_emu, "height_emu": deck.width_emu}
    if deck.width_emu <= deck.height_emu:
        raise RefusedError("the deck has what is asked for", "its slides are upright")
    leaf = _leaf("the slides are upright", "slide_size_is", args)
    # Impress can rescale the slide contents to the new size.
    return Goal(_fields([leaf], {"slides": "all", "aspects": _RESIZED}), None, ("slides",))


def _numbers(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    color = _COLORS.get(str(wanted.rules.get("color")))
    if color is None:
        known = ", ".join(_COLORS)
        raise RefusedError("malformed", f"color: expected one of {known}, got {wanted.rules!r}")
    shown = [s.index + 1 for s in deck.slides if any(is_kind(each, "number") for each in s.shapes)]
    if not shown:
        raise RefusedError("no slide shows its number", wanted.func)
    args = {"slides": shown, "shape": "@number", "color": color}
    leaf = _leaf("its colour", "run_format", {**args, "color_tolerance": _COLOR_TOLERANCE})
    scope = {"slides": "all", "aspects": ["formatting", "master", "layout"]}
    return Goal(_fields([leaf], scope), None, ("masters", "text"))


def _stretched(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    first = deck.slides[0] if deck.slides else None
    if first is None or not any(is_kind(shape, "picture") for shape in first.shapes):
        raise RefusedError("malformed", "expected a picture on the first slide, found none")
    at = {"slide": 1, "shape": "@picture", "tolerance_emu": _HALF_INCH}
    size = {"width_emu": deck.width_emu, "height_emu": deck.height_emu, "same_picture": True}
    leaves = [
        _leaf("it fills the slide", "shape_size", {**at, **size}),
        _leaf("it is in the middle", "shape_position", {**at, "left_emu": 0, "top_emu": 0}),
    ]
    # The picture may cover other shapes or be sent behind them.
    parts = [
        {"slides": [1], "shapes": ["@picture"], "aspects": ["geometry", "order"]},
        {"slides": [1], "aspects": ["other", "visibility"]},
    ]
    return Goal(_fields(leaves, {"parts": parts}), None, ("images", "arrangement"))


def _struck(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    rules = wanted.rules
    lists = [rules.get(f"{name}_index_s") for name in ("slide", "shape", "paragraph")]
    if not all(isinstance(each, list) and each for each in lists):
        raise RefusedError("malformed", f"rules: expected three lists of positions, got {rules!r}")
    leaves, slides = [], []
    for number in lists[0] or ():
        slide = _slide(deck, number, "slide_index_s")
        own = [shape for shape in slide.shapes if shape.group is None]
        slides.append(slide.index + 1)
        for at in lists[1] or ():
            shape = own[at] if isinstance(at, int) and 0 <= at < len(own) else None
            spec = None if shape is None else spec_of(slide, shape)
            for line in lists[2] or ():
                if shape is None or spec is None or not isinstance(line, int):
                    raise RefusedError("malformed", f"rules: no paragraph {number}, {at}, {line}")
                lines = [paragraph.text for paragraph in shape.paragraphs]
                if not 0 <= line < len(lines) or not lines[line].strip():
                    raise RefusedError("malformed", f"rules: no paragraph {number}, {at}, {line}")
                args = {"slide": slide.index + 1, "shape": spec, "text": lines[line].strip()}
                name = f"slide {slide.index + 1}, shape {at}, line {line + 1}"
                leaves.append(_leaf(name, "run_format", {**args, "strike": True}))
    scope = {"slides": slides, "aspects": ["formatting"]}
    return Goal(_fields(leaves, scope), None, ("text",))


def _film(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    if len(files) != 1:
        raise RefusedError("malformed", f"expected one film beside the deck, got {sorted(files)}")
    return _media(deck, 0, "video", *next(iter(files.items())))


def _sound(wanted: Wanted, deck: Deck, files: Mapping[str, bytes]) -> Goal:
    name = wanted.companion.rpartition("/")[2]
    if name not in files or wanted.slide is None:
        raise RefusedError("malformed", f"expected a slide and a sound beside the deck: {name!r}")
    return _media(deck, wanted.slide, "audio", name, files[name])


def _media(deck: Deck, at: int, kind: str, name: str, data: bytes) -> Goal:
    number = _slide(deck, at, "slide_index").index + 1
    args = {"slide": number, "kind": kind}
    digest = {"sha256": hashlib.sha256(data).hexdigest()}
    ways = [
        _leaf("in the deck itself", "media_present", {**args, **digest}),
        _leaf("linked to the file", "media_present", {**args, "linked": f"{_DOCUMENTS}/{name}"}),
    ]
    part = {"slides": [number], "aspects": ["shapes", "animation"], "new_shapes": 1}
    leaves = [{"name": "it is on the slide", "any": ways}]
    return Goal(_fields(leaves, {"parts": [part]}), None, ("media",))


_RULES: Final[Mapping[str, Callable[[Wanted, Deck, Mapping[str, bytes]], Goal]]] = {
    "check_transition": _transition,
    "evaluate_presentation_fill_to_rgb_distance": _background,
    "check_slide_orientation_Portrait": _portrait,
    "check_page_number_colors": _numbers,
    "check_image_stretch_and_center": _stretched,
    "check_strikethrough": _struck,
    "contains_mp4_video": _film,
    "compare_audios": _sound,
}


def _slide(deck: Deck, index: object, name: str) -> Slide:
    if not isinstance(index, int) or not 0 <= index < len(deck.slides):
        last = len(deck.slides) - 1
        raise RefusedError("malformed", f"{name}: expected a slide from 0 to {last}, got {index!r}")
    return deck.slides[index]


def _leaf(name: str, check: str, args: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "check": check, "args": dict(args)}


def _fields(leaves: list[dict[str, Any]], scope: Mapping[str, Any]) -> dict[str, Any]:
    kept = {"name": "nothing else changed", "critical": False, "check": "nothing_else_changed"}
    root = {"name": "the task is done", "children": [*leaves, kept]}
    return {"rubric": {"version": 1, "strategy": "weighted", "root": root}, "scope": dict(scope)}
