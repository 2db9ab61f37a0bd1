"""What of the report is on the screen: after an address was opened, and after a key."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import actions
from pptarena.rollouts.episode import StoredEpisode

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Browse = Callable[..., Any]
Run = Callable[..., StoredEpisode]
Written = Callable[[Path], Path]
HEIGHT = 500
TOP = 'Math.round(d.getElementById("viewer").getBoundingClientRect().top)'


def test_addresses_scroll_to_their_step(browse: Browse, page: Path) -> None:
    found = browse(
        page,
        f"""
        const tops = {{}};
        const note = async (name) => {{ await pause(100); tops[name] = {TOP}; }};
        await at("2/1"); await note("opened");
        w.scrollTo(0, 0); w.location.hash = "#episode=1"; await at("1/0"); await note("another");
        w.scrollTo(0, 0); w.location.hash = "#episode=1&step=0"; await note("the same");
        w.scrollTo(0, 0); d.querySelector(".matrix-score a").click(); await note("from a table");
        w.scrollTo(0, 0); w.location.hash = "#viewer"; await note("anchor");
        return tops;
        """,
        height=HEIGHT,
        at="#episode=2&step=1",
    )
    assert set(found) == {"opened", "another", "the same", "from a table", "anchor"}
    assert all(0 <= top <= 40 for top in found.values()), found


def test_a_report_without_an_address_begins_at_its_top(browse: Browse, page: Path) -> None:
    found = browse(page, f'await at("0/0"); return {{ top: {TOP}, y: w.scrollY }};', height=HEIGHT)
    assert found["y"] == 0
    assert found["top"] > HEIGHT


def test_keys_do_nothing_out_of_sight(browse: Browse, page: Path) -> None:
    found = browse(
        page,
        f"""
        await at("0/0");
        const seen = {{}};
        for (const key of ["End", "Home", " "]) {{
          await press(key);
          seen[key] = [d.body.dataset.ready, w.scrollY, d.getElementById("play").ariaPressed];
        }}
        await press("ArrowRight"); await at("0/1");
        seen.step = {TOP};
        await press("End"); await at("0/3");
        w.scrollTo(0, 0);
        await press("n"); await at("1/0");
        seen.episode = {TOP};
        w.scrollTo(0, w.scrollY + 250);
        const place = w.scrollY;
        await press("n"); await at("2/0");
        seen.stays = [place, w.scrollY];
        w.history.back(); await at("1/0");
        return seen;
        """,
        height=HEIGHT,
    )
    assert [found[key] for key in ("End", "Home", " ")] == [["0/0", 0, "false"]] * 3
    assert 0 <= found["step"] <= 40
    assert 0 <= found["episode"] <= 40
    # The browser keeps what is read in its place; the notice above it in episode 1 is gone.
    assert abs(found["stays"][0] - found["stays"][1]) < 100


def test_nothing_on_the_page_turns_the_direction_of_text(
    browse: Browse, run: Run, written: Written
) -> None:
    hidden = "\u202egnp.exe\u2066 \u200bx\u2028y\u0085z\U000e0041 \u0645\u06cc\u200c\u062e"
    folder = run("plain", [actions.type_text("a")], instruction=hidden).folder
    found = browse(
        written(folder),
        'return { instruction: text("instruction"), page: d.body.innerText };',
    )
    assert found["instruction"] == (
        "\\u202egnp.exe\\u2066 \\u200bx\\u2028y\\u0085z\\udb40\\udc41 \u0645\u06cc\u200c\u062e"
    )
    assert not set("\u202e\u2066\u200b\u2028") & set(found["page"])
