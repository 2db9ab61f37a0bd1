"""The office application without a desktop: requests, replies and failures."""

import gc
import io
import json
import os
import re
import sys
import textwrap
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.errors import (
    ConfigError,
    DeckError,
    HostError,
    ImageError,
    MachineError,
    MachineTimeoutError,
)
from pptarena.rewards import diff_decks, read_deck
from pptarena.tasks import get_task
from pptarena.vm_images.office import Office

Bwrap = Callable[[str], Path]

_ID = re.compile(rb"\{[0-9A-F-]{36}\}")
_PROGRAM = """
import json, os, struct, sys, time
source, out = sys.stdin.buffer, sys.stdout.buffer
log, count = open({log!r}, "a"), 0
while sizes := source.read(8):
    message, deck = [source.read(size) for size in struct.unpack(">II", sizes)]
    request, status, count = json.loads(message), 0, count + 1
    print(json.dumps([request, deck.decode(), os.getpid()]), file=log, flush=True)
{body}
    out.write(struct.pack(">BI", status, len(answer)) + answer)
    out.flush()
"""


class Fake:
    """A program that replaces the application; its body sets ``answer`` and ``status``."""

    def __init__(self, bwrap: Bwrap, folder: Path) -> None:
        self._bwrap, self._folder = bwrap, folder
        self._log = folder / "requests"

    def __call__(self, body: str) -> None:
        script = self._folder / "program.py"
        code = textwrap.indent(textwrap.dedent(body).strip(), "    ")
        script.write_text(_PROGRAM.format(log=str(self._log), body=code))
        self.starts = self._bwrap(f"exec {sys.executable} {script}")

    @property
    def requests(self) -> list[tuple[dict[str, Any], str, int]]:
        return [tuple(json.loads(line)) for line in self._log.read_text().splitlines()]


@pytest.fixture
def fake(bwrap: Bwrap, tmp_path: Path) -> Fake:
    return Fake(bwrap, tmp_path)


def deck_of(*texts: str, hidden: int = -1) -> bytes:
    deck: Any = Presentation()
    for index, text in enumerate(texts):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(6), Inches(2))
        box.text_frame.text = text
        if index == hidden:
            slide._element.set("show", "0")
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def test_application_saves_renders_and_edits(fake: Fake, home: Path) -> None:
    fake("""
        pictures = struct.pack(">I3sI3s", 3, b"one", 3, b"two")
        answer = pictures if request["do"] == "render" else b"saved"
    """)
    with Office(480, max_slides=7) as office:
        assert office.save(b"deck") == b"saved"
        assert office.render(b"deck") == (b"one", b"two")
        assert office.edit(b"deck", b"target", (0, None), (2,)) == b"saved"
        assert office.save_all([]) == ()
    requests = [request for request, _, _ in fake.requests]
    assert requests == [
        {"do": "save"},
        {"do": "render", "width_px": 480, "max_slides": 7},
        {"do": "edit", "target": "dGFyZ2V0", "origins": [0, None], "slides": [2]},
    ]
    (start,) = fake.starts.read_text().splitlines()
    for flag in ("--unshare-all", "--die-with-parent", "--clearenv"):
        assert flag in start


@pytest.mark.slow
def test_offices_share_one_application(fake: Fake, home: Path) -> None:
    fake('answer = b"saved"')
    with Office(cached_results=0) as office:
        saver = office.sharing(timeout_sec=9.0, cached_results=2)
        for each in (saver, office, saver, office):
            assert each.save(b"deck") == b"saved"
        assert len(fake.requests) == 3, "only the saver caches its results"
        saver.close()
        office.save(b"deck")
    assert len(fake.starts.read_text().splitlines()) == 2


@pytest.mark.slow
def test_results_are_cached_by_content_and_settings(fake: Fake, home: Path) -> None:
    fake('answer = b"saved" if request["do"] == "save" else struct.pack(">I3s", 3, b"one")')
    for _ in range(2):
        with Office() as office:
            assert office.save_all([b"deck", b"other", b"deck"]) == (b"saved",) * 3
            assert office.render(b"deck") == (b"one",)
    with Office(480) as office:
        office.render(b"deck")
    assert [(request["do"], deck) for request, deck, _ in fake.requests] == [
        ("save", "deck"),
        ("save", "other"),
        ("render", "deck"),
        ("render", "deck"),
    ]


