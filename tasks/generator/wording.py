"""Wording of instructions: templates for edits, and five tones."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pptarena.tasks.generator.draft import Item
from pptarena.tasks.generator.operator import Operator
from pptarena.tasks.generator.splits import is_held_out_template

__all__ = [
    "ALSO",
    "BY_THE_WAY",
    "IF_YOU_CAN",
    "NEXT",
    "NO_HURRY",
    "OTHERWISE",
    "PLEASE",
    "REASONS",
    "SO",
    "TONES",
    "Template",
    "apply_tone",
    "capital",
    "sample_template",
    "templates_of",
]

TONES = ("terse", "polite", "reason", "passing", "list")
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
_PREFIXES = {"shape": "on {slide}, ", "slide": "as for {it}, ", "deck": "in this deck, "}
_PRONOUNS = {"shape": "{it}", "slide": "it", "deck": ""}


@dataclass(frozen=True, slots=True)
class Template:
    """A template that words an edit.

    Attributes:
        id: Its name, such as ``ask-2-front``; stable unless the operator's phrases change.
        text: The phrase, with placeholders in braces.
        prefix: Text before the phrase, with placeholders; empty if the phrase names the target.
        is_wish: Whether the phrase is a clause with ``should`` rather than an imperative.
    """

    id: str
    text: str
    prefix: str
    is_wish: bool

    def fill(self, words: Mapping[str, str]) -> tuple[str, str]:
        """Return the prefix and the phrase with the placeholders filled in."""
        return _fill(self.prefix, words), _fill(self.text, words)


def templates_of(operator: Operator) -> tuple[Template, ...]:
    """Return all templates of an operator."""
    templates = []
    for kind, texts in (("ask", operator.imperatives), ("wish", operator.wishes)):
        for number, text in enumerate(texts, start=1):
            is_wish = kind == "wish"
            templates.append(Template(f"{kind}-{number}", text, "", is_wish))
            text_after_prefix = text.replace("{it}", _PRONOUNS[operator.target_kind])
            prefix = _PREFIXES[operator.target_kind]
            templates.append(Template(f"{kind}-{number}-front", text_after_prefix, prefix, is_wish))
    return tuple(templates)


def sample_template(
    operator: Operator, rng: Random, *, held_out: bool, prefix: bool = True, wish: bool = True
) -> Template | None:
    """Sample a template of an operator; return None if none qualifies.

    Args:
        operator: The operator.
        rng: Random generator.
        held_out: Whether to sample from the held-out templates or from the others.
        prefix: Whether the template may name the target before the phrase.
        wish: Whether the phrase may be a clause with ``should``.
    """
    candidates = [
        template
        for template in templates_of(operator)
        if (prefix or not template.prefix) and (wish or not template.is_wish)
    ]
    eligible = [f for f in candidates if is_held_out_template(operator.name, f.id) == held_out]
    return rng.choice(eligible) if eligible else None


def apply_tone(tone: str, reason: str, items: Sequence[Item]) -> str:
    """Return an instruction.

    Args:
        tone: One of `TONES`.
        reason: A clause, used by the tone ``reason``.
        items: Parts of the instruction.
    """
    if tone == "list":
        lines: list[str] = []
        for item in items:
            if item.joiner == NEXT or not lines:
                lines.append(f"- {capital(item.prefix + item.phrase)}")
            else:
                lines[-1] += item.joiner + item.prefix + item.phrase
        return "\n".join(["To do:", *lines])
    first = items[0]
    rest = "".join(item.joiner + item.prefix + item.phrase for item in items[1:])
    sentence = first.prefix + first.phrase + rest
    if tone == "polite" and not first.is_wish:
        return f"{capital(f'{first.prefix}{PLEASE}{first.phrase}{rest}')}?"
    if tone == "polite":
        return f"{IF_YOU_CAN}{sentence}."
    if tone == "reason":
        return f"{reason}{SO}{sentence}."
    if tone == "passing":
        return f"{BY_THE_WAY}{sentence}{NO_HURRY}"
    return f"{capital(sentence)}."


def capital(text: str) -> str:
    """Return a text with its first letter capitalized."""
    return text[:1].upper() + text[1:]


def _fill(text: str, words: Mapping[str, str]) -> str:
    for key, value in words.items():
        article = "an" if value[:1] in _VOWELS else "a"
        text = re.sub(rf"\ba \{{{key}\}}", f"{article} {{{key}}}", text)
        text = text.replace(f"{{{key}}}", value)
    return text
