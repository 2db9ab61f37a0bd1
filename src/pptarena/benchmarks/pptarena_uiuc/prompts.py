"""Prompts of the two judges of an edit, in our own words."""

from collections.abc import Sequence

from pptarena.decks import Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.outline import change_list, slide_list
from pptarena.rewards.judges.prompts import SLIDES_FORM, VERDICT_FORM, system_text, trusted
from pptarena.rewards.judges.protocol import Prompt, fence

__all__ = ["instruction_prompt", "single_prompt", "visual_prompt"]

_INSTRUCTION = """\
You judge whether an edit of a slide deck did what an instruction asked. You get the instruction,
what the edit changed, and the changed slides after it, as facts (lengths in centimetres). Looks are
not your concern: somebody else judges them.
5: everything asked for is done, rightly and in the right place, and nothing else is changed.
4: everything is done; one slip that does not change the meaning.
3: most is done; something asked for is incomplete or wrong, or something small was changed unasked.
2: some is done; much is missing or wrong, or something of weight was changed unasked.
1: hardly anything asked for is done.
0: nothing asked for is done, or the opposite, or the deck is destroyed.
Where an instruction leaves a choice, every sensible choice is right. Between two scores take the
lower. If changes are not shown, there were too many to show: count that as changes unasked unless
the instruction asks for so many."""

_TARGET = """\
A reference edit is given too, as one example of a right result: what it changed, and what still
differs between it and the edit you judge. A difference is a fault only if the instruction decides
it."""

_VISUAL = """\
You judge how well edited slides look. Whether the edit did what was asked is not your concern:
somebody else judges that. You get the instruction that was given, only so that you know what was
meant to change, and pictures of slides.
Judge layout, alignment, spacing, legibility, contrast, fonts, colours, and whether things overlap,
run over, or leave the slide. A fault that was there before the edit counts little.
5: clean and consistent with the rest; nothing disturbs.
4: good; a flaw that only a second look finds.
3: usable; a flaw that is seen at once, such as uneven spacing or a font that does not fit.
2: poor; several such flaws, or one that makes reading harder.
1: bad; text overlaps, is cut off or hardly legible.
0: broken: empty, unreadable, or content destroyed.
Score each slide by itself, in whole numbers. Between two scores take the lower."""

_STARS = "<whole number from 0 to 5>"

_NO_DIFFS = """\
You get no list of the changes: find them by comparing the slides before and after the edit."""

_FACTS = """\
You get no pictures: judge from the facts about each slide (lengths in centimeters)."""

_SINGLE = """\
You judge an edit of a slide deck in two respects, each with a whole number from 0 to 5: how well
the edit follows the instruction, and how well the edited slides look."""

_TWO_SCORES = """\
Answer with one JSON object and nothing else:
{"instruction": <SCALE>, "visual": <SCALE>, "reason": "<one sentence that names the evidence>"}"""


def instruction_prompt(
    instruction: str,
    style_target: str,
    changes: Sequence[Change],
    slides: Sequence[Slide],
    reference: tuple[Sequence[Change], Sequence[Change]] | None,
    before: Sequence[Slide] | None = None,
) -> Prompt:
    """Return the prompt of the judge of instruction following; integer scores from 0 to 5.

    Args:
        instruction: The instruction.
        style_target: Description of a correct result; may be empty.
        changes: Changes made by the edit.
        slides: The changed slides after the edit.
        reference: Changes made by the reference edit, and its differences from the edit.
        before: The changed slides before the edit, which replace all lists of changes.
    """
    rules = _INSTRUCTION
    parts = [*_request_parts(instruction, style_target)]
    if before is not None:
        rules += f"\n{_NO_DIFFS}"
        parts.append(fence("BEFORE", slide_list(before)))
    else:
        parts.append(fence("CHANGES", change_list(changes)))
    if reference is not None and before is None:
        rules += f"\n{_TARGET}"
        parts.append(fence("REFERENCE_CHANGES", change_list(reference[0])))
        parts.append(fence("DIFFERENCES_FROM_REFERENCE", change_list(reference[1])))
    parts.append(fence("AFTER", slide_list(slides)))
    return Prompt(system_text(rules, VERDICT_FORM, _STARS), tuple(parts))


def visual_prompt(instruction: str, style_target: str, *, pictures: bool = True) -> Prompt:
    """Return the beginning of the prompt of the visual judge; integer scores from 0 to 5.

    Args:
        instruction: The instruction.
        style_target: Description of a correct result; may be empty.
        pictures: Whether pictures of the slides follow, or facts about them.
    """
    rules = _VISUAL if pictures else f"{_VISUAL}\n{_FACTS}"
    return Prompt(
        system_text(rules, SLIDES_FORM, _STARS), _request_parts(instruction, style_target)
    )


def single_prompt(
    instruction: str,
    style_target: str,
    facts: tuple[Sequence[Change], Sequence[Slide]] | None,
) -> Prompt:
    """Return the beginning of the prompt of a single judge of both; pictures follow.

    Args:
        instruction: The instruction.
        style_target: Description of a correct result; may be empty.
        facts: The changes made by the edit, and the changed slides after it; None for pictures
            alone.
    """
    parts = [*_request_parts(instruction, style_target)]
    if facts is not None:
        parts.append(fence("CHANGES", change_list(facts[0])))
        parts.append(fence("AFTER", slide_list(facts[1])))
    rules = f"{_SINGLE}\n\n{_INSTRUCTION}\n\n{_VISUAL}"
    return Prompt(system_text(rules, _TWO_SCORES, _STARS), tuple(parts))


def _request_parts(instruction: str, style_target: str) -> tuple[str, ...]:
    target = (trusted("A right result, in words", style_target),) if style_target else ()
    return trusted("Instruction", instruction), *target
