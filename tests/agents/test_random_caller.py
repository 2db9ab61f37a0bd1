import json
from collections import Counter

import pytest

from pptarena.agents.random_agent import RandomCaller
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.toolbox import toolbox

OUTLINE = """slide 1, id 256, layout 'Title Only', with notes
  [2] title 'Tents and "more"' at 1.0, 1.0 size 9.0 x 2.0 cm
  [3] table of 2 x 3 'May' at 1.0, 4.0 size 9.0 x 2.0 cm
slide 2, id 300, layout "It's bare", hidden
  [2] text box 'Later' at 1.0, 1.0 size 9.0 x 2.0 cm
  [5] chart named 'Chart 4' at 1.0, 4.0 size 9.0 x 2.0 cm
slide 3, id 301, layout 'Title Only', 40 shapes"""


def play(seed: int, count: int = 1500, outline: str = OUTLINE, task: str = "a") -> list[ToolCall]:
    agent = RandomCaller()
    agent.reset({"task_id": task}, seed)
    return [agent.act({"outline": outline}, {}) for _ in range(count)]


def test_calls_depend_on_seed_and_task() -> None:
    assert play(1, 50) == play(1, 50)
    assert play(1, 50) != play(2, 50)
    assert play(1, 50) != play(1, 50, task="b")


def test_calls_refer_to_objects_in_the_outline() -> None:
    tools = toolbox(("edit",))
    for call in play(3):
        arguments = call.arguments
        tools[call.tool].bind(json.dumps(arguments))
        shapes = {256: {2, 3}, 300: {2, 5}, 301: set()}
        if "slide" in arguments:
            ends = ("start", "end") if call.tool == "add_connector" else ("shape",)
            named = {arguments[each] for each in ends if each in arguments}
            assert named | set(arguments.get("shapes", ())) <= shapes[arguments["slide"]]
        if "layout" in arguments:
            assert arguments["layout"] in ("Title Only", "It's bare")
        if call.tool in ("set_cell", "add_row", "delete_row"):
            assert (arguments["slide"], arguments["shape"]) == (256, 3)
        if call.tool == "set_chart_data":
            assert (arguments["slide"], arguments["shape"]) == (300, 5)


@pytest.mark.slow
def test_every_typed_edit_occurs_and_few_calls_end_the_episode() -> None:
    count = Counter(call.tool for call in play(4, 5000))
    never = {
        *("set_diagram_text", "set_media", "read_slide", "list_layouts", "add_media"),
        *("insert_picture", "replace_picture", "copy_image", "delete_comments", "set_text_link"),
        *("attach_connector", "add_table_like", "reset_position", "add_placeholder", "set_footer"),
    }
    # Kinds of shapes that the deck lacks.
    without = {"crop_picture", "set_picture_grayscale", "ungroup_shape", "distribute_shapes"}
    assert set(count) == set(toolbox(("edit",))) - never - without
    assert 0 < count["done"] + count["fail"] < 0.02 * count.total()


@pytest.mark.parametrize("outline", ["", "and 3 more slides", "slide 1, id 256, layout 'Blank'"])
def test_any_outline_is_supported(outline: str) -> None:
    assert len(play(5, 200, outline)) == 200


def test_most_calls_are_accepted() -> None:
    env = PPTArenaDocEnv(task="meridian-hide-backup", judge=None, score_when="end", max_steps=200)
    agent = RandomCaller()
    observation, info = env.reset(seed=0)
    agent.reset(info, 0)
    refused = 0
    for _ in range(60):
        call = agent.act(observation, info)
        if call.tool in ("done", "fail"):
            continue
        observation, _, _, _, info = env.step(call)
        refused += info["action_error"] is not None
    env.close()
    assert refused < 20
