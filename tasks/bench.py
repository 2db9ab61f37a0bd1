"""Suites of some tasks of ``bench``.

The lists are fixed, so that scores stay comparable when tasks are added.
"""

__all__ = ["FAST", "STARTER"]

STARTER = (
    *("meridian-board-version", "meridian-hide-backup", "meridian-rename-tent"),
    *("meridian-retitle-products", "resistance-answers-slide", "resistance-cell-picture"),
    *("resistance-fix-classes-table", "resistance-lecturer-name"),
)
"""The suite ``starter``, the default: single-turn tasks of ``bench`` that have a recorded
demonstration and are scored without a model."""

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
"""The suite ``bench-fast``. Of each deck an easy or medium task, then a hard one, all single-turn
and scored without a model."""
