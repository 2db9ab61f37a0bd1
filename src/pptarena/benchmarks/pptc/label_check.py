"""Results of both checkers on the labels of PPTC themselves, and on unedited decks."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pptarena.benchmarks.pptc.copy import Step, build_steps, load_start_deck
from pptarena.benchmarks.pptc.executor import label_decks
from pptarena.benchmarks.pptc.labels import (
    Conduct,
    Label,
    Verdicts,
    judge_session,
    judge_turn,
)
from pptarena.benchmarks.pptc.scores import Tally
from pptarena.benchmarks.pptc.session import Session
from pptarena.benchmarks.pptc.settings import Setting
from pptarena.decks import read_deck
from pptarena.errors import DeckError, TaskError

__all__ = ["DECK_TYPES", "FORMS", "LabelCheck", "LabelRow", "check_labels"]

DECK_TYPES: Final = ("label", "nothing", "label, by the original's")
"""The label's deck; the deck before it; the label's deck, compared with the original program's."""

FORMS: Final = ("turn", "session")


@dataclass
class LabelRow:
    """Verdicts on decks of one type.

    Attributes:
        deck: One of `DECK_TYPES`.
        form: ``turn`` or ``session``.
        published, strict: Verdicts by checker; decks of the original program are checked only by
            the published one.
    """

    deck: str
    form: str
    published: Tally = field(default_factory=Tally)
    strict: Tally = field(default_factory=Tally)

    def add(self, verdicts: Verdicts, *, published_only: bool = False) -> None:
        """Count the verdicts on one deck."""
        self.published.add(verdicts.published)
        if not published_only:
            self.strict.add(verdicts.strict)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        tallies = {"published": self.published.to_json(), "strict": self.strict.to_json()}
        return {"deck": self.deck, "form": self.form, **tallies}


@dataclass
class LabelCheck:
    """Results of all sessions.

    Attributes:
        sessions, turns: Number scored.
        seeks: Number of turns whose label asks for help.
        made: Number of label decks built by executing the label's calls.
        failed: Number of label calls that could not be executed.
        problems: Why sessions could not be scored.
        rows: One row per combination of `DECK_TYPES` and `FORMS`.
    """

    sessions: int = 0
    turns: int = 0
    seeks: int = 0
    made: int = 0
    failed: int = 0
    problems: list[str] = field(default_factory=list)
    rows: list[LabelRow] = field(
        default_factory=lambda: [LabelRow(deck, form) for form in FORMS for deck in DECK_TYPES]
    )

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        counts = ("sessions", "turns", "seeks", "made", "failed", "problems")
        rows = [row.to_json() for row in self.rows]
        return {**{name: getattr(self, name) for name in counts}, "rows": rows}


def check_labels(sessions: Iterable[tuple[Path, Session]], setting: Setting) -> LabelCheck:
    """Score the labels as an agent's result, and an agent that does nothing.

    Args:
        sessions: Pairs of the folder with the session's decks and the session.
        setting: The benchmark setting, which determines the available APIs.
    """
    check = LabelCheck()
    for root, session in sessions:
        try:
            steps = build_steps(session, root, setting)
            original_decks = _originals(session, root, setting)
        except (DeckError, TaskError) as error:
            check.problems.append(f"{session.dataset}/session_{session.number}: {error}")
            continue
        check.sessions += 1
        check.turns += len(steps)
        check.seeks += sum(step.seeks for step in steps)
        check.made += sum(step.is_built for step in steps)
        check.failed += sum(len(step.failed) for step in steps)
        _judge(check, [_label(step, setting) for step in steps], original_decks)
    return check


def _originals(session: Session, root: Path, setting: Setting) -> list[bytes]:
    """Return the decks that the labels produce with the bugs of the original program."""
    start = load_start_deck(session, root, setting)
    decks = label_decks(setting.as_published(session), start, quirks=True)
    return [label_deck.deck for label_deck in decks]


def _label(step: Step, setting: Setting) -> Label:
    turn = step.turn
    return Label(
        instruction=turn.instruction,
        prelude=step.prelude,
        calls=";\n".join(call.text for call in turn.calls),
        relations=turn.relations,
        base=read_deck(step.base),
        gold=read_deck(step.label),
        setting=setting.name,
    )


def _judge(check: LabelCheck, labels: list[Label], original_decks: list[bytes]) -> None:
    turn, nothing, original, *session_rows = check.rows
    conducts = [Conduct(asked_for_help=label.seeks) for label in labels]
    original_labels = [
        replace(label, gold=gold) for label, gold in zip(labels, original_decks, strict=True)
    ]
    for label, original_label, conduct in zip(labels, original_labels, conducts, strict=True):
        turn.add(judge_turn(label.gold, label, conduct))
        nothing.add(judge_turn(label.base, label))
        original.add(judge_turn(label.gold, original_label, conduct), published_only=True)
    last = labels[-1].gold
    turn, nothing, original = session_rows
    turn.add(judge_session(last, labels, conducts))
    nothing.add(judge_session(labels[0].base, labels))
    original.add(judge_session(last, original_labels, conducts), published_only=True)
