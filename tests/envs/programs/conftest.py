"""Runners of Python leaves over the small deck of ``tests/conftest.py``."""

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.bubblewrap import has_namespaces

from pptarena.envs.programs import PythonLeaf, Verdict
from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.runner import PythonLeaves

QUICK = LeafLimits(wall_sec=60, cpu_sec=20)


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    if not has_namespaces():
        pytest.skip("bubblewrap cannot make namespaces here")


@pytest.fixture(scope="session")
def edited(lab: Any) -> bytes:
    """The deck with another title on its second slide."""

    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "Plan"

    data: bytes = lab.edited_bytes(edit)
    return data


@pytest.fixture
def make_leaves(lab: Any, edited: bytes) -> Iterator[Callable[..., PythonLeaves]]:
    """Return a function that makes runners, and close them after the test."""
    runners: list[PythonLeaves] = []

    def make(**settings: Any) -> PythonLeaves:
        files = settings.pop("original", lab.base), settings.pop("current", edited)
        runners.append(PythonLeaves(*files, **{"limits": QUICK, **settings}))
        return runners[-1]

    yield make
    for runner in runners:
        runner.close()


@pytest.fixture(scope="module")
def shared(lab: Any, edited: bytes) -> Iterator[PythonLeaves]:
    """A runner that the tests of a module share, as the leaves of one rubric do."""
    with PythonLeaves(lab.base, edited, limits=QUICK) as leaves:
        yield leaves


Run = Callable[[str], Verdict]


@pytest.fixture
def run(shared: PythonLeaves) -> Run:
    """Run the body of a ``compute_score``."""

    def body(code: str) -> Verdict:
        return shared.run_leaf(make_leaf(code))

    return body


# The start of a leaf's body that can send arbitrary data to the worker. Its socket to the worker is
# the only descriptor above standard error.
FORGE = """
import json, os, stat, struct
def is_socket(file):
    import os, stat
    try:
        return stat.S_ISSOCK(os.fstat(file).st_mode)
    except OSError:
        return False
SOCKET = next(file for file in range(3, 64) if is_socket(file))
def write(data):
    view = memoryview(data)
    while view:
        view = view[os.write(SOCKET, view):]
def forge(kind, body):
    write(struct.pack(">cI", kind, len(body)) + body)
"""


def make_leaf(body: str, *, pictures: bool = False) -> PythonLeaf:
    """Return a leaf whose function has this body."""
    lines = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    return PythonLeaf(f"def compute_score():\n{lines}\n", pictures)
