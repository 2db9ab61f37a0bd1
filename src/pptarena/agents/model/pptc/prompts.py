"""The prompts of the baselines and the parsers of their replies."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

__all__ = [
    "NEEDS",
    "STEP_BY_STEP",
    "SYSTEM",
    "api_line",
    "needs_question",
    "parse_choice",
    "parse_code",
    "parse_needs",
    "plan_question",
    "question",
    "vote_question",
]

SYSTEM: Final = (
    "You help a user with a presentation. You edit it by calling the APIs that you are given, and "
    "by nothing else."
)

STEP_BY_STEP: Final = "Let's think step by step."

NEEDS: Final = (
    *("need_text", "need_style", "need_position", "need_title", "need_content"),
    *("need_picture", "need_table", "need_chart", "need_textbox", "need_shape"),
)
"""The parts of a deck that can be requested."""

_RULES = """\
Do what the user asks for now, no more, and do not guess what comes next. Use only APIs of the list,
one call a line, without loops, variables or comments. Pages count from 0; where the user names no
page, work on the one you are at. Put all calls between <code> and </code>. To "add a slide" the
answer is:
<code>
create_slide();
</code>"""

_NEEDS_RULES = """\
Which parts of the presentation must you see to do what the user asks for? Answer with one call of
get_content and nothing else; every argument is 1 (needed) or 0.
need_text: texts, tables and data of charts. need_style: type, colours, rotation. need_position:
sizes and places. need_title, need_content, need_picture, need_table, need_chart, need_textbox,
need_shape: objects of that kind.
For "Make the title red" the answer is:
get_content(need_text=0, need_style=1, need_position=0, need_title=1, need_content=0,
need_picture=0, need_table=0, need_chart=0, need_textbox=0, need_shape=0)
For "Write Hello under the picture" the answer is:
get_content(need_text=1, need_style=0, need_position=1, need_title=0, need_content=0,
need_picture=1, need_table=0, need_chart=0, need_textbox=1, need_shape=0)
For "Move the star to the right of the table and name the slide like the chart" the answer is:
get_content(need_text=1, need_style=0, need_position=1, need_title=1, need_content=0,
need_picture=0, need_table=1, need_chart=1, need_textbox=0, need_shape=1)"""

_CODE = re.compile(r"<code>(.*?)(?:</code>?|\Z)", re.DOTALL)
_FENCE = re.compile(r"```\w*\n(.*?)(?:```|\Z)", re.DOTALL)
_NEED = re.compile(r"(need_\w+)\s*=\s*(1|0|true|false)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def api_line(tool: Mapping[str, Any]) -> str:
    """Return an API as a line for a model: its call, purpose and arguments."""
    parameters = tool["parameters"]["properties"]
    notes = "".join(
        f" {name}: {parameter['description']}." for name, parameter in parameters.items()
    )
    return f"{tool['name']}({', '.join(parameters)}): {tool['description']}{notes}"


def question(
    instruction: str,
    apis: Iterable[str],
    content: str,
    dialogue: Sequence[tuple[str, str]],
    suffix: str = "",
) -> str:
    """Return the prompt for the calls of a turn.

    Args:
        instruction: The user's request.
        apis: One line per API.
        content: The deck as text, with the current page.
        dialogue: The user's earlier requests, and the calls that answered them.
        suffix: Text to append, such as `STEP_BY_STEP`.
    """
    earlier = "\n".join(f"User: {request}\nYou: {answer}" for request, answer in dialogue)
    parts = (
        "The APIs:\n" + "\n".join(apis),
        f"The presentation:\n{content}",
        _RULES,
        f"Before:\n{earlier}" if earlier else "",
        f"User: {instruction}",
        suffix,
    )
    return "\n\n".join(filter(None, parts))


def needs_question(instruction: str) -> str:
    """Return the prompt that asks which parts of a deck are needed."""
    return f"{_NEEDS_RULES}\n\nUser: {instruction}"


def plan_question(prompt: str) -> str:
    """Return the prompt for a plan, before the calls are written."""
    return f"{prompt}\n\nDo not write calls yet: say in a few short lines which you would call."


def vote_question(prompt: str, choices: Sequence[str]) -> str:
    """Return the prompt that asks which of several answers is best."""
    options = "\n\n".join(f"Choice {number}:\n{text}" for number, text in enumerate(choices, 1))
    return (
        f"{prompt}\n\nDo not answer that. Decide which of these {len(choices)} choices is the most "
        f"promising answer:\n\n{options}\n\nAnalyze each choice in detail, then conclude in the "
        'last line "The best choice is N", where N is the number of the choice.'
    )


def parse_code(text: str) -> str:
    """Return the calls of a reply; empty if there are none."""
    text = text.rpartition("</think>")[2]
    blocks = _CODE.findall(text) or _FENCE.findall(text)
    return "\n".join(block.strip() for block in blocks if block.strip())


def parse_needs(text: str) -> dict[str, bool]:
    """Return which parts a reply requests; parts that the reply does not mention are included."""
    requested = {
        name.lower(): value.lower() in ("1", "true") for name, value in _NEED.findall(text)
    }
    return {name: requested.get(name, True) for name in NEEDS}


def parse_choice(text: str, count: int) -> int | None:
    """Return the index of the choice in a vote, its last valid number; None if it has none."""
    numbers = [int(number[:4]) for number in _NUMBER.findall(text)]
    valid = [number for number in numbers if 1 <= number <= count]
    return valid[-1] - 1 if valid else None
