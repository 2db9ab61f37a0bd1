import io
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from pptarena.errors import (
    ConfigError,
    DeckError,
    HostError,
    ImageError,
    MachineError,
    MachineTimeoutError,
)
from pptarena.vm_images.office_renderer import OfficeRenderer

Bwrap = Callable[[str], Path]


def framed(*pictures: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(each)) + each for each in pictures)


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


def test_pictures_are_kept_by_content(bwrap: Bwrap, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_bytes(framed(b"one", b"two"))
    runs = bwrap(f"cat > {tmp_path}/deck; cat {answer}")
    assert OfficeRenderer().render(b"deck") == (b"one", b"two")
    assert (tmp_path / "deck").read_bytes() == b"deck"
    assert OfficeRenderer().render(b"deck") == (b"one", b"two")
    assert len(runs.read_text().splitlines()) == 1
    assert runs.read_text().endswith("export_slides 960 300\n")
    for flag in ("--unshare-all", "--die-with-parent", "--clearenv"):
        assert flag in runs.read_text()
    OfficeRenderer().render(b"another")
    OfficeRenderer(480).render(b"deck")
    assert len(runs.read_text().splitlines()) == 3


def test_only_what_was_used_last_is_kept(bwrap: Bwrap, tmp_path: Path, home: Path) -> None:
    bwrap("cat > /dev/null")
    renderer = OfficeRenderer(kept_decks=2)
    for number in range(4):
        assert renderer.render(bytes([number])) == ()
        time.sleep(0.02)
    assert len(list((home.parent / "renders").iterdir())) == 2


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("echo 'cannot open the deck' >&2; exit 3", DeckError, "cannot open the deck"),
        ("echo 'bwrap: no permission' >&2; exit 1", HostError, "pptarena doctor"),
        ("echo 'crashed' >&2; exit 1", MachineError, "could not be rendered: crashed"),
        ("exit 139", MachineError, "139"),
        ("printf '\\0\\0\\0\\011abc'", MachineError, "broke off"),
        ("printf '\\0\\0'", MachineError, "broke off"),
        ("exec sleep 300", MachineTimeoutError, r"within 0\.5 s"),
    ],
)
def test_failures_have_names_and_are_not_kept(
    bwrap: Bwrap, body: str, error: type[Exception], message: str, home: Path
) -> None:
    bwrap(body)
    started = time.monotonic()
    with pytest.raises(error, match=message):
        OfficeRenderer(timeout_sec=0.5).render(b"deck")
    assert time.monotonic() - started < 60
    assert not (home.parent / "renders").exists()


def test_what_is_missing_is_named(
    home: Path, make_image: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ImageError, match="pptarena image build"):
        OfficeRenderer().render(b"deck")
    make_image()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(HostError, match="bubblewrap is missing"):
        OfficeRenderer().render(b"deck")
    with pytest.raises(ConfigError, match="above 0"):
        OfficeRenderer(0)


@pytest.mark.image
class TestImage:
    @pytest.fixture(autouse=True)
    def _renders_of_its_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pptarena.vm_images.office_renderer.cache_home", lambda: tmp_path)

    def test_every_slide_is_pictured_in_order(self) -> None:
        deck = deck_of("", "Words that stand here", "", hidden=1)
        first, hidden, last = (Image.open(io.BytesIO(p)) for p in OfficeRenderer().render(deck))
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

    def test_the_same_deck_gives_the_same_pictures(self, tmp_path: Path) -> None:
        deck = deck_of("Same", "again")
        renderer = OfficeRenderer(320)
        first = renderer.render(deck)
        (folder,) = (tmp_path / "renders").iterdir()
        stored = {file: file.stat().st_ino for file in folder.iterdir()}
        assert renderer.render(deck) == first
        assert {file: file.stat().st_ino for file in folder.iterdir()} == stored  # not made again
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        assert renderer.render(deck) == first

    def test_what_is_no_deck_is_refused(self) -> None:
        with pytest.raises(DeckError, match=r"cannot open|does not read"):
            OfficeRenderer().render(b"no deck")
        with pytest.raises(DeckError, match="at most 1 slides, got 2"):
            OfficeRenderer(max_slides=1).render(deck_of("a", "b"))
