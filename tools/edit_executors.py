"""Carry out every edit by all three executors and compare the decks.

    python -m tools.edit_executors                          # everything
    python -m tools.edit_executors --application            # only inside the application
    python -m tools.edit_executors --macros set_text ...    # only some edits, by macros

The examples are those of ``tests/edits/cases.py``. By mouse and keyboard, an edit that a task of
``bench`` uses is made as in that task, after the edits before it. The reference is the file
executor's deck as the application saves it. The application executor edits the document over UNO;
the agent ``macro`` edits it in a sandbox by mouse and keyboard. The saved decks are compared with
the reference.

The results are written to ``tools/edit_executors.json``; ``tools/edits_reference.py`` shows them.
The file also lists, by hand, the reasons for expected differences.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from tests.edits.cases import CASES, FILES
from tests.envs.document.more_cases import deck_with_media

from pptarena.agents.macro_agent import MacroAgent
from pptarena.agents.macros import bind_macro
from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.edits import Solution, apply_solution
from pptarena.envs.application_edits import edit_in_application
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.errors import AgentError, DeckError, MachineError, MacroError, TaskError
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.solution_macros import EDIT_MACROS, has_macros, macros_of
from pptarena.tasks.task_files import TaskFile
from pptarena.vm_images.office import Office

__all__ = [
    "EXAMPLES",
    "RESULTS_FILE",
    "SAME",
    "Example",
    "by_application",
    "by_macros",
    "macro_examples",
    "main",
    "unexplained",
]

RESULTS_FILE = Path(__file__).with_suffix(".json")
SAME = "same"
_FLAGS = {"--application": "application", "--macros": "macros"}
_MAX_STEPS, _MAX_CHARACTERS = 300, 200
_TIMEOUT_SEC = 600.0  # changed masters take minutes on a busy computer


class Example(NamedTuple):
    """Edits of which the last one is compared.

    Attributes:
        deck: Name of a deck; unused with a task.
        solution: The edits.
        task: Id of the task whose deck and attachments are edited; empty for none.
    """

    deck: str
    solution: Solution
    task: str = ""

    @property
    def edit(self) -> str:
        """Name of the compared edit."""
        return str(self.solution[-1]["edit"])


EXAMPLES: tuple[Example, ...] = (
    *(Example(name, (edit,)) for name, edit, _, _ in CASES),
    Example(
        "everything",
        (
            {"edit": "set_layout", "slide": 2, "layout": "Title and Content"},
            {"edit": "add_placeholder", "slide": 2, "index": 1},
        ),
    ),
)


def by_application(
    office: Office, examples: Sequence[Example] = EXAMPLES
) -> Iterator[tuple[str, str]]:
    """Make edits inside the application; yield the edit and ``"same"``, or the difference."""
    for example in examples:
        task = _example_task(example)
        deck, target = task.deck_bytes(), _target_deck(task)
        result = _compare(office, target, partial(edit_in_application, office, deck, target))
        yield example.edit, result


def macro_examples() -> tuple[Example, ...]:
    """Return examples of the edits that have macros, one from a task of ``bench`` where possible.

    Of several tasks, the one with the fewest preceding edits is selected. Edits that no such task
    uses have the examples of `EXAMPLES`.
    """
    shortest: dict[str, Example] = {}
    for task in list_tasks("bench"):
        if task.macros is not None or not has_macros(task):
            continue
        for end in range(1, len(task.solution) + 1):
            example = Example("", tuple(task.solution[:end]), task.id)
            best = shortest.setdefault(example.edit, example)
            if len(example.solution) < len(best.solution):
                shortest[example.edit] = example
    others = [each for each in EXAMPLES if each.edit in EDIT_MACROS and each.edit not in shortest]
    return (*shortest.values(), *others)


def by_macros(
    env: PPTArenaEnv, office: Office, examples: Sequence[Example]
) -> Iterator[tuple[str, str]]:
    """Make the edits that have macros by mouse and keyboard; see `by_application`."""
    for example in examples:
        task = _example_task(example)
        if _has_macros(task):
            yield example.edit, _compare(office, _target_deck(task), partial(_play, env, task))


def _compare(office: Office, target: bytes, make: Callable[[], bytes]) -> str:
    try:
        changes = diff_decks(read_deck(office.save(target)), read_deck(make()))
    except (AgentError, DeckError, MachineError) as error:
        return f"failed: {error}"[:_MAX_CHARACTERS]
    return f"differs: {changes[0].text}"[:_MAX_CHARACTERS] if changes else SAME


@cache
def _deck(name: str) -> bytes:
    return deck_with_media() if name == "everything" else read_deck_file(name)


def _target_deck(task: Task) -> bytes:
    return apply_solution(task.deck_bytes(), task.solution, task.files_bytes())


def _example_task(example: Example) -> Task:
    if example.task:
        task = replace(get_task(example.task), turns=())
    else:
        files = tuple(TaskFile(each, content) for each, content in FILES.items())
        task = replace(get_task("meridian-hide-backup"), deck=_deck(example.deck), files=files)
    return replace(task, id="example", solution=tuple(example.solution), max_steps=_MAX_STEPS)


def _has_macros(task: Task) -> bool:
    try:
        return bool([bind_macro(call) for call in macros_of(task)])
    except (MacroError, TaskError):
        return False


def _play(env: PPTArenaEnv, task: Task) -> bytes:
    agent = MacroAgent(lambda _: task)
    obs, info = env.reset(seed=0, options={"task": task})
    agent.reset(info, 0)
    while (action := agent.act(obs, info)).kind != "done":
        obs, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            raise AgentError(f"the episode ended: {info['infra_error'] or 'too many steps'}")
    return env.machine.save(commit_edit=True)


def unexplained(executor: str, edit: str, result: str) -> str:
    """Return a message for a difference without a reason, else ``""``."""
    reasons = json.loads(RESULTS_FILE.read_text("utf-8"))["expected"].get(executor, {})
    return "" if result == SAME or edit in reasons else f"{edit} ({executor}): {result}"


def _run(executor: str, examples: Sequence[Example], office: Office) -> Iterator[tuple[str, str]]:
    if executor == "application":
        yield from by_application(office, examples)
        return
    with closing(PPTArenaEnv(machine="sandbox")) as env:
        yield from by_macros(env, office, examples)


def main() -> int:
    """Run the executors, write the results and return the exit code."""
    executors = [_FLAGS[each] for each in sys.argv[1:] if each in _FLAGS] or list(_FLAGS.values())
    names = [each for each in sys.argv[1:] if each not in _FLAGS]
    results = json.loads(RESULTS_FILE.read_text("utf-8"))
    problems = []
    with Office(timeout_sec=_TIMEOUT_SEC) as office:
        for executor in executors:
            new_results: dict[str, str] = {}
            examples = macro_examples() if executor == "macros" else EXAMPLES
            selected = [each for each in examples if not names or each.edit in names]
            for edit, result in _run(executor, selected, office):
                new_results[edit] = (
                    result if new_results.get(edit, SAME) == SAME else new_results[edit]
                )
                sys.stdout.write(f"{edit} ({executor}): {result}\n")
                sys.stdout.flush()
                results[executor] = dict(sorted((results.get(executor, {}) | new_results).items()))
                RESULTS_FILE.write_text(
                    json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8"
                )
            problems += [unexplained(executor, *each) for each in new_results.items()]
    lines = [each for each in problems if each]
    sys.stdout.write("".join(f"unexpected: {each}\n" for each in lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
