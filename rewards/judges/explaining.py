"""Reasons for parent nodes, written by a model; scores are unchanged."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.prompt import Prompt, fence
from pptarena.rewards.judges.prompts import DATA_RULE
from pptarena.rewards.judges.replies import reasons_parser
from pptarena.rewards.scored import ScoredNode

__all__ = ["explain"]

_MAX_PARENTS = 40

_TASK = """\
You explain the score of an edited slide deck to the person who edited it. You get the instruction
and the scored rubric as a tree: each node has a place, a name, a score from 0 to 1 (null: it could
not be judged), whether its parent stands and falls with it, and a reason.
For each of the places you are asked for, say in one or two plain sentences what was done, what is
missing and what that cost. Say only what the nodes beneath that place say. Do not judge anew, and
do not give scores of your own."""

_FORM = """\
Answer with one JSON object and nothing else, with one item for each place you are asked for:
{"reasons": [{"place": "<the place>", "reason": "<one or two sentences>"}, ...]}"""


def explain(client: JudgeClient, instruction: str, tree: ScoredNode) -> ScoredNode:
    """Return the tree with reasons for its parents written by a model.

    Leaves keep the reasons of their checks, and no score changes. A tree with a single leaf is
    returned unchanged, without a request.

    Args:
        client: Client of the model.
        instruction: The instruction that the agent received.
        tree: The scored tree.

    Raises:
        JudgeError: If there is no valid reply.
    """
    places = [place for place, node in tree.walk() if node.children][:_MAX_PARENTS]
    if not places:
        return tree
    parts = (
        f"Instruction: {instruction.strip()}",
        fence("TREE", [_line(place, node) for place, node in tree.walk()]),
        f"Places to explain: {', '.join(places)}",
    )
    prompt = Prompt(f"{_TASK}\n\n{DATA_RULE}\n\n{_FORM}", parts)
    return _told(tree, "root", client.ask(prompt, reasons_parser(places)))


def _line(place: str, node: ScoredNode) -> dict[str, Any]:
    return {
        "place": place,
        "name": node.name,
        "critical": node.critical,
        "score": None if node.score is None else round(node.score, 3),
        "reason": node.reason,
    }


def _told(node: ScoredNode, place: str, reasons: Mapping[str, str]) -> ScoredNode:
    children = tuple(
        _told(child, f"{place}/children/{index}", reasons)
        for index, child in enumerate(node.children)
    )
    return replace(node, reason=reasons.get(place, node.reason), children=children)
