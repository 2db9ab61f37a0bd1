"""The sentence of an edit, in one of many frames and five registers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.splits import is_held_out_frame

__all__ = ["REGISTERS", "Frame", "capital", "frames_of", "in_register", "pick_frame"]

REGISTERS = ("terse", "polite", "reason", "passing", "list")
"""How an instruction is said, by name."""

REASONS = (
    "We present this tomorrow",
    "The board sees this deck next week",
    "I am going over the slides once more",
    "A colleague pointed it out to me",
    "It bothers me every time I open the deck",
    "The audience will look at it closely",
)
"""What may stand before an instruction as its reason."""

_FRONTS = {"shape": "on {slide}, ", "slide": "for {it}: ", "deck": "throughout this deck: "}
_FRONT_IT = {"shape": "{it}", "slide": "it", "deck": ""}


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to word an edit.

    Attributes:
        id: Its name, such as ``ask-2-front``: stable as long as the operator's phrases are.
        text: The phrase, with braces for what it is about.
        front: What stands before it, with braces, too; empty if the place is named within.
        is_wish: Whether it is a clause with ``should``, not one that begins with a verb.
    """

    id: str
    text: str
    front: str
    is_wish: bool

    def said(self, words: Mapping[str, str]) -> tuple[str, str]:
        """Return what stands in front and the phrase, with words in the braces."""
        return _filled(self.front, words), _filled(self.text, words)


def frames_of(operator: Operator) -> tuple[Frame, ...]:
    """Return all frames of an operator."""
    found = []
    for kind, texts in (("ask", operator.asks), ("wish", operator.wishes)):
        for number, text in enumerate(texts, start=1):
            is_wish = kind == "wish"
            found.append(Frame(f"{kind}-{number}", text, "", is_wish))
            later = text.replace("{it}", _FRONT_IT[operator.target])
            front = _FRONTS[operator.target]
            found.append(Frame(f"{kind}-{number}-front", later, front, is_wish))
    return tuple(found)


def pick_frame(operator: Operator, rng: Random, *, held_out: bool) -> Frame:
    """Return a frame of an operator: one of those that are held out, or one of the others."""
    known = frames_of(operator)
    fitting = [f for f in known if is_held_out_frame(operator.name, f.id) == held_out]
    return rng.choice(fitting or list(known))


def in_register(register: str, reason: str, items: Sequence[tuple[str, str, bool]]) -> str:
    """Return an instruction.

    Args:
        register: One of `REGISTERS`.
        reason: A clause, for the register of that name.
        items: For each part what stands in front, the phrase, and whether it is a wish.
    """
    if register == "list":
        lines = [f"- {capital(front + phrase)}" for front, phrase, _ in items]
        return "\n".join(["To do:", *lines])
    whole = "; then ".join(front + phrase for front, phrase, _ in items)
    if register == "polite":
        front, phrase, is_wish = items[0]
        rest = "".join(f"; then {f}{p}" for f, p, _ in items[1:])
        if is_wish:
            return f"If it is not too much trouble, {whole}."
        return f"{capital(f'{front}could you please {phrase}{rest}')}?"
    if register == "reason":
        return f"{reason}, so {whole}."
    if register == "passing":
        return f"By the way, {whole}. No hurry."
    return f"{capital(whole)}."


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _filled(text: str, words: Mapping[str, str]) -> str:
    for key, value in words.items():
        text = text.replace(f"{{{key}}}", value)
    return text