def test_without_a_cache_nothing_is_stored(fake: Fake, home: Path) -> None:
    fake('answer = b""')
    with Office(cached_results=0) as office:
        assert office.save(b"deck") == office.save(b"deck") == b""
        assert office.render(b"deck") == ()
    assert len(fake.requests) == 3
    assert not (home.parent / "saves").exists()
    assert not (home.parent / "renders").exists()


@pytest.mark.slow
def test_cache_keeps_the_latest_results(fake: Fake, home: Path) -> None:
    fake('answer = b"yes" if request["do"] == "save" else b""')
    with Office(cached_results=2) as office:
        for number in range(4):
            assert office.save(bytes([number])) == b"yes"
            assert office.render(bytes([number])) == ()
            time.sleep(0.02)
    assert len(list((home.parent / "saves").iterdir())) == 2
    assert len(list((home.parent / "renders").iterdir())) == 2


@pytest.mark.slow
def test_application_restarts_after_some_decks_and_after_a_crash(fake: Fake) -> None:
    fake("""
        answer = b"yes"
        if deck == b"crash": sys.exit("crashed")
        if deck == b"refuse": status, answer = 1, b"no deck"
    """)
    with Office(decks_per_start=3, cached_results=0) as office:
        answers = office.save_all([b"1", b"2", b"3", b"4", b"refuse", b"crash", b"5"])
    assert [each if isinstance(each, bytes) else type(each) for each in answers] == [
        *(b"yes", b"yes", b"yes", b"yes"),
        *(DeckError, MachineError, b"yes"),
    ]
    processes = [process for _, _, process in fake.requests]
    # A fresh application retries the crash, as earlier decks could be the reason.
    decks = [deck for _, deck, _ in fake.requests]
    assert decks == ["1", "2", "3", "4", "refuse", "crash", "crash", "5"]
    assert [processes.index(each) for each in processes] == [0, 0, 0, 3, 3, 3, 6, 7]


@pytest.mark.slow
def test_deck_is_retried_when_earlier_decks_cause_a_crash(fake: Fake) -> None:
    fake("""
        answer = b"yes"
        if count > 2: sys.exit("out of memory")
    """)
    with Office(cached_results=0) as office:
        assert office.save_all([b"1", b"2", b"3"]) == (b"yes",) * 3


def test_failed_edit_keeps_the_application(fake: Fake) -> None:
    fake("""
        status, answer = (2, b"failed") if request["slides"] is None else (0, b"yes")
    """)
    with Office() as office:
        with pytest.raises(MachineError, match="failed"):
            office.edit(b"1", b"target", ())
        assert office.edit(b"2", b"target", (), ()) == b"yes"
    assert len({process for _, _, process in fake.requests}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("status, answer = 1, b'cannot do!'", DeckError, "cannot do!"),
        ("sys.exit('bwrap: no permission')", HostError, "pptarena doctor"),
        ("sys.exit('crashed')", MachineError, "could not be rendered: crashed"),
        ("os._exit(39)", MachineError, "ended with 39"),
        ("answer = struct.pack('>I', 9) + b'abc'", MachineError, "truncated"),
        ("answer = bytes(2)", MachineError, "truncated"),
        ("out.write(bytes(2)); out.flush(); os._exit(0)", MachineError, "ended with 0"),
        ("out.write(b'\\0\\xff\\xff\\xff\\xff'); out.flush(); answer = b''", MachineError, "bytes"),
        ("time.sleep(300)", MachineTimeoutError, r"within 0\.5 s"),
    ],
)
def test_failures_are_explained_and_not_cached(
    fake: Fake, body: str, error: type[Exception], message: str, home: Path
) -> None:
    fake(body)
    with (
        Office(timeout_sec=0.5, start_sec=5.0) as office,
        pytest.raises(error, match=message),
    ):
        office.render(b"deck")
    assert not (home.parent / "renders").exists()


def test_missing_image_and_missing_program_are_named(
    home: Path, make_image: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ImageError, match="pptarena image build"):
        Office().save(b"deck")
    make_image()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(HostError, match="bubblewrap is missing"):
        Office().save(b"deck")


