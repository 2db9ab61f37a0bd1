"""The services of models by the API that a dialect needs."""

from pptarena.agents.dialects import Dialect
from pptarena.agents.model.service import Answer, Request, Service
from pptarena.agents.model.settings import ModelSettings
from pptarena.errors import EndpointClosedError, EndpointUnreachableError
from pptarena.plugins import import_object
from pptarena.rewards.judges.connection import clear_proxy_errors

__all__ = ["make_service"]

_SERVICES = {
    "chat": "pptarena.agents.model.chat:ChatService",
    "responses": "pptarena.agents.model.responses:ResponsesService",
    "anthropic": "pptarena.agents.model.anthropic_service:AnthropicService",
    "gemini": "pptarena.agents.model.gemini_service:GeminiService",
}
_MOST_FAILURES = 3  # in a row, after the service has answered before


def make_service(settings: ModelSettings, dialect: Dialect, key: str) -> Service:
    """Return the service that a dialect requires.

    Raises:
        ConfigError: If its package is missing, or a proxy of the environment cannot be used.
    """
    with clear_proxy_errors():
        service: Service = import_object(_SERVICES[dialect.api])(settings, dialect, key)
    return _Watched(service)


class _Watched:
    """A service that ends the run when it is unreachable, instead of failing each episode."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._answered, self._failures = False, 0

    def ask(self, request: Request) -> Answer:
        try:
            answer = self._service.ask(request)
        except EndpointUnreachableError as error:
            self._failures += 1
            if not self._answered:
                raise EndpointClosedError(str(error)) from error
            if self._failures >= _MOST_FAILURES:
                raise EndpointClosedError(f"{error}, {self._failures} times in a row") from error
            raise
        self._answered, self._failures = True, 0
        return answer

    def close(self) -> None:
        self._service.close()
