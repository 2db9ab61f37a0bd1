"""Which model plays, how it is asked and what it may cost."""

import dataclasses
import os
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from pptarena.agents.dialects import get_dialect
from pptarena.agents.model.knowledge import read_cards
from pptarena.errors import ConfigError
from pptarena.rewards.judges.config import require_service_url
from pptarena.suggestions import not_found

__all__ = ["VIEWS", "ModelSettings", "settings_from"]

VIEWS = ("screenshot", "marks", "text", "both")
"""What a model can be shown: the screen, the screen with marks, its text, marks and text."""

_POSITIVE = (
    *("pictures", "text_tokens", "max_output_tokens", "timeout_sec", "bad_answers"),
    *("knowledge_cards", "samples", "api_top"),
)
_KEY_NAMES = {
    "chat": "OPENAI_API_KEY",
    "responses": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Settings of a model that plays.

    The key is read from the environment when it is needed and kept nowhere.

    Attributes:
        model: Name of the model, as the service knows it.
        dialect: How it says actions, see `pptarena.agents.dialects.dialect_names`.
        base_url: Address of the service; None for that of the dialect's maker.
        api_key_env: Environment variable that holds the key; empty for that of the dialect's maker.
            With a `base_url` it may be unset, for servers that want none.
        view: One of `VIEWS`; empty for that of the dialect.
        history: How many earlier turns are sent along.
        pictures: How many of these keep their pictures, the last one included.
        text_tokens: About how long the screen as text may be, in tokens.
        slides: How many slides of a document are shown as pictures; None leaves it to the agent.
            Screens have none.
        temperature: None leaves it to the service.
        max_output_tokens: Longest answer.
        token_limit_field: How a chat endpoint calls that limit; newer OpenAI models want
            ``max_completion_tokens``.
        timeout_sec: Longest time for one request.
        retries: How often a request that failed on the way is sent again, after growing pauses.
        bad_answers: After so many answers in a row that mean no action the agent gives up.
        input_price_usd, output_price_usd: Price of a million tokens.
        max_tokens: Most tokens of a run, in and out; None for no bound.
        max_cost_usd: Most money of a run; None for no bound.
        prompt: More that the model is told, after the instruction.
        knowledge: Cards on how the application is used, told with the task: ``"impress"``, or a
            folder of the user; empty for none.
        knowledge_cards: How many of them, those that fit the instruction best.
        samples: How many answers agents draw that choose among several.
        api_top: How many calls an agent is told of that selects them.
        embeddings: The model of the same service that says which calls are near an instruction;
            empty for the words that they share.
        name: What a store calls this player; empty for model and dialect. Runs of one model with
            other settings need one each, or the second is taken for the first.
    """

    model: str
    dialect: str = "tools"
    base_url: str | None = None
    api_key_env: str = ""
    view: str = ""
    history: int = 8
    pictures: int = 3
    text_tokens: int = 4000
    slides: int | None = None
    temperature: float | None = None
    max_output_tokens: int = 4096
    token_limit_field: str = "max_tokens"
    timeout_sec: float = 120.0
    retries: int = 4
    bad_answers: int = 5
    input_price_usd: float = 0.0
    output_price_usd: float = 0.0
    max_tokens: int | None = None
    max_cost_usd: float | None = None
    prompt: str = ""
    knowledge: str = ""
    knowledge_cards: int = 3
    samples: int = 3
    api_top: int = 15
    embeddings: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot work.

        Raises:
            ConfigError: If a value is not allowed.
        """
        if not self.model.strip():
            raise ConfigError("model: expected the name of a model, got an empty text")
        get_dialect(self.dialect)
        if self.view and self.view not in VIEWS:
            raise ConfigError(f"view: expected one of {', '.join(VIEWS)}, got {self.view!r}")
        for name in _POSITIVE:
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name}: expected more than 0, got {getattr(self, name)}")
        for name in ("history", "retries", "input_price_usd", "output_price_usd", "slides"):
            if (getattr(self, name) or 0) < 0:
                raise ConfigError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if self.max_cost_usd is not None and not (self.input_price_usd or self.output_price_usd):
            raise ConfigError("max_cost_usd: expected input_price_usd and output_price_usd with it")
        if self.base_url is not None:
            require_service_url(self.base_url, self.key_name)
        if self.knowledge:
            read_cards(self.knowledge)

    @property
    def label(self) -> str:
        """The name under which a store keeps its episodes."""
        return self.name or f"{self.model.rpartition('/')[2]}--{self.dialect}"

    @property
    def key_name(self) -> str:
        """The environment variable that holds the key."""
        return self.api_key_env or _KEY_NAMES[get_dialect(self.dialect).api]

    def key(self) -> str:
        """Return the key; empty if the service wants none.

        Raises:
            ConfigError: If there is none, and no address of a service that may want none.
        """
        key = os.environ.get(self.key_name, "")
        if not key and self.base_url is None:
            raise ConfigError(
                f"expected a key in the environment variable {self.key_name}, or a base_url of a "
                "service that wants none"
            )
        return key

    @classmethod
    def from_options(cls, options: Iterable[str], **given: Any) -> Self:
        """Return the settings that texts such as ``"history=3"`` name; see `settings_from`."""
        return settings_from(cls, options, **given)


_Settings = TypeVar("_Settings")


def settings_from(cls: type[_Settings], options: Iterable[str], **given: Any) -> _Settings:
    """Return settings that texts such as ``"history=3"`` name.

    Args:
        cls: Their dataclass.
        options: One setting each; ``none`` stands for None.
        given: Settings by name, which win.

    Raises:
        ConfigError: If one is unknown, or its value makes no sense.
    """
    kinds = typing.get_type_hints(cls)
    known = {field.name: kinds[field.name] for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for option in options:
        name, found, text = option.partition("=")
        if not found:
            raise ConfigError(f"option {option!r}: expected NAME=VALUE, such as history=3")
        if name not in known:
            raise ConfigError(not_found("option", name, known))
        values[name] = _read(name, text, known[name])
    return cls(**values | {name: value for name, value in given.items() if value is not None})


def _read(name: str, text: str, kind: Any) -> Any:
    kinds = typing.get_args(kind) or (kind,)
    if type(None) in kinds and text.lower() == "none":
        return None
    for each, words in ((int, "a whole number"), (float, "a number")):
        if each in kinds:
            try:
                return each(text)
            except ValueError as error:
                raise ConfigError(f"{name}: expected {words}, got {text!r}") from error
    return text
