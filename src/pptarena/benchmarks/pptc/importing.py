"""Import sessions of PPTC as task files with their decks."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pptarena.benchmarks.pptc.copy import Step, steps_of, worded_sessions
from pptarena.benchmarks.pptc.session import Session
from pptarena.benchmarks.pptc.settings import Setting, setting_of
from pptarena.benchmarks.pptc.translated import fits_labels, with_labels
from pptarena.decks import read_deck
from pptarena.errors import DeckError, TaskError
from pptarena.rewards.gold.plan import plan_of

__all__ = ["DECKS", "FORMS", "LABELS", "Imported", "import_sessions"]

FORMS: Final = ("session", "turn")
"""One task per session with all its turns, or one task per turn, starting from the label before."""

LABELS: Final = "labels.json"
"""File next to a session's decks that stores its labels."""

DECKS: Final = "decks"
"""The folder of decks next to the tasks."""

_SOURCE = "PPTC, github.com/gydpku/PPTC, MIT"
_EASY, _MEDIUM = 5, 10
_STEPS_MORE = 10
_TYPES = {
    "text": ("insert_text", "insert_bullet", "delete_text", "set_font", "text_align", "set_line"),
    "shapes": ("insert_textbox", "choose_shape", "set_fill", "set_background"),
    "images": ("insert_picture", "choose_picture"),
    "tables": ("insert_table", "choose_table"),
    "charts": ("insert_line_chart", "insert_bar_chart", "insert_pie_chart", "set_chart"),
    "arrangement": ("align_", "set_left", "set_top", "set_right", "set_bottom", "rotate", "set_w"),
    "slides": ("create_slide", "insert_note"),
}


@dataclass(frozen=True, slots=True)
class Imported:
    """Outcome of importing a session.

    Attributes:
        name: Name of the session and prefix of its task ids.
        tasks: Number of tasks written.
        turns: Number of turns in the session's file.
        joined: Number of turns whose label changes nothing, merged into the next turn.
        left_out: Number of such turns without a next turn.
        seeks: Number of turns whose label asks for help.
        impossible: Number of those turns that are infeasible; the correct result is ``fail``.
        made: Number of label decks built by executing their calls.
        failed: Calls of labels that could not be executed.
        problem: Why the session could not be imported; empty if it was.
        foreign: Whether its labels seem to be in another language than its instructions.
    """

    name: str
    tasks: int = 0
    turns: int = 0
    joined: int = 0
    left_out: int = 0
    seeks: int = 0
    impossible: int = 0
    made: int = 0
    failed: tuple[str, ...] = ()
    problem: str = ""
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """One request of a task: a turn and the preceding turns that change nothing.

    Attributes:
        steps: The turns.
        feasible: Whether the label changes anything; otherwise it only asks for help.
    """

    steps: tuple[Step, ...]
    feasible: bool

    @property
    def instruction(self) -> str:
        return "\n".join(each.turn.instruction for each in self.steps)

    @property
    def calls(self) -> str:
        return ";\n".join(call.text for each in self.steps for call in each.turn.calls)

    @property
    def count(self) -> int:
        return sum(len(each.turn.calls) for each in self.steps)

    def to_json(self) -> dict[str, Any]:
        turns = [each.turn for each in self.steps]
        return {
            "turns": [turn.index for turn in turns],
            "instruction": self.instruction,
            "prelude": self.steps[0].prelude,
            "calls": self.calls,
            "relations": [
                [each.slide, each.subject, each.other, each.relation]
                for turn in turns
                for each in turn.relations
            ],
        }


@dataclass(frozen=True, slots=True)
class _Kind:
    """Type of the imported tasks.

    Attributes:
        form: One of `FORMS`.
        setting: The setting, which determines the available APIs.
        wording: Name of the rewording of the instructions; empty for the original ones.
    """

    form: str
    setting: Setting
    wording: str

    def name_of(self, session: Session) -> str:
        """Return the prefix of the ids of a session's tasks."""
        words = ("pptc", self.setting.name, self.wording, _short(session.dataset))
        return "-".join((*filter(None, words), str(session.number)))


def import_sessions(
    path: Path,
    out: Path,
    form: str = "session",
    setting: str = "",
    instructions: str = "",
    labels: str = "",
) -> Iterator[Imported]:
    """Write the sessions of a user's copy as a task folder; yield the outcome of each.

    Args:
        path: See `sessions_of`.
        out: Output folder; created if it does not exist.
        form: One of `FORMS`.
        setting: ``lack``, ``update``, or empty for the default APIs.
        instructions: Reworded instructions: a file, see `Wordings.of`, or a name in the copy, see
            `pptarena.benchmarks.pptc.text_form`; empty for the original ones.
        labels: Their labels, also a file or a name; empty for the labels in the language of the
            instructions, see `find_labels`, or else the original ones.

    Raises:
        TaskError: If there are no sessions, or a session or the rewordings are malformed.
    """
    if form not in FORMS:
        raise TaskError(f"form: expected one of {', '.join(FORMS)}, got {form!r}")
    kind = _Kind(form, setting_of(setting), _wording(instructions))
    for root, session, words in worded_sessions(path, instructions, labels):
        name = kind.name_of(session)
        try:
            asked = session
            if words is not None:
                asked = words[0].worded(session)
                asked = asked if words[1] is None else with_labels(asked, words[1])
            found = _import(asked, root, name, out, kind)
            yield replace(found, foreign=bool(instructions) and not fits_labels(asked))
        except (DeckError, TaskError) as error:
            yield Imported(name, turns=len(session.turns), problem=str(error))


