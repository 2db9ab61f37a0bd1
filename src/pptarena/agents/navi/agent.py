"""`NaviAgent`: plans, decides and writes code at every step, with a memory."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from pptarena.agents.dialects.code import code_blocks
from pptarena.agents.model import ModelAgent, ModelSettings, RunBudget, ScreenView, read_sources
from pptarena.agents.model.settings import DEFAULT_DIALECT
from pptarena.agents.navi.prompt import system_prompt
from pptarena.errors import ConfigError
from pptarena.models import Service, Turn

__all__ = ["NaviAgent", "navi_settings"]

_DIALECT = "waa"
_SEE = "waa-som-uia"
_TITLES = {
    "window": "2. Window title",
    "windows": "3. All window names",
    "clipboard": "4. Clipboard content",
    "elements": "6. List of candidate screen elements",
}


class NaviAgent(ModelAgent):
    """Asks a model in the way of WindowsAgentArena's Navi (arXiv 2409.08264, appendix D.1).

    Requests do not include earlier turns. Each contains the objective, titles of windows, the
    clipboard, the list of elements, the previous, the current and the marked screen, the code
    blocks so far and the memory. The model answers questions about the screen, plans, decides and
    writes the code of one step in the dialect ``waa``, and may write a new memory. Limits, retries,
    costs and the record are those of `ModelAgent`.

    Args:
        settings: The model and the settings of its requests. ``see`` selects the inputs, by default
            ``waa-som-uia``; ``history`` is the number of earlier code blocks.
        budget: The budget of the run, shared with other agents; by default a separate one.
        service: The service that answers; by default the one of the dialect.
        key: The API key; by default it is read from the environment.

    Raises:
        ConfigError: If the settings have another dialect, or the package of the service or the key
            is missing.
    """

    def __init__(
        self,
        settings: ModelSettings,
        budget: RunBudget | None = None,
        service: Service | None = None,
        key: str | None = None,
    ) -> None:
        settings = navi_settings(settings)
        self._inputs = read_sources(settings.see)
        super().__init__(settings, budget, service, key)

    def _prompt(self) -> str:
        return system_prompt(self._inputs)

    def _earlier_turns(self) -> list[Turn]:
        return []

    def _user_text(self, view: ScreenView, problem: str | None, info: Mapping[str, Any]) -> str:
        updates = self._updates(problem, info)
        blocks = ["\n".join(updates)] if updates else []
        blocks.append(f"1. User objective: {self._instruction}")
        for name, text in view.sections.items():
            if name != "actions":
                title = _TITLES.get(name)
                blocks.append(text if title is None else f"{title}\n{text}")
        if "actions" in self._inputs:
            blocks.append(f"8. History\n{self._history()}")
        blocks.append(f"9. Textual memory\n{self._memory or '(empty)'}")
        return "\n\n".join(blocks)

    def _history(self) -> str:
        count = self._settings.history
        replies = [turn.answer.reply.text for turn in self._turns if turn.answer is not None]
        blocks = [
            f"```{name}\n{content}\n```"
            for reply in replies[max(0, len(replies) - count) :]
            for name, content in code_blocks(reply)
            if name in ("python", "decision")
        ]
        return "\n".join(blocks) or "(none)"


def navi_settings(settings: ModelSettings) -> ModelSettings:
    """Return the settings with Navi's dialect, and its sources if none are given.

    Raises:
        ConfigError: If the settings have another dialect than ``waa`` or the default.
    """
    if settings.dialect not in (_DIALECT, DEFAULT_DIALECT):
        raise ConfigError(f"Navi requires the dialect {_DIALECT}: remove {settings.dialect!r}")
    return dataclasses.replace(settings, dialect=_DIALECT, see=settings.see or _SEE)
