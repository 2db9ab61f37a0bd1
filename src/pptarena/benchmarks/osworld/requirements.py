"""Convert the evaluators of OSWorld's tasks to rubrics."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pptarena.benchmarks.osworld.case import Case, Evaluator
from pptarena.benchmarks.osworld.positions import Move, apply_move, requested_move
from pptarena.benchmarks.outcome import RefusedError
from pptarena.decks import Deck, Slide, read_deck
from pptarena.decks.diff.change import ASPECTS
from pptarena.decks.selectors import is_kind, spec_of
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.gold.scope_of import scope_of

__all__ = ["COMPARES", "Requirements", "derive_requirements", "require_supported"]

COMPARES: Final = "compare_pptx_files"
_DOCUMENTS = "file:///home/agent/Documents"
_HALF_INCH = 457_200
_COLORS = {"red": "#FF0000", "green": "#00FF00", "blue": "#0000FF", "black": "#000000"}
# The benchmark names a color by its dominant component.
_COLOR_TOLERANCE = 120
_NOT_ABOUT_DECK = {
    "check_presenter_console_disable": "judges a setting of the application, not the deck",
    "check_auto_saving_time": "judges a setting of the application, not the deck",
    "check_left_panel": "judges the application's window, not the deck",
    "compare_images": "judges an exported picture, not the deck",
}
_RESIZE_ASPECTS: Final = sorted(
    ASPECTS - {"text", "shapes", "slides", "order", "notes", "pictures"}
)


@dataclass(frozen=True)
class Requirements:
    """The requirements of a task.

    Attributes:
        fields: Fields of the task file: ``rubric``, ``scope`` or ``feasible``.
        gold: The gold deck as a .pptx file; None if there is none.
        edit_types: Edit types; empty if they follow from the gold deck.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    gold: bytes | None = None
    edit_types: tuple[str, ...] = ()


def require_supported(case: Case) -> None:
    """Refuse a task whose result cannot be determined from a deck.

    Raises:
        RefusedError: If the evaluators do not evaluate the opened deck.
    """
    names = {entry.func for entry in case.evaluators}
    if len(case.evaluators) > 1 and not (case.any and names == {COMPARES}):
        details = (
            f"expected one evaluator, or comparisons of which one is enough, got {sorted(names)}"
        )
        raise RefusedError("several evaluators together", details, expected=True)
    evaluator = case.evaluators[0]
    if evaluator.func in _NOT_ABOUT_DECK:
        raise RefusedError(_NOT_ABOUT_DECK[evaluator.func], evaluator.func, expected=True)
    if evaluator.func not in (COMPARES, "infeasible", *_RULES):
        raise RefusedError("unknown evaluator", repr(evaluator.func[:80]))
    if evaluator.func != "infeasible" and evaluator.result_path != case.opened_path:
        details = f"{evaluator.result_path!r} and not {case.opened_path!r}"
        raise RefusedError("judges a file other than the opened one", details, expected=True)


def derive_requirements(
    case: Case, deck: bytes, golds: Sequence[bytes], files: Mapping[str, bytes]
) -> Requirements:
    """Return the requirements of a task.

    Args:
        case: A task accepted by `require_supported`.
        deck: The .pptx file that the task starts from.
        golds: Gold decks of the evaluators; of several alternatives, the first is used.
        files: Attachments by name.

    Raises:
        RefusedError: If no rubric can express the task.
    """
    evaluator = case.evaluators[0]
    if evaluator.func == "infeasible":
        return Requirements({"feasible": False})
    if evaluator.func == COMPARES:
        return _gold_comparison(evaluator, deck, golds[0])
    return _RULES[evaluator.func](evaluator, read_deck(deck), files)


def _gold_comparison(evaluator: Evaluator, deck: bytes, gold: bytes) -> Requirements:
    original, target = read_deck(deck), read_deck(gold)
    plan = plan_of(original, target)
    move = requested_move(evaluator.options, target)
    if move is not None and not _gold_moves_shape(plan, move):
        return _move_requirements(original, plan, move, gold)
    if not plan.groups:
        raise RefusedError("the gold deck changes nothing", evaluator.func)
    return Requirements(gold=gold)


