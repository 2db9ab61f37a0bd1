"""Decks that were made to hurt, and a process of its own to read each in."""

import io
import json
import os
import selectors
import signal
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.growth import check_growth

from pptarena.rewards import read_deck

MAX_MB = 1024
HANG_SEC = 300  # what hangs is ended; how long a deck takes is compared, see `probe_growth`

# Forks a process for each line of paths that it reads: a fork needs no imports of its own.
_PROBE = """
import json, os, resource, sys, time, traceback
from pathlib import Path

resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from pptarena.decks.read.reader import forget
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
            forget()  # a large deck may exceed what is kept, so a small one is not kept either
        again = timed("read_again", lambda: read_deck(Path(path)))
        timed("diff", lambda: diff_decks(original, deck))
        timed("diff_back", lambda: diff_decks(deck, original))
        same = timed("diff_same", lambda: diff_decks(deck, again))
        assert not same, same[:3]
        timed("score", lambda: score(rubric, original, deck))
    except DeckError as found:
        error = str(found).removeprefix(f"{path}: ")
    # The peak of this process alone; `getrusage` would count what it was forked from too.
    lines = Path("/proc/self/status").read_text().splitlines()
    peak_mb = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    return {"error": error, "seconds": dict(seconds), "peak_mb": round(peak_mb)}

score(rubric, original, original)  # what is imported late is in no deck's time
for line in sys.stdin:
    paths = json.loads(line)
    if child := os.fork():
        if status := os.waitpid(child, 0)[1]:
            print(json.dumps({"failure": f"the process ended with status {status}"}), flush=True)
        continue
    try:
        found = {"outcomes": [outcome(path, path == paths[-1]) for path in paths]}
    except BaseException:
        found = {"failure": traceback.format_exc()}
    print(json.dumps(found), flush=True)
    os._exit(0)
"""


@dataclass(frozen=True)
class Outcome:
    """What reading, comparing and scoring a deck came to.

    Attributes:
        error: Message of the `DeckError`; empty if there were facts.
        seconds: CPU time by step.
        peak_mb: Most memory of the process.
    """

    error: str
    seconds: dict[str, float]
    peak_mb: int


