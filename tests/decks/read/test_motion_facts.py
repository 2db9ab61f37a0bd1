"""Transitions and animations in all notations."""

from typing import Any

import pytest

from pptarena.decks import Animation, Slide, Transition, read_deck


def _transition(stage: Any, xml: str, **options: Any) -> Transition:
    transition: Transition = stage.slide(xml, mark="<p:timing", **options).transition
    return transition


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        ('<p:transition><p:push dir="l"/></p:transition>', Transition("push", "", 0.5)),
        ('<p:transition><p:push dir="u"/></p:transition>', Transition("push", "dir=u", 0.5)),
        ('<p:transition><p:fade thruBlk="false"/></p:transition>', Transition("fade", "", 0.5)),
        (
            '<p:transition><p:fade thruBlk="true"/></p:transition>',
            Transition("fade", "thruBlk=1", 0.5),
        ),
        (
            '<mc:AlternateContent><mc:Choice Requires="p159"><p:transition p14:dur="2000">'
            '<p159:morph option="byWord"/></p:transition></mc:Choice><mc:Fallback><p:transition>'
            "<p:fade/></p:transition></mc:Fallback></mc:AlternateContent>",
            Transition("morph", "option=byWord", 2.0),
        ),
        (
            '<mc:AlternateContent><mc:Choice Requires="p14"><p:transition p14:dur="1600" '
            'advTm="3000"><p14:vortex dir="r"/></p:transition></mc:Choice></mc:AlternateContent>',
            Transition("vortex", "dir=r", 1.6, True, 3.0),
        ),
        ('<p:transition advClick="0"/>', Transition(on_click=False)),
    ],
)
def test_transitions(stage: Any, xml: str, expected: Transition) -> None:
    slide = stage.slide(xml, mark="<p:timing")
    assert slide.transition == expected
    assert slide.fingerprint == ()


def test_transition_sounds(stage: Any) -> None:
    def sound(content: bytes) -> str:
        xml = (
            '<p:transition><p:sndAc><p:stSnd><p:snd r:embed="rId75" name="x"/></p:stSnd></p:sndAc>'
            "</p:transition>"
        )
        rels = stage.rel("rId75", "audio", "/ppt/media/s.wav")
        return _transition(stage, xml, rels=rels, parts={"ppt/media/s.wav": content}).sound

    assert sound(b"1") == sound(b"1") != sound(b"2")
    assert _transition(stage, "<p:transition><p:sndAc><p:endSnd/></p:sndAc></p:transition>").sound


def _target(shape: str, inside: str = "") -> str:
    return f'<p:tgtEl><p:spTgt spid="{shape}">{inside}</p:spTgt></p:tgtEl>'


def _slide(stage: Any, effects: str, builds: str = "", other: str = "") -> Slide:
    """Return the fifth slide with these effects; @A in them is the id of shape A."""
    text = stage.forge.part(stage.slide_part)
    shape = text[: text.index('name="A"')].rpartition('id="')[2].partition('"')[0]
    start, end = text.index("<p:timing"), text.index("</p:timing>")
    timing = (
        stage.with_namespaces("<p:timing>")
        + '<p:tnLst><p:par><p:cTn nodeType="tmRoot"><p:childTnLst><p:seq><p:cTn '
        f'nodeType="mainSeq"><p:childTnLst>{effects}</p:childTnLst></p:cTn></p:seq>{other}'
        f"</p:childTnLst></p:cTn></p:par></p:tnLst><p:bldLst>{builds}</p:bldLst></p:timing>"
    )
    changed = text[:start] + timing.replace("@A", shape) + text[end + len("</p:timing>") :]
    return read_deck(stage.forge.with_parts({stage.slide_part: changed})).slides[4]


def _effect(attributes: str, inside: str = "", children: str = "") -> str:
    conditions = '<p:stCondLst><p:cond delay="0"/></p:stCondLst>'
    steps = children or f'<p:set><p:cBhvr><p:cTn dur="1"/>{_target("@A")}</p:cBhvr></p:set>'
    return (
        f"<p:par><p:cTn {attributes}>{conditions}{inside}<p:childTnLst>{steps}</p:childTnLst>"
        "</p:cTn></p:par>"
    )


_ENTRANCE = 'presetClass="entr" nodeType="clickEffect" grpId="0"'


def _animation(stage: Any, *args: str, **options: str) -> Animation:
    (animation,) = _slide(stage, _effect(*args), **options).animations
    return animation


@pytest.mark.parametrize(
    ("preset", "subtype", "direction"),
    [
        (2, 4, "from_bottom"),
        (2, 9, "from_top_left"),
        (22, 8, "from_left"),
        (16, 21, "vertical_in"),
        (21, 4, "4 spokes"),
        (10, 0, ""),
        (2, 999, "999"),
    ],
)
def test_directions(stage: Any, preset: int, subtype: int, direction: str) -> None:
    animation = _animation(stage, f'presetID="{preset}" presetSubtype="{subtype}" {_ENTRANCE}')
    assert animation.direction == direction


@pytest.mark.parametrize(
    ("attributes", "inside", "repeat"),
    [
        ("", "", ""),
        ('repeatCount="1000"', "", ""),
        ('repeatCount="2500"', "", "2.5"),
        ('repeatCount="indefinite"', "", "until_slide_end"),
        (
            'repeatCount="indefinite"',
            '<p:endCondLst><p:cond evt="onNext"/></p:endCondLst>',
            "until_click",
        ),
    ],
)
def test_repeats(stage: Any, attributes: str, inside: str, repeat: str) -> None:
    animation = _animation(stage, f'presetID="10" {attributes} autoRev="1" {_ENTRANCE}', inside)
    assert (animation.repeat, animation.auto_reverse) == (repeat, True)


