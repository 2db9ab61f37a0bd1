"""The document environment as trainers of language models want it, one file each.

Nothing here is imported by the rest of the package, and each file needs the package of its own
trainer only.
"""