class Prober:
    """Reads, compares and scores decks, those of each call in a process that has 1 GB.

    Args:
        base: The deck that others are compared with.
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
        found = json.loads(process.stdout.readline())
        assert "failure" not in found, found["failure"][-2000:]
        return [Outcome(**each) for each in found["outcomes"]]

    def stop(self) -> None:
        """End the process and what it forked; the next call starts another."""
        process, self._process = self._process, None
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture(scope="session")
def prober(lab: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prober]:
    base = tmp_path_factory.mktemp("prober") / "base.pptx"
    base.write_bytes(lab.base)
    made = Prober(base)
    yield made
    made.stop()


class Forge:
    """Makes broken and hostile variants of a deck.

    Args:
        base: A good deck.
        folder: Where files for the process that reads them go.
        prober: Reads decks in a process of their own.
    """

    def __init__(self, base: bytes, folder: Path, prober: Prober) -> None:
        self.base = base
        self._folder = folder
        self._prober = prober

    def part(self, name: str) -> str:
        """Return a part of the good deck."""
        with zipfile.ZipFile(io.BytesIO(self.base)) as file:
            return file.read(name).decode()

    def rewrite(self, change: Callable[[str, bytes], bytes | None]) -> bytes:
        """Return a deck with changed parts; a part that becomes None is left out."""
        file = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(self.base)) as old, zipfile.ZipFile(file, "w", 8) as new:
            for name in old.namelist():
                found = change(name, old.read(name))
                if found is not None:
                    new.writestr(name, found)
        return file.getvalue()

    def having(self, parts: dict[str, bytes | str | None]) -> bytes:
        """Return a deck with some parts changed, added, or (None) taken out."""
        left = {k: v.encode() if isinstance(v, str) else v for k, v in parts.items()}
        made = self.rewrite(lambda name, old: left.pop(name) if name in left else old)
        file = io.BytesIO(made)
        with zipfile.ZipFile(file, "a", 8) as new:
            for name, content in left.items():
                if content is not None:
                    new.writestr(name, content)
        return file.getvalue()

    def inside(self, part: str, mark: str, xml: str) -> bytes:
        """Return a deck with more XML put before the first `mark` in a part."""
        head, found, tail = self.part(part).partition(mark)
        assert found, f"{part} has no {mark}"
        return self.having({part: head + xml + found + tail})

    def probe(self, data: bytes) -> Outcome:
        """Return the outcome of a deck in a process that has 1 GB; check memory."""
        return self._outcomes(data)[0]

    def probe_growth(self, small: bytes, full: bytes) -> Outcome:
        """Return the outcome of a deck; check memory, and its time against a smaller deck's.

        Both decks go through one process, which compares processor times.

        Args:
            small: A deck with a share of one in `TIMES` of the things in `full`.
            full: The deck.
        """
        found: list[Outcome] = []

        def measure() -> tuple[dict[str, float], dict[str, float]]:
            found[:] = self._outcomes(small, full)
            return found[0].seconds, found[1].seconds

        check_growth(measure)
        return found[1]

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
    """An entry of a zip file that says whatever is wanted of it."""

    name: bytes
    content: bytes
    method: int = 8
    size: int | None = None
    crc: int | None = None
    flags: int = 0
    local_name: bytes | None = None
    packed: bytes | None = None
    at: int | None = None
    extra: bytes = b""


def raw_zip(entries: list[RawEntry]) -> bytes:
    """Return a zip file written by hand."""
    body, table = b"", b""
    for entry in entries:
        packed = entry.packed
        if packed is None:
            squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
            deflated = squeeze.compress(entry.content) + squeeze.flush()
            packed = deflated if entry.method else entry.content
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        size = len(entry.content) if entry.size is None else entry.size
        common = (entry.flags, entry.method, 0, 0, crc, len(packed), size)
        name = entry.name if entry.local_name is None else entry.local_name
        start = len(body) if entry.at is None else entry.at
        if entry.at is None:
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


@pytest.fixture
def zips() -> tuple[type[RawEntry], Callable[[list[RawEntry]], bytes]]:
    return RawEntry, raw_zip


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
    """Puts XML on the fifth slide of the small deck, and parts next to it.

    Args:
        forge: Makes variants of the deck.
    """

    slide = "ppt/slides/slide5.xml"

    def __init__(self, forge: Forge) -> None:
        self.forge = forge

    @staticmethod
    def named(xml: str) -> str:
        """Return XML with the usual namespaces declared at its first tag."""
        end = next(i for i, letter in enumerate(xml) if letter in " />")
        return f"{xml[:end]} {_NAMESPACES}{xml[end:]}"

    def related(self, part: str, rels: str) -> tuple[str, str]:
        """Return the relationships part of a part, with some more in it."""
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

    def data(
        self,
        xml: str = "",
        rels: str = "",
        parts: dict[str, bytes | str | None] | None = None,
        mark: str = "</p:spTree>",
    ) -> bytes:
        """Return the deck with XML put before `mark`, relationships of its slide, and parts."""
        head, found, tail = self.forge.part(self.slide).partition(mark)
        assert found
        changed: dict[str, bytes | str | None] = dict(parts or {})
        changed[self.slide] = head + (self.named(xml) if xml else "") + found + tail
        if rels:
            path, text = self.related(self.slide, rels)
            changed[path] = text
        return self.forge.having(changed)

    def slide_of(self, *args: Any, **options: Any) -> Any:
        """Return the fifth slide of `data` as facts."""
        return read_deck(self.data(*args, **options)).slides[4]

    def shape(self, *args: Any, **options: Any) -> Any:
        """Return the last shape of the fifth slide of `data`."""
        return self.slide_of(*args, **options).shapes[-1]

    def box(
        self, inside: str = "", body: str = "", named: str = "", after: str = "", **options: Any
    ) -> Any:
        """Return a rectangle with XML in its properties, text, name, and behind its properties."""
        geometry = "" if "Geom" in inside else '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        text = f"<p:txBody>{body}</p:txBody>" if body else ""
        xml = (
            f'<p:sp><p:nvSpPr><p:cNvPr id="900" name="Box">{named}</p:cNvPr><p:cNvSpPr/><p:nvPr/>'
            '</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/>'
            f"</a:xfrm>{geometry}{inside}</p:spPr>{after}{text}</p:sp>"
        )
        return self.shape(xml, **options)


@pytest.fixture
def stage(forge: Forge) -> Stage:
    return Stage(forge)
