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

__all__ = ["dialect_names", "get_dialect"]

_ALL: tuple[Dialect, ...] = (
    JsonDialect(),
    ToolsDialect(),
    CompactDialect(),
    Anthropic2025January(),
    Anthropic2025November(),
    Anthropic2026August(),
    OpenAiComputer(),
    OpenAiComputerPreview(),
    GeminiComputer(),
    UiTars(),
    UiTars15(),
    UiTars2(),
    OpenCua(),
    AgentNet(),
    Qwen25Vl(),
    Qwen3Vl(),
    ScaleCua(),
    OsworldComputer13(),
    OsworldPyautogui(),
    OsworldSom(),
    Waa(),
)
_DIALECTS = {dialect.name: dialect for dialect in _ALL}


def dialect_names() -> tuple[str, ...]:
    """Return the names of all dialects."""
    return tuple(_DIALECTS)


def get_dialect(name: str) -> Dialect:
    """Return a dialect by its name.

    Raises:
        ConfigError: If there is no dialect of that name.
    """
    if name not in _DIALECTS:
        more = "`python -m pptarena.agents.dialects.reference` describes all."
        raise ConfigError(not_found("dialect", name, _DIALECTS, more))
    return _DIALECTS[name]
