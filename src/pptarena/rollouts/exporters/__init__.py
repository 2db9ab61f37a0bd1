"""Exporters: convert the episode store to the formats of trainers; one file per format."""

from collections.abc import Mapping
from types import MappingProxyType

from pptarena import plugins
from pptarena.rollouts.exporters.card import CARD, DatasetCard
from pptarena.rollouts.exporters.export_format import ExportFormat
from pptarena.rollouts.exporters.filters import parse_filter
from pptarena.rollouts.exporters.in_dialect import stored_sources, why_not_in
from pptarena.rollouts.exporters.source import SourceEpisode, episodes_of

__all__ = [
    "CARD",
    "EXPORTERS",
    "DatasetCard",
    "ExportFormat",
    "SourceEpisode",
    "episodes_of",
    "parse_filter",
    "stored_sources",
    "why_not_in",
]

EXPORTERS: Mapping[str, ExportFormat] = MappingProxyType(
    {name: plugins.import_object(place) for name, place in plugins.EXPORTERS.items()}
)
"""Formats by name."""
