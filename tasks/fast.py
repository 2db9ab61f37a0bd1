"""The suite ``bench-fast``: two tasks a deck, for a first look at an agent."""

__all__ = ["FAST"]

FAST = (
    *("meridian-rename-tent", "meridian-board-version"),
    *("resistance-lecturer-name", "resistance-answers-slide"),
    *("clinic-contrast", "clinic-public-version"),
    *("field-list-back", "field-photo-grid"),
    *("kanto-net-sales", "kanto-short-version"),
    *("ledger-tile", "ledger-appendix"),
    *("onboard-mentor", "onboard-site-figures"),
    *("thesis-source-14", "thesis-renumber"),
)
"""Ids, by deck: an easy or medium one, then a hard one. All can be done in one turn, and programs
judge all of each. A list and no rule, so that scores stay comparable when tasks are added."""
