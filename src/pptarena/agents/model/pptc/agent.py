"""`PptcAgent`: a model that acts like the baselines of PPTC, one reply of calls per turn."""

import dataclasses
import re
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from pptarena.agents.model.agent import ModelAgent
from pptarena.agents.model.observing import make_turn
from pptarena.agents.model.pptc import prompts
from pptarena.agents.model.pptc.selection import ALWAYS, Embed, Embedder, nearest, word_vectors
from pptarena.agents.model.settings import ModelSettings
from pptarena.agents.model.usage import RunBudget, Usage
from pptarena.envs.document import ToolCall
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import ActionError, ConfigError, DialectError
from pptarena.models import Answer, Request, Service

__all__ = ["METHODS", "PptcAgent"]

METHODS: Final = ("zero-shot", "cot", "tot", "content", "api", "self-consistency")
"""The prompting methods."""

_CHARS_PER_TOKEN = 4
_NOT_APIS = ("done", "fail", "read_slide", "list_layouts", "get_content", "run_calls")
# These occur in labels, but the benchmark never shows them to models, nor the second argument.
_LABELS_ONLY = ("align_", "set_right", "set_bottom")
_HIDDEN = "beside"
_PPTC, _UPDATE = "pptc", "pptc-update"
_HELP = re.compile(r"\bseek_assistance\s*\(")


