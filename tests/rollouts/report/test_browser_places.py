"""Scroll position of the report after opening an address and after a key."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import actions
from pptarena.rollouts.episode import StoredEpisode

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Browse = Callable[..., Any]
Run = Callable[..., StoredEpisode]
WriteReport = Callable[[Path], Path]
HEIGHT = 500
TOP = 'Math.round(d.getElementById("viewer").getBoundingClientRect().top)'


def test_addresses_scroll_to_the_viewer(browse: Browse, page: Path) -> None:
    result = browse(
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
    assert set(result) == {"opened", "another", "the same", "from a table", "anchor"}
    assert all(0 <= top <= 40 for top in result.values()), result


def test_report_without_an_address_starts_at_the_top(browse: Browse, page: Path) -> None:
    result = browse(page, f'await at("0/0"); return {{ top: {TOP}, y: w.scrollY }};', height=HEIGHT)
    assert result["y"] == 0
    assert result["top"] > HEIGHT


def test_keys_need_a_visible_viewer(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        f"""
        await at("0/0");
        const positions = {{}};
        for (const key of ["End", "Home", " "]) {{
          await press(key);
          positions[key] = [d.body.dataset.ready, w.scrollY, d.getElementById("play").ariaPressed];
        }}
        await press("ArrowRight"); await at("0/1");
        positions.step = {TOP};
        await press("End"); await at("0/3");
        w.scrollTo(0, 0);
        await press("n"); await at("1/0");
        positions.episode = {TOP};
        w.scrollTo(0, w.scrollY + 250);
        const place = w.scrollY;
        await press("n"); await at("2/0");
        positions.stays = [place, w.scrollY];
        w.history.back(); await at("1/0");
        return positions;
        """,
        height=HEIGHT,
    )
    assert [result[key] for key in ("End", "Home", " ")] == [["0/0", 0, "false"]] * 3
    assert 0 <= result["step"] <= 40
    assert 0 <= result["episode"] <= 40
    # The browser keeps the content in place; the notice above it belongs to episode 1 only.
    assert abs(result["stays"][0] - result["stays"][1]) < 100


def test_invisible_characters_are_escaped(
    browse: Browse, run: Run, write_report: WriteReport
) -> None:
    hidden = "\u202egnp.exe\u2066 \u200bx\u2028y\u0085z\U000e0041 \u0645\u06cc\u200c\u062e"
    folder = run("plain", [actions.type_text("a")], instruction=hidden).folder
    result = browse(
        write_report(folder),
        'return { instruction: text("instruction"), page: d.body.innerText };',
    )
    assert result["instruction"] == (
        "\\u202egnp.exe\\u2066 \\u200bx\\u2028y\\u0085z\\udb40\\udc41 \u0645\u06cc\u200c\u062e"
    )
    assert not set("\u202e\u2066\u200b\u2028") & set(result["page"])
