"""Prove tasks solvable by editing the deck inside the office application.

The office application of the machine image opens the deck, applies the differences from the target
deck over its own interface, and saves (`pptarena.envs.application_edits`). A score of 1 shows that
the application itself can reach and write the target, without python-pptx and without the mouse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.envs.application_edits import OfficeEditor, edit_in_application
from pptarena.envs.image_office import save_in_image
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.errors import DeckError, HostError, MachineError, TaskError
from pptarena.rewards import ScoredNode
from pptarena.tasks import Task
from pptarena.tasks.scorer import Scorer, Services
from pptarena.tasks.targets import target_files

__all__ = ["OracleProof", "prove_in_application"]

_TOLERANCE = 1e-6
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class OracleProof:
    """The result of solving one task inside the application.

    Attributes:
        task: Task id.
        score: Score of the saved deck; None if it was not scored.
        reason: Why the score is missing or below 1; empty otherwise.
    """

    task: str
    score: float | None
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether the target was reached."""
        return self.score is not None and self.score >= 1 - _TOLERANCE

    def to_json(self) -> dict[str, Any]:
        """Return the proof as a JSON object."""
        return {"task": self.task, "ok": self.ok, "score": self.score, "reason": self.reason}


def prove_in_application(office: OfficeEditor, tasks: Sequence[Task]) -> Iterator[OracleProof]:
    """Solve tasks inside the application and score the saved decks.

    The turns of a task are solved one after the other; its score is the lowest of them.

    Args:
        office: The application, such as `pptarena.vm_images.office.Office`.
        tasks: The tasks.

    Raises:
        HostError: If bubblewrap is missing or not allowed to create namespaces.
        ImageError: If no machine image is installed.
    """
    for task in tasks:
        turns = (task.at(number) for number in range(1, len(task.turns) + 2))
        proofs = [_prove(office, turn) for turn in turns if turn.feasible]
        failed = [proof for proof in proofs if not proof.ok]
        infeasible = OracleProof(task.id, None, "the task cannot be done")
        yield next(iter(failed or proofs), infeasible)


def _prove(office: OfficeEditor, task: Task) -> OracleProof:
    try:
        targets = target_files(task)
        if not targets:
            return OracleProof(task.id, None, "the task has no solution and no gold deck")
        previous = task.before
        while previous is not None and not previous.feasible:
            previous = previous.before
        deck = task.deck_bytes() if previous is None else target_files(previous)[0]
        original, edited = office.save(deck), _edit_with_retries(office, deck, targets[0])
        services = Services(save=save_in_image, programs=PythonLeaves)
        result = Scorer(task, services, original=original).score(edited)
    except HostError:
        raise
    except (DeckError, MachineError, TaskError) as error:
        return OracleProof(task.id, None, str(error))
    if result.score is None or result.score < 1 - _TOLERANCE:
        return OracleProof(task.id, result.score, _worst_leaf(result))
    return OracleProof(task.id, result.score)


def _edit_with_retries(office: OfficeEditor, deck: bytes, target: bytes) -> bytes:
    for _ in range(_ATTEMPTS - 1):  # LibreOffice 25.2 sometimes crashes when it saves a new table
        try:
            return edit_in_application(office, deck, target)
        except HostError:
            raise
        except MachineError:
            continue
    return edit_in_application(office, deck, target)


def _worst_leaf(node: ScoredNode) -> str:
    leaves = [each for _, each in node.walk() if not each.children]
    worst = min(leaves, key=lambda leaf: -1.0 if leaf.score is None else leaf.score)
    return f"{worst.name}: {worst.reason}"