def _gold_moves_shape(plan: GoldPlan, move: Move) -> bool:
    """Return whether the gold deck itself moves the shape."""
    return any(
        part.aspect == "geometry" and part.slide_gold == move.slide
        and part.shape_gold == move.shape.index
        for group in plan.groups for part in group.parts
    )  # fmt: skip


def _move_requirements(original: Deck, plan: GoldPlan, move: Move, target: bytes) -> Requirements:
    args = {"slide": move.slide, "shape": move.spec, "region": move.region}
    leaves = [_leaf(f"the shape is at the {move.region}", "shape_in_region", args)]
    aspects = sorted({part.aspect for group in plan.groups for part in group.parts})
    if aspects:
        leaves.append(_leaf("the rest of the target deck", "gold_match", {"aspects": aspects}))
    gold = apply_move(target, move)
    scope = scope_of(original, read_deck(gold)).to_json()
    return Requirements(_fields(leaves, scope), gold)


def _transition(evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]) -> Requirements:
    slide = _slide(deck, evaluator.rules.get("slide_idx"), "slide_idx")
    transition_type = evaluator.rules.get("transition_type")
    if not isinstance(transition_type, str) or not transition_type.strip():
        raise RefusedError(
            "malformed", f"transition_type: expected a name, got {transition_type!r}"
        )
    number = slide.index + 1
    leaf = _leaf("the transition", "transition_is", {"slide": number, "type": transition_type})
    scope = {"slides": [number], "aspects": ["transition"]}
    return Requirements(_fields([leaf], scope), None, ("transitions",))


def _background(evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]) -> Requirements:
    rgb = evaluator.rules.get("rgb")
    if not isinstance(rgb, list) or len(rgb) != 3 or not all(_is_byte(value) for value in rgb):
        raise RefusedError("malformed", f"rgb: expected three numbers to 255, got {rgb!r}")
    color = "#{:02X}{:02X}{:02X}".format(*rgb)
    leaf = _leaf("every background", "slide_background", {"slides": "all", "color": color})
    scope = {"slides": "all", "aspects": ["background", "master"]}
    return Requirements(_fields([leaf], scope), None, ("themes",))


def _is_byte(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= 255


def _portrait(evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]) -> Requirements:
    args = {"width_emu": deck.height_emu, "height_emu": deck.width_emu}
    if deck.width_emu <= deck.height_emu:
        raise RefusedError(
            "the deck meets the request already", "its slides are in portrait format"
        )
    leaf = _leaf("the slides are in portrait format", "slide_size_is", args)
    # Impress can rescale the slide contents to the new size.
    return Requirements(
        _fields([leaf], {"slides": "all", "aspects": _RESIZE_ASPECTS}), None, ("slides",)
    )


def _numbers(evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]) -> Requirements:
    color = _COLORS.get(str(evaluator.rules.get("color")))
    if color is None:
        names = ", ".join(_COLORS)
        raise RefusedError("malformed", f"color: expected one of {names}, got {evaluator.rules!r}")
    positions = [
        slide.index + 1
        for slide in deck.slides
        if any(is_kind(shape, "number") for shape in slide.shapes)
    ]
    if not positions:
        raise RefusedError("no slide shows its number", evaluator.func)
    args = {"slides": positions, "shape": "@number", "color": color}
    leaf = _leaf("the color", "run_format", {**args, "color_tolerance": _COLOR_TOLERANCE})
    scope = {"slides": "all", "aspects": ["formatting", "master", "layout"]}
    return Requirements(_fields([leaf], scope), None, ("masters", "text"))


def _stretched_picture(
    evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]
) -> Requirements:
    first = deck.slides[0] if deck.slides else None
    if first is None or not any(is_kind(shape, "picture") for shape in first.shapes):
        raise RefusedError("malformed", "expected a picture on the first slide, found none")
    target = {"slide": 1, "shape": "@picture", "tolerance_emu": _HALF_INCH}
    size = {"width_emu": deck.width_emu, "height_emu": deck.height_emu, "same_picture": True}
    leaves = [
        _leaf("the picture fills the slide", "shape_size", {**target, **size}),
        _leaf("it is centered", "shape_position", {**target, "left_emu": 0, "top_emu": 0}),
    ]
    # The picture may cover other shapes or be sent behind them.
    parts = [
        {"slides": [1], "shapes": ["@picture"], "aspects": ["geometry", "order"]},
        {"slides": [1], "aspects": ["other", "visibility"]},
    ]
    return Requirements(_fields(leaves, {"parts": parts}), None, ("images", "arrangement"))


