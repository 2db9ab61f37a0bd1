"""What rubrics and runners of Python leaves say to each other."""

from dataclasses import dataclass
from typing import Protocol

from pptarena.rewards.judges.prompt import Prompt

__all__ = ["LeafRunner", "LeafVerdict", "PythonLeaf", "TextModel"]


@dataclass(frozen=True, slots=True)
class PythonLeaf:
    """A leaf of an imported rubric that is a program.

    Attributes:
        code: Python source that defines ``compute_score() -> (reason, score)``.
        pictures: Whether it is given pictures of the slides. PPT-Eval makes them for all leaves
            of a rubric as soon as one of them mentions ``vlm_call``.
    """

    code: str
    pictures: bool = False


@dataclass(frozen=True, slots=True)
class LeafVerdict:
    """What a leaf returned.

    Attributes:
        score: In [0, 1].
        reason: Why, as the leaf says.
    """

    score: float
    reason: str


class TextModel(Protocol):
    """Answers questions of Python leaves in free text; a `JudgeClient` does."""

    def ask_text(self, prompt: Prompt) -> str:
        """Return the answer.

        Raises:
            JudgeError: If there is none.
        """
        ...


class LeafRunner(Protocol):
    """Runs the Python leaves of a rubric on one pair of decks."""

    def run_leaf(self, leaf: PythonLeaf) -> LeafVerdict:
        """Return what a leaf says.

        Raises:
            LeafError: If it raised, broke a limit, or could not be run.
            UnscoredError: If it lacks something else that it needs, such as a model.
        """
        ...
