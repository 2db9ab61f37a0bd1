"""XML trees and threads: libxml2 stores names without a lock, so threads must share none."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest
from lxml.etree import _Element, _ElementTree

from pptarena.decks import read_deck
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

# Each thread uses the shared parser of python-pptx, then parses and looks up its own names.
# Without `isolate_xml_names`, the process crashes within a tenth of a second.
PROGRAM = """
import threading
from lxml import etree
from pptx.oxml import parse_xml
from pptarena.decks.package.markup import isolate_xml_names, parse_markup

results = []
ready = threading.Barrier(4)

def work(number):
    isolate_xml_names()
    parse_xml(b"<a/>")
    ready.wait()
    for turn in range(60):
        names = [b"n%d_%d_%d" % (number, turn, each) for each in range(1000)]
        root = parse_markup(b"<a><%b/></a>" % b"/><".join(names), "it")
        results.append(all(root.find(name.decode()) is not None for name in names[::250]))

threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for each in threads: each.start()
for each in threads: each.join()
print(sum(results), len(results))
"""


def _nested_values(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, Mapping):
        yield from _all_nested_values([*value.keys(), *value.values()])
    elif isinstance(value, tuple | list | set | frozenset):
        yield from _all_nested_values(value)
    elif is_dataclass(value):
        yield from _all_nested_values(getattr(value, field.name) for field in fields(value))


def _all_nested_values(values: object) -> Iterator[object]:
    for value in values:  # type: ignore[attr-defined]
        yield from _nested_values(value)


def test_threads_that_use_python_pptx_have_separate_name_tables() -> None:
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False
    )
    assert (process.returncode, process.stdout.split()) == (0, ["240", "240"]), process.stderr


def test_facts_hold_no_xml_trees() -> None:
    decks = {task.deck_bytes() for task in list_tasks("bench")}
    assert decks
    for deck in decks:
        values = list(_nested_values(read_deck(deck)))
        assert len(values) > 500
        assert not [each for each in values if isinstance(each, _Element | _ElementTree)]
