"""`PptcAgent`: a model that acts like the baselines of PPTC, one reply of calls per turn."""

import dataclasses
import re
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from pptarena.agents.model.agent import ModelAgent
from pptarena.agents.model.observer import make_turn
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
_EXCLUDED_TOOLS = ("done", "fail", "read_slide", "list_layouts", "get_content", "run_calls")
# The benchmark uses these APIs and this argument in labels, but hides them from models.
_LABEL_ONLY_PREFIXES = ("align_", "set_right", "set_bottom")
_HIDDEN_ARGUMENT = "beside"
_PPTC, _UPDATE = "pptc", "pptc-update"
_HELP = re.compile(r"\bseek_assistance\s*\(")


class PptcAgent(ModelAgent):
    """Asks a model once for the calls of each turn, and then sends ``done``.

    It runs on `PPTArenaDocEnv` with ``tools=("pptc",)`` and ``view="pptc"``. Every request contains
    the user's earlier requests and their answers; in a turn-based task, the labels. With
    ``history=0`` in the settings, requests leave out this conversation. A reply without calls has
    no effect, as in the benchmark. With the tools ``pptc-lack`` the model may ask for help, and the
    agent then sends ``fail`` instead of ``done``; with ``pptc-update`` the model receives all APIs
    sorted by name.

    - ``zero-shot`` asks for the calls, ``cot`` for step-by-step reasoning first.
    - ``tot`` is the tree of thoughts as its authors published it for texts: it samples several
      plans, selects one by as many votes, and does the same with answers to that plan.
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
        ConfigError: If the method or family of tools is unknown, or the service's package or key
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
        self._apis = [
            _without_hidden_argument(tool.to_json()) for tool in toolbox((tools,)).values()
        ]
        self._apis = [api for api in self._apis if _is_listed(api["name"])]
        self._may_ask_for_help = any(api["name"] == "seek_assistance" for api in self._apis)
        if tools == _UPDATE:  # otherwise the distractor APIs follow the others
            self._apis.sort(key=lambda api: str(api["name"]))

    def _start_episode(self, task: str, instruction: str) -> None:
        super()._start_episode(task, instruction)
        self._dialogue: list[tuple[str, str]] = []
        self._stage = "ask"
        self._end = "done"

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode."""
        super().reset(info, seed)
        for exchange in info["dialogue"]:
            calls = f"<code>\n{exchange['assistant']}\n</code>"
            self._dialogue.append((str(exchange["user"]), calls))

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
            return ToolCall("get_content", self._request_needs())
        content = observation["result" if self._stage == "write" else "outline"]
        code = self._request_code(str(content))
        self._dialogue.append((self._instruction, f"<code>\n{code}\n</code>"))
        self._stage = "done" if code else "ask"
        self._end = "fail" if self._may_ask_for_help and _HELP.search(code) else "done"
        return ToolCall.of("run_calls", calls=code) if code else ToolCall.of("done")

    def close(self) -> None:
        """Close all connections."""
        super().close()
        if self._embedder is not None:
            self._embedder.close()

    def _system(self) -> str:
        return f"{prompts.SYSTEM}{self._extra_prompt()}"

    def _request_needs(self) -> dict[str, bool]:
        return prompts.parse_needs(
            self._request(prompts.needs_question(self._instruction), "needs")
        )

    def _request_code(self, content: str) -> str:
        """Return the calls of this turn; empty if the replies contain none."""
        content = content[: self._settings.text_tokens * _CHARS_PER_TOKEN]
        suffix = prompts.STEP_BY_STEP if self._method == "cot" else ""
        dialogue = self._dialogue if self._settings.history else []
        prompt = prompts.question(self._instruction, self._api_lines(), content, dialogue, suffix)
        if self._method == "tot":
            plan = self._vote(prompts.plan_question(prompt), "plan")
            return prompts.parse_code(self._vote(f"{prompt}\n\nYour plan:\n{plan}", "calls"))
        if self._method == "self-consistency":
            return self._most_frequent(prompt)
        return prompts.parse_code(self._request(prompt, "calls"))

    def _vote(self, prompt: str, expected: str) -> str:
        samples = [self._request(prompt, expected) for _ in range(self._settings.samples)]
        if len(set(samples)) == 1:
            return samples[0]
        question = prompts.vote_question(prompt, samples)
        replies = [self._request(question, "vote") for _ in range(self._settings.samples)]
        votes = Counter(prompts.parse_choice(reply, len(samples)) for reply in replies)
        return max(enumerate(samples), key=lambda choice: votes[choice[0]])[1]  # the first if tied

    def _most_frequent(self, prompt: str) -> str:
        samples = [
            prompts.parse_code(self._request(prompt, "calls"))
            for _ in range(self._settings.samples)
        ]
        counts = Counter(_normalize_code(code) for code in samples if code)
        if not counts:
            return ""
        most_common = counts.most_common(1)[0][0]  # the first if tied
        return next(code for code in samples if _normalize_code(code) == most_common)

    def _api_lines(self) -> list[str]:
        """Return one line for each API that the model receives."""
        lines = [prompts.api_line(api) for api in self._apis]
        if self._method != "api":
            return lines
        self._budget.require_remaining()
        start_sec = time.perf_counter()
        (*vectors, query), tokens = self._embed([*lines, self._instruction])
        usage = Usage(requests=int(bool(tokens)), input_tokens=tokens)
        self.usage += dataclasses.replace(usage, model_sec=time.perf_counter() - start_sec)
        self._budget.add(usage)
        # As in the benchmark, the APIs that nearly every turn needs are always included.
        names = [api["name"] for api in self._apis]
        always = [index for index, name in enumerate(names) if name in ALWAYS]
        order = [index for index in nearest(vectors, query, len(vectors)) if index not in always]
        max_ranked = max(0, self._settings.api_top - len(always))
        return [lines[index] for index in sorted((*always, *order[:max_ranked]))]

    def _request(self, prompt: str, expected: str) -> str:
        """Return the model's reply; a cut-off or refused reply counts as empty."""
        self._budget.require_remaining()
        start_sec = time.perf_counter()
        answer = self._service.ask(Request(self._system(), [make_turn(prompt)]))
        outcome = self._parse_reply(answer, expected)
        self._count_usage(answer, outcome, time.perf_counter() - start_sec)
        self._record_message(prompt, answer, outcome)
        return "" if answer.problem else answer.reply.text.strip()

    def _parse_reply(self, answer: Answer, expected: str) -> list[ToolCall] | ActionError:
        if answer.problem:
            return self._answer_error(answer)
        if expected != "calls":
            return []
        code = prompts.parse_code(answer.reply.text)
        if not code:
            return DialectError("expected calls between <code> and </code>, got none")
        return [ToolCall.of("run_calls", calls=code)]


def _is_listed(name: str) -> bool:
    return name not in _EXCLUDED_TOOLS and not name.startswith(_LABEL_ONLY_PREFIXES)


def _without_hidden_argument(tool: dict[str, Any]) -> dict[str, Any]:
    tool["parameters"].get("properties", {}).pop(_HIDDEN_ARGUMENT, None)
    return tool


def _normalize_code(code: str) -> str:
    """Return calls without surrounding spaces and final semicolons."""
    lines = (line.strip().rstrip(";").strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line)
