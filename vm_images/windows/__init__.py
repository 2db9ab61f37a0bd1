"""The guest program on a Windows computer with PowerPoint, behind the same protocol.

Server, token, command dispatch and protocol are those of `pptarena.vm_images.guest`. What needs no
Windows is tested; `win32`, `uia` and `computer` have never been run: see ``README.md`` here.
"""
