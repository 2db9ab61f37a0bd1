"""The contract of leaves: their inputs, and valid results."""

import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.each_case import each_case
from tests.envs.programs.conftest import make_leaf

from pptarena.envs.programs import PythonLeaf, Verdict
from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.errors import ConfigError, LeafError, UnscoredError
from pptarena.rewards import load_rubric, read_deck, score

pytestmark = pytest.mark.slow


def test_leaf_returns_score_and_reason(run: Any) -> None:
    assert run("return 'two of four', 0.5") == Verdict(0.5, "two of four")


def test_leaf_reads_both_decks(run: Any) -> None:
    verdict = run(
        """
        from pptx import Presentation
        titles = [
            Presentation(path).slides[1].shapes.title.text
            for path in (original_ppt_path, modified_ppt_path)
        ]
        return " -> ".join(titles), 1
        """
    )
    assert verdict.reason == "Agenda -> Plan"


def test_leaf_reads_the_diff(run: Any) -> None:
    verdict = run(
        """
        (before, after), = ppt_diff.modified_slides
        same = before.slide_id == after.slide_id and not ppt_diff.added_slides
        data = ppt_diff.to_dict()["modified_slides"][0][1]["title"]
        return f"{before.slide_number} {before.title} -> {after.title} {data}", float(same)
        """
    )
    assert verdict == Verdict(1.0, "2 Agenda -> Plan Plan")


def test_imports_of_published_leaves_work(run: Any) -> None:
    verdict = run(
        """
        import difflib, io, json, math, re, tempfile, zipfile
        import numpy as np
        from PIL import Image
        from lxml import etree
        from pptx.util import Emu
        from ppteval.verify.ppt.diff import PowerPointDiff, SlideScreenshot
        from ppteval.verify.ppt.verifier import ScreenshotsUnavailableError
        assert isinstance(ppt_diff, PowerPointDiff)
        assert issubclass(ScreenshotsUnavailableError, RuntimeError)
        names = zipfile.ZipFile(modified_ppt_path).namelist()
        image = np.asarray(Image.new("RGB", (2, 2), "red")).mean()
        return f"{'ppt/presentation.xml' in names} {image}", 1
        """
    )
    assert verdict.reason == "True 85.0"


TOP_LEVEL = [
    ("import re", "re.sub('a', 'b', 'a')"),
    ("from re import sub", "sub('a', 'b', 'a')"),
    ("from pptx import Presentation", "str(len(Presentation(modified_ppt_path).slides))"),
    ("import lxml.etree as etree", "etree.QName('{a}b').localname"),
    ("LIMIT = 3", "str(LIMIT)"),
    ("def helper():\n    return 'h'", "helper()"),
    ("import math\ndef helper():\n    return str(math.pi)", "helper()"),
    ("class Name:\n    text = 'n'", "Name().text"),
    ("def odd(n):\n    return n and not odd(n - 1)", "str(odd(3))"),
    ("try:\n    import json\nexcept ImportError:\n    json = None", "json.dumps(1)"),
    ("from rubric.utils.llm_tools import llm_call", "llm_call.__name__"),
]


@each_case("prelude, result", TOP_LEVEL)
def test_function_uses_top_level_names(shared: PythonLeaves, prelude: str, result: str) -> None:
    code = f"{prelude}\ndef compute_score():\n    return {result}, 1\n"
    assert shared.run_leaf(PythonLeaf(code)).score == 1


def test_with_quirks_top_level_names_are_invisible_inside_the_function(make_leaves: Any) -> None:
    # As published: the code runs with separate globals and locals.
    code = "from re import sub\ndef helper(): ...\ndef compute_score():\n    return {}, 1\n"
    leaves = make_leaves(quirks=True)
    for name in ("sub", "helper"):
        message = f"NameError: name '{name}' is not defined.*inside compute_score"
        with pytest.raises(LeafError, match=message):
            leaves.run_leaf(PythonLeaf(code.format(f"str({name})")))


def test_main_block_is_not_run(shared: PythonLeaves) -> None:
    code = "def compute_score():\n    return 'ok', 1\nif __name__ == '__main__':\n    1 / 0\n"
    assert shared.run_leaf(PythonLeaf(code)).score == 1


def test_code_fence_is_removed(shared: PythonLeaves) -> None:
    code = "\n```python\ndef compute_score():\n    return 'fenced', 0.25\n```\n"
    assert shared.run_leaf(PythonLeaf(code)) == Verdict(0.25, "fenced")
    with pytest.raises(LeafError, match="SyntaxError"):
        shared.run_leaf(PythonLeaf(code.replace("python", "")))


