"""The suite ``bench-fast``: two tasks per deck, for a first evaluation of an agent."""

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
"""Task ids by deck: an easy or medium one, then a hard one, all single-turn and scored without a
model. The list is fixed, so that scores stay comparable when tasks are added."""
