"""Sources: the parts of an observation that a model receives, selected by name."""

from collections.abc import Mapping
from types import MappingProxyType

from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

__all__ = ["NUMBERED", "PICTURES", "PRESETS", "SOURCES", "VIEWS", "read_sources"]

SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "clipboard-picture": "the picture that the agent copied last with `copy_image`",
        "previous": "screenshot of the previous request",
        "previous-marks": "the same with its numbered elements",
        "screenshot": "screenshot",
        "marks": "screenshot with numbered elements (Set-of-Marks)",
        "budget": "number of steps left",
        "window": "title of the active window",
        "slide": "number of the current slide, and of all slides",
        "windows": "titles of all windows",
        "clipboard": "text on the clipboard, or the agent's description of a copied picture",
        "actions": "the last 10 actions, as they were executed",
        "actions-short": "the last 3 actions, a few words each",
        "elements": "list of numbered elements, boxes in pixels of the picture",
        "elements-normalized": "list of numbered elements, corners from 0 to 1",
        "elements-short": "the most relevant numbered elements, in about 400 tokens",
        "tree": "accessibility tree as a table, elements without a number included",
        "task": "the instruction, last, where small models attend to it",
    }
)
"""Every source with its meaning, in the order in which a request contains them."""

PICTURES = ("clipboard-picture", "previous", "previous-marks", "screenshot", "marks")
"""The sources that are pictures; all others are text."""

NUMBERED = frozenset(
    ("previous-marks", "marks", "elements", "elements-normalized", "elements-short")
)
"""The sources that contain element numbers."""

_PROSOFT = "windows,window,clipboard,budget"
_NAVI = "window,windows,clipboard,actions"

PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "text": "elements,window,slide",
        "both": "marks,elements,window,slide",
        # ProSoftArena, tables 3 and 4, and table 11 for the text.
        "prosoft-screenshot": f"screenshot,{_PROSOFT}",
        "prosoft-screenshot-a11y": f"screenshot,tree,{_PROSOFT}",
        "prosoft-som": f"marks,elements-normalized,{_PROSOFT}",
        "prosoft-som-screenshot": f"marks,screenshot,elements-normalized,{_PROSOFT}",
        "prosoft-som-screenshot-a11y": f"marks,screenshot,tree,elements-normalized,{_PROSOFT}",
        # WindowsAgentArena, appendix D.1, and table 10 (Mind2Web) for its ablation.
        "waa-som-uia": f"previous,screenshot,marks,elements-normalized,{_NAVI}",
        "waa-text": f"elements-normalized,{_NAVI}",
        "waa-som": f"marks,elements-normalized,{_NAVI}",
        "waa-image-som": f"screenshot,marks,elements-normalized,{_NAVI}",
    }
)
"""Named selections: short names of common ones, and the settings of papers."""

VIEWS: Mapping[str, str] = MappingProxyType(
    {
        "screenshot": "screenshot,window,slide",
        "marks": "marks,window,slide",
        "text": "text",
        "both": "both",
    }
)
"""The selections of the former setting ``view``, which older episodes contain."""


def read_sources(see: str) -> tuple[str, ...]:
    """Return the sources of a selection, in the order of `SOURCES`.

    Args:
        see: Names of `SOURCES` and `PRESETS`, separated by commas.

    Raises:
        ConfigError: If there is no name, or one is unknown.
    """
    names = [name.strip() for name in see.split(",") if name.strip()]
    if not names:
        raise ConfigError(f"see: expected at least one of {', '.join(SOURCES)}, got none")
    selected: set[str] = set()
    for name in names:
        if name not in SOURCES and name not in PRESETS:
            hint = "`pptarena run --help` lists all."
            raise ConfigError(f"see: {not_found('source', name, (*SOURCES, *PRESETS), hint)}")
        selected.update(PRESETS[name].split(",") if name in PRESETS else (name,))
    return tuple(name for name in SOURCES if name in selected)
