"""A page for browsing tasks: instructions, slides before and after, rubrics."""

from pptarena.audits.gallery.build import Gallery, build_gallery

__all__ = ["Gallery", "build_gallery"]