def _import(session: Session, root: Path, name: str, out: Path, kind: _Kind) -> Imported:
    steps = steps_of(session, root, kind.setting)
    asked, left = _asked(steps)
    if not asked:
        raise TaskError(f"{name}: no label of its turns changes anything")
    place = out / DECKS / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "start.pptx").write_bytes(asked[0].steps[0].base)
    for number, each in enumerate(asked, start=1):
        (place / f"label-{number}.pptx").write_bytes(each.steps[-1].label)
    facts = {
        "dataset": session.dataset,
        "session": session.number,
        "setting": kind.setting.name,
        "wording": kind.wording,
    }
    _write(place / LABELS, {**facts, "asked": [each.to_json() for each in asked]})
    source = f"{_SOURCE}: {session.dataset}/session_{session.number}.json"
    source += f"; setting {kind.setting.name}" if kind.setting.name else ""
    source += f"; instructions {kind.wording}" if kind.wording else ""
    tasks = [_whole(name, asked)] if kind.form == "session" else _single(name, asked)
    for task in tasks:
        _write(out / f"{task['id']}.json", {"version": 2, **task, "source": source})
    return Imported(
        name=name,
        tasks=len(tasks),
        turns=len(steps),
        joined=sum(len(each.steps) - 1 for each in asked),
        left_out=left,
        seeks=sum(step.seeks for step in steps),
        impossible=sum(not each.feasible for each in asked),
        made=sum(step.made for step in steps),
        failed=tuple(said for step in steps for said in step.failed),
    )


def _asked(steps: Sequence[Step]) -> tuple[list[_Asked], int]:
    """Return the requests of a session, and the number of trailing turns that change nothing."""
    asked: list[_Asked] = []
    waiting: list[Step] = []
    for step in steps:
        waiting.append(step)
        feasible = bool(plan_of(read_deck(step.base), read_deck(step.label)).groups)
        if feasible or step.seeks:
            asked.append(_Asked(tuple(waiting), feasible))
            waiting = []
    return asked, len(waiting)


def _whole(name: str, asked: Sequence[_Asked]) -> dict[str, Any]:
    first, *later = (_turn(name, number, each) for number, each in enumerate(asked, start=1))
    return {
        "id": name,
        **_facts(asked),
        "deck": f"{DECKS}/{name}/start.pptx",
        **first,
        "turns": later,
    }


def _single(name: str, asked: Sequence[_Asked]) -> list[dict[str, Any]]:
    tasks = []
    dialogue: list[dict[str, str]] = []
    for number, each in enumerate(asked, start=1):
        before = "start" if number == 1 else f"label-{number - 1}"
        tasks.append(
            {
                "id": f"{name}-turn-{number}",
                **_facts([each]),
                "deck": f"{DECKS}/{name}/{before}.pptx",
                **_turn(name, number, each),
                "dialogue": list(dialogue),
            }
        )
        dialogue.append({"user": each.instruction, "assistant": each.calls})
    return tasks


def _turn(name: str, number: int, asked: _Asked) -> dict[str, Any]:
    if not asked.feasible:
        return {"instruction": asked.instruction, "feasible": False}
    return {"instruction": asked.instruction, "gold": f"{DECKS}/{name}/label-{number}.pptx"}


def _facts(asked: Sequence[_Asked]) -> dict[str, Any]:
    count = sum(each.count for each in asked)
    calls = "\n".join(each.calls for each in asked)
    return {
        "difficulty": "easy" if count <= _EASY else "medium" if count <= _MEDIUM else "hard",
        "level": "L2" if count > 1 else "L1",
        "edit_types": [kind for kind, names in _TYPES.items() if any(n in calls for n in names)],
        "max_steps": 2 * count + _STEPS_MORE * len(asked),
    }


def _short(dataset: str) -> str:
    """Return the part of an id for a folder of sessions: ``create`` or ``edit``."""
    word = _word(dataset.split("_")[0])
    return word if word[:1].isalpha() else f"set{word}"


def _wording(instructions: str) -> str:
    return (_word(Path(instructions).stem) or "other") if instructions else ""


def _word(text: str) -> str:
    """Return the ASCII letters and digits of a text, in lower case, for use in an id."""
    return "".join(each for each in text.lower() if each.isascii() and each.isalnum())


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
