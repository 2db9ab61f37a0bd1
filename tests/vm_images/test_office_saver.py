import io
import re
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches

from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine
from pptarena.errors import (
    ConfigError,
    DeckError,
    HostError,
    ImageError,
    MachineError,
    MachineTimeoutError,
)
from pptarena.vm_images.office_saver import OfficeSaver

Bwrap = Callable[[str], Path]

_ID = re.compile(rb"\{[0-9A-F-]{36}\}")


def answers(*files: bytes | str) -> bytes:
    """Return what the program says: saved files, and reasons as text."""
    coded = [(1, each.encode()) if isinstance(each, str) else (0, each) for each in files]
    return b"".join(struct.pack(">BI", status, len(data)) + data for status, data in coded)


def deck_of(*texts: str) -> bytes:
    deck: Any = Presentation()
    for text in texts:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = text
        box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(6), Inches(2))
        box.text_frame.text = f"More about {text}"
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def test_what_was_saved_is_kept_by_content(bwrap: Bwrap, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_bytes(answers(b"saved"))
    runs = bwrap(f"cat > {tmp_path}/decks; cat {answer}")
    assert OfficeSaver().save(b"deck") == b"saved"
    assert (tmp_path / "decks").read_bytes() == b"\0\0\0\4deck"
    assert OfficeSaver().save(b"deck") == b"saved"
    assert len(runs.read_text().splitlines()) == 1
    assert runs.read_text().endswith("save_decks\n")
    for flag in ("--unshare-all", "--die-with-parent", "--clearenv"):
        assert flag in runs.read_text()
    OfficeSaver().save(b"another")
    assert len(runs.read_text().splitlines()) == 2


def test_several_decks_take_one_run_and_each_only_once(bwrap: Bwrap, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_bytes(answers(b"one", "refused"))
    runs = bwrap(f"cat > {tmp_path}/decks; cat {answer}")
    one, bad, again = OfficeSaver().save_all([b"1", b"2", b"1"])
    assert (one, again) == (b"one", b"one")
    assert isinstance(bad, DeckError)
    assert str(bad) == "refused"
    assert (tmp_path / "decks").read_bytes() == b"\0\0\0\0011\0\0\0\0012"
    assert len(runs.read_text().splitlines()) == 1
    assert OfficeSaver().save_all([]) == ()


def test_a_deck_that_ends_the_program_does_not_take_the_others_with_it(bwrap: Bwrap) -> None:
    good = r"printf '\0\0\0\0\003yes'"
    bwrap(f"if grep -q bad; then echo crashed >&2; exit 1; else {good}; fi")
    good_1, bad, good_2 = OfficeSaver().save_all([b"good", b"bad", b"nice"])
    assert (good_1, good_2) == (b"yes", b"yes")
    assert isinstance(bad, MachineError)


def test_only_what_was_used_last_is_kept(bwrap: Bwrap, home: Path) -> None:
    bwrap(r"cat > /dev/null; printf '\0\0\0\0\003yes'")
    saver = OfficeSaver(kept_decks=2)
    for number in range(4):
        assert saver.save(bytes([number])) == b"yes"
        time.sleep(0.02)
    assert len(list((home.parent / "saves").iterdir())) == 2


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (r"printf '\1\0\0\0\012cannot do!'", DeckError, "cannot do!"),
        ("echo 'bwrap: no permission' >&2; exit 1", HostError, "pptarena doctor"),
        ("echo 'crashed' >&2; exit 1", MachineError, "could not be saved: crashed"),
        ("exit 139", MachineError, "139"),
        (r"printf '\0\0\0\0\011abc'", MachineError, "broke off"),
        (r"printf '\0\0'", MachineError, "broke off"),
        ("exit 0", MachineError, "broke off"),
        ("exec sleep 300", MachineTimeoutError, r"within 0\.5 s"),
    ],
)
def test_failures_have_names_and_are_not_kept(
    bwrap: Bwrap, body: str, error: type[Exception], message: str, home: Path
) -> None:
    bwrap(body)
    started = time.monotonic()
    with pytest.raises(error, match=message):
        OfficeSaver(timeout_sec=0.5).save(b"deck")
    assert time.monotonic() - started < 60
    assert not (home.parent / "saves").exists()


def test_what_is_missing_is_named(
    home: Path, make_image: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ImageError, match="pptarena image build"):
        OfficeSaver().save(b"deck")
    make_image()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(HostError, match="bubblewrap is missing"):
        OfficeSaver().save(b"deck")
    with pytest.raises(ConfigError, match="above 0"):
        OfficeSaver(timeout_sec=0)


@pytest.mark.image
class TestImage:
    @pytest.fixture(autouse=True)
    def _saves_of_its_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pptarena.vm_images.office_saver.cache_home", lambda: tmp_path)

    @pytest.fixture
    def machine(self) -> Iterator[SandboxMachine]:
        machine = SandboxMachine(SandboxConfig(spare=False))
        yield machine
        machine.close()

    def test_a_deck_is_saved_as_the_machine_saves_it(self, machine: SandboxMachine) -> None:
        deck = deck_of("Harvest", "Weather")
        machine.load(deck, "deck.pptx")
        theirs, ours = _parts(machine.save()), _parts(OfficeSaver().save(deck))
        assert list(ours) == list(theirs)
        for name in ours:
            # Fields get random ids at every save.
            assert _ID.sub(b"", ours[name]) == _ID.sub(b"", theirs[name]), name

    def test_what_is_no_deck_is_refused_and_the_next_one_saved(self) -> None:
        bad, good = OfficeSaver().save_all([b"no deck", deck_of("a")])
        assert isinstance(bad, DeckError)
        assert "ppt/presentation.xml" in _parts(good)
        with pytest.raises(DeckError, match=r"cannot open|does not read"):
            OfficeSaver().save(b"no deck")


def _parts(deck: Any) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(deck)) as package:
        return {name: package.read(name) for name in package.namelist()}
