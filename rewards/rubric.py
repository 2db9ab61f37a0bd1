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
from pptarena.rewards.loops import Loop, expand_node, load_loop
from pptarena.rewards.scored_tree import LAMBDA, STRATEGIES

__all__ = ["STRATEGIES", "Rubric", "RubricNode", "load_rubric"]

_MAX_DEPTH = 20
_MAX_WEIGHT = 1000.0
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
            examples; see `Rubric.resolve`.
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

    def resolve(self, original: Deck) -> "RubricNode":
        """Return the node with every loop expanded into one child per iteration.

        Raises:
            UnscoredError: If the original lacks the items that a loop iterates over.
        """
        if self.check is not None:
            return self
        children = self.children
        if self.loop is not None:
            nodes = expand_node(self.each or {}, self.loop.iterations(original), "each")
            children = _load_children(nodes, "each", 0)
        children = tuple(child.resolve(original) for child in children)
        return self if children == self.children else replace(self, children=children)

    def walk(self, location: str = "root") -> Iterator[tuple[str, "RubricNode"]]:
        """Yield every node with its location, such as ``root/children/1``, parents first."""
        yield location, self
        for index, child in enumerate(self.children):
            yield from child.walk(f"{location}/children/{index}")

    def uses(self, check: str) -> bool:
        """Return whether the node or a descendant uses the named check."""
        return any(each.check is not None and each.check.name == check for _, each in self.walk())

    def files(self) -> frozenset[str]:
        """Return the names of the attachments that the node and its descendants check."""
        return frozenset(each.file for _, each in self.walk() if each.file)

    def to_json(self) -> dict[str, Any]:
        """Return the node as JSON data that `load_rubric` accepts."""
        data: dict[str, Any] = {"name": self.name, "critical": self.critical}
        if self.description:
            data["description"] = self.description
        if self.weight != 1:
            data["weight"] = self.weight
        if self.loop is not None:
            return data | {"for_each": dict(self.raw_args or {}), "each": dict(self.each or {})}
        if self.is_any:
            return data | {"any": [child.to_json() for child in self.children]}
        if self.check is None:
            return data | {"children": [child.to_json() for child in self.children]}
        if self.file:
            data["file"] = self.file
        return data | {"check": self.check.name, "args": dict(self.raw_args or {})}


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

    def resolve(self, original: Deck) -> "Rubric":
        """Return the rubric with every ``for_each`` loop expanded for a deck.

        Raises:
            UnscoredError: If the original lacks the items that a loop iterates over.
        """
        root = self.root.resolve(original)
        return self if root is self.root else replace(self, root=root)

    def with_strategy(self, strategy: str = "", penalty: float | None = None) -> "Rubric":
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
    problems.read(lambda: _require_known_keys(obj, _TOP_KEYS, "rubric"))
    problems.read(lambda: _require_version(obj))
    problems.read(lambda: _require_type(obj, "comment", str, "", "rubric"))  # for human readers
    strategy = problems.read(lambda: _load_strategy(obj))
    root = problems.read(lambda: _load_node(obj.get("root"), "root", 0))
    problems.finish()
    return Rubric(root, strategy)


def _require_version(obj: Mapping[str, Any]) -> None:
    if obj.get("version") != 1 or isinstance(obj["version"], bool):
        raise RubricError(f"version: expected 1, got {obj.get('version')!r}")


def _load_strategy(obj: Mapping[str, Any]) -> str:
    strategy = obj.get("strategy", "weighted")
    if strategy not in STRATEGIES:
        raise RubricError(f"strategy: expected one of {list(STRATEGIES)}, got {strategy!r}")
    return str(strategy)


def _load_node(obj: object, location: str, depth: int) -> RubricNode:
    if not isinstance(obj, Mapping):
        raise RubricError(f"{location}: expected an object, got {obj!r}")
    if depth > _MAX_DEPTH:
        raise RubricError(f"{location}: expected at most {_MAX_DEPTH} levels")
    problems = Problems(RubricError)
    read = problems.read
    read(lambda: _require_known_keys(obj, _NODE_KEYS, location))
    header = RubricNode(
        name=read(lambda: _load_name(obj, location)),
        critical=read(lambda: _require_type(obj, "critical", bool, True, location)),
        description=read(lambda: _require_type(obj, "description", str, "", location)),
        weight=read(lambda: _load_weight(obj.get("weight", 1.0), location)),
    )
    read(lambda: _require_type(obj, "comment", str, "", location))  # for human readers
    node = read(lambda: _add_body(header, obj, location, depth))
    problems.finish()
    return node


def _load_name(obj: Mapping[str, Any], location: str) -> str:
    name: str = _require_type(obj, "name", str, "", location)
    if not name.strip():
        raise RubricError(f"{location}/name: expected a non-empty text")
    return name


