"""The reference of all edits, from their signatures and docstrings.

``python tools/edits_reference.py > docs/reference/edits.md`` regenerates it.
"""

import json
import sys
from collections.abc import Iterator
from inspect import Parameter, getdoc
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pptarena.edits import EDITS, FAMILIES, Edit
from pptarena.edits.signature import address_in
from pptarena.tasks.solution_macros import EDIT_MACROS

__all__ = ["edits_reference"]

_EXECUTORS = Path(__file__).with_name("edit_executors.json")
_HEAD = """\
# Edits

A **solution** is a list of edits as data. `apply_solution` makes them on a deck, in order:

```python
from pptarena import load_task
from pptarena.edits import apply_solution

deck = load_task("meridian-retitle-products").deck_bytes()
edited = apply_solution(
    deck,
    [
        {"edit": "set_text", "slide": 3, "shape": "@title", "text": "Tents lead"},
        {"edit": "hide_slide", "slide": "last"},
        {"edit": "set_transition", "slides": "all", "kind": "fade"},
    ],
)
```

A task has a solution in its field `solution`; the target deck is the deck of the task after these
edits. The typed tools of `PPTArenaDoc-v0` are edits whose addresses are ids.

Three executors carry out the same list:

- **File**: `apply_solution` makes all {total} edits in the file.
- **Application**: `pptarena.envs.application_edits.edit_in_application` edits the deck inside
  LibreOffice, over its own interface (UNO), without mouse and keyboard. LibreOffice applies the
  differences from the file executor's deck.
- **Mouse and keyboard**: the agent `macro` makes {played} edits with the [macros](macros.md) that
  `pptarena.tasks.solution_macros` derives. It refuses arguments that no macro supports, such as
  the opacity of a fill.

The last two columns compare the saved deck with that of the file executor. They show "same" or what
differs. "yes" marks edits with macros that were not compared, and "-" edits without macros. By
mouse and keyboard, the compared edit is one of a `bench` task where a macro solution has one.
`python -m tools.edit_executors` repeats the comparison.

- `slide` is a position from 1, `"last"`, a title, or an id such as `"id:257"`. In place of `slide`,
  `slides` lists several slides, or is `"all"`.
- `shape` is what a rubric would write (`"@title"`, `"@body:2"`, `"@chart"`, a name or a text; see
  [rubrics](rubrics.md#select-slides-and-shapes)), or an id such as `"id:5"`.
- `file` is the name of an attachment, one of the `files` of the task.
- Colors are `"#RRGGBB"`; where noted, also names of theme colors: `dk1` `lt1` `dk2` `lt2` `tx1`
  `tx2` `bg1` `bg2` `accent1` to `accent6` `hlink` `folHlink`.

Arguments show their default, `?` marks others that may be left out. This page is generated:
`python tools/edits_reference.py > docs/reference/edits.md`.
"""


def edits_reference() -> str:
    """Return a Markdown page with a table of edits for each family."""
    head = _HEAD.replace("{total}", str(len(EDITS))).replace("{played}", str(len(EDIT_MACROS)))
    return "\n".join((head, *(_family(name) for name in FAMILIES)))


def _family(name: str) -> str:
    title = str(getdoc(FAMILIES[name])).partition("\n")[0].rstrip(".")
    rows = [_row(each) for each in EDITS.values() if each.family == name]
    columns = ("edit", "arguments", "what it does", "application", "mouse and keyboard")
    head = (f"| {' | '.join(columns)} |", "|---" * len(columns) + "|")
    return "\n".join((f"## {title}", "", *head, *rows, ""))


def _row(edit: Edit) -> str:
    arguments = ", ".join(_argument(edit, each) for each in edit.signature.parameters)
    results = json.loads(_EXECUTORS.read_text("utf-8"))
    application = _comparison(results, "application", edit.name) or "not compared"
    macros = _comparison(results, "macros", edit.name) or (
        "yes" if edit.name in EDIT_MACROS else "-"
    )
    cells = (f"`{edit.name}`", arguments, edit.signature.description, application, macros)
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"


def _comparison(results: Any, executor: str, edit: str) -> str:
    """Return the result of an executor and the reason for a difference; empty if unknown."""
    reason = results["expected"].get(executor, {}).get(edit, "")
    result = str(results[executor].get(edit, ""))
    return f"{result} ({reason})" if reason else result


def _argument(edit: Edit, parameter: Parameter) -> str:
    note = edit.signature.notes[parameter.name]
    default = "" if parameter.default is Parameter.empty else "?"
    if parameter.default not in (Parameter.empty, None):
        default = f"={json.dumps(parameter.default)}"
    name = f"`{parameter.name}{default}`"
    if address_in(parameter.annotation) and parameter.name in ("slide", "shape"):
        return name
    choices = [f"`{json.dumps(each)}`" for each in _choices(parameter.annotation)]
    details = [" ".join(choices)] if len(choices) > 1 else []
    return f"{name} ({'; '.join((note[:1].lower() + note[1:], *details))})"


def _choices(kind: Any) -> Iterator[object]:
    """Yield the values that a type allows."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
        return
    for part in get_args(kind):
        yield from _choices(part)


if __name__ == "__main__":
    sys.stdout.write(edits_reference())
