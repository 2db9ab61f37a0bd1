"""How episodes ended, and imported results, in a real browser."""

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
Written = Callable[[Path], Path]


def test_endings_are_counted_and_filter_the_list(
    browse: Browse, run: Run, solution: Sequence[actions.Action], written: Written
) -> None:
    run("solver", solution)
    folder = run("solver", [actions.click(xy=(0.001, 0.999))], seed=1).folder
    found = browse(
        written(folder.parents[1]),
        """
        const heads = all(".endings th", (part) => part.textContent);
        const cells = all(".endings td", (part) => part.textContent);
        const select = d.getElementById("outcome");
        const choices = [...select.querySelectorAll("optgroup option")].map((part) => part.value);
        select.value = "endings:loop";
        select.dispatchEvent(new w.Event("input"));
        await pause(100);
        const shown = all("#episode-list a", (part) => part.getAttribute("href"));
        w.location.hash = "#episode=1"; await at("1/0");
        const unexplained = all(".endings th:not([title])", (part) => part.textContent);
        const explained = all(".endings + .meanings dt", (part) => part.textContent);
        const headings = { heads, unexplained, explained };
        return { ...headings, cells, choices, shown, facts: text("episode-facts") };
        """,
    )
    assert found["heads"] == [
        "Agent", "Episodes", "Solved", "Out of steps in a loop", "Target missed",
        "Repeated actions", "Actions without effect",
    ]  # fmt: skip
    assert found["unexplained"] == ["Agent"]
    assert found["explained"] == found["heads"][2:]
    assert found["cells"] == ["solver", "2", "1", "1", "1", "5", "6"]
    assert found["choices"] == ["endings:loop", "causes:target missed"]
    assert found["shown"] == ["#episode=1"]
    assert (
        "ended by the step limit · out of steps in a loop · target missed · 5 repeated actions"
        in found["facts"]
    )


def test_an_imported_result_has_no_stage(
    browse: Browse, task: Task, written: Written, tmp_path: Path
) -> None:
    (tmp_path / "torn.pptx").write_bytes(b"torn")
    importer = DeckImporter(tmp_path / "run", "product")
    list(importer.run([Submission(task, tmp_path, ("torn.pptx",))]))
    found = browse(
        written(tmp_path / "run"),
        """
        const hidden = (selector) => d.querySelector(selector).getBoundingClientRect().height === 0;
        return { hidden: [".controls", ".switches", "#tree-panel", "#curve"].map(hidden),
          notice: text("episode-notices"), when: text("rubric-when"), screen: text("no-picture") };
        """,
    )
    assert found["hidden"] == [True] * 4
    assert "the deck cannot be read" in found["notice"]
    assert found["when"] == "at the end"
    assert found["screen"] == "an imported result has no screen and no actions"
