"""The cost of the live page is measured in blocks without and with a viewer."""

import tempfile

import pytest

pytest.importorskip("websockets")

from pptarena.rollouts.live.publisher import publisher
from tools.live_overhead import measure

pytestmark = pytest.mark.slow


def test_both_arms_have_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="live-") as sockets:
        monkeypatch.setenv("PPTARENA_LIVE", sockets)
        publisher().remove(publisher().add())  # an environment of an earlier test
        found = measure(2, minutes=0.04, rate=5.0, block_sec=1.2)
    assert (found["machine"], found["environments"], found["blocks"]) == ("fake", 2, 4)
    assert 0 < found["latency_ms"]["samples"] <= 12
    assert found["cpu_sec_per_step"]["without_viewer"] > 0
    assert found["cpu_sec_per_step"]["of_server"] >= 0
    assert found["cores"]["with_viewer"] > 0
