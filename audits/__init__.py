"""Audits: attacks and measurements that show whether machines and scores can be trusted.

They take minutes and print a report; ``pptarena dev audit`` runs them. What is quick is a test.
"""

from pptarena.audits.registry import AUDITS, load_audit
from pptarena.audits.report import AuditReport, Row
from pptarena.audits.settings import AuditSettings

__all__ = ["AUDITS", "AuditReport", "AuditSettings", "Row", "load_audit"]
