"""Helpers that write slides, transitions and animations into the small deck."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation

from pptarena.envs.programs.pptdiff import PowerPointDiff, diff_presentations

P = "http://schemas.openxmlformats.org/presentationml/2006/main"
Edit = Callable[[Any], object]
Compare = Callable[..., PowerPointDiff]


def effect(
    shape: Any, preset: int = 1, kind: str = "entr", subtype: int = 0, *, block: str = "set",
    duration: int = 500, delay: int = 0, node: str = "clickEffect", paragraph: int | None = None,
) -> str:  # fmt: skip
    """Return the XML of one effect."""
    text_range = f'<p:txEl><p:pRg st="{paragraph}" end="{paragraph}"/></p:txEl>'
    part = "" if paragraph is None else text_range
    path = ' path="M 0 0 L 0.25 0 E"' if block == "animMotion" else ""
    return (
        f'<p:par><p:cTn presetID="{preset}" presetClass="{kind}" presetSubtype="{subtype}" '
        f'nodeType="{node}"><p:stCondLst><p:cond delay="{delay}"/></p:stCondLst><p:childTnLst>'
        f'<p:{block}{path}><p:cBhvr><p:cTn dur="{duration}"/><p:tgtEl>'
        f'<p:spTgt spid="{shape.shape_id}">{part}</p:spTgt></p:tgtEl></p:cBhvr></p:{block}>'
        "</p:childTnLst></p:cTn></p:par>"
    )


def animate(slide: Any, *effects: str) -> None:
    """Replace the animations of a slide."""
    for old in slide._element.findall(f"{{{P}}}timing"):
        slide._element.remove(old)
    xml = (
        f'<p:timing xmlns:p="{P}"><p:tnLst><p:par><p:cTn nodeType="tmRoot"><p:childTnLst><p:seq>'
        f'<p:cTn nodeType="mainSeq"><p:childTnLst>{"".join(effects)}</p:childTnLst></p:cTn></p:seq>'
        "</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
    )
    slide._element.append(etree.fromstring(xml))


class Deck:
    """Helpers in addition to the lab."""

    effect = staticmethod(effect)
    animate = staticmethod(animate)

    def __init__(self, lab: Any) -> None:
        self.lab = lab

    def edited(self, edit: Edit, start: bytes | None = None) -> bytes:
        deck = Presentation(io.BytesIO(start or self.lab.base))
        edit(deck)
        data: bytes = self.lab.save(deck)
        return data

    def compare(
        self, edit: Edit, *, before: Edit | None = None, quirks: bool = False
    ) -> PowerPointDiff:
        """Return the diff of the base deck (edited by `before` first) and its edited self."""
        start = self.lab.base if before is None else self.edited(before)
        return diff_presentations(start, self.edited(edit, start), quirks=quirks)


@pytest.fixture
def deck(lab: Any) -> Deck:
    return Deck(lab)