@pytest.mark.parametrize(
    "setting", ["width_px", "timeout_sec", "start_sec", "max_slides", "decks_per_start"]
)
def test_invalid_settings_are_rejected(setting: str) -> None:
    with pytest.raises(ConfigError, match="above 0"):
        Office(**{setting: 0})
    with pytest.raises(ConfigError, match="at least 0"):
        Office(cached_results=-1)


@pytest.mark.slow
def test_application_ends_with_its_object(fake: Fake) -> None:
    fake('answer = b"yes"')
    Office(cached_results=0).save(b"deck")
    gc.collect()
    ((_, _, process),) = fake.requests
    assert not Path(f"/proc/{process}").exists()


@pytest.mark.slow
def test_forked_process_starts_its_own_application(fake: Fake) -> None:
    fake("answer = str(os.getpid()).encode()")
    with Office(cached_results=0) as office:
        parent_answer = office.save(b"deck")
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(office.save(b"deck"))
            office.close()
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            child_answer = pipe.read()
        assert os.waitpid(child, 0)[1] == 0
        assert child_answer not in (b"", parent_answer)
        assert office.save(b"deck") == parent_answer


@pytest.mark.image
class TestImage:
    @pytest.fixture(autouse=True)
    def _temporary_cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pptarena.vm_images.office.cache_home", lambda: tmp_path)

    @pytest.fixture
    def office(self) -> Iterator[Office]:
        with Office() as office:
            yield office

    @pytest.fixture
    def machine(self) -> Iterator[SandboxMachine]:
        machine = SandboxMachine()
        yield machine
        machine.close()

    def test_deck_is_saved_as_the_machine_saves_it(
        self, machine: SandboxMachine, office: Office
    ) -> None:
        deck = deck_of("Harvest", "Weather")
        machine.load(deck, "deck.pptx")
        expected, parts = _parts(machine.save()), _parts(office.save(deck))
        assert list(parts) == list(expected)
        for name in parts:
            # Every save gives fields random ids.
            assert _ID.sub(b"", parts[name]) == _ID.sub(b"", expected[name]), name

    def test_results_are_independent_of_earlier_decks(self, office: Office) -> None:
        decks = [get_task(name).deck_bytes() for name in ("aurora-cheaper", "clinic-contrast")]
        results = [(read_deck(office.save(deck)), office.render(deck)) for deck in decks]
        with Office(cached_results=0) as other:
            for deck, (saved, pictures) in zip(decks[::-1], results[::-1], strict=True):
                assert other.render(deck) == pictures
                assert diff_decks(read_deck(other.save(deck)), saved) == ()

    def test_slides_are_rendered_in_order(self, office: Office) -> None:
        deck = deck_of("", "Text of this slide", "", hidden=1)
        first, hidden, last = (Image.open(io.BytesIO(p)) for p in office.render(deck))
        assert first.size == hidden.size == last.size == (960, 720)
        assert first.convert("L").getextrema() == (255, 255)
        assert last.convert("L").getextrema() == (255, 255)
        ink = hidden.convert("L").point(lambda value: 255 if value < 64 else 0).getbbox()
        assert ink is not None
        left, top, right, bottom = ink
        # The box begins an inch from the corner; a slide of 10 inches is 960 pixels wide.
        assert 90 < left < 130
        assert 90 < top < 130
        assert right < 700
        assert bottom < 200

    def test_invalid_deck_is_rejected_and_the_next_one_processed(self, office: Office) -> None:
        bad, good = office.save_all([b"no deck", deck_of("a")])
        assert isinstance(bad, DeckError)
        assert "ppt/presentation.xml" in _parts(good)
        with pytest.raises(DeckError, match=r"cannot open|does not read"):
            office.render(b"no deck")
        with Office(max_slides=1) as few, pytest.raises(DeckError, match="at most 1 slides, got 2"):
            few.render(deck_of("a", "b"))

    def test_application_outlives_the_thread_that_started_it(self) -> None:
        with Office(cached_results=0) as office:

            def start_and_use() -> None:
                office.start()
                assert len(office.render(deck_of("a"))) == 1

            thread = threading.Thread(target=start_and_use)
            thread.start()
            thread.join()
            application = office._shared.application()
            office.start()
            assert len(office.render(deck_of("b"))) == 1
            assert office._shared.application() is application, "the application was restarted"


def _parts(deck: Any) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(deck)) as package:
        return {name: package.read(name) for name in package.namelist()}
