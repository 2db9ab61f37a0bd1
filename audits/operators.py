"""Every operator of the generator: tasks drawn on decks, proven, read back and attacked.

For each operator so many different tasks are drawn, over all decks in turn. ``proven``: the
untouched deck scores 0, the goal 1, as the application saves it, and every leaf is judged. ``read
back``: the sentence alone gives the operator, the place and the values it was made of. One in ten
is attacked, since an attacked task takes ten times as long as one that is proven. No attack that
leaves out the work, or hides it, may gain more than `ALLOWED_GAIN`. One that does the work and
spoils the rest of the deck has to pay for that; how much is counted against bounds that were set on
decks of 17 slides, and small decks have less of a rest.

With ``--machine fake`` no application saves the goals: faster, and no image is needed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from random import Random

from pptarena.audits.attacks import ALLOWED_GAIN, AttackResult, Material, attack_task
from pptarena.audits.decks import audit_decks
from pptarena.audits.registry import AuditSettings
from pptarena.audits.report import Row
from pptarena.errors import DeckError, MachineError
from pptarena.tasks.grow import OPERATORS, DeckGrower
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.grow.edits import opened, saved
from pptarena.tasks.grow.proving import SaveDecks, prove
from pptarena.tasks.grow.reading import Reader
from pptarena.tasks.grow.workers import worker_pool
from pptarena.tasks.task_file import parse_task

__all__ = ["OperatorFound", "audit_operator", "figures", "row_of", "rows"]

_COUNT = 200
_PER_ATTACKED = 10  # of so many tasks one is attacked
_PROCESSES = 2
_LEAST_COST = 0.1
_SEVERAL = 3  # slides
_BARREN_DRAWS = 12  # so many that give nothing new, and a deck has no more


@dataclass
class OperatorFound:
    """What is found of one operator.

    Attributes:
        name: The operator.
        wanted: How many tasks were wanted.
        tasks: How many were drawn and proven.
        decks: On how many decks.
        rejected: How many drafts were thrown away, by reason.
        unread: Sentences that are not read back, with what was read.
        attacked: How many tasks were attacked.
        attacks: All attacks on them that apply.
    """

    name: str
    wanted: int
    tasks: int = 0
    decks: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)
    attacked: int = 0
    attacks: list[tuple[AttackResult, str]] = field(default_factory=list)

    @property
    def cheats(self) -> list[tuple[AttackResult, str]]:
        """Attacks without the work that gain too much, with deck and sentence; worst first."""
        return self._worst(lambda result: not result.ok and not result.spoils)

    @property
    def cheap(self) -> list[tuple[AttackResult, str]]:
        """Attacks that do the work and spoil the rest for nearly nothing.

        That is less than `_LEAST_COST`, and less than half of what the damage should cost.
        """
        return self._worst(
            lambda result: (
                result.spoils and result.score > 1 - min(_LEAST_COST, (1 - result.deserved) / 2)
            )
        )

    @property
    def mild(self) -> list[tuple[AttackResult, str]]:
        """Those that spoil the rest and lose less than their bound, set on decks of 17 slides."""
        return self._worst(lambda result: not result.ok and result.spoils)

    def _worst(self, fits: Callable[[AttackResult], bool]) -> list[tuple[AttackResult, str]]:
        found = [each for each in self.attacks if fits(each[0])]
        return sorted(found, key=lambda each: -each[0].gain)

    @property
    def held(self) -> bool:
        """Whether there are tasks, all are read back, no cheat gains, and no damage is free."""
        return bool(self.tasks) and not (self.unread or self.cheats or self.cheap)


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Yield one row for each operator."""
    _FOUND.clear()
    with worker_pool(_PROCESSES) as pool:
        for found in pool.map(partial(audit_operator, settings), OPERATORS):
            _FOUND.append(found)
            yield row_of(found)


_FOUND: list[OperatorFound] = []


def figures(_rows: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the totals of all operators."""
    results = [result for found in _FOUND for result, _ in found.attacks]
    fewer = sum(found.tasks < found.wanted for found in _FOUND)
    return {
        "operators": len(_FOUND),
        "tasks": sum(found.tasks for found in _FOUND),
        "operators_with_fewer_places": fewer,
        "thrown_away": sum(found.rejected.total() for found in _FOUND),
        "not_read_back": sum(len(found.unread) for found in _FOUND),
        "attacked_tasks": sum(found.attacked for found in _FOUND),
        "attacks": len(results),
        "attacks_that_gain": sum(len(found.cheats) for found in _FOUND),
        "largest_gain": round(max((r.gain for r in results if not r.spoils), default=0.0), 3),
        "attacks_that_spoil_for_nothing": sum(len(found.cheap) for found in _FOUND),
        "attacks_that_spoil_for_less": sum(len(found.mild) for found in _FOUND),
    }


def row_of(found: OperatorFound) -> Row:
    """Return what is found of an operator as a row of the report."""
    few = "" if found.tasks == found.wanted else ", all that the decks give"
    said = [f"{found.tasks} proven on {found.decks} decks{few}"]
    if found.rejected:
        most = "; ".join(f"{reason} {times}" for reason, times in found.rejected.most_common(3))
        said.append(f"{found.rejected.total()} thrown away ({most})")
    said.append(f"{found.tasks - len(found.unread)} read back")
    said += found.unread[:1]
    said.append(
        f"{len(found.attacks)} attacks on {found.attacked}: {len(found.cheats)} gain, "
        f"{len(found.cheap)} spoil for nothing, {len(found.mild)} for less than on large decks"
    )
    for result, where in (*found.cheats[:1], *found.cheap[:1]):
        said.append(f"{result.attack} {result.score:.2f} for {result.deserved:.2f}: {where}")
    expected = f"{found.wanted} proven and read back, cheats at most +{ALLOWED_GAIN:g}"
    return Row(found.name, expected, ", ".join(said), found.held)


def audit_operator(settings: AuditSettings, name: str) -> OperatorFound:
    """Draw tasks of one operator and try them in every way.

    Raises:
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
    """
    found = OperatorFound(name, settings.count or _COUNT)
    growers, save = _growers(settings.decks, settings.machine), _save(settings.machine)
    kept: dict[str, list[Draft]] = {}
    wells = [
        _Well(grower, name, settings.seed)
        for grower in growers
        if name in grower.composer.operators
    ]
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
        found.attacks += [(result, where) for result in attack_task(_material(draft))]
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
    return Material(task, draft.ground.file, saved(presentation))


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
        yield path.relative_to(folder).as_posix(), path.read_bytes()
