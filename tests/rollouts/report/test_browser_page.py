"""The entire page in a real browser: layout, names, hostile and missing data, downloads."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import actions
from pptarena.rollouts.episode import StoredEpisode
from pptarena.untrusted import escape_invisible

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Browse = Callable[..., Any]
Run = Callable[..., StoredEpisode]
WriteReport = Callable[[Path], Path]


@pytest.mark.parametrize("width", [390, 1280])
def test_page_needs_no_horizontal_scrolling(browse: Browse, page: Path, width: int) -> None:
    result = browse(
        page,
        """
        await press("m");
        d.querySelectorAll("details").forEach((part) => { part.open = true; });
        await pause(200);
        const wide = [...d.querySelectorAll("body *")].filter((part) => {
          const box = part.getBoundingClientRect();
          const scrolls = part.closest("#tree, .skip");
          return box.width > 0 && box.right > w.innerWidth + 1 && !scrolls;
        });
        const small = all(".controls button", (part) => part.getBoundingClientRect().height);
        return { inner: w.innerWidth, scroll: d.documentElement.scrollWidth,
          wide: wide.map((part) => part.outerHTML.slice(0, 80)), small: Math.min(...small) };
        """,
        width=width,
    )
    assert result["inner"] == width
    assert result["scroll"] <= width
    assert result["wide"] == []
    assert result["small"] >= (44 if width == 390 else 30)


def test_every_control_has_a_name_and_a_unique_id(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        """
        const named = (part) => part.getAttribute("aria-label") || part.textContent.trim() ||
          part.labels?.[0]?.textContent.trim();
        const controls = "button, a, input, select, summary, canvas, svg:not([aria-hidden])";
        const nameless = all(controls, (part) => named(part) ? "" : part.outerHTML.slice(0, 90));
        const ids = all("[id]", (part) => part.id);
        const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
        return { nameless: nameless.filter(Boolean), doubled, lang: d.documentElement.lang };
        """,
    )
    assert result == {"nameless": [], "doubled": [], "lang": "en"}


def test_hostile_text_is_escaped_in_the_browser(
    browse: Browse, run: Run, hostile: str, write_report: WriteReport
) -> None:
    episode = run(
        hostile,
        [actions.type_text(hostile), actions.key(hostile), actions.open_program(hostile)],
        id=hostile, instruction=hostile, difficulty=hostile, edit_types=(hostile,), level=hostile,
    )  # fmt: skip
    for name in ("step_000.json", "final.json"):
        tree = json.loads((episode.folder / name).read_text("utf-8"))
        for node in tree["nodes"]:
            node.update(name=hostile, text=hostile + "2", description=hostile, role=hostile)
        (episode.folder / name).write_text(json.dumps(tree), "utf-8")
    rubric = {"name": hostile, "critical": False, "score": 0.5, "reason": hostile, "children": []}
    (episode.folder / "rubrics.jsonl").write_text(json.dumps({"step": 0, "rubric": rubric}))
    result = browse(
        write_report(episode.folder),
        """
        let alerts = 0;
        w.alert = () => { alerts++; };
        const parts = ["episode-title", "instruction", "caption", "rubric", "tree", "tables"];
        const texts = parts.map(text);
        for (const key of ["m", "ArrowRight", "ArrowRight", "End"]) await press(key);
        await pause(200);
        return { texts, alerts, images: d.querySelectorAll("img[onerror]").length,
          trouble: d.getElementById("trouble").hidden ? "" : text("trouble") };
        """,
    )
    assert all(escape_invisible(hostile) in text for text in result["texts"])
    assert (result["alerts"], result["images"], result["trouble"]) == (0, 0, "")


def test_missing_files_are_reported_in_the_page(
    browse: Browse, run: Run, write_report: WriteReport
) -> None:
    folder = run("random", [actions.wait(), actions.done()]).folder
    for name in ("step_000.png", "step_000.json", "rubric.json", "rubrics.jsonl", "final.pptx"):
        (folder / name).unlink()
    result = browse(
        write_report(folder),
        """
        const gaps = ["no-picture", "tree", "rubric", "slides"].map(text);
        await press("ArrowRight"); await at("0/1");
        return { gaps, shown: !d.getElementById("picture").hidden };
        """,
    )
    screenshot, tree, rubric, slides = result["gaps"]
    assert "step_000.png is not stored" in screenshot
    assert "step_000.json is not stored" in tree
    assert rubric == "No rubric is stored."
    assert "final.pptx not stored" in slides
    assert result["shown"]


def test_matrix_has_the_mean_score_of_every_task_and_agent(
    browse: Browse, run: Run, write_report: WriteReport
) -> None:
    run("solver", [actions.done()])
    folder = run("random", [actions.wait(), actions.done()]).folder
    meta = json.loads((folder / "meta.json").read_text())
    second = folder.with_name("seed-77")
    shutil.copytree(folder, second)
    (second / "meta.json").write_text(json.dumps({**meta, "seed": 77, "score": 0.5}))
    result = browse(
        write_report(folder.parents[1]),
        """
        const headers = all(".matrix thead th", (part) => part.textContent);
        const pairs = all(".matrix td a", (part) => [part.textContent, part.title,
          part.style.getPropertyValue("--score"), part.getAttribute("href")]);
        const shades = all(".matrix a.shaded", (part) => w.getComputedStyle(part).backgroundColor);
        const tasks = all(".matrix tbody th", (part) => part.textContent);
        return { headers, pairs, shades, tasks };
        """,
    )
    task = meta["task"]
    assert result["headers"] == ["Task", "random", "solver"]
    assert result["tasks"] == [task]
    tooltip = f"{task}, random: mean 0.25 of 2 episodes, from 0.00 to 0.50"
    assert result["pairs"] == [
        ["0.25", tooltip, "0.25", "#episode=0"],
        ["0.00", f"{task}, solver: mean 0.00 of 1 episode", "0", "#episode=2"],
    ]
    assert len(set(result["shades"])) == 2, "different scores have the same color"


def test_downloads_contain_the_stored_data(browse: Browse, page: Path) -> None:
    result = browse(
        page,
        """
        const files = {};
        for (const link of d.querySelectorAll("#downloads a")) {
          link.addEventListener("click", (event) => event.preventDefault());
          link.click();
          files[link.download] = await fetched(link.href);
        }
        return files;
        """,
        at="#episode=2",
    )
    folder = page.parent / "run" / "solver" / "seed-2"
    stored = {name: (folder / name).read_text("utf-8") for name in ("meta.json", "traj.jsonl")}
    assert json.loads(result["meta.json"]) == json.loads(stored["meta.json"])
    lines, stored_lines = result["traj.jsonl"].splitlines(), stored["traj.jsonl"].splitlines()
    assert [*map(json.loads, lines)] == [*map(json.loads, stored_lines)]
    tree = json.loads((folder / "step_000.json").read_text("utf-8"))["nodes"]
    names = [(node["role"], node["name"], node["element"]) for node in tree]
    downloaded = json.loads(result["tree.json"])
    assert [(node["role"], node["name"], node["element"]) for node in downloaded] == names
