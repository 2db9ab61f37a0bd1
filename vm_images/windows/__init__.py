"""The guest program on a Windows computer with PowerPoint, with the same protocol.

Server, token, command dispatch and protocol are those of `pptarena.vm_images.guest`. Modules that
do not need Windows are tested; `win32`, `uia` and `computer` have never been run: see ``README.md``
here.
"""
