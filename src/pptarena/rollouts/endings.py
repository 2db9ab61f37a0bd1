"""How episodes ended, and by which rule: failure analysis without a model.

The rules examine the stored actions, screens and decks. The first matching ending counts:

============== =====================================================================================
solved         the score is 1
unscored       there is no score
crash          the agent raised an error, or it broke the application
no result      an imported task has no result
gave up        the agent declared a feasible task infeasible, or damaged an infeasible task's deck
not declared   the agent did not declare an infeasible task infeasible
done too early the agent reported that it is done
loop           the step budget ended, and the last actions repeat with the same screens
budget         the step budget ended
============== =====================================================================================

The cause of a failure compares the changes of the deck with those that the target deck needs:

============== =====================================================================================
target missed  the deck was changed, but not where the task requires it; or it was not changed, and
               half of the actions had no effect or were refused
plan wrong     the deck was changed where the task requires it, but the score is 0
unfinished     the rubric is satisfied in part
no change      the deck was not changed, although actions had effects, or there were none
============== =====================================================================================
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.table import Table

from pptarena.decks import read_deck
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_decks
from pptarena.errors import PPTArenaError, StoreError
from pptarena.files import Folder
from pptarena.rollouts.episode import EpisodeMeta, StepRecord, StoredEpisode
from pptarena.rollouts.episode_files import FINAL_PICTURE, FINAL_TREE, read_deck_bytes, read_json
from pptarena.rollouts.store import read_steps
from pptarena.rollouts.summary import SUCCESS_SCORE
from pptarena.tasks import Task, find_task
from pptarena.tasks.targets import target_files

__all__ = [
    "CAUSES",
    "ENDINGS",
    "TERMS",
    "Ending",
    "EndingRow",
    "Term",
    "ending_of",
    "ending_rows",
    "endings_table",
]

ENDINGS: Final = (
    "solved",
    "done too early",
    "gave up",
    "not declared",
    "budget",
    "loop",
    "crash",
    "no result",
    "unscored",
)
"""How an episode can end."""

CAUSES: Final = ("target missed", "plan wrong", "unfinished", "no change")
"""Causes of failures of episodes that were played to their end."""


class Term(NamedTuple):
    """A column of the tables of endings.

    Attributes:
        label: Heading for readers.
        meaning: What the column counts.
    """

    label: str
    meaning: str


TERMS: Final[Mapping[str, Term]] = {
    "solved": Term("solved", "The score is 1."),
    "done too early": Term(
        "done too early", "The agent reported that it is done, and the score is below 1."
    ),
    "gave up": Term(
        "wrongly infeasible",
        "The agent declared a feasible task infeasible, or damaged the deck of an infeasible task.",
    ),
    "not declared": Term(
        "not declared infeasible",
        "The task is infeasible, and the agent did not declare it infeasible.",
    ),
    "budget": Term("out of steps", "The step limit ended the episode."),
    "loop": Term(
        "out of steps in a loop",
        "The step limit ended the episode, and its last actions repeated on the same screens.",
    ),
    "crash": Term(
        "crash", "The agent raised an error or broke the application, or a deck cannot be opened."
    ),
    "no result": Term("no result", "The imported results have no deck for the task."),
    "unscored": Term("unscored", "The final deck could not be scored."),
    "target missed": Term(
        "target missed",
        "Cause of a failure: the wrong parts of the deck were changed, or none, because half of "
        "the actions were refused or had no effect.",
    ),
    "plan wrong": Term(
        "plan wrong", "Cause of a failure: the right part was changed, but the score is 0."
    ),
    "unfinished": Term("unfinished", "Cause of a failure: part of the task is done."),
    "no change": Term("no change", "Cause of a failure: the deck is unchanged."),
    "repeats": Term(
        "repeated actions", "Actions that repeat the previous action, which had no effect."
    ),
    "without_effect": Term(
        "actions without effect", "Executed actions, other than waits, after which nothing changed."
    ),
    "refused": Term("refused actions", "Actions that the environment did not execute."),
}
"""The endings, causes and sums of an `EndingRow`, as tables show them."""

_MAX_BYTES = 64 * 2**20
_MAX_PERIOD = 4  # actions
_MIN_LOOP = 6  # actions at the end of an episode
# Actions that do not necessarily change the screen.
_IDLE = frozenset(("wait", "done", "fail", "ask", "move", "copy_text", "copy_image"))

_State = bytes | None
_Location = tuple[int | None, int | None]
"""Slide and shape of the original deck; None for the slide itself, or for the deck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How one episode ended.

    Attributes:
        ending: One of `ENDINGS`.
        cause: One of `CAUSES`; empty for an episode that is solved, crashed or without a score.
        repeats: Number of actions that repeat the previous one, which had no effect.
        without_effect: Number of executed actions, other than waits, after which nothing changed.
        refused: Number of refused actions.
        reason: The reason for the score, or the error.
    """

    ending: str
    cause: str
    repeats: int
    without_effect: int
    refused: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingRow:
    """How the episodes of one agent ended.

    Attributes:
        agent: Name of the agent.
        episodes: Number of episodes, without those that the infrastructure failed.
        endings: Number of episodes by ending, in the order of `ENDINGS`.
        causes: Number of failed episodes by cause, in the order of `CAUSES`.
        repeats, without_effect, refused: Sums over the episodes.
        steps: Number of actions of all episodes.
    """

    agent: str
    episodes: int
    endings: dict[str, int]
    causes: dict[str, int]
    repeats: int
    without_effect: int
    refused: int
    steps: int

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return asdict(self)


def ending_of(
    episode: StoredEpisode, find: Callable[[str, str], Task] = find_task
) -> Ending | None:
    """Return how an episode ended; None if the infrastructure failed.

    Actions, screens and decks that cannot be read count as missing.

    Args:
        episode: The episode.
        find: Returns a task by its id and its path in the record. Without the task, an episode
            that changed the deck and scores 0 has the cause "plan wrong".
    """
    folder, meta = episode.folder, episode.meta
    if meta.infra_error is not None:
        return None
    try:
        steps = read_steps(folder)
    except StoreError:
        steps = ()
    keys = [_action_key(step) for step in steps]
    states = _states(folder, steps)
    is_unchanged = [before is not None and before == after for before, after in pairwise(states)]
    repeats = sum(
        is_unchanged[index - 1] and keys[index] == keys[index - 1] and not _is_idle(steps[index])
        for index in range(1, len(steps))
    )
    active = [index for index, step in enumerate(steps) if not _is_idle(step)]
    refused = [index for index in active if steps[index].action_error is not None]
    without_effect = sum(
        is_unchanged[index] for index in active if steps[index].action_error is None
    )
    ending = _ending(meta, _is_loop([*zip(keys, states, strict=False)]))
    cause = ""
    if ending not in ("solved", "unscored", "crash", "no result"):
        futile = 2 * (len(refused) + without_effect) >= len(active) > 0
        cause = _cause(folder, meta, find, futile=futile)
    return Ending(
        ending=ending,
        cause=cause,
        repeats=repeats,
        without_effect=without_effect,
        refused=meta.refused,
        reason=meta.agent_error or meta.overload or _reason(folder),
    )


def ending_rows(endings: Iterable[tuple[str, int, Ending]]) -> tuple[EndingRow, ...]:
    """Return one row per agent.

    Args:
        endings: For each episode the name of the agent, the number of actions and the ending.
    """
    by_agent: dict[str, list[tuple[int, Ending]]] = {}
    for agent, steps, ending in endings:
        by_agent.setdefault(agent, []).append((steps, ending))
    return tuple(
        EndingRow(
            agent=agent,
            episodes=len(agent_endings),
            endings={
                name: sum(each.ending == name for _, each in agent_endings) for name in ENDINGS
            },
            causes={name: sum(each.cause == name for _, each in agent_endings) for name in CAUSES},
            repeats=sum(each.repeats for _, each in agent_endings),
            without_effect=sum(each.without_effect for _, each in agent_endings),
            refused=sum(each.refused for _, each in agent_endings),
            steps=sum(steps for steps, _ in agent_endings),
        )
        for agent, agent_endings in by_agent.items()
    )


def endings_table(rows: Sequence[EndingRow]) -> Table:
    """Return the rows as a printable table; endings and causes without episodes are omitted."""
    table = Table(title="How episodes ended", title_justify="left")
    table.add_column("agent", overflow="fold")
    table.add_column("episodes", justify="right")
    endings = [name for name in ENDINGS if any(row.endings[name] for row in rows)]
    causes = [name for name in CAUSES if any(row.causes[name] for row in rows)]
    sums = [
        name
        for name in ("repeats", "without_effect", "refused")
        if any(getattr(row, name) for row in rows)
    ]
    for name in (*endings, *causes, *sums):
        table.add_column(TERMS[name].label, justify="right")
    for row in rows:
        table.add_row(
            row.agent,
            str(row.episodes),
            *(str(row.endings[name]) for name in endings),
            *(str(row.causes[name]) for name in causes),
            *(str(getattr(row, name)) for name in sums),
        )
    return table


def _ending(meta: EpisodeMeta, is_loop: bool) -> str:
    if meta.score is None:
        return "unscored"
    if meta.score >= SUCCESS_SCORE:
        return "solved"
    if meta.agent_error is not None or meta.overload is not None:
        return "crash"
    if meta.end == "missing":
        return "no result"
    if meta.end == "fail":
        return "gave up"
    if meta.end == "done":
        return "done too early" if meta.feasible else "not declared"
    return "loop" if is_loop else "budget"


def _action_key(step: StepRecord) -> Any:
    """Return a value that is equal for equal actions."""
    if step.call is not None:
        return step.call.get("tool"), repr(step.call.get("arguments")), step.call.get("refused")
    action = step.action
    points = (step.aim.point, step.aim.end) if step.aim.point else (action.xy, action.end_xy)
    return action.kind, action.element, points, action.keys, action.text, action.amount


def _is_idle(step: StepRecord) -> bool:
    return step.action.kind in _IDLE and (step.call is None or step.action.kind != "wait")


def _states(folder: Path, steps: Sequence[StepRecord]) -> list[_State]:
    """Return the state before each action and after the last one; None if unknown.

    On a screen, the state consists of the accessibility tree and the size of the compressed
    screenshot. On a document, it consists of the previous call, its result and the score.
    """
    if any(step.call is not None for step in steps):
        return [
            None,
            *(_digest(repr((step.call, step.score)).encode("utf-8", "replace")) for step in steps),
        ]
    names = [(step.screenshot_file, step.a11y_file) for step in steps]
    return [_state(folder, *pair) for pair in (*names, (FINAL_PICTURE, FINAL_TREE))]


def _state(folder: Path, screenshot: str, tree: str) -> _State:
    try:
        with Folder(folder) as files:
            size = len(files.read(screenshot, _MAX_BYTES))
            return _digest(b"%d " % size + files.read(tree, _MAX_BYTES))
    except OSError:
        return None


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _is_loop(pairs: Sequence[tuple[Any, _State]]) -> bool:
    """Return whether the last actions repeat with a short period, each on the same screen."""
    for period in range(1, _MAX_PERIOD + 1):
        length = max(_MIN_LOOP, 3 * period)
        last = pairs[-length:]
        if len(last) == length and all(
            last[index] == last[index - period] and last[index][1] is not None
            for index in range(period, length)
        ):
            return True
    return False


def _cause(
    folder: Path, meta: EpisodeMeta, find: Callable[[str, str], Task], *, futile: bool
) -> str:
    if meta.score:
        return "unfinished"
    try:
        original, final = (
            read_deck(read_deck_bytes(folder, f"{name}.pptx")) for name in ("original", "final")
        )
        changes = diff_decks(original, final)
        if not changes:
            return "target missed" if futile else "no change"
        targets = (
            _target_locations(find(meta.task, meta.task_place)) if meta.feasible else frozenset()
        )
    except PPTArenaError:
        return "plan wrong"
    return "plan wrong" if not targets or targets & _locations(changes) else "target missed"


class _TaskKey:
    """A task as the key of a cache: tasks have no hash."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._name = task.id, task.place

    def __hash__(self) -> int:
        return hash(self._name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TaskKey) and self._name == other._name


def _target_locations(task: Task) -> frozenset[_Location]:
    return _cached_targets(_TaskKey(task))


@lru_cache(maxsize=512)
def _cached_targets(key: _TaskKey) -> frozenset[_Location]:
    """Return the locations that the targets of all turns change."""
    task, locations = key.task, frozenset[_Location]()
    for turn in range(1, len(task.turns) + 2):
        original = read_deck(task.deck_bytes())
        for file in target_files(task.at(turn)):
            locations |= _locations(diff_decks(original, read_deck(file)))
    return locations


def _locations(changes: Sequence[Change]) -> frozenset[_Location]:
    # A new shape is not part of the original deck, so its slide is the location.
    return frozenset((each.slide, each.shape_index) for each in changes)


def _reason(folder: Path) -> str:
    try:
        rubric = read_json(folder, "rubric.json")
    except PPTArenaError:
        return ""
    reason = rubric.get("reason") if isinstance(rubric, dict) else None
    return reason if isinstance(reason, str) else ""
