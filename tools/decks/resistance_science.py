"""The lecture, part one: how antibiotics work and how resistance arises."""

from collections.abc import Callable
from typing import Any

from pptarena.tasks.goals.editing import set_transition
from tools.decks import resistance_pictures as pictures
from tools.decks.elements import (
    add_box,
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
    slide = add_slide(deck, "title", "Antibiotic resistance", "Sound check. Hand out the quiz.")
    slide.placeholders[1].text = "Microbiology for health sciences, lecture 7\nAmara Lindqvist"
    set_transition(slide, "fade")


def _goals(deck: Any) -> None:
    slide = add_slide(
        deck, "content", "After this lecture you can", "Come back to this at the end."
    )
    set_bullets(
        slide.placeholders[1],
        [
            "name the targets of the main classes of antibiotics",
            "explain four ways in which bacteria resist them",
            "tell mutation from gene transfer",
            "read a minimum inhibitory concentration",
            "argue for five rules of careful prescribing",
        ],
    )


def _history(deck: Any) -> None:
    slide = add_slide(deck, "only", "Eighty years of a race", "Students often guess 1990 for MRSA.")
    add_table(
        slide,
        (5.0, 3.6, 22.0, 8.6),
        (
            ("Antibiotic", "In use since", "Resistance reported"),
            ("Penicillin", "1943", "1942"),
            ("Tetracycline", "1950", "1959"),
            ("Erythromycin", "1953", "1968"),
            ("Methicillin", "1960", "1961"),
            ("Vancomycin", "1972", "1988"),
            ("Linezolid", "2000", "2001"),
        ),
        (2, 1.4, 1.8),
        name="History",
        size=18,
        numbers=(1, 2),
    )


def _action_section(deck: Any) -> None:
    slide = add_slide(deck, "section", "How antibiotics work", "")
    slide.placeholders[1].text = "Targets that our own cells do not have"
    set_transition(slide, 'push dir="l"')


def _targets(deck: Any) -> None:
    slide = add_slide(
        deck, "two", "Four targets in the cell", "Ask: why does this spare our cells?"
    )
    left = slide.placeholders[1]
    set_bullets(
        left,
        [
            "Cell wall: penicillins, cephalosporins, vancomycin",
            "Ribosomes: tetracyclines, macrolides",
            "DNA copying: fluoroquinolones",
            "Folate pathway: sulfonamides, trimethoprim",
        ],
    )
    drop(slide.placeholders[2])
    add_picture(slide, pictures.cell_targets(), (17.0, 4.8, 8.4, 0), "Cell", "picture")
    animate(slide, [Appear(left, index) for index in range(4)])


def _classes(deck: Any) -> None:
    slide = add_slide(
        deck, "only", "Classes, targets, examples", "Chloramphenicol is left out here."
    )
    add_table(
        slide,
        (5.0, 3.4, 22.0, 8.4),
        (
            ("Class", "Target", "Example"),
            ("Penicillins", "Cell wall", "Amoxicillin"),
            ("Macrolides", "Ribosome", "Azithromycin"),
            ("Tetracyclines", "Ribosome", "Doxycycline"),
            ("Fluoroquinolones", "Cell wall", "Ciprofloxacin"),
            ("Sulfonamides", "Folate pathway", "Sulfamethoxazole"),
        ),
        (3, 3, 3),
        name="Classes",
        size=18,
    )


def _origin_section(deck: Any) -> None:
    slide = add_slide(deck, "section", "How resistance arises", "")
    slide.placeholders[1].text = "Mechanisms, sources and selection"
    set_transition(slide, 'push dir="l"')


def _mechanisms(deck: Any) -> None:
    slide = add_slide(deck, "only", "Four mechanisms", "One example per box is enough.")
    ways = (
        ("Destroy the drug\nbeta-lactamases cut penicillin", "ACCENT_1"),
        ("Change the target\naltered ribosomes, PBP2a in MRSA", "ACCENT_2"),
        ("Pump it out\nefflux pumps for tetracycline", "ACCENT_3"),
        ("Keep it out\nfewer pores in the outer membrane", "ACCENT_5"),
    )
    group = slide.shapes.add_group_shape()
    group.name = "Mechanisms"
    for index, (text, color) in enumerate(ways):
        box = (5.0 + index % 2 * 11.3, 3.8 + index // 2 * 5.0, 10.7, 4.4)
        add_box(group.shapes, box, text, name=f"Mechanism {index + 1}", color=color, size=24)


def _mutation_or_transfer(deck: Any) -> None:
    slide = add_slide(
        deck, "two", "Mutation or gene transfer?", "Draw the family tree on the board."
    )
    set_bullets(
        slide.placeholders[1],
        [
            "Mutation",
            ">About one copying error in a billion bases",
            ">Passed on to daughter cells only",
            ">Example: resistance to rifampicin",
        ],
    )
    set_bullets(
        slide.placeholders[2],
        [
            "Gene transfer",
            ">Whole genes, often several at once",
            ">Between neighbours, even between species",
            ">Example: carbapenemases on plasmids",
        ],
    )


def _transfer(deck: Any) -> None:
    slide = add_slide(deck, "two", "Genes travel between cells", "Conjugation takes some minutes.")
    set_bullets(
        slide.placeholders[1],
        [
            "Conjugation: a plasmid crosses a bridge",
            "Transformation: free DNA is taken up",
            "Transduction: a virus carries DNA over",
        ],
    )
    drop(slide.placeholders[2])
    alt = "Two bacteria joined by a bridge; a plasmid is copied from donor to recipient"
    add_picture(slide, pictures.gene_transfer(), (16.2, 4.0, 11.0, 0), "Transfer", alt)
    set_transition(slide, "fade")


def _selection(deck: Any) -> None:
    slide = add_slide(deck, "only", "Selection makes the rare common", "No cell wants to resist.")
    alt = "Three dishes: few resistant cells before treatment, nearly all resistant a week later"
    picture = add_picture(slide, pictures.selection_plot(), (6.0, 3.4, 19.5, 0), "Dishes", alt)
    caption = add_label(
        slide,
        (5.0, 12.6, 22.0, 1.4),
        "The drug does not create resistance; it removes the competition.",
        name="Caption",
        size=20,
    )
    animate(slide, [Appear(picture), Appear(caption)])


SLIDES: tuple[Callable[[Any], None], ...] = (
    _opening,
    _goals,
    _history,
    _action_section,
    _targets,
    _classes,
    _origin_section,
    _mechanisms,
    _mutation_or_transfer,
    _transfer,
    _selection,
)
"""The functions that add the slides, in order."""
