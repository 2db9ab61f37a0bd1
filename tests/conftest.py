"""Shared fixtures: a small deck with one object of each type, and a server of chat completions.

Hypothesis runs without deadlines because test computers may be slow.
"""

import gc
import io
import json
import os
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Emu, Inches, Pt
from tests.slide_edits import shape_named

from pptarena.decks.package_writer import write_package
from pptarena.rewards import Deck, load_rubric, load_scope, read_deck, score
from pptarena.rewards.scoring import ScoredNode

# pytest-xdist runs several processes; with a thread per core each, they slow each other down.
os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("pptarena", deadline=None)
settings.load_profile("pptarena")

KEY = "sk-only-tests-know-this-4711"

_WITHOUT_MARKS = re.compile(r"not \w+(?: and not \w+)*")
_NIGHTLY_TIMEOUT_SEC = 4 * 3600
_MODULE_MARKS = re.compile(r"^pytestmark = (.*)$", re.MULTILINE)
# Allocations that trigger a garbage collection; Python's default is 700.
_GC_ALLOCATIONS = 100_000


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--cases N``, which `make test-fast` uses."""
    text = "run at most N cases of each parametrized test: the first, the last and some between"
    parser.addoption("--cases", type=int, metavar="N", help=text)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip importing modules that ``-m "not image and not slow"`` deselects entirely.

    Many of them import large packages, in every process of pytest-xdist.
    """
    expression = config.option.markexpr
    if collection_path.suffix != ".py" or not _WITHOUT_MARKS.fullmatch(expression):
        return None
    marks = _MODULE_MARKS.search(collection_path.read_text("utf-8"))
    if marks is None:
        return None
    excluded = set(expression.split()) - {"not", "and"}
    return True if excluded.intersection(re.findall(r"mark\.(\w+)", marks[1])) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Disable garbage collection while modules are imported."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exempt modules and tests from garbage collection: they live until the end."""
    gc.freeze()
    gc.set_threshold(_GC_ALLOCATIONS, *gc.get_threshold()[1:])
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before other plugins sort the items
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect nightly tests, which may take hours, unless ``-m`` names them; apply ``--cases``."""
    for item in items:
        if item.get_closest_marker("nightly") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(_NIGHTLY_TIMEOUT_SEC))
    if "nightly" not in config.option.markexpr:
        _select(config, items, [item for item in items if not item.get_closest_marker("nightly")])
    if max_cases := config.getoption("--cases"):
        cases: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in items:
            cases[item.nodeid.partition("[")[0]].append(item)
        sample = {item for group in cases.values() for item in _sample(group, max_cases)}
        _select(config, items, [item for item in items if item in sample])


def _select(config: pytest.Config, items: list[pytest.Item], selected: list[pytest.Item]) -> None:
    deselected = set(items).difference(selected)
    config.hook.pytest_deselected(items=[item for item in items if item in deselected])
    items[:] = selected


def _sample(cases: list[pytest.Item], max_cases: int) -> list[pytest.Item]:
    last = len(cases) - 1
    indices = {round(number * last / max(1, max_cases - 1)) for number in range(max_cases)}
    return [cases[index] for index in sorted(indices) if index <= last]


class ChatServer:
    """Answers ``POST /v1/chat/completions`` and records the requests.

    `script` holds the next replies, one per request; when it is empty, `default` is the reply. A
    reply is a text (the model's answer), a dict (``status``, ``headers``, ``body``, ``sleep_sec``,
    ``drip``, ``hang_up``, ``finish``), or a function of the request that returns one of these.
    """

    key = KEY

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.default: Any = '{"score": 1, "reason": "fine"}'
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.usage: Any = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
        self.released = threading.Event()  # ends all sleeps at the end of the test
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # in some tests, the client hangs up

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def stop(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        request = json.loads(body)
        self.requests.append({**request, "path": handler.path})
        self.keys.append(handler.headers.get("Authorization", ""))
        reply = self.script.pop(0) if self.script else self.default
        if callable(reply):
            reply = reply(request)
        plan: dict[str, Any] = {"text": reply} if isinstance(reply, str) else dict(reply)
        self.released.wait(plan.get("sleep_sec", 0))
        if plan.get("hang_up"):
            handler.close_connection = True
            return
        data = plan["body"] if "body" in plan else self._body(plan)
        data = data.encode() if isinstance(data, str) else data
        handler.send_response(plan.get("status", 200))
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        for name, value in plan.get("headers", {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        if plan.get("drip"):
            for byte in data:
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
                time.sleep(0.05)
            return
        handler.wfile.write(data[: plan.get("stop_after", len(data))])
        if "stop_after" in plan:
            handler.close_connection = True

    def _body(self, plan: dict[str, Any]) -> bytes:
        message = {"role": "assistant", "content": plan.get("text")}
        choice = {"index": 0, "message": message, "finish_reason": plan.get("finish", "stop")}
        reply = {"id": "1", "object": "chat.completion", "choices": [choice], "usage": self.usage}
        return json.dumps(reply).encode()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    chat_server = ChatServer()
    yield chat_server
    chat_server.stop()


Edit = Callable[[Any], object]

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def picture_bytes(color: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 20), color).save(file, "PNG")
    return file.getvalue()


def set_transition(slide: Any, xml: str) -> None:
    """Set the transition of a slide, or remove it if the XML is empty."""
    root = slide._element
    for old in root.findall(f"{{{_P}}}transition"):
        root.remove(old)
    if xml:
        namespaces = (
            f'xmlns:p="{_P}" xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"'
        )
        element = etree.fromstring(xml.replace("<p:transition", f"<p:transition {namespaces}", 1))
        root.insert(list(root).index(root.find(f"{{{_P}}}clrMapOvr")) + 1, element)


def set_animations(slide: Any, effects: list[tuple[str, int, str, int]]) -> None:
    """Set the effects of a slide, each as (presetClass, presetID, nodeType, shape id)."""
    root = slide._element
    for old in root.findall(f"{{{_P}}}timing"):
        root.remove(old)
    if not effects:
        return
    nodes = "".join(
        f'<p:par><p:cTn presetID="{preset}" presetClass="{kind}" nodeType="{node}">'
        '<p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst><p:animEffect><p:cBhvr>'
        f'<p:cTn dur="500"/><p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl></p:cBhvr></p:animEffect>'
        "</p:childTnLst></p:cTn></p:par>"
        for kind, preset, node, shape in effects
    )
    xml = (
        f'<p:timing xmlns:p="{_P}"><p:tnLst><p:par><p:cTn nodeType="tmRoot"><p:childTnLst>'
        f'<p:seq><p:cTn nodeType="mainSeq"><p:childTnLst>{nodes}</p:childTnLst></p:cTn></p:seq>'
        "</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
    )
    root.append(etree.fromstring(xml))


def rgb(text: str) -> Any:
    """Return a color; python-pptx does not type its class."""
    color_type: Any = RGBColor
    return color_type.from_string(text)


def chart_data(**series: tuple[float, ...]) -> Any:
    """Return chart data of two quarters."""
    data_type: Any = CategoryChartData
    data = data_type()
    data.categories = ["Q1", "Q2"]
    for name, values in series.items():
        data.add_series(name, values)
    return data


def _rectangle(slide: Any, name: str, left: float, top: float) -> Any:
    shape = slide.shapes.add_shape(
        MSO_SHAPE.RECTANGLE, Inches(left), Inches(top), Inches(1), Inches(1)
    )
    shape.name = name
    shape.fill.solid()
    shape.fill.fore_color.rgb = rgb("204060")
    return shape


def _add_table(slide: Any) -> None:
    frame = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(1.5))
    frame.name = "Sales"
    rows = (("Region", "2025", "2026"), ("North", "10", "12"), ("South", "20", "18"))
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            frame.table.cell(r, c).text = text


def _add_chart(slide: Any) -> None:
    data = chart_data(North=(1.0, 2.0), South=(3.0, 4.0))
    frame = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(5), Inches(3), data
    )
    frame.name = "Revenue chart"
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "Revenue"


def build_base() -> bytes:
    deck = Presentation()
    layouts = deck.slide_layouts
    cover = deck.slides.add_slide(layouts[0])
    cover.shapes.title.text = "Annual report"
    cover.placeholders[1].text = "Prepared by Acme"
    agenda = deck.slides.add_slide(layouts[1])
    agenda.shapes.title.text = "Agenda"
    agenda.placeholders[1].text = "Results of Acme\nOutlook\nQuestions"
    set_transition(agenda, '<p:transition spd="med" p14:dur="700"><p:fade/></p:transition>')
    figures = deck.slides.add_slide(layouts[5])
    figures.shapes.title.text = "Figures"
    _add_table(figures)
    charts = deck.slides.add_slide(layouts[5])
    charts.shapes.title.text = "Chart"
    _add_chart(charts)
    logo = charts.shapes.add_picture(
        io.BytesIO(picture_bytes("red")), Inches(7), Inches(2), Inches(2), Inches(1)
    )
    logo.name = "Logo"
    logo._element.nvPicPr.cNvPr.set("descr", "The old logo")
    shapes = deck.slides.add_slide(layouts[5])
    shapes.shapes.title.text = "Shapes"
    boxes = [_rectangle(shapes, name, x, 2 + x / 9) for name, x in (("A", 1), ("B", 3), ("C", 6))]
    box = shapes.shapes.add_textbox(Inches(1), Inches(5), Inches(4), Inches(1))
    box.name = "Remark"
    box.text_frame.text = "Acme grows fast"
    set_animations(
        shapes,
        [
            ("entr", 10, "clickEffect", boxes[0].shape_id),
            ("entr", 2, "afterEffect", boxes[1].shape_id),
        ],
    )
    thanks = deck.slides.add_slide(layouts[1])
    thanks.shapes.title.text = "Thanks"
    thanks.placeholders[1].text = "Acme thanks you"
    thanks.notes_slide.notes_text_frame.text = "Say thanks to Acme"
    return save(deck)


def save(deck: Any) -> bytes:
    return write_package(deck)


def move_slide(deck: Any, start: int, to: int) -> None:
    """Move a slide; both positions count from 0."""
    ids = deck.slides._sldIdLst
    element = ids[start]
    ids.remove(element)
    ids.insert(to, element)


def delete_slide(deck: Any, index: int) -> None:
    ids = deck.slides._sldIdLst
    deck.part.drop_rel(ids[index].rId)
    ids.remove(ids[index])


def duplicate_slide(deck: Any, index: int, to: int) -> Any:
    """Copy a slide to position `to`, counted from 0."""
    from copy import deepcopy

    source = deck.slides[index]
    copy = deck.slides.add_slide(source.slide_layout)
    for shape in list(copy.shapes):
        shape._element.getparent().remove(shape._element)
    for shape in source.shapes:
        copy.shapes._spTree.append(deepcopy(shape._element))
    move_slide(deck, len(deck.slides) - 1, to)
    return copy


class Lab:
    """The base deck, and helpers to edit and check it."""

    set_transition = staticmethod(set_transition)
    set_animations = staticmethod(set_animations)
    move_slide = staticmethod(move_slide)
    delete_slide = staticmethod(delete_slide)
    duplicate_slide = staticmethod(duplicate_slide)
    shape_named = staticmethod(shape_named)
    picture_bytes = staticmethod(picture_bytes)
    save = staticmethod(save)
    rgb = staticmethod(rgb)
    chart_data = staticmethod(chart_data)
    inches = staticmethod(Inches)
    points = staticmethod(Pt)
    emu = staticmethod(Emu)

    def __init__(self, base: bytes) -> None:
        self.base = base
        self.original = read_deck(base)

    def edited_bytes(self, edit: Edit) -> bytes:
        deck = Presentation(io.BytesIO(self.base))
        edit(deck)
        return save(deck)

    def edited(self, edit: Edit) -> Deck:
        return read_deck(self.edited_bytes(edit))

    def check(
        self,
        name: str,
        args: dict[str, Any],
        edit: Edit | None = None,
        scope: dict[str, Any] | None = None,
    ) -> ScoredNode:
        """Return the scored leaf of one check."""
        return self.check_deck(
            name, args, self.original if edit is None else self.edited(edit), scope
        )

    def check_deck(
        self, name: str, args: dict[str, Any], deck: Deck, scope: dict[str, Any] | None = None
    ) -> ScoredNode:
        """Return the scored leaf of one check of a deck."""
        # Damage to the rest of the deck lowers the score of the root, so the check is a leaf.
        leaf = {"name": "leaf", "check": name, "args": args}
        rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
        loaded_scope = load_scope(scope) if scope is not None else None
        return score(rubric, self.original, deck, loaded_scope).children[0]


@pytest.fixture(scope="session")
def lab() -> Lab:
    return Lab(build_base())


WriteTask = Callable[..., Path]


@pytest.fixture
def write_task(tmp_path: Path) -> WriteTask:
    """Return a function that writes a task folder with its own deck: make the first title bold.

    Its arguments are the folder's path below `tmp_path` and fields to change, None to omit one. It
    returns the folder. The fake machine can play the demonstration.
    """
    presentation = Presentation()
    for title in ("Harvest", "Orchard"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title

    def write(path: str, **changes: Any) -> Path:
        folder = tmp_path / path
        folder.mkdir(parents=True)
        presentation.save(str(folder / "garden.pptx"))
        target = {"role": "panel", "name": "Title 1"}
        check = {"name": "bold", "check": "run_format"}
        check["args"] = {"slide": 1, "shape": "@title", "bold": True}  # type: ignore[assignment]
        value: dict[str, Any] = {
            "version": 2,
            "id": folder.name,
            "deck": "garden.pptx",
            "instruction": "Make the title of the first slide bold.",
            "rubric": {"version": 1, "root": check},
            "scope": {"slides": [1]},
            "demonstration": [
                {"kind": "click", "target": target},
                {"kind": "key", "keys": "ctrl+b"},
            ],
            **changes,
        }
        value = {name: field for name, field in value.items() if field is not None}
        (folder / "task.json").write_text(json.dumps(value), "utf-8")
        return folder

    return write


# Sessions in PPTC's format: instructions, and the calls of their labels.
PPTC_SESSIONS = {
    3: (
        ("Name the slide Tents.", "choose_title();insert_text('Tents')"),
        ("Stay here, please.", "move_to_slide(0)"),
        ("Add a star on the left. ## 0, star, slide, left", "insert_star();align_slide_left()"),
        ("Make it red.", "set_fill_color('red')"),
    ),
    5: (
        (
            "Write Hello into the content, in bold.",
            "choose_content();insert_text('Hello');set_font_bold()",
        ),
        ("Choose the table.", "choose_table()"),
    ),
}


@pytest.fixture
def pptc_copy(tmp_path: Path) -> Path:
    """A copy of PPTC with the sessions of this module."""
    folder = tmp_path / "PPTC" / "PPT_test_input" / "Create_new_slides"
    folder.mkdir(parents=True)
    for number, turns in PPTC_SESSIONS.items():
        lines = [
            json.dumps(
                {
                    "Turn": index,
                    "User instruction": instruction,
                    "Feasible API sequence": f"{calls};",
                    "Base File": f"PPT_Base_File/Create_new_slides/{number}_{index}.pptx",
                    "Label File": f"PPT_Label_File/Create_new_slides/{number}_{index}.pptx",
                    "API Lack Base File": "",
                    "API Lack Label File": "",
                }
            )
            for index, (instruction, calls) in enumerate(turns)
        ]
        (folder / f"session_{number}.json").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path / "PPTC"
