"""Exporters: convert the episode store to the formats of trainers; one file per format."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from pptarena import plugins
from pptarena.rollouts.exporters.card import CARD, DatasetCard
from pptarena.rollouts.exporters.chat import export_chat
from pptarena.rollouts.exporters.dagger import why_no_correction
from pptarena.rollouts.exporters.filters import parse_filter
from pptarena.rollouts.exporters.in_dialect import stored_sources, why_not_in
from pptarena.rollouts.exporters.minari_dataset import export_minari
from pptarena.rollouts.exporters.source import SourceEpisode, episodes_of

__all__ = [
    "CARD",
    "EXPORTERS",
    "SCREENS_ONLY",
    "DatasetCard",
    "Exporter",
    "SourceEpisode",
    "episodes_of",
    "export_chat",
    "export_minari",
    "parse_filter",
    "stored_sources",
    "why_no_correction",
    "why_not_in",
]

Exporter = Callable[[Iterable[SourceEpisode], Path], Path]

EXPORTERS: Mapping[str, Exporter] = MappingProxyType(
    {name: plugins.import_object(place) for name, place in plugins.EXPORTERS.items()}
)
"""Exporters by format: they take episodes and a folder, and return the written path."""

SCREENS_ONLY = frozenset({"minari", "agentnet", "sharegpt"})
"""Formats of screenshots, which do not support episodes of the document environment."""
