"""Import sessions of PPTC as task files with their decks."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pptarena.benchmarks.pptc.copy import Step, build_steps, worded_sessions
from pptarena.benchmarks.pptc.session import Session
from pptarena.benchmarks.pptc.settings import Setting, get_setting
from pptarena.benchmarks.pptc.translated_labels import fits_labels, with_labels
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
_EXTRA_STEPS = 10
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
class _Request:
    """One request of a task: a turn and the preceding turns that change nothing.

    Attributes:
        steps: The turns.
        feasible: Whether the label changes anything; otherwise it only asks for help.
    """

    steps: tuple[Step, ...]
    feasible: bool

    @property
    def instruction(self) -> str:
        return "\n".join(step.turn.instruction for step in self.steps)

    @property
    def calls(self) -> str:
        return ";\n".join(call.text for step in self.steps for call in step.turn.calls)

    @property
    def count(self) -> int:
        return sum(len(step.turn.calls) for step in self.steps)

    def to_json(self) -> dict[str, Any]:
        turns = [step.turn for step in self.steps]
        return {
            "turns": [turn.index for turn in turns],
            "instruction": self.instruction,
            "prelude": self.steps[0].prelude,
            "calls": self.calls,
            "relations": [
                [relation.slide, relation.subject, relation.other, relation.relation]
                for turn in turns
                for relation in turn.relations
            ],
        }


@dataclass(frozen=True, slots=True)
class _Options:
    """Type of the imported tasks.

    Attributes:
        form: One of `FORMS`.
        setting: The setting, which determines the available APIs.
        wording: Name of the rewording of the instructions; empty for the original ones.
    """

    form: str
    setting: Setting
    wording: str

    def task_prefix(self, session: Session) -> str:
        """Return the prefix of the ids of a session's tasks."""
        parts = ("pptc", self.setting.name, self.wording, _dataset_name(session.dataset))
        return "-".join((*filter(None, parts), str(session.number)))


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
        path: See `find_sessions`.
        out: Output folder; created if it does not exist.
        form: One of `FORMS`.
        setting: ``lack``, ``update``, or empty for the default APIs.
        instructions: Reworded instructions: a file, see `Wordings.read`, or a name in the copy, see
            `pptarena.benchmarks.pptc.text_sessions`; empty for the original ones.
        labels: Their labels, also a file or a name; empty for the labels in the language of the
            instructions, see `find_labels`, or else the original ones.

    Raises:
        TaskError: If there are no sessions, or a session or the rewordings are malformed.
    """
    if form not in FORMS:
        raise TaskError(f"form: expected one of {', '.join(FORMS)}, got {form!r}")
    options = _Options(form, get_setting(setting), _wording(instructions))
    for root, session, wordings in worded_sessions(path, instructions, labels):
        name = options.task_prefix(session)
        try:
            reworded = session
            if wordings is not None:
                reworded = wordings[0].reword(session)
                reworded = reworded if wordings[1] is None else with_labels(reworded, wordings[1])
            imported = _import(reworded, root, name, out, options)
            yield replace(imported, foreign=bool(instructions) and not fits_labels(reworded))
        except (DeckError, TaskError) as error:
            yield Imported(name, turns=len(session.turns), problem=str(error))


def _import(session: Session, root: Path, name: str, out: Path, options: _Options) -> Imported:
    steps = build_steps(session, root, options.setting)
    requests, trailing = _group_requests(steps)
    if not requests:
        raise TaskError(f"{name}: no label of its turns changes anything")
    folder = out / DECKS / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "start.pptx").write_bytes(requests[0].steps[0].base)
    for number, request in enumerate(requests, start=1):
        (folder / f"label-{number}.pptx").write_bytes(request.steps[-1].label)
    record = {
        "dataset": session.dataset,
        "session": session.number,
        "setting": options.setting.name,
        "wording": options.wording,
    }
    _write(folder / LABELS, {**record, "asked": [request.to_json() for request in requests]})
    source = f"{_SOURCE}: {session.dataset}/session_{session.number}.json"
    source += f"; setting {options.setting.name}" if options.setting.name else ""
    source += f"; instructions {options.wording}" if options.wording else ""
    is_session = options.form == "session"
    tasks = [_session_task(name, requests)] if is_session else _turn_tasks(name, requests)
    for task in tasks:
        _write(out / f"{task['id']}.json", {"version": 2, **task, "source": source})
    return Imported(
        name=name,
        tasks=len(tasks),
        turns=len(steps),
        joined=sum(len(request.steps) - 1 for request in requests),
        left_out=trailing,
        seeks=sum(step.seeks for step in steps),
        impossible=sum(not request.feasible for request in requests),
        made=sum(step.is_built for step in steps),
        failed=tuple(call for step in steps for call in step.failed),
    )


def _group_requests(steps: Sequence[Step]) -> tuple[list[_Request], int]:
    """Return the requests of a session, and the number of trailing turns that change nothing."""
    requests: list[_Request] = []
    pending: list[Step] = []
    for step in steps:
        pending.append(step)
        feasible = bool(plan_of(read_deck(step.base), read_deck(step.label)).groups)
        if feasible or step.seeks:
            requests.append(_Request(tuple(pending), feasible))
            pending = []
    return requests, len(pending)


def _session_task(name: str, requests: Sequence[_Request]) -> dict[str, Any]:
    first, *later = (
        _turn_fields(name, number, request) for number, request in enumerate(requests, start=1)
    )
    return {
        "id": name,
        **_task_fields(requests),
        "deck": f"{DECKS}/{name}/start.pptx",
        **first,
        "turns": later,
    }


def _turn_tasks(name: str, requests: Sequence[_Request]) -> list[dict[str, Any]]:
    tasks = []
    dialogue: list[dict[str, str]] = []
    for number, request in enumerate(requests, start=1):
        before = "start" if number == 1 else f"label-{number - 1}"
        tasks.append(
            {
                "id": f"{name}-turn-{number}",
                **_task_fields([request]),
                "deck": f"{DECKS}/{name}/{before}.pptx",
                **_turn_fields(name, number, request),
                "dialogue": list(dialogue),
            }
        )
        dialogue.append({"user": request.instruction, "assistant": request.calls})
    return tasks


def _turn_fields(name: str, number: int, request: _Request) -> dict[str, Any]:
    if not request.feasible:
        return {"instruction": request.instruction, "feasible": False}
    return {"instruction": request.instruction, "gold": f"{DECKS}/{name}/label-{number}.pptx"}


def _task_fields(requests: Sequence[_Request]) -> dict[str, Any]:
    count = sum(request.count for request in requests)
    calls = "\n".join(request.calls for request in requests)
    return {
        "difficulty": "easy" if count <= _EASY else "medium" if count <= _MEDIUM else "hard",
        "level": "L2" if count > 1 else "L1",
        "edit_types": [
            edit_type for edit_type, names in _TYPES.items() if any(name in calls for name in names)
        ],
        "max_steps": 2 * count + _EXTRA_STEPS * len(requests),
    }


def _dataset_name(dataset: str) -> str:
    """Return the part of an id for a folder of sessions: ``create`` or ``edit``."""
    name = _id_part(dataset.split("_")[0])
    return name if name[:1].isalpha() else f"set{name}"


def _wording(instructions: str) -> str:
    return (_id_part(Path(instructions).stem) or "other") if instructions else ""


def _id_part(text: str) -> str:
    """Return the ASCII letters and digits of a text, in lower case, for use in an id."""
    return "".join(
        character for character in text.lower() if character.isascii() and character.isalnum()
    )


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
