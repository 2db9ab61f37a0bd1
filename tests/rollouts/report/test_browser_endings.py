"""Endings of episodes and imported results in a real browser."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import actions
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.imported_decks import DeckImporter, Submission
from pptarena.tasks import Task

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Browse = Callable[..., Any]
Run = Callable[..., StoredEpisode]
WriteReport = Callable[[Path], Path]


def test_endings_are_counted_and_filter_the_episodes(
    browse: Browse, run: Run, solution: Sequence[actions.Action], write_report: WriteReport
) -> None:
    run("solver", solution)
    folder = run("solver", [actions.click(xy=(0.001, 0.999))], seed=1).folder
    result = browse(
        write_report(folder.parents[1]),
        """
        const headers = all(".endings th", (part) => part.textContent);
        const cells = all(".endings td", (part) => part.textContent);
        const select = d.getElementById("outcome");
        const choices = [...select.querySelectorAll("optgroup option")].map((part) => part.value);
        select.value = "endings:loop";
        select.dispatchEvent(new w.Event("input"));
        await pause(100);
        const visible = all("#episode-list a", (part) => part.getAttribute("href"));
        w.location.hash = "#episode=1"; await at("1/0");
        const unexplained = all(".endings th:not([title])", (part) => part.textContent);
        const explained = all(".endings + .meanings dt", (part) => part.textContent);
        const headings = { headers, unexplained, explained };
        return { ...headings, cells, choices, visible, facts: text("episode-facts") };
        """,
    )
    assert result["headers"] == [
        "Agent", "Episodes", "Solved", "Out of steps in a loop", "Target missed",
        "Repeated actions", "Actions without effect",
    ]  # fmt: skip
    assert result["unexplained"] == ["Agent"]
    assert result["explained"] == result["headers"][2:]
    assert result["cells"] == ["solver", "2", "1", "1", "1", "5", "6"]
    assert result["choices"] == ["endings:loop", "causes:target missed"]
    assert result["visible"] == ["#episode=1"]
    assert (
        "ended by the step limit · out of steps in a loop · target missed · 5 repeated actions"
        in result["facts"]
    )


def test_imported_result_has_no_playback_controls(
    browse: Browse, task: Task, write_report: WriteReport, tmp_path: Path
) -> None:
    (tmp_path / "torn.pptx").write_bytes(b"torn")
    importer = DeckImporter(tmp_path / "run", "product")
    list(importer.run([Submission(task, tmp_path, ("torn.pptx",))]))
    result = browse(
        write_report(tmp_path / "run"),
        """
        const hidden = (selector) => d.querySelector(selector).getBoundingClientRect().height === 0;
        return { hidden: [".controls", ".switches", "#tree-panel", "#curve"].map(hidden),
          notice: text("episode-notices"), when: text("rubric-when"), screen: text("no-picture") };
        """,
    )
    assert result["hidden"] == [True] * 4
    assert "the deck cannot be read" in result["notice"]
    assert result["when"] == "at the end"
    assert result["screen"] == "an imported result has no screen and no actions"
