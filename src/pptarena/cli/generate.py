"""``pptarena generate``: generate a suite of verified tasks from decks."""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.options import AsJson, Seed
from pptarena.cli.output import new_progress, print_json, print_line, print_note, quoted, stdout
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from pptarena.tasks.grow import DeckFile, Harvest, Kinds

__all__ = ["generate"]

_MAX_REASONS = 8
_MAX_DECKS = 40
_FEW = 0.5  # of an even share
_PROOFS = ("saved", "file")


def generate(
    decks: Annotated[
        list[str],
        typer.Option(
            help="A .pptx file, a folder of such files, or a packaged deck. Repeatable.",
            metavar="DECK",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Suite to write: a new .jsonl file.", metavar="FILE")],
    count: Annotated[int, typer.Option(min=1, help="Number of tasks.", metavar="N")] = 100,
    seed: Seed = 0,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of concurrent processes.", metavar="N")
    ] = 2,
    prove: Annotated[
        str,
        typer.Option(
            help="'saved': verify target decks after LibreOffice has saved them (needs the "
            "machine image); 'file': verify them as python-pptx writes them.",
            metavar="PROOF",
        ),
    ] = "saved",
    operators: Annotated[
        str,
        typer.Option(
            help="Use only these operators, separated by commas.",
            metavar="NAME,...",
            show_default="all",
        ),
    ] = "",
    depth: Annotated[
        int, typer.Option(help="Maximum number of edits in a task, 1 to 5.", metavar="N")
    ] = 5,
    json: AsJson = False,
) -> None:
    """Generate verified tasks from any deck.

    Tasks combine edits of sixteen types in varied wording. A task is kept only if the original
    deck scores 0, the target deck scores 1, every rubric item is scored and nothing else changes.

    Each task belongs to a split, such as out.jsonl#train: train, test-deck, test-operator,
    test-composition or test-words. Decks, edits, compositions and wordings of the test splits
    never occur in training.

    Every deck gives the same number of tasks, as long as it can. Unusable decks are skipped and
    listed. Decks outside the folder of --out are copied next to the suite. The same decks, count
    and seed give the same tasks. Exits with 1 if the decks give fewer tasks than requested.

    Example:
      pptarena generate --decks my-decks --count 1000 --out suite.jsonl
    """
    from pptarena.tasks.grow import Harvest, Kinds

    kinds = Kinds(depth=depth)
    if operators:
        kinds = Kinds(tuple(filter(None, map(str.strip, operators.split(",")))), depth)
    if prove not in _PROOFS:
        raise ConfigError(f"--prove: {not_found('proof', prove, _PROOFS)}")
    if out.suffix != ".jsonl":
        raise ConfigError(f"--out: {str(out)!r} does not end in .jsonl: name a file")
    if out.exists():
        raise ConfigError(f"--out: {out} already exists; choose another file, or remove it")
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
            for row in _rows(found, count, seed, workers, prove == "saved", out, harvest, kinds):
                file.write(f"{_line(row)}\n")
                kept.append(row["grown"])
    finally:  # tasks verified before an interruption form a valid suite
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
    """Return the decks, labeled as the tasks of the suite refer to them.

    A deck outside the suite's folder is labeled by its copy next to the suite, because tasks may
    not refer to files outside their folder.

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
            raise ConfigError(
                f"--decks: {name} is neither a .pptx file, a folder with such files nor a packaged "
                f"deck ({known})"
            )
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
    workers: int,
    saved: bool,
    out: Path,
    harvest: "Harvest",
    kinds: "Kinds",
) -> Iterator[dict[str, Any]]:
    from pptarena.tasks.grow import grow_tasks
    from pptarena.vm_images.image import require_image

    folder = _copies(out)
    copied = {each.label: each for each in decks if each.label.startswith(f"{folder.name}/")}

    def keep(deck: bytes) -> str:
        folder.mkdir(exist_ok=True)
        path = folder / f"{hashlib.sha256(deck).hexdigest()[:16]}.pptx"
        path.write_bytes(deck)
        return f"{folder.name}/{path.name}"

    make = _saver if saved else None
    if saved:
        require_image()  # report a missing image before the work starts
    with new_progress() as progress:
        bar = progress.add_task("tasks", total=count, note=f"{len(decks)} decks")
        for row in grow_tasks(decks, count, seed, make, workers, harvest, keep, kinds):
            progress.update(bar, advance=1, note=row["deck"][-40:])
            if row["deck"] in copied:
                deck = copied.pop(row["deck"])
                copy = out.parent / deck.label
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(deck.file)
            yield row


def _saver() -> Any:
    from pptarena.vm_images.office import Office

    return Office(cached_results=0).save_all


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
    print_note(*_warnings(kept, harvest))
    _print_table("deck", Counter(dict(harvest.by_deck.most_common(_MAX_DECKS))))
    if (more := len(harvest.by_deck) - _MAX_DECKS) > 0:
        print_line(f"... and {more} more decks; --json lists all")
    _print_table("split", splits)
    _print_table("depth", depths)
    _print_table("drafts rejected, by reason", Counter(dict(reasons.most_common(_MAX_REASONS))))
    if operators:
        least = ", ".join(f"{name} {times}" for name, times in operators.most_common()[:-6:-1])
        print_line(f"{len(operators)} operators; rarest: {least}")
    print_line(f"{len(kept)} of {count} tasks in {wall_sec:.0f} s: {out}")
    if kept:
        print_line(f"Next: pptarena run --agent macro --suite {quoted(out)} --sample 10")


def _warnings(kept: list[dict[str, Any]], harvest: "Harvest") -> Iterator[str]:
    """Yield a warning for each deck with few tasks or none, and for a missing split."""
    from pptarena.tasks.grow.splits import is_held_out_deck

    for name, why in harvest.skipped.items():
        yield f"skipped {name}: {why}"
    share = len(kept) / max(1, len(harvest.by_deck))
    for name, why in harvest.used_up.items():
        if (count := harvest.by_deck[name]) < _FEW * share:
            yield f"{name} gave only {count} tasks (an even share is {share:.0f}): {why}"
    if kept and not any(is_held_out_deck(each["deck_sha256"]) for each in kept):
        yield (
            "No task is in the split test-deck, because none of these decks is held out. A hash of "
            "the file holds out one deck in six; add decks to get this split."
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