@each_case(
    "result, message",
    [
        ("0.5, 'swapped'", "must return a text and a number, got float and str"),
        ("'a', '1'", "got str and str"),
        ("'a', None", "got str and NoneType"),
        ("'a', 1.01", "from 0 to 1, got 1.01"),
        ("'a', -1", "from 0 to 1"),
        ("'a', float('nan')", "from 0 to 1, got nan"),
        ("'a', 10**400", "OverflowError"),
        ("'a'", "ValueError: not enough values"),
        ("1", "TypeError: cannot unpack"),
        ("'a', 1, 2", "too many values"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("'x' * 10**6, 1", "a reason of 1000000 characters"),
        ("[*range(10**5)][10**6]", "IndexError"),
        ("exit(0)", "NameError"),
        ("__import__('sys').exit(0)", "SystemExit: 0"),
        ("(_ for _ in ()).throw(KeyboardInterrupt)", "KeyboardInterrupt"),
    ],
)
def test_invalid_result_is_an_error(shared: PythonLeaves, result: str, message: str) -> None:
    with pytest.raises(LeafError, match="the leaf failed: ") as caught:
        shared.run_leaf(PythonLeaf(f"def compute_score():\n    return {result}\n"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1", "defines no compute_score"),
        ("def compute_score(:", "SyntaxError"),
        ("raise ValueError('at once')", "ValueError: at once"),
        ("compute_score = 3", "TypeError: 'int' object is not callable"),
        ("def compute_score(a): return 'x', 1", "missing 1 required positional argument"),
        ("def compute_score(): return {}['compute_scor']", "KeyError: 'compute_scor'"),
        ("\0", "source code string cannot contain null bytes"),
        ("# \ud800", "UnicodeEncodeError"),
        ("(" * 300, "SyntaxError: too many nested parentheses"),
    ],
)
def test_invalid_code_is_an_error(shared: PythonLeaves, code: str, message: str) -> None:
    with pytest.raises(LeafError) as caught:
        shared.run_leaf(PythonLeaf(code))
    assert message in str(caught.value)


def test_results_accepted_by_the_published_verifier(shared: PythonLeaves) -> None:
    # A list unpacks too, True is a number, and a float of numpy is a float.
    for result in ("['a', 1]", "'a', True", "'a', __import__('numpy').float64(1)"):
        code = f"def compute_score():\n    return {result}\n"
        assert shared.run_leaf(PythonLeaf(code)) == Verdict(1.0, "a")


def test_reasons_are_cleaned(run: Any) -> None:
    assert run(r"return ' two\n lines\t', 1").reason == "two lines"
    assert run("return '', 1").reason == "the leaf gave no reason"
    assert run(r"return 'half \ud83d', 1").reason == "half ?"
    assert run("return 'x' * 5000, 1").reason.endswith("x...")


def test_randomness_is_reproducible(make_leaves: Any) -> None:
    code = make_leaf(
        """
        import random
        import numpy
        return f"{random.random()} {numpy.random.rand()} {hash('a')}", 1
        """
    )
    assert len({make_leaves().run_leaf(code).reason for _ in range(2)}) == 1


def test_failures_are_recorded(make_leaves: Any) -> None:
    leaves = make_leaves()
    with pytest.raises(LeafError):
        leaves.run_leaf(make_leaf("1 / 0"))
    leaves.run_leaf(make_leaf("return 'fine', 1"))
    assert leaves.failures == ["the leaf failed: ZeroDivisionError: division by zero"]


def test_screenshot_error_is_no_failure(make_leaves: Any) -> None:
    leaves = make_leaves()
    code = """
    from ppteval.verify.ppt.verifier import ScreenshotsUnavailableError
    raise ScreenshotsUnavailableError("none")
    """
    with pytest.raises(UnscoredError, match="lacks pictures of slides"):
        leaves.run_leaf(make_leaf(code))
    assert leaves.failures == []


def test_tmp_is_cleared_between_leaves(make_leaves: Any) -> None:
    leaves = make_leaves()
    write = "import os; os.makedirs('a/b'); open('/tmp/x', 'w').write('y'); return 'ok', 1"
    assert leaves.run_leaf(make_leaf(write)).score == 1
    assert leaves.run_leaf(make_leaf("import os; return str(os.listdir('/tmp')), 1")).reason == "[]"


def test_a_deck_can_be_saved_in_tmp(run: Any) -> None:
    verdict = run(
        """
        import tempfile
        from pptx import Presentation
        with tempfile.TemporaryDirectory() as folder:
            Presentation(modified_ppt_path).save(folder + "/x.pptx")
            return str(len(Presentation(folder + "/x.pptx").slides)), 1
        """
    )
    assert verdict.reason == "6"


def test_leaves_of_several_threads_run_one_at_a_time(make_leaves: Any) -> None:
    leaves, reasons = make_leaves(), []

    def work(number: int) -> None:
        reasons.append(leaves.run_leaf(make_leaf(f"return '{number}', 1")).reason)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(reasons) == ["0", "1", "2", "3"]


def test_close_removes_the_deck_copies(make_leaves: Any, tmp_path: Path) -> None:
    tempfile.tempdir = str(tmp_path)
    try:
        leaves = make_leaves()
        leaves.run_leaf(make_leaf("return 'ok', 1"))
        assert [*tmp_path.iterdir()] != []
        leaves.close()
        assert [*tmp_path.iterdir()] == []
        # A closed runner can be used again.
        assert leaves.run_leaf(make_leaf("return 'ok', 1")).score == 1
    finally:
        tempfile.tempdir = None


def test_missing_bubblewrap_is_reported(
    make_leaves: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    leaves = make_leaves()
    with pytest.raises(LeafError, match="bubblewrap is missing; install it with"):
        leaves.run_leaf(make_leaf("return 'ok', 1"))
    assert leaves.failures == []  # not a failure of the leaf


def test_failing_bubblewrap_is_reported(
    make_leaves: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: no permission' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(shutil.which('sh') or '/bin/sh').parent}")
    with pytest.raises(LeafError, match=r"bwrap: no permission.*pptarena doctor"):
        make_leaves().run_leaf(make_leaf("return 'ok', 1"))


def test_dead_worker_is_replaced(make_leaves: Any) -> None:
    leaves = make_leaves()
    leaves.run_leaf(make_leaf("return 'ok', 1"))
    leaves._process.stop()
    assert leaves.run_leaf(make_leaf("return 'again', 1")).reason == "again"


def test_unreadable_original_is_an_error(make_leaves: Any) -> None:
    with pytest.raises(LeafError, match="the decks cannot be compared"):
        make_leaves(original=b"no deck").run_leaf(make_leaf("return 'ok', 1"))


def test_leaf_that_fails_only_on_the_edited_deck_scores_zero(make_leaves: Any) -> None:
    verdict = make_leaves(current=b"no deck").run_leaf(make_leaf("return 'ok', 1"))
    assert verdict.score == 0
    assert "on the original it does not fail" in verdict.reason


def test_limits_are_checked() -> None:
    with pytest.raises(ConfigError, match="wall_sec: expected more than 0"):
        LeafLimits(wall_sec=0)
    with pytest.raises(ConfigError, match="max_calls: expected 0 or more"):
        LeafLimits(max_calls=-1)


def test_python_check_runs_leaves(lab: Any, edited: bytes) -> None:
    leaf = {"check": "python", "args": {"code": "def compute_score():\n    return 'half', 0.5"}}
    rubric = load_rubric({"version": 1, "root": {"name": "a", **leaf}})
    current = read_deck(edited)
    alone = score(rubric, lab.original, current)
    assert alone.score is None
    assert "leaves=PythonLeaves(...)" in alone.reason
    with PythonLeaves(lab.base, edited) as leaves:
        node = score(rubric, lab.original, current, leaves=leaves)
    assert (node.score, node.reason) == (0.5, "half")


def test_failed_leaf_in_a_tree_is_unscored(lab: Any, edited: bytes) -> None:
    def leaf(name: str, body: str) -> dict[str, Any]:
        code = f"def compute_score():\n    {body}\n"
        return {"name": name, "check": "python", "args": {"code": code}}

    children = [leaf("good", "return 'ok', 1"), leaf("bad", "1 / 0")]
    rubric = load_rubric({"version": 1, "root": {"name": "a", "children": children}})
    with PythonLeaves(lab.base, edited) as leaves:
        node = score(rubric, lab.original, read_deck(edited), leaves=leaves)
    assert [child.score for child in node.children] == [1, None]
    assert node.judged_share == 0.5
    assert "the leaf failed: ZeroDivisionError" in node.children[1].reason
