"""The review, part one: results."""

from collections.abc import Callable
from typing import Any

from pptarena.tasks.goals.editing import set_transition
from tools.decks import meridian_pictures as pictures
from tools.decks.elements import (
    add_box,
    add_chart,
    add_label,
    add_picture,
    add_slide,
    add_table,
    drop,
    set_bullets,
)
from tools.decks.motion import Appear, animate

__all__ = ["SLIDES"]


def _opening(deck: Any) -> None:
    slide = add_slide(
        deck,
        "title",
        "Q3 2026 Business Review",
        "Welcome everyone. We have 45 minutes; questions at the end of each part.",
    )
    slide.placeholders[1].text = "Meridian Outdoor\nLeadership meeting, 14 October 2026"
    alt = "Meridian logo: a compass needle over a mountain ridge"
    add_picture(slide, pictures.logo(), (22.6, 3.2, 4.0, 0), "Logo", alt)
    set_transition(slide, "fade")


def _agenda(deck: Any) -> None:
    slide = add_slide(deck, "content", "Agenda", "Part 3 is the longest; keep part 1 short.")
    set_bullets(
        slide.placeholders[1],
        [
            "The quarter at a glance",
            "Where the growth came from",
            ">Regions, product lines, the TrailLite tent",
            "Operations",
            ">Stock, delivery and costs",
            "Risks and the plan for Q4",
        ],
    )
    set_transition(slide, 'push dir="l"')


def _key_figures(deck: Any) -> None:
    slide = add_slide(deck, "only", "The quarter at a glance", "Start with revenue, then margin.")
    group = slide.shapes.add_group_shape()
    group.name = "Key figures"
    tiles = (
        ("€48.2 m\nrevenue, up 9 %", "ACCENT_1"),
        ("38.4 %\ngross margin, up 0.6 points", "ACCENT_2"),
        ("54\nnet promoter score in stores", "ACCENT_3"),
        ("96.1 %\norders delivered on time", "TEXT_2"),
    )
    for index, (text, color) in enumerate(tiles):
        box = (1.0 + index * 6.6, 4.6, 6.2, 4.2)
        name = f"Tile {index + 1}"
        add_box(group.shapes, box, text, name=name, color=color, size=28)
    add_label(
        slide,
        (1.0, 9.8, 26.0, 3.0),
        "All four figures beat the plan. Revenue grew in every region, and for the first time "
        "the online store brought more than a quarter of it.",
        name="Summary",
        size=20,
    )


def _revenue(deck: Any) -> None:
    slide = add_slide(deck, "only", "Revenue grew by 9 % to €48.2 m", "July was helped by weather.")
    chart = add_chart(
        slide,
        (1.0, 3.9, 26.0, 10.3),
        "COLUMN_CLUSTERED",
        ("July", "August", "September"),
        {"Q3 2025": (15.6, 15.1, 13.5), "Q3 2026": (17.4, 16.3, 14.5)},
        name="Revenue by month",
        title="Revenue in million euros",
        number_format="0.0",
        labels=True,
    )
    animate(slide, [Appear(chart)])


def _growth_section(deck: Any) -> None:
    slide = add_slide(deck, "section", "Where the growth came from")
    slide.placeholders[1].text = "Regions, product lines and customers"
    set_transition(slide, "fade", "slow")


def _regions(deck: Any) -> None:
    slide = add_slide(deck, "only", "Revenue by region", "West opened two stores in May.")
    add_table(
        slide,
        (1.0, 4.2, 15.2, 7.2),
        (
            ("Region", "Q3 2025", "Q3 2026", "Change"),
            ("North", "15.9", "16.8", "+6 %"),
            ("East", "9.7", "10.5", "+8 %"),
            ("South", "12.8", "13.9", "+9 %"),
            ("West", "5.8", "7.0", "+21 %"),
            ("Total", "44.2", "48.2", "+9 %"),
        ),
        (3, 2, 2, 2),
        name="Regions",
        size=18,
        numbers=(1, 2, 3),
    )
    add_label(
        slide, (1.0, 12.2, 15.2, 1.2), "Million euros, without sales tax", name="Unit", size=16
    )
    alt = "Four circles for the sales regions around the central warehouse; North is the largest"
    add_picture(slide, pictures.store_map(), (17.0, 4.2, 10.0, 0), "Map of regions", alt)


def _product_lines(deck: Any) -> None:
    slide = add_slide(deck, "two", "Tents overtook footwear", "Ask Jonas for detail on footwear.")
    drop(slide.placeholders[1])
    add_chart(
        slide,
        (1.0, 3.9, 13.2, 10.2),
        "BAR_CLUSTERED",
        ("Accessories", "Clothing", "Footwear", "Tents"),
        {"Revenue": (6.9, 11.8, 14.2, 15.3)},
        name="Product lines",
        title="Revenue in Q3, million euros",
        number_format="0.0",
        labels=True,
    )
    set_bullets(
        slide.placeholders[2],
        [
            "Tents: up 19 %, led by TrailLite",
            "Footwear: flat, two models sold out in August",
            "Clothing: up 7 %, rain jackets most of all",
            "Accessories: up 4 %",
        ],
    )


def _trail_lite(deck: Any) -> None:
    notes = "TrailLite is the first product that we designed together with customers."
    slide = add_slide(deck, "two", "TrailLite: the launch in numbers", notes)
    items = [
        "21,400 TrailLite tents sold in twelve weeks",
        "4.7 of 5 stars in 1,860 reviews",
        "Return rate 2.1 %, half of our average",
        "One in three buyers was new to Meridian",
    ]
    set_bullets(slide.placeholders[1], items)
    drop(slide.placeholders[2])
    alt = "Drawing of the TrailLite tent: 2.30 m long, 1.15 m high, 1.48 kg"
    add_picture(slide, pictures.tent_drawing(), (14.5, 4.2, 12.5, 0), "Tent", alt)
    animate(slide, [Appear(slide.placeholders[1], index) for index in range(len(items))])


def _satisfaction(deck: Any) -> None:
    slide = add_slide(deck, "two", "Customers recommend us more", "The survey has 5,200 answers.")
    set_bullets(
        slide.placeholders[1],
        [
            "Stores: 54, eight points above last year",
            "Online store: 47, the best value so far",
            "Praised most: advice in the stores",
            "Criticised most: waiting time for repairs",
        ],
    )
    drop(slide.placeholders[2])
    alt = "Line plot: the net promoter score of stores rose from 41 to 54, online from 38 to 47"
    add_picture(slide, pictures.satisfaction_plot(), (14.0, 4.0, 13.0, 0), "Score plot", alt)


SLIDES: tuple[Callable[[Any], None], ...] = (
    _opening,
    _agenda,
    _key_figures,
    _revenue,
    _growth_section,
    _regions,
    _product_lines,
    _trail_lite,
    _satisfaction,
)
"""The functions that add the slides, in order."""
