"""The checks that rubrics are made of; importing this package registers them all."""

from pptarena.rewards.checks import (
    charts,
    formatting,
    geometry,
    judged,
    motion,
    pictures,
    shapes,
    slides,
    tables,
    text,
    unchanged,
)
from pptarena.rewards.checks.registry import CheckSpec, check, check_names, get_check
from pptarena.rewards.checks.result import CheckResult

__all__ = [
    "CheckResult",
    "CheckSpec",
    "charts",
    "check",
    "check_names",
    "formatting",
    "geometry",
    "get_check",
    "judged",
    "motion",
    "pictures",
    "shapes",
    "slides",
    "tables",
    "text",
    "unchanged",
]