class PptcAgent(ModelAgent):
    """Asks a model once for the calls of each turn, and then sends ``done``.

    It runs on `PPTArenaDocEnv` with ``tools=("pptc",)`` and ``view="pptc"``. Every request contains
    the user's earlier requests and their answers; in a turn-based task, the labels. With
    ``history=0`` in the settings, requests leave out this conversation. A reply without calls does
    nothing, as in the benchmark. With the tools ``pptc-lack`` the model may ask for help, and the
    agent then sends ``fail`` instead of ``done``; with ``pptc-update`` the model receives all APIs
    sorted by name.

    - ``zero-shot`` asks for the calls, ``cot`` for step-by-step reasoning first.
    - ``tot`` is the tree of thoughts as its authors published it for texts: it samples several
      plans, takes the one with most of as many votes, and does the same with answers to that plan.
    - ``content`` asks first which parts of the deck are needed, and shows only these.
    - ``api`` shows only the APIs that are most similar to the instruction.
    - ``self-consistency`` samples several answers and takes the most frequent calls.

    Args:
        settings: The model and the settings of its requests; the dialect does not matter.
        method: One of `METHODS`.
        budget: The budget of the run, shared with other agents; by default a separate one.
        service: The service that answers; by default the chat completions of the settings.
        key: The API key; by default it is read from the environment.
        tools: The family of tools of the environment.

    Raises:
        ConfigError: If there is no such method or family of tools, or the service's package or key
            is missing.
    """

    _recorded_see = "pptc"

    def __init__(
        self,
        settings: ModelSettings,
        method: str,
        budget: RunBudget | None = None,
        service: Service | None = None,
        key: str | None = None,
        tools: str = _PPTC,
    ) -> None:
        if method not in METHODS:
            raise ConfigError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
        settings = dataclasses.replace(settings, dialect="json")
        key = settings.key() if key is None else key
        super().__init__(settings, budget, service, key)
        self._method = method
        self._embedder = Embedder(settings, key) if settings.embeddings else None
        self._embed: Embed = self._embedder or word_vectors
        self._apis = [_shown(tool.to_json()) for tool in toolbox((tools,)).values()]
        self._apis = [each for each in self._apis if _is_told(each["name"])]
        self._may_seek = any(each["name"] == "seek_assistance" for each in self._apis)
        if tools == _UPDATE:  # otherwise the useless ones are listed separately
            self._apis.sort(key=lambda each: str(each["name"]))

    def _begin(self, task: str, instruction: str) -> None:
        super()._begin(task, instruction)
        self._dialogue: list[tuple[str, str]] = []
        self._stage = "ask"
        self._end = "done"

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode."""
        super().reset(info, seed)
        for each in info["dialogue"]:
            calls = f"<code>\n{each['assistant']}\n</code>"
            self._dialogue.append((str(each["user"]), calls))

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the next `ToolCall`.

        Raises:
            EndpointError: If the service does not answer.
        """
        if self._stage == "done":
            self._stage = "ask"
            return ToolCall.of(self._end)
        self._instruction = str(info["instruction"])
        if self._stage == "ask" and self._method == "content":
            self._stage = "write"
            return ToolCall("get_content", self._needed())
        content = observation["result" if self._stage == "write" else "outline"]
        code = self._written(str(content))
        self._dialogue.append((self._instruction, f"<code>\n{code}\n</code>"))
        self._stage = "done" if code else "ask"
        self._end = "fail" if self._may_seek and _HELP.search(code) else "done"
        return ToolCall.of("run_calls", calls=code) if code else ToolCall.of("done")

    def close(self) -> None:
        """Close all connections."""
        super().close()
        if self._embedder is not None:
            self._embedder.close()

    def _system(self) -> str:
        return f"{prompts.SYSTEM}{self._more()}"

    def _needed(self) -> dict[str, bool]:
        return prompts.needs_in(self._ask_for(prompts.needs_question(self._instruction), "needs"))

    def _written(self, content: str) -> str:
        """Return the calls of this turn; empty if no reply has any."""
        content = content[: self._settings.text_tokens * _CHARS_PER_TOKEN]
        more = prompts.STEP_BY_STEP if self._method == "cot" else ""
        dialogue = self._dialogue if self._settings.history else []
        asked = prompts.question(self._instruction, self._told(), content, dialogue, more)
        if self._method == "tot":
            plan = self._voted(prompts.plan_question(asked), "plan")
            return prompts.code_in(self._voted(f"{asked}\n\nYour plan:\n{plan}", "calls"))
        if self._method == "self-consistency":
            return self._most_frequent(asked)
        return prompts.code_in(self._ask_for(asked, "calls"))

    def _voted(self, asked: str, wanted: str) -> str:
        drawn = [self._ask_for(asked, wanted) for _ in range(self._settings.samples)]
        if len(set(drawn)) == 1:
            return drawn[0]
        question = prompts.vote_question(asked, drawn)
        replies = [self._ask_for(question, "vote") for _ in range(self._settings.samples)]
        votes = Counter(prompts.choice_in(each, len(drawn)) for each in replies)
        return max(enumerate(drawn), key=lambda choice: votes[choice[0]])[1]  # the first of several

    def _most_frequent(self, asked: str) -> str:
        drawn = [
            prompts.code_in(self._ask_for(asked, "calls")) for _ in range(self._settings.samples)
        ]
        counts = Counter(_plain(each) for each in drawn if each)
        if not counts:
            return ""
        most = counts.most_common(1)[0][0]  # the first of several
        return next(each for each in drawn if _plain(each) == most)

    def _told(self) -> list[str]:
        """Return the lines about the APIs for the model."""
        lines = [prompts.api_line(each) for each in self._apis]
        if self._method != "api":
            return lines
        self._budget.require_left()
        begin = time.perf_counter()
        (*vectors, asked), tokens = self._embed([*lines, self._instruction])
        used = Usage(requests=int(bool(tokens)), input_tokens=tokens)
        self.usage += dataclasses.replace(used, model_sec=time.perf_counter() - begin)
        self._budget.add(used)
        # As in the benchmark, the APIs that nearly every turn needs are always included.
        names = [each["name"] for each in self._apis]
        always = [at for at, name in enumerate(names) if name in ALWAYS]
        order = [at for at in nearest(vectors, asked, len(vectors)) if at not in always]
        room = max(0, self._settings.api_top - len(always))
        return [lines[at] for at in sorted((*always, *order[:room]))]

    def _ask_for(self, words: str, wanted: str) -> str:
        """Return the model's reply; a cut-off or refused reply counts as empty."""
        self._budget.require_left()
        begin = time.perf_counter()
        answer = self._service.ask(Request(self._system(), [make_turn(words)]))
        found = self._meaning(answer, wanted)
        self._count(answer, found, time.perf_counter() - begin)
        self._note(words, answer, found)
        return "" if answer.problem else answer.reply.text.strip()

    def _meaning(self, answer: Answer, wanted: str) -> list[ToolCall] | ActionError:
        if answer.problem:
            return self._problem(answer)
        if wanted != "calls":
            return []
        code = prompts.code_in(answer.reply.text)
        if not code:
            return DialectError("expected calls between <code> and </code>, got none")
        return [ToolCall.of("run_calls", calls=code)]


def _is_told(name: str) -> bool:
    return name not in _NOT_APIS and not name.startswith(_LABELS_ONLY)


def _shown(tool: dict[str, Any]) -> dict[str, Any]:
    tool["parameters"].get("properties", {}).pop(_HIDDEN, None)
    return tool


def _plain(code: str) -> str:
    """Return calls without irrelevant differences: spaces around them and marks at their ends."""
    lines = (each.strip().rstrip(";").strip() for each in code.splitlines())
    return "\n".join(each for each in lines if each)
