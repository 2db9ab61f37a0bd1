"""PPTPilot: an agent that plans, routes, edits, checks the result, and revises."""

from pptarena.agents.pptpilot.agent import PPTPilot
from pptarena.agents.pptpilot.settings import PilotSettings
from pptarena.agents.pptpilot.work import (
    Checker,
    Edit,
    Editor,
    Plan,
    Planner,
    Router,
    Verdict,
    Work,
)

__all__ = [
    "Checker",
    "Edit",
    "Editor",
    "PPTPilot",
    "PilotSettings",
    "Plan",
    "Planner",
    "Router",
    "Verdict",
    "Work",
]
