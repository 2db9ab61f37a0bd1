"""Results of the audit of operators, and a folder that stores them."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError
from pptarena.tasks.quality.attacks import KINDS, AttackResult, shares

__all__ = ["OperatorFound", "ResultFolder", "Settings", "summary", "totals"]

_LEAST_COST = 0.1
_SLOPPY_SHARE = 0.02  # of derived attacks may score above what they deserve


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the audit.

    Attributes:
        count: Number of tasks of each operator.
        seed: Seed of all random choices.
        decks: Folder of .pptx files; None for packaged and generated decks.
        machine: ``"fake"`` proves targets as python-pptx writes them; any other value, as the
            application saves them.
        out: Folder for results, from which an interrupted audit continues.
        workers: Number of processes.
    """

    count: int = 200
    seed: int = 0
    decks: Path | None = None
    machine: str = "sandbox"
    out: Path | None = None
    workers: int = 2


@dataclass
class OperatorFound:
    """Results for one operator.

    Attributes:
        name: The operator.
        wanted: Requested number of tasks.
        tasks: Number of tasks drawn and proven.
        decks: Number of decks with such tasks.
        rejected: Number of rejected drafts by reason.
        unread: Instructions that do not parse back, with what was read.
        attacked: Number of attacked tasks.
        attacks: All attacks that apply, each with deck and instruction; attacks whose kind is in
            `KINDS` are derived from the task's target.
        variants: Decks that look the same as the target, each with deck and instruction.
        seconds: Wall-clock seconds for the operator.
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
        """Attacks without the work that raise the score too much, worst first."""
        return self._worst(lambda result: not result.ok and not result.spoils)

    @property
    def cheap(self) -> list[tuple[AttackResult, str]]:
        """Attacks that do the work and damage the rest of the deck almost for free.

        The loss is below `_LEAST_COST` and below half of what the damage should cost.
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
        """Attacks that damage the rest and lose less than their bound, worst first.

        The bounds are set for decks of 17 slides.
        """
        return self._worst(
            lambda result: not result.ok and result.spoils and result.kind not in KINDS
        )

    @property
    def derived(self) -> list[tuple[AttackResult, str]]:
        """Attacks derived from the target: the work plus a change, hidden work, or half of it."""
        return [each for each in self.attacks if each[0].kind in KINDS]

    @property
    def sloppy(self) -> list[tuple[AttackResult, str]]:
        """Derived attacks that score more than they deserve, worst first."""
        return self._worst(lambda result: not result.ok and result.kind in KINDS)

    @property
    def denied(self) -> list[tuple[AttackResult, str]]:
        """Variants that score differently from the target."""
        return [each for each in self.variants if not each[0].ok]

    def _worst(self, fits: Callable[[AttackResult], bool]) -> list[tuple[AttackResult, str]]:
        found = [each for each in self.attacks if fits(each[0])]
        return sorted(found, key=lambda each: -each[0].gain)

    @property
    def held(self) -> bool:
        """Whether the operator passes.

        It needs at least one task, all instructions parsed back, no attack that pays, no free
        damage and no rejected variant. At most `_SLOPPY_SHARE` of the derived attacks may score too
        much.
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
        """Return the results stored by `to_json`."""
        lists = {
            name: [(AttackResult(**result), where) for result, where in values[name]]
            for name in ("attacks", "variants")
        }
        return cls(**values | {"rejected": Counter(values["rejected"])} | lists)


class ResultFolder:
    """Stores the results of each operator in a file, so that a run can be resumed.

    Args:
        path: The folder; created if it does not exist.
        settings: Settings of the run; results with another count, seed or machine are refused.

    Raises:
        ConfigError: If the folder cannot be created.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
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
        """Return the stored results of an operator; None if there are none.

        Raises:
            ConfigError: If the file is malformed or belongs to another run.
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
        """Store the results of an operator; the file is replaced atomically."""
        file = self._file(found.name)
        part = file.with_name(f"{file.name}.part")
        kept = {"asked": self._asked, "found": found.to_json()}
        part.write_text(f"{json.dumps(kept, ensure_ascii=False)}\n", encoding="utf-8")
        part.replace(file)

    def _file(self, name: str) -> Path:
        return self._path / f"{name}.json"


def totals(every: Sequence[OperatorFound]) -> dict[str, float | int]:
    """Return the totals of all operators."""
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


def summary(found: OperatorFound) -> str:
    """Return the results of an operator as one line."""
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
    return ", ".join(said)
