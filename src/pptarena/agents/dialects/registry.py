"""Dialects by name."""

from pptarena.agents.dialects.anthropic import (
    Anthropic2025January,
    Anthropic2025November,
    Anthropic2026August,
)
from pptarena.agents.dialects.base import Dialect
from pptarena.agents.dialects.compact import CompactDialect
from pptarena.agents.dialects.gemini import GeminiComputer
from pptarena.agents.dialects.json_actions import JsonDialect, ToolsDialect
from pptarena.agents.dialects.openai_computer import OpenAiComputer, OpenAiComputerPreview
from pptarena.agents.dialects.opencua import AgentNet, OpenCua
from pptarena.agents.dialects.osworld import OsworldPyautogui, OsworldSom
from pptarena.agents.dialects.osworld_13 import OsworldComputer13
from pptarena.agents.dialects.qwen import Qwen3Vl, Qwen25Vl
from pptarena.agents.dialects.scalecua import ScaleCua
from pptarena.agents.dialects.uitars import UiTars, UiTars15
from pptarena.agents.dialects.uitars2 import UiTars2
from pptarena.agents.dialects.waa import Waa
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

__all__ = ["describe_dialect", "dialect_names", "get_dialect"]

# Each dialect with its models and coordinates, as in the reference page.
_ENTRIES: tuple[tuple[Dialect, str, str], ...] = (
    (JsonDialect(), "any language model; our own actions as JSON", "element numbers, or 0 to 1"),
    (
        ToolsDialect(),
        "any model that calls functions; our own actions",
        "element numbers, or 0 to 1",
    ),
    (CompactDialect(), "small language models; our own actions, a call a line", "element numbers"),
    (Anthropic2025January(), "Claude, tool `computer_20250124`", "pixels"),
    (Anthropic2025November(), "Claude, tool `computer_20251124`", "pixels"),
    (Anthropic2026August(), "Claude, `computer_toolset_20260801`", "pixels"),
    (OpenAiComputer(), "OpenAI's tool `computer`, in batches", "pixels"),
    (OpenAiComputerPreview(), "OpenAI's tool `computer_use_preview`", "pixels"),
    (GeminiComputer(), "Gemini's tool `computer_use`", "0 to 999"),
    (UiTars(), "UI-TARS 1.0, Doubao", "0 to 1000"),
    (UiTars15(), "UI-TARS-1.5-7B", "pixels of the resized picture"),
    (UiTars2(), "UI-TARS-2, Seed 1.6 and later", "0 to 1000"),
    (OpenCua(), "OpenCUA-7B and 32B", "pixels of the resized picture"),
    (AgentNet(), "the data of AgentNet", "0 to 1"),
    (Qwen25Vl(), "Qwen2.5-VL", "pixels of the resized picture"),
    (Qwen3Vl(), "Qwen3-VL and later", "0 to 1000"),
    (ScaleCua(), "ScaleCUA", "0 to 1"),
    (OsworldComputer13(), "agents of OSWorld, `computer_13`", "pixels"),
    (OsworldPyautogui(), "agents of OSWorld, code", "pixels"),
    (OsworldSom(), "agents of OSWorld, code with marks", "element numbers, or pixels"),
    (Waa(), "agents of WindowsAgentArena", "element numbers, or 0 to 1"),
)
_DIALECTS = {dialect.name: dialect for dialect, _, _ in _ENTRIES}


def dialect_names() -> tuple[str, ...]:
    """Return the names of all dialects."""
    return tuple(_DIALECTS)


def get_dialect(name: str) -> Dialect:
    """Return a dialect by its name.

    Raises:
        ConfigError: If there is no dialect of that name.
    """
    if name not in _DIALECTS:
        hint = "`python -m pptarena.agents.dialects.reference` describes all."
        raise ConfigError(not_found("dialect", name, _DIALECTS, hint))
    return _DIALECTS[name]


def describe_dialect(name: str) -> tuple[str, str]:
    """Return the models and the coordinates of a dialect for the reference page."""
    return next((models, points) for dialect, models, points in _ENTRIES if dialect.name == name)
