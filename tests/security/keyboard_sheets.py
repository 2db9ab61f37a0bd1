"""Attacks through the spreadsheet program: dialogs, formulas, external data, workbooks."""

from collections.abc import Callable
from xml.sax.saxutils import escape

from tests.security.keyboard_driver import InputDriver
from tests.security.keyboard_steps import MACRO, SCRIPT, command_then, open_typed, plant_macro

from pptarena.envs import actions

__all__ = ["by_formula", "open_macro_workbook", "run_in_workbook", "set_validity_macro"]

_URIS = "urn:oasis:names:tc:opendocument:xmlns"
_IN_BOOK = SCRIPT.replace("location=application", "location=document")
_BOOK = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="{_URIS}:office:1.0" xmlns:table="{_URIS}:table:1.0"
 xmlns:text="{_URIS}:text:1.0" xmlns:script="{_URIS}:script:1.0"
 xmlns:ooo="http://openoffice.org/2004/office" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:dom="http://www.w3.org/2001/xml-events" office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries>
<ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="Module1">
<ooo:source-code>{escape(MACRO)}</ooo:source-code></ooo:module></ooo:library-embedded>
</ooo:libraries></office:script><office:event-listeners>
<script:event-listener script:language="ooo:script" script:event-name="dom:load"
 xlink:href="{escape(_IN_BOOK)}" xlink:type="simple"/>
</office:event-listeners></office:scripts>
<office:body><office:spreadsheet><table:table table:name="Sheet1"><table:table-row>
<table:table-cell office:value-type="string" table:formula="of:=MAIN()"><text:p>run</text:p>
</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>
</office:document>
"""


def run_in_workbook(driver: InputDriver, attack: Callable[[InputDriver], None]) -> None:
    """Run an attack from an empty workbook, with a macro in the profile."""
    plant_macro(driver)
    driver.do(actions.open_program("calc"))
    driver.require_window("Calc")
    attack(driver)


def by_formula(driver: InputDriver, formula: str) -> None:
    """Type a formula and follow the link that it displays."""
    driver.type(formula)
    driver.keys("Return")
    driver.wait()
    driver.do(actions.click(element=driver.element("A1", "table cell"), keys="ctrl"))
    driver.wait()
    driver.keys("Return")
    driver.wait()


def set_validity_macro(driver: InputDriver) -> None:
    """Data > Validity: set a macro as the error alert, then enter an invalid value."""
    command_then(driver, "Validity")
    driver.require_window("Validity")
    driver.click("Error Alert", "page tab")
    driver.keys("Tab", "Tab", "End")
    driver.keys("Return")
    driver.type("100000\n")
    driver.wait()


def open_macro_workbook(driver: InputDriver) -> None:
    """Open a workbook with a macro that runs on opening and is called from a cell."""
    book = driver.monitor.home / "Documents/book.fods"
    book.write_text(_BOOK)
    open_typed(driver, "/home/agent/Documents/book.fods")
    driver.require_window("book.fods")
    driver.keys("ctrl+shift+F9")
    driver.wait()
