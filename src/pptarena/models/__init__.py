"""Clients of model services: OpenAI and compatible servers, Anthropic and Gemini."""

from pptarena.models.endpoint import KEY_NAMES, Endpoint, read_key, require_service_url
from pptarena.models.messages import Answer, Call, Caption, Reply, Request, Service, Turn
from pptarena.models.service import Meter, ModelService
from pptarena.models.services import open_service

__all__ = [
    "KEY_NAMES",
    "Answer",
    "Call",
    "Caption",
    "Endpoint",
    "Meter",
    "ModelService",
    "Reply",
    "Request",
    "Service",
    "Turn",
    "open_service",
    "read_key",
    "require_service_url",
]
