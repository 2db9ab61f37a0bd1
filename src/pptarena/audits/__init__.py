"""Audits: attacks and measurements that test whether machines and scores can be trusted.

An audit takes minutes and prints a report; run one with ``pptarena dev audit``. Fast checks are
tests instead.
"""

from pptarena.audits.registry import AUDITS, load_audit
from pptarena.audits.report import AuditReport, Row
from pptarena.audits.settings import AuditSettings

__all__ = ["AUDITS", "AuditReport", "AuditSettings", "Row", "load_audit"]
