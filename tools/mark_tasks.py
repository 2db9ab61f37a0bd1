"""Add the canary to every packaged task file: ``python -m tools.mark_tasks``."""

import json
import re
from pathlib import Path

from pptarena.tasks.canary import CANARY

__all__ = ["mark"]

_SPECS = Path(__file__).parents[1] / "tasks" / "specs"
_VERSION = re.compile(r'^(\s*)"version": \d+,\n', re.MULTILINE)


def mark(text: str) -> str:
    """Return the text of a task file with the canary below its version, otherwise unchanged."""
    if "canary" in json.loads(text):
        return text
    found = _VERSION.search(text)
    if found is None:
        raise ValueError("expected a task file with its version in a line of its own")
    line = f'{found[1]}"canary": {json.dumps(CANARY)},\n'
    return text[: found.end()] + line + text[found.end() :]


if __name__ == "__main__":
    for file in sorted(_SPECS.rglob("*.json")):
        file.write_text(mark(file.read_text("utf-8")), "utf-8")
