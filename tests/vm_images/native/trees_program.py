"""Runs inside the image: reads a desktop's tree from inside and over the accessibility bus."""

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from pptarena.vm_images.guest.desktop import Desktop
from pptarena.vm_images.guest.limits import Limits
from pptarena.vm_images.guest.protocol import Command
from pptarena.vm_images.guest.session import start_session
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.tree_shape import TreeLimits

LIMITS = TreeLimits(nodes=2000, seconds=20.0)


def keys(*names: str) -> Command:
    """Return the command that presses a combination of keys."""
    return Command("key", keys=names)


ACTIONS = {
    "nothing": Command("observe"),
    "a shape": Command("click", x=560, y=300),
    "a text edit": Command("double_click", x=560, y=300),
    "typed": Command("type", text="words that are new"),
    "no edit": keys("Escape"),
    "context menu": Command("right_click", x=560, y=300),
    "context menu closed": keys("Escape"),
    "find and replace": keys("Control_L", "h"),
    "find and replace closed": keys("Escape"),
    "file menu": keys("Alt_L", "f"),
    "file menu closed": keys("Escape"),
    "insert menu": keys("Alt_L", "i"),
    "insert menu closed": keys("Escape"),
    "format menu": keys("Alt_L", "o"),
    "character dialog": keys("h"),
    "its next page": keys("Control_L", "Next"),
    "character dialog closed": keys("Escape"),
    "save as": keys("Control_L", "Shift_L", "s"),
    "save as closed": keys("Escape"),
    "a side bar": Command("click", x=1256, y=220),
    "another side bar": Command("click", x=1256, y=255),
    "next slide": keys("Next"),
    "open": keys("Control_L", "o"),
    "open closed": keys("Escape"),
    "slide show": keys("F5"),
}


def difference(inside: list[dict[str, Any]], outside: list[dict[str, Any]]) -> object:
    """Return the first difference, or None."""
    for one, other in zip(inside, outside, strict=False):
        if one != other:
            return [one, other]
    return None if len(inside) == len(outside) else [len(inside), len(outside)]


def main() -> None:
    """Perform the actions and print each one's number of nodes and first difference."""
    settings = Settings(tree_sec=20.0)
    deadline = time.monotonic() + 120
    limits = Limits(settings.memory_limit_bytes, settings.max_processes)
    session = start_session((1280, 720), limits, (), deadline)
    linux_components = importlib.import_module("pptarena.vm_images.guest.linux_components")
    sys.path.insert(0, str(Path(__file__).parents[3]))
    tree = importlib.import_module("tests.vm_images.native.bus_tree")
    components = linux_components.start_components(session, settings, deadline)
    outside = tree.BusTree(session.accessibility_bus)
    desktop = Desktop(components, settings)
    desktop.load(sys.stdin.buffer.read(), "plan.pptx")
    report = {}
    for name, command in ACTIONS.items():
        desktop.perform(command)
        inside_nodes, inside_reason = components.tree.read(LIMITS)
        outside_nodes = outside.read(LIMITS.text_chars)
        report[name] = {
            "nodes": len(inside_nodes),
            "titles": components.windows.titles(),
            "difference": difference(inside_nodes, outside_nodes),
            "reason": inside_reason,
        }
    sys.stdout.write(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    Path(os.environ["XDG_RUNTIME_DIR"]).mkdir(parents=True, exist_ok=True)
    main()
