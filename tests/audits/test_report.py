import pytest

from pptarena.audits import AUDITS, AuditReport, Row, load_audit
from pptarena.errors import ConfigError


def test_a_report_holds_if_every_row_does() -> None:
    good, bad = Row("a", "0", "0", True), Row("b", "0", "1", False)
    assert AuditReport("x", (good,)).held
    assert not AuditReport("x", (good, bad)).held


def test_a_report_without_rows_has_shown_nothing() -> None:
    assert not AuditReport("x", ()).held


def test_an_unknown_audit_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="audit 'nothing' not found"):
        load_audit("nothing")


@pytest.mark.parametrize("name", AUDITS)
def test_every_audit_can_be_imported(name: str) -> None:
    assert callable(load_audit(name).rows)
