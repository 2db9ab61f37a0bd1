"""What the audit of operators finds of each of them, and a folder that keeps it."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from pptarena.audits.attacks import ALLOWED_GAIN, KINDS, AttackResult, shares
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.errors import ConfigError

__all__ = ["OperatorFound", "ResultFolder", "row_of", "totals"]

_LEAST_COST = 0.1
_SLOPPY_SHARE = 0.02  # of derived attacks may score more than they deserve


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
        attacks: All attacks on them that apply, each with deck and sentence; those of a kind in
            `KINDS` are derived from the task's target.
        variants: Decks equal to the target for a viewer, each with deck and sentence.
        seconds: How long all of it took.
    """

    name: str
    wanted: int
    tasks: int = 0
    decks: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)
    attacked: int = 0
    attacks: list[tuple[AttackResult, str]] = field(default_factory=list)
    variants: list[tuple[AttackResult, str]] = field(default_factory=list)
    seconds: float = 0.0

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
                result.spoils
                and result.kind not in KINDS
                and result.score > 1 - min(_LEAST_COST, (1 - result.deserved) / 2)
            )
        )

    @property
    def mild(self) -> list[tuple[AttackResult, str]]:
        """Those that spoil the rest and lose less than their bound, set on decks of 17 slides."""
        return self._worst(
            lambda result: not result.ok and result.spoils and result.kind not in KINDS
        )

    @property
    def derived(self) -> list[tuple[AttackResult, str]]:
        """Attacks derived from the target: the work and one more change, hidden, or half of it."""
        return [each for each in self.attacks if each[0].kind in KINDS]

    @property
    def sloppy(self) -> list[tuple[AttackResult, str]]:
        """Derived attacks that score more than they deserve; worst first."""
        return self._worst(lambda result: not result.ok and result.kind in KINDS)

    @property
    def denied(self) -> list[tuple[AttackResult, str]]:
        """Variants that do not score what the target does."""
        return [each for each in self.variants if not each[0].ok]

    def _worst(self, fits: Callable[[AttackResult], bool]) -> list[tuple[AttackResult, str]]:
        found = [each for each in self.attacks if fits(each[0])]
        return sorted(found, key=lambda each: -each[0].gain)

    @property
    def held(self) -> bool:
        """Whether there are tasks, all are read back, no cheat gains, and no damage is free.

        No variant may lose, and of derived attacks two in a hundred may score too much.
        """
        few = len(self.sloppy) <= _SLOPPY_SHARE * len(self.derived)
        return (
            bool(self.tasks)
            and few
            and not (self.unread or self.cheats or self.cheap or self.denied)
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        lists = {
            name: [(asdict(result), where) for result, where in own[name]]
            for name in ("attacks", "variants")
        }
        return own | {"rejected": dict(self.rejected)} | lists

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "OperatorFound":
        """Return what `to_json` wrote."""
        lists = {
            name: [(AttackResult(**result), where) for result, where in values[name]]
            for name in ("attacks", "variants")
        }
        return cls(**values | {"rejected": Counter(values["rejected"])} | lists)


class ResultFolder:
    """Keeps what was found of each operator in a file of its own, so that a run can go on.

    Args:
        path: The folder; made if need be.
        settings: What the run is asked for; results of another count, seed or machine are refused.

    Raises:
        ConfigError: If the folder cannot be made.
    """

    def __init__(self, path: Path, settings: AuditSettings) -> None:
        self._path = path
        self._asked = {
            "count": settings.count,
            "seed": settings.seed,
            "machine": settings.machine,
        }
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"cannot make the folder {path}: {error.strerror}") from error

    def read(self, name: str) -> OperatorFound | None:
        """Return what was found of an operator; None if there is nothing yet.

        Raises:
            ConfigError: If it is of another run.
        """
        file = self._file(name)
        if not file.exists():
            return None
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            asked, found = kept["asked"], OperatorFound.from_json(kept["found"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{file} is no result of this audit ({error}); remove it") from error
        if asked != self._asked:
            raise ConfigError(
                f"expected results of {self._asked} in {file}, got {asked}; take another folder"
            )
        return found

    def write(self, found: OperatorFound) -> None:
        """Keep what was found of an operator; a file is there as a whole or not at all."""
        file = self._file(found.name)
        part = file.with_name(f"{file.name}.part")
        kept = {"asked": self._asked, "found": found.to_json()}
        part.write_text(f"{json.dumps(kept, ensure_ascii=False)}\n", encoding="utf-8")
        part.replace(file)

    def _file(self, name: str) -> Path:
        return self._path / f"{name}.json"


def totals(every: Sequence[OperatorFound]) -> dict[str, float | int | str]:
    """Return the figures of all operators together."""
    results = [result for found in every for result, _ in found.attacks]
    own = [result for found in every for result, _ in (*found.derived, *found.variants)]
    kinds = shares(own)
    fewer = sum(found.tasks < found.wanted for found in every)
    return {
        "operators": len(every),
        "tasks": sum(found.tasks for found in every),
        "operators_with_fewer_places": fewer,
        "thrown_away": sum(found.rejected.total() for found in every),
        "not_read_back": sum(len(found.unread) for found in every),
        "attacked_tasks": sum(found.attacked for found in every),
        "attacks": len(results) - sum(len(found.derived) for found in every),
        "attacks_that_gain": sum(len(found.cheats) for found in every),
        "largest_gain": round(max((r.gain for r in results if not r.spoils), default=0.0), 3),
        "attacks_that_spoil_for_nothing": sum(len(found.cheap) for found in every),
        "attacks_that_spoil_for_less": sum(len(found.mild) for found in every),
        "sloppy_attacks": sum(len(found.derived) for found in every),
        "sloppy_attacks_that_gain": sum(len(found.sloppy) for found in every),
        "variants": sum(len(found.variants) for found in every),
        "variants_that_lose": sum(len(found.denied) for found in every),
        **{f"held_{each.kind.replace(' ', '_')}": round(each.share, 3) for each in kinds},
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
    fixed = len(found.attacks) - len(found.derived)
    said.append(
        f"{fixed} attacks on {found.attacked}: {len(found.cheats)} gain, "
        f"{len(found.cheap)} spoil for nothing, {len(found.mild)} for less than on large decks"
    )
    said.append(
        f"{len(found.sloppy)} of {len(found.derived)} sloppy results gain, "
        f"{len(found.denied)} of {len(found.variants)} variants lose"
    )
    worst = *found.cheats[:1], *found.cheap[:1], *found.sloppy[:1], *found.denied[:1]
    for result, where in worst:
        said.append(f"{result.attack} {result.score:.2f} for {result.deserved:.2f}: {where}")
    expected = f"{found.wanted} proven and read back, cheats at most +{ALLOWED_GAIN:g}"
    return Row(found.name, expected, ", ".join(said), found.held)
