"""Prompts, and the interfaces of judges, slide renderers and runners of Python leaves."""

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol

from pptarena.decks import Slide
from pptarena.decks.diff.change import Change
from pptarena.untrusted import escape_invisible

__all__ = [
    "EditJudge",
    "EditQuestion",
    "EditVerdict",
    "Judge",
    "LeafRunner",
    "Prompt",
    "PythonLeaf",
    "SlidePair",
    "SlideQuestion",
    "SlideRenderer",
    "TextModel",
    "TextQuestion",
    "Verdict",
    "fence",
]


_TOKENS_PER_PICTURE = 1600
_BYTES_PER_TOKEN = 2  # of text; a deliberate underestimate


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt to a model.

    Attributes:
        system: System message: the role, the scale and the format of the reply.
        parts: Contents in order: text, or the bytes of a PNG file.
    """

    system: str
    parts: tuple[str | bytes, ...]

    def digest(self, **settings: object) -> str:
        """Return the SHA-256, in hex, of everything that the reply may depend on."""
        parts = [
            ["text", part] if isinstance(part, str) else ["png", hashlib.sha256(part).hexdigest()]
            for part in self.parts
        ]
        content = {"format": 1, "system": self.system, "parts": parts, "settings": settings}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def estimated_tokens(self) -> int:
        """Return an upper estimate of the number of tokens."""
        text = len(_utf8(self.system))
        text += sum(len(_utf8(part)) for part in self.parts if isinstance(part, str))
        pictures = sum(isinstance(part, bytes) for part in self.parts)
        return text // _BYTES_PER_TOKEN + pictures * _TOKENS_PER_PICTURE + 1


def fence(name: str, data: object) -> str:
    """Return data of a deck as JSON between two marks that the data cannot contain.

    The marks contain a hash of the data, so the author of a deck cannot include the closing mark.
    No text of a deck can start a line: JSON escapes line feeds, and `escape_invisible` escapes the
    other line separators, such as U+2028 and U+0085, and all invisible characters.

    Args:
        name: Description of the data, one word of the prompt.
        data: Any JSON-serializable value.
    """
    text = escape_invisible(json.dumps(data, ensure_ascii=False, indent=1))
    mark = f"{name} {hashlib.sha256(_utf8(text)).hexdigest()[:12]}"
    return f"<<<{mark}\n{text}\n{mark}>>>"


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a judge or a Python leaf.

    Attributes:
        score: In [0, 1].
        reason: Explanation on one line.
    """

    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """A question about the facts of two decks.

    Attributes:
        question: The question, by the author of the rubric.
        changes: All changes on the slides concerned; not empty.
        original: These slides in the original deck.
        current: These slides in the current deck.
    """

    question: str
    changes: tuple[Change, ...]
    original: tuple[Slide, ...]
    current: tuple[Slide, ...]


@dataclass(frozen=True, slots=True)
class SlidePair:
    """A slide before and after an edit.

    Attributes:
        label: Its name.
        before: 0-based index in the original deck; None if it is new.
        after: 0-based index in the current deck; None if it was removed.
    """

    label: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class SlideQuestion:
    """A question about the appearance of slides.

    Attributes:
        question: The question, by the author of the rubric.
        slides: The slides concerned; not empty.
        if_unchanged: Score of a slide that renders as before: 0 for a goal, 1 for a guard.
        skip_unchanged: Whether slides that render as before are skipped instead.
    """

    question: str
    slides: tuple[SlidePair, ...]
    if_unchanged: float = 0.0
    skip_unchanged: bool = False


@dataclass(frozen=True, slots=True)
class EditQuestion:
    """A question about an entire edit: whether it fulfills the request, and its appearance.

    Attributes:
        instruction: The request.
        style: Description of a correct result; may be empty.
    """

    instruction: str
    style: str = ""


class EditVerdict(Protocol):
    """The result of a judge of entire edits."""

    @property
    def score(self) -> float:
        """Score in [0, 1]."""
        ...

    @property
    def reason(self) -> str:
        """Explanation on one line."""
        ...


class EditJudge(Protocol):
    """Judges entire edits, such as the dual judge."""

    def judge(
        self, instruction: str, original: bytes, current: bytes, *, style_target: str = ""
    ) -> EditVerdict:
        """Judge an edit between two .pptx files.

        Raises:
            JudgeError: If there is no valid reply.
        """
        ...


class Judge(Protocol):
    """Answers the questions of a rubric about one pair of decks."""

    def judge_text(self, question: TextQuestion) -> Verdict:
        """Answer a question about facts.

        Raises:
            UnscoredError: If there is no answer; this is never a score.
        """
        ...

    def judge_slides(self, question: SlideQuestion) -> Verdict:
        """Answer a question about appearance.

        Raises:
            UnscoredError: If there is no answer; this is never a score.
        """
        ...

    def judge_edit(self, question: EditQuestion) -> Verdict:
        """Answer a question about the entire edit.

        Raises:
            UnscoredError: If there is no answer; this is never a score.
        """
        ...


class SlideRenderer(Protocol):
    """Renders decks."""

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        """Return a PNG file of every slide, including hidden ones, in slide order.

        Raises:
            PPTArenaError: If rendering fails.
        """
        ...


@dataclass(frozen=True, slots=True)
class PythonLeaf:
    """A leaf of an imported rubric that is a program.

    Attributes:
        code: Python source that defines ``compute_score() -> (reason, score)``.
        pictures: Whether it receives rendered slides. PPT-Eval renders them for all leaves of a
            rubric if one of them mentions ``vlm_call``.
    """

    code: str
    pictures: bool = False


class TextModel(Protocol):
    """Answers questions of Python leaves in free text, like `JudgeClient`."""

    def ask_text(self, prompt: Prompt) -> str:
        """Return the reply.

        Raises:
            JudgeError: If there is none.
        """
        ...


class LeafRunner(Protocol):
    """Runs the Python leaves of a rubric on one pair of decks."""

    def run_leaf(self, leaf: PythonLeaf) -> Verdict:
        """Return the result of a leaf.

        Raises:
            LeafError: If it raised, exceeded a limit or could not be run.
            UnscoredError: If another requirement is missing, such as a model.
        """
        ...
