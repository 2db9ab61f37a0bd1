"""Facts about fills, lines and effects."""

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["NO_LINE", "NO_PAINT", "Effect", "EffectKind", "GradientStop", "Line", "Paint"]

EffectKind = Literal[
    "shadow", "inner_shadow", "glow", "reflection", "soft_edge", "blur", "bevel", "3d_rotation",
    "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class GradientStop:
    """One color stop of a fill.

    Attributes:
        place_pct: Position along the gradient.
        color: ``#RRGGBB``; None if unknown.
        opacity_pct: 0 (transparent) to 100 (opaque).
    """

    place_pct: int
    color: str | None
    opacity_pct: int = 100

    def __str__(self) -> str:
        return f"{self.place_pct}:{self.color}/{self.opacity_pct}"


@dataclass(frozen=True, slots=True)
class Paint:
    """A fill.

    Attributes:
        kind: Type of the fill.
        color: ``#RRGGBB`` of a solid fill; None for other types.
        opacity_pct: 0 (transparent) to 100 (opaque).
        stops: Color stops of a gradient; foreground and background of a pattern.
        detail: Direction of a gradient, name of a pattern, or digest and tiling of a picture;
            empty for other types.
    """

    kind: Literal["none", "solid", "gradient", "pattern", "picture"] = "none"
    color: str | None = None
    opacity_pct: int = 100
    stops: tuple[GradientStop, ...] = ()
    detail: str = ""

    @property
    def description(self) -> str:
        """Description of stops and `detail`, without type, color and opacity."""
        if self.kind == "pattern":
            return " ".join([self.detail, *(str(stop.color) for stop in self.stops)])
        return " ".join(filter(None, (*map(str, self.stops), self.detail)))


NO_PAINT: Final = Paint()


@dataclass(frozen=True, slots=True)
class Line:
    """An outline.

    Attributes:
        paint: Fill of the line; of kind ``none`` for no line.
        width_pt: Width in points; 0 for no line.
        dash: ``solid`` or the name of the dash pattern.
        ends: Arrowheads at the start and the end, ``none`` for none.
        detail: Nondefault compound type, cap and join; empty for none.
    """

    paint: Paint = NO_PAINT
    width_pt: float = 0.0
    dash: str = "solid"
    ends: tuple[str, str] = ("none", "none")
    detail: str = ""


NO_LINE: Final = Line()


@dataclass(frozen=True, slots=True)
class Effect:
    """A visual effect of a shape.

    Attributes:
        kind: Type of the effect; ``other`` for types without a name here.
        color: ``#RRGGBB`` if the effect has one color.
        measures: Names and values of parameters that differ from the default: opacity in percent,
            lengths in points, angles in degrees.
        detail: Other parameters, as text.
    """

    kind: EffectKind
    color: str | None = None
    measures: tuple[tuple[str, float], ...] = ()
    detail: str = ""

    def __str__(self) -> str:
        measures = (f"{name}={value:g}" for name, value in self.measures)
        return " ".join(filter(None, (self.kind, self.color, *measures, self.detail)))
