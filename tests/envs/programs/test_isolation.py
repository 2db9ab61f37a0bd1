"""Isolation of leaves from each other, from the decks and from the host."""

import hashlib
from typing import Any

import pytest
from tests.envs.programs.conftest import FORGE, make_leaf

from pptarena.envs.programs.runner import PythonLeaves
from pptarena.errors import LeafError, UnscoredError

pytestmark = pytest.mark.slow

FINE = "return 'fine', 1"


def test_leaf_has_no_descriptor_but_its_socket(run: Any) -> None:
    verdict = run(
        """
        import os, stat
        kinds = []
        for file in range(3, 256):
            try:
                kinds.append(stat.S_IFMT(os.fstat(file).st_mode))
            except OSError:
                pass
        return f"{len(kinds)} {all(kind == stat.S_IFSOCK for kind in kinds)}", 1
        """
    )
    assert verdict.reason == "1 True"


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (b"o", {"result": '{"score": 1, "reason": "forged"}', "status": 0}, "only the worker"),
        (b"r", {"score": 2, "reason": "forged"}, "malformed"),
        (b"r", {"score": "1", "reason": "forged"}, "malformed"),
        (b"r", {"score": True, "reason": "forged"}, "malformed"),
        (b"r", {"score": 1, "reason": None}, "malformed"),
        (b"r", {"score": 1}, "malformed"),
        (b"r", [1], "malformed"),
        (b"r", None, "malformed"),
        (b"z", {}, "a message of kind b'z'"),
    ],
)
def test_forged_messages_are_an_error(
    shared: PythonLeaves, kind: bytes, data: Any, message: str
) -> None:
    code = f"{FORGE}\nforge({kind!r}, json.dumps({data!r}).encode())\nreturn 'honest', 0.5"
    with pytest.raises(LeafError) as caught:
        shared.run_leaf(make_leaf(code))
    assert message in str(caught.value)
    assert shared.run_leaf(make_leaf(FINE)).reason == "fine"


@pytest.mark.parametrize(
    "raw", [b"", b"r", b"r\0\0\0\x05{", b"r\xff\xff\xff\xff", b"r\0\0\0\2{]", b"c\0\0\0\1x"]
)
def test_broken_messages_are_unscored(shared: PythonLeaves, raw: bytes) -> None:
    with pytest.raises(UnscoredError):
        shared.run_leaf(make_leaf(f"{FORGE}\nwrite({raw!r})\nos._exit(0)"))
    assert shared.run_leaf(make_leaf(FINE)).reason == "fine"


def test_repeated_results_do_not_reach_the_next_leaf(shared: PythonLeaves) -> None:
    result = b'{"score": 1, "reason": "forged"}'
    code = f"{FORGE}\nfor _ in range(50): forge(b'r', {result!r})\nreturn 'honest', 0"
    assert shared.run_leaf(make_leaf(code)).reason == "forged"  # a leaf may forge its own score
    assert shared.run_leaf(make_leaf("return 'mine', 0")).reason == "mine"


def test_leaves_cannot_change_each_other(shared: PythonLeaves) -> None:
    poison = """
    import builtins, json, os, sys
    import pptx
    pptx.Presentation = None
    builtins.max = lambda *_: 42
    sys.modules["re"] = None
    sys.path.insert(0, "/tmp")
    os.environ["X"] = "1"
    ppt_diff.modified_slides.clear()
    llm_call.__globals__["_validated"] = lambda *_: {"score": 1, "reason": "poisoned"}
    return "done", 1
    """
    assert shared.run_leaf(make_leaf(poison)).reason == "poisoned"  # a leaf may poison itself
    verdict = shared.run_leaf(
        make_leaf(
            """
            import os, re, sys
            from pptx import Presentation
            slides = len(Presentation(modified_ppt_path).slides)
            clean = "/tmp" not in sys.path and "X" not in os.environ
            found = re.match("a", "a") is not None
            return f"{slides} {clean} {len(ppt_diff.modified_slides)} {found} {max(1, 2)}", 0
            """
        )
    )
    assert (verdict.score, verdict.reason) == (0, "6 True 1 True 2")


def test_decks_on_the_host_stay_unchanged(make_leaves: Any) -> None:
    leaves = make_leaves()
    leaves.run_leaf(make_leaf(FINE))
    files = sorted(leaves._folder.iterdir())
    before = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    for attack in (
        "open(modified_ppt_path, 'r+b').write(b'x')",
        "import os; os.truncate(original_ppt_path, 0)",
        "import os; os.chmod(modified_ppt_path, 0o777)",
        "import os; os.remove(modified_ppt_path)",
        "open('/decks/x', 'w')",
    ):
        with pytest.raises(LeafError):
            leaves.run_leaf(make_leaf(attack))
    assert [hashlib.sha256(file.read_bytes()).hexdigest() for file in files] == before
    assert leaves._folder.stat().st_mode & 0o077 == 0
