"""Select the branch of alternative content (``mc:AlternateContent``) that PowerPoint reads.

The rules are those of ECMA-376 part 3, 7.6 (Markup Compatibility and Extensibility): the first
``mc:Choice`` whose ``Requires`` lists only understood namespaces, else the ``mc:Fallback``.
"""

from lxml.etree import _Element

from pptarena.decks.package.names import MC

__all__ = ["UNDERSTOOD", "find_child", "required_namespaces", "selected_branch"]

_MS = "http://schemas.microsoft.com/office/"
_OPEN = "http://schemas.openxmlformats.org/"


def _namespaces(start: str, names: str) -> frozenset[str]:
    return frozenset(start + name for name in names.split())


UNDERSTOOD: frozenset[str] = (
    _namespaces(
        f"{_MS}drawing/",
        "2007/8/2/chart 2008/diagram 2010/chartDrawing 2010/compatibility 2010/diagram 2010/main "
        "2010/picture 2010/slicer 2012/chart 2012/chartStyle 2012/main 2012/timeslicer "
        "2013/main/command 2014/chart 2014/chart/ac 2014/chartex 2014/main 2015/06/chart "
        "2015/9/8/chartex 2015/10/21/chartex 2016/5/9/chartex 2016/5/10/chartex 2016/5/11/chartex "
        "2016/5/12/chartex 2016/5/13/chartex 2016/5/14/chartex 2016/11/diagram 2016/11/main "
        "2016/12/diagram 2016/SVG/main 2016/ink 2017/03/chart 2017/decorative 2017/model3d "
        "2018/animation 2018/animation/model3d 2018/hyperlinkcolor 2018/sketchyshapes "
        "2020/classificationShape 2021/livefeed 2021/oembed 2021/scriptlink 2022/imageformula",
    )
    | _namespaces(
        f"{_MS}powerpoint/",
        "2010/main 2012/main 2012/roamingSettings 2013/main/command 2014/inkAction 2015/09/main "
        "2015/10/main 2015/main 2016/sectionzoom 2016/slidezoom 2016/summaryzoom 2017/10/main "
        "2017/3/main 2018/4/main 2018/8/main 2019/12/main 2019/9/main/command 2020/02/main "
        "2021/06/main 2022/03/main 2022/08/main 2023/02/main",
    )
    | _namespaces(
        _MS,
        "2019/extlst comments/2020/reactions excel/2006/main thememl/2012/main "
        "webextensions/taskpanes/2010/11 webextensions/webextension/2010/11",
    )
    | _namespaces(
        f"{_OPEN}drawingml/2006/",
        "chart chartDrawing compatibility diagram lockedCanvas main picture",
    )
    | _namespaces(
        _OPEN,
        "officeDocument/2006/math officeDocument/2006/relationships presentationml/2006/main",
    )
    | _namespaces("urn:schemas-microsoft-com:", "office:office office:powerpoint vml")
    | _namespaces("http://www.w3.org/", "2003/04/emma 2003/InkML")
    | {"http://schemas.microsoft.com/ink/2010/main"}
)
"""Namespaces that PowerPoint in Microsoft 365 understands.

They are those of the Open XML SDK for presentations, drawings and charts, and those of
[MS-ODRAWXML] and [MS-PPTX] that occur only as the condition of a ``mc:Choice``.
"""


def selected_branch(alternatives: _Element) -> _Element | None:
    """Return the branch of a ``mc:AlternateContent`` that PowerPoint reads; None for none."""
    for branch in alternatives:
        if branch.tag == f"{MC}Choice":
            required = required_namespaces(branch)
            if required and required <= UNDERSTOOD:
                return branch
    return alternatives.find(f"{MC}Fallback")


def required_namespaces(choice: _Element) -> set[str | None]:
    """Return the namespaces that a ``mc:Choice`` requires; None stands for undeclared prefixes."""
    return {choice.nsmap.get(prefix) for prefix in (choice.get("Requires") or "").split()}


def find_child(parent: _Element, tag: str) -> _Element | None:
    """Return the first child with a tag, including selected branches of alternative content."""
    for child in parent:
        match: _Element | None = child if child.tag == tag else None
        if child.tag == f"{MC}AlternateContent":
            branch = selected_branch(child)
            match = None if branch is None else find_child(branch, tag)
        if match is not None:
            return match
    return None
