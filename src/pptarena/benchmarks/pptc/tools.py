"""API calls as tools of a document environment: one tool per call, and one for call sequences."""

import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol

from pydantic import Field

from pptarena.benchmarks.pptc.api import Api
from pptarena.benchmarks.pptc.arguments import Parameter
from pptarena.benchmarks.pptc.calls import MAX_SEQUENCE_CHARS, Argument, Call, parse_label
from pptarena.benchmarks.pptc.descriptions import API_NOTES, ARGUMENT_NOTES
from pptarena.benchmarks.pptc.errors import CallError
from pptarena.benchmarks.pptc.executor import execute_call
from pptarena.benchmarks.pptc.find import type_name
from pptarena.benchmarks.pptc.pptx_match import reader_text
from pptarena.benchmarks.pptc.pptx_match.reader_text import NEEDS
from pptarena.benchmarks.pptc.settings import SETTINGS, Setting
from pptarena.benchmarks.pptc.workspace import Workspace
from pptarena.decks import read_deck
from pptarena.errors import ActionError

__all__ = ["FAMILY", "LACK", "MAX_CALLS", "UPDATE", "EditableDocument", "PptcFamily"]

MAX_CALLS: Final = 100
"""Maximum number of calls per sequence; the longest label has 29."""

_MAX_CELLS = 5_000
_STATE = "pptc"
_ANYTHING = str | float | list[str | float]
_CELL = "{http://schemas.openxmlformats.org/drawingml/2006/main}tc"


class EditableDocument(Protocol):
    """The part of an environment's document that the calls use."""

    @property
    def presentation(self) -> Any:
        """The deck as a python-pptx presentation."""
        ...

    @property
    def state(self) -> dict[str, Any]:
        """State kept between tool calls; cleared when the deck is reopened."""
        ...

    def slide(self, slide: int) -> Any:
        """Return the slide at a position, from 1, for editing."""
        ...

    def require_room(self, slides: int = 0, shapes: int = 0) -> None:
        """Refuse to exceed the size limits of the deck."""
        ...

    def to_bytes(self) -> bytes:
        """Return the deck as a .pptx file."""
        ...


@dataclass(frozen=True, slots=True)
class PptcFamily:
    """The tools of PPTC.

    Attributes:
        reading: Tools that do not change the document.
        changing: Tools that change the document or the selection.
    """

    reading: tuple[Callable[..., str], ...]
    changing: tuple[Callable[..., str], ...]

    def view(self, document: EditableDocument) -> str:
        """Return the deck as the benchmark shows it to models, and the selection."""
        return get_content(document)


def _run_calls(setting: Setting) -> Callable[..., str]:
    """Return the tool that executes call sequences, with the setting's missing APIs and decoys."""

    def run_calls(
        document: EditableDocument,
        calls: Annotated[str, Field(min_length=1, max_length=MAX_SEQUENCE_CHARS)],
    ) -> str:
        """Carry out calls in the benchmark's own syntax, in order; those that fail are passed over.

        Args:
            calls: Such as choose_title();insert_text("Hello").
        """
        parsed = parse_label(calls)
        if not 1 <= len(parsed) <= MAX_CALLS:
            raise ActionError(f"expected 1 to {MAX_CALLS} calls, got {len(parsed)}")
        work = _workspace(document)
        failed: list[str] = []
        for call in parsed:
            try:
                _execute_in(document, work, call, setting.apis)
            except (CallError, ActionError) as error:
                is_decoy = call.name in setting.decoys
                failed.append(_without_effect(call.name) if is_decoy else str(error))
        # Calls that the benchmark penalizes must be recorded, unlike refused steps.
        if len(failed) == len(parsed) and not any(map(setting.corrupts, parsed)):
            raise ActionError("; ".join(failed))
        return "\n".join((*(f"passed over: {error_text}" for error_text in failed), _status(work)))

    return run_calls


def get_content(
    document: EditableDocument,
    need_text: bool = True,
    need_style: bool = True,
    need_position: bool = True,
    need_title: bool = True,
    need_content: bool = True,
    need_picture: bool = True,
    need_table: bool = True,
    need_chart: bool = True,
    need_textbox: bool = True,
    need_shape: bool = True,
) -> str:
    """Read the deck as the benchmark shows it, or the parts of it that are needed.

    Args:
        need_text: Whether to show text, tables and data of charts.
        need_style: Whether to show type, colours and rotation.
        need_position: Whether to show sizes and places.
        need_title: Whether to show titles.
        need_content: Whether to show contents.
        need_picture: Whether to show pictures.
        need_table: Whether to show tables.
        need_chart: Whether to show charts.
        need_textbox: Whether to show text boxes.
        need_shape: Whether to show other shapes.
    """
    flags = (need_title, need_content, need_picture, need_table, need_chart, need_textbox)
    excluded = {name for name, need in zip(NEEDS, (*flags, need_shape), strict=True) if not need}
    text = reader_text(
        read_deck(document.to_bytes()),
        text=need_text,
        style=need_style,
        position=need_position,
        excluded=excluded,
    )
    return f"{_status(_workspace(document))}\n{text}"


