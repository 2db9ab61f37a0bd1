"""Stand-ins for PowerPoint's object model and for the Windows API."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from pptarena.vm_images.windows.input_events import InputEvent
from pptarena.vm_images.windows.system import Window

REJECTED, DISCONNECTED, REFUSED = -2147418111, -2147417848, -2147188160


class ComError(Exception):
    """A COM error like that of pywin32."""

    def __init__(self, hresult: int) -> None:
        super().__init__(hresult, "stand-in")
        self.hresult = hresult


class PowerPointStandIn:
    """A PowerPoint process with its ``Application`` object and its open deck."""

    def __init__(self) -> None:
        self.code: int | None = None  # exit code of the process
        self.starts = 0
        self.calls_to_reject = 0
        self.settings: dict[str, Any] = {}
        self.deck: Any = None
        self.is_open = False
        self.saved = -1
        self.selection = 0
        self.view_slide: int | None = 1
        self.saves = 0

    # actions of a user

    def edit(self, title: str) -> None:
        self.deck.slides[0].shapes.title.text = title
        self.saved = 0

    # calls of the guest

    def connect(self) -> "Application":
        self.starts += 1
        self.code, self.is_open = None, False
        return Application(self)

    def exit_code(self) -> int | None:
        return self.code

    def take_call(self) -> None:
        if self.code is not None:
            raise ComError(DISCONNECTED)
        if self.calls_to_reject:
            self.calls_to_reject -= 1
            raise ComError(REJECTED)


class Application:
    Version, Build = "16.0", "17928"

    def __init__(self, world: PowerPointStandIn) -> None:
        object.__setattr__(self, "world", world)

    def __setattr__(self, name: str, value: object) -> None:
        self.world.take_call()  # type: ignore[attr-defined]
        self.world.settings[name] = value  # type: ignore[attr-defined]

    @property
    def Presentations(self) -> "Presentations":
        return Presentations(self.world)  # type: ignore[attr-defined]


class Presentations:
    def __init__(self, world: PowerPointStandIn) -> None:
        self.world = world

    def Open(self, path: str, read_only: int, untitled: int, window: int) -> "Document":
        self.world.take_call()
        assert (read_only, untitled, window) == (0, 0, -1)
        try:
            self.world.deck = Presentation(path)
        except Exception as error:
            raise ComError(REFUSED) from error
        self.world.is_open, self.world.saved, self.world.selection = True, -1, 0
        return Document(self.world)


class Document:
    def __init__(self, world: PowerPointStandIn) -> None:
        self.world = world

    def require(self) -> None:
        self.world.take_call()
        if not self.world.is_open:
            raise ComError(REFUSED)

    @property
    def Saved(self) -> int:
        self.require()
        return self.world.saved

    @property
    def Slides(self) -> "SlideCollection":
        self.require()
        return SlideCollection(len(self.world.deck.slides))

    @property
    def Windows(self) -> "DocumentWindows":
        self.require()
        return DocumentWindows(self.world)

    def SaveCopyAs(self, path: str, kind: int) -> None:
        self.require()
        assert kind == 24
        self.world.saves += 1
        properties = self.world.deck.core_properties
        properties.revision = self.world.saves  # differs in every save
        self.world.deck.save(path)


class SlideCollection:
    def __init__(self, count: int) -> None:
        self.Count = count


class DocumentWindows:
    Count = 1

    def __init__(self, world: PowerPointStandIn) -> None:
        self.world = world

    def __call__(self, number: int) -> "DocumentWindow":
        assert number == 1
        return DocumentWindow(self.world)


class DocumentWindow:
    def __init__(self, world: PowerPointStandIn) -> None:
        self.world = world
        self.WindowState = self.ViewType = 0

    def Activate(self) -> None:
        self.world.take_call()

    @property
    def Selection(self) -> "Selection":
        return Selection(self.world)

    @property
    def View(self) -> "View":
        return View(self.world)


class Selection:
    def __init__(self, world: PowerPointStandIn) -> None:
        self.world = world

    @property
    def Type(self) -> int:
        return self.world.selection

    @property
    def ShapeRange(self) -> "Selection":
        return self

    def Select(self) -> None:
        self.world.selection = 2


class View:
    def __init__(self, world: PowerPointStandIn) -> None:
        self.world = world

    def GotoSlide(self, number: int) -> None:
        self.world.view_slide = number

    @property
    def Slide(self) -> "View":
        if self.world.view_slide is None:
            raise ComError(REFUSED)
        return self

    @property
    def SlideIndex(self) -> int:
        assert self.world.view_slide is not None
        return self.world.view_slide


class SystemStandIn:
    """A Windows with processes, windows and a clipboard."""

    def __init__(self) -> None:
        self.running = {1: "explorer.exe", 2: "python.exe"}
        self.open_windows = [
            Window(11, 1, "Program Manager", "Progman"),
            Window(12, 2, "guest", "Con"),
        ]
        self.sent: list[InputEvent] = []
        self.text: str | None = None
        self.bitmap: bytes | None = None
        self.number = 0
        self.reads = 0
        self.calls: list[tuple[str, int]] = []

    def windows(self) -> list[Window]:
        return list(self.open_windows)

    def activate(self, handle: int) -> None:
        self.calls.append(("activate", handle))

    def close(self, handle: int) -> None:
        self.calls.append(("close", handle))

    def processes(self) -> dict[int, str]:
        return dict(self.running)

    def end(self, pid: int) -> None:
        self.calls.append(("end", pid))
        self.running.pop(pid, None)
        self.open_windows = [window for window in self.open_windows if window.pid != pid]

    def busy_seconds(self, pid: int) -> float:
        return 0.0

    def set_screen_size(self, width_px: int, height_px: int) -> tuple[int, int]:
        return width_px, height_px

    def send(self, events: list[InputEvent]) -> None:
        self.sent += events

    def key_for(self, character: str) -> tuple[int, bool] | None:
        """A keyboard of the United States, in part."""
        keys = {"+": (0xBB, True), "=": (0xBB, False), "?": (0xBF, True), "é": None}
        return keys.get(character, (0xC0, False) if character.isascii() else None)

    def clipboard_number(self) -> int:
        return self.number

    def clipboard_text(self) -> str:
        self.reads += 1
        return self.text or ""

    def set_clipboard(self, text: str | None, bitmap: bytes | None) -> None:
        self.number += 1
        self.text, self.bitmap = text, bitmap


@pytest.fixture
def system() -> SystemStandIn:
    return SystemStandIn()


@pytest.fixture
def world() -> PowerPointStandIn:
    return PowerPointStandIn()


@pytest.fixture
def com_error() -> type[ComError]:
    return ComError


@pytest.fixture
def deck_file(tmp_path: Path) -> Path:
    """Two slides, the first with the title Harvest."""
    presentation = Presentation()
    for title in ("Harvest", "Orchard"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
    path = tmp_path / "plan.pptx"
    presentation.save(str(path))
    return path


@pytest.fixture
def first_title() -> Callable[[bytes], str]:
    """Return the title of the first slide of a deck."""
    return lambda deck: str(Presentation(BytesIO(deck)).slides[0].shapes.title.text)
