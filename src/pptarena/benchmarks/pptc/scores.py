"""Scores and statistics of stored PPTC episodes, computed as in the benchmark."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pptarena.benchmarks.pptc.conduct import CallCounts, call_counts, named_calls, read_conducts
from pptarena.benchmarks.pptc.labels import (
    MODALITIES,
    Conduct,
    Label,
    Verdicts,
    judge_session,
    judge_turn,
    label_modalities,
    load_labels,
)
from pptarena.benchmarks.pptc.pptx_match import MatchResult
from pptarena.benchmarks.pptc.settings import get_setting
from pptarena.rollouts.episode import StepRecord, StoredEpisode
from pptarena.rollouts.messages import read_model
from pptarena.rollouts.store import read_steps
from pptarena.rollouts.turn_files import turn_file

__all__ = ["ERRORS", "PptcRow", "Tally", "pptc_rows"]

ERRORS = ("position", "unknown API", "unreadable call", "failed call", "other")
"""Errors of failed turns that rules can detect; a turn can have several of the first four."""

_NOT_APIS = ("done", "fail", "read_slide", "list_layouts", "get_content")
_TEXT = "run_calls"
_TURNS_PER_GROUP = 4


@dataclass
class Tally:
    """Verdicts of one checker.

    Attributes:
        passed: Number of matches.
        failed: Number of mismatches and of turns never reached.
        unscored: Number of unscored decks.
        causes: Number of decks by mismatching attribute.
    """

    passed: int = 0
    failed: int = 0
    unscored: int = 0
    causes: Counter[str] = field(default_factory=Counter)

    @property
    def accuracy(self) -> float | None:
        """Share of matches among scored decks, in [0, 1]; None if there are none."""
        scored = self.passed + self.failed
        return self.passed / scored if scored else None

    def add(self, result: MatchResult | None) -> None:
        """Count one verdict; None stands for a turn never reached."""
        if result is None:
            self.failed += 1
            self.causes["not reached"] += 1
            return
        verdict = result.verdict
        self.passed += verdict == "match"
        self.failed += verdict == "mismatch"
        self.unscored += verdict == "unjudged"
        self.causes.update({part.attribute for part in result.mismatches})
        failed_statuses = {part.status for part in result.relations} - {"holds"}
        self.causes.update(f"position {status}" for status in failed_statuses)
        self.causes.update(["label changes nothing"] if result.pointless else [])

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        counts = {"passed": self.passed, "failed": self.failed, "unjudged": self.unscored}
        return {**counts, "accuracy": self.accuracy, "causes": dict(self.causes.most_common())}


@dataclass
class PptcRow:
    """Results of one agent on tasks of one data set, form, setting and wording.

    Attributes:
        agent: Agent name in the store.
        dataset: ``create`` for new decks, ``edit`` for templates, or another folder's name.
        form: ``turn`` or ``session``.
        setting: Available APIs: ``lack``, ``update``, or empty for the default.
        wording: Name of the rewording of the instructions; empty for the benchmark's own.
        units: Number of turns or sessions played.
        lost: Number of episodes with an infrastructure error; excluded from all other figures.
        published, strict: Verdicts on the units, by checker.
        turns: Verdicts of the published checker on each turn of the sessions.
        modalities: Verdicts of the published checker on turns, by what their labels handle; see
            `label_modalities`.
        lengths: Verdicts of the published checker on sessions, by number of turns, such as "5-8".
        calls: Calls sent, with those that failed.
        errors: Number of failed turns by error; see `ERRORS`.
        scores: Scores of the environment: the share of the label's change that was made.
        tokens: Input tokens; as in the paper, without output tokens.
        apis: Number of API calls.
        cost_usd: Cost in USD at the configured prices.
    """

    agent: str
    dataset: str
    form: str
    setting: str = ""
    wording: str = ""
    units: int = 0
    lost: int = 0
    published: Tally = field(default_factory=Tally)
    strict: Tally = field(default_factory=Tally)
    turns: Tally = field(default_factory=Tally)
    modalities: dict[str, Tally] = field(default_factory=dict)
    lengths: dict[str, Tally] = field(default_factory=dict)
    calls: CallCounts = field(default_factory=CallCounts)
    errors: Counter[str] = field(default_factory=Counter)
    scores: list[float] = field(default_factory=list)
    tokens: int = 0
    apis: int = 0
    cost_usd: float = 0.0

    @property
    def mean_score(self) -> float | None:
        """The mean of the environment's scores; None if there are none."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object, with means per unit."""
        units = max(1, self.units)
        return {
            "agent": self.agent,
            "dataset": self.dataset,
            "form": self.form,
            "setting": self.setting,
            "wording": self.wording,
            "units": self.units,
            "lost": self.lost,
            "published": self.published.to_json(),
            "strict": self.strict.to_json(),
            **({"turns": self.turns.to_json()} if self.form == "session" else {}),
            "modalities": {name: self.modalities[name].to_json() for name in self.modalities},
            "lengths": {name: self.lengths[name].to_json() for name in self.lengths},
            "calls": self.calls.to_json(),
            "errors": dict(self.errors.most_common()),
            "mean_score": self.mean_score,
            "mean_tokens": self.tokens / units,
            "mean_apis": self.apis / units,
            "cost_usd": self.cost_usd,
        }


