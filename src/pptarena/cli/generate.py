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
    from pptarena.tasks.generator import DeckFile, GenerationReport, TaskOptions

__all__ = ["generate"]

_MAX_REASONS = 8
_MAX_DECKS = 40
_FEW_SHARE = 0.5  # of an even share
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
    from pptarena.tasks.generator import GenerationReport, TaskOptions

    task_options = TaskOptions(depth=depth)
    if operators:
        task_options = TaskOptions(tuple(filter(None, map(str.strip, operators.split(",")))), depth)
    if prove not in _PROOFS:
        raise ConfigError(f"--prove: {not_found('proof', prove, _PROOFS)}")
    if out.suffix != ".jsonl":
        raise ConfigError(f"--out: {str(out)!r} does not end in .jsonl")
    if out.exists():
        raise ConfigError(f"--out: {out} exists; choose another file, or remove it")
    generation = GenerationReport()
    start_sec = time.monotonic()
    provenance: list[dict[str, Any]] = []
    partial = out.with_name(f"{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        partial.touch()
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from error
    try:
        deck_files = _decks(decks, out)
        with partial.open("w", encoding="utf-8") as file:
            for row in _rows(
                deck_files, count, seed, workers, prove == "saved", out, generation, task_options
            ):
                file.write(f"{_line(row)}\n")
                provenance.append(row["grown"])
    finally:  # tasks verified before an interruption form a valid suite
        if provenance:
            partial.replace(out)
        else:
            partial.unlink(missing_ok=True)
    _report(provenance, count, generation, time.monotonic() - start_sec, out, json)
    if len(provenance) < count:
        raise typer.Exit(1)


def _copies_folder(out: Path) -> Path:
    """Return the folder for copies of decks, next to the suite."""
    return out.with_name(f"{out.stem}-decks")


def _decks(names: list[str], out: Path) -> "list[DeckFile]":
    """Return the decks, labeled as the tasks of the suite refer to them.

    A deck outside the suite's folder is labeled by its copy next to the suite, because tasks may
    not refer to files outside their folder.

    Raises:
        ConfigError: If there are no decks.
    """
    from pptarena.decks.package.files import read_bytes
    from pptarena.tasks.deck_files import deck_names, read_deck_file
    from pptarena.tasks.generator import DeckFile

    found: dict[str, DeckFile] = {}
    for name in names:
        path = Path(name).expanduser()
        if not path.exists() and name in deck_names():
            found[name] = DeckFile(name, read_deck_file(name))
            continue
        files = sorted(path.rglob("*.pptx")) if path.is_dir() else [path]
        if not files or not path.exists():
            packaged_decks = ", ".join(deck_names())
            raise ConfigError(
                f"--decks: {name} is neither a .pptx file, a folder with such files nor a packaged "
                f"deck ({packaged_decks})"
            )
        for file in files:
            data, suite_folder, resolved = read_bytes(file), out.parent.resolve(), file.resolve()
            if resolved.is_relative_to(suite_folder):
                label = resolved.relative_to(suite_folder).as_posix()
            else:
                digest = hashlib.sha256(data).hexdigest()
                label = f"{_copies_folder(out).name}/{digest[:16]}/{file.name}"
            found[label] = DeckFile(label, data)
    return list(found.values())


def _rows(
    decks: "list[DeckFile]",
    count: int,
    seed: int,
    workers: int,
    saved: bool,
    out: Path,
    generation: "GenerationReport",
    task_options: "TaskOptions",
) -> Iterator[dict[str, Any]]:
    from pptarena.tasks.generator import generate_tasks
    from pptarena.vm_images.image import require_image

    folder = _copies_folder(out)
    copied = {each.label: each for each in decks if each.label.startswith(f"{folder.name}/")}

    def store_deck(deck: bytes) -> str:
        folder.mkdir(exist_ok=True)
        path = folder / f"{hashlib.sha256(deck).hexdigest()[:16]}.pptx"
        path.write_bytes(deck)
        return f"{folder.name}/{path.name}"

    make_save = _saver if saved else None
    if saved:
        require_image()  # report a missing image immediately
    with new_progress() as progress:
        bar = progress.add_task("tasks", total=count, note=f"{len(decks)} decks")
        for row in generate_tasks(
            decks, count, seed, make_save, workers, generation, store_deck, task_options
        ):
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
    provenance: list[dict[str, Any]],
    count: int,
    generation: "GenerationReport",
    wall_sec: float,
    out: Path,
    json: bool,
) -> None:
    splits = Counter(each["split"] for each in provenance)
    depths = Counter(each["depth"] for each in provenance)
    operators = Counter(name for each in provenance for name in each["operators"])
    reasons: Counter[str] = Counter()
    rejections_by_operator: Counter[str] = Counter()
    for (name, reason), occurrences in generation.rejected.items():
        reasons[reason] += occurrences
        rejections_by_operator[name] += occurrences
    if json:
        print_json(
            {
                "tasks": len(provenance),
                "asked": count,
                "decks": dict(generation.by_deck),
                "splits": dict(splits),
                "depths": dict(sorted(depths.items())),
                "operators": dict(sorted(operators.items())),
                "rejected": dict(reasons),
                "rejected_by_operator": dict(sorted(rejections_by_operator.items())),
                "wall_sec": round(wall_sec, 1),
                "skipped_decks": generation.skipped,
                "used_up_decks": generation.exhausted,
                "suite": str(out),
            }
        )
        return
    print_note(*_warnings(provenance, generation))
    _print_table("deck", Counter(dict(generation.by_deck.most_common(_MAX_DECKS))))
    if (more := len(generation.by_deck) - _MAX_DECKS) > 0:
        print_line(f"... and {more} more decks; --json lists all")
    _print_table("split", splits)
    _print_table("depth", depths)
    _print_table("drafts rejected, by reason", Counter(dict(reasons.most_common(_MAX_REASONS))))
    if operators:
        rarest = ", ".join(
            f"{name} {occurrences}" for name, occurrences in operators.most_common()[:-6:-1]
        )
        print_line(f"{len(operators)} operators; rarest: {rarest}")
    print_line(f"{len(provenance)} of {count} tasks in {wall_sec:.0f} s: {out}")
    if provenance:
        print_line(f"Next: pptarena run --agent macro --suite {quoted(out)} --sample 10")


def _warnings(provenance: list[dict[str, Any]], generation: "GenerationReport") -> Iterator[str]:
    """Yield a warning for each deck with few tasks or none, and for a missing split."""
    from pptarena.tasks.generator.splits import is_held_out_deck

    for name, reason in generation.skipped.items():
        yield f"skipped {name}: {reason}"
    even_share = len(provenance) / max(1, len(generation.by_deck))
    for name, reason in generation.exhausted.items():
        if (count := generation.by_deck[name]) < _FEW_SHARE * even_share:
            yield f"{name} yielded only {count} tasks (an even share is {even_share:.0f}): {reason}"
    if provenance and not any(is_held_out_deck(each["deck_sha256"]) for each in provenance):
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
    for name, task_count in sorted(counts.items(), key=lambda each: (-each[1], str(each[0]))):
        table.add_row(str(name), str(task_count))
    stdout().print(table)
