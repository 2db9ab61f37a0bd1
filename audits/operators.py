"""Every operator of the generator: tasks drawn on decks, proven, read back and attacked.

For each operator so many different tasks are drawn, over all decks in turn. ``proven``: the
untouched deck scores 0, the goal 1, as the application saves it, and every leaf is judged. ``read
back``: the sentence alone gives the operator, the place and the values it was made of. One in ten
is attacked, since an attacked task takes ten times as long as one that is proven. No attack that
leaves out the work, or hides it, may gain more than `ALLOWED_GAIN`. One that does the work and
spoils the rest of the deck has to pay for that; how much is counted against bounds that were set on
decks of 17 slides, and small decks have less of a rest. Sloppy results inside the scope, the work
and one more change of the same object, are derived from each attacked task's own target, as are
variants that a viewer cannot tell from it.

Where no deck has a place for an operator that undoes another one, that one is done first: slides
are hidden, so that they can be shown again.

With ``--out`` a folder keeps what is found of each operator, and what is there is not tried again.
With ``--machine fake`` no application saves the goals: faster, and no image is needed.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random

from pptarena.audits.attacks import (
    Material,
    attack_target,
    attack_task,
    try_equivalents,
    unpacked,
)
from pptarena.audits.decks import audit_decks
from pptarena.audits.operator_results import OperatorFound, ResultFolder, row_of, totals
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.decks.package.files import read_bytes
from pptarena.errors import ConfigError, DeckError, MachineError
from pptarena.suggestions import not_found
from pptarena.tasks.grow import OPERATORS, DeckGrower
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.grow.edits import EDIT_ERRORS, opened, saved
from pptarena.tasks.grow.proving import SaveDecks, prove
from pptarena.tasks.grow.reading import Reader
from pptarena.tasks.grow.workers import worker_pool
from pptarena.tasks.task_file import parse_task

__all__ = ["audit_operator", "figures", "rows", "total"]

_COUNT = 200
_PER_ATTACKED = 10  # of so many tasks one is attacked
_DERIVED = 12  # attacks of an attacked task's own target
_EQUIVALENTS = 4
_SEVERAL = 3  # slides
_MADE_BY = {"show-slide": "hide-slide", "no-animations": "animate-shape"}
"""What makes places for operators of which hardly any deck has one."""
_BARREN_DRAWS = 12  # so many that give nothing new, and a deck has no more


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Yield one row for each operator, as they are done; those that were done before come first.

    Raises:
        ConfigError: If there is no such operator, or the folder holds results of another run.
    """
    _FOUND.clear()
    folder = settings.out and ResultFolder(settings.out, settings)
    left = []
    for name in _names(settings):
        if folder and (known := folder.read(name)):
            _FOUND.append(known)
            yield row_of(known)
        else:
            left.append(name)
    with worker_pool(settings.processes) as pool:
        jobs = [pool.submit(audit_operator, settings, name) for name in left]
        for job in as_completed(jobs):
            found = job.result()
            if folder:
                folder.write(found)
            _FOUND.append(found)
            yield row_of(found)


_FOUND: list[OperatorFound] = []


def total(settings: AuditSettings) -> int:
    """Return how many rows there will be."""
    return len(_names(settings))


def figures(_rows: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the totals of all operators."""
    return totals(_FOUND)


def _names(settings: AuditSettings) -> tuple[str, ...]:
    """Return the operators that are wanted.

    Raises:
        ConfigError: If there is none of such a name.
    """
    unknown = [name for name in settings.operators if name not in OPERATORS]
    if unknown:
        raise ConfigError(not_found("operator", unknown[0], OPERATORS))
    return settings.operators or tuple(OPERATORS)


def audit_operator(settings: AuditSettings, name: str) -> OperatorFound:
    """Draw tasks of one operator and try them in every way.

    Raises:
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
    """
    began = time.monotonic()
    found = OperatorFound(name, settings.count or _COUNT)
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
    # One of each deck, then the second of each, and so on. Decks of several slides come first:
    # on others there is little that an attack could spoil.
    decks = sorted(kept.values(), key=lambda drafts: not _has_rest(drafts))
    in_turn = [d for each in zip_longest(*decks) for d in each if d is not None]
    in_turn.sort(key=lambda draft: not _has_rest([draft]))
    for draft in in_turn[: -(-found.wanted // _PER_ATTACKED)]:
        found.attacked += 1
        where = f"{draft.ground.label}: {draft.instruction}"
        material = _material(draft)
        results = *attack_task(material), *attack_target(material, _DERIVED)
        found.attacks += [(result, where) for result in results]
        found.variants += [(each, where) for each in try_equivalents(material, _EQUIVALENTS)]
    found.seconds = round(time.monotonic() - began, 1)
    return found


class _Well:
    """Different tasks of one operator on one deck, until there are no more."""

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


def _wells(settings: AuditSettings, name: str) -> list[_Well]:
    growers: Iterable[DeckGrower] = _growers(settings.decks, settings.machine)
    found = [each for each in growers if name in each.composer.operators]
    if not found and name in _MADE_BY:
        made = (_prepared(each, _MADE_BY[name], settings) for each in growers)
        found = [each for each in made if each and name in each.composer.operators]
    return [_Well(each, name, settings.seed) for each in found]


def _prepared(grower: DeckGrower, name: str, settings: AuditSettings) -> DeckGrower | None:
    """Return what grows on a deck after some edits of one operator; None if it has no place."""
    presentation = opened(grower.ground.file)
    done: set[int] = set()
    try:
        for draft in _Well(grower, name, settings.seed).draw(_BARREN_DRAWS):
            if len(done) < _SEVERAL and not done & draft.slides:
                draft.apply(presentation)
                done |= draft.slides
        label, save = grower.ground.label, _save(settings.machine)
        return DeckGrower(saved(presentation), label, save) if done else None
    except (DeckError, MachineError, *EDIT_ERRORS):
        return None


def _has_rest(drafts: Sequence[Draft]) -> bool:
    return bool(drafts) and len(drafts[0].ground.deck.slides) >= _SEVERAL


def _unread(draft: Draft) -> str:
    """Return what is wrong with reading a sentence back; "" if nothing is."""
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
    # The attacks have the deck from here, whatever it is called.
    task = parse_task(draft.row(0) | {"deck": "meridian"}, Path(), "grown", "")
    presentation = opened(draft.ground.file)
    draft.apply(presentation)
    original = unpacked.saved(opened(draft.ground.file))
    return Material(task, original, unpacked.saved(presentation))


@cache
def _save(machine: str) -> SaveDecks | None:
    if machine == "fake":
        return None
    from pptarena.vm_images.warm_saver import WarmSaver

    return WarmSaver().save_all


@cache
def _growers(folder: Path | None, machine: str) -> tuple[DeckGrower, ...]:
    """Return what grows on each deck; those that cannot be read are left out."""
    found = {}
    for name, file in _decks(folder):
        try:
            grower = DeckGrower(file, name, _save(machine))
        except (DeckError, MachineError):
            continue
        found[grower.ground.sha256] = grower
    return tuple(found.values())


def _decks(folder: Path | None) -> Iterator[tuple[str, bytes]]:
    """Yield the decks of a folder alone; those of the package were there when operators were."""
    if folder is None:
        yield from audit_decks(None)
        return
    for path in sorted(folder.rglob("*.pptx")):
        yield path.relative_to(folder).as_posix(), read_bytes(path)
