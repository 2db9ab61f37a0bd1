"""A check of values that appear with their labels."""

import re
from collections.abc import Iterator, Sequence

from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import normalize_caseless
from pptarena.rewards.checking.arguments import LabeledValues
from pptarena.rewards.checking.registry import part_check
from pptarena.rewards.checking.result import CheckResult, mean_of
from pptarena.rewards.checking.view import Part

_SENTENCE = re.compile(r"(?<=[.;!?])\s|;")

_Mention = tuple[bool, int]
"""Whether a text is a value, and the number of its pair."""


@part_check(explain_hidden=True)
def text_pairs(part: Part, pairs: LabeledValues) -> CheckResult:
    """Measure the share of values that are there and stand with their own label.

    Labels and values of a sentence are read in turn ("87 in 2026, 91 in 2025") or as two lists
    ("2026 and 2025: 87 and 91"). A value without a label is right, and so are sentences that can be
    read in several ways.
    """
    text = part.slide_pair.visible.text if part.shape is None else part.visible[0].all_text
    names = [tuple(_alternatives(each) for each in pair) for pair in pairs]
    label_value_pairs: set[tuple[int, int]] = set()
    present_values: set[int] = set()
    for piece in _sentences(text):
        mentions = _find_mentions(piece, names)
        present_values |= {number for is_value, number in mentions if is_value}
        label_value_pairs |= _read_pairs(mentions)
    results = []
    for number, (label, value) in enumerate(pairs):
        others = [
            pairs[other][0]
            for other, value_number in sorted(label_value_pairs)
            if value_number == number != other
        ]
        if number not in present_values:
            results.append(CheckResult(0.0, f"{part.label} lacks {clip(value)}"))
        elif others:
            wrong = (
                f"{part.label} has {clip(value)} with {clip(others[0])} instead of {clip(label)}"
            )
            results.append(CheckResult(0.0, wrong))
        else:
            results.append(CheckResult(1.0, f"{part.label} has {clip(value)}"))
    return mean_of(results, "values")


def _alternatives(text: str) -> re.Pattern[str]:
    """Return a pattern of the alternatives in a text, none of them within a word or a number."""
    either = "|".join(
        re.escape(each) for each in sorted(map(normalize_caseless, text.split("|")), key=len)[::-1]
    )
    return re.compile(rf"(?<!\w)(?<!\d[.,])(?:{either})(?!\w|[.,]\d)")


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text in lower case."""
    for line in text.splitlines():
        yield from filter(None, _SENTENCE.split(normalize_caseless(line)))


def _find_mentions(text: str, names: Sequence[tuple[re.Pattern[str], ...]]) -> list[_Mention]:
    """Return the labels and values of a text in their order, without those within others."""
    matches = [
        (*match.span(), (is_value, number))
        for number, pair in enumerate(names)
        for is_value, pattern in zip((False, True), pair, strict=True)
        for match in pattern.finditer(text)
    ]
    mentions: list[_Mention] = []
    at = 0
    for start, end, name in sorted(matches, key=lambda each: (each[0], -each[1])):
        if start >= at:
            mentions.append(name)
            at = end
    return mentions


def _read_pairs(mentions: Sequence[_Mention]) -> set[tuple[int, int]]:
    """Return the pairs (label, value) of a sentence, as numbers; empty if they are ambiguous."""
    turns = [(a, b) for a, b in zip(mentions[::2], mentions[1::2], strict=False) if a[0] != b[0]]
    half = len(mentions) // 2
    if not mentions or len(mentions) % 2:
        return set()
    if len(turns) < half:
        kinds = [is_value for is_value, _ in mentions]
        if len(set(kinds[:half])) > 1 or len(set(kinds[half:])) > 1 or kinds[0] == kinds[-1]:
            return set()
        turns = list(zip(mentions[:half], mentions[half:], strict=True))
    return {(b[1], a[1]) if a[0] else (a[1], b[1]) for a, b in turns}
