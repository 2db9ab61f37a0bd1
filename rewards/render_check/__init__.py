"""Render check: measure the visibility of content on rendered slides."""

from pptarena.rewards.render_check.check import RenderCheck
from pptarena.rewards.render_check.result import IllegibleText, RenderCheckResult

__all__ = ["IllegibleText", "RenderCheck", "RenderCheckResult"]
