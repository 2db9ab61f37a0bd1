"""The description of a format, which each exporter module defines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["ExportFormat", "json_lines_code", "why_no_screen"]


def json_lines_code(path: str) -> str:
    """Return Python code that loads a file of JSON lines."""
    return (
        "import json\nfrom pathlib import Path\n\n"
        f'[json.loads(line) for line in Path("{path}").read_text().splitlines()]'
    )


def why_no_screen(episode: SourceEpisode) -> str:
    """Return why an episode has no screenshots; ``""`` if it has some."""
    if not episode.on_document:
        return ""
    return (
        "the format needs screenshots, and episodes of the document environment have none; use "
        "chat or atif"
    )


def _exports_all(episode: SourceEpisode) -> str:
    return ""


@dataclass(frozen=True)
class ExportFormat:
    """A format of exported episodes.

    Attributes:
        name: Its name on the command line.
        export: Writes episodes to a folder and returns the path of the data set.
        data_files: The data files relative to the folder, as a glob, for the Hugging Face Hub.
        loading_code: Takes the path of the data set relative to the folder and returns Python
            code that loads it, for the dataset card.
        why_not: Returns why an episode is skipped; ``""`` if it is exported.
    """

    name: str
    export: Callable[[Iterable[SourceEpisode], Path], Path]
    data_files: str
    loading_code: Callable[[str], str] = json_lines_code
    why_not: Callable[[SourceEpisode], str] = _exports_all
