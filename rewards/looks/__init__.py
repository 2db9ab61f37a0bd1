"""Render check: rendered slides decide what deck facts can only estimate."""

from pptarena.rewards.looks.looked import Looked, Unseen
from pptarena.rewards.looks.looks import Looks

__all__ = ["Looked", "Looks", "Unseen"]
