"""The model service of an agent."""

from pptarena.agents.dialects import Dialect
from pptarena.agents.model.settings import ModelSettings
from pptarena.errors import EndpointClosedError, EndpointUnreachableError
from pptarena.models import Answer, Endpoint, Request, Service, open_service

__all__ = ["make_endpoint", "make_service"]

_ENDPOINT_FIELDS = (
    *("model", "base_url", "temperature", "top_p", "max_output_tokens"),
    *("token_limit_field", "timeout_sec", "retries"),
)
_MAX_FAILURES = 3  # consecutive failures after an answer


def make_endpoint(settings: ModelSettings, api: str, beta: str | None = None) -> Endpoint:
    """Return the endpoint of a model's settings."""
    return Endpoint(
        api=api, beta=beta, **{name: getattr(settings, name) for name in _ENDPOINT_FIELDS}
    )


def make_service(settings: ModelSettings, dialect: Dialect, key: str) -> Service:
    """Return the service that a dialect requires.

    Raises:
        ConfigError: If its package is missing, or a proxy of the environment cannot be used.
    """
    endpoint = make_endpoint(settings, dialect.api, getattr(dialect, "beta", None))
    return _MonitoredService(open_service(endpoint, key))


class _MonitoredService:
    """A service that ends the run when it is unreachable, instead of failing each episode."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._has_answered, self._failures = False, 0

    def ask(self, request: Request) -> Answer:
        try:
            answer = self._service.ask(request)
        except EndpointUnreachableError as error:
            self._failures += 1
            if not self._has_answered:
                raise EndpointClosedError(str(error)) from error
            if self._failures >= _MAX_FAILURES:
                raise EndpointClosedError(f"{error}, {self._failures} times in a row") from error
            raise
        self._has_answered, self._failures = True, 0
        return answer

    def close(self) -> None:
        self._service.close()