def _workspace(document: EditableDocument) -> Workspace:
    workspace = document.state.get(_STATE)
    if workspace is None:
        workspace = document.state[_STATE] = Workspace(document.presentation)
    assert isinstance(workspace, Workspace)
    workspace.drop_stale_references()
    return workspace


def _execute_in(
    document: EditableDocument, work: Workspace, call: Call, apis: Mapping[str, Api]
) -> None:
    if len(work.presentation.slides):
        document.slide(work.slide_index + 1)
    if call.name == "create_slide":
        document.require_room(slides=1, shapes=2)
    elif call.name.startswith("insert_"):
        document.require_room(shapes=1)
    if call.name in ("insert_table", "insert_table_row"):
        _require_cells(work)
    execute_call(work, call, apis)


def _require_cells(work: Workspace) -> None:
    count = sum(1 for slide in work.presentation.slides for _ in slide._element.iter(_CELL))
    if count > _MAX_CELLS:
        raise ActionError(f"expected at most {_MAX_CELLS} cells of tables, the deck has {count}")


def _status(work: Workspace) -> str:
    selected = "nothing"
    if work.current is not None:
        selected = (
            "a cell of the table" if hasattr(work.current, "_tc") else type_name(work.current)
        )
    return f"You are at page {work.slide_index}. Chosen: {selected or 'an object'}."


def _without_effect(name: str) -> str:
    return f"{name} has no effect here: no instruction needs it"


def _tool(name: str, apis: Mapping[str, Api]) -> Callable[..., str]:
    """Return an API as a function with named arguments, from which its schema is derived."""
    parameters = apis[name].parameters

    def run(document: EditableDocument, **values: Any) -> str:
        arguments = {parameter: value for parameter, value in values.items() if value is not None}
        keywords = tuple((parameter, _plain(value)) for parameter, value in arguments.items())
        work = _workspace(document)
        try:
            _execute_in(document, work, Call(name, (), keywords, _call_text(name, arguments)), apis)
        except CallError as error:
            raise ActionError(str(error)) from error
        return _status(work)

    run.__doc__ = "\n".join(_doc(name, parameters))
    hints = {
        parameter.name: parameter.kind | None if parameter.optional else parameter.kind
        for parameter in parameters
    }
    return _with_signature(
        run, name, hints, {parameter.name for parameter in parameters if parameter.optional}
    )


def _decoy(name: str, parameters: Sequence[str], note: str) -> Callable[..., str]:
    """Return an API that is offered but does nothing; it accepts any arguments."""

    def run(document: EditableDocument, **values: Any) -> str:
        return _without_effect(name)

    descriptions = (
        f"    {parameter}: The {parameter.replace('_', ' ')}." for parameter in parameters
    )
    run.__doc__ = "\n".join((note, *(["\nArgs:"] if parameters else []), *descriptions))
    return _with_signature(run, name, dict.fromkeys(parameters, _ANYTHING), ())


def _with_signature(
    run: Callable[..., str], name: str, hints: Mapping[str, Any], optional: Container[str]
) -> Callable[..., str]:
    """Set the name and named parameters of a function, from which its schema is derived."""
    empty = inspect.Parameter.empty
    run.__name__ = run.__qualname__ = name
    run.__annotations__ = {"document": EditableDocument, **hints, "return": str}
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter("document", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(
                inspect.Parameter(
                    name_,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=None if name_ in optional else empty,
                )
                for name_ in hints
            ),
        ]
    )
    return run


def _doc(name: str, parameters: Iterable[Parameter]) -> Iterator[str]:
    yield API_NOTES[name]
    if parameters:
        yield "\nArgs:"
    for parameter in parameters:
        yield f"    {parameter.name}: {ARGUMENT_NOTES[parameter.name]}."


def _plain(value: Any) -> Argument:
    if isinstance(value, list):
        return tuple(map(_plain, value))
    plain: Argument = value
    return plain


def _call_text(name: str, values: dict[str, Any]) -> str:
    arguments = ", ".join(f"{argument}={value!r}" for argument, value in values.items())
    return f"{name}({arguments})"[:200]


def _family(setting: Setting) -> PptcFamily:
    decoys = (_decoy(name, *details) for name, details in setting.decoys.items())
    tools = (_tool(name, setting.apis) for name in setting.apis)
    return PptcFamily((get_content, *decoys), (_run_calls(setting), *tools))


FAMILY: Final = _family(SETTINGS[""])
"""The 49 calls, the eleven that occur only in labels, call sequences, and the reader."""

LACK: Final = _family(SETTINGS["lack"])
"""The 25 calls of the setting ``lack``, and the call that asks for help."""

UPDATE: Final = _family(SETTINGS["update"])
"""All calls, and the 97 calls of a newer version that no instruction needs: they do nothing."""
