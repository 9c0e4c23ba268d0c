"""Content: packs of scenarios, cards and texts as data; their schema, loader and linter."""

from content.schema.pack import Pack

__all__ = ["load_core"]


def load_core() -> Pack:
    """
    Return the core pack that comes with the program.

    Raises:
        ContentErrors: see `content.loader`.
    """
    # The schema is imported by rules, which need no parser.
    from content.loader import load_core as load  # noqa: PLC0415

    return load()
