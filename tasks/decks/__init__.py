"""The decks that tasks start from, and the scripts that build them.

``<deck>.pptx`` is built by ``build_<deck>.py`` on a presentation template of LibreOffice's; see
``LICENSES.md``. `pptarena.tasks` reads the built files, never these modules.
"""