def _strikethrough(evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]) -> Requirements:
    rules = evaluator.rules
    lists = [rules.get(f"{name}_index_s") for name in ("slide", "shape", "paragraph")]
    if not all(isinstance(entries, list) and entries for entries in lists):
        raise RefusedError("malformed", f"rules: expected three lists of positions, got {rules!r}")
    leaves, slides = [], []
    for number in lists[0] or ():
        slide = _slide(deck, number, "slide_index_s")
        top_level = [shape for shape in slide.shapes if shape.group is None]
        slides.append(slide.index + 1)
        for position in lists[1] or ():
            shape = (
                top_level[position]
                if isinstance(position, int) and 0 <= position < len(top_level)
                else None
            )
            spec = None if shape is None else spec_of(slide, shape)
            for paragraph_index in lists[2] or ():
                if shape is None or spec is None or not isinstance(paragraph_index, int):
                    raise RefusedError(
                        "malformed", f"rules: no paragraph {number}, {position}, {paragraph_index}"
                    )
                texts = [paragraph.text for paragraph in shape.paragraphs]
                if not 0 <= paragraph_index < len(texts) or not texts[paragraph_index].strip():
                    raise RefusedError(
                        "malformed", f"rules: no paragraph {number}, {position}, {paragraph_index}"
                    )
                args = {
                    "slide": slide.index + 1,
                    "shape": spec,
                    "text": texts[paragraph_index].strip(),
                }
                name = f"slide {slide.index + 1}, shape {position}, line {paragraph_index + 1}"
                leaves.append(_leaf(name, "run_format", {**args, "strike": True}))
    scope = {"slides": slides, "aspects": ["formatting"]}
    return Requirements(_fields(leaves, scope), None, ("text",))


def _video(evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]) -> Requirements:
    if len(files) != 1:
        raise RefusedError("malformed", f"expected one film next to the deck, got {sorted(files)}")
    return _media(deck, 0, "video", *next(iter(files.items())))


def _sound(evaluator: Evaluator, deck: Deck, files: Mapping[str, bytes]) -> Requirements:
    name = evaluator.companion.rpartition("/")[2]
    if name not in files or evaluator.slide is None:
        raise RefusedError("malformed", f"expected a slide and a sound next to the deck: {name!r}")
    return _media(deck, evaluator.slide, "audio", name, files[name])


def _media(deck: Deck, index: int, kind: str, name: str, data: bytes) -> Requirements:
    number = _slide(deck, index, "slide_index").index + 1
    args = {"slide": number, "kind": kind}
    digest = {"sha256": hashlib.sha256(data).hexdigest()}
    alternatives = [
        _leaf("embedded in the deck", "media_present", {**args, **digest}),
        _leaf("linked to the file", "media_present", {**args, "linked": f"{_DOCUMENTS}/{name}"}),
    ]
    part = {"slides": [number], "aspects": ["shapes", "animation"], "new_shapes": 1}
    leaves = [{"name": "the media file is on the slide", "any": alternatives}]
    return Requirements(_fields(leaves, {"parts": [part]}), None, ("media",))


_RULES: Final[Mapping[str, Callable[[Evaluator, Deck, Mapping[str, bytes]], Requirements]]] = {
    "check_transition": _transition,
    "evaluate_presentation_fill_to_rgb_distance": _background,
    "check_slide_orientation_Portrait": _portrait,
    "check_page_number_colors": _numbers,
    "check_image_stretch_and_center": _stretched_picture,
    "check_strikethrough": _strikethrough,
    "contains_mp4_video": _video,
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
    preservation = {
        "name": "nothing else changed",
        "critical": False,
        "check": "nothing_else_changed",
    }
    root = {"name": "the task is done", "children": [*leaves, preservation]}
    return {"rubric": {"version": 1, "strategy": "weighted", "root": root}, "scope": dict(scope)}
