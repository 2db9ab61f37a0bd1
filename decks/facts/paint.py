"""The facts of fills, lines and effects."""

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["NO_LINE", "NO_PAINT", "Effect", "EffectKind", "GradientStop", "Line", "Paint"]

EffectKind = Literal[
    "shadow", "inner_shadow", "glow", "reflection", "soft_edge", "blur", "bevel", "3d_rotation",
    "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class GradientStop:
    """One colour of several in a fill.

    Attributes:
        place_pct: Where it is, from the start of the gradient.
        color: ``#RRGGBB``; None if it is not known.
        opacity_pct: 0 (cannot be seen) to 100 (solid).
    """

    place_pct: int
    color: str | None
    opacity_pct: int = 100

    def __str__(self) -> str:
        return f"{self.place_pct}:{self.color}/{self.opacity_pct}"


@dataclass(frozen=True, slots=True)
class Paint:
    """What a surface is filled with.

    Attributes:
        kind: What sort of fill.
        color: ``#RRGGBB`` of a solid fill; None for others.
        opacity_pct: 0 (cannot be seen) to 100 (solid).
        stops: Colours of a gradient; front and back of a pattern.
        detail: Direction of a gradient, name of a pattern, or the digest of a picture and how it is
            laid; else empty.
    """

    kind: Literal["none", "solid", "gradient", "pattern", "picture"] = "none"
    color: str | None = None
    opacity_pct: int = 100
    stops: tuple[GradientStop, ...] = ()
    detail: str = ""

    @property
    def words(self) -> str:
        """All but its kind, its one colour and its opacity, as words."""
        if self.kind == "pattern":
            return " ".join([self.detail, *(str(stop.color) for stop in self.stops)])
        return " ".join(filter(None, (*map(str, self.stops), self.detail)))


NO_PAINT: Final = Paint()


@dataclass(frozen=True, slots=True)
class Line:
    """An outline.

    Attributes:
        paint: What it is drawn with; of kind ``none`` it is not there.
        width_pt: Its width in points; 0 where `paint` is none.
        dash: ``solid`` or the name of its pattern.
        ends: Arrow heads at its start and its end, ``none`` for none.
        detail: What is unusual: double lines, round caps, mitred joins; else empty.
    """

    paint: Paint = NO_PAINT
    width_pt: float = 0.0
    dash: str = "solid"
    ends: tuple[str, str] = ("none", "none")
    detail: str = ""


NO_LINE: Final = Line()


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect on the look of a shape.

    Attributes:
        kind: What sort of effect; ``other`` for those that have no name here.
        color: ``#RRGGBB`` where it has one colour.
        measures: Names and values of what is measured: opacity in percent, lengths in points,
            angles in degrees; without those that have the usual value.
        detail: What else there is to it, as text.
    """

    kind: EffectKind
    color: str | None = None
    measures: tuple[tuple[str, float], ...] = ()
    detail: str = ""

    def __str__(self) -> str:
        measures = (f"{name}={value:g}" for name, value in self.measures)
        return " ".join(filter(None, (self.kind, self.color, *measures, self.detail)))
