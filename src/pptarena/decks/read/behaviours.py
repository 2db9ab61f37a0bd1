"""Read the behaviors of an animation effect."""

from collections.abc import Iterator

from lxml.etree import _Element

from pptarena.decks.package.names import P, find_path, local_name
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.numbers import int_attribute, real_number
from pptarena.decks.read.source import PartSource

__all__ = ["changed_value", "motion_path"]

_MAX_STEPS = 50
_MAX_PATH = 2_000


def motion_path(node: _Element) -> str:
    """Return the path of a motion effect, with numbers rounded to thousandths of the slide."""
    motion = next(node.iter(f"{P}animMotion"), None)
    if motion is None:
        return ""
    words = (motion.get("path") or "")[:_MAX_PATH].split()
    shown = [_rounded(word) for word in words]
    # The end mark is redundant.
    return " ".join(shown[:-1] if shown and shown[-1].upper() == "E" else shown)


def changed_value(node: _Element, source: PartSource) -> str:
    """Return the property changes of an emphasis effect, separated by semicolons."""
    steps = (step for step in node.iterdescendants() if find_path(step, f"{P}cBhvr") is not None)
    words: list[str] = []
    for step, _ in zip(steps, range(_MAX_STEPS), strict=False):
        words += _step(step, source)
    after = node.find(f"{P}subTnLst")
    if after is not None and len(after):
        words.append(f"then {source.fingerprints.elements([after], source.name)[:16]}")
    return "; ".join(dict.fromkeys(words))


def _step(step: _Element, source: PartSource) -> Iterator[str]:
    name = local_name(step)
    names = (each.text or "" for each in step.iter(f"{P}attrName"))
    what = " ".join(names)
    if name == "animClr":
        color = resolve_color(first_color(step.find(f"{P}to")), source.context.colors)[0]
        if color is not None:
            yield f"{what} {color}"
        by = step.find(f"{P}by")
        if by is not None:
            parts = (f"{key}={value}" for each in by for key, value in sorted(each.items()))
            yield f"{what} by {' '.join(parts)}"
    elif name == "animScale":
        by = next((e for e in step if local_name(e) in ("by", "to")), None)
        if by is not None:
            sizes = [round((int_attribute(by, axis) or 0) / 1000) for axis in ("x", "y")]
            yield f"scale {sizes[0]}x{sizes[1]}"
    elif name == "animRot":
        yield f"turn {round((int_attribute(step, 'by') or 0) / 60_000)}"
    elif name == "set":
        value = next((e.get("val") or "" for e in step.iter() if local_name(e) == "strVal"), "")
        if what != "style.visibility":
            yield f"{what} {value}".strip()
    elif name == "cmd":
        yield f"{step.get('type')} {step.get('cmd')}"
    elif name == "anim":
        values = [str(each.get("val")) for each in step.iter() if local_name(each) == "strVal"]
        yield f"{what} {step.get('to') or step.get('by') or ' '.join(values)}".strip()


def _rounded(word: str) -> str:
    found = real_number(word)
    if found is None:
        return word
    value = round(found, 3)
    return f"{value + 0.0:g}" if value else "0"
