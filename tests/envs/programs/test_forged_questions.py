"""Forged questions of leaves to a model, with a real client and a real server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.envs.programs.conftest import FORGE, make_leaf

from pptarena.errors import JudgeError, LeafError
from pptarena.rewards.judges import JudgeClient, JudgeConfig

pytestmark = pytest.mark.slow

MakeClient = Callable[[], JudgeClient]


@pytest.fixture
def make_client(server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeClient:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return lambda: JudgeClient(JudgeConfig(model="m", base_url=server.url, backoff_sec=0.01))


@pytest.mark.parametrize(
    "body",
    [
        """b'{"prompt": 1}'""",
        """b'{"prompt": ["a"]}'""",
        "b'{}'",
        "b'[]'",
        "b'1'",
        "b'{'",
        "b''",
        "b'[' * 500_000",
        r"b'\xff'",
    ],
)
def test_forged_questions_reach_no_model(
    server: Any, make_client: MakeClient, make_leaves: Any, body: str
) -> None:
    code = f"{FORGE}\nforge(b'c', {body})\nos.read(SOCKET, 100)\nreturn 'went on', 1"
    with make_client() as client:
        leaves = make_leaves(model=client)
        with pytest.raises(JudgeError, match="malformed"):
            leaves.run_leaf(make_leaf(code))
        assert leaves.run_leaf(make_leaf("return 'mine', 0")).reason == "mine"
    assert server.requests == []


def test_forged_pictures_reach_no_model(
    server: Any, make_client: MakeClient, make_leaves: Any
) -> None:
    code = f"{FORGE}\nforge(b'i', b'no picture')\nreturn llm_call('?'), 1"
    with make_client() as client, pytest.raises(JudgeError, match="no picture"):
        make_leaves(model=client).run_leaf(make_leaf(code))
    assert server.requests == []


@pytest.mark.parametrize("data_and_count", ["b'x' * 100, 65", "bytes(2**24), 3"])
def test_excessive_pictures_are_an_error(
    make_client: MakeClient, make_leaves: Any, data_and_count: str
) -> None:
    code = f"{FORGE}\ndata, count = {data_and_count}\nfor _ in range(count): forge(b'i', data)"
    with make_client() as client:
        leaves = make_leaves(model=client)
        with pytest.raises(LeafError, match="more than 64 pictures or 32 MB"):
            leaves.run_leaf(make_leaf(f"{code}\nreturn 'x', 1"))
        assert leaves.run_leaf(make_leaf("return 'mine', 0")).reason == "mine"
