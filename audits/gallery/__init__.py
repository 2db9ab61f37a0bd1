"""A page of tasks to look at: what is asked for, the slides before and after, what is scored."""

from pptarena.audits.gallery.build import Gallery, build_gallery

__all__ = ["Gallery", "build_gallery"]