def _add_body(header: RubricNode, obj: Mapping[str, Any], location: str, depth: int) -> RubricNode:
    """Return a node with its check, or with its children."""
    _require_one_body(obj, location)
    if "check" not in obj:
        return _add_children(header, obj, location, depth)
    problems = Problems(RubricError)
    check = get_check(_require_type(obj, "check", str, "", location), f"{location}/check")
    raw = obj.get("args", {})
    args = problems.read(lambda: check.parse(raw, f"{location}/args"))
    file = problems.read(lambda: _load_file_name(obj, check.name, location))
    problems.finish()
    return replace(header, check=check, args=args, raw_args=dict(raw), file=file)


def _load_file_name(obj: Mapping[str, Any], check: str, location: str) -> str:
    file = str(_require_type(obj, "file", str, "", location))
    if "file" in obj and not file:
        raise RubricError(f"{location}/file: expected the name of a file, got none")
    if file and check in DECK_CHECKS:
        raise RubricError(f"{location}/file: {check} checks the deck alone and takes no file")
    if not file and check == FILE_CHECK:
        raise RubricError(f"{location}: {check} needs 'file', the name of the file to check")
    return file


def _require_one_body(obj: Mapping[str, Any], location: str) -> None:
    bodies = [key for key in _BODIES if key in obj]
    if len(bodies) != 1:
        *others, last = map(repr, _BODIES)
        raise RubricError(f"{location}: expected either {', '.join(others)} or {last}")
    misplaced = [
        f"{location}/{key}: only a node with {holder!r} takes it"
        for key, holder in (
            ("args", "check"),
            ("file", "check"),
            ("each", "for_each"),
        )
        if key in obj and bodies != [holder]
    ]
    if misplaced:
        raise RubricError(*misplaced)


def _add_children(
    header: RubricNode, obj: Mapping[str, Any], location: str, depth: int
) -> RubricNode:
    """Return a parent with its children, alternatives, or the examples of its loop."""
    if "for_each" not in obj:
        key = "any" if "any" in obj else "children"
        below = _load_children(obj[key], location, depth, key)
        return replace(header, children=below, is_any=key == "any")
    problems = Problems(RubricError)
    loop = problems.read(lambda: load_loop(obj["for_each"], f"{location}/for_each"))
    each = problems.read(lambda: _load_loop_body(obj.get("each"), location))
    problems.finish()
    nodes = expand_node(each, loop.examples(), f"{location}/each")
    below = _load_children(nodes, location, depth, "each")
    return replace(header, children=below, loop=loop, each=each, raw_args=dict(obj["for_each"]))


def _load_loop_body(value: object, location: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
        raise RubricError(f"{location}/each: expected a node with a name, got {value!r}")
    if _has_loop(value):
        raise RubricError(f"{location}/each: expected no 'for_each' within another")
    return value


def _has_loop(value: object) -> bool:
    if isinstance(value, Mapping):
        return "for_each" in value or any(map(_has_loop, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_loop, value))


def _load_weight(value: object, location: str) -> float:
    if isinstance(value, int | float) and value is not True and 0 < value <= _MAX_WEIGHT:
        return float(value)
    raise RubricError(
        f"{location}/weight: expected a number above 0, {_MAX_WEIGHT:g} at most, got {value!r}"
    )


def _load_children(
    obj: object, location: str, depth: int, key: str = "children"
) -> tuple[RubricNode, ...]:
    if not isinstance(obj, list | tuple) or not obj:
        raise RubricError(f"{location}/{key}: expected a non-empty list, got {obj!r}")
    problems = Problems(RubricError)
    problems.read(lambda: _require_different_names(obj, f"{location}/{key}"))
    children = problems.read_each(
        obj,
        lambda index, child: _load_node(child, f"{location}/{key}/{index}", depth + 1),
        same_source=key == "each",  # one node, filled in for each iteration
    )
    problems.finish()
    return children


def _require_different_names(nodes: Sequence[object], location: str) -> None:
    counts = Counter(
        name
        for node in nodes
        if isinstance(node, Mapping) and isinstance(name := node.get("name"), str) and name.strip()
    )
    duplicates = sorted(name for name, count in counts.items() if count > 1)
    if duplicates:
        raise RubricError(*(f"{location}: the name {name!r} is used twice" for name in duplicates))


def _require_type(obj: Mapping[str, Any], key: str, kind: type, default: Any, location: str) -> Any:
    value = obj.get(key, default)
    if not isinstance(value, kind):
        raise RubricError(f"{location}/{key}: expected {kind.__name__}, got {value!r}")
    return value


def _require_known_keys(obj: Mapping[str, Any], allowed: frozenset[str], location: str) -> None:
    unknown = [key for key in obj if key not in allowed]
    if unknown:
        names = ", ".join(sorted(allowed))
        raise RubricError(
            *(f"{location}: unknown key {key!r}; expected {names}" for key in unknown)
        )
