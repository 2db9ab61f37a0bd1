"""The report of a run: one HTML file."""

from pptarena.rollouts.report.build import Report, build_report, write_page

__all__ = ["Report", "build_report", "write_page"]
