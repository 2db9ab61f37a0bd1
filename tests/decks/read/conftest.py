"""Hostile decks, and a separate process to read them in."""

import json
import os
import selectors
import signal
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.decks.packing import pack, unpack
from tests.growth import check_growth

from pptarena.rewards import read_deck

MAX_MB = 1024
HANG_SEC = 300  # a limit for hangs only; `probe_growth` compares times

# Forks a process for each line of paths, since a fork does not have to import anything.
_PROBE = """
import json, os, resource, sys, time, traceback
from pathlib import Path

resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from pptarena.decks.read.reader import clear_cache
from pptarena.errors import DeckError
from pptarena.rewards import diff_decks, load_rubric, read_deck, score

CHECKS = [
    ("title_is", {"slide": 1, "text": "Annual report 2"}),
    ("slide_text_contains", {"slide": 5, "texts": ["Acme", "grows slowly"]}),
    ("shape_text_is", {"slide": 5, "shape": "Remark", "text": "Acme grows slowly"}),
    ("text_replaced_everywhere", {"old": "Acme", "new": "Bolt"}),
    ("run_format", {"slide": 5, "bold": True}),
    ("animation_exists", {"slide": 5, "effect": "fade"}),
    ("nothing_else_changed", {}),
]
leaves = [{"name": name, "check": name, "args": args} for name, args in CHECKS]
rubric = load_rubric({"version": 1, "root": {"name": "all", "children": leaves}})
original = read_deck(Path(sys.argv[1]))
seconds = {}

def timed(name, work):
    start = time.process_time()
    try:
        return work()
    finally:
        seconds[name] = round(time.process_time() - start, 3)

def outcome(path, last):
    seconds.clear()
    error = ""
    try:
        deck = timed("read", lambda: read_deck(Path(path)))
        if not last:
            clear_cache()  # a large deck may exceed the cache, so do not cache a small one either
        again = timed("read_again", lambda: read_deck(Path(path)))
        timed("diff", lambda: diff_decks(original, deck))
        timed("diff_back", lambda: diff_decks(deck, original))
        same = timed("diff_same", lambda: diff_decks(deck, again))
        assert not same, same[:3]
        timed("score", lambda: score(rubric, original, deck))
    except DeckError as problem:
        error = str(problem).removeprefix(f"{path}: ")
    # The peak of this process alone; `getrusage` would include its parent.
    lines = Path("/proc/self/status").read_text().splitlines()
    peak_mb = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    return {"error": error, "seconds": dict(seconds), "peak_mb": round(peak_mb)}

score(rubric, original, original)  # late imports must not count as time of a deck
for line in sys.stdin:
    paths = json.loads(line)
    if child := os.fork():
        if status := os.waitpid(child, 0)[1]:
            print(json.dumps({"failure": f"the process ended with status {status}"}), flush=True)
        continue
    try:
        result = {"outcomes": [outcome(path, path == paths[-1]) for path in paths]}
    except BaseException:
        result = {"failure": traceback.format_exc()}
    print(json.dumps(result), flush=True)
    os._exit(0)
"""


@dataclass(frozen=True)
class Outcome:
    """The outcome of reading, comparing and scoring a deck.

    Attributes:
        error: Message of the `DeckError`; empty if the deck was read.
        seconds: CPU time by step.
        peak_mb: Peak memory of the process.
    """

    error: str
    seconds: dict[str, float]
    peak_mb: int


