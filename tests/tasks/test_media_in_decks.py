"""Media in decks, and attachments."""

import hashlib
import io
import struct
import wave
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Cm
from tests.conftest import save
from tests.each_case import each_case

from pptarena.edits import OpenDeck
from pptarena.edits.pictures import insert_media, replace_picture
from pptarena.errors import DeckError, TaskError
from pptarena.rewards import read_deck
from pptarena.tasks import list_tasks
from pptarena.tasks.task_files import packaged_file
from tools.decks.attachments import ATTACHMENTS
from tools.decks.build import names
from tools.decks.deck_text import Block, DeckText, SlideText
from tools.decks.media import FILMS, SOUNDS, make_film, make_sound
from tools.decks.render import render

pytestmark = pytest.mark.slow

BOX = (2.0, 4.0, 8.0, 4.5)


def deck_of(*blocks: Block) -> Any:
    slide = SlideText("only", "A slide", blocks=blocks)
    return render(DeckText("made", "Made", "Nobody", "dusk", [slide]))


def facts_of(deck: Any) -> Any:
    return read_deck(save(deck))


@each_case("name", sorted(FILMS))
def test_film_is_a_reproducible_avi_of_different_frames(name: str) -> None:
    film = make_film(name)
    assert film == make_film(name)
    assert film[:4] == b"RIFF"
    assert struct.unpack_from("<I", film, 4)[0] == len(film) - 8
    index = film.index(b"idx1")
    (entries,) = struct.unpack_from("<I", film, index + 4)
    start = film.index(b"movi")
    pictures = []
    for at in range(index + 8, index + 8 + entries, 16):
        kind, _, offset, size = struct.unpack_from("<4sIII", film, at)
        assert kind == b"00dc"
        data = film[start + offset + 8 : start + offset + 8 + size]
        pictures.append(Image.open(io.BytesIO(data)).convert("RGB").tobytes())
    assert len(pictures) == len(set(pictures)) == 18
    assert len(film) < 70_000


@each_case("name", sorted(SOUNDS))
def test_sound_is_an_audible_wav_file(name: str) -> None:
    with wave.open(io.BytesIO(make_sound(name))) as sound:
        samples = sound.readframes(sound.getnframes())
        assert 0.5 < sound.getnframes() / sound.getframerate() < 3
    assert max(samples) - min(samples) > 100


def test_unknown_films_and_sounds_are_rejected() -> None:
    with pytest.raises(DeckError, match="expected a film of lamp, sunrise, tram, got 'sea'"):
        make_film("sea")
    with pytest.raises(DeckError, match="expected a sound of bell, jingle, got 'sea'"):
        make_sound("sea")


def test_blocks_insert_films_sounds_and_photos() -> None:
    film = Block("film", "Film", BOX, {"film": "lamp"})
    sound = Block("sound", "Sound", (12, 4, 2, 2), {"sound": "bell"})
    photo = Block("photo", "Photo", (16, 4, 6, 6), {"draw": "dawn", "alt": "A hill"})
    wide = Block("photo", "Wide", (2, 10, 12, 4), {"draw": "dawn", "behind": True})
    shapes = {
        shape.name: shape for shape in facts_of(deck_of(film, sound, photo, wide)).slides[0].shapes
    }
    assert shapes["Film"].picture.media_kind == "video"
    assert shapes["Film"].picture.media_sha256 == hashlib.sha256(make_film("lamp")).hexdigest()
    assert shapes["Sound"].picture.media_kind == "audio"
    assert shapes["Sound"].picture.media_sha256 == hashlib.sha256(make_sound("bell")).hexdigest()
    left, top, right, bottom = shapes["Photo"].picture.crop_pct
    assert (left, top) == (pytest.approx(12.5, abs=0.1), 0) == (right, bottom)
    assert shapes["Wide"].picture.crop_pct[1] == pytest.approx(27.8, abs=0.1)
    assert next(iter(shapes)) == "Wide"


def test_media_can_be_added_to_a_deck_with_media(tmp_path: Path) -> None:
    stream = io.BytesIO()
    deck_of(Block("sound", "Sound", BOX, {"sound": "bell"})).save(stream)
    deck: Any = Presentation(stream)
    box = (Cm(1), Cm(1), Cm(3), Cm(3))
    insert_media(deck.slides[0], "a.wav", make_sound("jingle"), box)
    insert_media(deck.slides[0], "a.avi", make_film("tram"), box)
    kinds = [shape.picture.media_kind for shape in facts_of(deck).slides[0].shapes if shape.picture]
    assert kinds == ["audio", "audio", "video"]
    parts = [str(part.partname) for part in deck.part.package.iter_parts()]
    assert not any(name.endswith(".vid") for name in parts)


def test_replaced_picture_keeps_its_position() -> None:
    deck = deck_of(Block("photo", "Photo", BOX, {"draw": "dawn"}))
    (before,) = (shape for shape in facts_of(deck).slides[0].shapes if shape.name == "Photo")
    new = packaged_file("aurora/team.png")
    replace_picture(OpenDeck(deck, {"team.png": new}), 1, "Photo", "team.png")
    (after,) = (shape for shape in facts_of(deck).slides[0].shapes if shape.name == "Photo")
    assert after.picture.sha256 == hashlib.sha256(new).hexdigest() != before.picture.sha256
    assert after.box == before.box


@each_case("name", sorted(ATTACHMENTS))
def test_attachments_are_reproducible(name: str) -> None:
    assert packaged_file(name) == ATTACHMENTS[name]()
    assert name.partition("/")[0] in {*names(), "meridian"}


def test_attachments_are_used_and_small() -> None:
    tasks = list_tasks("all")
    used = {f"{task.deck!s}/{file.name}" for task in tasks for file in task.files}
    assert used == set(ATTACHMENTS)
    assert sum(len(packaged_file(name)) for name in ATTACHMENTS) < 500_000
    with pytest.raises(TaskError, match="expected a file in the folder"):
        packaged_file("aurora/none.png")