def test_motion_paths_are_rounded(stage: Any) -> None:
    path = "M 0 0 L 0.2500001 -1.2E-7 E"
    step = (
        f'<p:animMotion path="{path}"><p:cBhvr><p:cTn dur="2000"/>{_target("@A")}</p:cBhvr>'
        "</p:animMotion>"
    )
    animation = _animation(
        stage, 'presetID="63" presetClass="path" nodeType="withEffect"', "", step
    )
    assert (animation.kind, animation.path, animation.duration_sec) == (
        "motion",
        "M 0 0 L 0.25 0",
        2.0,
    )
    assert animation.trigger == "with_previous"


def _step(tag: str, attributes: str, inside: str, name: str = "") -> str:
    names = f"<p:attrNameLst><p:attrName>{name}</p:attrName></p:attrNameLst>" if name else ""
    common = f'<p:cBhvr><p:cTn dur="500"/>{_target("@A")}{names}</p:cBhvr>'
    return f"<p:{tag} {attributes}>{common}{inside}</p:{tag}>"


@pytest.mark.parametrize(
    ("step", "value"),
    [
        (
            _step("animClr", "", '<p:to><a:schemeClr val="accent2"/></p:to>', "fillcolor"),
            "fillcolor #C0504D",
        ),
        (_step("animScale", "", '<p:by x="150000" y="150000"/>'), "scale 150x150"),
        (_step("animRot", 'by="21600000"', ""), "turn 360"),
        (
            _step("set", "", '<p:to><p:strVal val="bold"/></p:to>', "style.fontWeight"),
            "style.fontWeight bold",
        ),
    ],
)
def test_emphasis_values(stage: Any, step: str, value: str) -> None:
    animation = _animation(
        stage, 'presetID="1" presetClass="emph" nodeType="afterEffect"', "", step
    )
    assert (animation.kind, animation.value, animation.trigger) == (
        "emphasis",
        value,
        "after_previous",
    )


@pytest.mark.parametrize(
    ("builds", "inside", "build"),
    [
        ("", "", ""),
        ('<p:bldP spid="@A" grpId="0" build="p"/>', "", "paragraph"),
        ('<p:bldP spid="@A" grpId="0" build="whole"/>', "", ""),
        ('<p:bldP spid="@A" grpId="1" build="p"/>', "", ""),
        ('<p:bldP spid="@A" grpId="0" build="p"/>', '<p:iterate type="wd"/>', "paragraph word"),
        (
            '<p:bldGraphic spid="@A" grpId="0"><p:bldSub><a:bldChart bld="series"/></p:bldSub>'
            "</p:bldGraphic>",
            "",
            "series",
        ),
    ],
)
def test_builds(stage: Any, builds: str, inside: str, build: str) -> None:
    animation = _animation(stage, f'presetID="10" {_ENTRANCE}', inside, builds=builds)
    assert animation.build == build


@pytest.mark.parametrize(
    ("inside", "paragraphs", "part"),
    [
        ('<p:txEl><p:pRg st="1" end="2"/></p:txEl>', (1, 2), ""),
        ('<p:txEl><p:charRg st="0" end="4"/></p:txEl>', None, "letters 0-4"),
        ("<p:bg/>", None, "background"),
        (
            '<p:graphicEl><a:chart seriesIdx="2" categoryIdx="-3" bldStep="series"/></p:graphicEl>',
            None,
            "chart bldStep series seriesIdx 2",
        ),
    ],
)
def test_animated_parts_of_shapes(
    stage: Any, inside: str, paragraphs: tuple[int, int] | None, part: str
) -> None:
    step = f'<p:set><p:cBhvr><p:cTn dur="1"/>{_target("@A", inside)}</p:cBhvr></p:set>'
    animation = _animation(stage, f'presetID="1" {_ENTRANCE}', "", step)
    assert (animation.shape, animation.paragraphs, animation.part) == (1, paragraphs, part)


def test_triggers_by_shape_clicks(stage: Any) -> None:
    start = f'<p:stCondLst><p:cond evt="onClick">{_target("@A")}</p:cond></p:stCondLst>'
    sequence = (
        f'<p:seq><p:cTn nodeType="interactiveSeq">{start}<p:childTnLst>'
        f'{_effect(f"""presetID="10" {_ENTRANCE}""")}</p:childTnLst></p:cTn></p:seq>'
    )
    (animation,) = _slide(stage, "", other=sequence).animations
    assert (animation.trigger, animation.trigger_shape, animation.shape) == ("on_shape_click", 1, 1)


def test_media_timing_changes_the_fingerprint(stage: Any) -> None:
    def fingerprint(volume: int) -> tuple[tuple[str, str], ...]:
        node = f'<p:cMediaNode vol="{volume}"><p:cTn dur="1"/>{_target("@A")}</p:cMediaNode>'
        return _slide(stage, "", other=f"<p:video>{node}</p:video>").fingerprint

    assert _slide(stage, "").fingerprint == ()
    assert fingerprint(1) == fingerprint(1) != fingerprint(2)
    assert fingerprint(1)[0][0] == "video 1"
