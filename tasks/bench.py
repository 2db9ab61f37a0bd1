"""Composition of the suite ``bench``, the benchmark.

It contains the tasks of ``specs/bench``, and those of ``specs/office`` except `SPARE`.
"""

from collections.abc import Mapping

__all__ = ["CANNOT", "SPARE", "STARTER"]

STARTER = (
    *("meridian-board-version", "meridian-hide-backup", "meridian-rename-tent"),
    *("meridian-retitle-products", "resistance-answers-slide", "resistance-cell-picture"),
    *("resistance-fix-classes-table", "resistance-lecturer-name"),
)
"""The suite ``starter``, the default: single-turn tasks of ``bench`` that have a recorded
demonstration and are scored without a model."""

SPARE = (
    *("aurora-second-thoughts", "clinic-internal-medicine", "clinic-minutes"),
    *("field-brand-colours", "field-icons-row", "field-square-bees", "field-stamp"),
    *("harbor-english-chapters", "harbor-stop-level", "harbor-tram-film"),
    *("kanto-late-till", "kanto-speakers"),
    *("ledger-chapter-fade", "ledger-orange-quarter", "ledger-typefaces", "ledger-unit"),
    *("negev-annex-page", "negev-second-crop", "negev-slipped-step"),
    "onboard-second-quiz",
    *("thesis-backup", "thesis-grey-station", "thesis-station-copy"),
    *("townhall-leftovers", "townhall-odd-titles", "townhall-tidy-figures"),
    "townhall-yard-picture",
)
"""Tasks of ``office`` that ``bench`` leaves out: they resemble another task on another deck, or
have solutions that their rubric does not cover."""

CANNOT: Mapping[str, tuple[str, str]] = {
    "aurora-film-gif": ("not in the program", "aurora-intro-sound"),
    "clinic-film": ("file missing", "aurora-desk-film"),
    "field-brand-pdf": ("file missing", "aurora-theme-teal"),
    "harbor-council-date": ("known to nobody here", "kanto-cover-date"),
    "kanto-deepl": ("not in the program", "harbor-bus-in-english"),
    "ledger-retail-slice": ("not in the deck", "onboard-site-figures"),
    "negev-drain-plugs": ("not in the deck", "negev-valve-price"),
    "onboard-morph": ("not in the program", "thesis-campus-wipe"),
    "thesis-formula": ("not in the program", "thesis-subscripts"),
    "townhall-undo-maria": ("known to nobody here", "townhall-maria-comments"),
}
"""The infeasible tasks of ``bench``, each with the reason and a similar feasible task, so that
the request does not reveal the infeasibility."""
