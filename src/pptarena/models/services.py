"""The services of models by API."""

import importlib.util

from pptarena.errors import missing_package
from pptarena.models.connection import explain_proxy_errors
from pptarena.models.endpoint import Endpoint
from pptarena.models.service import ModelService
from pptarena.plugins import import_object

__all__ = ["open_service"]

_SERVICES = {
    "chat": ("openai", "openai", "pptarena.models.chat:ChatService"),
    "responses": ("openai", "openai", "pptarena.models.responses:ResponsesService"),
    "anthropic": ("anthropic", "anthropic", "pptarena.models.anthropic_service:AnthropicService"),
    "gemini": ("google.genai", "google-genai", "pptarena.models.gemini_service:GeminiService"),
}
"""By API: the module and the package of the vendor's client, and the service."""


def open_service(
    endpoint: Endpoint, key: str, purpose: str = "this dialect", extra: str = "models"
) -> ModelService:
    """Return the service of an endpoint.

    Args:
        endpoint: The endpoint.
        key: The API key, or an empty text.
        purpose: The feature that needs it, for messages.
        extra: The extra of pyproject.toml that installs its package.

    Raises:
        ConfigError: If its package is missing, or a proxy of the environment cannot be used.
    """
    module, package, class_path = _SERVICES[endpoint.api]
    try:
        is_installed = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is missing too
        is_installed = False
    if not is_installed:
        raise missing_package(purpose, package, extra)
    with explain_proxy_errors():
        service: ModelService = import_object(class_path)(endpoint, key)
    return service
