import json

from pptarena.envs.programs.pptdiff import AnimationEffect, PowerPointDiff, Slide, SlideTransition

EFFECT = AnimationEffect("256", "4", "fly_in", "on_click", 0.0, 0.5, 0, "Hi", "shape")


def test_diff_json_round_trip() -> None:
    slide = Slide("256", 1, "Title", "Title Only", 3, "notes", "00")
    transition = SlideTransition("256", "fade", 0.7, None)
    diff = PowerPointDiff(
        added_slides=[slide],
        modified_slides=[(slide, slide)],
        removed_transitions=[transition],
        modified_transitions=[(transition, transition)],
        added_animations=[EFFECT],
        modified_animations=[(EFFECT, EFFECT)],
    )
    data = json.loads(json.dumps(diff.to_dict()))
    assert PowerPointDiff.from_dict(data) == diff
    assert data["modified_slides"][0][1]["layout_type"] == "Title Only"
    assert data["added_animations"][0] == EFFECT.to_dict()


def test_empty_diff() -> None:
    assert set(PowerPointDiff().to_dict()) == {
        f"{change}_{kind}"
        for change in ("added", "removed", "modified")
        for kind in ("slides", "animations", "transitions")
    }
    assert not any(PowerPointDiff().to_dict().values())
