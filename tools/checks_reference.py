"""Generate the reference of all checks from their signatures and docstrings.

Usage: ``python tools/checks_reference.py > docs/reference/checks.md``
"""

import json
import sys
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from pptarena.docstrings import describe
from pptarena.rewards.checking.arguments import SHAPE_KEYS, SLIDE_KEYS
from pptarena.rewards.checking.registry import Argument, CheckSpec
from pptarena.rewards.checks import ALIASES, check_names, get_check

__all__ = ["checks_reference"]

_HEAD = """\
# Checks

All checks that a rubric can use. `python tools/checks_reference.py > docs/reference/checks.md`
generates this page from the code.

- `S` stands for the [slide selectors](rubrics.md#select-slides-and-shapes) `slide`, `slides`,
  `slide_now` and `slide_new`; `Sh` for these and `shape` or `shape_now`. `S or Sh`: without a
  shape, the entire slide counts. All of these take `visible=true`: only visible content counts.
- Arguments show their default; a `?` marks other optional ones.
- Lengths are EMU (45720 is 0.05 inch) or texts such as `"4.2cm"` and `"12pt"`.
- Positions and sizes may be a share of the slide, such as `"30%"`.
- The argument `color_tolerance` is a distance in RGB, 0 to 442.
- Over several slides or shapes, the score is the mean. A check that measures a distance pays 1
  within its tolerance, and less with the distance.
"""
_FORMER_NAMES = """\
## Former names

Rubrics may still use these names. Their arguments are those of the present check.

| former name | present name | arguments |
|---|---|---|"""
_TITLES = {
    "accessibility": "Accessibility and comments",
    "changes": "Gold decks and unrequested changes",
    "diagrams": "Connectors and diagrams",
    "files": "Files that the agent creates",
    "formatting": "Text formatting",
    "judges": "Judged by a model or a program",
    "likeness": "Similarity to another object",
    "motion": "Transitions and animations",
    "pictures": "Pictures, media and embedded files",
    "slides": "Slides, notes and settings",
    "themes": "Themes, masters and layouts",
}
_SHARED_ARGUMENTS = (*SLIDE_KEYS, *SHAPE_KEYS, "visible")
_MAX_CHOICES = 16


def checks_reference() -> str:
    """Return a Markdown page with a table of checks for each theme."""
    themes: dict[str, list[CheckSpec]] = {}
    for name in check_names():
        spec = get_check(name, "check")
        themes.setdefault(spec.function.__module__, []).append(spec)
    tables = (_theme(module, themes[module]) for module in sorted(themes))
    return "\n".join((_HEAD, *tables, _FORMER_NAMES, *map(_former_row, sorted(ALIASES)), ""))


def _former_row(name: str) -> str:
    alias = ALIASES[name]
    renamed = [f"`{former}` is `{present}`" for former, present in alias.renamed]
    implied = [f"`{key}={_json_text(value)}`" for key, value in alias.implied]
    return f"| `{name}` | `{alias.check}` | {', '.join([*implied, *renamed]) or '-'} |"


def _theme(module: str, specs: list[CheckSpec]) -> str:
    stem = module.rpartition(".")[2]
    title = _TITLES.get(stem, stem.replace("_", " ").capitalize())
    rows = [f"| `{spec.name}` | {_arguments(spec)} | {_description(spec)} |" for spec in specs]
    head = ("| check | arguments | what it measures |", "|---|---|---|")
    return "\n".join((f"## {title}", "", *head, *rows, ""))


def _description(spec: CheckSpec) -> str:
    text = describe(spec.function)[0].removeprefix("Measure ").replace("``", "`")
    return f"{text[:1].upper()}{text[1:]}"


def _arguments(spec: CheckSpec) -> str:
    shared = () if spec.scale == "deck" else _SHARED_ARGUMENTS
    remaining = {each.name: each for each in spec.arguments if each.name not in shared}
    parts = [] if spec.scale == "deck" else [_address(spec)]
    groups = []
    for quantity, names in (
        ("one of", spec.exactly_one),
        ("one or more of", spec.at_least_one),
        ("at most one of", spec.at_most_one),
    ):
        group = [
            _argument(remaining.pop(name)).replace("?`", "`", 1)
            for name in names
            if name in remaining
        ]
        if group:
            groups.append(f"{quantity} {', '.join(group)}")
    parts += [*map(_argument, remaining.values()), *groups]
    if not spec.visible:
        parts.append("`visible=false`")
    return ", ".join(parts).replace("|", "\\|") or "-"


def _address(spec: CheckSpec) -> str:
    if "slides" in spec.at_least_one:
        return "`slide` or `slides`"
    if spec.shape.startswith("@"):
        return f"Sh (default `{spec.shape}`)"
    return {"none": "S", "optional": "S or Sh", "required": "Sh"}[spec.shape]


def _argument(argument: Argument) -> str:
    value = "" if argument.required or argument.default in (None, ()) else argument.default
    default = f"={_json_text(value)}" if value != "" else "" if argument.required else "?"
    choices = [f"`{each}`" for each in _choices(argument.type)]
    note = argument.note or next(_notes(argument.type), "")
    details = [" ".join(choices)] if 1 < len(choices) <= _MAX_CHOICES else []
    details += [note[:1].lower() + note[1:]] if note else []
    return f"`{argument.name}{default}`" + (f" ({'; '.join(details)})" if details else "")


def _json_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value)


def _choices(kind: Any) -> Iterator[str]:
    """Yield the values that a type allows, including those of its parts."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
        return
    for part in get_args(kind):
        yield from _choices(part)


def _notes(kind: Any) -> Iterator[str]:
    """Yield the descriptions of `Annotated` types within a type."""
    for part in (*getattr(kind, "__metadata__", ()), *get_args(kind)):
        if description := getattr(part, "description", None):
            yield description
        yield from _notes(part)


if __name__ == "__main__":
    sys.stdout.write(checks_reference())
