"""The checks that rubrics are made of; importing this package registers them all."""

from pptarena.rewards.checks import (  # noqa: F401, their decorators register the checks
    accessibility,
    animation_details,
    arrangement,
    chart_data,
    chart_looks,
    charts,
    comments,
    consistency,
    deck_settings,
    diagrams,
    fit,
    formatting,
    geometry,
    gold,
    judged,
    links,
    looks,
    media,
    motion,
    new_slides,
    pictures,
    python_leaf,
    shapes,
    slides,
    table_looks,
    table_order,
    tables,
    text,
    themes,
    unchanged,
    writing,
)
from pptarena.rewards.checks.definition import CheckSpec
from pptarena.rewards.checks.registry import check_names, get_check
from pptarena.rewards.checks.result import CheckResult

__all__ = ["CheckResult", "CheckSpec", "check_names", "get_check"]