class Prober:
    """Reads, compares and scores decks, in one process with 1 GB of memory per call.

    Args:
        base: The deck to compare others with.
    """

    def __init__(self, base: Path) -> None:
        self._base = base
        self._process: subprocess.Popen[bytes] | None = None

    def outcomes(self, paths: Sequence[Path]) -> list[Outcome]:
        """Return the outcome of each deck."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROBE, str(self._base)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([str(path) for path in paths]).encode() + b"\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if not selector.select(HANG_SEC):
                self.stop()
                raise AssertionError(f"no outcome within {HANG_SEC} s")
        result = json.loads(process.stdout.readline())
        assert "failure" not in result, result["failure"][-2000:]
        return [Outcome(**each) for each in result["outcomes"]]

    def stop(self) -> None:
        """End the process and its forks; the next call starts another."""
        process, self._process = self._process, None
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture(scope="session")
def prober(lab: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prober]:
    base = tmp_path_factory.mktemp("prober") / "base.pptx"
    base.write_bytes(lab.base)
    deck_prober = Prober(base)
    yield deck_prober
    deck_prober.stop()


class Forge:
    """Makes broken and hostile variants of a deck.

    Args:
        base: A good deck.
        folder: A folder for the files of the prober.
        prober: Reads decks in a separate process.
    """

    def __init__(self, base: bytes, folder: Path, prober: Prober) -> None:
        self.base = base
        self._folder = folder
        self._prober = prober

    def part(self, name: str) -> str:
        """Return a part of the good deck."""
        return unpack(self.base)[name].decode()

    def rewrite(self, edit: Callable[[str, bytes], bytes | None]) -> bytes:
        """Return a deck whose parts are edited; a part that becomes None is omitted."""
        return pack({name: edit(name, data) for name, data in unpack(self.base).items()})

    def with_parts(self, parts: dict[str, bytes | str | None]) -> bytes:
        """Return a deck with some parts changed, added, or (None) omitted."""
        encoded = {k: v.encode() if isinstance(v, str) else v for k, v in parts.items()}
        return pack(unpack(self.base) | encoded)

    def with_xml(self, part: str, mark: str, xml: str) -> bytes:
        """Return a deck with more XML before the first `mark` in a part."""
        head, tag, tail = self.part(part).partition(mark)
        assert tag, f"{part} has no {mark}"
        return self.with_parts({part: head + xml + tag + tail})

    def probe(self, data: bytes) -> Outcome:
        """Return the outcome of a deck; check memory."""
        return self._outcomes(data)[0]

    def probe_growth(self, small: bytes, full: bytes) -> Outcome:
        """Return the outcome of a deck; check memory, and its time against that of a smaller deck.

        Args:
            small: A deck with one object for `SIZE_RATIO` objects in `full`.
            full: The deck.
        """
        outcomes: list[Outcome] = []

        def measure() -> tuple[dict[str, float], dict[str, float]]:
            outcomes[:] = self._outcomes(small, full)
            return outcomes[0].seconds, outcomes[1].seconds

        check_growth(measure)
        return outcomes[1]

    def _outcomes(self, *decks: bytes) -> list[Outcome]:
        paths = [self._folder / f"hostile-{number}.pptx" for number in range(len(decks))]
        for path, data in zip(paths, decks, strict=True):
            path.write_bytes(data)
        outcomes = self._prober.outcomes(paths)
        for outcome in outcomes:
            assert outcome.peak_mb < MAX_MB
        return outcomes


@pytest.fixture
def forge(lab: Any, tmp_path: Path, prober: Prober) -> Forge:
    return Forge(lab.base, tmp_path, prober)


@dataclass
class RawEntry:
    """An entry of a zip file whose headers can be set to any values."""

    name: bytes
    content: bytes
    method: int = 8
    size: int | None = None
    crc: int | None = None
    flags: int = 0
    local_name: bytes | None = None
    packed: bytes | None = None
    offset: int | None = None
    extra: bytes = b""


def raw_zip(entries: list[RawEntry]) -> bytes:
    """Return a zip file of these entries, whether valid or not."""
    body, table = b"", b""
    for entry in entries:
        packed = entry.packed
        if packed is None:
            compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
            deflated = compressor.compress(entry.content) + compressor.flush()
            packed = deflated if entry.method else entry.content
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        size = len(entry.content) if entry.size is None else entry.size
        common = (entry.flags, entry.method, 0, 0, crc, len(packed), size)
        name = entry.name if entry.local_name is None else entry.local_name
        start = len(body) if entry.offset is None else entry.offset
        if entry.offset is None:
            local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, *common, len(name), 0)
            body += local + name + packed
        table += struct.pack(
            "<4s6H3L5H2L",
            *(b"PK\1\2", 20, 20, *common, len(entry.name), len(entry.extra), 0, 0, 0, 0, start),
        )
        table += entry.name + entry.extra
    count = len(entries)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, len(table), len(body), 0)
    return body + table + end


_NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
        "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
        "p159": "http://schemas.microsoft.com/office/powerpoint/2015/09/main",
        "p188": "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
        "adec": "http://schemas.microsoft.com/office/drawing/2017/decorative",
        "asvg": "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "dsp": "http://schemas.microsoft.com/office/drawing/2008/diagram",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    }.items()
)


class Stage:
    """Adds XML to the fifth slide of the small deck, and parts to the package.

    Args:
        forge: Builds variants of the deck.
    """

    slide_part = "ppt/slides/slide5.xml"

    def __init__(self, forge: Forge) -> None:
        self.forge = forge

    @staticmethod
    def with_namespaces(xml: str) -> str:
        """Return XML with the usual namespaces declared in its first tag."""
        end = next(i for i, character in enumerate(xml) if character in " />")
        return f"{xml[:end]} {_NAMESPACES}{xml[end:]}"

    def with_relationships(self, part: str, rels: str) -> tuple[str, str]:
        """Return name and XML of the relationships of a part, with some added."""
        folder, _, name = part.rpartition("/")
        path = f"{folder}/_rels/{name}.rels" if folder else "_rels/.rels"
        try:
            text = self.forge.part(path)
        except KeyError:
            head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
            text = head + 'relationships"></Relationships>'
        return path, text.replace("</Relationships>", f"{rels}</Relationships>")

    @staticmethod
    def rel(rel_id: str, kind: str, target: str, external: bool = False) -> str:
        """Return a relationship as XML."""
        mode = ' TargetMode="External"' if external else ""
        return f'<Relationship Id="{rel_id}" Type="http://x/{kind}" Target="{target}"{mode}/>'

    def deck_bytes(
        self,
        xml: str = "",
        rels: str = "",
        parts: dict[str, bytes | str | None] | None = None,
        mark: str = "</p:spTree>",
    ) -> bytes:
        """Return the deck with XML before `mark`, relationships of its slide, and parts."""
        head, tag, tail = self.forge.part(self.slide_part).partition(mark)
        assert tag
        changed: dict[str, bytes | str | None] = dict(parts or {})
        changed[self.slide_part] = head + (self.with_namespaces(xml) if xml else "") + tag + tail
        if rels:
            path, text = self.with_relationships(self.slide_part, rels)
            changed[path] = text
        return self.forge.with_parts(changed)

    def slide(self, *args: Any, **options: Any) -> Any:
        """Return the facts of the fifth slide of `deck_bytes`."""
        return read_deck(self.deck_bytes(*args, **options)).slides[4]

    def shape(self, *args: Any, **options: Any) -> Any:
        """Return the last shape of the fifth slide of `deck_bytes`."""
        return self.slide(*args, **options).shapes[-1]

    def box(
        self,
        properties: str = "",
        body: str = "",
        non_visual: str = "",
        style: str = "",
        **options: Any,
    ) -> Any:
        """Return a rectangle with XML in its properties, text body and other elements."""
        geometry = "" if "Geom" in properties else '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        text = f"<p:txBody>{body}</p:txBody>" if body else ""
        xml = (
            f'<p:sp><p:nvSpPr><p:cNvPr id="900" name="Box">{non_visual}</p:cNvPr>'
            '<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/>'
            '<a:ext cx="914400" cy="914400"/>'
            f"</a:xfrm>{geometry}{properties}</p:spPr>{style}{text}</p:sp>"
        )
        return self.shape(xml, **options)


@pytest.fixture
def stage(forge: Forge) -> Stage:
    return Stage(forge)
