"""Find out for every check which edits survive saving in the application, and write a page of it.

    python -m tools.kept_by_application           # everything, about 20 minutes
    python -m tools.kept_by_application --new     # the checks whose number of cases has changed
    python -m tools.kept_by_application --page    # only the page, from the last results

Each case of the checks' tests is an edit of a deck that scores 1. It is applied in two ways. In the
file: the application then opens and saves it. Inside the application: it opens the original deck
and sets over UNO every property that differs from the edited one
(`pptarena.vm_images.guest.apply_differences`). An edit that still scores 1 was saved. An edit lost
in both ways cannot be required, and must be listed in ``tasks/never_saved.json`` with a reason.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pptarena.envs.application_edits import edit_in_application
from pptarena.errors import DeckError, MachineError
from pptarena.rewards import check_names, read_deck
from pptarena.rewards.checks import ALIASES
from pptarena.tasks.never_saved import never_saved_table, why_never_saved
from pptarena.vm_images.office import Office
from tools.never_saved import EXCUSED, Case, cases, judged

__all__ = ["FOUND", "PAGE", "Kept", "found_before", "main", "page", "unexplained"]

ROOT = Path(__file__).parents[1]
FOUND = Path(__file__).with_name("kept_by_application.json")
PAGE = ROOT / "docs" / "reference" / "never_saved.md"

_HEAD = """\
# What LibreOffice never writes

Some properties of a deck are lost when LibreOffice saves it. A rubric that asks for one of them
is refused with the reason. Then `pptarena generate` discards the task, and `tasks check` fails.
The command `tasks draft` and the start of an episode print a warning. The file
`tasks/never_saved.json` lists the properties.

`python -m tools.kept_by_application` generates this page. Each edit is made **inside** the
application, over its own interface, and **in the file**, which the application then opens and
saves.

## Never written

| check | asked for | why |
|---|---|---|
"""
_CONTENT = """
## Content that is lost

LibreOffice opens the fallback of an equation, which is a picture or a blank, and writes only
that. A task about the text of an equation therefore fails `tasks check`.
"""
_ALL = """
## All checks

The columns count the edits of a check that still score 1 in the file that LibreOffice wrote. An
edit that is kept in the file but not reached inside has no property in the interface; a dialog
may set it. Checks without edits of their own have empty columns.

| check | inside | in the file | what is lost |
|---|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """The result of one edit.

    Attributes:
        check: The check of the case.
        args: Its arguments.
        inside: Whether it still scores 1 if applied inside the application.
        in_file: Whether it still scores 1 if applied to the file.
        reason: The check's explanation of the first lower score; empty if there is none.
    """

    check: str
    args: dict[str, Any]
    inside: bool
    in_file: bool
    reason: str = ""


def find(some: Sequence[Case]) -> Iterator[Kept]:
    """Yield the result of each case, applied in both ways.

    Raises:
        HostError: If bubblewrap is missing or not allowed to create namespaces.
        ImageError: If there is no image.
    """
    originals = list(dict.fromkeys(case.original for case in some))
    with Office() as office:
        base = dict(zip(originals, office.save_all(originals), strict=True))
        for case in some:
            ways = (_edited(office, case), *office.save_all([case.edited]))
            scores = [_scored(case, base[case.original], deck) for deck in ways]
            reason = next((why for value, why in scores if not value), "")
            yield Kept(case.check, dict(case.args), scores[0][0], scores[1][0], reason)


def _edited(office: Office, case: Case) -> bytes | DeckError | MachineError:
    try:
        return edit_in_application(office, case.original, case.edited)
    except (DeckError, MachineError) as error:
        return error


def _scored(case: Case, base: Any, deck: bytes | DeckError | MachineError) -> tuple[bool, str]:
    if isinstance(base, Exception):
        raise base
    if isinstance(deck, Exception):
        return False, f"the application failed: {str(deck)[-80:]}"
    value, reason = judged(case.check, case.args, read_deck(base), read_deck(deck))
    return value == 1, "" if value == 1 else reason


def found_before() -> tuple[Kept, ...]:
    """Return the results of the last run."""
    return tuple(Kept(**row) for row in json.loads(FOUND.read_text("utf-8")))


def unexplained(found: Sequence[Kept]) -> list[str]:
    """Return the contradictions to ``tasks/never_saved.json``."""
    said = []
    for one in found:
        why = why_never_saved(one.check, one.args)
        excused = any(one.check == check and argument in one.args for check, argument in EXCUSED)
        lost = not (one.inside or one.in_file)
        if lost is not bool(why) and not excused:
            said.append(f"{one.check} {one.args} is {'lost' if lost else 'kept'}: {one.reason}")
    return said


def page(found: Sequence[Kept]) -> str:
    """Return the documentation page."""
    rows = [
        f"| `{row.check}` | {_asked(row.argument, row.value)} | {row.why} |"
        for row in never_saved_table()
    ]
    names = {name: alias.check for name, alias in ALIASES.items()}
    lines = [
        _line(name, [one for one in found if names.get(one.check, one.check) == name])
        for name in check_names()
    ]
    return _HEAD + "\n".join(rows) + "\n" + _CONTENT + _ALL + "\n".join(lines) + "\n"


def _asked(argument: str, value: str | bool) -> str:
    return (
        f"`{argument}: {json.dumps(value)}`"
        if value != ""
        else f"`{argument}`"
        if argument
        else "anything"
    )


def _line(name: str, found: Sequence[Kept]) -> str:
    if not found:
        return f"| `{name}` | | | |"
    inside, in_file = (
        sum(ways) for ways in zip(*((o.inside, o.in_file) for o in found), strict=True)
    )
    lost = sorted({_shown(one) for one in found if not (one.inside or one.in_file)})
    count = len(found)
    return f"| `{name}` | {inside} of {count} | {in_file} of {count} | {'; '.join(lost)} |"


def _shown(one: Kept) -> str:
    known = next((row for row in never_saved_table() if row.asks(one.check, one.args)), None)
    if known is not None:
        return _asked(known.argument, known.value)
    reason = one.reason.replace("|", "\\|")
    return f"{reason} (for the way the case is made)"


def _anew(some: Sequence[Case], before: Sequence[Kept]) -> Iterator[Kept]:
    """Yield the results of the cases; those of a check with as many cases as before are kept."""
    now, old = (Counter(one.check for one in each) for each in (some, before))
    made = find([case for case in some if now[case.check] != old[case.check]])
    kept = {check: iter([one for one in before if one.check == check]) for check in now}
    for case in some:
        yield next(made if now[case.check] != old[case.check] else kept[case.check])


def main() -> int:
    """Run the cases and write the page, or only write it; return the exit code."""
    found = found_before()
    if "--page" not in sys.argv[1:]:
        found = tuple(_anew(cases(), found if "--new" in sys.argv[1:] else ()))
        rows = [json.dumps(asdict(one), ensure_ascii=False) for one in found]
        FOUND.write_text("[\n" + ",\n".join(rows) + "\n]\n", "utf-8")
    PAGE.write_text(page(found), "utf-8")
    wrong = unexplained(found)
    sys.stdout.write("\n".join(wrong or [f"wrote {PAGE}"]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
