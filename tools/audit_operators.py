"""Audit of every operator of the generator: draw tasks on decks, prove, parse back and attack them.

    python -m tools.audit_operators --decks my-decks --count 20 --operators set-title,add-row

For each operator, `count` different tasks are drawn, spread over all decks.

- Proven: the original scores 0, the target saved by the application scores 1, every leaf is scored.
- Parsed back: the instruction alone yields the operator, the target and the values.
- Attacked: one task in ten, since an attack takes ten times as long as a proof. No attack that
  skips or hides the work may gain more than `ALLOWED_GAIN`. An attack that does the work and
  damages the rest must cost score; its bound is set for decks of 17 slides, and small decks have
  less to damage. Sloppy results within the scope (the work plus one more change of the same object)
  and variants that look the same are derived from the task's own target.

If no deck has a target for an operator that reverses another operator, the other operator is
applied first: slides are hidden before they are shown again.

``--out`` stores the results of each operator in a folder and skips operators that have some.
``--machine fake`` does not save targets with the application: faster, and needs no image.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random

from pptarena.decks.package.files import read_bytes
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits import edit_presentation
from pptarena.errors import DeckError, EditError, MachineError
from pptarena.tasks.grow import OPERATORS, DeckGrower
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.grow.growing import worker_pool
from pptarena.tasks.grow.proving import SaveDecks, prove
from pptarena.tasks.quality.attacks import (
    ATTACKS,
    Attack,
    Material,
    attack_target,
    attack_task,
    try_equivalents,
    unpacked,
)
from pptarena.tasks.task_file import parse_task
from tools.audit_decks import audit_decks
from tools.operator_reader import Reader
from tools.operator_results import OperatorFound, ResultFolder, Settings, summary, totals

__all__ = ["audit", "audit_operator", "main"]

_PER_ATTACKED = 10  # one in this many tasks is attacked
_DERIVED = 12  # derived attacks per attacked task
_EQUIVALENTS = 4
_SEVERAL = 3  # slides
_MADE_BY = {"show-slide": "hide-slide", "no-animations": "animate-shape"}
"""The operator applied first, for operators that almost no deck has a target for."""
_BARREN_DRAWS = 12  # consecutive draws without a new task that exhaust a deck


def audit(settings: Settings, names: Sequence[str]) -> Iterator[OperatorFound]:
    """Audit operators in several processes; stored results come first.

    Raises:
        ConfigError: If the folder holds results of another run.
    """
    folder = settings.out and ResultFolder(settings.out, settings)
    left = []
    for name in names:
        if folder and (known := folder.read(name)):
            yield known
        else:
            left.append(name)
    with worker_pool(settings.workers) as pool:
        jobs = [pool.submit(audit_operator, settings, name) for name in left]
        for job in as_completed(jobs):
            found = job.result()
            if folder:
                folder.write(found)
            yield found


def audit_operator(
    settings: Settings, name: str, attacks: Sequence[Attack] | None = None
) -> OperatorFound:
    """Draw tasks of one operator, then prove, parse back and attack them.

    Args:
        settings: What to draw, and from which decks.
        name: The operator.
        attacks: Run only these attacks; None for all, with those derived from each task's target.

    Raises:
        HostError: If the application cannot run on this computer.
        ImageError: If no machine image is installed.
    """
    began = time.monotonic()
    found = OperatorFound(name, settings.count)
    save = _save(settings.machine)
    kept: dict[str, list[Draft]] = {}
    wells = _wells(settings, name)
    while wells and found.tasks < found.wanted:
        share = -(-(found.wanted - found.tasks) // len(wells))
        for well in wells:
            drafts = well.draw(min(share, found.wanted - found.tasks))
            proven = prove(well.grower.ground, drafts, save)
            found.rejected.update({why: n for (_, why), n in proven.rejected.items()})
            kept.setdefault(well.grower.ground.label, []).extend(proven.kept)
            found.tasks += len(proven.kept)
            found.unread += filter(None, (_unread(draft) for draft in proven.kept))
        wells = [well for well in wells if not well.is_dry]
    found.decks = sum(map(bool, kept.values()))
    # Take the first draft of each deck, then the second, and so on. Decks of several slides come
    # first: other decks have little that an attack could damage.
    decks = sorted(kept.values(), key=lambda drafts: not _has_rest(drafts))
    in_turn = [d for each in zip_longest(*decks) for d in each if d is not None]
    in_turn.sort(key=lambda draft: not _has_rest([draft]))
    for draft in in_turn[: -(-found.wanted // _PER_ATTACKED)]:
        found.attacked += 1
        where = f"{draft.ground.label}: {draft.instruction}"
        material = _material(draft)
        results = attack_task(material, attacks=ATTACKS if attacks is None else attacks)
        found.attacks += [(result, where) for result in results]
        if attacks is None:
            derived = attack_target(material, _DERIVED)
            found.attacks += [(result, where) for result in derived]
            found.variants += [(each, where) for each in try_equivalents(material, _EQUIVALENTS)]
    found.seconds = round(time.monotonic() - began, 1)
    return found


class _Well:
    """Draws different tasks of one operator on one deck until they are exhausted."""

    def __init__(self, grower: DeckGrower, name: str, seed: int) -> None:
        self.grower, self._name = grower, name
        self._rng = Random(f"{seed} {name} {grower.ground.sha256}")
        self._known: set[str] = set()
        self.is_dry = False

    def draw(self, count: int) -> list[Draft]:
        found: list[Draft] = []
        barren = 0
        while len(found) < count and barren < _BARREN_DRAWS:
            held_out = self._rng.random() < 0.5
            part = self.grower.composer.part(
                "one", [self._name], self._rng, held_out_words=held_out, plain=False
            )
            draft = part and self.grower.said((part,), "train", self._rng)
            if draft and draft.key not in self._known:
                self._known.add(draft.key)
                found.append(draft)
                barren = 0
            else:
                barren += 1
        self.is_dry = len(found) < count
        return found


def _wells(settings: Settings, name: str) -> list[_Well]:
    growers: Iterable[DeckGrower] = _growers(settings.decks, settings.machine)
    found = [each for each in growers if name in each.composer.operators]
    if not found and name in _MADE_BY:
        made = (_prepared(each, _MADE_BY[name], settings) for each in growers)
        found = [each for each in made if each and name in each.composer.operators]
    return [_Well(each, name, settings.seed) for each in found]


def _prepared(grower: DeckGrower, name: str, settings: Settings) -> DeckGrower | None:
    """Return a generator for a deck after some edits of an operator; None if it has no target."""
    presentation = open_presentation(grower.ground.file)
    done: set[int] = set()
    try:
        for draft in _Well(grower, name, settings.seed).draw(_BARREN_DRAWS):
            if len(done) < _SEVERAL and not done & draft.slides:
                edit_presentation(presentation, draft.solution())
                done |= draft.slides
        label, save = grower.ground.label, _save(settings.machine)
        return DeckGrower(save_presentation(presentation), label, save) if done else None
    except (DeckError, EditError, MachineError):
        return None


def _has_rest(drafts: Sequence[Draft]) -> bool:
    return bool(drafts) and len(drafts[0].ground.deck.slides) >= _SEVERAL


def _unread(draft: Draft) -> str:
    """Return why an instruction does not parse back; "" if it does."""
    asked = [(item.frame[0], *item.meaning) for item in draft.items]
    try:
        clauses = _reader(draft.ground).read(draft.instruction)
    except ValueError as error:
        return f"{draft.ground.label}: {error}"
    read = [(clause.operator, clause.places, clause.values) for clause in clauses]
    return "" if read == asked else f"{draft.ground.label}: {draft.instruction!r} as {read}"


@cache
def _reader(ground: object) -> Reader:
    from pptarena.tasks.grow.ground import Ground

    assert isinstance(ground, Ground)
    return Reader(ground, list(OPERATORS.values()))


def _material(draft: Draft) -> Material:
    # The attacks get the deck from `Material`; its name does not matter.
    task = parse_task(draft.row(0) | {"deck": "meridian"}, Path(), "grown", "")
    presentation = open_presentation(draft.ground.file)
    edit_presentation(presentation, draft.solution())
    original = unpacked.saved(open_presentation(draft.ground.file))
    return Material(task, original, unpacked.saved(presentation))


@cache
def _save(machine: str) -> SaveDecks | None:
    if machine == "fake":
        return None
    from pptarena.vm_images.office import Office

    return Office(cached_results=0).save_all


@cache
def _growers(folder: Path | None, machine: str) -> tuple[DeckGrower, ...]:
    """Return one generator per deck; unreadable decks are skipped."""
    found = {}
    for name, file in _decks(folder):
        try:
            grower = DeckGrower(file, name, _save(machine))
        except (DeckError, MachineError):
            continue
        found[grower.ground.sha256] = grower
    return tuple(found.values())


def _decks(folder: Path | None) -> Iterator[tuple[str, bytes]]:
    """Yield only the decks of a folder; without one, packaged and generated decks."""
    if folder is None:
        yield from audit_decks(with_own=False)
        return
    for path in sorted(folder.rglob("*.pptx")):
        yield path.relative_to(folder).as_posix(), read_bytes(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit operators, and return 0 if all pass, else 1."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--operators", default=",".join(OPERATORS), metavar="NAME,...")
    parser.add_argument("--count", type=int, default=200, help="tasks of each operator")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--decks", type=Path, metavar="FOLDER", help="audit these decks alone")
    parser.add_argument("--machine", choices=("sandbox", "fake"), default="sandbox")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="store results, and continue")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    names = given.operators.split(",")
    if unknown := [name for name in names if name not in OPERATORS]:
        parser.error(f"unknown operator {unknown[0]!r}")
    settings = Settings(
        given.count, given.seed, given.decks, given.machine, given.out, given.workers
    )
    every = []
    for found in audit(settings, names):
        every.append(found)
        sys.stdout.write(f"{'ok' if found.held else 'FAILED'} {found.name}: {summary(found)}\n")
        sys.stdout.flush()
    sys.stdout.write(json.dumps(totals(every), indent=2) + "\n")
    return 0 if all(found.held for found in every) else 1


if __name__ == "__main__":
    sys.exit(main())
