"""The view `compact`: short, specific to the instruction, and sufficient for the expert."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pptarena import read_deck
from pptarena.agents.goal_agent import GoalAgent, goal_calls
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.compact_view import COMPACT_MAX
from pptarena.envs.text_view import count_tokens
from pptarena.errors import AgentError
from pptarena.tasks import Task, get_task
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import DeckFile, TaskOptions, generate_tasks
from pptarena.tasks.task_file import parse_task

OPERATORS = (
    *("set-title", "change-line", "font-color", "hide-slide", "move-slide", "set-notes"),
    *("set-cell", "delete-picture", "fill-shape", "order-shape", "slide-background"),
    *("set-transition", "animate-shape", "describe-picture", "link-to-slide", "place-shape"),
)


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    decks = [DeckFile(name, read_deck_file(name)) for name in ("meridian", "clinic")]
    rows = generate_tasks(decks, 12, seed=3, options=TaskOptions(OPERATORS, depth=1))
    return [parse_task(row, Path(), "generated", "") for row in rows]


def is_expressible(call: ToolCall, outline: str) -> bool:
    arguments = dict(call.arguments)
    slide = arguments.get("slide")
    if slide is None:
        return True
    section = re.search(rf"\nslide \d+ id {slide} .*?(?=\nslide|\Z)", outline, re.DOTALL)
    shapes = [
        arguments[name]
        for name in ("shape", "start", "end")
        if isinstance(arguments.get(name), int)
    ]
    return section is not None and all(f"[{shape}] " in section[0] for shape in shapes)


@pytest.mark.slow
def test_expert_solves_tasks_with_ids_from_the_view(tasks: list[Task]) -> None:
    expressible, scores = [], []
    for task in tasks:
        env = PPTArenaDocEnv(task=task, judge=None, tools=("edit",), view="compact")
        observation, info = env.reset(seed=0)
        assert env.observation_space.contains(observation)
        assert count_tokens(observation["outline"]) <= COMPACT_MAX
        agent, ended = GoalAgent([task]), False
        agent.reset(info, 0)
        expressible += [is_expressible(call, observation["outline"]) for call in goal_calls(task)]
        while not ended:
            observation, _, ended, _, info = env.step(agent.act(observation, info))
        scores.append(info["score"])
        env.close()
    assert all(expressible)
    assert scores == [1.0] * len(tasks)


def test_slides_named_in_the_instruction_come_first() -> None:
    task = get_task("meridian-hide-backup")
    env = PPTArenaDocEnv(task=task, judge=None, view="compact")
    outline = env.reset(seed=0)[0]["outline"].splitlines()
    assert outline[0] == "17 slides"
    assert " id 272 " in outline[1]
    assert outline[2].startswith("[2] title ")
    after: Any = env.step(ToolCall.of("set_text", slide=272, shape=2, text="Changed"))
    assert '[2] title "Changed"' in after[0]["outline"]
    env.close()


def shown_slides(instruction: str) -> dict[int, bool]:
    """Return whether shapes are shown, by the position of each shown slide of `meridian`."""
    task = replace(get_task("meridian-hide-backup"), instruction=instruction)
    env = PPTArenaDocEnv(task=task, judge=None, view="compact")
    sections = env.reset(seed=0)[0]["outline"].split("\nslide ")[1:]
    env.close()
    return {int(each.split()[0]): "\n[" in each for each in sections}


@pytest.mark.parametrize(
    ("instruction", "positions"),
    [
        ("Hide every slide from 5 to 8.", {5, 6, 7, 8}),
        ("Hide slides 5-7.", {5, 6, 7}),
        ("Hide slides 4, 9 and 12.", {4, 9, 12}),
        ("Hide slide 3; then hide slide number 16.", {3, 16}),
        ("Hide slides 16 to 99.", {16, 17}),
    ],
)
def test_slide_ranges_and_lists_are_shown_with_shapes(
    instruction: str, positions: set[int]
) -> None:
    assert shown_slides(instruction) == dict.fromkeys(positions, True)


def test_slide_after_a_quoted_title_comes_first() -> None:
    titles = [slide.title for slide in read_deck(read_deck_file("meridian")).slides]
    after = shown_slides(f'Hide the slide right after "{titles[4]}".')
    assert next(iter(after)) == 6
    both = shown_slides(
        f'Hide the slide right after "{titles[4]}" and the one called "{titles[8]}".'
    )
    assert set(list(both)[:2]) == {6, 9}
    assert not shown_slides(f'Hide the slide right after "{titles[-1]}".').keys() - set(
        range(1, 18)
    )


def test_unrelated_slides_are_omitted() -> None:
    assert list(shown_slides("Hide slide 7.")) == [7]
    assert len(shown_slides("Do something.")) == 8


def test_edit_of_several_slides_becomes_several_calls() -> None:
    task = get_task("meridian-hide-backup")
    assert [call.tool for call in goal_calls(task)] == ["hide_slide"]
    edit = {"edit": "hide_slide", "slides": [2, 3]}
    calls = goal_calls(replace(task, solution=(edit,)))
    assert [dict(call.arguments) for call in calls] == [{"slide": 257}, {"slide": 258}]


def test_rejected_edit_is_named() -> None:
    task = get_task("meridian-hide-backup")
    footer = {"edit": "set_footer", "slide": 1, "text": "Draft"}
    with pytest.raises(AgentError, match="set_footer: the layout of slide 1 has no footer"):
        goal_calls(replace(task, solution=(footer,)))


def test_calls_use_ids_created_by_earlier_calls() -> None:
    task = get_task("meridian-hide-backup")
    solution = (
        {"edit": "add_slide", "position": 2},
        {"edit": "set_text", "slide": 2, "shape": "@title", "text": "New"},
    )
    _, call = goal_calls(replace(task, solution=solution))
    assert dict(call.arguments) == {"slide": 273, "shape": 2, "text": "New"}


def test_missing_solution_is_reported() -> None:
    task = replace(get_task("meridian-hide-backup"), solution=())
    with pytest.raises(AgentError, match="meridian-hide-backup: the task has no solution"):
        goal_calls(task)
