"""Read the summary and the argument descriptions of a docstring."""

import inspect
import re
from collections.abc import Callable

__all__ = ["describe"]


def describe(function: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """Return the description of a function on one line, and the description of each argument.

    The docstring follows the Google style. The final period of argument descriptions is removed.
    """
    text, _, section = (inspect.getdoc(function) or "").partition("\n\nArgs:\n")
    section = section.partition("\n\n")[0]
    descriptions: dict[str, str] = {}
    for line in section.splitlines():
        match = re.fullmatch(r"    (\w+): (.+)", line)
        if match is not None:
            descriptions[match[1]] = match[2]
        elif line.strip():
            descriptions[list(descriptions)[-1]] += " " + line.strip()
    return " ".join(text.split()), {name: text.rstrip(".") for name, text in descriptions.items()}