def pptc_rows(episodes: Iterable[StoredEpisode]) -> list[PptcRow]:
    """Return one row per agent, data set, form, setting and wording of tasks.

    Args:
        episodes: Episodes of imported tasks; their task folders must still exist.

    Raises:
        TaskError: If an episode belongs to a task of another benchmark.
        DeckError: If a deck cannot be read.
        StoreError: If a record is malformed.
    """
    rows: dict[tuple[str, ...], PptcRow] = {}
    for episode in episodes:
        meta = episode.meta
        labels = load_labels(meta.task, meta.task_place)
        form = "turn" if _is_turn(meta.task) else "session"
        key = (meta.agent, _dataset(meta.task), form, labels[0].setting, labels[0].wording)
        row = rows.setdefault(key, PptcRow(*key))
        if meta.infra_error is not None:
            row.lost += 1
            continue
        row.units += 1
        row.scores += [] if meta.score is None else [meta.score]
        steps = read_steps(episode.folder)
        verdicts = _judge(episode.folder, labels, row, steps)
        row.published.add(verdicts.published)
        row.strict.add(verdicts.strict)
        row.apis += sum(_apis(step.call) for step in steps)
        if (model := read_model(episode.folder)) is not None:
            row.tokens += model.usage.input_tokens
            row.cost_usd += model.cost_usd
    return [rows[key] for key in sorted(rows)]


def _is_turn(id: str) -> bool:
    return "-turn-" in id


def _dataset(id: str) -> str:
    """Return the word before the session's number in an id such as ``pptc-create-3-turn-1``."""
    return id.partition("-turn-")[0].split("-")[-2]


def _count_turn(row: PptcRow, label: Label, result: MatchResult | None, calls: CallCounts) -> None:
    """Count a turn by modality, with its calls and its errors."""
    row.calls.add(calls)
    for name in label_modalities(label):
        row.modalities.setdefault(name, Tally()).add(result)
    row.modalities = {name: row.modalities[name] for name in MODALITIES if name in row.modalities}
    if result is None or result.verdict != "mismatch":
        return
    errors = {
        "position": any(relation.status != "holds" for relation in result.relations),
        "unknown API": bool(calls.unknown),
        "unreadable call": bool(calls.unreadable),
        "failed call": calls.failed > calls.unreadable + calls.unknown.total(),
    }
    row.errors.update([name for name, present in errors.items() if present] or ["other"])


def _judge(
    folder: Path, labels: tuple[Label, ...], row: PptcRow, steps: tuple[StepRecord, ...]
) -> Verdicts:
    final = folder / "final.pptx"
    setting = get_setting(row.setting)
    conducts = read_conducts(steps, setting, len(labels))
    calls = call_counts(steps, setting, len(labels))
    if row.form == "turn":
        verdicts = judge_turn(final, labels[0], conducts[0])
        _count_turn(row, labels[0], verdicts.published, calls[0])
        return verdicts
    is_corrupted = False
    decks = _decks(folder, len(labels))
    for label, deck, conduct, turn_calls in zip(labels, decks, conducts, calls, strict=True):
        # The effect of an invalid call persists in later turns.
        is_corrupted = is_corrupted or conduct.corrupted
        effective = Conduct(conduct.asked_for_help, is_corrupted)
        result = None if deck is None else judge_turn(deck, label, effective).published
        row.turns.add(result)
        _count_turn(row, label, result, turn_calls)
    verdicts = judge_session(final, labels, conducts)
    first = (len(labels) - 1) // _TURNS_PER_GROUP * _TURNS_PER_GROUP + 1
    length = f"{first}-{first + _TURNS_PER_GROUP - 1}"
    row.lengths.setdefault(length, Tally()).add(verdicts.published)
    return verdicts


def _decks(folder: Path, count: int) -> Iterator[Path | None]:
    """Yield the deck at the end of each turn; None for turns never reached."""
    reached = 0
    while reached < count - 1 and (folder / f"{turn_file(reached + 1)}.pptx").is_file():
        yield folder / f"{turn_file(reached + 1)}.pptx"
        reached += 1
    yield folder / "final.pptx"
    yield from [None] * (count - reached - 1)


def _apis(call: dict[str, Any] | None) -> int:
    """Return the number of APIs that a step called; refused calls do not count."""
    name = (call or {}).get("tool", "")
    if name == _TEXT:
        return len(named_calls(call))
    return int(bool(name) and name not in _NOT_APIS)
