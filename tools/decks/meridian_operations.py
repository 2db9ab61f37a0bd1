"""The review, part two: operations and outlook."""

from collections.abc import Callable
from typing import Any

from pptarena.tasks.goals.editing import set_transition
from tools.decks.elements import (
    add_box,
    add_chart,
    add_label,
    add_slide,
    add_table,
    set_bullets,
)
from tools.decks.motion import Appear, animate

__all__ = ["SLIDES"]


def _online_store(deck: Any) -> None:
    slide = add_slide(deck, "only", "Online store: from visit to order", "Checkout is the leak.")
    steps = (
        ("Visits\n1,240,000", "ACCENT_2"),
        ("Product pages\n682,000", "ACCENT_1"),
        ("Baskets\n118,000", "ACCENT_3"),
        ("Orders\n47,100", "ACCENT_6"),
    )
    for index, (text, color) in enumerate(steps):
        box = (1.0 + index * 6.4, 5.2, 6.8, 3.6)
        name = f"Step {index + 1}"
        add_box(slide.shapes, box, text, name=name, color=color, shape="CHEVRON", size=18)
    add_label(
        slide,
        (1.0, 10.0, 26.0, 2.4),
        "Six of ten baskets are left at the payment page. A second payment service goes live in "
        "November.",
        name="Finding",
        size=20,
    )


def _operations_section(deck: Any) -> None:
    slide = add_slide(deck, "section", "Operations")
    slide.placeholders[1].text = "Stock, delivery and costs"
    set_transition(slide, "fade", "slow")


def _stock(deck: Any) -> None:
    slide = add_slide(deck, "only", "Stock and delivery", "Repairs: the Bremen workshop reopened.")
    add_table(
        slide,
        (1.0, 4.2, 26.0, 8.4),
        (
            ("Measure", "Target", "Q2 2026", "Q3 2026", "Owner"),
            ("Orders delivered on time", "95.0 %", "94.2 %", "96.1 %", "P. Okafor"),
            ("Stock turns per year", "4.5", "4.1", "4.4", "L. Brandt"),
            ("Items out of stock", "3.0 %", "4.8 %", "3.6 %", "L. Brandt"),
            ("Days to process a return", "5", "7", "6", "S. Nowak"),
            ("Days to repair a product", "10", "19", "14", "S. Nowak"),
        ),
        (8, 3, 3, 3, 4),
        name="Measures",
        size=18,
        numbers=(1, 2, 3),
    )


def _costs(deck: Any) -> None:
    slide = add_slide(deck, "only", "Costs stayed within the plan", "Freight rates fell in August.")
    add_chart(
        slide,
        (1.0, 3.9, 26.0, 10.3),
        "COLUMN_CLUSTERED",
        ("Staff", "Rent", "Freight", "Marketing", "IT"),
        {"Plan": (7.9, 3.1, 2.6, 1.9, 1.2), "Actual": (7.8, 3.1, 2.3, 2.1, 1.3)},
        name="Costs",
        title="Operating costs in Q3, million euros",
        number_format="0.0",
        labels=True,
    )


def _risks(deck: Any) -> None:
    slide = add_slide(deck, "two", "Risks, and what we do about them", "Review again in December.")
    set_bullets(
        slide.placeholders[1],
        [
            "Risks",
            ">Tent fabric comes from one supplier",
            ">A warm winter would hit jackets",
            ">Euro weaker against the dollar",
        ],
    )
    set_bullets(
        slide.placeholders[2],
        [
            "Measures",
            ">Second supplier audited by December",
            ">Later delivery dates agreed for 30 %",
            ">Half of the purchases hedged until June",
        ],
    )
    set_transition(slide, 'wipe dir="r"')


def _plan(deck: Any) -> None:
    slide = add_slide(
        deck, "only", "The plan for Q4", "Ask for the go-ahead on the repair service."
    )
    line = add_box(
        slide.shapes, (1.6, 8.6, 24.8, 0.4), "", name="Time line", color="TEXT_2", shape="RECTANGLE"
    )
    line.text_frame.text = ""
    milestones = (
        ("October\nTrailLite Duo in stores", "ACCENT_1"),
        ("November\nSecond payment service", "ACCENT_2"),
        ("December\nSupplier audit", "ACCENT_3"),
        ("January\nRepair service in 10 stores", "ACCENT_4"),
    )
    boxes = []
    for index, (text, color) in enumerate(milestones):
        left = 1.0 + index * 6.6
        box = (left, 4.6 if index % 2 == 0 else 10.0, 6.2, 3.0)
        boxes.append(
            add_box(slide.shapes, box, text, name=f"Milestone {index + 1}", color=color, size=20)
        )
    animate(slide, [Appear(box) for box in boxes])


def _questions(deck: Any) -> None:
    slide = add_slide(deck, "content", "Questions?", "Leave this slide up during the discussion.")
    set_bullets(
        slide.placeholders[1],
        ["Figures and sources: ", "Contact: ", "Next review: 13 January 2027"],
    )
    first, second, _ = slide.placeholders[1].text_frame.paragraphs
    for paragraph, text, address in (
        (first, "reports.example.com/q3-2026", "https://reports.example.com/q3-2026"),
        (second, "finance@meridian.example", "mailto:finance@meridian.example"),
    ):
        run = paragraph.add_run()
        run.text, run.hyperlink.address = text, address


def _backup(deck: Any) -> None:
    slide = add_slide(deck, "only", "Backup: visitors by weekday", "Only if somebody asks.")
    add_chart(
        slide,
        (1.0, 3.9, 26.0, 10.3),
        "LINE_MARKERS",
        ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat"),
        {"July": (610, 590, 640, 700, 930, 1480), "September": (540, 520, 560, 610, 820, 1290)},
        name="Visitors",
        title="Visitors per store and day",
        number_format="#,##0",
    )


SLIDES: tuple[Callable[[Any], None], ...] = (
    _online_store,
    _operations_section,
    _stock,
    _costs,
    _risks,
    _plan,
    _questions,
    _backup,
)
"""The functions that add the slides, in order."""
