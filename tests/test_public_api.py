"""The public API of `pptarena`: documented names, imported lazily."""

import inspect
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.each_case import each_case

import pptarena
from pptarena.errors import ConfigError, DeckError, UnknownTaskError

TASK = "meridian-hide-backup"
PUBLIC = {
    *("Task", "__version__", "actions", "diff_decks", "load_suite", "load_task"),
    *("make", "make_sb3", "read_deck", "run_episode", "score"),
}
# Packages that are slow to import.
HEAVY = ("torch", "stable_baselines3", "pptx", "lxml", "pydantic", "PIL", "rich", "typer")


class Idle:
    def reset(self, info: Any, seed: int) -> None: ...

    def act(self, observation: Any, info: Any) -> Any:
        return {"kind": "done"} if "screenshot" in observation else {"tool": "done"}


def test_dir_lists_only_public_names() -> None:
    assert set(dir(pptarena)) == set(pptarena.__all__) == PUBLIC


@each_case("name", sorted(PUBLIC - {"__version__"}))
def test_every_public_name_has_a_docstring(name: str) -> None:
    value = getattr(pptarena, name)
    assert inspect.getdoc(value)
    assert f"    {name} " in (pptarena.__doc__ or "")


def test_help_shows_every_function() -> None:
    text = pydoc.plain(pydoc.render_doc(pptarena))
    for name in ("make", "load_task", "load_suite", "score", "run_episode", "read_deck"):
        assert f"    {name}(" in text
    assert "gym =" not in text


def test_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'maek'"):
        _ = pptarena.maek


@pytest.mark.slow
def test_import_loads_no_heavy_package() -> None:
    code = f"import sys, pptarena; print([n for n in {HEAVY!r} if n in sys.modules])"
    output = subprocess.check_output([sys.executable, "-c", code], text=True, timeout=60)
    assert output.strip() == "[]"


def test_make_opens_screen_or_document_env() -> None:
    with pptarena.make(TASK, machine="fake") as env:
        assert "screenshot" in env.observation_space.spaces  # type: ignore[attr-defined]
    with pptarena.make(TASK, env="doc") as env:
        assert "outline" in env.observation_space.spaces  # type: ignore[attr-defined]
    for unknown in ("dok", ["doc"]):
        with pytest.raises(ConfigError, match="expected 'screen' or 'doc'"):
            pptarena.make(TASK, env=unknown)  # type: ignore[arg-type]


def test_tasks_are_loaded_by_id_or_suite() -> None:
    assert pptarena.load_task(TASK).id == TASK
    assert TASK in {task.id for task in pptarena.load_suite("bench")}
    with pytest.raises(UnknownTaskError):
        pptarena.load_task("meridian-hide-backups")


@pytest.mark.slow
def test_score_uses_deck_of_task_by_default(tmp_path: Path) -> None:
    from pptx import Presentation

    task = pptarena.load_task(TASK)
    path = tmp_path / "done.pptx"
    path.write_bytes(task.deck_bytes())
    assert pptarena.score(TASK, path, as_is=True).score == 0
    deck = Presentation(str(path))
    deck.slides[len(deck.slides) - 1]._element.set("show", "0")
    deck.save(str(path))
    assert pptarena.score(TASK, path, as_is=True).score == 1
    with pytest.raises(ConfigError, match="got both"):
        pptarena.score(TASK, path, original=path, as_is=True)


def test_diff_decks_takes_only_decks(tmp_path: Path) -> None:
    deck = pptarena.read_deck(pptarena.load_task(TASK).deck_bytes())
    assert pptarena.diff_decks(deck, deck) == ()
    with pytest.raises(ConfigError, match="cannot compare a str: read both files with"):
        pptarena.diff_decks(deck, "deck.pptx")  # type: ignore[arg-type]


def test_decks_are_paths_or_bytes() -> None:
    message = "expected the path or the bytes of a .pptx file, got int"
    with pytest.raises(ConfigError, match=message):
        pptarena.score(TASK, 3, as_is=True)  # type: ignore[arg-type]
    with pytest.raises(DeckError, match=message):
        pptarena.read_deck(3)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("env", ["screen", "doc"])
def test_run_episode_stores_episode_on_request(env: Any, tmp_path: Path) -> None:
    options = {"machine": "fake"} if env == "screen" else {}
    with pptarena.make(TASK, env=env, **options) as opened:
        result = pptarena.run_episode(opened, Idle(), out=tmp_path)
        assert (result.score, result.task, result.end) == (0.0, TASK, "done")
        again = pptarena.run_episode(opened, Idle(), task=TASK)
    assert again.steps == 1
    assert len(list(tmp_path.rglob("meta.json"))) == 1
