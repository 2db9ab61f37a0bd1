"""Settings of a model agent: the model, its requests and its budget."""

import dataclasses
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from pptarena.agents.dialects import get_dialect
from pptarena.agents.model.knowledge import read_cards
from pptarena.errors import ConfigError
from pptarena.models import KEY_NAMES, read_key, require_service_url
from pptarena.sources import VIEWS, read_sources
from pptarena.suggestions import not_found

__all__ = ["DEFAULT_DIALECT", "ModelSettings", "parse_settings"]

DEFAULT_DIALECT = "tools"
"""The dialect for models without a native action format."""

_POSITIVE = (
    *("pictures", "text_tokens", "max_output_tokens", "timeout_sec", "bad_answers"),
    *("knowledge_cards", "samples", "api_top"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Settings of a model agent.

    The key is read from the environment when it is needed and not stored.

    Attributes:
        model: Name of the model at the service.
        dialect: Its action format, see `pptarena.agents.dialects.dialect_names`.
        base_url: Address of the service; None for that of the dialect's vendor.
        api_key_env: Environment variable with the key; empty for that of the dialect's vendor. With
            a `base_url` it may be unset, for servers that need no key.
        see: The sources that the model receives: names of `SOURCES` and `PRESETS`, separated by
            commas; empty for the sources of the dialect.
        history: Number of earlier turns in a request.
        pictures: Number of turns that keep their pictures, including the last one.
        text_tokens: Approximate maximum length of the list of elements, in tokens.
        slides: Number of slides of a document that are sent as pictures; None for the agent's
            default. Not used for screens.
        temperature, top_p: None for the default of the service.
        max_output_tokens: Maximum length of a reply.
        token_limit_field: Name of that limit at a chat endpoint; newer OpenAI models need
            ``max_completion_tokens``.
        timeout_sec: Timeout of one request.
        retries: Maximum number of retries of a lost request, after increasing delays.
        bad_answers: The agent gives up after this number of replies in a row without a valid
            action.
        input_price_usd, output_price_usd: Price of a million tokens.
        max_tokens: Maximum tokens of a run, input and output; None for no limit.
        max_cost_usd: Maximum cost of a run; None for no limit.
        prompt: Additional text for the model, after the instruction.
        knowledge: Cards about the application that are sent with the task: ``"impress"``, or a
            user's folder; empty for none.
        knowledge_cards: Number of cards; the best matches for the instruction are sent.
        samples: Number of replies that agents sample if they choose among several.
        api_top: Number of calls that an agent with call selection is offered.
        embeddings: The embedding model of the same service that ranks calls by similarity to an
            instruction; empty to rank them by shared words.
        name: Name of this agent in a store; empty for model, dialect and `see`. Runs of one model
            that differ in other settings need different names; otherwise the second run counts as
            part of the first.
        view: Former spelling of `see`, with one of `VIEWS`.
    """

    model: str
    dialect: str = DEFAULT_DIALECT
    base_url: str | None = None
    api_key_env: str = ""
    see: str = ""
    history: int = 8
    pictures: int = 3
    text_tokens: int = 4000
    slides: int | None = None
    temperature: float | None = None
    top_p: float | None = None
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
    view: dataclasses.InitVar[str] = ""

    def __post_init__(self, view: str) -> None:
        """Validate the settings.

        Raises:
            ConfigError: If a value is not allowed.
        """
        if not self.model.strip():
            raise ConfigError("model: expected the name of a model, got an empty text")
        get_dialect(self.dialect)
        if view:
            if view not in VIEWS:
                raise ConfigError(f"view: {not_found('view', view, VIEWS)}")
            object.__setattr__(self, "see", VIEWS[view])
        if self.see:
            read_sources(self.see)
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
        """The name under which a store keeps the episodes."""
        parts = (
            self.model.rpartition("/")[2],
            self.dialect,
            self.see.replace(" ", "").replace(",", "_"),
        )
        return self.name or "--".join(filter(None, parts))

    @property
    def key_name(self) -> str:
        """The environment variable with the key."""
        return self.api_key_env or KEY_NAMES[get_dialect(self.dialect).api]

    def key(self) -> str:
        """Return the key; empty if the service needs none.

        Raises:
            ConfigError: If there is no key and no `base_url`.
        """
        return read_key(self.key_name, self.base_url)

    @classmethod
    def from_options(cls, options: Iterable[str], **overrides: Any) -> Self:
        """Parse settings such as ``"history=3"``; see `parse_settings`."""
        return parse_settings(cls, options, **overrides)


_Settings = TypeVar("_Settings")


def parse_settings(cls: type[_Settings], options: Iterable[str], **overrides: Any) -> _Settings:
    """Parse settings such as ``"history=3"``.

    Args:
        cls: The dataclass of the settings.
        options: One setting each; ``none`` means None.
        overrides: Values by name, which take precedence.

    Raises:
        ConfigError: If a setting is unknown, or its value is invalid.
    """
    kinds = typing.get_type_hints(cls)
    types = {field.name: kinds[field.name] for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    deprecated = {name for name, kind in kinds.items() if isinstance(kind, dataclasses.InitVar)}
    types |= dict.fromkeys(deprecated, str)
    values: dict[str, Any] = {}
    for option in options:
        name, separator, text = option.partition("=")
        if not separator:
            raise ConfigError(f"option {option!r}: expected NAME=VALUE, such as history=3")
        if name not in types:
            raise ConfigError(not_found("option", name, types))
        values[name] = _parse_value(name, text, types[name])
    return cls(**values | {name: value for name, value in overrides.items() if value is not None})


def _parse_value(name: str, text: str, kind: Any) -> Any:
    kinds = typing.get_args(kind) or (kind,)
    if type(None) in kinds and text.lower() == "none":
        return None
    for type_, description in ((int, "a whole number"), (float, "a number")):
        if type_ in kinds:
            try:
                return type_(text)
            except ValueError as error:
                raise ConfigError(f"{name}: expected {description}, got {text!r}") from error
    return text
