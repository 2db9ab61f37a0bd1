"""The report's steps, screenshots and panels in a real browser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pptarena.envs import actions
from pptarena.rollouts.episode import StoredEpisode

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Browse = Callable[..., Any]
Run = Callable[..., StoredEpisode]
WriteReport = Callable[[Path], Path]


def test_keys_navigate_through_an_episode(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        """
        const visited = [];
        const note = () => visited.push([d.body.dataset.ready, text("caption"), text("place")]);
        await at("2/0"); note();
        await press("ArrowRight"); await at("2/1"); note();
        await press("End"); await at("2/3"); note();
        await press("ArrowLeft"); await at("2/2"); note();
        await press("Home"); await at("2/0"); note();
        await press("p"); await at("1/0");
        return { visited, score: text("episode-score"), notice: text("episode-notices") };
        """,
        at="#episode=2",
    )
    assert [each[0] for each in result["visited"]] == ["2/0", "2/1", "2/3", "2/2", "2/0"]
    assert result["visited"][0][1].startswith("Click panel “Title 1” [")
    assert result["visited"][1][1] == "Pressctrlb"
    assert [each[2] for each in result["visited"]] == [
        "1 / 3",
        "2 / 3",
        "end / 3",
        "3 / 3",
        "1 / 3",
    ]
    assert result["score"] == "infra failed"
    assert "it is lost" in result["notice"]


def test_repeated_keys_and_addresses_select_steps(
    browse: Browse, run: Run, write_report: WriteReport
) -> None:
    folder = run("random", [actions.wait()]).folder  # six steps, the budget
    result = browse(
        write_report(folder),
        """
        for (let i = 0; i < 5; i++) press("ArrowRight");
        await at("0/5");
        await pause(600);
        const address = w.location.hash;
        w.location.hash = "#episode=0&step=2"; await at("0/2");
        w.history.back(); await at("0/5");
        w.location.hash = "#viewer";
        await pause(200);
        return { address, ready: d.body.dataset.ready };
        """,
    )
    assert result == {"address": "#episode=0&step=5", "ready": "0/5"}


def test_playback_stops_at_the_end(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        """
        await press(" ");
        const playing = d.getElementById("play").getAttribute("aria-pressed");
        await at("0/3");
        await pause(1200);
        return { playing, after: d.getElementById("play").getAttribute("aria-pressed") };
        """,
        at="#episode=0",  # the space bar scrolls the page if the episode is not visible
    )
    assert result == {"playing": "true", "after": "false"}


def test_screenshot_equals_the_stored_one(
    browse: Browse, run: Run, write_report: WriteReport
) -> None:
    folder = run("random").folder
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (361, 641, 3), np.uint8)  # not a multiple of the tile size
    Image.fromarray(pixels).save(folder / "step_000.png")
    result = browse(
        write_report(folder),
        """
        const canvas = d.getElementById("picture");
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        const rows = [0, 119, 120, 239, 240, 360];
        const row = (y) => Array.from(data.slice(y * canvas.width * 4, (y + 1) * canvas.width * 4));
        return { size: [canvas.width, canvas.height], rows: rows.map((y) => [y, row(y)]) };
        """,
    )
    assert result["size"] == [641, 361]
    for y, row in result["rows"]:
        assert np.array_equal(np.array(row).reshape(641, 4)[:, :3], pixels[y])


def test_actions_are_drawn_at_their_points(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        """
        const line = () => ["x1", "y1", "x2", "y2"].map((name) =>
          Number(d.querySelector("#aim line.ink").getAttribute(name)));
        const dragged = line();
        await press("ArrowRight"); await at("0/1");
        const scrolled = [...line(), d.querySelector("#aim .aim-note").textContent];
        await press("a");
        return { dragged, scrolled, hidden: d.getElementById("aim") === null };
        """,
        at="#episode=0",
    )
    assert result["dragged"] == [160, 180, 480, 180]
    left, top, right, bottom, note = result["scrolled"]
    assert (left, top, right) == (320, 180, 320)
    assert bottom > top
    assert note.endswith(" 3")
    assert result["hidden"]


def test_marks_have_the_numbers_and_boxes_of_the_elements(
    browse: Browse, page: Path, run: Run
) -> None:
    result = browse(
        page,
        """
        const before = d.getElementById("marks");
        await press("m");
        const number = (part) => Number(part.textContent);
        const [numbers, badges] = [all("#marks text", number), all("#tree .badge", number)];
        const [frames, plates] = [places("#marks > rect"), places("#marks g rect")];
        return { before, numbers, frames, plates, badges };
        """,
    )
    folder = next((page.parent / "run").glob("a_vendor*")) / "seed-0"
    nodes = json.loads((folder / "step_000.json").read_text("utf-8"))["nodes"]
    elements = {node["element"]: node["box"] for node in nodes if node["element"]}
    assert result["before"] is None
    assert sorted(result["numbers"]) == sorted(elements) == sorted(result["badges"])
    for frame, (_, (left, top, width, height)) in zip(
        result["frames"], sorted(elements.items()), strict=True
    ):
        right, bottom = min(left + width, 640), min(top + height, 360)
        left, top = max(left, 0), max(top, 0)
        assert frame == [left, top, right - left, bottom - top]
    for number, (x, y, width, height) in enumerate(result["plates"]):
        for other_x, other_y, other_width, other_height in result["plates"][:number]:
            apart = x >= other_x + other_width or x + width <= other_x
            assert apart or y >= other_y + other_height or y + height <= other_y


def test_tree_and_rubric_belong_to_the_selected_step(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        """
        const aimed = d.querySelector("#tree [aria-current]").textContent;
        const rubrics = [text("rubric-when"), d.querySelector("#rubric .chip").textContent];
        await press("ArrowRight"); await at("2/1");
        rubrics.push(text("rubric-when"), d.querySelector("#rubric .chip").textContent,
          d.querySelector("#rubric .news").textContent);
        await press("t");
        const curve = d.querySelector("#curve svg").getAttribute("aria-label");
        return { aimed, rubrics, curve, hidden: d.getElementById("tree-panel").hidden };
        """,
        at="#episode=2",
    )
    assert "panel" in result["aimed"]
    assert "Title 1" in result["aimed"]
    assert result["rubrics"] == ["after action 1", "0.00", "after action 2", "1.00", "was 0.00"]
    assert result["curve"] == "Score 1.00 after 3 actions; increased after action 2"
    assert result["hidden"]


def test_search_and_outcome_filter_the_episodes(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        """
        const names = () => all("#episode-list a", (link) => link.getAttribute("href"));
        const every = names();
        await press("/");
        const focused = d.activeElement.id;
        const search = d.getElementById("search");
        await press("m", search);
        search.value = "SOLVER bold"; search.dispatchEvent(new w.Event("input"));
        const some = names();
        d.getElementById("outcome").value = "infra";
        d.getElementById("outcome").dispatchEvent(new w.Event("input"));
        const one = [names(), text("episode-count")];
        await press("Enter", search); await at("1/0");
        const ready = d.body.dataset.ready;
        return { every, focused, marks: d.getElementById("marks"), some, one, ready };
        """,
    )
    assert len(result["every"]) == 3
    assert result["focused"] == "search"
    assert result["marks"] is None  # keys typed in the search field are not commands
    assert result["some"] == ["#episode=1", "#episode=2"]
    assert result["one"] == [["#episode=1"], "1 of 3"]
    assert result["ready"] == "1/0"
