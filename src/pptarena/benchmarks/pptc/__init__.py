"""PPTC: its sessions, its API calls, and an executor that applies them to decks."""

from pptarena.benchmarks.pptc.api import APIS, LABEL_ONLY, Api
from pptarena.benchmarks.pptc.api_objects import placeholder_picture
from pptarena.benchmarks.pptc.calls import Argument, Call, parse_calls
from pptarena.benchmarks.pptc.errors import CallError
from pptarena.benchmarks.pptc.executor import Executor, LabelDeck, label_decks
from pptarena.benchmarks.pptc.session import (
    Session,
    Turn,
    TurnFiles,
    load_session,
    load_sessions,
)

__all__ = [
    "APIS",
    "LABEL_ONLY",
    "Api",
    "Argument",
    "Call",
    "CallError",
    "Executor",
    "LabelDeck",
    "Session",
    "Turn",
    "TurnFiles",
    "label_decks",
    "load_session",
    "load_sessions",
    "parse_calls",
    "placeholder_picture",
]
