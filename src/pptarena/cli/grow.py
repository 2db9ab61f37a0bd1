"""``pptarena grow``: a suite of tasks on anybody's decks."""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.tasks.grow import DeckFile, Harvest, Kinds

__all__ = ["grow"]

_REASONS = 8
_DECKS_SHOWN = 40
_FEW = 0.5  # of an even share


def grow(
    decks: Annotated[
        list[str],
        typer.Option(help="A folder of .pptx files, a file, or a packaged deck; may be repeated."),
    ],
    out: Annotated[Path, typer.Option(help="The suite: a .jsonl file that does not exist yet.")],
    count: Annotated[int, typer.Option(min=1, help="How many tasks.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 0,
    processes: Annotated[int, typer.Option(min=1, help="How many work at once.")] = 2,
    prove: Annotated[
        str,
        typer.Option(
            help="'saved': every goal holds after LibreOffice has saved it (needs the image); "
            "'file': only as python-pptx writes it."
        ),
    ] = "saved",
    operators: Annotated[
        str, typer.Option(help="The only edits to draw, by name, separated by commas.")
    ] = "",
    depth: Annotated[int, typer.Option(help="How many edits a task has at most, 1 to 5.")] = 5,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Grow tasks on decks: edits of all sixteen types, composed, worded in many ways, and proven.

    Every task is kept only if the untouched deck scores 0 and its goal 1, every leaf is judged and
    nothing else changes. Each row says what it was made of and to which split it belongs
    (pptarena run --suite out.jsonl#train): train, test-deck, test-operator, test-composition and
    test-words, whose decks, edits, compositions or wordings never occur in training. Every deck
    gives equally many tasks as long as it can; decks that cannot be read or edited are left out,
    and named; decks outside of the folder of --out are copied to a folder next to the suite.
    Equal decks, count and seed give equal tasks. Exits with 1 if the decks give fewer tasks than
    asked for.

    Example: pptarena grow --decks my-decks --count 1000 --out suite.jsonl
    """
    from pptarena.tasks.grow import Harvest, Kinds

    kinds = Kinds(depth=depth)
    if operators:
        kinds = Kinds(tuple(filter(None, map(str.strip, operators.split(",")))), depth)
    if prove not in ("saved", "file"):
        raise ConfigError(f"expected --prove saved or file, got {prove!r}")
    if out.suffix != ".jsonl":
        raise ConfigError(f"expected --out to end in .jsonl, got {str(out)!r}")
    if out.exists():
        raise ConfigError(f"{out} exists already; choose another --out, or remove it")
    harvest = Harvest()
    started = time.monotonic()
    kept: list[dict[str, Any]] = []
    part = out.with_name(f"{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part.touch()
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from error
    try:
        found = _decks(decks, out)
        with part.open("w", encoding="utf-8") as file:
            for row in _rows(found, count, seed, processes, prove == "saved", out, harvest, kinds):
                file.write(f"{_line(row)}\n")
                kept.append(row["grown"])
    finally:  # what was proven before somebody stopped it is a suite as well
        if kept:
            part.replace(out)
        else:
            part.unlink(missing_ok=True)
    _report(kept, count, harvest, time.monotonic() - started, out, json)
    if len(kept) < count:
        raise typer.Exit(1)


def _copies(out: Path) -> Path:
    """Return the folder for copies of decks, next to the suite."""
    return out.with_name(f"{out.stem}-decks")


def _decks(names: list[str], out: Path) -> "list[DeckFile]":
    """Return the decks that are named, each called as the tasks of the suite call it.

    A deck outside of the suite's folder is named by its copy next to the suite, because tasks may
    not name files outside of their folder.

    Raises:
        ConfigError: If there are none.
    """
    from pptarena.decks.package.files import read_bytes
    from pptarena.tasks.deck_files import deck_names, read_deck_file
    from pptarena.tasks.grow import DeckFile

    found: dict[str, DeckFile] = {}
    for name in names:
        path = Path(name).expanduser()
        if not path.exists() and name in deck_names():
            found[name] = DeckFile(name, read_deck_file(name))
            continue
        files = sorted(path.rglob("*.pptx")) if path.is_dir() else [path]
        if not files or not path.exists():
            known = ", ".join(deck_names())
            raise ConfigError(f"expected a folder with .pptx files, a file or {known}; got {name}")
        for file in files:
            data, home, place = read_bytes(file), out.parent.resolve(), file.resolve()
            if place.is_relative_to(home):
                label = place.relative_to(home).as_posix()
            else:
                digest = hashlib.sha256(data).hexdigest()
                label = f"{_copies(out).name}/{digest[:16]}/{file.name}"
            found[label] = DeckFile(label, data)
    return list(found.values())


def _rows(
    decks: "list[DeckFile]",
    count: int,
    seed: int,
    processes: int,
    saved: bool,
    out: Path,
    harvest: "Harvest",
    kinds: "Kinds",
) -> Iterator[dict[str, Any]]:
    from pptarena.tasks.grow import grow_tasks
    from pptarena.vm_images.warm_saver import WarmSaver

    folder = _copies(out)
    copied = {each.label: each for each in decks if each.label.startswith(f"{folder.name}/")}

    def keep(deck: bytes) -> str:
        folder.mkdir(exist_ok=True)
        path = folder / f"{hashlib.sha256(deck).hexdigest()[:16]}.pptx"
        path.write_bytes(deck)
        return f"{folder.name}/{path.name}"

    make = _saver if saved else None
    if saved:
        WarmSaver().close()  # without an image, say so before anything begins
    with new_progress() as progress:
        bar = progress.add_task("tasks", total=count, note=f"{len(decks)} decks")
        for row in grow_tasks(decks, count, seed, make, processes, harvest, keep, kinds):
            progress.update(bar, advance=1, note=row["deck"][-40:])
            if row["deck"] in copied:
                deck = copied.pop(row["deck"])
                copy = out.parent / deck.label
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(deck.file)
            yield row


def _saver() -> Any:
    from pptarena.vm_images.warm_saver import WarmSaver

    return WarmSaver().save_all


def _line(row: dict[str, Any]) -> str:
    import json

    return json.dumps(row, ensure_ascii=False)


def _report(
    kept: list[dict[str, Any]],
    count: int,
    harvest: "Harvest",
    wall_sec: float,
    out: Path,
    json: bool,
) -> None:
    splits = Counter(each["split"] for each in kept)
    depths = Counter(each["depth"] for each in kept)
    operators = Counter(name for each in kept for name in each["operators"])
    reasons: Counter[str] = Counter()
    thrown_away: Counter[str] = Counter()
    for (name, reason), times in harvest.rejected.items():
        reasons[reason] += times
        thrown_away[name] += times
    if json:
        print_json(
            {
                "tasks": len(kept),
                "asked": count,
                "decks": dict(harvest.by_deck),
                "splits": dict(splits),
                "depths": dict(sorted(depths.items())),
                "operators": dict(sorted(operators.items())),
                "rejected": dict(reasons),
                "rejected_by_operator": dict(sorted(thrown_away.items())),
                "wall_sec": round(wall_sec, 1),
                "skipped_decks": harvest.skipped,
                "used_up_decks": harvest.used_up,
                "suite": str(out),
            }
        )
        return
    for line in _warnings(kept, harvest):
        stderr().print(line, markup=False, highlight=False, soft_wrap=True)
    _print_table("deck", Counter(dict(harvest.by_deck.most_common(_DECKS_SHOWN))))
    if (more := len(harvest.by_deck) - _DECKS_SHOWN) > 0:
        stdout().print(f"... and {more} decks more; --json lists all", highlight=False)
    _print_table("split", splits)
    _print_table("depth", depths)
    _print_table("drafts rejected, by reason", Counter(dict(reasons.most_common(_REASONS))))
    if operators:
        least = ", ".join(f"{name} {times}" for name, times in operators.most_common()[:-6:-1])
        stdout().print(f"{len(operators)} operators, the rarest: {least}", highlight=False)
    stdout().print(
        f"{len(kept)} of {count} tasks in {wall_sec:.0f} s: {out}", markup=False, highlight=False
    )
    if kept:
        stdout().print(
            f"Play some with: pptarena run --agent macro --suite {out} --sample 10",
            markup=False,
            highlight=False,
        )


def _warnings(kept: list[dict[str, Any]], harvest: "Harvest") -> Iterator[str]:
    """Yield a warning for each deck with few tasks or none, and for a missing split."""
    from pptarena.tasks.grow.splits import is_held_out_deck

    for name, why in harvest.skipped.items():
        yield f"{name}: left out: {why}"
    share = len(kept) / max(1, len(harvest.by_deck))
    for name, why in harvest.used_up.items():
        if (count := harvest.by_deck[name]) < _FEW * share:
            yield f"{name}: {count} tasks, where an even share is {share:.0f}: {why}"
    if kept and not any(is_held_out_deck(each["deck_sha256"]) for each in kept):
        yield (
            "No task is in the split test-deck, because none of these decks is held out. "
            "A hash of the file holds out one deck in six; add decks to get that split."
        )


def _print_table(title: str, counts: "Counter[Any]") -> None:
    from rich.table import Table

    if not counts:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column(title)
    table.add_column("tasks", justify="right")
    for name, times in sorted(counts.items(), key=lambda each: (-each[1], str(each[0]))):
        table.add_row(str(name), str(times))
    stdout().print(table)
