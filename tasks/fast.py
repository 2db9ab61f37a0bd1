"""The suite ``bench-fast``: two tasks a deck, for a first look at an agent."""

__all__ = ["FAST"]

FAST = (
    *("meridian-rename-tent", "meridian-board-version"),
    *("resistance-lecturer-name", "resistance-answers-slide"),
    *("aurora-grey-dawn", "aurora-press-version"),
    *("clinic-contrast", "clinic-public-version"),
    *("field-list-back", "field-photo-grid"),
    *("harbor-draft-stamp", "harbor-new-costs"),
    *("kanto-net-sales", "kanto-short-version"),
    *("ledger-tile", "ledger-appendix"),
    *("negev-valve-price", "negev-mirror-process"),
    *("onboard-mentor", "onboard-site-figures"),
    *("thesis-source-14", "thesis-renumber"),
    *("townhall-pale-notes", "townhall-duplicates"),
)
"""Ids, by deck: an easy or medium one, then a hard one. All can be done in one turn, and programs
judge all of each. A list and no rule, so that scores stay comparable when tasks are added."""
