"""The lecture, part two: testing and prescribing."""

from collections.abc import Callable
from typing import Any

from pptarena.tasks.goals.editing import set_transition
from tools.decks import resistance_pictures as pictures
from tools.decks.elements import add_chart, add_picture, add_slide, drop, set_bullets
from tools.decks.motion import Appear, animate

__all__ = ["SLIDES"]


def _hospital(deck: Any) -> None:
    slide = add_slide(
        deck, "only", "Our teaching hospital, 2019 to 2025", "Invented teaching data."
    )
    add_chart(
        slide,
        (5.0, 3.2, 22.0, 10.8),
        "LINE_MARKERS",
        tuple(str(year) for year in range(2019, 2026)),
        {
            "Ampicillin": (44, 45, 47, 46, 48, 50, 51),
            "Ciprofloxacin": (18, 19, 17, 16, 15, 14, 13),
            "Cefotaxime": (7, 8, 9, 11, 12, 12, 14),
        },
        name="Trend",
        title="Resistant E. coli, percent of samples (teaching data)",
    )


def _dilution(deck: Any) -> None:
    slide = add_slide(
        deck, "two", "Measuring: dilution", "The breakpoint is 2 mg/l in this example."
    )
    set_bullets(
        slide.placeholders[1],
        [
            "Each tube holds twice the concentration of the last",
            "MIC: the lowest one without visible growth",
            "Compare with the breakpoint of the species",
        ],
    )
    drop(slide.placeholders[2])
    alt = "Six tubes from 0.25 to 8 mg/l; the tube with 2 mg/l is the first without growth"
    add_picture(slide, pictures.dilution_row(), (16.0, 5.0, 11.2, 0), "Tubes", alt)


def _disc_diffusion(deck: Any) -> None:
    slide = add_slide(deck, "two", "Measuring: disc diffusion", "Pass the real dish around.")
    set_bullets(
        slide.placeholders[1],
        [
            "Discs with a known dose on a lawn of bacteria",
            "The wider the zone, the more sensitive the strain",
            "Cheap, but gives no concentration",
        ],
    )
    drop(slide.placeholders[2])
    alt = "Dish with four discs; the zone around GEN is the widest, around TET there is none"
    add_picture(slide, pictures.disc_test(), (17.0, 3.6, 9.8, 0), "Dish", alt)


def _audit(deck: Any) -> None:
    slide = add_slide(
        deck, "only", "Who gets antibiotics", "Source of the shares: ward audit, invented."
    )
    add_chart(
        slide,
        (5.0, 3.2, 22.0, 10.8),
        "BAR_CLUSTERED",
        ("Skin", "Gut", "Urinary tract", "Airways"),
        {"Needed": (9, 6, 17, 14), "Not needed": (3, 4, 5, 18)},
        name="Audit",
        title="Prescriptions in one month (teaching data)",
        labels=True,
    )


def _answers_section(deck: Any) -> None:
    slide = add_slide(deck, "section", "What slows resistance", "")
    slide.placeholders[1].text = "From the bedside to the farm"
    set_transition(slide, 'push dir="l"')


def _rules(deck: Any) -> None:
    slide = add_slide(deck, "content", "Five rules of careful prescribing", "Exam topic!")
    rules = [
        "Treat infections, not colonisation or fever alone",
        "Take samples before the first dose",
        "Start broad only when it cannot wait, then narrow down",
        "As short as the evidence allows",
        "Review the need on day three",
    ]
    set_bullets(slide.placeholders[1], rules)
    animate(slide, [Appear(slide.placeholders[1])])


def _case(deck: Any) -> None:
    slide = add_slide(deck, "two", "Case: a painful weekend", "Give them three minutes in pairs.")
    set_bullets(
        slide.placeholders[1],
        [
            "Woman, 24, burning pain for two days",
            "No fever, not pregnant",
            "Dipstick: nitrite positive",
            "Took ciprofloxacin last spring",
        ],
    )
    set_bullets(
        slide.placeholders[2],
        [
            "Which test do you order?",
            "Which drug would you avoid, and why?",
            "How many days do you treat?",
        ],
    )


def _quiz(deck: Any) -> None:
    slide = add_slide(deck, "content", "Check yourself", "Let them write for two minutes.")
    set_bullets(
        slide.placeholders[1],
        [
            "Efflux pumps remove the drug from the cell. True or false?",
            "Why do plasmids spread faster than mutations?",
            "What does an MIC above the breakpoint tell you?",
        ],
    )


def _reading(deck: Any) -> None:
    slide = add_slide(deck, "content", "Further reading", "Links are on the course page as well.")
    set_bullets(slide.placeholders[1], ["Breakpoint tables: ", "AWaRe classification: "])
    paragraphs = slide.placeholders[1].text_frame.paragraphs
    addresses = ("https://www.eucast.org", "https://aware.essentialmeds.org")
    for paragraph, address in zip(paragraphs, addresses, strict=True):
        run = paragraph.add_run()
        run.text, run.hyperlink.address = address.removeprefix("https://"), address


SLIDES: tuple[Callable[[Any], None], ...] = (
    _hospital,
    _dilution,
    _disc_diffusion,
    _audit,
    _answers_section,
    _rules,
    _case,
    _quiz,
    _reading,
)
"""The functions that add the slides, in order."""
