"""Wording of instructions: templates for edits, and five tones."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pptarena.tasks.grow.draft import Item
from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.splits import is_held_out_frame

__all__ = [
    "ALSO",
    "BY_THE_WAY",
    "IF_YOU_CAN",
    "NEXT",
    "NO_HURRY",
    "OTHERWISE",
    "PLEASE",
    "REASONS",
    "REGISTERS",
    "SO",
    "Frame",
    "capital",
    "frames_of",
    "in_register",
    "pick_frame",
]

REGISTERS = ("terse", "polite", "reason", "passing", "list")
"""Names of the tones."""

REASONS = (
    "We present this tomorrow",
    "This deck goes to the board next week",
    "I'm going through the slides once more",
    "A colleague brought this up",
    "It bothers me every time I open the deck",
    "The audience will look closely",
)
"""Reasons that may precede an instruction."""

NEXT, ALSO, OTHERWISE = "; then ", ", and also ", "; otherwise "
"""Texts between the parts of an instruction."""

PLEASE, IF_YOU_CAN, SO = "could you please ", "If it's not too much trouble, ", ", so "
BY_THE_WAY, NO_HURRY = "By the way, ", ". No hurry."

_VOWELS = frozenset("aeio")
_FRONTS = {"shape": "on {slide}, ", "slide": "as for {it}, ", "deck": "in this deck, "}
_FRONT_IT = {"shape": "{it}", "slide": "it", "deck": ""}


@dataclass(frozen=True, slots=True)
class Frame:
    """A template that words an edit.

    Attributes:
        id: Its name, such as ``ask-2-front``; stable unless the operator's phrases change.
        text: The phrase, with placeholders in braces.
        front: Text before the phrase, with placeholders; empty if the phrase names the site.
        is_wish: Whether the phrase is a clause with ``should`` rather than an imperative.
    """

    id: str
    text: str
    front: str
    is_wish: bool

    def said(self, words: Mapping[str, str]) -> tuple[str, str]:
        """Return the front and the phrase with the placeholders filled in."""
        return _filled(self.front, words), _filled(self.text, words)


def frames_of(operator: Operator) -> tuple[Frame, ...]:
    """Return all templates of an operator."""
    found = []
    for kind, texts in (("ask", operator.asks), ("wish", operator.wishes)):
        for number, text in enumerate(texts, start=1):
            is_wish = kind == "wish"
            found.append(Frame(f"{kind}-{number}", text, "", is_wish))
            later = text.replace("{it}", _FRONT_IT[operator.target])
            front = _FRONTS[operator.target]
            found.append(Frame(f"{kind}-{number}-front", later, front, is_wish))
    return tuple(found)


def pick_frame(
    operator: Operator, rng: Random, *, held_out: bool, front: bool = True, wish: bool = True
) -> Frame | None:
    """Sample a template of an operator; return None if none qualifies.

    Args:
        operator: The operator.
        rng: Random generator.
        held_out: Whether to sample from the held-out templates or from the others.
        front: Whether the template may name the site before the phrase.
        wish: Whether the phrase may be a clause with ``should``.
    """
    known = [
        frame
        for frame in frames_of(operator)
        if (front or not frame.front) and (wish or not frame.is_wish)
    ]
    fitting = [f for f in known if is_held_out_frame(operator.name, f.id) == held_out]
    return rng.choice(fitting) if fitting else None


def in_register(register: str, reason: str, items: Sequence[Item]) -> str:
    """Return an instruction.

    Args:
        register: Tone, one of `REGISTERS`.
        reason: A clause, used by the tone ``reason``.
        items: Parts of the instruction.
    """
    if register == "list":
        lines: list[str] = []
        for item in items:
            if item.joiner == NEXT or not lines:
                lines.append(f"- {capital(item.front + item.phrase)}")
            else:
                lines[-1] += item.joiner + item.front + item.phrase
        return "\n".join(["To do:", *lines])
    first = items[0]
    rest = "".join(item.joiner + item.front + item.phrase for item in items[1:])
    whole = first.front + first.phrase + rest
    if register == "polite" and not first.is_wish:
        return f"{capital(f'{first.front}{PLEASE}{first.phrase}{rest}')}?"
    if register == "polite":
        return f"{IF_YOU_CAN}{whole}."
    if register == "reason":
        return f"{reason}{SO}{whole}."
    if register == "passing":
        return f"{BY_THE_WAY}{whole}{NO_HURRY}"
    return f"{capital(whole)}."


def capital(text: str) -> str:
    """Return a text with its first letter capitalized."""
    return text[:1].upper() + text[1:]


def _filled(text: str, words: Mapping[str, str]) -> str:
    for key, value in words.items():
        article = "an" if value[:1] in _VOWELS else "a"
        text = re.sub(rf"\ba \{{{key}\}}", f"{article} {{{key}}}", text)
        text = text.replace(f"{{{key}}}", value)
    return text
