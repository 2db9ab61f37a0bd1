"""What scoring asks of judges, makers of pictures and runners of Python leaves."""

from dataclasses import dataclass
from typing import Protocol

from pptarena.decks import Slide
from pptarena.decks.diff.change import Change
from pptarena.rewards.judges.prompt import Prompt

__all__ = [
    "EditJudge",
    "EditQuestion",
    "EditVerdict",
    "Judge",
    "LeafRunner",
    "PythonLeaf",
    "SlidePair",
    "SlideQuestion",
    "SlideRenderer",
    "TextModel",
    "TextQuestion",
    "Verdict",
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge or a Python leaf found.

    Attributes:
        score: In [0, 1].
        reason: Why, on one line.
    """

    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """A question about the facts of two decks.

    Attributes:
        question: What is asked, by the author of the rubric.
        changes: Everything that changed on the slides it is about; not empty.
        original: Those slides before.
        current: Those slides now.
    """

    question: str
    changes: tuple[Change, ...]
    original: tuple[Slide, ...]
    current: tuple[Slide, ...]


@dataclass(frozen=True, slots=True)
class SlidePair:
    """One slide before and after.

    Attributes:
        label: How it is called.
        before: Its index in the deck before, from 0; None if it was not there.
        after: Its index in the deck after, from 0; None if it is gone.
    """

    label: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class SlideQuestion:
    """A question about how slides look.

    Attributes:
        question: What is asked, by the author of the rubric.
        slides: The slides it is about; not empty.
        if_unchanged: Score of a slide that looks as before: 0 for a goal, 1 for what should stay.
        skip_unchanged: Whether slides that look as before are left out instead.
    """

    question: str
    slides: tuple[SlidePair, ...]
    if_unchanged: float = 0.0
    skip_unchanged: bool = False


@dataclass(frozen=True, slots=True)
class EditQuestion:
    """A question about a whole edit: was it what was asked for, and how does it look.

    Attributes:
        instruction: What was asked for.
        style: What a right result is like, in words; may be empty.
    """

    instruction: str
    style: str = ""


class EditVerdict(Protocol):
    """What a judge of whole edits found."""

    @property
    def score(self) -> float:
        """In [0, 1]."""
        ...

    @property
    def reason(self) -> str:
        """Why, on one line."""
        ...


class EditJudge(Protocol):
    """Judges whole edits, such as the dual judge."""

    def judge(
        self, instruction: str, original: bytes, current: bytes, *, style_target: str = ""
    ) -> EditVerdict:
        """Judge an edit between two .pptx files.

        Raises:
            JudgeError: If there is no valid answer.
        """
        ...


class Judge(Protocol):
    """Answers the questions of a rubric about one pair of decks."""

    def judge_text(self, question: TextQuestion) -> Verdict:
        """Answer a question about facts.

        Raises:
            UnscoredError: If there is no answer; that is never a score.
        """
        ...

    def judge_slides(self, question: SlideQuestion) -> Verdict:
        """Answer a question about looks.

        Raises:
            UnscoredError: If there is no answer; that is never a score.
        """
        ...

    def judge_edit(self, question: EditQuestion) -> Verdict:
        """Answer a question about the whole edit.

        Raises:
            UnscoredError: If there is no answer; that is never a score.
        """
        ...


class SlideRenderer(Protocol):
    """Turns decks into pictures."""

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        """Return a PNG file of every slide, hidden ones included, in the order of the show.

        Raises:
            PPTArenaError: If it cannot be done.
        """
        ...


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

    def run_leaf(self, leaf: PythonLeaf) -> Verdict:
        """Return what a leaf says.

        Raises:
            LeafError: If it raised, broke a limit, or could not be run.
            UnscoredError: If it lacks something else that it needs, such as a model.
        """
        ...
