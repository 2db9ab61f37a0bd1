"""The document environment for trainers of language models, one file each.

The rest of the package imports nothing from here, and each file requires only its own trainer's
package.
"""
