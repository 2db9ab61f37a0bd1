"""Rubrics: trees of checks as data."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pptarena.decks import Deck
from pptarena.errors import RubricError
from pptarena.problems import Problems
from pptarena.rewards.checking.registry import CheckSpec
from pptarena.rewards.checks import get_check
from pptarena.rewards.context import DECK_CHECKS, FILE_CHECK
from pptarena.rewards.loops import Loop, filled_nodes, load_loop
from pptarena.rewards.scored import LAMBDA, STRATEGIES

__all__ = ["STRATEGIES", "Rubric", "RubricNode", "load_rubric"]

_MAX_DEPTH = 20
_MOST_WEIGHT = 1000.0
_SHARED_KEYS = ("name", "description", "comment", "critical", "weight")
_BODIES = ("children", "any", "for_each", "check")
_NODE_KEYS = frozenset((*_SHARED_KEYS, *_BODIES, "each", "args", "file"))
_TOP_KEYS = frozenset(("version", "strategy", "root", "comment"))


@dataclass(frozen=True, slots=True)
class RubricNode:
    """A node of a rubric: a leaf with a check, or a parent with children.

    Attributes:
        name: The requirement, unique among siblings.
        critical: Whether the parent fails if this node fails.
        description: Further explanation, possibly empty.
        children: At least one for a parent, none for a leaf.
        check: The check of a leaf; None for a parent.
        args: Parsed arguments of the check; omitted ones are absent.
        raw_args: The arguments as written in the file.
        weight: Weight among the siblings in a mean, in (0, 1000].
        is_any: Whether the children are alternatives, of which the best one counts.
        loop: The ``for_each`` loop of the node, or None. Until a deck is given, `children` are
            examples; see `Rubric.on`.
        each: The node that the loop repeats, as written in the file.
        file: For a leaf: name of the attachment it checks; empty for the deck.
    """

    name: str
    critical: bool = True
    description: str = ""
    children: tuple["RubricNode", ...] = ()
    check: CheckSpec | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    raw_args: Mapping[str, Any] | None = None
    weight: float = 1.0
    is_any: bool = False
    loop: Loop | None = None
    each: Mapping[str, Any] | None = None
    file: str = ""

    def on(self, original: Deck) -> "RubricNode":
        """Return the node with every loop expanded into one child per iteration.

        Raises:
            UnscoredError: If the original lacks the items that a loop iterates over.
        """
        if self.check is not None:
            return self
        children = self.children
        if self.loop is not None:
            filled = filled_nodes(self.each or {}, self.loop.rounds(original), "each")
            children = _load_children(filled, "each", 0)
        children = tuple(child.on(original) for child in children)
        return self if children == self.children else replace(self, children=children)

    def walk(self, place: str = "root") -> Iterator[tuple[str, "RubricNode"]]:
        """Yield every node with its location, such as ``root/children/1``, parents first."""
        yield place, self
        for index, child in enumerate(self.children):
            yield from child.walk(f"{place}/children/{index}")

    def uses(self, check: str) -> bool:
        """Return whether the node or a descendant uses the named check."""
        return any(each.check is not None and each.check.name == check for _, each in self.walk())

    def files(self) -> frozenset[str]:
        """Return the names of the attachments that the node and its descendants check."""
        return frozenset(each.file for _, each in self.walk() if each.file)

    def to_json(self) -> dict[str, Any]:
        """Return the node as JSON data that `load_rubric` accepts."""
        found: dict[str, Any] = {"name": self.name, "critical": self.critical}
        if self.description:
            found["description"] = self.description
        if self.weight != 1:
            found["weight"] = self.weight
        if self.loop is not None:
            return found | {"for_each": dict(self.raw_args or {}), "each": dict(self.each or {})}
        if self.is_any:
            return found | {"any": [child.to_json() for child in self.children]}
        if self.check is None:
            return found | {"children": [child.to_json() for child in self.children]}
        if self.file:
            found["file"] = self.file
        return found | {"check": self.check.name, "args": dict(self.raw_args or {})}


@dataclass(frozen=True, slots=True)
class Rubric:
    """A tree of checks and the strategy that aggregates their scores.

    Attributes:
        root: The tree.
        strategy: How parents aggregate the scores of their children, one of `STRATEGIES`.
        penalty: The lambda of ``weighted``, in [0, 1]. Rubric files have none: they all use the
            default, and a run can be rescored with another value.
    """

    root: RubricNode
    strategy: str = "weighted"
    penalty: float = LAMBDA

    def on(self, original: Deck) -> "Rubric":
        """Return the rubric with every ``for_each`` loop expanded for a deck.

        Raises:
            UnscoredError: If the original lacks the items that a loop iterates over.
        """
        root = self.root.on(original)
        return self if root is self.root else replace(self, root=root)

    def scored_by(self, strategy: str = "", penalty: float | None = None) -> "Rubric":
        """Return the rubric with another strategy or lambda; empty and None keep its own."""
        penalty = self.penalty if penalty is None else penalty
        return replace(self, strategy=strategy or self.strategy, penalty=penalty)

    def to_json(self) -> dict[str, Any]:
        """Return the rubric as JSON data that `load_rubric` accepts."""
        return {"version": 1, "strategy": self.strategy, "root": self.root.to_json()}


def load_rubric(obj: Mapping[str, Any]) -> Rubric:
    """Return a rubric from JSON data.

    Args:
        obj: ``{"version": 1, "strategy": "weighted", "root": {...}}``.

    Raises:
        RubricError: If the data does not fit the schema. Each of its `problems` begins with a
            location, such as ``root/children/1/check``.
    """
    if not isinstance(obj, Mapping):
        raise RubricError(f"rubric: expected an object, got {obj!r}")
    problems = Problems(RubricError)
    problems.read(lambda: _require_known(obj, _TOP_KEYS, "rubric"))
    problems.read(lambda: _require_version(obj))
    problems.read(lambda: _typed(obj, "comment", str, "", "rubric"))  # for human readers
    strategy = problems.read(lambda: _strategy(obj))
    root = problems.read(lambda: _load_node(obj.get("root"), "root", 0))
    problems.finish()
    return Rubric(root, strategy)


def _require_version(obj: Mapping[str, Any]) -> None:
    if obj.get("version") != 1 or isinstance(obj["version"], bool):
        raise RubricError(f"version: expected 1, got {obj.get('version')!r}")


def _strategy(obj: Mapping[str, Any]) -> str:
    strategy = obj.get("strategy", "weighted")
    if strategy not in STRATEGIES:
        raise RubricError(f"strategy: expected one of {list(STRATEGIES)}, got {strategy!r}")
    return str(strategy)


def _load_node(obj: object, place: str, depth: int) -> RubricNode:
    if not isinstance(obj, Mapping):
        raise RubricError(f"{place}: expected an object, got {obj!r}")
    if depth > _MAX_DEPTH:
        raise RubricError(f"{place}: expected at most {_MAX_DEPTH} levels")
    problems = Problems(RubricError)
    read = problems.read
    read(lambda: _require_known(obj, _NODE_KEYS, place))
    own = RubricNode(
        name=read(lambda: _name(obj, place)),
        critical=read(lambda: _typed(obj, "critical", bool, True, place)),
        description=read(lambda: _typed(obj, "description", str, "", place)),
        weight=read(lambda: _weight(obj.get("weight", 1.0), place)),
    )
    read(lambda: _typed(obj, "comment", str, "", place))  # for human readers
    node = read(lambda: _with_body(own, obj, place, depth))
    problems.finish()
    return node


def _name(obj: Mapping[str, Any], place: str) -> str:
    name: str = _typed(obj, "name", str, "", place)
    if not name.strip():
        raise RubricError(f"{place}/name: expected a text that is not empty")
    return name


def _with_body(own: RubricNode, obj: Mapping[str, Any], place: str, depth: int) -> RubricNode:
    """Return a node with its check, or with its children."""
    _require_one_body(obj, place)
    if "check" not in obj:
        return _with_children(own, obj, place, depth)
    problems = Problems(RubricError)
    check = get_check(_typed(obj, "check", str, "", place), f"{place}/check")
    raw = obj.get("args", {})
    args = problems.read(lambda: check.parse(raw, f"{place}/args"))
    file = problems.read(lambda: _file(obj, check.name, place))
    problems.finish()
    return replace(own, check=check, args=args, raw_args=dict(raw), file=file)


def _file(obj: Mapping[str, Any], check: str, place: str) -> str:
    file = str(_typed(obj, "file", str, "", place))
    if "file" in obj and not file:
        raise RubricError(f"{place}/file: expected the name of a file, got none")
    if file and check in DECK_CHECKS:
        raise RubricError(f"{place}/file: {check} is about the deck alone")
    if not file and check == FILE_CHECK:
        raise RubricError(f"{place}: {check} needs 'file', the name of the file it is about")
    return file


def _require_one_body(obj: Mapping[str, Any], place: str) -> None:
    bodies = [key for key in _BODIES if key in obj]
    if len(bodies) != 1:
        *most, last = map(repr, _BODIES)
        raise RubricError(f"{place}: expected either {', '.join(most)} or {last}")
    misplaced = [
        f"{place}/{key}: only a node with {holder!r} has it"
        for key, holder in (
            ("args", "check"),
            ("file", "check"),
            ("each", "for_each"),
        )
        if key in obj and bodies != [holder]
    ]
    if misplaced:
        raise RubricError(*misplaced)


def _with_children(own: RubricNode, obj: Mapping[str, Any], place: str, depth: int) -> RubricNode:
    """Return a parent with its children, alternatives, or the examples of its loop."""
    if "for_each" not in obj:
        key = "any" if "any" in obj else "children"
        below = _load_children(obj[key], place, depth, key)
        return replace(own, children=below, is_any=key == "any")
    problems = Problems(RubricError)
    loop = problems.read(lambda: load_loop(obj["for_each"], f"{place}/for_each"))
    each = problems.read(lambda: _each(obj.get("each"), place))
    problems.finish()
    filled = filled_nodes(each, loop.examples(), f"{place}/each")
    below = _load_children(filled, place, depth, "each")
    return replace(own, children=below, loop=loop, each=each, raw_args=dict(obj["for_each"]))


def _each(value: object, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
        raise RubricError(f"{place}/each: expected a node with a name, got {value!r}")
    if _has_loop(value):
        raise RubricError(f"{place}/each: expected no 'for_each' within another")
    return value


def _has_loop(value: object) -> bool:
    if isinstance(value, Mapping):
        return "for_each" in value or any(map(_has_loop, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_loop, value))


def _weight(value: object, place: str) -> float:
    if isinstance(value, int | float) and value is not True and 0 < value <= _MOST_WEIGHT:
        return float(value)
    raise RubricError(
        f"{place}/weight: expected a number above 0, {_MOST_WEIGHT:g} at most, got {value!r}"
    )


def _load_children(
    obj: object, place: str, depth: int, key: str = "children"
) -> tuple[RubricNode, ...]:
    if not isinstance(obj, list | tuple) or not obj:
        raise RubricError(f"{place}/{key}: expected a list that is not empty, got {obj!r}")
    problems = Problems(RubricError)
    problems.read(lambda: _require_different_names(obj, f"{place}/{key}"))
    children = problems.read_each(
        obj,
        lambda index, child: _load_node(child, f"{place}/{key}/{index}", depth + 1),
        all_alike=key == "each",  # one node, filled in for each iteration
    )
    problems.finish()
    return children


def _require_different_names(nodes: Sequence[object], place: str) -> None:
    counts = Counter(
        name
        for node in nodes
        if isinstance(node, Mapping) and isinstance(name := node.get("name"), str) and name.strip()
    )
    twice = sorted(name for name, count in counts.items() if count > 1)
    if twice:
        raise RubricError(*(f"{place}: the name {name!r} is used twice" for name in twice))


def _typed(obj: Mapping[str, Any], key: str, kind: type, default: Any, place: str) -> Any:
    value = obj.get(key, default)
    if not isinstance(value, kind):
        raise RubricError(f"{place}/{key}: expected {kind.__name__}, got {value!r}")
    return value


def _require_known(obj: Mapping[str, Any], known: frozenset[str], place: str) -> None:
    unknown = [key for key in obj if key not in known]
    if unknown:
        names = ", ".join(sorted(known))
        raise RubricError(*(f"{place}: unknown key {key!r}; expected {names}" for key in unknown))
