"""Trees of XML and threads: libxml2 keeps names without a lock, so threads share none."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest
from lxml.etree import _Element, _ElementTree

from pptarena.decks import read_deck
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

# Each thread uses the parser that python-pptx shares, then parses and looks up names of its own.
# Without the call the process dies within a tenth of a second.
PROGRAM = """
import threading
from lxml import etree
from pptx.oxml import parse_xml
from pptarena.decks.package.markup import own_dictionary, parse_markup

found = []
ready = threading.Barrier(4)

def work(number):
    own_dictionary()
    parse_xml(b"<a/>")
    ready.wait()
    for turn in range(60):
        names = [b"n%d_%d_%d" % (number, turn, each) for each in range(1000)]
        root = parse_markup(b"<a><%b/></a>" % b"/><".join(names), "it")
        found.append(all(root.find(name.decode()) is not None for name in names[::250]))

threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for each in threads: each.start()
for each in threads: each.join()
print(sum(found), len(found))
"""


def _within(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, Mapping):
        yield from _all_within([*value.keys(), *value.values()])
    elif isinstance(value, tuple | list | set | frozenset):
        yield from _all_within(value)
    elif is_dataclass(value):
        yield from _all_within(getattr(value, field.name) for field in fields(value))


def _all_within(values: object) -> Iterator[object]:
    for value in values:  # type: ignore[attr-defined]
        yield from _within(value)


def test_threads_that_use_python_pptx_first_have_names_of_their_own() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout.split()) == (0, ["240", "240"]), done.stderr


@pytest.mark.parametrize("suite", ["bench"])
def test_facts_hold_no_trees(suite: str) -> None:
    decks = {task.deck_bytes() for task in list_tasks(suite)}
    assert decks
    for deck in decks:
        held = list(_within(read_deck(deck)))
        assert len(held) > 500
        assert not [each for each in held if isinstance(each, _Element | _ElementTree)]
