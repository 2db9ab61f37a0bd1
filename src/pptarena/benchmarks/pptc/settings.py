"""`Setting`: the available APIs, and the benchmark's treatment of other calls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from pptarena.benchmarks.pptc.api import APIS, Api
from pptarena.benchmarks.pptc.calls import Call
from pptarena.benchmarks.pptc.session import Session, Turn
from pptarena.benchmarks.pptc.update_apis import UPDATE_APIS
from pptarena.benchmarks.pptc.workspace import Workspace
from pptarena.errors import TaskError

__all__ = ["LACK_APIS", "SEEK", "SETTINGS", "Setting", "get_setting"]

SEEK: Final = "seek_assistance"
"""The call that asks a person for help with a request beyond the APIs."""

LACK_APIS: Final = (
    *("move_to_slide", "create_slide", "choose_title", "choose_content", "choose_picture"),
    *("choose_shape", "choose_textbox", "choose_table", "choose_table_cell", "insert_text"),
    *("insert_picture", "insert_rectangle", "insert_right_arrow", "insert_line_chart"),
    *("insert_bar_chart", "insert_pie_chart", "insert_table", "set_background_color"),
    *("set_font_color", "set_font_size", "set_font_bold", "set_height", "set_width"),
    *("set_left", "set_top"),
)
"""APIs available in the setting ``lack``."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of PPTC.

    Attributes:
        name: ``lack``, ``update``, or empty for the default.
        apis: Available APIs by name.
        decoys: APIs that are offered but never executed, by name.
    """

    name: str
    apis: Mapping[str, Api]
    decoys: Mapping[str, tuple[tuple[str, ...], str]]

    @property
    def family(self) -> str:
        """Name of the matching tool family in the document environment."""
        return f"pptc-{self.name}" if self.name else "pptc"

    def corrupts(self, call: Call) -> bool:
        """Return whether the benchmark corrupts the deck when a model makes a call.

        It writes a note on the first slide, which no label has. Like the benchmark, this method
        searches for names anywhere in the call: ``insert_textbox()`` contains ``insert_text``.
        """
        if self.name == "lack" and call.name != SEEK and call.text.strip().endswith(")"):
            return not any(name in call.text for name in LACK_APIS)
        return any(name in call.text for name in self.decoys)

    def with_help_requests(self, session: Session) -> Session:
        """Return a session whose labels ask for help where an API is missing."""
        if self.name != "lack":
            return session
        turns = (replace(turn, calls=tuple(map(_mask_call, turn.calls))) for turn in session.turns)
        return replace(session, turns=tuple(turns))

    def as_published(self, session: Session) -> Session:
        """Return a session whose labels contain only calls that the benchmark executes."""
        if self.name != "lack":
            return session
        turns = (replace(turn, calls=tuple(_executable_calls(turn))) for turn in session.turns)
        return replace(session, turns=tuple(turns))


def _mask_call(call: Call) -> Call:
    name = call.name or call.text.partition("(")[0].strip()
    return call if name in LACK_APIS else Call(SEEK, (), (), f"{SEEK}()")


def _executable_calls(turn: Turn) -> Iterable[Call]:
    return (call for call in turn.calls if any(name in call.text for name in LACK_APIS))


def _ask(work: Workspace) -> None:
    """Ask for help; the deck is unchanged."""


_LACK = {name: APIS[name] for name in LACK_APIS} | {SEEK: Api(_ask)}

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        setting.name: setting
        for setting in (
            Setting("", APIS, MappingProxyType({})),
            Setting("lack", MappingProxyType(_LACK), MappingProxyType({})),
            Setting("update", APIS, UPDATE_APIS),
        )
    }
)
"""All settings by name; the default's name is empty."""


def get_setting(name: str) -> Setting:
    """Return a setting by name; ``plain`` or empty for the default.

    Raises:
        TaskError: If the name is unknown.
    """
    setting = SETTINGS.get("" if name == "plain" else name)
    if setting is None:
        raise TaskError(f"setting: expected plain, lack or update, got {name[:80]!r}")
    return setting
